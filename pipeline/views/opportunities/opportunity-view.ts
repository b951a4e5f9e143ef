/**
 * The table of opportunities in memory, with their values at the prices on the board. Rows are written only by their
 * changelog; figures are computed when a price has moved, once for all readers (`values.ts`), and lists are kept in
 * order (`lists.ts`). The board must have applied the same records before.
 */

import {
  type OpportunityKind,
  type OpportunityRow,
  opportunityKinds,
} from '../../../schemas/opportunity.ts'
import type { Sighting } from '../../../schemas/sighting.ts'
import type { SportsbookStatus } from '../../../schemas/sportsbook-status.ts'
import { topics } from '../../../schemas/topics.ts'
import type { LogRecord } from '../../log/log.ts'
import { type Fees, noFees } from '../../rules/odds/fees.ts'
import type { BoardView } from '../board/board-view.ts'
import type { ViewEvent } from '../board/view-event.ts'
import type { View } from '../view.ts'
import { createEntries, type Entry } from './entries.ts'
import { createLists, type OpportunityList } from './lists.ts'
import {
  type Item,
  type ListedOpportunity,
  pricedOn,
  pricesTaken,
  standsUntil,
  takenRows,
  type Valued,
  valued,
  veiled,
} from './priced.ts'
import { createValues } from './values.ts'

export interface OpportunityView extends View {
  readonly board: BoardView
  /** The fees that are subtracted in figures. */
  readonly fees: Fees
  reset(): void
  apply(records: readonly LogRecord[]): void
  find(id: string): ListedOpportunity | undefined
  /** Returns all opportunities of a kind, in no order. */
  all(kind: OpportunityKind): readonly ListedOpportunity[]
  /** Returns the opportunities of a kind on one event. */
  ofEvent(eventId: string, kind: OpportunityKind): Iterable<ListedOpportunity>
  /** Returns a number that changes when one of `ofEvent` comes or goes; 0 if there are none. */
  changesOn(eventId: string, kind: OpportunityKind): number
  /**
   * Returns its value for readers of a visibility. It is the same object until one of its prices
   * changes; null if a price is gone, or the prices make no opportunity any more.
   */
  value(entry: ListedOpportunity, visibility: number): Valued | null
  /** Returns the same for a row that is not in the table. */
  valueRow(row: OpportunityRow, visibility: number): Valued | null
  /**
   * Returns the current value of an opportunity from `list` or `listOf`; null if it is in none any
   * more.
   */
  current(of: Valued, visibility: number): Valued | null
  /** Returns whether it may be bet on at a time (epoch ms). */
  stands(of: Valued, now: number): boolean
  /** Returns the opportunity with its prices. */
  item<Figures extends object>(of: Valued<Figures>): Item<Figures>
  /** Moves the opportunities that stand to a time (epoch ms), see `current`. */
  moveTo(now: number): void
  /** Returns the list of a visibility at a time (epoch ms). Valid until the board changes. */
  list(kind: OpportunityKind, visibility: number, now: number): OpportunityList
  /**
   * Returns most of the work of `list` as steps, to be done before while the board may change; null
   * if it is little work.
   */
  listAhead(kind: OpportunityKind, visibility: number): Iterator<void> | null
  /** Returns the opportunities of a visibility on some events, in no order. */
  listOf(
    kind: OpportunityKind,
    visibility: number,
    now: number,
    isOfEvent: (event: ViewEvent) => boolean,
  ): readonly Valued[]
  /** Values all opportunities of a kind whose prices have moved. */
  valueAll(kind: OpportunityKind): void
  /**
   * Calls `watcher` for each opportunity that is valued again, because it is new or a price has
   * moved; even if it has no value any more.
   * @returns a function that ends the watch
   */
  watchValues(watcher: (entry: ListedOpportunity) => void): () => void
  /** How many rows are left out because their kind is unknown: a newer pipeline writes them. */
  readonly unknownCount: number
  /** A number that grows with every change. */
  readonly version: number
  /**
   * Returns the ids whose rows changed after a version (an id may come several times); null if that
   * is not kept any more.
   */
  changedAfter(version: number): readonly string[] | null
}

/** The number of changes of rows whose ids are kept. */
const keptChanges = 0x8000

/** Opportunities that are valued before other work gets its turn: a millisecond or two. */
const valuedAtOnce = 128

/** @param valuesChanges whether changes of prices work out what they move, and not only pauses and reads */
export function createOpportunityView(
  board: BoardView,
  fees: Fees = noFees,
  valuesChanges = true,
): OpportunityView {
  const entries = createEntries()
  const lists = createLists(board, entries)
  const watchers = new Set<(entry: ListedOpportunity) => void>()
  const values = createValues(board, fees, entries, lists, tellWatchers)
  /** Kinds whose initial opportunities have all been valued. */
  const met = new Set<OpportunityKind>()
  let version = 0
  /** Ids in order of change, each with the version that the change made. */
  let changed: { readonly id: string; readonly version: number }[] = []
  /** Changes up to this version are not kept. */
  let forgotten = 0
  /** Ids of rows of kinds that this version does not know. */
  const unknown = new Set<string>()

  function tellWatchers(entry: Entry) {
    for (const watcher of watchers) watcher(entry)
  }

  function noteChange(id: string) {
    changed.push({ id, version })
    if (changed.length < 2 * keptChanges) return
    changed = changed.slice(keptChanges)
    forgotten = changed[0]!.version - 1
  }

  function replaceRow(id: string, row: OpportunityRow | null) {
    const before = entries.byId.get(id)
    if (before) {
      values.remove(before)
      entries.remove(before)
    }
    if (row && !isKnown(row)) unknown.add(id)
    else {
      unknown.delete(id)
      if (row) values.add(entries.add(row))
    }
  }

  /**
   * Values what has moved of the kinds that are read as lists, at most `most` of each: work in
   * proportion to the changes. A pause or a read values the rest.
   */
  function valueKept(most: number) {
    values.followBoard()
    for (const kind of opportunityKinds) if (lists.isKept(kind)) values.valueSome(kind, most)
  }

  function* ahead(kind: OpportunityKind, visibility: number): Generator<void> {
    while (values.countStale(kind) > valuedAtOnce) {
      values.valueSome(kind, valuedAtOnce)
      yield
      values.followBoard()
    }
    // Between steps the list may be let go and made anew.
    while (lists.fillSome(lists.of(kind, visibility))) yield
  }

  return {
    board,
    fees,
    tables: [
      topics.sportsbookStatus,
      topics.events,
      topics.sightings,
      topics.odds,
      topics.opportunities,
    ],
    reset() {
      entries.clear()
      lists.clear()
      values.clear()
      met.clear()
      unknown.clear()
      version++
      changed = []
      forgotten = version
    },
    apply(records) {
      for (const { topic, key, value } of records) {
        if (topic.name === topics.sportsbookStatus.name) {
          // Sources that go down or come back change which opportunities stand.
          version++
          if (value) values.takeStatus(value as SportsbookStatus)
        } else if (topic.name === topics.sightings.name) {
          if (value) lists.noteSighting(value as Sighting)
        } else if (topic.name === topics.events.name) {
          const ofEvent = entries.byEvent.get(key)
          if (ofEvent) values.noteEvent(ofEvent)
        } else if (topic.name === topics.opportunities.name) {
          version++
          noteChange(key)
          replaceRow(key, value as OpportunityRow | null)
        }
      }
      if (valuesChanges) valueKept(records.length)
    },
    doDeferred() {
      values.followBoard()
      // Kinds that nobody requests are valued once, so that the first request need not wait for all
      // their values.
      for (const kind of opportunityKinds) {
        lists.letGo(kind)
        if (met.has(kind) && !lists.isKept(kind)) continue
        if (values.valueSome(kind, valuedAtOnce)) return true
        met.add(kind)
      }
      return false
    },
    find: (id) => entries.byId.get(id),
    all: (kind) => entries.ofKinds[kind],
    ofEvent: (eventId, kind) => entries.byEvent.get(eventId)?.byKind[kind] ?? none,
    changesOn: (eventId, kind) => entries.byEvent.get(eventId)?.changes[kind] ?? 0,
    value(entry, visibility) {
      values.followBoard()
      // Entries are made only here.
      return values.of(entry as Entry, visibility)
    },
    valueRow(row, visibility) {
      const taken = (row.scopes & (1 << visibility)) === 0 ? null : takenRows(board, row)
      if (!taken) return null
      const prices = pricesTaken(board, row, taken, fees)
      const exact = valued(board, { row }, taken, prices)
      return exact && visibility < values.seenFrom(taken) ? veiled(exact, prices) : exact
    },
    current(of, visibility) {
      values.followBoard()
      const entry = of.entry as Entry
      if (entry.place < 0) return null
      const value = values.of(entry, visibility)
      return entry.stands ? value : null
    },
    stands: ({ taken }, now) => now <= standsUntil(board, taken),
    item<Figures extends object>(of: Valued<Figures>) {
      const { entry, taken, figures } = of
      of.item ??= { figures, ...pricedOn(board, entry.row, taken, fees) }
      return of.item
    },
    moveTo(now) {
      values.followBoard()
      lists.moveTo(now)
    },
    list(kind, visibility, now) {
      values.followBoard()
      values.valueSome(kind, Number.POSITIVE_INFINITY)
      lists.moveTo(now)
      const list = lists.of(kind, visibility)
      while (lists.fillSome(list)) {}
      return list
    },
    listAhead(kind, visibility) {
      values.followBoard()
      const isLittle =
        values.countStale(kind) <= valuedAtOnce && !lists.of(kind, visibility).filling
      return isLittle ? null : ahead(kind, visibility)
    },
    listOf(kind, visibility, now, isOfEvent) {
      values.followBoard()
      lists.moveTo(now)
      const some: Valued[] = []
      for (const { eventId, byKind } of entries.byEvent.values()) {
        const event = board.find(eventId)
        if (!event || !isOfEvent(event)) continue
        for (const entry of byKind[kind]) {
          if ((entry.row.scopes & (1 << visibility)) === 0) continue
          const value = values.of(entry, visibility)
          if (value && entry.stands) some.push(value)
        }
      }
      return some
    },
    valueAll(kind) {
      values.followBoard()
      values.valueSome(kind, Number.POSITIVE_INFINITY)
    },
    watchValues(watcher) {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    get unknownCount() {
      return unknown.size
    },
    get version() {
      return version
    },
    changedAfter(since) {
      if (since < forgotten) return null
      let first = changed.length
      while (first > 0 && changed[first - 1]!.version > since) first--
      return changed.slice(first).map(({ id }) => id)
    },
  }
}

const none: readonly never[] = []
const isKnown = ({ kind }: OpportunityRow) => opportunityKinds.includes(kind)
