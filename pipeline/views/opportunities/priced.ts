/**
 * An opportunity with its current prices on the board, and its value. Its rows are looked up once
 * per change; price objects are made only for opportunities that are shown.
 */

import type { OpportunityRow } from '../../../schemas/opportunity.ts'
import { type Fees, netOf } from '../../rules/odds/fees.ts'
import { usableMs } from '../../rules/odds/freshness.ts'
import { marketShape, ownLine, sharedLine } from '../../rules/odds/market-shape.ts'
import { type PricesTaken, ruleOf } from '../../rules/odds/opportunity-figures.ts'
import type { BoardView } from '../board/board-view.ts'
import type { ViewEvent } from '../board/view-event.ts'
import { type Quote, quoteAt, rowsOn } from '../query/quotes.ts'

/** An opportunity with its current prices. */
export interface Priced {
  readonly row: OpportunityRow
  readonly event: ViewEvent
  readonly legs: readonly Quote[]
  /** The decimal odds of each leg, after the sportsbook's fee if fees are subtracted. */
  readonly nets: readonly number[]
  /**
   * For +EV, the outcomes at the sharp book, or at each sportsbook of the blend or consensus in
   * turn; else empty.
   */
  readonly reference: readonly Quote[]
  /** The same sportsbooks' prices for the other side of each line; empty if they do not matter. */
  readonly others: readonly (Quote | undefined)[]
}

export type Item<Figures extends object = object> = Priced & { readonly figures: Figures }

/** The rows of the board that an opportunity takes. Valid while none of them changes. */
export interface TakenRows {
  /** The legs, home before away as the event is shown (not as in its frame). */
  readonly legs: readonly number[]
  readonly reference: readonly number[]
  /** The other sides in the order of the frame, -1 for none; empty if other sides do not matter. */
  readonly others: readonly number[]
}

/** @returns null when a price is gone or inactive */
export function takenRows(board: BoardView, row: OpportunityRow): TakenRows | null {
  const { rows } = board
  const legs = activeRows(board, row.legs)
  const reference = activeRows(board, row.reference)
  if (!legs || !reference) return null
  const { needsOtherSides } = ruleOf(row.kind)
  const others = needsOtherSides ? legs.map((leg) => otherSide(board, leg)) : none
  const [first, second] = legs
  if (first === undefined || second === undefined) return { legs, reference, others }
  const isTurned =
    rows.block(first).event.row.flipped && rows.selection(first).selectionType === 'home'
  return { legs: isTurned ? [second, first, ...legs.slice(2)] : legs, reference, others }
}

const none: readonly number[] = []

function activeRows({ rows }: BoardView, ids: readonly number[]): number[] | null {
  // Allocated at its exact length: a growing array reserves more room, and there are very many
  // arrays.
  const found = new Array<number>(ids.length)
  for (let at = 0; at < ids.length; at++) {
    const row = rows.find(ids[at]!)
    if (row < 0 || !rows.isActive(row)) return null
    found[at] = row
  }
  return found
}

/**
 * Returns the row of the other outcome on the same line at the same sportsbook, in a two-way
 * market. Returns -1 if there is none, or two under different labels.
 */
function otherSide(board: BoardView, row: number): number {
  const { rows } = board
  const block = rows.block(row)
  const { event, marketType } = block
  const { selectionType, line, playerName } = rows.selection(row)
  const shape = marketShape(marketType, event.row.sport)
  const outcome = shape?.columnOf.get(selectionType)
  if (!shape || !outcome || shape.columns !== 2) return -1
  const opposite = shape.types[outcome.group]![1 - outcome.column]!
  const own = ownLine(shape, 1 - outcome.column, sharedLine(shape, selectionType, line))
  const offer = rows.sighted(row)
  const isLive = rows.isLive(row)
  let other = -1
  let count = 0
  for (const at of rowsOn(board, block, { playerName, line: own, selectionType: opposite })) {
    if (rows.sighted(at) !== offer || !rows.isActive(at) || rows.isLive(at) !== isLive) continue
    other = at
    count++
  }
  return count === 1 ? other : -1
}

/** Returns whether any of these sportsbooks takes bets on a row's outcome at the same odds, after fees. */
export function isOfferedBy(
  board: BoardView,
  of: number,
  sportsbooks: ReadonlySet<string>,
  fees: Fees,
): boolean {
  const { rows } = board
  const netAt = (row: number) =>
    netOf({ sportsbook: rows.sighted(row).sportsbook, price: rows.price(row) }, fees)
  const net = netAt(of)
  return rowsOn(board, rows.block(of), rows.selection(of)).some(
    (row) =>
      rows.isActive(row) &&
      sportsbooks.has(rows.sighted(row).sportsbook) &&
      (row === of || netAt(row) === net),
  )
}

export function pricesTaken(
  board: BoardView,
  { measure }: OpportunityRow,
  taken: TakenRows,
  fees: Fees,
): PricesTaken {
  const { rows } = board
  const { legs, reference, others } = taken
  const first = legs[0]!
  const { event, marketType } = rows.block(first)
  const { selectionType } = rows.selection(first)
  const isBacked = (row: number) => rows.selection(row).selectionType === selectionType
  const offered = legs.map((row) => rows.price(row))
  const prices =
    fees.size === 0
      ? offered
      : legs.map((row, leg) =>
          netOf({ sportsbook: rows.sighted(row).sportsbook, price: offered[leg]! }, fees),
        )
  return {
    marketType,
    sport: event.row.sport,
    league: event.row.league,
    lines: legs.map((row) => rows.selection(row).line),
    prices,
    offered,
    against:
      others.length > 0
        ? legs.map((row) => otherPrice(board, row, others))
        : reference.map((row) => rows.price(row)),
    sources: reference.filter(isBacked).length,
    measure,
    outcome: reference.findIndex(isBacked),
  }
}

/** Returns the price of the other side of a leg, at its own sportsbook; 0 for none. */
function otherPrice({ rows }: BoardView, leg: number, others: readonly number[]): number {
  const offer = rows.sighted(leg)
  const other = others.find((row) => row >= 0 && rows.sighted(row) === offer)
  return other === undefined ? 0 : rows.price(other)
}

/**
 * Returns until when all of it may be bet on if no price is seen again (epoch ms): until a price is
 * too old or the event begins.
 */
export function standsUntil({ rows }: BoardView, { legs, reference }: TakenRows): number {
  let until = Number.POSITIVE_INFINITY
  for (let at = 0; at < legs.length + reference.length; at++) {
    const row = at < legs.length ? legs[at]! : reference[at - legs.length]!
    const isLive = rows.isLive(row)
    until = Math.min(until, rows.sighted(row).lastSeenAt + usableMs(isLive))
    // At `startsAt` itself the event has begun.
    if (!isLive) until = Math.min(until, rows.block(row).event.startsAt - 1)
  }
  return until
}

/** Returns the prices as objects. */
export function pricedOn(
  board: BoardView,
  row: OpportunityRow,
  { legs, reference, others }: TakenRows,
  fees: Fees,
): Priced {
  const quotes = legs.map((at) => quoteAt(board, at))
  return {
    row,
    event: board.rows.block(legs[0]!).event,
    legs: quotes,
    nets: quotes.map((quote) => netOf(quote, fees)),
    reference: reference.map((at) => quoteAt(board, at)),
    others: others.map((at) => (at < 0 ? undefined : quoteAt(board, at))),
  }
}

/** The value of an opportunity, either for readers who see the prices it is measured against or for the others. */
export interface Valued<Figures extends object = object> {
  readonly entry: ListedOpportunity
  readonly taken: TakenRows
  readonly figures: Figures
  /** See `kindRules`. */
  readonly rank: number
  readonly sport: string
  readonly marketType: string
  /** The sportsbook of its first leg. */
  readonly sportsbook: string
  /** Created at the first read. */
  item: Item<Figures> | null
}

/** An opportunity that has a row in the table. */
export interface ListedOpportunity {
  readonly row: OpportunityRow
}

/** @returns null when the prices no longer make such an opportunity */
export function valued(
  { rows }: BoardView,
  entry: ListedOpportunity,
  taken: TakenRows,
  prices: PricesTaken,
): Valued | null {
  const { of, isOne, rank } = ruleOf(entry.row.kind)
  const figures = of(prices)
  if (!figures || !isOne(figures)) return null
  const { sport, marketType } = prices
  const { sportsbook } = rows.sighted(taken.legs[0]!)
  return { entry, taken, figures, rank: rank(figures), sport, marketType, sportsbook, item: null }
}

/**
 * Returns the same for readers who do not see the prices that it is measured against; null if it
 * has no value for them.
 */
export function veiled(exact: Valued, { prices }: PricesTaken): Valued | null {
  const rule = ruleOf(exact.entry.row.kind)
  if (!rule.veiled) return exact
  const figures = rule.veiled(exact.figures, prices[0]!)
  return figures && { ...exact, figures, rank: rule.rank(figures) }
}
