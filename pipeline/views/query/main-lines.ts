/**
 * The main line of each question: of its rungs the one that most of the allowed sportsbooks offer,
 * then the one whose best prices are closest to even, then the lowest line. Where there is no line,
 * every selection is on it.
 *
 * Worked out anew for each read, so that a change of a price costs nothing here. One read is over
 * before the next begins, so all reads of a board use the same columns, by selection number.
 */

import type { Selection } from '../board/block.ts'
import type { BoardView } from '../board/board-view.ts'
import type { LadderColumns } from '../board/ladders.ts'
import { activeBit } from '../board/row-table.ts'
import type { EventBlock } from '../board/view-event.ts'

/** A price of a selection, which need not be on the board now. */
export interface OfferedLine {
  /** Of its selection, in the ladders given with it. */
  readonly number: number
  readonly book: number
  /** Whether there is such a price. */
  readonly isThere: boolean
  readonly isActive: boolean
  readonly price: number
}

export interface MainLines {
  /**
   * Whether a row is on the main line of its question. Cheapest when the rows of a block come one
   * after the other.
   * @param allowed one byte a sportsbook: 1 where it counts; undefined for all
   */
  isMain(row: number, allowed: Uint8Array | undefined): boolean
  /** Sets the bytes of a block's selections, by number: 1 on the main line, else 0. */
  mark(block: EventBlock, allowed: Uint8Array | undefined, marks: Uint8Array): void
  /**
   * Which selections of a block may have come onto the main line, or left it, since some of them
   * changed: those themselves, and those on the line that would be the main one without the changed
   * rungs. Rungs that did not change keep their order among each other, so only the best of them can be
   * the main one, or can have been it meanwhile.
   * @param changed selections with a row that came, went or changed
   * @returns their numbers; of the same questions as `changed` and of others
   */
  movable(
    block: EventBlock,
    changed: readonly Selection[],
    allowed: Uint8Array | undefined,
  ): ReadonlySet<number>
  /**
   * Which selections with a line of one player, or none, are on a main line of the block.
   * @param instead what to take for rows that the board has otherwise, by row number
   */
  ofPlayer(
    block: EventBlock,
    playerName: string | null,
    allowed: Uint8Array | undefined,
    instead?: ReadonlyMap<number, OfferedLine | null>,
  ): ReadonlySet<number>
  /**
   * The main lines of other prices than those of the board.
   * @param selections of whole questions
   * @returns one byte a selection, by its number in these ladders, good until the next read
   */
  among(
    ladders: LadderColumns,
    selections: readonly Selection[],
    offered: readonly OfferedLine[],
  ): Uint8Array
}

const ofViews = new WeakMap<BoardView, MainLines>()

/** Those of a board, which all its reads share. */
export function mainLinesOf(view: BoardView): MainLines {
  let lines = ofViews.get(view)
  if (!lines) {
    lines = createMainLines(view)
    ofViews.set(view, lines)
  }
  return lines
}

function createMainLines(view: BoardView): MainLines {
  /** Whether any allowed row has the selection or rung, by number. */
  let seen = new Uint8Array(0)
  /** Best price of a selection or side among those that take bets; 0 for none. */
  let best = new Float64Array(0)
  /** Bits of the sportsbooks that take bets on a selection or rung, some words each. */
  let books = new Int32Array(0)
  let words = 1
  /** Least and greatest implied probability of a rung's sides, and how many there are. */
  let least = new Float64Array(0)
  let greatest = new Float64Array(0)
  let sideCounts = new Uint8Array(0)
  /** The main rung, by question; 0 for none yet. */
  let mainRungs = new Int32Array(0)
  let main = new Uint8Array(0)
  /** Numbers of the selections looked at. */
  let looked = new Int32Array(0)
  /** Whether a rung is left out of the choice. */
  let passed = new Uint8Array(0)
  /** The block looked at last, for whom, and when: until then `main` is of it. */
  let entered: EventBlock | undefined
  let enteredFor: Uint8Array | undefined
  let enteredAt = 0

  /** @returns how many selections of the block were looked at */
  function gather(block: EventBlock, allowed: Uint8Array | undefined): number {
    const { rows } = view
    entered = undefined
    reserve()
    let count = 0
    for (const { number } of block.selections) looked[count++] = number
    clear(count)
    for (let i = 0; i < block.count; i++) {
      const row = block.rows[i]!
      const { book } = rows.sighted(row)
      if (allowed && allowed[book] !== 1) continue
      const { number } = rows.selection(row)
      seen[number] = 1
      if (!rows.isActive(row)) continue
      books[words * number + (book >>> 5)]! |= 1 << (book & 31)
      best[number] = Math.max(best[number]!, rows.price(row))
    }
    return count
  }

  function enter(block: EventBlock, allowed: Uint8Array | undefined) {
    choose(gather(block, allowed), view.rows.ladders)
    entered = block
    enteredFor = allowed
    enteredAt = view.watermark
  }

  function reserve(selectionEnd = view.rows.columns.selectionEnd) {
    const { sportsbooks } = view
    words = Math.max(1, Math.ceil(sportsbooks.length / 32))
    if (seen.length < selectionEnd) {
      const room = Math.ceil(1.25 * selectionEnd)
      seen = new Uint8Array(room)
      best = new Float64Array(room)
      least = new Float64Array(room)
      greatest = new Float64Array(room)
      sideCounts = new Uint8Array(room)
      mainRungs = new Int32Array(room)
      main = new Uint8Array(room)
      looked = new Int32Array(room)
      passed = new Uint8Array(room)
    }
    if (books.length < words * seen.length) books = new Int32Array(words * seen.length)
  }

  function clear(count: number) {
    for (let i = 0; i < count; i++) {
      const number = looked[i]!
      seen[number] = 0
      best[number] = 0
      least[number] = Number.POSITIVE_INFINITY
      greatest[number] = 0
      sideCounts[number] = 0
      mainRungs[number] = 0
      for (let word = 0; word < words; word++) books[words * number + word] = 0
    }
  }

  /** Marks the main line's selections among the first `count` looked at: whole questions. */
  function choose(count: number, ladders: LadderColumns) {
    const { sides, rungs, questions, lines } = ladders
    // Constants, because the engine reads a variable of the closure from memory at each use.
    const [numbers, hasRows, prices, bookBits, width] = [looked, seen, best, books, words]
    const [lowest, highest, counts] = [least, greatest, sideCounts]
    const [rungOf, isMain, isPassed] = [mainRungs, main, passed]
    for (let i = 0; i < count; i++) {
      const number = numbers[i]!
      if (questions[number] === 0 || hasRows[number] === 0) continue
      const rung = rungs[number]!
      const side = sides[number]!
      hasRows[rung] = 1
      if (prices[number]! > prices[side]!) prices[side] = prices[number]!
      if (rung === number) continue
      for (let word = 0; word < width; word++) {
        bookBits[width * rung + word]! |= bookBits[width * number + word]!
      }
    }
    for (let i = 0; i < count; i++) {
      const side = numbers[i]!
      if (sides[side] !== side || prices[side] === 0) continue
      const rung = rungs[side]!
      const implied = 1 / prices[side]!
      counts[rung]!++
      if (implied < lowest[rung]!) lowest[rung] = implied
      if (implied > highest[rung]!) highest[rung] = implied
    }
    for (let i = 0; i < count; i++) {
      const rung = numbers[i]!
      if (rungs[rung] !== rung || hasRows[rung] === 0 || isPassed[rung] === 1) continue
      const question = questions[rung]!
      const before = rungOf[question]!
      if (before === 0) {
        rungOf[question] = rung
        continue
      }
      const order =
        offersOf(bookBits, width, before) - offersOf(bookBits, width, rung) ||
        unevenness(lowest, highest, counts, rung) - unevenness(lowest, highest, counts, before) ||
        lines[rung]! - lines[before]!
      if (order < 0) rungOf[question] = rung
    }
    for (let i = 0; i < count; i++) {
      const number = numbers[i]!
      const question = questions[number]!
      isMain[number] = question === 0 || rungOf[question] === rungs[number] ? 1 : 0
    }
  }

  return {
    isMain(row, allowed) {
      const { rows } = view
      const block = rows.block(row)
      if (entered !== block || enteredFor !== allowed || enteredAt !== view.watermark) {
        enter(block, allowed)
      }
      return main[rows.selection(row).number] === 1
    },

    mark(block, allowed, marks) {
      choose(gather(block, allowed), view.rows.ladders)
      for (const { number } of block.selections) marks[number] = main[number]!
    },

    movable(block, changed, allowed) {
      const { ladders } = view.rows
      const { rungs } = ladders
      const numbers = new Set<number>()
      reserve()
      for (const { number } of changed) {
        numbers.add(number)
        passed[rungs[number]!] = 1
      }
      choose(gather(block, allowed), ladders)
      for (const { number } of block.selections) if (main[number] === 1) numbers.add(number)
      for (const { number } of changed) passed[rungs[number]!] = 0
      return numbers
    },

    ofPlayer(block, playerName, allowed, instead) {
      const { rows } = view
      entered = undefined
      reserve()
      let count = 0
      for (const selection of block.selections) {
        if (selection.line !== null && selection.playerName === playerName) {
          looked[count++] = selection.number
        }
      }
      clear(count)
      // From columns, because this runs at each change of a best price. What it notes of selections that
      // are not looked at is not read.
      const { prices, flags, lists, listOf, selections } = rows.columns
      const { rows: numbered, count: rowCount } = block
      const [seenHere, bestHere, booksHere, width] = [seen, best, books, words]
      for (let i = 0; i < rowCount; i++) {
        const row = numbered[i]!
        const { book } = listOf[lists[row]!]!
        if (allowed && allowed[book] !== 1) continue
        const number = selections[row]!
        seenHere[number] = 1
        const other = instead?.get(row)
        if (!(other ? other.isActive : (flags[row]! & activeBit) !== 0)) continue
        booksHere[width * number + (book >>> 5)]! |= 1 << (book & 31)
        const price = other ? other.price : prices[row]!
        if (price > bestHere[number]!) bestHere[number] = price
      }
      choose(count, rows.ladders)
      const numbers = new Set<number>()
      for (let i = 0; i < count; i++) if (main[looked[i]!] === 1) numbers.add(looked[i]!)
      return numbers
    },

    among(ladders, selections, offered) {
      entered = undefined
      reserve(ladders.sides.length)
      let count = 0
      for (const { number } of selections) looked[count++] = number
      clear(count)
      for (const { number, book, isThere, isActive, price } of offered) {
        if (!isThere) continue
        seen[number] = 1
        if (!isActive) continue
        books[words * number + (book >>> 5)]! |= 1 << (book & 31)
        best[number] = Math.max(best[number]!, price)
      }
      choose(count, ladders)
      return main
    },
  }
}

/** How many sportsbooks take bets on a rung. */
function offersOf(bookBits: Int32Array, width: number, rung: number): number {
  let count = 0
  for (let word = 0; word < width; word++) {
    for (let bits = bookBits[width * rung + word]!; bits !== 0; bits &= bits - 1) count++
  }
  return count
}

/** How far apart the implied probabilities of a rung's sides are; 1 where a side is missing. */
const unevenness = (
  lowest: Float64Array,
  highest: Float64Array,
  counts: Uint8Array,
  rung: number,
) => (counts[rung]! < 2 ? 1 : highest[rung]! - lowest[rung]!)
