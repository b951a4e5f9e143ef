/**
 * Which opportunities of a scope have changed since the last tick, found mostly among events whose prices moved. Streams
 * and alerts read them here.
 */

import type { ViewEvent } from '../../pipeline/views/board/view-event.ts'
import type { ListedOpportunity, Valued } from '../../pipeline/views/opportunities/priced.ts'
import { byKind, type OpportunityKind, opportunityKinds } from '../../schemas/opportunity.ts'
import type { Scope } from '../access/scope.ts'
import { kindOf } from './all-kinds.ts'
import { standingIn } from './priced.ts'

type ByKind<T> = Readonly<Record<OpportunityKind, T>>

export interface OpportunityTick {
  /** Opportunities whose figures or validity changed. */
  readonly changed: ByKind<readonly ListedOpportunity[]>
  /** Ids whose rows are gone, also of some that no client got. */
  readonly gone: ReadonlySet<string>
}

export interface OpportunityFeed {
  /** @param moved events with prices that changed since the last tick */
  tick(moved: Iterable<ViewEvent>, now: number): OpportunityTick
  /**
   * Tracks these from now on, so that their end is noticed.
   * @param hasOthers whether other queries of the scope still need them: then they are in the next tick
   */
  track(entries: readonly ListedOpportunity[], now: number, hasOthers: boolean): void
}

/**
 * @param lookedAtInTurn opportunities of a kind examined in rotation at each tick, because prices also go stale by time
 * alone; 0 where that does not matter
 */
export function createOpportunityFeed(scope: Scope, lookedAtInTurn: number): OpportunityFeed {
  const { opportunities } = scope
  const known = new Map<string, Valued>()
  const turns = byKind(() => ({ next: 0 }))
  /** Ids tracked since the last tick and new to other queries. */
  const tracked = new Set<string>()
  let { version } = opportunities

  const valueNow = (entry: ListedOpportunity, now: number) =>
    standingIn(scope, entry, now) ?? undefined

  function note(id: string, value: Valued | undefined) {
    if (value) known.set(id, value)
    else known.delete(id)
  }

  return {
    track(entries, now, hasOthers) {
      for (const entry of entries) {
        const { id } = entry.row
        const value = valueNow(entry, now)
        if (value === known.get(id)) continue
        note(id, value)
        if (hasOthers) tracked.add(id)
      }
    },
    tick(moved, now) {
      const changed = byKind((): ListedOpportunity[] => [])
      const gone = new Set<string>()
      const examined = new Set<string>()

      function look(entry: ListedOpportunity) {
        const { id, kind: name } = entry.row
        if (examined.has(id)) return
        examined.add(id)
        const kind = kindOf(name)
        const value = valueNow(entry, now)
        // Which sportsbooks tie for a leg may depend on other prices than the legs'.
        if (value === known.get(id) && !kind.ties && !tracked.has(id)) return
        note(id, value)
        changed[name].push(entry)
      }

      const ids = opportunities.changedAfter(version)
      version = opportunities.version
      if (ids) {
        for (const id of ids) {
          const entry = opportunities.find(id)
          if (entry) {
            look(entry)
            continue
          }
          known.delete(id)
          gone.add(id)
        }
      } else {
        for (const id of [...known.keys(), ...tracked]) {
          if (opportunities.find(id)) continue
          known.delete(id)
          gone.add(id)
        }
        for (const kind of opportunityKinds)
          for (const entry of opportunities.all(kind)) look(entry)
      }
      for (const id of tracked) {
        const entry = opportunities.find(id)
        if (entry) look(entry)
      }
      tracked.clear()
      for (const { id } of moved) {
        for (const kind of opportunityKinds) {
          for (const entry of opportunities.ofEvent(id, kind)) look(entry)
        }
      }
      for (const kind of opportunityKinds) {
        const all = opportunities.all(kind)
        const turn = turns[kind]
        // Those of other scopes do not count: they would delay the scope's own.
        for (let i = 0, seen = 0; i < all.length && seen < lookedAtInTurn; i++) {
          turn.next = turn.next + 1 < all.length ? turn.next + 1 : 0
          const entry = all[turn.next]!
          if ((entry.row.scopes & scope.visibility) === 0) continue
          seen++
          look(entry)
        }
      }
      return { changed, gone }
    },
  }
}

/** A tick in which these of one kind changed. */
export const changedOf = (
  kind: OpportunityKind,
  entries: readonly ListedOpportunity[],
): OpportunityTick => ({
  changed: { ...nothingChanged, [kind]: entries },
  gone: new Set(),
})

export const nothingChanged = byKind((): readonly ListedOpportunity[] => [])
