/** The entries of the opportunity table: by id, by kind (unsorted), and by event. Other modules set their values. */

import {
  byKind,
  type OpportunityKind,
  type OpportunityRow,
  opportunityKinds,
} from '../../../schemas/opportunity.ts'
import type { ListedOpportunity, TakenRows, Valued } from './priced.ts'

/** The work that remains before an opportunity's value is current. */
export const stale = {
  nothing: 0,
  /** Read the prices of its rows. */
  prices: 1,
  /** Look up its rows, then read their prices. */
  rows: 2,
} as const

export interface Entry extends ListedOpportunity {
  /** Its index among the entries of its kind; below 0 once it is removed. */
  place: number
  readonly ofEvent: EventEntries
  /** One of the values of `stale`. */
  stale: number
  /** Whether it is in the queue to be valued. */
  isQueued: boolean
  /** The rows of the board that it is computed from; null while one is missing or inactive. */
  taken: TakenRows | null
  /** Its slots in `row-users.ts`, one for each of these rows, in the same order. */
  slots: readonly number[]
  /**
   * The market and (as numbers on the board) the sportsbooks, if prices of other sides are needed.
   */
  marketType: string
  books: readonly number[]
  /** The lowest visibility that sees the prices that it is measured against. */
  seenFrom: number
  exact: Valued | null
  veiled: Valued | null
  /** Whether it may be bet on now. */
  stands: boolean
  /** The visibilities whose lists have it, one bit for each. */
  inLists: number
}

export interface EventEntries {
  readonly eventId: string
  readonly byKind: Readonly<Record<OpportunityKind, Set<Entry>>>
  /** By kind, the number of the last entry that came or went, among all events: each is used once. */
  readonly changes: Record<OpportunityKind, number>
  count: number
  /** Until this time (epoch ms), the clock alone ends no opportunity of the event. */
  standUntil: number
  /**
   * The event's stamp when its opportunities with figures that may not be bet on were last checked;
   * NaN if there are none.
   */
  fallenAt: number
}

const none: readonly never[] = []

export function createEntries() {
  const ofKinds = byKind((): Entry[] => [])
  const byId = new Map<string, Entry>()
  const byEvent = new Map<string, EventEntries>()
  let changes = 0

  function eventOf({ eventId }: OpportunityRow): EventEntries {
    let ofEvent = byEvent.get(eventId)
    if (!ofEvent) {
      ofEvent = {
        eventId,
        byKind: byKind(() => new Set<Entry>()),
        changes: byKind(() => 0),
        count: 0,
        standUntil: Number.POSITIVE_INFINITY,
        fallenAt: Number.NaN,
      }
      byEvent.set(eventId, ofEvent)
    }
    return ofEvent
  }

  return {
    ofKinds: ofKinds as Readonly<Record<OpportunityKind, readonly Entry[]>>,
    byId: byId as ReadonlyMap<string, Entry>,
    byEvent: byEvent as ReadonlyMap<string, EventEntries>,
    add(row: OpportunityRow): Entry {
      const ofKind = ofKinds[row.kind]
      const ofEvent = eventOf(row)
      const entry: Entry = {
        row,
        place: ofKind.length,
        ofEvent,
        stale: stale.nothing,
        isQueued: false,
        taken: null,
        slots: none,
        marketType: '',
        books: none,
        seenFrom: 0,
        exact: null,
        veiled: null,
        stands: false,
        inLists: 0,
      }
      ofKind.push(entry)
      byId.set(row.id, entry)
      ofEvent.byKind[row.kind].add(entry)
      ofEvent.changes[row.kind] = ++changes
      ofEvent.count++
      return entry
    },
    remove(entry: Entry) {
      const { row, place, ofEvent } = entry
      byId.delete(row.id)
      const ofKind = ofKinds[row.kind]
      const last = ofKind.pop()!
      if (last !== entry) {
        ofKind[place] = last
        last.place = place
      }
      entry.place = -1
      ofEvent.byKind[row.kind].delete(entry)
      ofEvent.changes[row.kind] = ++changes
      if (--ofEvent.count === 0) byEvent.delete(row.eventId)
    },
    clear() {
      for (const kind of opportunityKinds) ofKinds[kind].length = 0
      byId.clear()
      byEvent.clear()
    },
  }
}

export type Entries = ReturnType<typeof createEntries>
