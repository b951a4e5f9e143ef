/** A table that scrolls sideways by itself when it is wider than the page. */

import { Scrolls } from './scrolls.tsx'

interface FiguresProps {
  readonly label: string
  readonly columns: readonly string[]
  /** Whether its cells are left-aligned texts instead of numbers. */
  readonly isOfTexts?: boolean
  /** The rows. */
  readonly children: preact.ComponentChildren
}

export const Figures = ({ label, columns, isOfTexts, children }: FiguresProps) => (
  <Scrolls label={label}>
    <table class={isOfTexts ? 'figures texts' : 'figures'}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </Scrolls>
)
