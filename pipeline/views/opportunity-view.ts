/**
 * The table of opportunities in memory, by kind and by event. Written by its changelog alone, in
 * step with the board view: what an opportunity is worth is read off the board.
 */

import {
  type OpportunityKind,
  type OpportunityRow,
  opportunityKinds,
} from '../../schemas/opportunity.ts'
import type { SportsbookStatus } from '../../schemas/sportsbook-status.ts'
import { topics } from '../../schemas/topics.ts'
import type { LogRecord } from '../log/log.ts'

export interface OpportunityView {
  /** Empties the view: a fresh replay begins. */
  reset(): void
  /** Takes the records of its own table and of `sportsbook-status`; leaves out all others. */
  apply(records: readonly LogRecord[]): void
  find(id: string): OpportunityRow | undefined
  /** All of a kind, in no order. */
  all(kind: OpportunityKind): Iterable<OpportunityRow>
  count(kind: OpportunityKind): number
  /** Those of one event, of every kind. */
  ofEvent(eventId: string): Iterable<OpportunityRow>
  /** Sportsbooks whose source is down: their prices take part in nothing. */
  sourcesDown(): ReadonlySet<string>
  /** Grows with every change. */
  readonly version: number
}

export function createOpportunityView(): OpportunityView {
  const kinds = Object.fromEntries(
    opportunityKinds.map((kind) => [kind, new Map<string, OpportunityRow>()]),
  ) as Record<OpportunityKind, Map<string, OpportunityRow>>
  const byId = new Map<string, OpportunityRow>()
  const byEvent = new Map<string, Set<OpportunityRow>>()
  const down = new Set<string>()
  let version = 0

  function remove(id: string) {
    const row = byId.get(id)
    if (!row) return
    byId.delete(id)
    kinds[row.kind].delete(id)
    const ofEvent = byEvent.get(row.eventId)!
    ofEvent.delete(row)
    if (ofEvent.size === 0) byEvent.delete(row.eventId)
  }

  function set(row: OpportunityRow) {
    byId.set(row.id, row)
    kinds[row.kind].set(row.id, row)
    const ofEvent = byEvent.get(row.eventId)
    if (ofEvent) ofEvent.add(row)
    else byEvent.set(row.eventId, new Set([row]))
  }

  return {
    reset() {
      for (const rows of Object.values(kinds)) rows.clear()
      byId.clear()
      byEvent.clear()
      down.clear()
      version++
    },
    apply(records) {
      for (const { topic, key, value } of records) {
        if (topic.name === topics.sportsbookStatus.name) {
          version++
          if ((value as SportsbookStatus | null)?.status === 'down') down.add(key)
          else down.delete(key)
        }
        if (topic.name !== topics.opportunities.name) continue
        version++
        remove(key)
        if (value) set(value as OpportunityRow)
      }
    },
    find: (id) => byId.get(id),
    all: (kind) => kinds[kind].values(),
    count: (kind) => kinds[kind].size,
    ofEvent: (eventId) => byEvent.get(eventId) ?? [],
    sourcesDown: () => down,
    get version() {
      return version
    },
  }
}
