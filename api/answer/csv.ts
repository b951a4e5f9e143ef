/** Answers as a file for a spreadsheet. */

import { guarded } from '../../pipeline/text/formula-text.ts'

export type CsvCell = string | number | boolean

/** Lines of cells as one file, the columns' names first. */
export const csvText = (lines: readonly (readonly CsvCell[])[]): string =>
  `${lines.map((cells) => cells.map(csvCell).join(',')).join('\r\n')}\r\n`

function csvCell(value: CsvCell): string {
  if (typeof value !== 'string') return String(value)
  const safe = guarded(value)
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
