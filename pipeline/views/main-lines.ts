/**
 * The main line of each question: of its rungs the one that most of the allowed sportsbooks offer,
 * then the one whose best prices are closest to even, then the lowest line. Where there is no line,
 * every selection is on it. A question is one player (or none) and one team (or none) of a market; a
 * rung is a line of it, named by the home side's: home -1.5 and away +1.5 are one.
 *
 * Worked out anew for each read, so that a change of a price costs nothing here. What is gathered by
 * selection number stands in arrays that all reads share: one read is over before the next begins.
 */

import type { BoardView, EventBlock } from './board-view.ts'
import { activeBit, type Selection } from './odds-rows.ts'

export interface MainLines {
  /** Makes up its mind about one block, from the rows of it. */
  enter(block: EventBlock): void
  /** Whether a row of the entered block is on the main line. */
  isMain(row: number): boolean
}

/** Whether any allowed row has the selection, by number. */
let seen = new Uint8Array(0)
/** Best price of those that take bets; 0 for none. */
let best = new Float64Array(0)
/** Bits of the sportsbooks that take bets, some words a selection. */
let books = new Int32Array(0)
let main = new Uint8Array(0)
/** Bits of one rung. */
let rungBooks = new Int32Array(0)
/** Whose block was entered last. */
let entered: { readonly by: MainLines; readonly block: EventBlock } | undefined

/** @param allowed one byte a sportsbook: 1 where it counts; undefined for all */
export function createMainLines(view: BoardView, allowed: Uint8Array | undefined): MainLines {
  const { rows } = view
  let last: EventBlock | undefined
  const lines: MainLines = {
    enter(block) {
      last = block
      entered = { by: lines, block }
      reserve(view)
      const { prices, flags, selections } = rows.columns
      const words = rungBooks.length
      for (const { number } of block.selections) {
        seen[number] = 0
        best[number] = 0
        books.fill(0, words * number, words * (number + 1))
      }
      for (let i = 0; i < block.count; i++) {
        const row = block.rows[i]!
        const { book } = rows.sighted(row)
        if (allowed && allowed[book] !== 1) continue
        meet(selections[row]!, book, (flags[row]! & activeBit) !== 0, prices[row]!)
      }
      choose(block.selections)
    },
    isMain(row) {
      // Another filter's block may have been looked at meanwhile.
      if (last && (entered?.by !== lines || entered.block !== last)) lines.enter(last)
      return main[rows.selection(row).number] === 1
    },
  }
  return lines
}

/**
 * All at once, by one pass over the rows.
 * @param lists one byte a list of rows: 1 where its sportsbook counts
 * @returns one byte a selection, 1 on the main line, good for the blocks given and until the next read
 */
export function mainSelections(
  view: BoardView,
  lists: Uint8Array,
  blocks: Iterable<EventBlock>,
): Uint8Array {
  entered = undefined
  reserve(view)
  seen.fill(0)
  best.fill(0)
  books.fill(0)
  const { end, prices, flags, lists: listOfRow, listOf, selections } = view.rows.columns
  const bookOf = new Int32Array(listOf.length)
  for (let i = 1; i < bookOf.length; i++) bookOf[i] = listOf[i]?.book ?? 0
  for (let row = 0; row < end; row++) {
    const list = listOfRow[row]!
    if (lists[list] === 0) continue
    meet(selections[row]!, bookOf[list]!, (flags[row]! & activeBit) !== 0, prices[row]!)
  }
  for (const block of blocks) choose(block.selections)
  return main
}

function reserve({ rows, sportsbooks }: BoardView) {
  const { selectionEnd } = rows.columns
  const words = Math.ceil(sportsbooks.length / 32)
  if (rungBooks.length !== words) rungBooks = new Int32Array(words)
  if (seen.length < selectionEnd) {
    const room = Math.ceil(1.25 * selectionEnd)
    seen = new Uint8Array(room)
    best = new Float64Array(room)
    main = new Uint8Array(room)
  }
  if (books.length < words * seen.length) books = new Int32Array(words * seen.length)
}

function meet(selection: number, book: number, isActive: boolean, price: number) {
  seen[selection] = 1
  if (!isActive) return
  books[rungBooks.length * selection + (book >>> 5)]! |= 1 << (book & 31)
  if (price > best[selection]!) best[selection] = price
}

/** @param selections of a block, in page order: those of a player together, by line */
function choose(selections: readonly Selection[]) {
  for (let from = 0; from < selections.length; ) {
    const { playerName } = selections[from]!
    let withLine = from
    let teams = 0
    let to = from
    for (; to < selections.length && selections[to]!.playerName === playerName; to++) {
      const { line, number, selectionType } = selections[to]!
      main[number] = line === null ? 1 : 0
      if (line === null) withLine = to + 1
      else teams |= 1 << teamOf(selectionType)
    }
    for (const team of [noTeam, homeTeam, awayTeam]) {
      if ((teams & (1 << team)) !== 0) chooseRung(selections, withLine, to, team)
    }
    from = to
  }
}

const [noTeam, homeTeam, awayTeam] = [0, 1, 2]

function teamOf(selectionType: string): number {
  if (selectionType.startsWith('home_')) return homeTeam!
  return selectionType.startsWith('away_') ? awayTeam! : noTeam!
}

/**
 * Marks the selections of one question's main line. Rungs are met from the lowest up: forwards
 * through the selections, and backwards through the away sides, whose lines are those of the rungs
 * turned round.
 */
function chooseRung(selections: readonly Selection[], from: number, to: number, team: number) {
  const isUp = ({ selectionType, number }: Selection) =>
    seen[number] === 1 && selectionType !== 'away' && teamOf(selectionType) === team
  const isDown = ({ selectionType, number }: Selection) =>
    seen[number] === 1 && selectionType === 'away'
  const nextUp = (i: number) => {
    while (i < to && !isUp(selections[i]!)) i++
    return i
  }
  const nextDown = (i: number) => {
    while (i >= from && !isDown(selections[i]!)) i--
    return i
  }
  let up = nextUp(from)
  let down = team === noTeam ? nextDown(to - 1) : from - 1
  let most = -1
  let leastGap = 0
  let mainUp = from
  let mainDown = from
  let mainLine = 0
  while (up < to || down >= from) {
    const line = Math.min(
      up < to ? selections[up]!.line! : Number.POSITIVE_INFINITY,
      down >= from ? 0 - selections[down]!.line! : Number.POSITIVE_INFINITY,
    )
    const [rungUp, rungDown] = [up, down]
    rungBooks.fill(0)
    let sides = 0
    let least = Number.POSITIVE_INFINITY
    let greatest = 0
    let type = ''
    let price = 0
    const closeSide = () => {
      if (price === 0) return
      sides++
      least = Math.min(least, 1 / price)
      greatest = Math.max(greatest, 1 / price)
    }
    // Selections of one type stand together, whatever their labels.
    const join = ({ number, selectionType }: Selection) => {
      if (selectionType !== type) {
        closeSide()
        type = selectionType
        price = 0
      }
      price = Math.max(price, best[number]!)
      const at = rungBooks.length * number
      for (let word = 0; word < rungBooks.length; word++) rungBooks[word]! |= books[at + word]!
    }
    for (; up < to && selections[up]!.line === line; up = nextUp(up + 1)) join(selections[up]!)
    for (; down >= from && 0 - selections[down]!.line! === line; down = nextDown(down - 1)) {
      join(selections[down]!)
    }
    closeSide()
    const offers = bitsOf(rungBooks)
    const gap = sides < 2 ? 1 : greatest - least
    if (offers > most || (offers === most && gap < leastGap)) {
      most = offers
      leastGap = gap
      mainUp = rungUp
      mainDown = rungDown
      mainLine = line
    }
  }
  if (most < 0) return
  for (let i = mainUp; i < to && selections[i]!.line === mainLine; i = nextUp(i + 1)) {
    main[selections[i]!.number] = 1
  }
  if (team !== noTeam) return
  for (let i = mainDown; i >= from && 0 - selections[i]!.line! === mainLine; i = nextDown(i - 1)) {
    main[selections[i]!.number] = 1
  }
}

function bitsOf(words: Int32Array): number {
  let count = 0
  for (let word of words) {
    for (; word !== 0; word &= word - 1) count++
  }
  return count
}
