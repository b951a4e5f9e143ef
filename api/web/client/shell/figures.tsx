/** A table that scrolls sideways by itself when it is wider than the page. */

import { ScrolledTable } from './scrolls.tsx'

interface FiguresProps {
  readonly label: string
  readonly columns: readonly string[]
  /** Whether its cells are left-aligned texts instead of numbers. */
  readonly isOfTexts?: boolean
  /** The rows. */
  readonly children: preact.ComponentChildren
}

export const Figures = ({ isOfTexts, ...table }: FiguresProps) => (
  <ScrolledTable className={isOfTexts ? 'figures texts' : 'figures'} {...table} />
)
