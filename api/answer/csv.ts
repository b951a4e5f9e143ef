/** Answers as a file for a spreadsheet. */

export type CsvCell = string | number | boolean

/** Lines of cells as one file, the columns' names first. */
export const csvText = (lines: readonly (readonly CsvCell[])[]): string =>
  `${lines.map((cells) => cells.map(csvCell).join(',')).join('\r\n')}\r\n`

/** A text that a spreadsheet would take for a formula is told to be text; numbers stay numbers. */
function csvCell(value: CsvCell): string {
  if (typeof value !== 'string') return String(value)
  const safe = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
