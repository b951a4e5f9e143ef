/** The prices that sets of sportsbooks are computed from: the board's, followed once for all sets. */

import type { LogRecord } from '../pipeline/log/log.ts'
import { type BookSets, createBookSets } from '../pipeline/processors/opportunities/book-sets.ts'
import type { Chains } from '../pipeline/rules/odds/chains.ts'
import type { Fees } from '../pipeline/rules/odds/fees.ts'
import { eventListKey } from '../pipeline/views/board/board-index.ts'
import type { BoardView } from '../pipeline/views/board/board-view.ts'
import { changeKind, type RowChange } from '../pipeline/views/board/journal.ts'
import type { ViewEvent } from '../pipeline/views/board/view-event.ts'
import type { SourcesView } from '../pipeline/views/sources/sources-view.ts'
import type { EventRow } from '../schemas/event.ts'
import type { Sighting } from '../schemas/sighting.ts'
import { topics } from '../schemas/topics.ts'
import { pricedRowAt } from './priced-rows.ts'

export interface FollowPricesOptions {
  readonly board: BoardView
  readonly sources: SourcesView
  /** The chain of each game. */
  readonly chain: Chains
  readonly most: number
  /** Returns the time from which prices' ages count (epoch ms). */
  readonly now: () => number
}

/** How often time advances, as in the pipeline. */
const advanceEveryMs = 1_000
/** Rows read before other work runs: some milliseconds. */
const rowsAtOnce = 2_000

/** The board's prices by line, for all sets. */
export interface FollowedPrices {
  readonly sets: BookSets
  /** Whether parts of the board have not been read yet. */
  readonly isFilling: boolean
  /** Reads a part of the initial board. @returns whether there is more */
  fillSome(): boolean
  /** Reads all changes. @returns `lost` if the changes are no longer known */
  follow(): 'lost' | undefined
  /** Reads records of sightings, events and statuses. */
  take(records: readonly LogRecord[]): void
}

/** @param most most sets that are open at once */
export function followPrices(
  { board, sources, chain, most, now }: FollowPricesOptions,
  fees: Fees,
): FollowedPrices {
  const { rows, journal } = board
  const sets = createBookSets(chain, fees, most, board.references)
  const { prices } = sets
  /** Event rows by id, as they were read. */
  const events = new Map<string, EventRow>()
  /** Events whose record has changed since. */
  const changedEvents = new Set<string>()
  const down = new Set<string>()
  const ownersOnly = new Set<string>()
  let statusVersion = -1
  let advancedTo = Number.NEGATIVE_INFINITY
  let followedTo = board.watermark
  let filling: Iterator<void> | null = fill()

  function takeRow(row: number) {
    const { event } = rows.block(row)
    if (events.get(event.id) !== event.row) takeEvent(event.id)
    prices.applyOdds(pricedRowAt(board, row))
  }

  /** Reads an event as it is on the board now. */
  function takeEvent(id: string) {
    const event = board.find(id)
    if (!event || event.isForgotten) {
      if (events.delete(id)) prices.applyEvent(id, null)
      return
    }
    const isNew = !events.has(id)
    events.set(id, event.row)
    prices.applyEvent(id, event.row)
    // Prices that stayed on the board while the event was missing were read with its former row.
    if (isNew && !filling) takeRowsOf(event)
  }

  function takeRowsOf(event: ViewEvent) {
    const live = new Set<string>()
    for (const block of event.blocks) {
      for (let at = 0; at < block.count; at++) {
        const row = block.rows[at]!
        prices.removeOdds(rows.id(row))
        takeRow(row)
        if (rows.isLive(row)) live.add(rows.sighted(row).sportsbook)
      }
    }
    for (const { sportsbook, lastSeenAt } of event.offers.values()) {
      const isLive = live.has(sportsbook)
      prices.applySighting({
        ...{ eventId: event.id, sportsbook, lastSeenAt, isLive },
        hasGivenPrices: true,
      })
    }
  }

  function* fill(): Generator<void> {
    takeStatuses()
    advance()
    let count = 0
    for (const event of [...board.events(eventListKey.all)]) {
      if (board.find(event.id) !== event) continue
      takeEvent(event.id)
      takeRowsOf(event)
      count += event.rowCount
      if (count < rowsAtOnce) continue
      count = 0
      sets.settle()
      yield
    }
    sets.settle()
  }

  function fillSome(): boolean {
    if (filling?.next().done) filling = null
    return filling !== null
  }

  function takeStatuses() {
    if (sources.version === statusVersion) return
    statusVersion = sources.version
    const at = now()
    for (const sportsbook of new Set([...down, ...sources.down])) {
      const isDown = sources.down.has(sportsbook)
      if (isDown) down.add(sportsbook)
      else down.delete(sportsbook)
      prices.applySource(sportsbook, !isDown, at)
    }
    for (const sportsbook of new Set([...ownersOnly, ...sources.ownersOnly])) {
      const isOwners = sources.ownersOnly.has(sportsbook)
      if (isOwners) ownersOnly.add(sportsbook)
      else ownersOnly.delete(sportsbook)
      prices.applyAudience(sportsbook, isOwners)
    }
  }

  function advance() {
    const at = now()
    if (at - advancedTo < advanceEveryMs) return
    advancedTo = at
    prices.advance(at)
  }

  function followRow({ kind, id }: RowChange) {
    if (kind === changeKind.standing) return
    const row = rows.find(id)
    if (row < 0) return prices.removeOdds(id)
    takeRow(row)
    if (kind !== changeKind.whole) return
    // A new row may have been seen before it was on the board.
    const { sportsbook, lastSeenAt } = rows.sighted(row)
    const { event } = rows.block(row)
    const isLive = rows.isLive(row)
    const sighting = { eventId: event.id, sportsbook, lastSeenAt, isLive, hasGivenPrices: true }
    prices.applySighting(sighting)
  }

  return {
    sets,
    fillSome,
    get isFilling() {
      return filling !== null
    },
    follow() {
      while (fillSome()) {}
      // Time goes back when a recording starts again.
      if (followedTo < journal.reach || now() < advancedTo - advanceEveryMs) return 'lost'
      takeStatuses()
      for (const id of changedEvents) takeEvent(id)
      changedEvents.clear()
      const { watermark } = board
      if (watermark !== followedTo) journal.forEach(followedTo, followRow)
      followedTo = watermark
      advance()
      sets.settle()
      return undefined
    },
    take(records) {
      for (const { topic, key, value } of records) {
        if (topic.name === topics.events.name) changedEvents.add(key)
        else if (topic.name === topics.sightings.name && value) {
          const sighting = value as Sighting
          if (events.has(sighting.eventId)) prices.applySighting(sighting)
        }
      }
    },
  }
}
