/**
 * What has changed on the board since an instant, for clients that poll: rows oldest change first, and
 * ids to take out. Sightings alone are no change. A client that asks again from `completeTo` has lost
 * nothing, even when this answer was cut short.
 */

import { createFirstN } from '../../memory/first-n.ts'
import { type PageBuffer, reserve } from '../../text/page-buffer.ts'
import type { BoardView } from '../board/board-view.ts'
import { type CompiledFilter, compile } from './compiled-filter.ts'
import { pastsOf, type RowPast } from './filter-past.ts'
import { type MovedRow, rowsMovedBy } from './main-line-moves.ts'
import type { OddsFilter } from './odds-filter.ts'
import { createRowScan, type RowScan, scanRows } from './row-scan.ts'

/** Matches are counted up to here; beyond it a client should take a fresh snapshot. */
export const mostCounted = 10_000

/** Most ids to take out in one answer; those of one stamp with the last come with it. */
export const mostRemoved = 1_000

export interface ChangedRow {
  readonly id: number
  /**
   * When it changed (epoch µs). Rows that may have moved to the main line, or from it, have that of the
   * oldest change they may have moved by: such rows come together, and are taken together.
   */
  readonly stamp: number
}

export interface OddsDelta {
  /** Named rows that changed, oldest change first; at most `mostCounted` + 1, and those of one stamp with it. */
  readonly changed: readonly ChangedRow[]
  /**
   * Ids of rows that the filter has named since, and that have gone or that it no longer names; oldest
   * first. Where the board does not remember what they said, of all that it may have named.
   */
  readonly removed: readonly number[]
  /** Numbers of the sportsbooks that these were at. */
  readonly removedBooks: ReadonlySet<number>
  /** There were more than `mostRemoved`. */
  readonly removedTruncated: boolean
  /**
   * Among them are rows that may only have moved past the filter: under a steady stream of such the
   * answers would fall behind, and a fresh snapshot is the shorter way.
   */
  readonly isBeyond: boolean
  /** Removals before this are not remembered (epoch µs). */
  readonly reach: number
  /** Up to this stamp nothing is missing from `removed` and, when all of it is taken, `changed`. */
  readonly completeTo: number
}

/** @param since a stamp, exclusive (epoch µs) */
export function oddsDelta(view: BoardView, filter: OddsFilter, since: number): OddsDelta {
  const { removals, watermark } = view
  const { changed, passed, away } = changesSince(compile(view, filter), since)
  const left = passed.concat(away)
  const gone = oldest(left)
  let isCut = gone.length < left.length
  gone.sort((a, b) => a.stamp - b.stamp)
  const removed = new Set<number>()
  let toldTo = since
  for (const { id, stamp } of gone) {
    if (removed.size >= mostRemoved && stamp > toldTo) {
      isCut = true
      break
    }
    removed.add(id)
    toldTo = stamp
  }
  const countedTo = changed.length > mostCounted ? changed.at(-1)!.stamp : watermark
  return {
    changed,
    removed: [...removed],
    removedBooks: booksOf(view, removed, since),
    removedTruncated: isCut,
    isBeyond: isCut && passed.length > 0,
    reach: removals.reach,
    completeTo: isCut ? Math.min(countedTo, toldTo) : countedTo,
  }
}

/** Of ids that are there, or have gone since. */
function booksOf(
  { rows, removals }: BoardView,
  ids: ReadonlySet<number>,
  since: number,
): ReadonlySet<number> {
  const books = new Set<number>()
  let goneCount = 0
  for (const id of ids) {
    const row = rows.find(id)
    if (row >= 0) books.add(rows.sighted(row).book)
    else goneCount++
  }
  if (goneCount > 0) {
    for (const { id, book } of removals.after(since)) if (ids.has(id)) books.add(book)
  }
  return books
}

/** The oldest of rows in any order: `mostRemoved` and one, and those that have the stamp of the last. */
function oldest(rows: readonly ChangedRow[]): ChangedRow[] {
  const stamps = createFirstN<number>(mostRemoved + 1, (a, b) => a - b)
  for (const { stamp } of rows) stamps.add(stamp)
  const last = stamps.last ?? Number.POSITIVE_INFINITY
  return rows.filter(({ stamp }) => stamp <= last)
}

/** The first `count` of rows in the order of their stamps, and those that have the stamp of the last. */
export function firstWhole(rows: readonly ChangedRow[], count: number): readonly ChangedRow[] {
  let end = Math.min(count, rows.length)
  while (end > 0 && end < rows.length && rows[end]!.stamp === rows[end - 1]!.stamp) end++
  return rows.slice(0, end)
}

interface Changes {
  readonly changed: readonly ChangedRow[]
  /** Rows that are there, are not asked for now and may have been since. */
  readonly passed: readonly ChangedRow[]
  /** The same of rows that have gone. */
  readonly away: readonly ChangedRow[]
}

/** The same but for rows that have gone. */
type Moves = Omit<Changes, 'away'>

/** By what rows said before they changed, as far as the board remembers it. */
function changesSince(asked: CompiledFilter, since: number): Changes {
  const pasts = asked.isStateful ? pastsOf(asked, since) : undefined
  if (pasts) return recalled(asked, pasts, since)
  const isOfLines = asked.filter.mainLine !== undefined
  const { changed, passed } = isOfLines ? movedRows(asked, since) : changedRows(asked, since)
  return { changed, passed, away: rowsGone(asked, since) }
}

/**
 * A client's row is as of an instant that is not before `since`, or it is told of here: an answer that
 * is cut tells of rows as they are then, later than its cut. So what came and left again counts.
 */
function recalled(asked: CompiledFilter, pasts: readonly RowPast[], since: number): Changes {
  const { rows, changes } = asked.view
  const changed: ChangedRow[] = []
  const passed: ChangedRow[] = []
  /** When each ceased to be asked for, by id: the first time where it went more than once. */
  const away = new Map<number, number>()
  for (const { id, row, isNow, wasAsked, wasNotAsked, movedAt } of pasts) {
    if (isNow) {
      const changedAt = changes.stamp(row)
      const isChanged = changedAt > since
      if (isChanged || wasNotAsked) {
        changed.push({ id, stamp: isChanged ? Math.max(changedAt, movedAt) : movedAt })
      }
    } else if (wasAsked) {
      if (row >= 0) passed.push({ id, stamp: movedAt })
      else away.set(id, Math.min(movedAt, away.get(id) ?? movedAt))
    }
  }
  for (const id of away.keys()) {
    const row = rows.find(id)
    if (row >= 0 && asked.asks(row)) away.delete(id)
  }
  for (const { id } of passed) away.delete(id)
  changed.sort((a, b) => a.stamp - b.stamp)
  return {
    changed: firstWhole(changed, mostCounted + 1),
    passed,
    away: Array.from(away, ([id, stamp]) => ({ id, stamp })),
  }
}

/** Rows that have gone and may have been asked for, oldest first, as far as one answer tells of them. */
function rowsGone(asked: CompiledFilter, since: number): ChangedRow[] {
  const { rows, removals } = asked.view
  const gone: ChangedRow[] = []
  const ids = new Set<number>()
  for (const removal of removals.after(since)) {
    const { id, stamp } = removal
    if (!asked.mayHaveNamed(removal) || rows.find(id) >= 0) continue
    gone.push({ id, stamp })
    if (ids.add(id).size > mostRemoved) break
  }
  return gone
}

/** Where each row is asked for by what it is itself. */
function changedRows(asked: CompiledFilter, since: number): Moves {
  const { view, isStateful } = asked
  const { rows, changes } = view
  const holds = isStateful ? asked.holds : undefined
  // A row that moved out of the filter is among those that belong.
  const scan = scanChanged(asked, since, holds ? Number.POSITIVE_INFINITY : mostCounted + 1)
  // Stamps are whole.
  const later = { from: Math.floor(since) + 1, to: Number.POSITIVE_INFINITY }

  const { stamps } = changes

  /** The first `count` changed rows, oldest change first. */
  function first(count: number, test?: (row: number) => boolean): ChangedRow[] {
    const isAll = changes.countSince(since) <= count
    const last = isAll ? undefined : scan.nth(stamps, later, count, 'rising', test)
    const found = scan.gather(stamps, last === undefined ? later : { ...later, to: last + 1 }, test)
    return found
      .sort((a, b) => stamps[a]! - stamps[b]!)
      .map((row) => ({ id: rows.id(row), stamp: stamps[row]! }))
  }

  const passed = holds ? scan.gather(stamps, later, (row) => !holds(row)) : []
  return {
    changed: first(mostCounted + 1, holds),
    passed: passed.flatMap((row) => leftSince(asked, { row, stamp: stamps[row]! }, since)),
  }
}

/** Where other rows of a market decide with it which line is the main one. */
function movedRows(asked: CompiledFilter, since: number): Moves {
  const { view } = asked
  const { rows, changes, removals } = view
  const moved = rowsMovedBy(
    asked,
    filtered(changes.allAfter(since), asked.belongs),
    filtered(removals.after(since), asked.mayHaveNamed),
  )
  const changed: ChangedRow[] = []
  const passed: ChangedRow[] = []
  for (const each of moved) {
    const { row, stamp } = each
    if (asked.holds(row)) changed.push({ id: rows.id(row), stamp })
    else passed.push(...leftSince(asked, each, since))
  }
  changed.sort((a, b) => a.stamp - b.stamp)
  return { changed: firstWhole(changed, mostCounted + 1), passed }
}

/** A row that does not hold, if it may have held until after `since`; else none. */
function leftSince(
  asked: CompiledFilter,
  { row, stamp: changedAt }: MovedRow,
  since: number,
): ChangedRow[] {
  const stamp = asked.mayHaveHeldTo(row, changedAt)
  return stamp > since ? [{ id: asked.view.rows.id(row), stamp }] : []
}

function* filtered<T>(all: Iterable<T>, test: (one: T) => boolean) {
  for (const one of all) if (test(one)) yield one
}

/** Appends the rows of these ids that are still there, without the comma before the first. */
export function writeRows(view: BoardView, ids: Iterable<number>, into: PageBuffer): OnPage {
  const { rows } = view
  const start = into.length
  const books = new Set<number>()
  let count = 0
  let updatedAt = 0
  for (const id of ids) {
    const row = rows.find(id)
    if (row < 0) continue
    const block = rows.block(row)
    const index = rows.rank(row)
    reserve(into, rows.textBytes(block, index, index + 1))
    into.length = rows.copyText(block, index, index + 1, into.bytes, into.length)
    const { book, lastSeenAt } = rows.sighted(row)
    books.add(book)
    updatedAt = Math.max(updatedAt, lastSeenAt)
    count++
  }
  if (count > 0) into.bytes[start] = blank
  return { count, books, updatedAt }
}

export interface OnPage {
  readonly count: number
  /** Numbers of the sportsbooks. */
  readonly books: ReadonlySet<number>
  /** The newest sighting (epoch ms); 0 for none. */
  readonly updatedAt: number
}

const blank = 0x20

/** How many rows are gone through, and again, in the time in which one change is looked up. */
const lookUpCost = 64

/**
 * Rows that belong, among them those that changed since.
 * @param enough how many of the first of these are needed
 */
function scanChanged(
  { view, filter, lasting }: CompiledFilter,
  since: number,
  enough: number,
): RowScan {
  const { changes, rows } = view
  const most = rows.columns.end / lookUpCost
  const count = changes.countSince(since)
  if (filter.eventIds || count === Number.POSITIVE_INFINITY || Math.min(count, enough) > most) {
    return createRowScan(view, lasting.filter)
  }
  const found: number[] = []
  let looked = 0
  for (const row of changes.after(since)) {
    // Few of many are of this filter.
    if (looked++ > most) return createRowScan(view, lasting.filter)
    if (lasting.belongs(row)) found.push(row)
    if (found.length === enough) break
  }
  return scanRows(view, found)
}
