/** Prices of an opportunity, read off the board as they stand. */

import { bisect } from '../../pipeline/memory/bisect.ts'
import {
  marketShape,
  ownLine,
  sharedLine,
} from '../../pipeline/processors/opportunities/market-shape.ts'
import { usableMs } from '../../pipeline/rules/freshness.ts'
import { createPhantomGuard, withheldReason } from '../../pipeline/rules/phantom-guard.ts'
import { isHandicap } from '../../pipeline/rules/questions.ts'
import type {
  BoardView,
  EventBlock,
  ViewEvent,
  ViewOffer,
} from '../../pipeline/views/board/board-view.ts'
import {
  compareSelections,
  type Selection,
  type SourceIds,
  selectionPlace,
} from '../../pipeline/views/board/odds-rows.ts'
import { findSportsbook } from '../../schemas/reference/sportsbooks.ts'
import { type Scope, seesSportsbook } from '../access/scope.ts'
import { shownSelection } from '../answer/selections.ts'

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

/**
 * The same sportsbook's price of the opposite answer on the same line, where the market has two;
 * undefined where there is none, or where it gives two under different labels.
 */
export function otherSide(board: BoardView, quote: Quote): Quote | undefined {
  const { event, block, selection, offer, isLive } = quote
  const { selectionType, line, playerName } = selection
  const { marketType } = block
  const shape = marketShape(marketType, event.row.sport)
  const answer = shape?.columnOf.get(selectionType)
  if (!shape || !answer || shape.columns !== 2) return undefined
  const opposite = shape.types[answer.group]![1 - answer.column]!
  const own = ownLine(shape, 1 - answer.column, sharedLine(shape, selectionType, line))
  const found = pricesOf(board, block, { playerName, line: own, selectionType: opposite }, offer)
  const [other, ...others] = found.filter((price) => price.isLive === isLive)
  return others.length === 0 ? other : undefined
}

/** What one sportsbook gives for an answer: more than one where it does so under several labels. */
function pricesOf(
  board: BoardView,
  block: EventBlock,
  { playerName, line, selectionType }: Pick<Selection, 'playerName' | 'line' | 'selectionType'>,
  offer: ViewOffer,
): Quote[] {
  const prices: Quote[] = []
  const from = selectionPlace(block, { playerName, line, selectionType, label: '' })
  for (let place = from; place < block.selections.length; place++) {
    const other = block.selections[place]!
    if (other.selectionType !== selectionType || other.line !== line) break
    if (other.playerName !== playerName) break
    const row = rowAt(board, block, other, offer)
    const price = row < 0 ? undefined : quoteOf(board, board.rows.id(row))
    if (price) prices.push(price)
  }
  return prices
}

/** Whether a sportsbook offers the very price of a leg. */
export function isMatchedBy(board: BoardView, leg: Quote, sportsbook: string): boolean {
  const offer = leg.event.offers.get(sportsbook)
  if (!offer) return false
  return pricesOf(board, leg.block, leg.selection, offer).some(({ price }) => price === leg.price)
}

/** The row of a selection at one sportsbook, or -1. */
function rowAt({ rows }: BoardView, block: EventBlock, of: Selection, offer: ViewOffer): number {
  const from = bisect(
    0,
    block.count,
    (at) => compareSelections(rows.selection(block.rows[at]!), of) < 0,
  )
  for (let place = from; place < from + of.rowCount; place++) {
    const row = block.rows[place]!
    if (rows.sighted(row) === offer) return row
  }
  return -1
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
  const { selection: label, line } = shownSelection(event, block.marketType, selection)
  return { label: line === null ? label : labelWithLine(label, line, block.marketType), line }
}

/** A handicap is written with its sign; a total is not, nor is a race to 20. */
function labelWithLine(label: string, line: number, marketType: string): string {
  const sign = isHandicap(marketType) && line > 0 ? '+' : ''
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

/** Every figure, as lists show them. */
export const roundedAll = (figures: object, places: number) =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, rounded(value, places)]))

/** An age in seconds, as it is shown. */
export const shownAge = (ms: number) => rounded(ms / 1_000, 1)

/** Whether a price may be bet on at this moment: seen lately, of a source that is up. */
export const isUsable = (quote: Quote, scope: Scope, now: number) =>
  ageMs(quote, now) <= usableMs(quote.isLive) &&
  !scope.opportunities.sourcesDown().has(quote.sportsbook)

/** Whether all of an opportunity may be bet on: its prices, and that it has not begun. */
export const isStanding = (quotes: readonly Quote[], scope: Scope, now: number) =>
  quotes.every(
    (quote) => isUsable(quote, scope, now) && (quote.isLive || quote.event.startsAt > now),
  )

const judgeLine = createPhantomGuard()

/**
 * Every price that may be bet on, on the line of these legs, by answer, as the processor takes them:
 * without sportsbooks that give one answer twice, and those the phantom guard withholds.
 */
export function usableOnLine(legs: readonly Quote[], scope: Scope, now: number): Quote[][] {
  const { board } = scope
  const { rows } = board
  const [first] = legs as readonly [Quote]
  const { block, isLive, event } = first
  const shape = marketShape(block.marketType, event.row.sport)
  if (!shape) return legs.map((leg) => [leg])
  const answers = legs.map(({ selection }) => selection.selectionType)
  const { selectionType, playerName } = first.selection
  const line = sharedLine(shape, selectionType, first.selection.line)
  /** By sportsbook and answer; null where it is given twice. */
  const books = new Map<ViewOffer, (Quote | null | undefined)[]>()
  for (let place = 0; place < block.count; place++) {
    const row = block.rows[place]!
    const other = rows.selection(row)
    const answer = answers.indexOf(other.selectionType)
    if (answer < 0 || other.playerName !== playerName || rows.isLive(row) !== isLive) continue
    if (sharedLine(shape, other.selectionType, other.line) !== line) continue
    const offer = rows.sighted(row) as ViewOffer
    const quotes = books.get(offer) ?? answers.map(() => undefined)
    books.set(offer, quotes)
    quotes[answer] = quotes[answer] === undefined ? (quoteOf(board, rows.id(row)) ?? null) : null
  }
  const usable = [...books.values()].filter((quotes) =>
    quotes.some((quote) => quote && isUsable(quote, scope, now)),
  )
  const prices = Float64Array.from(usable.flatMap((quotes) => quotes.map((of) => of?.price ?? 0)))
  const verdicts = new Uint8Array(usable.length)
  judgeLine({ outcomes: answers.length, books: usable.length, prices, isLive }, verdicts)
  const sound = usable.filter((_, book) => withheldReason(verdicts[book]!) === null)
  return answers.map((_, answer) => sound.flatMap((quotes) => quotes[answer] ?? []))
}
