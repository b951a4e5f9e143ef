/**
 * The columns of the odds table that the processor needs to find rows and to decide whether an
 * observation changes them: about 100 bytes per row. The whole rows are only on the changelog.
 *
 * The rows of an offer (one sportsbook on one event) are a linked list, so that a snapshot can find those it no
 * longer names.
 */

import { grown } from '../../memory/grown.ts'
import { createIdIndex } from '../../memory/id-index.ts'
import { createLinkedSlots } from '../../memory/linked-slots.ts'

/** The columns of a row that decide whether it changed. */
export interface PriceState {
  readonly price: number
  readonly isLive: boolean
  readonly isActive: boolean
  /** Epoch ms; NaN when not known. */
  readonly changedAt: number
  /** When the current state was first observed (epoch ms). */
  readonly observedAt: number
  /** A hash of the descriptive fields: label, limit, ids at the sportsbook, link. */
  readonly details: number
  /** As in `OddsRow`. */
  readonly isFiledByDraw: boolean
  readonly isStalePregame: boolean
}

export interface PriceTable {
  readonly size: number
  /** Returns the row with this id, or -1. */
  find(id: number): number
  /**
   * Adds a row under the offer whose list starts at `head`; returns the row, the new head.
   * @param market a hash that the rows of one market and player share
   */
  insert(id: number, check: number, head: number, market: number, line: number | null): number
  /** Unlinks and frees the row; returns the offer's head afterwards (-1: none left). */
  remove(row: number, head: number): number
  /** Returns the next row of the same offer, or -1. */
  next(row: number): number
  id(row: number): number
  /** Returns a second, independent hash of the identity, to tell a re-observation from a collision. */
  check(row: number): number
  market(row: number): number
  line(row: number): number | null
  price(row: number): number
  isLive(row: number): boolean
  isActive(row: number): boolean
  isFiledByDraw(row: number): boolean
  isStalePregame(row: number): boolean
  changedAt(row: number): number
  observedAt(row: number): number
  details(row: number): number
  set(row: number, state: PriceState): void
  /** Notes that the observation numbered `stamp` named the row. */
  stamp(row: number, stamp: number): void
  stampOf(row: number): number
}

const live = 1
const active = 2
const byDraw = 4
const stalePregame = 8

export function createPriceTable(): PriceTable {
  const firstCapacity = 1_024
  let ids = new Float64Array(firstCapacity)
  let prices = new Float64Array(firstCapacity)
  let changed = new Float64Array(firstCapacity)
  let observed = new Float64Array(firstCapacity)
  let checks = new Int32Array(firstCapacity)
  let details = new Int32Array(firstCapacity)
  let stamps = new Float64Array(firstCapacity)
  let flags = new Uint8Array(firstCapacity)
  let markets = new Int32Array(firstCapacity)
  /** NaN for none. */
  let lines = new Float64Array(firstCapacity)
  const index = createIdIndex()
  const slots = createLinkedSlots(firstCapacity, (capacity) => {
    ids = grown(ids, capacity)
    prices = grown(prices, capacity)
    changed = grown(changed, capacity)
    observed = grown(observed, capacity)
    checks = grown(checks, capacity)
    details = grown(details, capacity)
    stamps = grown(stamps, capacity)
    flags = grown(flags, capacity)
    markets = grown(markets, capacity)
    lines = grown(lines, capacity)
  })

  return {
    get size() {
      return slots.size
    },
    find: index.find,
    insert(id, check, head, market, line) {
      const row = slots.take(head)
      ids[row] = id
      checks[row] = check
      markets[row] = market
      lines[row] = line ?? Number.NaN
      stamps[row] = 0
      flags[row] = 0
      index.insert(id, row)
      return row
    },
    remove(row, head) {
      index.remove(ids[row]!)
      return slots.free(row, head)
    },
    next: slots.next,
    id: (row) => ids[row]!,
    check: (row) => checks[row]!,
    market: (row) => markets[row]!,
    line: (row) => (Number.isNaN(lines[row]) ? null : lines[row]!),
    price: (row) => prices[row]!,
    isLive: (row) => (flags[row]! & live) !== 0,
    isActive: (row) => (flags[row]! & active) !== 0,
    isFiledByDraw: (row) => (flags[row]! & byDraw) !== 0,
    isStalePregame: (row) => (flags[row]! & stalePregame) !== 0,
    changedAt: (row) => changed[row]!,
    observedAt: (row) => observed[row]!,
    details: (row) => details[row]!,
    set(row, state) {
      prices[row] = state.price
      flags[row] =
        (state.isLive ? live : 0) |
        (state.isActive ? active : 0) |
        (state.isFiledByDraw ? byDraw : 0) |
        (state.isStalePregame ? stalePregame : 0)
      changed[row] = state.changedAt
      observed[row] = state.observedAt
      details[row] = state.details
    },
    stamp(row, stamp) {
      stamps[row] = stamp
    },
    stampOf: (row) => stamps[row]!,
  }
}
