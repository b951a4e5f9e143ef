/**
 * The rows of the odds table, kept ready to send.
 *
 * Rows of one event and market form a **block**: their texts lie back to back in one extent of the
 * arena, in page order, so a page is a few copies of long runs. Beside the text, columns hold what
 * filters go through for very many rows, and a record of 64 bytes, one line of the processor's cache,
 * what a change of one row needs; no row is an object. `row-text.ts` has the text itself.
 *
 * The texts of a block are **written** when somebody first asks for one of them, or with `writeSome`:
 * most of what a row costs when it comes is its text, and a board that is read from its log is needed
 * before anybody can have asked for all of it. When they were written shows in blanks alone, and so in tags.
 */

import {
  attributes,
  type KeptAttribute,
  keptAttributes,
  noAttributes,
  shownAttributes,
} from '../../../schemas/attributes.ts'
import { memoise } from '../../../schemas/memoise.ts'
import type { OddsRow } from '../../../schemas/odds.ts'
import { invariant } from '../../invariant.ts'
import { bisect } from '../../memory/bisect.ts'
import { compileHash, compileLoop } from '../../memory/compiled-members.ts'
import type { ContentHash } from '../../memory/content-hash.ts'
import { grown } from '../../memory/grown.ts'
import { createIdIndex } from '../../memory/id-index.ts'
import { createNumbered } from '../../memory/numbered.ts'
import { createTextArena, type Extent } from '../../memory/text-arena.ts'
import { wordsHash } from '../../memory/words-hash.ts'
import { stampLength, writeTime } from '../../text/iso-time.ts'
import {
  type Block,
  compareSelections,
  type Selection,
  type Sighted,
  selectionPlace,
} from './block.ts'
import { createLadders, type LadderColumns } from './ladders.ts'
import {
  attributesText,
  goneText,
  lastSeenAtOffset,
  rewriteActive,
  rewriteTail,
  type TailValues,
  tailLength,
  tailRoom,
  timestampOffset,
  writeTail,
} from './row-text.ts'

/**
 * What the rows say, by row number, for a look at very many of them: going through a column from its
 * beginning is far cheaper than going through blocks. Good until the next change. A row number that
 * is not in use has the list 0.
 */
export interface RowColumns<List extends Sighted = Sighted> {
  /** Row numbers end here. */
  readonly end: number
  readonly prices: Float64Array
  /** Bits: `liveBit`, `activeBit`. */
  readonly flags: Uint8Array
  /** Numbers of the lists rows are seen in, and of their selections. */
  readonly lists: Int32Array
  readonly selections: Int32Array
  /** What the numbers of lists stand for; some stand for nothing now. */
  readonly listOf: readonly (List | undefined)[]
  /** Numbers of selections end here. */
  readonly selectionEnd: number
  /** Numbers of blocks and market types, by selection. */
  readonly blocks: Int32Array
  readonly markets: Uint16Array
}

/** What a sportsbook states of a price that rows do not show: what it calls it, for links to it. */
export type SourceIds = Pick<OddsRow, KeptAttribute>

/** The rows of a board whose blocks and lists are of these types. */
export interface OddsRows<Market extends Block = Block, List extends Sighted = Sighted> {
  readonly size: number
  readonly heldTextBytes: number
  find(id: number): number
  /** Pages and `block.rows` have the row after `settle`. */
  insert(
    id: number,
    block: Market,
    selection: Selection,
    list: List,
    statCategory: string | null,
    tail: TailValues,
  ): number
  /** Puts inserted rows in their places, many at once: each text of a block moves no more than once. */
  settle(): void
  /**
   * Writes texts that nobody has asked for yet, of about so many rows.
   * @returns whether there are more
   */
  writeSome(rows: number): boolean
  /** Rewrites what moves. */
  update(row: number, tail: TailValues & SourceIds): void
  /**
   * Shows an active row as inactive, or such a row as active again; what its sportsbook states stays
   * known. `update` shows what is stated again.
   * @returns whether that changed what the row shows
   */
  withhold(row: number, isWithheld: boolean): boolean
  /** What names the bet has changed: it is asked for anew; the tail stays. */
  rename(row: number): void
  remove(row: number): void
  /** Writes a newer sighting into every row of the list. */
  sight(list: List, lastSeenAt: number): void
  next(row: number): number
  id(row: number): number
  price(row: number): number
  changedAt(row: number): number | null
  isLive(row: number): boolean
  isActive(row: number): boolean
  /** Both as bits: `liveBit`, `activeBit`. */
  state(row: number): number
  /**
   * The attributes that the row once had and has not now, as members that are null, each followed by a
   * comma: who merges what moves must be told.
   */
  goneText(row: number): string
  block(row: number): Market
  selection(row: number): Selection
  sighted(row: number): List
  /** Each sportsbook names the category its own way. */
  statCategory(row: number): string | null
  source(row: number): SourceIds
  /** Position in its block. */
  rank(row: number): number
  /** Copies the texts of `block.rows[from..to)` to `into`, each beginning with a comma. */
  copyText(block: Market, from: number, to: number, into: Buffer, at: number): number
  /** Copies what moves of a row, from `"last_seen_at"` to its closing brace. */
  copyTail(row: number, into: Buffer, at: number): number
  /** Bytes that `copyTail` would write. */
  tailBytes(row: number): number
  /** Bytes that `copyText` would write. */
  textBytes(block: Market, from: number, to: number): number
  /** Adds what decides the row's bytes, `last_seen_at` aside, which is its list's. */
  addContent(row: number, to: ContentHash): void
  /** The row as an object, as a client would parse it. */
  parse(row: number): Record<string, unknown>
  readonly columns: RowColumns<List>
  readonly ladders: LadderColumns
  /** What the numbers of blocks stand for; some stand for nothing now. */
  readonly blocks: readonly (Market | undefined)[]
  /** The number that columns have for a market type; undefined when it has never been seen. */
  market(marketType: string): number | undefined
}

/** Room for texts at first; they are put together there before they have a place. */
const stagedBytes = 256 * 1024

/** Price, time of change, and the attributes shown. */
const tailNumbers = new Float64Array(2 + shownAttributes.length)
const tailWords = new Int32Array(tailNumbers.buffer)

/** Puts the attributes shown among the numbers above. @returns a bit for each that is stated */
const noteAttributes = compileLoop<(row: TailValues) => number>(
  shownAttributes,
  {
    before: 'let stated = 0',
    step: (value, at) =>
      `numbers[${2 + at}] = ${value} === null ? NaN : +${value}
       if (${value} !== null) stated |= ${1 << at}`,
    after: 'return stated',
  },
  { numbers: tailNumbers },
)

/**
 * Where things stand in a row's record: `words` of four bytes, doubles of two words, halves of half a
 * word. What is read of very many rows at once has a column of its own as well.
 */
const recordWords = 16
const recordDoubles = recordWords / 2
const recordHalves = 2 * recordWords
const idDouble = 0
const changedDouble = 1
/** A hash of the tail in two words, and one of the head. */
const tailHashWord = 4
const headHashWord = 6
const slotAtWord = 7
const slotLengthWord = 8
const headLengthHalf = 18
const textLengthHalf = 19
/** The shown attributes that the row states, a bit each, and those it stated once and does not now. */
const statedHalf = 20
const lostHalf = 21
const nextWord = 11
const previousWord = 12
const listWord = 13
const selectionWord = 14
/** A hash of its source ids. */
const sourceWord = 15

const none = -1
export const liveBit = 1
export const activeBit = 2
/** The row is stated as active and shown as inactive. */
const withheldBit = 4
/** What being withheld does to the hash of a tail. */
const withheldHash = 0x5bd1e995
const blank = 0x20

invariant(shownAttributes.length <= 16, 'a record has a bit for each attribute that rows show')

/** What names the bets of rows that are there: `rowHead` of each. */
export type HeadsOf = (rows: readonly number[]) => readonly string[]

/**
 * @param compareBooks page order of sportsbooks, by number
 * @param headsOf asked when texts are written, some time after the rows came
 */
export function createOddsRows<Market extends Block, List extends Sighted>(
  compareBooks: (a: number, b: number) => number,
  headsOf: HeadsOf,
): OddsRows<Market, List> {
  const arena = createTextArena()
  const index = createIdIndex()
  let capacity = 1024
  let used = 0
  let size = 0
  let free = none
  let words = new Int32Array(recordWords * capacity)
  let doubles = new Float64Array(words.buffer)
  let halves = new Uint16Array(words.buffer)
  let prices = new Float64Array(capacity)
  let flags = new Uint8Array(capacity)
  let selectionOf = new Int32Array(capacity)
  let listOf = new Int32Array(capacity)
  const blocks: Market[] = []
  const selections = createNumbered<Selection>()
  const lists = createNumbered<List>()
  const ladders = createLadders()
  const marketNumbers = new Map<string, number>()
  let marketOf = new Uint16Array(capacity)
  let blockOf = new Int32Array(capacity)
  const numberedBlocks = createNumbered<Market>()
  const categories: (string | null)[] = []
  /** What tails say of attributes, of rows that are not written. */
  const attributeTexts: string[] = []
  const sources = keptAttributes.map((name) => ({
    name,
    // What the market states, its rows have in common.
    isShared: !('selection' in attributes[name].statedBy),
    values: [] as SourceIds[KeptAttribute][],
  }))
  /** Blocks that may have pending rows. */
  let unsettled: Market[] = []
  /** Blocks that may not be written, from `nextUnwritten` on. */
  let unwritten: Market[] = []
  let nextUnwritten = 0
  /** Texts that have no place yet, one after the other; their records say where. */
  let staged = Buffer.allocUnsafeSlow(stagedBytes)
  let stagedWords = new Int32Array(staged.buffer)
  let stagedEnd = 0
  const stamp = Buffer.alloc(stampLength)

  function grow() {
    capacity *= 2
    words = grown(words, recordWords * capacity)
    doubles = new Float64Array(words.buffer)
    halves = new Uint16Array(words.buffer)
    prices = grown(prices, capacity)
    flags = grown(flags, capacity)
    selectionOf = grown(selectionOf, capacity)
    listOf = grown(listOf, capacity)
  }

  function setColumns(row: number, tail: TailValues) {
    prices[row] = tail.price
    doubles[recordDoubles * row + changedDouble] = tail.changedAt ?? Number.NaN
    const state = (tail.isLive ? liveBit : 0) | (tail.isActive ? activeBit : 0)
    flags[row] = state
    tailNumbers[0] = tail.price
    tailNumbers[1] = tail.changedAt ?? -1
    const stated = noteAttributes(tail)
    const record = recordHalves * row
    halves[record + lostHalf] =
      (halves[record + statedHalf]! | halves[record + lostHalf]!) & ~stated
    halves[record + statedHalf] = stated
    let a = state
    let b = 0
    // Not `for of`: an iterator per price would cost more than the mixing.
    for (let i = 0; i < tailWords.length; i++) {
      const word = tailWords[i]!
      a = Math.imul(a ^ word, 0xcc9e2d51)
      a = (a << 15) | (a >>> 17)
      b = Math.imul(b + word, 0x1b873593) ^ a
      b = (b << 13) | (b >>> 19)
    }
    words[recordWords * row + tailHashWord] = a
    words[recordWords * row + tailHashWord + 1] = b
  }

  function moveSlot(row: number, bytes: number) {
    words[recordWords * row + slotAtWord]! += bytes
  }

  function setSource(row: number, source: SourceIds) {
    setWord(row, sourceWord, sourceHash(source))
    for (const { name, isShared, values } of sources) {
      const value = source[name]
      values[row] = isShared && typeof value === 'string' ? oneText(value) : value
    }
  }

  const word = (row: number, at: number) => words[recordWords * row + at]!
  function setWord(row: number, at: number, value: number) {
    words[recordWords * row + at] = value
  }

  const half = (row: number, at: number) => halves[recordHalves * row + at]!
  function setHalf(row: number, at: number, value: number) {
    halves[recordHalves * row + at] = value
  }

  function reserve(block: Block, bytes: number) {
    const from = block.extent
    if (from && bytes <= from.capacity) return
    const to = arena.allocate(bytes)
    if (from) {
      from.chunk.copy(to.chunk, to.start, from.start, from.start + block.usedBytes)
      arena.free(from)
    }
    block.extent = to
  }

  /** Makes `bytes` more room at `position` of the block (fewer when negative) and moves what follows. */
  function shift(block: Block, position: number, bytes: number) {
    const { count, usedBytes } = block
    const at = position === count ? usedBytes : word(block.rows[position]!, slotAtWord)
    reserve(block, usedBytes + bytes)
    const { chunk, start } = block.extent!
    chunk.copyWithin(start + at + bytes, start + at, start + usedBytes)
    block.usedBytes = usedBytes + bytes
    for (let i = position; i < count; i++) moveSlot(block.rows[i]!, bytes)
  }

  const selection = (row: number) => selections.of[word(row, selectionWord)]!
  const sighted = (row: number) => lists.of[word(row, listWord)]!

  const compareRows = (a: number, b: number) =>
    compareSelections(selection(a), selection(b)) || compareBooks(sighted(a).book, sighted(b).book)

  /** Where the row belongs among the first `count` rows of the block. */
  function placeOf(block: Block, row: number, count: number) {
    return bisect(0, count, (at) => compareRows(block.rows[at]!, row) < 0)
  }

  function addSelection(block: Market, added: Selection) {
    const { marketType } = block
    if (block.number === 0) numberedBlocks.add(block)
    selections.add(added)
    ladders.renew(block, added)
    let market = marketNumbers.get(marketType)
    if (market === undefined) {
      market = marketNumbers.size
      invariant(market < 0x10000, 'there are not so many market types')
      marketNumbers.set(marketType, market)
    }
    if (added.number >= marketOf.length) {
      marketOf = grown(marketOf, 2 * added.number)
      blockOf = grown(blockOf, 2 * added.number)
    }
    marketOf[added.number] = market
    blockOf[added.number] = block.number
  }

  /** Puts the text of a row behind those that are staged. */
  function stage(row: number, head: string) {
    const attributes = attributeTexts[row]!
    attributeTexts[row] = noAttributesText
    const changedAt = doubles[recordDoubles * row + changedDouble]!
    const tail = {
      price: prices[row]!,
      changedAt: Number.isNaN(changedAt) ? null : changedAt,
      isLive: (flags[row]! & liveBit) !== 0,
      isActive: (flags[row]! & activeBit) !== 0,
    }
    const tailBytes = tailLength(tail, attributes)
    const most = stagedEnd + 3 * head.length + tailBytes + 64
    if (most > staged.length) {
      const longer = Buffer.allocUnsafeSlow(2 * align(most))
      staged.copy(longer, 0, 0, stagedEnd)
      staged = longer
      stagedWords = new Int32Array(staged.buffer)
    }
    const headBytes = staged.write(head, stagedEnd)
    writeTail(tail, attributes, sighted(row).lastSeenAt, staged, stagedEnd + headBytes)
    const length = headBytes + tailBytes
    const slot = align(length + tailRoom(tail))
    invariant(slot < 0x10000, 'a row is shorter than 64 KiB')
    staged.fill(blank, stagedEnd + length, stagedEnd + slot)
    setWord(row, slotAtWord, stagedEnd)
    setWord(row, slotLengthWord, slot)
    setWord(row, headHashWord, wordsHash(stagedWords, stagedEnd >> 2, headBytes))
    setHalf(row, headLengthHalf, headBytes)
    setHalf(row, textLengthHalf, length)
    stagedEnd += slot
  }

  /** Puts pending rows among those of a block that is not written. */
  function place(block: Block) {
    const { pending, rows } = block
    let stay = block.count
    block.count += pending.length
    for (let left = pending.length; left > 0; left--) {
      const row = pending[left - 1]!
      const first = placeOf(block, row, stay)
      rows.copyWithin(first + left, first, stay)
      rows[first + left - 1] = row
      stay = first
    }
    number(block, stay)
    pending.length = 0
  }

  /** Slots ascend with rank: where there are none yet, ranks stand for them. */
  function number({ rows, count }: Block, from: number) {
    for (let i = from; i < count; i++) setWord(rows[i]!, slotAtWord, i)
  }

  function settle(block: Block) {
    const { pending } = block
    if (pending.length === 0) return
    if (pending.length > 1) pending.sort(compareRows)
    const count = block.count + pending.length
    if (count > block.rows.length) {
      const rows = new Int32Array(Math.max(count, 2 * block.rows.length))
      rows.set(block.rows)
      block.rows = rows
    }
    if (!block.extent) {
      place(block)
      return
    }
    const heads = headsOf(pending)
    stagedEnd = 0
    for (const [i, row] of pending.entries()) stage(row, heads[i]!)
    const bytes = block.usedBytes + stagedEnd
    reserve(block, bytes)
    const { rows } = block
    const { chunk, start } = block.extent
    // From the back, so that nothing is overwritten before it has moved.
    let stay = block.count
    let from = block.usedBytes
    let to = bytes
    for (let left = pending.length; left > 0; left--) {
      const row = pending[left - 1]!
      const place = placeOf(block, row, stay)
      if (place < stay) {
        const at = word(rows[place]!, slotAtWord)
        const by = to - from
        chunk.copyWithin(start + at + by, start + at, start + from)
        for (let i = stay - 1; i >= place; i--) {
          const moved = rows[i]!
          moveSlot(moved, by)
          rows[i + left] = moved
        }
        stay = place
        from = at
        to = at + by
      }
      to -= word(row, slotLengthWord)
      staged.copy(
        chunk,
        start + to,
        word(row, slotAtWord),
        word(row, slotAtWord) + word(row, slotLengthWord),
      )
      setWord(row, slotAtWord, to)
      rows[place + left - 1] = row
    }
    block.count = count
    block.usedBytes = bytes
    pending.length = 0
  }

  /** Writes the texts of settled blocks that have none. */
  function writeBlocks(some: readonly Block[]) {
    const heads = headsOf(some.flatMap(({ rows, count }) => [...rows.subarray(0, count)]))
    let next = 0
    for (const block of some) {
      stagedEnd = 0
      for (let i = 0; i < block.count; i++) stage(block.rows[i]!, heads[next++]!)
      reserve(block, stagedEnd)
      const { chunk, start } = block.extent!
      staged.copy(chunk, start, 0, stagedEnd)
      block.usedBytes = stagedEnd
    }
  }

  /** The texts of a block that has rows. */
  function textsOf(block: Block): Extent {
    settle(block)
    if (!block.extent) writeBlocks([block])
    return block.extent!
  }

  function settleAll() {
    for (const block of unsettled) settle(block)
    ladders.settle()
    unsettled = []
  }

  function rank(row: number): number {
    const block = blocks[row]!
    // Slots ascend with rank.
    const at = word(row, slotAtWord)
    const found = bisect(0, block.count, (i) => word(block.rows[i]!, slotAtWord) < at)
    invariant(block.rows[found] === row, 'a row stands in its block')
    return found
  }

  /** Gives the slot at `position` at least `bytes`, padded to its end with blanks by the caller. */
  function widen(row: number, bytes: number) {
    const extra = align(bytes) - word(row, slotLengthWord)
    if (extra <= 0) return
    const block = blocks[row]!
    const slot = word(row, slotLengthWord) + extra
    invariant(slot < 0x10000, 'a row is shorter than 64 KiB')
    shift(block, rank(row) + 1, extra)
    setWord(row, slotLengthWord, slot)
  }

  function pad(row: number, from: number) {
    const { chunk, start } = blocks[row]!.extent!
    const slot = start + word(row, slotAtWord)
    chunk.fill(blank, slot + from, slot + word(row, slotLengthWord))
  }

  return {
    get size() {
      return size
    },
    get heldTextBytes() {
      return arena.heldBytes
    },
    find: index.find,

    insert(id, block, ofSelection, list, statCategory, tail: TailValues & SourceIds) {
      let row = free
      if (row !== none) free = word(row, nextWord)
      else {
        if (used === capacity) grow()
        row = used++
      }
      size++
      doubles[recordDoubles * row + idDouble] = id
      blocks[row] = block
      if (ofSelection.rowCount++ === 0) addSelection(block, ofSelection)
      selectionOf[row] = ofSelection.number
      setWord(row, selectionWord, ofSelection.number)
      if (list.rowCount++ === 0) lists.add(list)
      listOf[row] = list.number
      setWord(row, listWord, list.number)
      setHalf(row, statedHalf, 0)
      setHalf(row, lostHalf, 0)
      setColumns(row, tail)
      index.insert(id, row)

      setWord(row, nextWord, list.head)
      setWord(row, previousWord, none)
      if (list.head !== none) setWord(list.head, previousWord, row)
      list.head = row
      categories[row] = statCategory === null ? null : oneText(statCategory)
      setSource(row, tail)

      attributeTexts[row] = attributesText(tail)

      if (block.count === 0 && block.pending.length === 0) unwritten.push(block)
      if (block.pending.length === 0) unsettled.push(block)
      block.pending.push(row)
      return row
    },

    settle: settleAll,

    writeSome(most) {
      const some = new Set<Market>()
      for (let left = most; left > 0 && nextUnwritten < unwritten.length; nextUnwritten++) {
        const block = unwritten[nextUnwritten]!
        settle(block)
        if (block.extent || block.count === 0) continue
        some.add(block)
        left -= block.count
      }
      writeBlocks([...some])
      if (nextUnwritten < unwritten.length) return true
      unwritten = []
      nextUnwritten = 0
      return false
    },

    update(row, tail: TailValues & SourceIds) {
      const block = blocks[row]!
      if (unsettled.length > 0) settle(block)
      setColumns(row, tail)
      // They hardly ever change, and lie far from what does.
      if (word(row, sourceWord) !== sourceHash(tail)) setSource(row, tail)
      if (!block.extent) {
        attributeTexts[row] = attributesText(tail)
        return
      }
      const before = half(row, textLengthHalf)
      const head = half(row, headLengthHalf)
      const attributeText = attributesText(tail)
      const length = head + tailLength(tail, attributeText)
      if (length > word(row, slotLengthWord)) {
        widen(row, length + tailRoom(tail))
        pad(row, length)
      }
      const { chunk, start } = block.extent
      const slot = start + word(row, slotAtWord)
      rewriteTail(tail, attributeText, chunk, slot + head)
      if (length < before) chunk.fill(blank, slot + length, slot + before)
      setHalf(row, textLengthHalf, length)
    },

    withhold(row, isWithheld) {
      const shown = isWithheld ? activeBit : withheldBit
      if ((flags[row]! & shown) === 0) return false
      settle(blocks[row]!)
      flags[row]! ^= activeBit | withheldBit
      words[recordWords * row + tailHashWord]! ^= withheldHash
      if (!blocks[row]!.extent) return true
      const length = half(row, textLengthHalf)
      if (length === word(row, slotLengthWord)) {
        widen(row, length + 1)
        pad(row, length)
      }
      const { chunk, start } = blocks[row]!.extent!
      const slot = start + word(row, slotAtWord)
      const changedAt = doubles[recordDoubles * row + changedDouble]!
      const values = {
        price: prices[row]!,
        changedAt: Number.isNaN(changedAt) ? null : changedAt,
        isLive: (flags[row]! & liveBit) !== 0,
      }
      const tail = { at: slot + half(row, headLengthHalf), end: slot + length }
      const by = rewriteActive(values, !isWithheld, chunk, tail)
      setHalf(row, textLengthHalf, length + by)
      if (by < 0) chunk.fill(blank, slot + length + by, slot + length)
      return true
    },

    rename(row) {
      settle(blocks[row]!)
      if (!blocks[row]!.extent) return
      const head = headsOf([row])[0]!
      const { chunk, start } = blocks[row]!.extent!
      const slot = start + word(row, slotAtWord)
      const tail = chunk.toString(
        'latin1',
        slot + half(row, headLengthHalf),
        slot + half(row, textLengthHalf),
      )
      const headBytes = Buffer.byteLength(head)
      const length = headBytes + tail.length
      widen(row, length)
      const to = blocks[row]!.extent!
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

    remove(row) {
      const block = blocks[row]!
      settle(block)
      const position = rank(row)
      if (block.extent) shift(block, position + 1, -word(row, slotLengthWord))
      block.rows.copyWithin(position, position + 1, block.count)
      block.count--
      if (!block.extent) number(block, position)
      const answer = selection(row)
      if (--answer.rowCount === 0) {
        block.selections.splice(selectionPlace(block, answer), 1)
        ladders.renew(block, answer)
        selections.remove(answer)
        if (block.selections.length === 0) numberedBlocks.remove(block)
      }
      if (block.count === 0 && block.extent) {
        arena.free(block.extent)
        block.extent = null
        block.usedBytes = 0
      }
      const list = sighted(row)
      const [before, after] = [word(row, previousWord), word(row, nextWord)]
      if (before === none) list.head = after
      else setWord(before, nextWord, after)
      if (after !== none) setWord(after, previousWord, before)
      if (--list.rowCount === 0) lists.remove(list)
      listOf[row] = 0
      index.remove(doubles[recordDoubles * row + idDouble]!)
      setWord(row, nextWord, free)
      free = row
      size--
    },

    sight(list, lastSeenAt) {
      list.lastSeenAt = lastSeenAt
      writeTime(lastSeenAt, stamp, 0)
      for (let row = list.head; row !== none; row = word(row, nextWord)) {
        settle(blocks[row]!)
        const { extent } = blocks[row]!
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

    next: (row) => word(row, nextWord),
    id: (row) => doubles[recordDoubles * row + idDouble]!,
    price: (row) => prices[row]!,
    changedAt(row) {
      const at = doubles[recordDoubles * row + changedDouble]!
      return Number.isNaN(at) ? null : at
    },
    isLive: (row) => (flags[row]! & liveBit) !== 0,
    isActive: (row) => (flags[row]! & activeBit) !== 0,
    state: (row) => flags[row]! & (liveBit | activeBit),
    goneText: (row) => goneText(half(row, lostHalf)),
    block: (row) => blocks[row]!,
    selection,
    sighted,
    statCategory: (row) => categories[row]!,
    source: (row) =>
      Object.fromEntries(
        sources.map(({ name, values }) => [name, values[row] ?? null]),
      ) as unknown as SourceIds,
    rank(row) {
      settle(blocks[row]!)
      return rank(row)
    },

    copyText(block, from, to, into, at) {
      if (from === to) return at
      const { chunk, start } = textsOf(block)
      const last = block.rows[to - 1]!
      return (
        at +
        chunk.copy(
          into,
          at,
          start + word(block.rows[from]!, slotAtWord),
          start + word(last, slotAtWord) + word(last, slotLengthWord),
        )
      )
    },
    copyTail(row, into, at) {
      const { chunk, start } = textsOf(blocks[row]!)
      const slot = start + word(row, slotAtWord)
      const [head, end] = [half(row, headLengthHalf), half(row, textLengthHalf)]
      return at + chunk.copy(into, at, slot + head, slot + end)
    },
    tailBytes(row) {
      textsOf(blocks[row]!)
      return half(row, textLengthHalf) - half(row, headLengthHalf)
    },
    textBytes(block, from, to) {
      if (from === to) return 0
      textsOf(block)
      const last = block.rows[to - 1]!
      return (
        word(last, slotAtWord) + word(last, slotLengthWord) - word(block.rows[from]!, slotAtWord)
      )
    },
    addContent(row, to) {
      textsOf(blocks[row]!)
      to.add(word(row, tailHashWord))
      to.add(word(row, tailHashWord + 1))
      to.add(word(row, headHashWord) ^ word(row, slotLengthWord))
    },
    parse(row) {
      const { chunk, start } = textsOf(blocks[row]!)
      const slot = start + word(row, slotAtWord)
      return JSON.parse(chunk.toString('utf8', slot + 1, slot + half(row, textLengthHalf)))
    },
    get columns() {
      return {
        end: used,
        prices,
        flags,
        lists: listOf,
        selections: selectionOf,
        listOf: lists.of,
        selectionEnd: selections.of.length,
        blocks: blockOf,
        markets: marketOf,
      }
    },
    blocks: numberedBlocks.of,
    get ladders() {
      ladders.settle()
      return ladders.columns
    },
    market: (marketType) => marketNumbers.get(marketType),
  }
}

/** Of a row that states none of those shown. */
const noAttributesText = attributesText(noAttributes as unknown as TailValues)

/** One string for all rows that say the same. */
const oneText = memoise((text: string) => text, 4_096)

const sourceHash = compileHash<SourceIds>(keptAttributes)

/** Slots are multiples of 8 bytes. */
const align = (bytes: number) => (bytes + 7) & ~7
