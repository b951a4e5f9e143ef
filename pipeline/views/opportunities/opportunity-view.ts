/**
 * The table of opportunities in memory, by kind and by event. Written by its changelog alone, in
 * step with the board view: what an opportunity is worth is read off the board.
 */

import {
  type OpportunityKind,
  type OpportunityRow,
  opportunityKinds,
} from '../../../schemas/opportunity.ts'
import { topics } from '../../../schemas/topics.ts'
import type { LogRecord } from '../../log/log.ts'
import { type Fees, noFees } from '../../rules/fees.ts'
import type { View } from '../view.ts'

/** An opportunity in the view, while its row stands. */
export interface ListedOpportunity {
  readonly row: OpportunityRow
  /** For the reader's own: what it made of the row. */
  kept: unknown
}

export interface OpportunityView extends View {
  /** Fees that figures count. */
  readonly fees: Fees
  reset(): void
  apply(records: readonly LogRecord[]): void
  find(id: string): ListedOpportunity | undefined
  /** All of a kind, in no order. */
  all(kind: OpportunityKind): readonly ListedOpportunity[]
  /** Those of one event, of every kind. */
  ofEvent(eventId: string): Iterable<ListedOpportunity>
  /** The events that have any. */
  eventIds(): Iterable<string>
  /** The version of the newest change to those of an event; 0 for an event that has none. */
  versionOf(eventId: string): number
  /** Grows with every change. */
  readonly version: number
  /** Ids whose rows changed after a version, some several times; null when that is not kept any more. */
  changedAfter(version: number): readonly string[] | null
}

/** Changes of rows whose ids are kept. */
const keptChanges = 0x8000

interface Entry extends ListedOpportunity {
  /** Where it stands among those of its kind. */
  place: number
}

interface EventEntries {
  /** See `versionOf`. */
  version: number
  readonly entries: Set<Entry>
}

export function createOpportunityView(fees: Fees = noFees): OpportunityView {
  const kinds = Object.fromEntries(
    opportunityKinds.map((kind) => [kind, [] as Entry[]]),
  ) as unknown as Record<OpportunityKind, Entry[]>
  const byId = new Map<string, Entry>()
  const byEvent = new Map<string, EventEntries>()
  let version = 0
  /** Ids in the order they changed, each with the version it came to. */
  let changed: { readonly id: string; readonly version: number }[] = []
  /** Changes up to this version are not kept. */
  let forgotten = 0

  function noteChange(id: string) {
    changed.push({ id, version })
    if (changed.length < 2 * keptChanges) return
    changed = changed.slice(keptChanges)
    forgotten = changed[0]!.version - 1
  }

  function remove(id: string) {
    const entry = byId.get(id)
    if (!entry) return
    const { row, place } = entry
    byId.delete(id)
    const ofKind = kinds[row.kind]
    const last = ofKind.pop()!
    if (last !== entry) {
      ofKind[place] = last
      last.place = place
    }
    const ofEvent = byEvent.get(row.eventId)!
    ofEvent.version = version
    ofEvent.entries.delete(entry)
    if (ofEvent.entries.size === 0) byEvent.delete(row.eventId)
  }

  function add(row: OpportunityRow) {
    const ofKind = kinds[row.kind]
    const entry: Entry = { row, kept: undefined, place: ofKind.length }
    ofKind.push(entry)
    byId.set(row.id, entry)
    let ofEvent = byEvent.get(row.eventId)
    if (!ofEvent) {
      ofEvent = { version, entries: new Set() }
      byEvent.set(row.eventId, ofEvent)
    }
    ofEvent.version = version
    ofEvent.entries.add(entry)
  }

  return {
    fees,
    tables: [topics.sportsbookStatus, topics.opportunities],
    reset() {
      for (const kind of opportunityKinds) kinds[kind].length = 0
      byId.clear()
      byEvent.clear()
      version++
      changed = []
      forgotten = version
    },
    apply(records) {
      for (const { topic, key, value } of records) {
        // Which opportunities stand depends on whose sources are down.
        if (topic.name === topics.sportsbookStatus.name) version++
        if (topic.name !== topics.opportunities.name) continue
        version++
        noteChange(key)
        remove(key)
        if (value) add(value as OpportunityRow)
      }
    },
    find: (id) => byId.get(id),
    all: (kind) => kinds[kind],
    ofEvent: (eventId) => byEvent.get(eventId)?.entries ?? [],
    eventIds: () => byEvent.keys(),
    versionOf: (eventId) => byEvent.get(eventId)?.version ?? 0,
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
