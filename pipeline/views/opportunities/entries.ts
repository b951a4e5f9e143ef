/** The rows of the table: by id, by kind in no order, and by event. Other modules write the value of each on it. */

import {
  byKind,
  type OpportunityKind,
  type OpportunityRow,
  opportunityKinds,
} from '../../../schemas/opportunity.ts'
import type { ListedOpportunity, TakenRows, Valued } from './priced.ts'

/** The steps needed before an opportunity's value is current. */
export const stale = {
  nothing: 0,
  /** Read the prices of its rows. */
  prices: 1,
  /** Look up its rows, too. */
  rows: 2,
} as const

export interface Entry extends ListedOpportunity {
  /** Its index among those of its kind; below 0 once it is gone. */
  place: number
  readonly ofEvent: EventEntries
  /** One of the values of `stale`. */
  stale: number
  /** The rows that it takes; null while one is missing or inactive. */
  taken: TakenRows | null
  /** Its places among the users of these rows, in their order. */
  slots: readonly number[]
  /** The market, and the sportsbooks by their numbers on the board, where other sides matter. */
  marketType: string
  books: readonly number[]
  /** The lowest visibility that sees the prices it is measured against. */
  seenFrom: number
  exact: Valued | null
  veiled: Valued | null
  /** Whether it may be bet on now. */
  stands: boolean
  /** The visibilities whose lists it is in, a bit each. */
  inLists: number
}

export interface EventEntries {
  readonly eventId: string
  readonly byKind: Readonly<Record<OpportunityKind, Set<Entry>>>
  count: number
  /** Time until which every opportunity of the event that stands now still does (epoch ms). */
  standUntil: number
  /** The stamp of the event when those with figures that do not stand were last checked; NaN while there are none. */
  fallenAt: number
}

const none: readonly never[] = []

export function createEntries() {
  const ofKinds = byKind((): Entry[] => [])
  const byId = new Map<string, Entry>()
  const byEvent = new Map<string, EventEntries>()

  function eventOf({ eventId }: OpportunityRow): EventEntries {
    let ofEvent = byEvent.get(eventId)
    if (!ofEvent) {
      ofEvent = {
        eventId,
        byKind: byKind(() => new Set<Entry>()),
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
