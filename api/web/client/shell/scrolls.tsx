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

interface ScrolledTableProps extends ScrollsProps {
  readonly className: string
  readonly columns: readonly string[]
}

/** A table that scrolls by itself, of which `children` are the rows. */
export const ScrolledTable = ({ label, className, columns, children }: ScrolledTableProps) => (
  <Scrolls label={label}>
    <table class={className}>
      <thead>
        <tr>
          {columns.map((column, at) => (
            <th scope="col" key={at}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </Scrolls>
)
