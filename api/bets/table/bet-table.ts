/**
 * Reads bets from CSV files as sportsbooks, spreadsheets and people write them: separators, column names, decimal
 * commas, dates and odds. Formats are recognised from the file itself. Ambiguous values are rejected by name, and a
 * parameter resolves them.
 */

import { mostBetsAtOnce } from '../../../schemas/http/bets/statements.ts'
import { ApiError } from '../../errors.ts'
import { fault } from './fault.ts'
import { fieldsOf, type LineRead } from './fields.ts'
import type { TableOptions } from './formats.ts'
import { type Head, headOf, withOneResult } from './head.ts'
import { cellsOf, linesOf, separatorOf } from './lines.ts'
import { createLegFault, createOtherFault } from './other-bets.ts'
import { type ReadLine, whatFileShows } from './shown.ts'

export interface TableLine extends LineRead {
  readonly line: number
}

/** Notes on a file besides its bets. */
export interface FileNotes {
  /** Unknown columns, as the file names them. */
  readonly ignoredColumns: readonly string[]
  /** The currency of the amounts as the file names it, by a code or a sign; null if it names none. */
  readonly currency: string | null
}

export const tooManyBets = () =>
  new ApiError(
    'validation_error',
    `A request has at most ${mostBetsAtOnce} bets. Nothing of this one was stored; send it in parts.`,
  )

/**
 * Reads line by line. Quoted cells may have line breaks, which are read as blanks.
 * @param now epoch ms: no bet was placed in a later year
 * @param note called before the first bet
 * @returns null for an empty line, and for each line of the first pass over the file
 * @throws ApiError validation_error for unknown columns, too many columns, more than `mostBetsAtOnce` lines, and amounts
 * in several currencies
 */
export function* readTable(
  text: string,
  options: TableOptions,
  now: number,
  note: (file: FileNotes) => void,
): Generator<TableLine | null> {
  const [separator, from] = separatorOf(text)
  let head: Head | null = null
  const lines: ReadLine[] = []
  const hasCells = (content: string) => typeof cellsOf(content, separator) !== 'string'
  for (const { line, content } of linesOf(text, hasCells)) {
    if (line < from) continue
    if (content.trim() === '') {
      yield null
      continue
    }
    if (lines.length === mostBetsAtOnce) throw tooManyBets()
    const cells = cellsOf(content, separator)
    if (head !== null) lines.push({ line, cells })
    else {
      if (typeof cells === 'string')
        throw new ApiError('validation_error', `Line ${line}: ${cells}.`)
      head = headOf(line, cells, options)
    }
    yield null
  }
  if (head === null) return
  const readable = lines.flatMap(({ cells }) => (typeof cells === 'string' ? [] : [cells]))
  head = withOneResult(head, readable)
  const { columns } = head
  const otherFault = createOtherFault(head.names, columns)
  const legFault = createLegFault(columns, readable)
  const shown = yield* whatFileShows(head, lines, separator, options, now)
  note({ ignoredColumns: head.unknown, currency: shown.currency })
  for (const { line, cells } of lines) {
    if (typeof cells === 'string')
      yield { line, value: undefined, fault: fault('malformed_csv', cells) }
    else if (
      cells.length > columns.length &&
      cells.slice(columns.length).some((cell) => cell !== '')
    ) {
      const message = `${cells.length} cells, of ${columns.length} columns`
      yield { line, value: undefined, fault: fault('malformed_csv', message) }
    } else {
      const leg = legFault(cells)
      if (leg !== null) yield { line, value: undefined, fault: leg }
      else yield { line, ...fieldsOf(columns, cells, shown, otherFault) }
    }
  }
}
