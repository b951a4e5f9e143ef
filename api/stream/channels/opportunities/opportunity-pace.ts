/**
 * Decides when a stream sends a matching opportunity: once it is old enough, and not too soon after
 * another of its event and kind. With `again_if_better`, one that was sent is sent again only while
 * it is worth more than whenever it was sent before. One that expires while it waits is never sent.
 */

import { compareTexts } from '../../../../pipeline/text/compare-texts.ts'
import type { ListedOpportunity } from '../../../../pipeline/views/opportunities/priced.ts'
import type { OpportunityKind } from '../../../../schemas/opportunity.ts'
import type { StreamFilters } from '../filters.ts'

export interface Pace {
  readonly minAgeMs: number
  /** Least time between two of one event and kind. */
  readonly cooldownMs: number
  readonly isAgainIfBetter: boolean
}

/** Returns the pace of filters; null if everything is sent at once. */
export function paceOf(filters: StreamFilters): Pace | null {
  const { min_age_ms = 0, event_cooldown_ms = 0, again_if_better = false } = filters
  if (min_age_ms === 0 && event_cooldown_ms === 0 && !again_if_better) return null
  return {
    minAgeMs: min_age_ms,
    cooldownMs: event_cooldown_ms,
    isAgainIfBetter: again_if_better,
  }
}

export interface OpportunityPace {
  /** Adds an opportunity that matches from now on. */
  wait(entry: ListedOpportunity): void
  /** Removes one that no longer matches. */
  forget(id: string): void
  /**
   * Returns the ids to send now, best first.
   * @param now epoch ms
   * @param worths returns the current worth of each, by id; absent if it no longer matches
   */
  due(
    kind: OpportunityKind,
    now: number,
    worths: (entries: readonly ListedOpportunity[]) => ReadonlyMap<string, number>,
  ): string[]
}

/** Most sent opportunities remembered. The oldest are forgotten first. */
const mostRemembered = 50_000

/** @param sinceOf returns when one was detected, as readers see it (epoch ms); null for one without figures */
export function createOpportunityPace(
  pace: Pace,
  sinceOf: (entry: ListedOpportunity) => number | null,
): OpportunityPace {
  const { minAgeMs, cooldownMs, isAgainIfBetter } = pace
  const waiting = new Map<string, ListedOpportunity>()
  /** The worth of each when it was last sent, oldest first. */
  const sentWorths = new Map<string, number>()
  /** When the next of an event and kind may be sent (epoch ms). */
  const coolUntil = new Map<string, number>()
  /** Kinds whose first round is over. Opportunities of that round are sent without cooldown. */
  const startedKinds = new Set<OpportunityKind>()

  function remember(id: string, worth: number) {
    if (!isAgainIfBetter) return
    // Moves the entry to the end of the map.
    sentWorths.delete(id)
    sentWorths.set(id, worth)
    if (sentWorths.size <= mostRemembered) return
    const [oldest] = sentWorths.keys()
    sentWorths.delete(oldest!)
  }

  /** Returns whether the cooldown is over, and if so restarts it. */
  function takesTurn(place: string, now: number): boolean {
    if ((coolUntil.get(place) ?? 0) > now) return false
    coolUntil.set(place, now + cooldownMs)
    return true
  }

  function sweep(now: number) {
    for (const [place, until] of coolUntil) if (until <= now) coolUntil.delete(place)
  }

  return {
    wait(entry) {
      waiting.set(entry.row.id, entry)
    },
    forget(id) {
      waiting.delete(id)
    },
    due(kind, now, worths) {
      const isFirst = !startedKinds.has(kind)
      startedKinds.add(kind)
      const ofAge: ListedOpportunity[] = []
      for (const entry of waiting.values()) {
        if (entry.row.kind !== kind) continue
        const since = sinceOf(entry)
        if (since !== null && now - since >= minAgeMs) ofAge.push(entry)
      }
      if (ofAge.length === 0) return []
      if (cooldownMs > 0) sweep(now)
      const worthOf = worths(ofAge)
      const ids: string[] = []
      // Equal ones are sorted by id, because the order of detection depends on prices that not everybody sees.
      const bestFirst = ofAge.toSorted(
        (a, b) =>
          (worthOf.get(b.row.id) ?? 0) - (worthOf.get(a.row.id) ?? 0) ||
          compareTexts(a.row.id, b.row.id),
      )
      for (const { row } of bestFirst) {
        const { id, eventId } = row
        const worth = worthOf.get(id)
        if (worth === undefined) {
          waiting.delete(id)
          continue
        }
        if (worth <= (sentWorths.get(id) ?? Number.NEGATIVE_INFINITY)) continue
        if (!isFirst && cooldownMs > 0 && !takesTurn(`${kind} ${eventId}`, now)) continue
        waiting.delete(id)
        remember(id, worth)
        ids.push(id)
      }
      return ids
    },
  }
}
