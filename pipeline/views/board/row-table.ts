/**
 * The table of the rows: the row numbers in use, and the subject and values of each row. Values
 * that filters read for very many rows are in columns, the others in the row's record
 * (`row-records.ts`). The table has no texts, and of blocks it only adds and removes selections.
 */

import { shownAttributes } from '../../../schemas/attributes.ts'
import { withheldReasons } from '../../../schemas/withheld-price.ts'
import { invariant } from '../../invariant.ts'
import { grown } from '../../memory/grown.ts'
import { createNumbered } from '../../memory/numbered.ts'
import { createTextNumbers } from '../../memory/text-numbers.ts'
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
 * The rows as columns by row number. A pass over very many rows is much cheaper here than block by
 * block. Valid until the next change. An unused row number has the list 0.
 */
export interface RowColumns<List extends Sighted = Sighted> {
  /** The end of the row numbers, exclusive. */
  readonly end: number
  readonly prices: Float64Array
  /** `OddsRows.state` within `stateBits`, and from `bookShift` on the number of the sportsbook. */
  readonly states: Int32Array
  /** By row, the number of its list (`Sighted`), and of its selection. */
  readonly lists: Int32Array
  readonly selections: Int32Array
  /** Lists by number; some numbers are unused. */
  readonly listOf: readonly (List | undefined)[]
  /** The end of the selections' numbers, exclusive. */
  readonly selectionEnd: number
  /** The numbers of market types, by selection. */
  readonly markets: Int32Array
  /** The end of the market types' numbers, exclusive. */
  readonly marketEnd: number
}

// The bits of a row's state, one word. Only the table uses `silencedBit` (the row is stated as
// active but shown as inactive) and the bits of the guard's reason for withholding the price.
export const liveBit = 1
export const activeBit = 2
const silencedBit = 4
/** Its price dates from before the start. */
export const stalePregameBit = 16
/** The first bit of main lines. */
export const mainShift = 5
const mainBits = allMainBits << mainShift
const reasonShift = 11
const reasonBits = 7 << reasonShift
const stateBits = liveBit | activeBit | stalePregameBit | mainBits
/** The first bit of the sportsbook's number. */
export const bookShift = 16

/** Mixed into the hash of a tail: for a row that is shown as inactive, and for a guard's reason. */
const silencedHash = 0x5bd1e995
const reasonHash = 0x27d4eb2f

/** Price, time of change, and the shown attributes. */
const tailNumbers = new Float64Array(2 + shownAttributes.length)
const tailWords = new Int32Array(tailNumbers.buffer)

invariant(shownAttributes.length < 16, 'a record has a bit for each attribute that rows show')
invariant(mainBits < 1 << reasonShift, 'main lines have room in the word of a row')
invariant(withheldReasons.length < 8, 'reasons have room in the word of a row')

/** Puts the shown attributes into the numbers above. @returns a bit for each that is stated */
function noteAttributes(tail: TailValues): number {
  let stated = 0
  for (let i = 0; i < shownAttributes.length; i++) {
    const value = tail[shownAttributes[i]!]
    tailNumbers[2 + i] = value === null ? Number.NaN : Number(value)
    if (value !== null) stated |= 1 << i
  }
  return stated
}

const stalePregameAttributeBit = 1 << shownAttributes.indexOf('isStalePregamePrice')

/** The rows of a board whose blocks and lists are of these types. */
export interface RowTable<Market extends Block, List extends Sighted> {
  readonly size: number
  /** @returns the number of the new row */
  add(block: Market, selection: Selection, list: List): number
  /** Removes the row. The next new row gets its number. */
  remove(row: number): void
  /** Sets the row's stated values and their hash. */
  state(row: number, tail: TailValues): void
  /** See `OddsRows.setInactive`. */
  setInactive(row: number, isInactive: boolean): boolean
  /**
   * Sets why the guard withholds the price: from 1, in the order of `withheldReasons`, 0 for not at all. `state`
   * resets it.
   * @returns whether it changed
   */
  judge(row: number, reason: number): boolean
  reason(row: number): number
  /** Returns the number of its sportsbook. */
  book(row: number): number
  price(row: number): number
  /** Returns the bits within `stateBits`. */
  bits(row: number): number
  /** Sets the main lines that the row is on. @returns whether they changed */
  setMains(row: number, mains: number): boolean
  block(row: number): Market
  selection(row: number): Selection
  sighted(row: number): List
  readonly columns: RowColumns<List>
  /** Returns the number of a market type in the columns; undefined when it has no rows. */
  market(marketType: string): number | undefined
}

/** @param capacity rows that have records so far */
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
  /** Market types are names from outside, so a number is freed with its last selection. */
  const markets = createTextNumbers()
  /** The market type's number, by selection. */
  let marketOf = new Int32Array(capacity)

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
    if (block.number === 0) numberedBlocks.add(block)
    selections.add(added)
    if (added.number >= marketOf.length) marketOf = grown(marketOf, 2 * added.number)
    marketOf[added.number] = markets.take(block.marketType)
  }

  function removeSelection(block: Market, removed: Selection) {
    block.selections.splice(selectionPlace(block, removed), 1)
    markets.release(marketOf[removed.number]!)
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
      const of = selection(row)
      if (--of.rowCount === 0) removeSelection(blocks[row]!, of)
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
      // No `for of`: an iterator per price would cost more than the mixing.
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

    setInactive(row, isInactive) {
      const shown = isInactive ? activeBit : silencedBit
      if ((states[row]! & shown) === 0) return false
      states[row]! ^= activeBit | silencedBit
      setWord(row, tailHashWord, word(row, tailHashWord) ^ silencedHash)
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
        markets: marketOf,
        marketEnd: markets.end,
      }
    },
    market: markets.find,
  }
}
