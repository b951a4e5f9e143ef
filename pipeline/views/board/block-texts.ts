/**
 * The texts of the rows. The texts of a block lie back to back in one extent of the arena, in page order, so a page
 * is a few copies of long runs. Each has a **slot**: its text and the blanks after it, so that it
 * can be rewritten in place. The length of a slot depends only on the row's current values, not on
 * earlier values or on when it was written, so two views of the same rows send the same bytes.
 * `row-text.ts` has the format of a text.
 *
 * The texts of a block are written at the first request for one of them (`write`). From then on the
 * block has an extent, until its last row is removed. The text of a row that changes is **outdated**
 * until the next request (`refresh`), so that changes between two requests cost one text. For rows without a
 * text, or with an outdated one, only the attributes are kept here.
 */

import { invariant } from '../../invariant.ts'
import { createTextArena } from '../../memory/text-arena.ts'
import { wordsHash } from '../../memory/words-hash.ts'
import { stampLength, writeTime } from '../../text/iso-time.ts'
import { type PageBuffer, reserve } from '../../text/page-buffer.ts'
import type { Block, Sighted } from './block.ts'
import type { RowOrder } from './row-order.ts'
import {
  headHashWord,
  headLengthHalf,
  nextWord,
  none,
  type RowRecords,
  slotAtWord,
  slotLengthWord,
  textLengthHalf,
} from './row-records.ts'
import { activeBit, liveBit, type RowTable } from './row-table.ts'
import {
  attributesText,
  lastSeenAtOffset,
  type MovingValues,
  rewriteActive,
  rewriteTail,
  type TailValues,
  tailLength,
  tailRoom,
  timestampOffset,
  withReason,
  writeTail,
} from './row-text.ts'

/** Returns the `rowHead` of each of these rows, which must exist. */
export type HeadsOf = (rows: readonly number[]) => readonly string[]

/** The texts of the blocks. Unless noted, the methods apply to merged rows of blocks that have texts. */
export interface BlockTexts {
  readonly heldBytes: number
  /** Writes the texts of blocks that have none. The blocks must have no pending rows. */
  write(blocks: readonly Block[]): void
  /** Merges sorted pending rows and their texts. */
  merge(block: Block): void
  /** Notes the attributes of a new row: the table has no column for them. */
  note(row: number, tail: TailValues): void
  /** Notes the new attributes of a row, with a text or without. The text is outdated until `refresh`. */
  update(row: number, tail: TailValues): void
  /** Rewrites the outdated tails. */
  refresh(block: Block): void
  /** Rewrites `is_active` with the value in the table, unless the tail is outdated. */
  updateActive(row: number): void
  /**
   * Rewrites the reason for withholding the price, for rows with or without a text.
   * @param before the reason in the current text
   */
  judge(row: number, before: number, reason: number): void
  /** Rewrites the head, from `headsOf`; the tail, which is not outdated, stays. */
  rename(row: number): void
  /** Removes the text of the row at `position`, before the row itself is removed. */
  remove(block: Block, position: number): void
  /** Frees the room of a block that has no rows left. */
  drop(block: Block): void
  /** Writes a sighting into the rows of the list that have a text. */
  sight(list: Sighted, lastSeenAt: number): void
  /** See `OddsRows`. */
  copyText(block: Block, from: number, to: number, into: Buffer, at: number): number
  copyRows(rows: Int32Array, count: number, into: PageBuffer): void
  copyTail(row: number, into: Buffer, at: number): number
  tailBytes(row: number): number
  textBytes(block: Block, from: number, to: number): number
  parse(row: number): Record<string, unknown>
}

/** Initial size of the buffer for texts that have no place yet. */
const stagedBytes = 256 * 1024

const blank = 0x20

/** @param headsOf called when texts are written, some time after the rows came */
export function createBlockTexts(
  records: RowRecords,
  table: Pick<RowTable<Block, Sighted>, 'block' | 'sighted' | 'price' | 'bits'>,
  order: RowOrder,
  headsOf: HeadsOf,
): BlockTexts {
  const { word, setWord, half, setHalf, changedAt } = records
  const { block: blockOf, sighted } = table
  const arena = createTextArena()
  /** The attributes part of the tails, for rows whose tails are not written or outdated; else empty. */
  const attributeTexts: string[] = []
  /** Texts that have no place yet, back to back. Their records hold the positions. */
  let staged = Buffer.allocUnsafeSlow(stagedBytes)
  let stagedWords = new Int32Array(staged.buffer)
  let stagedEnd = 0
  const stamp = Buffer.alloc(stampLength)

  function movingValues(row: number): MovingValues {
    const bits = table.bits(row)
    return {
      price: table.price(row),
      changedAt: changedAt(row),
      isLive: (bits & liveBit) !== 0,
      isActive: (bits & activeBit) !== 0,
    }
  }

  function note(row: number, tail: TailValues) {
    attributeTexts[row] = attributesText(tail)
  }

  /** Appends the text of a row to the staged ones. */
  function stage(row: number, head: string) {
    const attributes = attributeTexts[row]!
    attributeTexts[row] = written
    const tail = movingValues(row)
    const tailBytes = tailLength(tail, attributes)
    const room = tailRoom(tail.price, attributes.length)
    const most = align(stagedEnd + 3 * head.length + room)
    if (most > staged.length) {
      const longer = Buffer.allocUnsafeSlow(2 * most)
      staged.copy(longer, 0, 0, stagedEnd)
      staged = longer
      stagedWords = new Int32Array(staged.buffer)
    }
    const headBytes = staged.write(head, stagedEnd)
    writeTail(tail, attributes, sighted(row).lastSeenAt, staged, stagedEnd + headBytes)
    const length = headBytes + tailBytes
    const slot = align(headBytes + room)
    invariant(slot < 0x10000, 'a row is shorter than 64 KiB')
    staged.fill(blank, stagedEnd + length, stagedEnd + slot)
    setWord(row, slotAtWord, stagedEnd)
    setWord(row, slotLengthWord, slot)
    setWord(row, headHashWord, wordsHash(stagedWords, stagedEnd >> 2, headBytes))
    setHalf(row, headLengthHalf, headBytes)
    setHalf(row, textLengthHalf, length)
    stagedEnd += slot
  }

  /** Reserves this many bytes for the block, at any place. */
  function reserveExtent(block: Block, bytes: number) {
    const from = block.extent
    if (from && bytes <= from.capacity) return
    const to = arena.allocate(bytes)
    if (from) {
      from.chunk.copy(to.chunk, to.start, from.start, from.start + block.usedBytes)
      arena.free(from)
    }
    block.extent = to
  }

  function moveSlot(row: number, bytes: number) {
    setWord(row, slotAtWord, word(row, slotAtWord) + bytes)
  }

  /**
   * Makes room for `bytes` more bytes before the row at `position` (a negative number removes as
   * many), and moves all texts from there on.
   */
  function shift(block: Block, position: number, bytes: number) {
    const { count, usedBytes } = block
    const at = position === count ? usedBytes : word(block.rows[position]!, slotAtWord)
    reserveExtent(block, usedBytes + bytes)
    const { chunk, start } = block.extent!
    chunk.copyWithin(start + at + bytes, start + at, start + usedBytes)
    block.usedBytes = usedBytes + bytes
    for (let i = position; i < count; i++) moveSlot(block.rows[i]!, bytes)
  }

  /**
   * Changes the length of the row's slot. A longer slot ends in old bytes, which the caller
   * overwrites; a shorter one has lost the end of its text.
   * @param bytes the length of the head and of the room for its tail
   * @returns whether the length changed
   */
  function resize(row: number, bytes: number): boolean {
    const slot = align(bytes)
    const extra = slot - word(row, slotLengthWord)
    if (extra === 0) return false
    invariant(slot < 0x10000, 'a row is shorter than 64 KiB')
    const block = blockOf(row)
    shift(block, order.rank(block, row) + 1, extra)
    setWord(row, slotLengthWord, slot)
    return true
  }

  function pad(row: number, from: number) {
    const { chunk, start } = blockOf(row).extent!
    const slot = start + word(row, slotAtWord)
    chunk.fill(blank, slot + from, slot + word(row, slotLengthWord))
  }

  /** Rewrites the moving parts of a row that has a text. */
  function rewrite(row: number, tail: MovingValues, attributeText: string) {
    const before = half(row, textLengthHalf)
    const head = half(row, headLengthHalf)
    const length = head + tailLength(tail, attributeText)
    const isResized = resize(row, head + tailRoom(tail.price, attributeText.length))
    const { chunk, start } = blockOf(row).extent!
    const slot = start + word(row, slotAtWord)
    rewriteTail(tail, attributeText, chunk, slot + head)
    if (isResized) pad(row, length)
    else if (length < before) chunk.fill(blank, slot + length, slot + before)
    setHalf(row, textLengthHalf, length)
  }

  return {
    get heldBytes() {
      return arena.heldBytes
    },

    write(blocks) {
      const heads = headsOf(blocks.flatMap(({ rows, count }) => [...rows.subarray(0, count)]))
      let next = 0
      for (const block of blocks) {
        stagedEnd = 0
        for (let i = 0; i < block.count; i++) stage(block.rows[i]!, heads[next++]!)
        reserveExtent(block, stagedEnd)
        const { chunk, start } = block.extent!
        staged.copy(chunk, start, 0, stagedEnd)
        block.usedBytes = stagedEnd
      }
    },

    merge(block) {
      const { pending, rows } = block
      const heads = headsOf(pending)
      stagedEnd = 0
      for (const [i, row] of pending.entries()) stage(row, heads[i]!)
      const bytes = block.usedBytes + stagedEnd
      reserveExtent(block, bytes)
      const { chunk, start } = block.extent!
      // From the back, so that nothing is overwritten before it has moved.
      let from = block.usedBytes
      let to = bytes
      order.merge(block, (row, place, stay) => {
        if (place < stay) {
          const at = word(rows[place]!, slotAtWord)
          const by = to - from
          chunk.copyWithin(start + at + by, start + at, start + from)
          for (let i = place; i < stay; i++) moveSlot(rows[i]!, by)
          from = at
          to = at + by
        }
        const length = word(row, slotLengthWord)
        const at = word(row, slotAtWord)
        to -= length
        staged.copy(chunk, start + to, at, at + length)
        setWord(row, slotAtWord, to)
      })
      block.usedBytes = bytes
    },

    note,

    update(row, tail) {
      if (attributeTexts[row] === written) blockOf(row).outdated.push(row)
      note(row, tail)
    },

    refresh({ outdated }) {
      for (let i = 0; i < outdated.length; i++) {
        const row = outdated[i]!
        rewrite(row, movingValues(row), attributeTexts[row]!)
        attributeTexts[row] = written
      }
      outdated.length = 0
    },

    updateActive(row) {
      if (attributeTexts[row] !== written) return
      const length = half(row, textLengthHalf)
      // A slot has room for both states.
      const { chunk, start } = blockOf(row).extent!
      const slot = start + word(row, slotAtWord)
      const values = movingValues(row)
      const tail = { at: slot + half(row, headLengthHalf), end: slot + length }
      const by = rewriteActive(values, values.isActive, chunk, tail)
      setHalf(row, textLengthHalf, length + by)
      if (by < 0) chunk.fill(blank, slot + length + by, slot + length)
    },

    judge(row, before, reason) {
      const noted = attributeTexts[row]!
      if (noted !== written) {
        attributeTexts[row] = withReason(noted, before, reason)
        return
      }
      const values = movingValues(row)
      const { chunk, start } = blockOf(row).extent!
      const slot = start + word(row, slotAtWord)
      const from = slot + half(row, headLengthHalf) + tailLength(values, '')
      const said = chunk.toString('latin1', from, slot + half(row, textLengthHalf))
      rewrite(row, values, withReason(said, before, reason))
    },

    rename(row) {
      const head = headsOf([row])[0]!
      const { chunk, start } = blockOf(row).extent!
      const slot = start + word(row, slotAtWord)
      const tail = chunk.toString(
        'latin1',
        slot + half(row, headLengthHalf),
        slot + half(row, textLengthHalf),
      )
      const headBytes = Buffer.byteLength(head)
      const length = headBytes + tail.length
      const values = movingValues(row)
      resize(row, headBytes + tailRoom(values.price, tail.length - tailLength(values, '')))
      const to = blockOf(row).extent!
      const at = to.start + word(row, slotAtWord)
      to.chunk.write(head, at)
      to.chunk.write(tail, at + headBytes, 'latin1')
      setHalf(row, headLengthHalf, headBytes)
      const headWords = new Int32Array(
        to.chunk.buffer,
        to.chunk.byteOffset + at,
        (headBytes + 3) >> 2,
      )
      setWord(row, headHashWord, wordsHash(headWords, 0, headBytes))
      setHalf(row, textLengthHalf, length)
      pad(row, length)
    },

    remove(block, position) {
      const row = block.rows[position]!
      const { outdated } = block
      if (attributeTexts[row] !== written) outdated.splice(outdated.indexOf(row), 1)
      shift(block, position + 1, -word(row, slotLengthWord))
    },

    drop(block) {
      arena.free(block.extent!)
      block.extent = null
      block.usedBytes = 0
    },

    sight(list, lastSeenAt) {
      writeTime(lastSeenAt, stamp, 0)
      for (let row = list.head; row !== none; row = word(row, nextWord)) {
        const { extent } = blockOf(row)
        if (!extent) continue
        const { chunk, start } = extent
        const seen = start + word(row, slotAtWord) + half(row, headLengthHalf) + lastSeenAtOffset
        const second = seen + (timestampOffset - lastSeenAtOffset)
        for (let i = 0; i < stampLength; i++) {
          chunk[seen + i] = stamp[i]!
          chunk[second + i] = stamp[i]!
        }
      }
    },

    copyText(block, from, to, into, at) {
      const { chunk, start } = block.extent!
      const first = block.rows[from]!
      const last = block.rows[to - 1]!
      const end = start + word(last, slotAtWord) + word(last, slotLengthWord)
      return at + chunk.copy(into, at, start + word(first, slotAtWord), end)
    },
    copyRows(rows, count, into) {
      for (let i = 0; i < count; ) {
        const row = rows[i]!
        const block = blockOf(row)
        const from = word(row, slotAtWord)
        let end = from + word(row, slotLengthWord)
        while (++i < count) {
          const next = rows[i]!
          if (word(next, slotAtWord) !== end || blockOf(next) !== block) break
          end += word(next, slotLengthWord)
        }
        const { memory, chunk, start } = block.extent!
        const bytes = end - from
        reserve(into, bytes)
        // `Buffer.copy` makes the same view, and its checks take a third longer.
        const run = new Uint8Array(memory, chunk.byteOffset + start + from, bytes)
        into.bytes.set(run, into.length)
        into.length += bytes
      }
    },
    copyTail(row, into, at) {
      const { chunk, start } = blockOf(row).extent!
      const slot = start + word(row, slotAtWord)
      const [head, end] = [half(row, headLengthHalf), half(row, textLengthHalf)]
      return at + chunk.copy(into, at, slot + head, slot + end)
    },
    tailBytes: (row) => half(row, textLengthHalf) - half(row, headLengthHalf),
    textBytes(block, from, to) {
      const last = block.rows[to - 1]!
      return (
        word(last, slotAtWord) + word(last, slotLengthWord) - word(block.rows[from]!, slotAtWord)
      )
    },
    parse(row) {
      const { chunk, start } = blockOf(row).extent!
      const slot = start + word(row, slotAtWord)
      return JSON.parse(chunk.toString('utf8', slot + 1, slot + half(row, textLengthHalf)))
    },
  }
}

/** In place of the attributes of a row whose tail is written. */
const written = ''

/** Slots are multiples of 8 bytes. */
const align = (bytes: number) => (bytes + 7) & ~7
