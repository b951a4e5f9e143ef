/**
 * The table of the rows: which row numbers are in use, and what each row is of and states. What filters
 * go through for very many rows lies in columns; the rest in the row's record (`row-records.ts`). It
 * knows nothing of texts, and of blocks only that selections come into them and go.
 */

import { shownAttributes } from '../../../schemas/attributes.ts'
import { withheldReasons } from '../../../schemas/withheld-price.ts'
import { invariant } from '../../invariant.ts'
import { compileLoop } from '../../memory/compiled-members.ts'
import { grown } from '../../memory/grown.ts'
import { createNumbered } from '../../memory/numbered.ts'
import { type Block, type Selection, type Sighted, selectionPlace } from './block.ts'
import { allMainBits } from './main-line-bits.ts'
import {
  changedDouble,
  listWord,
  lostHalf,
  nextWord,
  none,
  previousWord,
  type RowRecords,
  selectionWord,
  statedHalf,
  tailHashWord,
} from './row-records.ts'
import { type TailValues, withheldAttributeBit } from './row-text.ts'

/**
 * What the rows say, by row number, for a look at very many of them: going through a column from its
 * beginning is far cheaper than going through blocks. Good until the next change. A row number that
 * is not in use has the list 0.
 */
export interface RowColumns<List extends Sighted = Sighted> {
  /** Row numbers end here. */
  readonly end: number
  readonly prices: Float64Array
  /** What `OddsRows.state` says within `stateBits`, and from `bookShift` on the number of the sportsbook. */
  readonly states: Int32Array
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

// What a row says, in a word. Beside these bits stand, for the table alone, that a row stated as active is shown as
// inactive, and why the guard withholds the price.
export const liveBit = 1
export const activeBit = 2
const withheldBit = 4
/** Its price is that of before the start. */
export const stalePregameBit = 16
/** Where the bits of main lines begin. */
export const mainShift = 5
const mainBits = allMainBits << mainShift
const reasonShift = 11
const reasonBits = 7 << reasonShift
const stateBits = liveBit | activeBit | stalePregameBit | mainBits
/** Where the number of the sportsbook begins. */
export const bookShift = 16

/** What being withheld, and why, does to the hash of a tail. */
const withheldHash = 0x5bd1e995
const reasonHash = 0x27d4eb2f

/** Price, time of change, and the attributes shown. */
const tailNumbers = new Float64Array(2 + shownAttributes.length)
const tailWords = new Int32Array(tailNumbers.buffer)

invariant(shownAttributes.length < 16, 'a record has a bit for each attribute that rows show')
invariant(mainBits < 1 << reasonShift, 'main lines have room in the word of a row')
invariant(withheldReasons.length < 8, 'reasons have room in the word of a row')

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

const stalePregameAttributeBit = 1 << shownAttributes.indexOf('isStalePregamePrice')

/** The rows of a board whose blocks and lists are of these types. */
export interface RowTable<Market extends Block, List extends Sighted> {
  readonly size: number
  /** @returns the number of the new row */
  add(block: Market, selection: Selection, list: List): number
  /** The row's number goes to the next that comes. */
  remove(row: number): void
  /** What the row states from now on, and the hash of it. */
  state(row: number, tail: TailValues): void
  /** See `OddsRows.withhold`. */
  withhold(row: number, isWithheld: boolean): boolean
  /**
   * Why the guard withholds the price: from 1, as `withheldReasons` has them, 0 for not at all. `state` forgets it.
   * @returns whether that is news
   */
  judge(row: number, reason: number): boolean
  reason(row: number): number
  /** The number of its sportsbook. */
  book(row: number): number
  price(row: number): number
  /** The bits within `stateBits`. */
  bits(row: number): number
  /** Says on whose main lines the row is. @returns whether that is news */
  setMains(row: number, mains: number): boolean
  block(row: number): Market
  selection(row: number): Selection
  sighted(row: number): List
  readonly columns: RowColumns<List>
  /** What the numbers of blocks stand for; some stand for nothing now. */
  readonly blocks: readonly (Market | undefined)[]
  /** The number that columns have for a market type; undefined when it has never been seen. */
  market(marketType: string): number | undefined
}

/** @param capacity rows that there are records for so far */
export function createRowTable<Market extends Block, List extends Sighted>(
  records: RowRecords,
  capacity: number,
): RowTable<Market, List> {
  const { word, setWord, half, setHalf, setDouble } = records
  let used = 0
  let size = 0
  let free = none
  let prices = new Float64Array(capacity)
  let states = new Int32Array(capacity)
  let selectionOf = new Int32Array(capacity)
  let listOf = new Int32Array(capacity)
  const blocks: Market[] = []
  const selections = createNumbered<Selection>()
  const lists = createNumbered<List>()
  const numberedBlocks = createNumbered<Market>()
  const marketNumbers = new Map<string, number>()
  /** By selection. */
  let marketOf = new Uint16Array(capacity)
  let blockOf = new Int32Array(capacity)

  function grow() {
    const longer = 2 * prices.length
    records.grow(longer)
    prices = grown(prices, longer)
    states = grown(states, longer)
    selectionOf = grown(selectionOf, longer)
    listOf = grown(listOf, longer)
  }

  const selection = (row: number) => selections.of[word(row, selectionWord)]!
  const sighted = (row: number) => lists.of[word(row, listWord)]!

  function addSelection(block: Market, added: Selection) {
    const { marketType } = block
    if (block.number === 0) numberedBlocks.add(block)
    selections.add(added)
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

  function removeSelection(block: Market, removed: Selection) {
    block.selections.splice(selectionPlace(block, removed), 1)
    selections.remove(removed)
    if (block.selections.length === 0) numberedBlocks.remove(block)
  }

  function link(row: number, list: List) {
    if (list.rowCount++ === 0) lists.add(list)
    listOf[row] = list.number
    setWord(row, listWord, list.number)
    setWord(row, nextWord, list.head)
    setWord(row, previousWord, none)
    if (list.head !== none) setWord(list.head, previousWord, row)
    list.head = row
  }

  function unlink(row: number, list: List) {
    const [before, after] = [word(row, previousWord), word(row, nextWord)]
    if (before === none) list.head = after
    else setWord(before, nextWord, after)
    if (after !== none) setWord(after, previousWord, before)
    if (--list.rowCount === 0) lists.remove(list)
    listOf[row] = 0
  }

  return {
    get size() {
      return size
    },

    add(block, ofSelection, list) {
      let row = free
      if (row !== none) free = word(row, nextWord)
      else {
        if (used === prices.length) grow()
        row = used++
      }
      size++
      blocks[row] = block
      states[row] = list.book << bookShift
      if (ofSelection.rowCount++ === 0) addSelection(block, ofSelection)
      selectionOf[row] = ofSelection.number
      setWord(row, selectionWord, ofSelection.number)
      setHalf(row, statedHalf, 0)
      setHalf(row, lostHalf, 0)
      link(row, list)
      return row
    },

    remove(row) {
      const answer = selection(row)
      if (--answer.rowCount === 0) removeSelection(blocks[row]!, answer)
      unlink(row, sighted(row))
      setWord(row, nextWord, free)
      free = row
      size--
    },

    state(row, tail) {
      prices[row] = tail.price
      setDouble(row, changedDouble, tail.changedAt ?? Number.NaN)
      const state = (tail.isLive ? liveBit : 0) | (tail.isActive ? activeBit : 0)
      tailNumbers[0] = tail.price
      tailNumbers[1] = tail.changedAt ?? -1
      const stated = noteAttributes(tail)
      setHalf(row, lostHalf, (half(row, statedHalf) | half(row, lostHalf)) & ~stated)
      setHalf(row, statedHalf, stated)
      const isStale = (stated & stalePregameAttributeBit) !== 0
      const staying = states[row]! & (mainBits | (-1 << bookShift))
      states[row] = staying | state | (isStale ? stalePregameBit : 0)
      let a = state
      let b = 0
      // Not `for of`: an iterator per price would cost more than the mixing.
      for (let i = 0; i < tailWords.length; i++) {
        const next = tailWords[i]!
        a = Math.imul(a ^ next, 0xcc9e2d51)
        a = (a << 15) | (a >>> 17)
        b = Math.imul(b + next, 0x1b873593) ^ a
        b = (b << 13) | (b >>> 19)
      }
      setWord(row, tailHashWord, a)
      setWord(row, tailHashWord + 1, b)
    },

    withhold(row, isWithheld) {
      const shown = isWithheld ? activeBit : withheldBit
      if ((states[row]! & shown) === 0) return false
      states[row]! ^= activeBit | withheldBit
      setWord(row, tailHashWord, word(row, tailHashWord) ^ withheldHash)
      return true
    },

    judge(row, reason) {
      const known = (states[row]! & reasonBits) >> reasonShift
      if (known === reason) return false
      states[row]! ^= (known ^ reason) << reasonShift
      setWord(row, tailHashWord, word(row, tailHashWord) ^ Math.imul(known ^ reason, reasonHash))
      const [stated, lost] = [half(row, statedHalf), half(row, lostHalf)]
      const isSaid = reason !== 0
      setHalf(
        row,
        statedHalf,
        isSaid ? stated | withheldAttributeBit : stated & ~withheldAttributeBit,
      )
      setHalf(row, lostHalf, isSaid ? lost & ~withheldAttributeBit : lost | withheldAttributeBit)
      return true
    },

    reason: (row) => (states[row]! & reasonBits) >> reasonShift,
    book: (row) => states[row]! >> bookShift,
    price: (row) => prices[row]!,
    bits: (row) => states[row]! & stateBits,
    setMains(row, mains) {
      const state = (states[row]! & ~mainBits) | (mains << mainShift)
      if (states[row] === state) return false
      states[row] = state
      return true
    },
    block: (row) => blocks[row]!,
    selection,
    sighted,
    get columns() {
      return {
        end: used,
        prices,
        states,
        lists: listOf,
        selections: selectionOf,
        listOf: lists.of,
        selectionEnd: selections.of.length,
        blocks: blockOf,
        markets: marketOf,
      }
    },
    blocks: numberedBlocks.of,
    market: (marketType) => marketNumbers.get(marketType),
  }
}
