/** A section that scrolls by itself, also by keyboard. */

interface ScrollsProps {
  readonly label: string
  readonly children: preact.ComponentChildren
}

export const Scrolls = ({ label, children }: ScrollsProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach a section that scrolls
  <section class="scrolls" tabIndex={0} aria-label={label}>
    {children}
  </section>
)
