/** Current prices of an opportunity, read from the board. */

import { usableMs } from '../../pipeline/rules/odds/freshness.ts'
import { marketShape, sharedLine } from '../../pipeline/rules/odds/market-shape.ts'
import { isHandicap } from '../../pipeline/rules/odds/questions.ts'
import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import { findQuote, type Quote, rowsOn } from '../../pipeline/views/query/quotes.ts'
import { findSportsbook } from '../../schemas/reference/sportsbooks.ts'
import { mayShowTo, type Scope, seesSportsbook } from '../access/scope.ts'
import { shownSelection } from '../answer/selections.ts'

export { type Quote, sourceOf } from '../../pipeline/views/query/quotes.ts'

/** Finds the active price with an odds id. */
export function quoteOf(board: BoardView, id: number): Quote | undefined {
  const quote = findQuote(board, id)
  return quote?.isActive ? quote : undefined
}

/** Returns the highest stake that the sportsbook accepts on a price; null if it does not state one. */
export function maxBetOf({ rows }: BoardView, { id }: Quote): number | null {
  const row = rows.find(id)
  return row < 0 ? null : rows.attribute(row, 'maxBet')
}

interface Seen {
  readonly offer: { readonly lastSeenAt: number }
}

/** Returns the time since the price was last seen (ms). */
export const ageMs = ({ offer }: Seen, now: number) => Math.max(0, now - offer.lastSeenAt)

export const oldestAgeMs = (quotes: readonly Seen[], now: number) =>
  quotes.reduce((oldest, quote) => Math.max(oldest, ageMs(quote, now)), 0)

/** Returns a selection for responses: `Over 226.5`, `Leeds United -1.5`, with type and line of the side as it is shown. */
export function selectionOf({ event, marketType, selection }: Quote) {
  const {
    selection: label,
    selection_type: type,
    line,
  } = shownSelection(event, marketType, selection)
  return { label: line === null ? label : labelWithLine(label, line, marketType), type, line }
}

/** Appends the line. A handicap has a sign, but a total or a race to 20 does not. */
function labelWithLine(label: string, line: number, marketType: string): string {
  const sign = isHandicap(marketType) && line > 0 ? '+' : ''
  const shown = `${sign}${line}`
  // A sportsbook's label may have the line already. A team may be called Schalke 04.
  const hasLine = [shown, String(line)].some((text) => label.endsWith(` ${text}`))
  return hasLine ? label : `${label} ${shown}`
}

/** Returns the redirect to a price at its sportsbook; null if the sportsbook has no addresses. */
export const deepLinkOf = ({ board }: Scope, { id, sportsbook }: Quote) =>
  findSportsbook(sportsbook)?.deepLinks ? board.linkOf(id) : null

/** Counts the sportsbooks visible to the scope; those of `besides` always count. */
export const countSeen = (
  scope: Scope,
  books: readonly string[],
  besides: readonly string[] = [],
) => books.filter((book) => seesSportsbook(scope, book) || besides.includes(book)).length

export const percent = (fraction: number) => rounded(100 * fraction, 2)

export function rounded(value: number, places: number): number {
  const factor = 10 ** places
  return Math.round(value * factor) / factor
}

/** Converts an age to seconds, as shown. */
export const shownAge = (ms: number) => rounded(ms / 1_000, 1)

/**
 * Returns the prices whose ages a scope may see. About a hidden reference it may only know that it
 * was seen lately.
 */
export const seenQuotes = (
  { legs, reference }: { readonly legs: readonly Quote[]; readonly reference: readonly Quote[] },
  scope: Scope,
) => (isVeiled({ reference }, scope) ? legs : [...legs, ...reference])

/** Returns whether a price of the reference is from a sportsbook that the scope does not see. */
export const isVeiled = ({ reference }: { readonly reference: readonly Quote[] }, scope: Scope) =>
  reference.some(({ sportsbook }) => !seesSportsbook(scope, sportsbook))

/** Returns the rows on the lines of these legs, including their own. */
export const rowsOnLines = (board: BoardView, legs: readonly Quote[]): readonly number[] =>
  legs.flatMap(({ block, selection }) => [...rowsOn(board, block, selection)])

/** Placeholders: the sportsbook has no row, or lists the outcome twice or only inactive. */
const noRow = -1
const unfitRow = -2

/** The active prices on a line, by sportsbook. Valid until a row of its market is added, removed or suspended. */
export interface Line {
  readonly isLive: boolean
  readonly outcomes: number
  readonly offers: readonly Sighted[]
  /** Rows of the board by sportsbook, as in `offers`, then by outcome; below 0 for none. */
  readonly rows: readonly number[]
}

/**
 * Returns the line of these legs, one for each outcome, in or before play like the first leg. Null if the market is
 * unknown.
 */
export function lineOf(legs: readonly Quote[], board: BoardView): Line | null {
  const { rows } = board
  const [first] = legs as readonly [Quote]
  const { marketType, isLive, event } = first
  const shape = marketShape(marketType, event.row.sport)
  if (!shape) return null
  const { length: outcomes } = legs
  const { playerName } = first.selection
  const line = sharedLine(shape, first.selection.selectionType, first.selection.line)
  const offers: Sighted[] = []
  const found: number[] = []
  for (let outcome = 0; outcome < outcomes; outcome++) {
    const { selectionType } = legs[outcome]!.selection
    const wanted = { playerName, line: sharedLine(shape, selectionType, line), selectionType }
    for (const row of rowsOn(board, first.block, wanted)) {
      if (rows.isLive(row) !== isLive) continue
      const offer = rows.sighted(row)
      let book = offers.indexOf(offer)
      if (book < 0) {
        book = offers.push(offer) - 1
        for (let other = 0; other < outcomes; other++) found.push(noRow)
      }
      const at = book * outcomes + outcome
      found[at] = found[at] !== noRow || !rows.isActive(row) ? unfitRow : row
    }
  }
  return { isLive, outcomes, offers, rows: found }
}

/**
 * Returns the usable rows on a line by outcome, as the processor selects them: without sportsbooks
 * that are down or stale, outcomes listed twice, and withheld prices, which include all of a
 * reference.
 */
export const usableOn = (line: Line, scope: Scope, now: number): number[][] =>
  rowsOnLine(line, scope, now, (reason) => reason === null)

/**
 * Returns the sportsbooks that quote a line, by outcome: those of its usable rows, and references.
 * Nobody can bet at a reference, but it shows what a price is worth. Sportsbooks for the owner
 * alone count for the owner only.
 */
export function quotingOn(line: Line, scope: Scope, now: number): string[][] {
  const mayShow = mayShowTo(scope)
  return rowsOnLine(line, scope, now, isQuoted).map((rows) =>
    rows.map((row) => scope.board.rows.sighted(row).sportsbook).filter(mayShow),
  )
}

/** Counts the sportsbooks that the scope sees among those of `quotingOn`, whatever they quote. */
export function countQuotingOn(line: Line, scope: Scope, now: number): number {
  const { outcomes, offers, rows: found } = line
  const { rows } = scope.board
  const mayShow = mayShowTo(scope)
  let count = 0
  for (let book = 0; book < offers.length; book++) {
    const offer = offers[book]!
    if (!isUsableAt(offer, line, scope, now)) continue
    if (!mayShow(offer.sportsbook) || !seesSportsbook(scope, offer.sportsbook)) continue
    const end = (book + 1) * outcomes
    for (let at = book * outcomes; at < end; at++) {
      const row = found[at]!
      if (row < 0 || !isQuoted(rows.withheld(row))) continue
      count++
      break
    }
  }
  return count
}

const isQuoted = (reason: Quote['withheld']) => reason === null || reason === 'reference'

/** Returns whether the sportsbook is up and was seen lately enough. */
const isUsableAt = (
  { sportsbook, lastSeenAt }: Sighted,
  { isLive }: Line,
  { sources }: Scope,
  now: number,
) => now - lastSeenAt <= usableMs(isLive) && !sources.down.has(sportsbook)

/**
 * @param counts returns whether a price counts that is withheld for this reason; null: not withheld
 */
function rowsOnLine(
  line: Line,
  scope: Scope,
  now: number,
  counts: (reason: Quote['withheld']) => boolean,
): number[][] {
  const { outcomes, offers, rows: found } = line
  const { rows } = scope.board
  const usable: number[][] = Array.from({ length: outcomes }, () => [])
  for (let book = 0; book < offers.length; book++) {
    if (!isUsableAt(offers[book]!, line, scope, now)) continue
    for (let outcome = 0; outcome < outcomes; outcome++) {
      const row = found[book * outcomes + outcome]!
      if (row >= 0 && counts(rows.withheld(row))) usable[outcome]!.push(row)
    }
  }
  return usable
}

type Sighted = ReturnType<BoardView['rows']['sighted']>
