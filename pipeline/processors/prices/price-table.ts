/**
 * The board's memory of the odds table: what is needed to decide whether an observation changes a
 * row, in typed columns, about 80 bytes a row. The rows themselves are on the changelog.
 *
 * Rows hang on their offer (one sportsbook on one event) as a linked list, so that a snapshot can
 * find what it no longer names.
 */

import { createIdIndex } from '../../memory/id-index.ts'

const none = -1

/** What of a row decides whether it changed. */
export interface PriceState {
  readonly price: number
  readonly isLive: boolean
  readonly isActive: boolean
  /** Epoch ms; NaN when not known. */
  readonly changedAt: number
  /** A hash of the descriptive members: label, limit, ids at the sportsbook, link. */
  readonly details: number
}

export interface PriceTable {
  readonly size: number
  /** The row with this id, or -1. */
  find(id: number): number
  /** Adds a row under the offer whose list starts at `head`; returns the row, the new head. */
  insert(id: number, check: number, head: number): number
  /** Unlinks and frees the row; returns the offer's head afterwards (-1: none left). */
  remove(row: number, head: number): number
  /** The next row of the same offer, or -1. */
  next(row: number): number
  id(row: number): number
  /** Second, independent hash of the identity, to tell a re-observation from a collision. */
  check(row: number): number
  price(row: number): number
  isLive(row: number): boolean
  isActive(row: number): boolean
  changedAt(row: number): number
  details(row: number): number
  set(row: number, state: PriceState): void
  /** Notes that the observation numbered `stamp` named the row. */
  stamp(row: number, stamp: number): void
  stampOf(row: number): number
}

const live = 1
const active = 2

export function createPriceTable(): PriceTable {
  let capacity = 1024
  let used = 0
  let size = 0
  let free = none
  let ids = new Float64Array(capacity)
  let prices = new Float64Array(capacity)
  let changed = new Float64Array(capacity)
  let checks = new Int32Array(capacity)
  let details = new Int32Array(capacity)
  let stamps = new Float64Array(capacity)
  let nexts = new Int32Array(capacity)
  let previous = new Int32Array(capacity)
  let flags = new Uint8Array(capacity)

  const index = createIdIndex()

  function grow() {
    capacity *= 2
    ids = grown(ids, Float64Array)
    prices = grown(prices, Float64Array)
    changed = grown(changed, Float64Array)
    checks = grown(checks, Int32Array)
    details = grown(details, Int32Array)
    stamps = grown(stamps, Float64Array)
    nexts = grown(nexts, Int32Array)
    previous = grown(previous, Int32Array)
    flags = grown(flags, Uint8Array)
  }

  function grown<T extends { set(from: T): void }>(from: T, Column: new (length: number) => T): T {
    const column = new Column(capacity)
    column.set(from)
    return column
  }

  return {
    get size() {
      return size
    },
    find: index.find,
    insert(id, check, head) {
      let row = free
      if (row !== none) {
        free = nexts[row]!
      } else {
        if (used === capacity) grow()
        row = used++
      }
      size++
      ids[row] = id
      checks[row] = check
      stamps[row] = 0
      nexts[row] = head
      previous[row] = none
      if (head !== none) previous[head] = row
      index.insert(id, row)
      return row
    },
    remove(row, head) {
      index.remove(ids[row]!)
      const before = previous[row]!
      const after = nexts[row]!
      if (before !== none) nexts[before] = after
      if (after !== none) previous[after] = before
      nexts[row] = free
      free = row
      size--
      return before === none ? after : head
    },
    next: (row) => nexts[row]!,
    id: (row) => ids[row]!,
    check: (row) => checks[row]!,
    price: (row) => prices[row]!,
    isLive: (row) => (flags[row]! & live) !== 0,
    isActive: (row) => (flags[row]! & active) !== 0,
    changedAt: (row) => changed[row]!,
    details: (row) => details[row]!,
    set(row, state) {
      prices[row] = state.price
      flags[row] = (state.isLive ? live : 0) | (state.isActive ? active : 0)
      changed[row] = state.changedAt
      details[row] = state.details
    },
    stamp(row, stamp) {
      stamps[row] = stamp
    },
    stampOf: (row) => stamps[row]!,
  }
}
