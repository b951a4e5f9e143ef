/**
 * What has changed on the board since an instant, for clients that poll: rows oldest change first,
 * and ids to take out. Sightings alone are no change. `completeTo` is the point of it all: whoever
 * asks again from there has lost nothing, even when this answer was cut short.
 */

import type { BoardView, EventBlock } from './board-view.ts'
import { eventsOf, type OddsFilter, type PageBuffer, reserve } from './odds-page.ts'
import { createRowFilter } from './row-filter.ts'

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
  const identity = createRowFilter(view, {
    sportsbooks: filter.sportsbooks,
    marketTypes: filter.marketTypes,
  })
  const state = createRowFilter(view, {
    live: filter.live,
    minAmerican: filter.minAmerican,
    maxAmerican: filter.maxAmerican,
  })
  const { isEventNamed } = filter
  const isEventOf = eventTest(filter)
  const changed: ChangedRow[] = []
  const gone: ChangedRow[] = []
  let cutAt = Number.POSITIVE_INFINITY

  for (const row of changedRows(view, filter, since)) {
    const block = rows.block(row) as EventBlock
    const { event } = block
    if (!isEventOf(event.row) || !identity.enter(block) || !identity.names(row)) continue
    const stamp = changes.stamp(row)
    const isNamed = state.names(row) && (!isEventNamed || isEventNamed(event))
    if (!isNamed) gone.push({ id: rows.id(row), stamp })
    else if (changed.length <= mostCounted) changed.push({ id: rows.id(row), stamp })
  }
  for (const { id, stamp, book, block } of removals.after(since)) {
    const { event } = block
    if (rows.find(id) >= 0 || !isEventOf(event.row) || !identity.enter(block)) continue
    if (filter.sportsbooks && !filter.sportsbooks.includes(view.sportsbooks[book]!)) continue
    gone.push({ id, stamp })
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

/** Rows changed since, oldest first, of the filter's events or, where it names none, of the board. */
function changedRows(view: BoardView, filter: OddsFilter, since: number): Iterable<number> {
  const { eventIds, leagues, sports } = filter
  if (!eventIds && !leagues) return view.changes.after(since)
  const found: number[] = []
  const next = eventsOf(view, { eventIds, leagues, sports }, undefined)
  for (let event = next(); event; event = next()) {
    if (event.changed.stamp <= since) continue
    for (const { rows, count } of event.blocks) {
      for (let i = 0; i < count; i++) {
        if (view.changes.stamp(rows[i]!) > since) found.push(rows[i]!)
      }
    }
  }
  return found.sort((a, b) => view.changes.stamp(a) - view.changes.stamp(b))
}
