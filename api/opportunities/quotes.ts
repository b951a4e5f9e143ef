/** Prices of an opportunity, read off the board as they stand. */

import { sharedLineOf } from '../../pipeline/processors/opportunities/market-shape.ts'
import type {
  BoardView,
  EventBlock,
  ViewEvent,
  ViewOffer,
} from '../../pipeline/views/board-view.ts'
import type { Selection, SourceIds } from '../../pipeline/views/odds-rows.ts'
import { oddsId, oddsIdentityText } from '../../schemas/ids.ts'
import { findSportsbook } from '../../schemas/reference/sportsbooks.ts'
import { type Scope, seesSportsbook } from '../access/scope.ts'
import { shownSelection } from '../selections.ts'

/** One price of one sportsbook. */
export interface Quote {
  readonly id: number
  readonly row: number
  readonly sportsbook: string
  /** Decimal odds. */
  readonly price: number
  readonly block: EventBlock
  readonly event: ViewEvent
  readonly offer: ViewOffer
  readonly selection: Selection
  readonly isLive: boolean
}

/** The price of an odds id; undefined when it is gone, or no bet is taken on it. */
export function quoteOf({ rows }: BoardView, id: number): Quote | undefined {
  const row = rows.find(id)
  if (row < 0 || !rows.isActive(row)) return undefined
  const block = rows.block(row) as EventBlock
  const offer = rows.sighted(row) as ViewOffer
  return {
    id,
    row,
    sportsbook: offer.sportsbook,
    price: rows.price(row),
    block,
    event: block.event,
    offer,
    selection: rows.selection(row),
    isLive: rows.isLive(row),
  }
}

const oppositeTypes: Readonly<Record<string, string>> = {
  over: 'under',
  under: 'over',
  home: 'away',
  away: 'home',
  home_over: 'home_under',
  home_under: 'home_over',
  away_over: 'away_under',
  away_under: 'away_over',
}

/** The same sportsbook's price of the opposite answer on the same line. */
export function otherSide(board: BoardView, quote: Quote): Quote | undefined {
  const { event, block, selection, sportsbook, isLive } = quote
  const { selectionType, line, playerName } = selection
  const opposite = oppositeTypes[selectionType]
  if (opposite === undefined) return undefined
  const { marketType } = block
  const isTurned = sharedLineOf(marketType, 'away', 1) !== 1 && !selectionType.includes('_')
  const id = oddsId(
    oddsIdentityText({
      sportsbook,
      eventId: event.id,
      marketType,
      line: line !== null && isTurned ? 0 - line : line,
      playerName,
      selectionType: opposite,
      // What type says needs no label.
      selection: '',
    }),
  )
  const other = quoteOf(board, id)
  return other?.isLive === isLive ? other : undefined
}

/** All of them, in order; undefined when one is gone. */
export function quotesOf(board: BoardView, ids: readonly number[]): Quote[] | undefined {
  const quotes: Quote[] = []
  for (const id of ids) {
    const quote = quoteOf(board, id)
    if (!quote) return undefined
    quotes.push(quote)
  }
  return quotes
}

/** How long ago it was last seen (ms). */
export const ageMs = ({ offer }: Quote, now: number) => Math.max(0, now - offer.lastSeenAt)

export const oldestAgeMs = (quotes: readonly Quote[], now: number) =>
  quotes.reduce((oldest, quote) => Math.max(oldest, ageMs(quote, now)), 0)

/** As answers show it: `Over 226.5`, `Leeds United -1.5`, with the line of the side as it is shown. */
export function selectionOf({ event, block, selection }: Quote) {
  const {
    selection: label,
    line,
    selection_type,
  } = shownSelection(event, block.marketType, selection)
  return { label: line === null ? label : labelWithLine(label, line, selection_type), line }
}

/** A handicap is written with its sign; a total is not. */
function labelWithLine(label: string, line: number, selectionType: string): string {
  const isSide = selectionType === 'home' || selectionType === 'away'
  const sign = isSide && line > 0 ? '+' : ''
  const shown = `${sign}${line}`
  // A sportsbook's own label may have it; a team may be called Schalke 04.
  const hasLine = [shown, String(line)].some((text) => label.endsWith(` ${text}`))
  return hasLine ? label : `${label} ${shown}`
}

export const sourceOf = ({ rows }: BoardView, { row }: Quote): SourceIds => rows.source(row)

/** The redirect to a price at its sportsbook; null where it has no addresses. */
export const deepLinkOf = ({ id, sportsbook }: Quote) =>
  findSportsbook(sportsbook)?.deepLinks ? `/api/v1/deeplink/${id}` : null

/** The sportsbooks that take bets on the same answer at the same line, in or before play alike. */
export function booksOn({ rows }: BoardView, { row, block, selection, isLive }: Quote): string[] {
  const books = new Set<string>()
  const place = rows.rank(row)
  const take = (at: number) => {
    const other = block.rows[at]!
    if (!isSameAnswer(rows.selection(other), selection)) return false
    if (rows.isActive(other) && rows.isLive(other) === isLive) {
      books.add((rows.sighted(other) as ViewOffer).sportsbook)
    }
    return true
  }
  for (let at = place; at < block.count && take(at); at++);
  for (let at = place - 1; at >= 0 && take(at); at--);
  return [...books]
}

const isSameAnswer = (a: Selection, b: Selection) =>
  a === b ||
  (a.selectionType === b.selectionType && a.line === b.line && a.playerName === b.playerName)

/** How many of the sportsbooks the scope shows, those of `besides` counted in any case. */
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

/** An age in seconds, as it is shown. */
export const shownAge = (ms: number) => rounded(ms / 1_000, 1)
