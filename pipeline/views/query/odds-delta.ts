/**
 * What has changed on the board since an instant, for clients that poll: rows oldest change first,
 * and ids to take out. Sightings alone are no change. `completeTo` is the point of it all: whoever
 * asks again from there has lost nothing, even when this answer was cut short.
 */

import { type PageBuffer, reserve } from '../../text/page-buffer.ts'
import type { BoardView, EventBlock, ViewEvent } from '../board/board-view.ts'
import type { OddsFilter } from './odds-page.ts'
import { bookMask, createRowFilter } from './row-filter.ts'
import { createRowScan, type RowScan, scanRows } from './row-scan.ts'

/** Matches are counted up to here; beyond it a client should take a fresh snapshot. */
export const mostCounted = 10_000

/** Most ids to take out in one answer. */
export const mostRemoved = 1_000

export interface ChangedRow {
  readonly id: number
  /** When it changed (epoch µs). */
  readonly stamp: number
}

export interface OddsDelta {
  /** Named rows that changed, oldest change first; at most `mostCounted` + 1. */
  readonly changed: readonly ChangedRow[]
  /** Ids of rows that have gone, or that the filter no longer names; oldest first. */
  readonly removed: readonly number[]
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
  const { rows, changes, removals, watermark } = view
  // What a row is stays; whether it is live, its price, its event's start and names may move. A row
  // that moved out of such a filter has to be taken out by the client.
  const { eventIds, leagues, sports, sportsbooks, marketTypes } = filter
  const lasting = { eventIds, leagues, sports, sportsbooks, marketTypes }
  const isNamed = stateTest(view, filter)
  const mayHaveBeen = liveTest(view, filter, since)
  const isGone = isNamed && ((row: number) => !isNamed(row) && mayHaveBeen(row))
  const scan = scanChanged(
    view,
    lasting,
    since,
    isNamed ? Number.POSITIVE_INFINITY : mostCounted + 1,
  )
  // Stamps are whole.
  const later = { from: Math.floor(since) + 1, to: Number.POSITIVE_INFINITY }

  /** The first `count` changed rows, oldest change first. */
  function first(count: number, test?: (row: number) => boolean): ChangedRow[] {
    const { stamps } = changes
    const last = scan.nth(stamps, later, count, 'rising', test)
    const found = scan.gather(stamps, last === undefined ? later : { ...later, to: last + 1 }, test)
    return found
      .sort((a, b) => stamps[a]! - stamps[b]!)
      .map((row) => ({ id: rows.id(row), stamp: stamps[row]! }))
  }

  const changed = first(mostCounted + 1, isNamed)
  const gone = isGone ? first(mostRemoved + 1, isGone) : []
  let cutAt = Number.POSITIVE_INFINITY
  const isEventOf = eventTest(filter)
  const ofTypes = marketTypes && new Set(marketTypes)
  const isMarketOf = filter.isMarketNamed ?? ((type: string) => !ofTypes || ofTypes.has(type))
  const allowed = sportsbooks && bookMask(view, sportsbooks)
  const passed = gone.length
  const away = new Set<number>()
  for (const { id, stamp, book, block } of removals.after(since)) {
    if (allowed && allowed[book] !== 1) continue
    if (!isEventOf(block.event.row) || !isMarketOf(block.marketType) || rows.find(id) >= 0) continue
    gone.push({ id, stamp })
    // They come oldest first, so what follows is not told of.
    if (away.add(id).size > mostRemoved) break
  }
  gone.sort((a, b) => a.stamp - b.stamp)
  const removed = new Set<number>()
  for (const { id, stamp } of gone) {
    if (removed.size === mostRemoved && !removed.has(id)) {
      cutAt = stamp - 1
      break
    }
    removed.add(id)
  }
  const countedTo = changed.length > mostCounted ? changed.at(-1)!.stamp : watermark
  return {
    changed,
    removed: [...removed],
    removedTruncated: cutAt < Number.POSITIVE_INFINITY,
    isBeyond: cutAt < Number.POSITIVE_INFINITY && passed > 0,
    reach: removals.reach,
    completeTo: Math.min(countedTo, cutAt),
  }
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

function eventTest({ eventIds, leagues, sports }: OddsFilter) {
  const ids = eventIds && new Set(eventIds)
  const ofLeagues = leagues && new Set(leagues)
  const ofSports = sports && new Set(sports)
  return ({ id, league, sport }: { id: string; league: string; sport: string }) =>
    (!ids || ids.has(id)) &&
    (!ofLeagues || ofLeagues.has(league)) &&
    (!ofSports || ofSports.has(sport))
}

/** What is asked of a row beside what it is for good; undefined for nothing. */
function stateTest(
  view: BoardView,
  { live, minAmerican, maxAmerican, isEventNamed }: OddsFilter,
): ((row: number) => boolean) | undefined {
  const state = createRowFilter(view, { live, minAmerican, maxAmerican })
  if (!isEventNamed) return state.isOpen ? undefined : state.names
  const named = new Map<ViewEvent, boolean>()
  return (row) => {
    if (!state.names(row)) return false
    const { event } = view.rows.block(row) as EventBlock
    let isNamed = named.get(event)
    if (isNamed === undefined) {
      isNamed = isEventNamed(event)
      named.set(event, isNamed)
    }
    return isNamed
  }
}

/** Whether a row that is not named for its live state may have been named since. */
function liveTest(view: BoardView, { live }: OddsFilter, since: number) {
  const { rows } = view
  return (row: number) => {
    if (live === undefined || rows.isLive(row) === live) return true
    return (rows.block(row) as EventBlock).event.flippedAt > since
  }
}

/** How many rows are gone through, and again, in the time in which one change is looked up. */
const lookUpCost = 64

/**
 * Rows of the filter, among them those that changed since.
 * @param enough how many of the first of these are needed
 */
function scanChanged(view: BoardView, filter: OddsFilter, since: number, enough: number): RowScan {
  const { changes, rows } = view
  const most = rows.columns.end / lookUpCost
  const count = changes.countSince(since)
  if (filter.eventIds || count === Number.POSITIVE_INFINITY || Math.min(count, enough) > most) {
    return createRowScan(view, filter)
  }
  const named = createRowFilter(view, filter)
  const isEventOf = eventTest(filter)
  const found: number[] = []
  let looked = 0
  for (const row of changes.after(since)) {
    // Few of many are of this filter.
    if (looked++ > most) return createRowScan(view, filter)
    const block = rows.block(row) as EventBlock
    if (isEventOf(block.event.row) && named.enter(block) && named.names(row)) found.push(row)
    if (found.length === enough) break
  }
  return scanRows(view, found)
}
