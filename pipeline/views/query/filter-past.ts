/**
 * How rows have stood to a filter since an instant, read back from what each change replaced: newest
 * change first, from the board as it is now. A row that no change can have moved is not looked at.
 *
 * Where more has changed than is worth reading back, or names of an event have, a row counts as both
 * asked for and not. It then has the stamp of the oldest change that may have moved it.
 */

import type { Selection } from '../board/block.ts'
import { compareSelections, type SelectionOrder, selectionPlace } from '../board/block.ts'
import { absentBit, type RecallChange } from '../board/change-times.ts'
import type { Ladders, Selections } from '../board/ladders.ts'
import type { Removal } from '../board/removals.ts'
import { activeBit, liveBit, stalePregameBit } from '../board/row-table.ts'
import type { EventBlock, ViewEvent } from '../board/view-event.ts'
import type { CompiledFilter } from './compiled-filter.ts'
import { mainLinesOf, type OfferedLine } from './main-lines.ts'

/** Most changes to the lines of a market, or of a player in it, that are read back one by one. */
export const mostLineChanges = 64

export interface RowPast {
  readonly id: number
  /** -1 for one that has gone. */
  readonly row: number
  /** Whether it is asked for now. */
  readonly isNow: boolean
  /** Whether it was asked for, and whether it was not, at any instant since, now included. */
  readonly wasAsked: boolean
  readonly wasNotAsked: boolean
  /** The newest change by which it came to be asked for, or ceased to; 0 for none. */
  readonly movedAt: number
}

/** While the walk goes back: as of the instant that it has come to. */
interface Tracked extends OfferedLine {
  readonly id: number
  readonly row: number
  readonly event: ViewEvent
  readonly lines: Lines | null
  /** Of its selection in the ladders of its lines; 0 while they are as the board has them. */
  number: number
  readonly isNow: boolean
  isThere: boolean
  price: number
  isActive: boolean
  isLive: boolean
  isStalePregame: boolean
  isAsked: boolean
  wasAsked: boolean
  wasNotAsked: boolean
  movedAt: number
}

/**
 * The rows with a line of one market and player, or none: whole questions. As long as no change has
 * moved a main line, only those that changed are tracked.
 */
interface Lines extends Selections {
  readonly block: EventBlock
  readonly playerName: string | null
  /** Which selections are on a main line, as the board has them; null once all rows are tracked. */
  mains: ReadonlySet<number> | null
  readonly rows: Tracked[]
  changeCount: number
}

/**
 * Of one market, whose changes since the board must remember.
 * @param gone its removals since, oldest first
 * @param ladders of those that ask; what it holds is of the market asked for last
 * @returns rows that belong, those that changed among them
 */
export function pastsOf(
  asked: CompiledFilter,
  block: EventBlock,
  gone: readonly Removal[],
  since: number,
  ladders: Ladders,
): readonly RowPast[] {
  const { changes } = asked.view
  const all: PastChange[] = []
  for (let i = 0; i < block.count; i++) {
    const row = block.rows[i]!
    const stamp = changes.stamp(row)
    if (stamp > since) changes.recall(row, since, stamp, (...change) => all.push({ change }))
  }
  for (const removal of gone) {
    changes.recall(removal.row, since, removal.stamp, (...change) => {
      all.push({ change, removal: change[1] === removal.stamp ? removal : undefined })
    })
  }
  all.sort((a, b) => b.change[1] - a.change[1])
  const pasts = createPasts(asked, since, ladders)
  for (const { change, removal } of all) {
    if (removal) pasts.appear(removal)
    const [row, stamp, price, state] = change
    pasts.goBack(row, stamp, price, state)
  }
  return pasts.all
}

interface PastChange {
  readonly change: Parameters<RecallChange>
  /** Where the row has gone by it. */
  readonly removal?: Removal | undefined
}

function createPasts(asked: CompiledFilter, since: number, ladders: Ladders) {
  const { view, filter, books } = asked
  const { mainLine, isEventNamed } = filter
  const { rows } = view
  const all: Tracked[] = []
  /** Who has a row number at the instant; null for one that does not belong. */
  const holders = new Map<number, Tracked | null>()
  const linesOf = new Map<EventBlock, Map<string | null, Lines>>()
  let selectionCount = 0
  // What another market has left is not put in its places among those of this one.
  ladders.settle()

  function track(
    id: number,
    row: number,
    event: ViewEvent,
    book: number,
    lines: Lines | null,
    number: number,
    isOnMainLine: boolean,
  ): Tracked {
    const isThere = row >= 0
    const price = isThere ? rows.price(row) : 0
    const isLive = isThere && rows.isLive(row)
    const isStalePregame = isThere && rows.isStalePregame(row)
    const isAsked = isThere && isAskedAt(event, price, isLive, isStalePregame, isOnMainLine)
    const tracked = {
      id,
      row,
      event,
      number,
      book,
      lines,
      isThere,
      price,
      isActive: isThere && rows.isActive(row),
      isLive,
      isStalePregame,
      isNow: isAsked,
      isAsked,
      wasAsked: isAsked,
      wasNotAsked: !isAsked,
      movedAt: 0,
    }
    all.push(tracked)
    lines?.rows.push(tracked)
    return tracked
  }

  const isAskedAt = (
    event: ViewEvent,
    price: number,
    isLive: boolean,
    isStalePregame: boolean,
    isOnMainLine: boolean,
  ) =>
    (mainLine === undefined || isOnMainLine === mainLine) &&
    asked.allows(event, price, isLive, isStalePregame)

  /** The number of a selection among those of the lines, the same for each of its sportsbooks. */
  function numberIn(lines: Lines, { label, selectionType, line, playerName }: SelectionOrder) {
    const selection = { label, selectionType, line, playerName, rowCount: 0, number: 0 }
    const at = selectionPlace(lines, selection)
    const known = lines.selections[at]
    if (known && compareSelections(known, selection) === 0) return known.number
    selection.number = ++selectionCount
    lines.selections.splice(at, 0, selection)
    ladders.renew(lines, selection)
    return selection.number
  }

  /** As they are now: none of their rows has changed later than the instant. */
  function findLines(block: EventBlock, { playerName, line }: SelectionOrder): Lines | null {
    // What has no line is on the main line for good.
    if (mainLine === undefined || line === null) return null
    let players = linesOf.get(block)
    if (!players) {
      players = new Map()
      linesOf.set(block, players)
    }
    const known = players.get(playerName)
    if (known) return known
    const lines: Lines = {
      marketType: block.marketType,
      selections: [],
      block,
      playerName,
      mains: mainLinesOf(view).ofPlayer(block, playerName, books),
      rows: [],
      changeCount: 0,
    }
    players.set(playerName, lines)
    return lines
  }

  /** Tracks all rows of lines from here on; those that have not changed are as they are now. */
  function trackAll(lines: Lines) {
    const { block, playerName, mains } = lines
    if (mains === null) return
    lines.mains = null
    // Rows of one selection stand together.
    let last: Selection | undefined
    let number = 0
    for (let i = 0; i < block.count; i++) {
      const row = block.rows[i]!
      const selection = rows.selection(row)
      if (selection.line === null || selection.playerName !== playerName) continue
      const { book } = rows.sighted(row)
      if (books && books[book] !== 1) continue
      if (selection !== last) number = numberIn(lines, selection)
      last = selection
      const tracked = holders.get(row)
      if (tracked) tracked.number = number
      else {
        const isOnMainLine = mains.has(selection.number)
        holders.set(row, track(rows.id(row), row, block.event, book, lines, number, isOnMainLine))
      }
    }
  }

  /**
   * Whether a main line moved by a change to a row that was there before it and after.
   * @param price of the row after the change
   */
  function hasMoved(lines: Lines, tracked: Tracked, price: number, isActive: boolean): boolean {
    const { block, playerName, mains } = lines
    if (mains === null) return true
    if (tracked.isActive === isActive) {
      if (!isActive || tracked.price === price) return false
      if (Math.max(tracked.price, price) <= bestBeside(block, tracked.row)) return false
    }
    const before = mainLinesOf(view).ofPlayer(block, playerName, books, holders)
    if (before.size !== mains.size) return true
    for (const number of mains) if (!before.has(number)) return true
    return false
  }

  /** The best price of a row's selection among the other rows that take bets. */
  function bestBeside(block: EventBlock, row: number): number {
    const selection = rows.selection(row)
    let first = rows.rank(row)
    while (first > 0 && rows.selection(block.rows[first - 1]!) === selection) first--
    let best = 0
    for (let i = first; i < block.count; i++) {
      const other = block.rows[i]!
      if (rows.selection(other) !== selection) break
      if (other === row || (books && books[rows.sighted(other).book] !== 1)) continue
      const { isActive, price } = holders.get(other) ?? {
        isActive: rows.isActive(other),
        price: rows.price(other),
      }
      if (isActive && price > best) best = price
    }
    return best
  }

  function holderOf(row: number): Tracked | null {
    const known = holders.get(row)
    if (known !== undefined) return known
    if (!asked.belongs(row)) {
      holders.set(row, null)
      return null
    }
    const block = rows.block(row)
    const selection = rows.selection(row)
    const lines = findLines(block, selection)
    // Where all rows are tracked, so is this one.
    if (lines && lines.mains === null) return holders.get(row)!
    const { book } = rows.sighted(row)
    const isOnMainLine = lines === null || lines.mains!.has(selection.number)
    const tracked = track(rows.id(row), row, block.event, book, lines, 0, isOnMainLine)
    holders.set(row, tracked)
    return tracked
  }

  function stand(tracked: Tracked, isOnMainLine: boolean, stamp: number) {
    const { isThere, event, price, isLive, isStalePregame } = tracked
    const isAsked = isThere && isAskedAt(event, price, isLive, isStalePregame, isOnMainLine)
    if (isAsked === tracked.isAsked) return
    tracked.isAsked = isAsked
    if (isAsked) tracked.wasAsked = true
    else tracked.wasNotAsked = true
    if (tracked.movedAt === 0) tracked.movedAt = stamp
  }

  function standEither(tracked: Tracked, stamp: number) {
    tracked.wasAsked = true
    tracked.wasNotAsked = true
    tracked.movedAt = stamp
  }

  function standLines(lines: Lines, stamp: number, isUnknown: boolean) {
    if (lines.changeCount > mostLineChanges || isUnknown) {
      for (const tracked of lines.rows) standEither(tracked, stamp)
      return
    }
    ladders.settle()
    const main = mainLinesOf(view).among(ladders.columns, lines.selections, lines.rows)
    for (const tracked of lines.rows) stand(tracked, main[tracked.number] === 1, stamp)
  }

  return {
    all: all as readonly RowPast[],

    /** The walk comes to where a row went: before that it had this number. */
    appear(removal: Removal) {
      const { row, id, book, block, selection } = removal
      if (!asked.mayHaveNamed(removal)) {
        holders.set(row, null)
        return
      }
      const lines = findLines(block, selection)
      if (lines) trackAll(lines)
      const number = lines ? numberIn(lines, selection) : 0
      holders.set(row, track(id, -1, block.event, book, lines, number, false))
    },

    /** To before a change. */
    goBack(row: number, stamp: number, price: number, state: number) {
      const tracked = holderOf(row)
      const wasAbsent = (state & absentBit) !== 0
      // How the event was named before is not known.
      const isUnknown =
        tracked !== null && isEventNamed !== undefined && tracked.event.renamedAt > since
      const lines = tracked?.lines
      if (lines) {
        lines.changeCount++
        if (wasAbsent || isUnknown || lines.changeCount > mostLineChanges) trackAll(lines)
      }
      // What came later has the number no more.
      if (wasAbsent) holders.delete(row)
      if (!tracked) return
      const { price: laterPrice, isActive: wasActive } = tracked
      tracked.isThere = !wasAbsent
      tracked.price = price
      tracked.isActive = (state & activeBit) !== 0
      tracked.isLive = (state & liveBit) !== 0
      tracked.isStalePregame = (state & stalePregameBit) !== 0
      if (!lines) {
        if (isUnknown) standEither(tracked, stamp)
        else stand(tracked, true, stamp)
      } else if (hasMoved(lines, tracked, laterPrice, wasActive)) {
        trackAll(lines)
        standLines(lines, stamp, isUnknown)
      } else stand(tracked, lines.mains!.has(rows.selection(row).number), stamp)
    },
  }
}
