/** Terminal text: tables, and colours where they are shown. */

import { stripVTControlCharacters, styleText } from 'node:util'

export type Style = (format: 'bold' | 'dim' | 'red' | 'green' | 'yellow', text: string) => string

/** Returns a style with colours only on a terminal, and never with `NO_COLOR` (no-color.org). */
export function styleFor(
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): Style {
  const isColoured = stream.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb'
  return (format, text) => (isColoured ? styleText(format, text, { validateStream: false }) : text)
}

/** Removes escape sequences, and makes blanks of other control characters: names may have them. */
export const plain = (text: string) => stripVTControlCharacters(text).replace(/\p{Cc}/gu, ' ')

/** Formats a table; columns named in `right` are right-aligned. */
export function tableOf(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  style: Style,
  right: ReadonlySet<string> = new Set(),
): string {
  const clean = rows.map((row) => row.map(plain))
  const widths = head.map((name, at) =>
    clean.reduce((widest, row) => Math.max(widest, row[at]!.length), name.length),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) =>
        right.has(head[at]!) ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!),
      )
      .join('  ')
      .trimEnd()
  return [style('bold', line(head)), ...clean.map(line)].join('\n')
}

export const american = (odds: unknown) =>
  typeof odds !== 'number' ? '' : odds > 0 ? `+${odds}` : String(odds)

export const lineText = (line: unknown) => (typeof line === 'number' ? String(line) : '')

/** Returns the reason of a withheld price in brackets; empty for other prices. */
export const withheldText = (reason: unknown) =>
  typeof reason === 'string' ? `(withheld: ${reason})` : ''
