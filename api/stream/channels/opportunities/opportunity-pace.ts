/**
 * When a stream tells of an opportunity that it shows: once it is of age, not too soon after another of
 * its event and kind, and, where it was told before, only while it is worth more. Until then it waits,
 * and nobody hears of one that goes meanwhile.
 */

import { compareTexts } from '../../../../pipeline/text/compare-texts.ts'
import type { ListedOpportunity } from '../../../../pipeline/views/opportunities/priced.ts'
import type { OpportunityKind } from '../../../../schemas/opportunity.ts'
import type { StreamFilters } from '../filters.ts'

export interface Pace {
  readonly minAgeMs: number
  /** Between two of one event and kind. */
  readonly cooldownMs: number
  readonly isAgainIfBetter: boolean
}

/** Null where everything is told at once. */
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
  /** It is asked for from now on. */
  wait(entry: ListedOpportunity): void
  /** It is not asked for any more. */
  forget(id: string): void
  /**
   * Takes those that are to be told now, the best first.
   * @param worths what each of them is worth now, by id; absent for one that is not asked for any more
   */
  due(
    kind: OpportunityKind,
    now: number,
    worths: (entries: readonly ListedOpportunity[]) => ReadonlyMap<string, number>,
  ): string[]
}

/** Opportunities that were told, beyond which the oldest are forgotten. */
const mostRemembered = 50_000

/** @param sinceOf since when one has been there, as its reader is shown it; null for one that has no figures */
export function createOpportunityPace(
  pace: Pace,
  sinceOf: (entry: ListedOpportunity) => number | null,
): OpportunityPace {
  const { minAgeMs, cooldownMs, isAgainIfBetter } = pace
  const waiting = new Map<string, ListedOpportunity>()
  /** What each was worth at most when it was told. */
  const sentWorths = new Map<string, number>()
  /** When the next of an event and kind may be told (epoch ms). */
  const coolUntil = new Map<string, number>()
  /** What there is in the beginning is told in one, whatever events it is of. */
  const begun = new Set<OpportunityKind>()

  function remember(id: string, worth: number) {
    if (!isAgainIfBetter) return
    // It goes to the end, as the one told last.
    sentWorths.delete(id)
    sentWorths.set(id, worth)
    if (sentWorths.size <= mostRemembered) return
    const [oldest] = sentWorths.keys()
    sentWorths.delete(oldest!)
  }

  /** Whether the event has cooled down; then it is hot again. */
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
      const isFirst = !begun.has(kind)
      begun.add(kind)
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
      // Of equals the first by id: the order they came in follows prices that not all see.
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
