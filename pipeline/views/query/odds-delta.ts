/**
 * The changes on the board since a stamp, for clients that poll: rows, oldest change first, and ids to remove.
 * A sighting alone is no change. A client that polls again from `completeTo` misses no change, even
 * if this response was cut short.
 */

import { type PageBuffer, reserve } from '../../text/page-buffer.ts'
import type { BoardView } from '../board/board-view.ts'
import type { ViewEvent } from '../board/view-event.ts'
import { compile } from './compiled-filter.ts'
import type { OddsFilter } from './odds-filter.ts'
import { createOutcomes, type Outcome } from './outcomes.ts'

/** The most matches counted; beyond it a client should take a fresh snapshot. */
export const mostCounted = 10_000

/** The most ids to remove in one response. */
export const mostRemoved = 1_000

export interface ChangedRow {
  readonly id: number
  /** The time when it changed or began to match (epoch µs); no two are the same. */
  readonly stamp: number
}

export interface OddsDelta {
  /** Matching rows that changed or began to match, oldest change first; at most `mostCounted` + 1. */
  readonly changed: readonly ChangedRow[]
  /**
   * Ids of rows that matched at some time since, and are gone or do not match any more; oldest
   * first. If the board does not remember that far back, only those that it remembers.
   */
  readonly removed: readonly number[]
  /** When each of them was removed (epoch µs). */
  readonly removedAt: readonly number[]
  /** Stamp of the oldest removal that is listed; Infinity for none. */
  readonly removedFrom: number
  /** The sportsbooks of the removed rows, by number. */
  readonly removedBooks: ReadonlySet<number>
  /** True when there were more than `mostRemoved`. */
  readonly removedTruncated: boolean
  /**
   * Whether a client should take a fresh snapshot. Either the board does not remember that far
   * back, so the client would keep rows that are gone. Or so many rows leave the filter that
   * responses would fall behind.
   */
  readonly isBeyond: boolean
  /** Changes up to this stamp are not remembered (epoch µs). */
  readonly reach: number
  /** This response has everything up to this stamp (epoch µs). */
  readonly completeTo: number
}

/** A delta in progress: the board may change between two steps. */
export interface DeltaDraft {
  readonly filter: OddsFilter
  /** Looks at some thousand changes or rows. @returns whether it is done */
  step(): boolean
  /**
   * Looks at all remaining changes, and returns the delta as of now.
   * @param removedAfter only removals after this stamp are listed; default: all
   */
  finish(removedAfter?: number): OddsDelta
}

/** Changes, or rows, for about a millisecond. */
const changesOfStep = 4_096
const rowsOfStep = 8_192

/** @param since a stamp, exclusive (epoch µs) */
export function draftDelta(view: BoardView, filter: OddsFilter, since: number): DeltaDraft {
  const filterNow = () => compile(view, filter)
  let outcomes = createOutcomes(filterNow, since)
  /**
   * Set if the journal does not reach back to `since`; then only the removals that it still has are
   * known.
   */
  let known: KnownRows | undefined

  function step(): boolean {
    const { reach } = view.journal
    if (outcomes.upTo < reach) {
      outcomes = createOutcomes(filterNow, reach)
      known ??= knownRows(view, filter, since)
    }
    return (!known || known.step()) && outcomes.step(changesOfStep)
  }

  /**
   * Returns the matching rows that changed and the rows that do not match any more, oldest first in
   * each group.
   */
  function listed(): Iterable<Listed> {
    if (!known) return outcomes.list()
    const gone = [...outcomes.list()].filter(({ is }) => !is)
    const goneIds = new Set(gone.map(({ id }) => id))
    return [...known.list().filter(({ id }) => !goneIds.has(id)), ...gone]
  }

  return {
    filter,
    step,
    finish(removedAfter = 0) {
      while (!step()) {}
      const changed: ChangedRow[] = []
      const removed: number[] = []
      const removedAt: number[] = []
      const removedBooks = new Set<number>()
      const all = listed()
      let completeTo = known ? known.completeTo : view.watermark
      let changedTo = 0
      let removedFrom = Number.POSITIVE_INFINITY
      let removedTo = 0
      let changedTruncated = false
      let removedTruncated = false
      for (const { id, book, stamp, is } of all) {
        if (changedTruncated && removedTruncated) break
        if (is && changed.length <= mostCounted) {
          changed.push({ id, stamp })
          changedTo = stamp
        } else if (is) changedTruncated = true
        else if (stamp <= removedAfter) continue
        else if (removed.length < mostRemoved) {
          removed.push(id)
          removedAt.push(stamp)
          removedBooks.add(book)
          removedFrom = Math.min(removedFrom, stamp)
          removedTo = stamp
        } else removedTruncated = true
      }
      if (changedTruncated) completeTo = Math.min(completeTo, changedTo)
      if (removedTruncated) completeTo = Math.min(completeTo, removedTo)
      const isPassing = removedTruncated && removed.some((id) => view.rows.find(id) >= 0)
      const { reach } = view.journal
      const isBeyond = known !== undefined || isPassing
      const removals = { removed, removedAt, removedFrom, removedBooks, removedTruncated }
      return { changed, ...removals, isBeyond, reach, completeTo }
    },
  }
}

/** Returns the delta in one go. */
export const oddsDelta = (view: BoardView, filter: OddsFilter, since: number) =>
  draftDelta(view, filter, since).finish()

type Listed = Pick<Outcome, 'id' | 'book' | 'stamp' | 'is'>

interface KnownRows {
  step(): boolean
  /** Changes after this stamp are not listed. */
  readonly completeTo: number
  list(): readonly Listed[]
}

/** Finds the oldest matching rows that changed since a stamp from before the journal. */
function knownRows(view: BoardView, filter: OddsFilter, since: number): KnownRows {
  const asOf = view.watermark
  const events: ViewEvent[] = []
  const next = compile(view, filter).events()
  for (let event = next(); event; event = next()) events.push(event)
  /** One more than a delta lists, to know whether there are more. */
  const most = mostCounted + 2
  let found: Listed[] = []
  let to = asOf
  let eventsDone = 0

  function cut() {
    found.sort((a, b) => a.stamp - b.stamp)
    if (found.length <= most) return
    found = found.slice(0, most)
    to = found.at(-1)!.stamp
  }

  return {
    get completeTo() {
      return to
    },
    step() {
      const compiled = compile(view, filter)
      const { rows, journal } = view
      const { stamps } = journal
      for (let looked = 0; looked < rowsOfStep && eventsDone < events.length; eventsDone++) {
        for (const block of events[eventsDone]!.blocks) {
          if (!compiled.enter(block)) continue
          looked += block.count
          for (let i = 0; i < block.count; i++) {
            const row = block.rows[i]!
            const stamp = stamps[row]!
            if (stamp <= since || stamp > to || !compiled.names(row)) continue
            found.push({ id: rows.id(row), book: rows.book(row), stamp, is: true })
          }
        }
        if (found.length > 2 * most) cut()
      }
      return eventsDone === events.length
    },
    list() {
      cut()
      // A row that changed meanwhile is reported with its new stamp, or no longer matches.
      const isAsItWas = ({ id, stamp }: Listed) => {
        const row = view.rows.find(id)
        return row >= 0 && view.journal.stamp(row) === stamp
      }
      return view.watermark === asOf ? found : found.filter(isAsItWas)
    },
  }
}

/** Appends the rows of these ids that still exist, without the comma before the first. */
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
  /** The sportsbooks by number. */
  readonly books: ReadonlySet<number>
  /** The newest sighting (epoch ms); 0 for none. */
  readonly updatedAt: number
}

const blank = 0x20
