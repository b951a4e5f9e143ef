/**
 * Prices for readers that do not know how the board stores its rows: by id, by event and filter, or
 * by sportsbook and outcome.
 */

import { selectionText } from '../../../schemas/ids.ts'
import type { WithheldReason } from '../../../schemas/withheld-price.ts'
import { bisect } from '../../memory/bisect.ts'
import { comparePlayers, compareSelections, type Selection } from '../board/block.ts'
import type { BoardView } from '../board/board-view.ts'
import { setBit } from '../board/main-line-bits.ts'
import type { OddsRows } from '../board/odds-rows.ts'
import type { SourceIds } from '../board/row-sources.ts'
import { activeBit, bookShift, mainShift, liveBit as stateLiveBit } from '../board/row-table.ts'
import type { EventBlock, ViewEvent } from '../board/view-event.ts'
import type { CompiledFilter } from './compiled-filter.ts'

/** One sportsbook's offer on one event. Its sighting is always the newest. */
export interface Offer {
  readonly sportsbook: string
  /** The sportsbook's number in the view. */
  readonly book: number
  readonly externalId: string | null
  readonly lastSeenAt: number
}

/** A price of a sportsbook at the time it was read. */
export interface Quote {
  readonly id: number
  readonly event: ViewEvent
  /** The rows of its market. */
  readonly block: EventBlock
  readonly marketType: string
  /** Sides in the event's frame. */
  readonly selection: Selection
  readonly offer: Offer
  readonly sportsbook: string
  /** Decimal odds. */
  readonly price: number
  readonly isLive: boolean
  /** Whether bets are taken on it. */
  readonly isActive: boolean
  /** The reason why the phantom guard withholds it, or null. */
  readonly withheld: WithheldReason | null
  readonly changedAt: number | null
  /** The category, which each sportsbook names its own way. */
  readonly statCategory: string | null
  /** The stamp of its newest change. */
  readonly stamp: number
}

export function quoteAt({ rows, journal }: BoardView, row: number): Quote {
  const block = rows.block(row)
  const offer = rows.sighted(row)
  return {
    id: rows.id(row),
    event: block.event,
    block,
    marketType: block.marketType,
    selection: rows.selection(row),
    offer,
    sportsbook: offer.sportsbook,
    price: rows.price(row),
    isLive: rows.isLive(row),
    isActive: rows.isActive(row),
    withheld: rows.withheld(row),
    changedAt: rows.changedAt(row),
    statCategory: rows.statCategory(row),
    stamp: journal.stamp(row),
  }
}

/** Returns the price of an odds id; undefined when it is gone. */
export function findQuote(view: BoardView, id: number): Quote | undefined {
  const row = view.rows.find(id)
  return row < 0 ? undefined : quoteAt(view, row)
}

/** Returns the sportsbook's own ids of a price. */
export function sourceOf({ rows }: BoardView, { id }: Quote): SourceIds {
  const row = rows.find(id)
  return row < 0 ? noSource : rows.source(row)
}

const noSource: SourceIds = {
  externalMarketId: null,
  externalSelectionId: null,
  deepLink: null,
}

/** An outcome to bet on, whatever its label. */
export type Outcome = Pick<Selection, 'playerName' | 'line' | 'selectionType'>

/** Returns the rows of one market of an event; undefined if it has none. */
export const blockOf = (event: ViewEvent, marketType: string): EventBlock | undefined =>
  event.blocks.find((block) => block.marketType === marketType)

/** Returns the rows of an outcome, whatever their labels. Valid until the board changes. */
export function rowsOn(
  { rows }: BoardView,
  { rows: list, count }: EventBlock,
  { playerName, line, selectionType }: Outcome,
): Int32Array {
  const first = { playerName, line, selectionType, label: '' }
  const from = bisect(0, count, (i) => compareSelections(rows.selection(list[i]!), first) < 0)
  let to = from
  while (to < count) {
    const other = rows.selection(list[to]!)
    if (other.selectionType !== selectionType || other.line !== line) break
    if (other.playerName !== playerName) break
    to += other.rowCount
  }
  return list.slice(from, to)
}

/**
 * Returns one sportsbook's prices for an outcome: several if it lists the outcome under several
 * labels.
 */
export function quotesAt(
  view: BoardView,
  block: EventBlock,
  outcome: Outcome,
  sportsbook: string,
): Quote[] {
  const offer = block.event.offers.get(sportsbook)
  const quotes: Quote[] = []
  if (!offer) return quotes
  for (const row of rowsOn(view, block, outcome)) {
    if (view.rows.sighted(row) === offer) quotes.push(quoteAt(view, row))
  }
  return quotes
}

/**
 * Returns the price of a quote's sportsbook for an outcome on the nearest line above (1) or below (-1) the outcome's
 * own. Only active prices count: in-play or pregame ones, like the quote.
 */
export function nearestQuote(
  view: BoardView,
  { offer, isLive }: Quote,
  block: EventBlock,
  { playerName, line, selectionType }: Outcome,
  direction: 1 | -1,
): Quote | undefined {
  const { rows } = view
  if (line === null) return undefined
  // The lines of one player ascend, regardless of outcomes.
  const from = bisect(0, block.count, (i) => {
    const other = rows.selection(block.rows[i]!)
    const byPlayer = comparePlayers(other.playerName, playerName)
    const by = byPlayer || (other.line ?? Number.NEGATIVE_INFINITY) - line
    return by < 0 || (by === 0 && direction === 1)
  })
  let at = direction === 1 ? from : from - 1
  while (at >= 0 && at < block.count) {
    const row = block.rows[at]!
    const other = rows.selection(row)
    if (other.playerName !== playerName || other.line === null) return undefined
    if (other.selectionType !== selectionType) {
      // The rows of one selection object lie together.
      at += direction * other.rowCount
      continue
    }
    if (rows.sighted(row) === offer && rows.isActive(row) && rows.isLive(row) === isLive) {
      return quoteAt(view, row)
    }
    at += direction
  }
  return undefined
}

/** Returns whether a price is on the main line of its question, by index of the set in `mainLineSets`. */
export function isOnMainLine({ rows }: BoardView, id: number, set: number): boolean {
  const row = rows.find(id)
  return row >= 0 && (rows.state(row) & (setBit(set) << mainShift)) !== 0
}

// ---- walks

/**
 * A walk over the matching prices of one event after the other: market by market, selection by selection, price by
 * price, in page order. The fields describe the current place; nothing is allocated for a price that is only looked
 * at. Valid until the board changes.
 */
export interface QuoteWalk {
  /** Goes to the beginning of an event, which must be one of the filter's. */
  enter(event: ViewEvent): void
  /** Each of these moves on within the item of the method above; false at its end. */
  nextMarket(): boolean
  /** Moves to the next selection, whether or not it has a matching price. */
  nextSelection(): boolean
  nextQuote(): boolean
  /**
   * Picks the rows of the selection's active prices, in one pass.
   * @param counts bits by sportsbook number: `preMatchBit` if its pregame prices count, `liveBit`
   * for in-play ones; undefined if all count
   * @param most stops after this many
   * @param into receives them, from its beginning
   * @returns how many there are
   */
  pickActive(counts: Uint8Array | undefined, most: number, into: number[]): number

  // Of the market.
  readonly block: EventBlock
  readonly marketType: string

  // Of the selection, with the label of its first sportsbook; another may have its own.
  readonly selection: Selection

  // Of the price.
  readonly sportsbook: string
  /** Returns the price as `/odds` shows it. */
  shown(): Record<string, unknown>
}

export const preMatchBit = 1
export const liveBit = 2

export function walkQuotes(compiled: CompiledFilter): QuoteWalk {
  const { names, books, prices: range } = compiled
  const { rows } = compiled.view
  const mask = compiled.bits.mask | activeBit
  const wanted = compiled.bits.wanted | activeBit
  let columns = rows.columns
  let blocks: readonly EventBlock[] = []
  let block: EventBlock | undefined
  let blocksDone = 0
  let from = 0
  let to = 0
  let at = 0
  let row = -1

  return {
    enter(event) {
      blocks = event.blocks
      columns = rows.columns
      blocksDone = 0
    },
    nextMarket() {
      while (blocksDone < blocks.length) {
        block = blocks[blocksDone++]!
        to = 0
        if (compiled.enter(block)) return true
      }
      return false
    },
    nextSelection() {
      if (!block || to >= block.count) return false
      from = to
      to = selectionEnd(rows, block, from)
      at = from
      return true
    },
    nextQuote() {
      const { rows: list } = block!
      for (let i = at; i < to; i++) {
        row = list[i]!
        if (!names(row)) continue
        at = i + 1
        return true
      }
      at = to
      return false
    },
    pickActive(counts, most, into) {
      const { rows: list } = block!
      const { states, prices } = columns
      let count = 0
      for (let i = from; i < to && count < most; i++) {
        const row = list[i]!
        const state = states[row]!
        if ((state & mask) !== wanted) continue
        const book = state >>> bookShift
        if (counts && (counts[book]! & (state & stateLiveBit ? liveBit : preMatchBit)) === 0)
          continue
        if (books && books[book] !== 1) continue
        if (!(prices[row]! >= range.from && prices[row]! < range.to)) continue
        into[count++] = row
      }
      return count
    },
    get block() {
      return block!
    },
    get marketType() {
      return block!.marketType
    },
    get selection() {
      return rows.selection(block!.rows[from]!)
    },
    get sportsbook() {
      return rows.sighted(row).sportsbook
    },
    shown: () => rows.parse(row),
  }
}

/**
 * Returns the index after the last row of the block that quotes the selection of the row at `from`.
 */
function selectionEnd(rows: OddsRows, block: EventBlock, from: number): number {
  const first = rows.selection(block.rows[from]!)
  // The rows of one selection object are adjacent, so their end is known.
  let to = from + first.rowCount
  while (to < block.count) {
    const next = rows.selection(block.rows[to]!)
    if (!isSameBet(next, first)) break
    to += next.rowCount
  }
  return to
}

/**
 * Returns whether two selections of a market are one bet: a sportsbook's own label ("Leeds" for
 * "Leeds United") does not make it another bet.
 */
export const isSameBet = (a: Selection, b: Selection) =>
  a.selectionType === b.selectionType &&
  a.line === b.line &&
  a.playerName === b.playerName &&
  identity(a) === identity(b)

/**
 * The key that odds ids are made of: a label counts only if the type does not identify the outcome.
 */
const identity = ({ line, playerName, selectionType, label }: Selection) =>
  selectionText('', line, playerName, selectionType, label)
