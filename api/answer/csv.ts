/** Responses as spreadsheet files. */

import { guarded } from '../../pipeline/text/formula-text.ts'

export type CsvCell = string | number | boolean

export interface CsvStyle {
  readonly separator: ',' | ';' | '\t'
  /** The decimal mark of numbers. */
  readonly decimal: '.' | ','
}

const usualStyle: CsvStyle = { separator: ',', decimal: '.' }

/** Returns the headers of a file. @param name without extension */
export const csvHeaders = (name: string) => ({
  'Content-Type': 'text/csv; charset=utf-8',
  'Content-Disposition': `attachment; filename="${name}.csv"`,
})

/** Returns lines of cells as one file. The first line holds the column names. */
export const csvText = (
  lines: readonly (readonly CsvCell[])[],
  style: CsvStyle = usualStyle,
): string =>
  `${lines.map((cells) => cells.map((cell) => csvCell(cell, style)).join(style.separator)).join('\r\n')}\r\n`

function csvCell(value: CsvCell, { separator, decimal }: CsvStyle): string {
  const text =
    typeof value === 'string'
      ? guarded(value)
      : decimal === '.'
        ? String(value)
        : String(value).replace('.', decimal)
  const isQuoted = /["\r\n]/.test(text) || text.includes(separator)
  return isQuoted ? `"${text.replaceAll('"', '""')}"` : text
}
