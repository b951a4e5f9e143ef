/**
 * News of opportunities. A **feed** for each scope finds the opportunities that changed, mostly among events whose
 * prices moved. Each query has its **matched** ids, with a journal from which a client that is behind gets the
 * difference.
 */

import type { Chains } from '../../../../pipeline/rules/odds/chains.ts'
import { ruleOf } from '../../../../pipeline/rules/odds/opportunity-figures.ts'
import { compareTexts } from '../../../../pipeline/text/compare-texts.ts'
import type { ViewEvent } from '../../../../pipeline/views/board/view-event.ts'
import type {
  Item,
  ListedOpportunity,
  Valued,
} from '../../../../pipeline/views/opportunities/priced.ts'
import { byKind, type OpportunityKind, opportunityKinds } from '../../../../schemas/opportunity.ts'
import type { Scope } from '../../../access/scope.ts'
import type { LinkState } from '../../../answer/book-addresses.ts'
import { kindOf } from '../../../opportunities/all-kinds.ts'
import type { Bounds } from '../../../opportunities/bounds.ts'
import { itemText } from '../../../opportunities/item-texts.ts'
import type { Kind, Moment } from '../../../opportunities/kind.ts'
import type { Listing } from '../../../opportunities/listing.ts'
import { findStanding, isSeenIn, standingIn } from '../../../opportunities/priced.ts'
import { createRowJournal } from '../row-journal.ts'
import { createOpportunityPace, type Pace } from './opportunity-pace.ts'

type ByKind<T> = Readonly<Record<OpportunityKind, T>>

// ---- changes of a scope

export interface OpportunityTick {
  /** Opportunities whose figures or validity changed. */
  readonly changed: ByKind<readonly ListedOpportunity[]>
  /** Ids whose rows are removed, including some that no client got. */
  readonly gone: ReadonlySet<string>
}

export interface OpportunityFeed {
  /** @param moved events with prices that changed since the last tick */
  tick(moved: Iterable<ViewEvent>, now: number): OpportunityTick
  /**
   * Tracks these opportunities from now on, so that their end is noticed.
   * @param hasOthers whether other queries of the scope still need them; if so, they are in the next tick
   */
  track(entries: readonly ListedOpportunity[], now: number, hasOthers: boolean): void
}

/** Opportunities of a kind examined in rotation at each tick, because prices also become stale by time alone. */
const lookedAtInTurn = 100

export function createOpportunityFeed(scope: Scope): OpportunityFeed {
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
        // Opportunities of other scopes are not counted, or they would delay the scope's own.
        for (let i = 0, seen = 0; i < all.length && seen < lookedAtInTurn; i++) {
          turn.next = turn.next + 1 < all.length ? turn.next + 1 : 0
          const entry = all[turn.next]!
          if (!isSeenIn(scope, entry.row)) continue
          seen++
          look(entry)
        }
      }
      return { changed, gone }
    },
  }
}

/** Returns a tick in which these opportunities of one kind changed. */
export const changedOf = (
  kind: OpportunityKind,
  entries: readonly ListedOpportunity[],
): OpportunityTick => ({
  changed: { ...nothingChanged, [kind]: entries },
  gone: new Set(),
})

const nothingChanged = byKind((): readonly ListedOpportunity[] => [])

// ---- matched opportunities

/** The part of a query that decides what it contains. */
export interface MatchedQuery {
  readonly scope: Scope
  readonly kinds: readonly OpportunityKind[]
  readonly listing: Listing
  readonly bounds: Bounds
  /** Null if everything is sent at once. */
  readonly pace: Pace | null
}

export interface OpportunityNews {
  readonly kind: OpportunityKind
  readonly detected: readonly string[]
  readonly expired: readonly string[]
}

export interface MatchedOpportunities {
  readonly kinds: readonly OpportunityKind[]
  /** Applies a tick of its scope's feed. @param now epoch ms */
  take(tick: OpportunityTick, now: number): readonly OpportunityNews[]
  /** Called when it is filled: from now on paced opportunities are sent when they are due. */
  begin(now: number): void
  /** Returns the ids it contains now. */
  shown(kind: OpportunityKind): readonly string[]
  /** Its position in the journal. */
  readonly position: number
  /** Returns the difference since a position; null if the journal does not reach back to it. */
  since(position: number): readonly OpportunityNews[] | null
  /** Returns the kind of each opportunity it contained at a position, by id; null as `since`. */
  at(position: number): Contained | null
  /** Returns the difference to another's content; null for null. Other kinds are left out. */
  difference(from: Contained | null): readonly OpportunityNews[] | null
}

type Contained = ReadonlyMap<string, OpportunityKind>

export function createMatchedOpportunities(query: MatchedQuery): MatchedOpportunities {
  const { scope, kinds, listing, bounds, pace } = query
  const paced = pace && createOpportunityPace(pace, (entry) => listing.since(entry))
  /** The kind of each opportunity in it, by id. */
  const journal = createRowJournal<OpportunityKind>((before, kind) => before === kind)
  let isBegun = false

  /** Returns the worth of the matching opportunities, by id. */
  function worthsWithin(kind: Kind, among: readonly ListedOpportunity[], now: number) {
    const worths = new Map<string, number>()
    const isNamed = listing.names(kind, now)
    const { worth } = ruleOf(kind.name)
    for (const entry of among) {
      const value = standingIn(scope, entry, now)
      if (!value || !isNamed(value) || !kind.isWithin(value.figures, bounds[kind.name])) continue
      worths.set(entry.row.id, worth(value.figures))
    }
    return worths
  }

  return {
    kinds,
    get position() {
      return journal.position
    },
    shown: (kind) => [...journal.rows].flatMap(([id, ofKind]) => (ofKind === kind ? id : [])),
    take({ changed, gone }, now) {
      const news: OpportunityNews[] = []
      for (const kind of kinds) {
        const entries = changed[kind]
        const detected: string[] = []
        const expired: string[] = []
        const into = entries.length > 0 ? worthsWithin(kindOf(kind), entries, now) : undefined
        for (const entry of entries) {
          const { id } = entry.row
          const isIn = into?.has(id) ?? false
          if (!isIn) paced?.forget(id)
          if (isIn === journal.rows.has(id)) continue
          if (!isIn) expired.push(id)
          else if (paced) paced.wait(entry)
          else detected.push(id)
        }
        for (const id of gone) {
          paced?.forget(id)
          if (journal.rows.get(id) === kind) expired.push(id)
        }
        if (paced && isBegun) {
          const worths = (among: readonly ListedOpportunity[]) =>
            worthsWithin(kindOf(kind), among, now)
          detected.push(...paced.due(kind, now, worths))
        }
        expired.sort(compareTexts)
        for (const id of detected) journal.note(id, kind)
        for (const id of expired) journal.note(id, null)
        if (detected.length > 0 || expired.length > 0) news.push({ kind, detected, expired })
      }
      return news
    },
    begin(now) {
      isBegun = true
      this.take({ changed: nothingChanged, gone: new Set() }, now)
    },
    since(position) {
      const changes = journal.since(position)
      if (!changes) return null
      return kinds.flatMap((kind) => {
        const detected = changes.flatMap(({ key, row }) => (row === kind ? key : []))
        const expired = changes.flatMap(({ key, before, row }) =>
          before === kind && !row ? key : [],
        )
        return detected.length + expired.length > 0 ? [{ kind, detected, expired }] : []
      })
    },
    at(position) {
      const changes = journal.since(position)
      if (!changes) return null
      const contained = new Map(journal.rows)
      for (const { key, before } of changes) {
        if (before) contained.set(key, before)
        else contained.delete(key)
      }
      return contained
    },
    difference(from) {
      if (!from) return null
      return kinds.map((kind) => ({
        kind,
        detected: this.shown(kind).filter((id) => !from.has(id)),
        expired: [...from].flatMap(([id, ofKind]) =>
          ofKind === kind && !journal.rows.has(id) ? id : [],
        ),
      }))
    },
  }
}

// ---- items

/** Returns the opportunity with its current figures; null if it is not valid. */
export const validItem = (scope: Scope, id: string, now: number): Item | null =>
  findStanding(scope, scope.opportunities.find(id), now)

/**
 * Sorts opportunities of one kind by worth. Equal ones are sorted by id, because the order of detection depends on
 * prices that not everybody sees.
 */
export function byWorth(items: readonly Item[]): readonly Item[] {
  const [first] = items
  if (!first) return items
  const { worth } = ruleOf(first.row.kind)
  return items.toSorted(
    (a, b) => worth(b.figures) - worth(a.figures) || compareTexts(a.row.id, b.row.id),
  )
}

/** Writes opportunities as REST shows them now. @param now epoch ms */
export function opportunityWriter(scope: Scope, chain: Chains, now: number, state: LinkState) {
  const moment: Moment = { scope, chain, now, state }
  const seen = byKind((kind) => kindOf(kind).at(moment))
  return (item: Item): string => itemText(item, seen[item.row.kind], moment)
}
