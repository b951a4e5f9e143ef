/** A table that scrolls sideways by itself when it is wider than the page. */

import { ScrolledTable } from './scrolls.tsx'

interface FiguresProps {
  readonly label: string
  readonly columns: readonly string[]
  /** Whether its cells are left-aligned texts instead of numbers. */
  readonly isOfTexts?: boolean
  /** Whether it is the bet log, of which phones show the odds and stakes without scrolling. */
  readonly isOfBets?: boolean
  /** The rows. */
  readonly children: preact.ComponentChildren
}

export const Figures = ({ isOfTexts, isOfBets, ...table }: FiguresProps) => (
  <ScrolledTable
    className={`figures${isOfTexts ? ' texts' : ''}${isOfBets ? ' log' : ''}`}
    {...table}
  />
)
