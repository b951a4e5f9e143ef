/**
 * What has changed on the board since an instant, for clients that poll: rows oldest change first, and
 * ids to take out. Sightings alone are no change. A client that asks again from `completeTo` has lost
 * nothing, even when this answer was cut short.
 */

import { type PageBuffer, reserve } from '../../text/page-buffer.ts'
import type { BoardView } from '../board/board-view.ts'
import { type CompiledFilter, compile } from './compiled-filter.ts'
import type { OddsFilter } from './odds-filter.ts'
import { type Outcome, outcomesSince } from './outcomes.ts'

/** Matches are counted up to here; beyond it a client should take a fresh snapshot. */
export const mostCounted = 10_000

/** Most ids to take out in one answer. */
export const mostRemoved = 1_000

export interface ChangedRow {
  readonly id: number
  /** When it changed, or came to be asked for (epoch µs); no two are the same. */
  readonly stamp: number
}

export interface OddsDelta {
  /** Rows asked for that changed, or came to be asked for, oldest change first; at most `mostCounted` + 1. */
  readonly changed: readonly ChangedRow[]
  /** Ids of rows that were asked for since, and have gone or are asked for no more; oldest first. */
  readonly removed: readonly number[]
  /** Numbers of the sportsbooks that these were at. */
  readonly removedBooks: ReadonlySet<number>
  /** There were more than `mostRemoved`. */
  readonly removedTruncated: boolean
  /**
   * A fresh snapshot is the shorter way: the board does not remember so far back, and who goes on with what there is
   * keeps rows that have gone; or so many rows leave the filter that answers would fall behind.
   */
  readonly isBeyond: boolean
  /** What happened before is not remembered (epoch µs). */
  readonly reach: number
  /** Everything up to this stamp is in this answer (epoch µs). */
  readonly completeTo: number
}

/** @param since a stamp, exclusive (epoch µs) */
export function oddsDelta(view: BoardView, filter: OddsFilter, since: number): OddsDelta {
  const asked = compile(view, filter)
  const { reach } = view.journal
  const isRemembered = since >= reach
  const outcomes = isRemembered ? outcomesSince(asked, since) : knownOf(asked, since)
  const changed = oldest(outcomes, ({ is }) => is, mostCounted + 1)
  const gone = oldest(outcomes, ({ is }) => !is, mostRemoved)
  const isPassing = gone.isCut && gone.first.some(({ id }) => view.rows.find(id) >= 0)
  return {
    changed: changed.first,
    removed: gone.first.map(({ id }) => id),
    removedBooks: new Set(gone.first.map(({ book }) => book)),
    removedTruncated: gone.isCut,
    isBeyond: !isRemembered || isPassing,
    reach,
    completeTo: Math.min(view.watermark, changed.completeTo, gone.completeTo),
  }
}

/** The first of some outcomes by their stamps, and up to which stamp these are all. */
function oldest(outcomes: readonly Outcome[], isSuch: (of: Outcome) => boolean, most: number) {
  const all = outcomes.filter(isSuch)
  const isCut = all.length > most
  const first = isCut ? all.slice(0, most) : all
  return { first, isCut, completeTo: isCut ? first.at(-1)!.stamp : Number.POSITIVE_INFINITY }
}

/** Rows asked for now that changed since, where nobody remembers what there was. */
function knownOf(asked: CompiledFilter, since: number): readonly Outcome[] {
  const { rows, journal } = asked.view
  const { stamps } = journal
  const found: Outcome[] = []
  const next = asked.events()
  for (let event = next(); event; event = next()) {
    for (const block of event.blocks) {
      if (!asked.enter(block)) continue
      for (let i = 0; i < block.count; i++) {
        const row = block.rows[i]!
        const stamp = stamps[row]!
        if (stamp <= since || !asked.names(row)) continue
        found.push({
          id: rows.id(row),
          book: rows.book(row),
          stamp,
          is: true,
          isWhole: true,
        })
      }
    }
  }
  return found.sort((a, b) => a.stamp - b.stamp)
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
