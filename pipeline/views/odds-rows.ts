/**
 * The rows of the odds table, kept ready to send.
 *
 * Rows of one event and market form a **block**: their texts lie back to back in one extent of the
 * arena, in page order, so a page is a few copies of long runs. Beside the text, columns hold what
 * filters and comparisons need; no row is an object. `row-text.ts` has the text itself.
 */

import { createIdIndex } from '../id-index.ts'
import { invariant } from '../invariant.ts'
import {
  isoTime,
  lastSeenAtOffset,
  rowTail,
  stampLength,
  type TailValues,
  tailRoom,
  timestampOffset,
} from './row-text.ts'
import { createTextArena, type Extent } from './text-arena.ts'

/** One answer of a block, shared by the sportsbooks that offer it. Sides are in the event's frame. */
export interface Selection {
  readonly key: string
  readonly label: string
  readonly selectionType: string
  readonly line: number | null
  readonly playerName: string | null
  readonly statCategory: string | null
  rowCount: number
}

/** The rows of one event and market type. */
export interface Block {
  readonly marketType: string
  readonly selections: Map<string, Selection>
  /** Row numbers in page order; the first `count` count. */
  rows: Int32Array
  count: number
  extent: Extent | null
  usedBytes: number
}

/** A list of rows that are seen together: one sportsbook on one event. */
export interface Sighted {
  readonly book: number
  lastSeenAt: number
  /** First row of the list, or -1. */
  head: number
  rowCount: number
}

export interface OddsRows {
  readonly size: number
  readonly heldTextBytes: number
  find(id: number): number
  insert(
    id: number,
    block: Block,
    selection: Selection,
    sighted: Sighted,
    head: string,
    tail: TailValues,
    compareBooks: (a: number, b: number) => number,
  ): number
  /** Rewrites what moves. */
  update(row: number, tail: TailValues): void
  /** Rewrites what names the bet; the tail stays. */
  rename(row: number, head: string): void
  remove(row: number): void
  /** Writes a newer sighting into every row of the list. */
  sight(sighted: Sighted, lastSeenAt: number): void
  next(row: number): number
  id(row: number): number
  price(row: number): number
  changedAt(row: number): number | null
  isLive(row: number): boolean
  isActive(row: number): boolean
  block(row: number): Block
  selection(row: number): Selection
  sighted(row: number): Sighted
  /** Position in its block. */
  rank(row: number): number
  /** Copies the texts of `block.rows[from..to)` to `into`, each beginning with a comma. */
  copyText(block: Block, from: number, to: number, into: Buffer, at: number): number
  /** Bytes that `copyText` would write. */
  textBytes(block: Block, from: number, to: number): number
  /** The row as an object, as a client would parse it. */
  parse(row: number): Record<string, unknown>
}

const none = -1
const live = 1
const active = 2
const blank = 0x20

export function createBlock(marketType: string): Block {
  const rows = new Int32Array(4)
  return { marketType, selections: new Map(), rows, count: 0, extent: null, usedBytes: 0 }
}

export function createOddsRows(): OddsRows {
  const arena = createTextArena()
  const index = createIdIndex()
  let capacity = 1024
  let used = 0
  let size = 0
  let free = none
  let ids = new Float64Array(capacity)
  let prices = new Float64Array(capacity)
  let changed = new Float64Array(capacity)
  let slotAt = new Int32Array(capacity)
  let slotLength = new Uint16Array(capacity)
  let headLength = new Uint16Array(capacity)
  let textLength = new Uint16Array(capacity)
  let nexts = new Int32Array(capacity)
  let previous = new Int32Array(capacity)
  let flags = new Uint8Array(capacity)
  const blocks: Block[] = []
  const selections: Selection[] = []
  const sightings: Sighted[] = []
  const stamp = Buffer.alloc(stampLength)

  function grow() {
    capacity *= 2
    const grown = <T extends { set(from: T): void }>(from: T, Column: new (n: number) => T) => {
      const column = new Column(capacity)
      column.set(from)
      return column
    }
    ids = grown(ids, Float64Array)
    prices = grown(prices, Float64Array)
    changed = grown(changed, Float64Array)
    slotAt = grown(slotAt, Int32Array)
    slotLength = grown(slotLength, Uint16Array)
    headLength = grown(headLength, Uint16Array)
    textLength = grown(textLength, Uint16Array)
    nexts = grown(nexts, Int32Array)
    previous = grown(previous, Int32Array)
    flags = grown(flags, Uint8Array)
  }

  function setColumns(row: number, tail: TailValues) {
    prices[row] = tail.price
    changed[row] = tail.changedAt ?? Number.NaN
    flags[row] = (tail.isLive ? live : 0) | (tail.isActive ? active : 0)
  }

  /** Makes `bytes` more room at `position` of the block (fewer when negative) and moves what follows. */
  function shift(block: Block, position: number, bytes: number) {
    const { count, usedBytes } = block
    const at = position === count ? usedBytes : slotAt[block.rows[position]!]!
    const wanted = usedBytes + bytes
    const from = block.extent
    if (!from || wanted > from.capacity) {
      const to = arena.allocate(wanted)
      if (from) {
        from.chunk.copy(to.chunk, to.start, from.start, from.start + at)
        from.chunk.copy(to.chunk, to.start + at + bytes, from.start + at, from.start + usedBytes)
        arena.free(from)
      }
      block.extent = to
    } else {
      const start = from.start + at
      from.chunk.copyWithin(start + bytes, start, from.start + usedBytes)
    }
    block.usedBytes = wanted
    for (let i = position; i < count; i++) slotAt[block.rows[i]!]! += bytes
  }

  /** Where the row belongs, or stands: before the first row that orders after it. */
  function rankOf(block: Block, row: number, compareBooks: (a: number, b: number) => number) {
    let low = 0
    let high = block.count
    while (low < high) {
      const middle = (low + high) >> 1
      const other = block.rows[middle]!
      const order =
        compareSelections(selections[other]!, selections[row]!) ||
        compareBooks(sightings[other]!.book, sightings[row]!.book)
      if (order < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  function rank(row: number): number {
    const block = blocks[row]!
    let low = 0
    let high = block.count
    // Slots ascend with rank.
    while (low < high) {
      const middle = (low + high) >> 1
      if (slotAt[block.rows[middle]!]! < slotAt[row]!) low = middle + 1
      else high = middle
    }
    invariant(block.rows[low] === row, 'a row stands in its block')
    return low
  }

  /** Gives the slot at `position` at least `bytes`, padded to its end with blanks by the caller. */
  function widen(row: number, bytes: number) {
    const extra = align(bytes) - slotLength[row]!
    if (extra <= 0) return
    const block = blocks[row]!
    shift(block, rank(row) + 1, extra)
    slotLength[row]! += extra
  }

  function pad(row: number, from: number) {
    const { chunk, start } = blocks[row]!.extent!
    const slot = start + slotAt[row]!
    chunk.fill(blank, slot + from, slot + slotLength[row]!)
  }

  return {
    get size() {
      return size
    },
    get heldTextBytes() {
      return arena.heldBytes
    },
    find: index.find,

    insert(id, block, selection, sighted, head, tail, compareBooks) {
      let row = free
      if (row !== none) free = nexts[row]!
      else {
        if (used === capacity) grow()
        row = used++
      }
      size++
      ids[row] = id
      blocks[row] = block
      selections[row] = selection
      sightings[row] = sighted
      setColumns(row, tail)
      index.insert(id, row)

      nexts[row] = sighted.head
      previous[row] = none
      if (sighted.head !== none) previous[sighted.head] = row
      sighted.head = row
      sighted.rowCount++
      selection.rowCount++

      const tailText = rowTail(tail, sighted.lastSeenAt)
      const headBytes = Buffer.byteLength(head)
      const length = headBytes + tailText.length
      const slot = align(length + tailRoom(tail))
      invariant(slot < 0x10000, 'a row is shorter than 64 KiB')
      const position = rankOf(block, row, compareBooks)
      const at = position === block.count ? block.usedBytes : slotAt[block.rows[position]!]!
      shift(block, position, slot)
      if (block.count === block.rows.length) {
        const rows = new Int32Array(2 * block.count)
        rows.set(block.rows)
        block.rows = rows
      }
      block.rows.copyWithin(position + 1, position, block.count)
      block.rows[position] = row
      block.count++
      slotAt[row] = at
      slotLength[row] = slot
      headLength[row] = headBytes
      textLength[row] = length
      const { chunk, start } = block.extent!
      chunk.write(head, start + at)
      chunk.write(tailText, start + at + headBytes, 'latin1')
      pad(row, length)
      return row
    },

    update(row, tail) {
      setColumns(row, tail)
      const text = rowTail(tail, sightings[row]!.lastSeenAt)
      const before = textLength[row]!
      const length = headLength[row]! + text.length
      if (length > slotLength[row]!) {
        widen(row, length + tailRoom(tail))
        pad(row, length)
      }
      const { chunk, start } = blocks[row]!.extent!
      const slot = start + slotAt[row]!
      chunk.write(text, slot + headLength[row]!, 'latin1')
      if (length < before) chunk.fill(blank, slot + length, slot + before)
      textLength[row] = length
    },

    rename(row, head) {
      const { chunk, start } = blocks[row]!.extent!
      const slot = start + slotAt[row]!
      const tail = chunk.toString('latin1', slot + headLength[row]!, slot + textLength[row]!)
      const headBytes = Buffer.byteLength(head)
      const length = headBytes + tail.length
      widen(row, length)
      const to = blocks[row]!.extent!
      const at = to.start + slotAt[row]!
      to.chunk.write(head, at)
      to.chunk.write(tail, at + headBytes, 'latin1')
      headLength[row] = headBytes
      textLength[row] = length
      pad(row, length)
    },

    remove(row) {
      const block = blocks[row]!
      const position = rank(row)
      shift(block, position + 1, -slotLength[row]!)
      block.rows.copyWithin(position, position + 1, block.count)
      block.count--
      const selection = selections[row]!
      if (--selection.rowCount === 0) block.selections.delete(selection.key)
      if (block.count === 0 && block.extent) {
        arena.free(block.extent)
        block.extent = null
      }
      const sighted = sightings[row]!
      const [before, after] = [previous[row]!, nexts[row]!]
      if (before === none) sighted.head = after
      else nexts[before] = after
      if (after !== none) previous[after] = before
      sighted.rowCount--
      index.remove(ids[row]!)
      nexts[row] = free
      free = row
      size--
    },

    sight(sighted, lastSeenAt) {
      sighted.lastSeenAt = lastSeenAt
      stamp.write(isoTime(lastSeenAt), 0, 'latin1')
      for (let row = sighted.head; row !== none; row = nexts[row]!) {
        const { chunk, start } = blocks[row]!.extent!
        const seen = start + slotAt[row]! + headLength[row]! + lastSeenAtOffset
        const second = seen + (timestampOffset - lastSeenAtOffset)
        for (let i = 0; i < stampLength; i++) {
          chunk[seen + i] = stamp[i]!
          chunk[second + i] = stamp[i]!
        }
      }
    },

    next: (row) => nexts[row]!,
    id: (row) => ids[row]!,
    price: (row) => prices[row]!,
    changedAt: (row) => (Number.isNaN(changed[row]!) ? null : changed[row]!),
    isLive: (row) => (flags[row]! & live) !== 0,
    isActive: (row) => (flags[row]! & active) !== 0,
    block: (row) => blocks[row]!,
    selection: (row) => selections[row]!,
    sighted: (row) => sightings[row]!,
    rank,

    copyText(block, from, to, into, at) {
      if (from === to) return at
      const { chunk, start } = block.extent!
      const last = block.rows[to - 1]!
      return (
        at +
        chunk.copy(
          into,
          at,
          start + slotAt[block.rows[from]!]!,
          start + slotAt[last]! + slotLength[last]!,
        )
      )
    },
    textBytes(block, from, to) {
      if (from === to) return 0
      const last = block.rows[to - 1]!
      return slotAt[last]! + slotLength[last]! - slotAt[block.rows[from]!]!
    },
    parse(row) {
      const { chunk, start } = blocks[row]!.extent!
      const slot = start + slotAt[row]!
      return JSON.parse(chunk.toString('utf8', slot + 1, slot + textLength[row]!))
    },
  }
}

/** Slots are multiples of 8 bytes. */
const align = (bytes: number) => (bytes + 7) & ~7

const typeRank: Readonly<Record<string, number>> = {
  home: 0,
  over: 0,
  yes: 0,
  odd: 0,
  away: 1,
  under: 1,
  no: 1,
  even: 1,
  draw: 2,
}

/** What orders selections. */
export type SelectionOrder = Pick<Selection, 'playerName' | 'line' | 'selectionType' | 'label'>

/** Page order inside a block: player, line, then home/over, away/under, draw, the rest by name. */
export function compareSelections(a: SelectionOrder, b: SelectionOrder): number {
  if (a === b) return 0
  return (
    compareTexts(a.playerName ?? '', b.playerName ?? '') ||
    (a.line ?? Number.NEGATIVE_INFINITY) - (b.line ?? Number.NEGATIVE_INFINITY) ||
    (typeRank[a.selectionType] ?? 3) - (typeRank[b.selectionType] ?? 3) ||
    compareTexts(a.selectionType, b.selectionType) ||
    compareTexts(a.label, b.label)
  )
}

/** By code unit: the same on every machine, whatever its locale. */
export const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
