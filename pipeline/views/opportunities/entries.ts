/** The rows of the table: by id, in no order by kind, and by event. What each comes to is written on it by others. */

import {
  byKind,
  type OpportunityKind,
  type OpportunityRow,
  opportunityKinds,
} from '../../../schemas/opportunity.ts'
import type { ListedOpportunity, TakenRows, Valued } from './priced.ts'

/** What has to be looked at before an opportunity is worth anything. */
export const stale = {
  nothing: 0,
  /** Prices of the rows that it takes. */
  prices: 1,
  /** Which rows it takes, too. */
  rows: 2,
} as const

export interface Entry extends ListedOpportunity {
  /** Where it stands among those of its kind; below 0 once it is gone. */
  place: number
  readonly ofEvent: EventEntries
  /** Of `stale`. */
  stale: number
  /** The rows that it takes; null while one is missing, or no bets are taken on it. */
  taken: TakenRows | null
  /** Its places among the users of these rows, in their order. */
  slots: readonly number[]
  /** Where other sides count: of which market, and of which sportsbooks, by their numbers on the board. */
  marketType: string
  books: readonly number[]
  /** The lowest level that sees what it is measured against. */
  seenFrom: number
  exact: Valued | null
  veiled: Valued | null
  /** Whether it may be bet on now. */
  stands: boolean
  /** The levels whose lists it is in, a bit each. */
  inLists: number
}

export interface EventEntries {
  readonly eventId: string
  readonly byKind: Readonly<Record<OpportunityKind, Set<Entry>>>
  count: number
  /** None of those that stand ceases to before (epoch ms). */
  standUntil: number
  /** Some have figures and do not stand: the stamp of the event when they were last looked at, else NaN. */
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
