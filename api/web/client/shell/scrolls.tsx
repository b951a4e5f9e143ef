/** A part that scrolls on its own, also by the keyboard. */

interface ScrollsProps {
  readonly label: string
  readonly children: preact.ComponentChildren
}

export const Scrolls = ({ label, children }: ScrollsProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached without a mouse
  <section class="scrolls" tabIndex={0} aria-label={label}>
    {children}
  </section>
)
