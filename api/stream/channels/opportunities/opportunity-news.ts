/**
 * Opportunities as they come and go. A **feed** per tier finds out which of the tier's opportunities
 * have changed, looking only at events whose prices moved; a **question** per filter and bounds keeps
 * which of them it shows, and a journal of what came and went, from which a client that fell behind
 * is told the difference.
 */

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
import { defaultState } from '../../../answer/book-addresses.ts'
import { kindOf } from '../../../opportunities/all-kinds.ts'
import { itemText } from '../../../opportunities/item-texts.ts'
import type { Kind, Moment } from '../../../opportunities/kind.ts'
import type { Listing } from '../../../opportunities/listing.ts'
import { findStanding, standingIn } from '../../../opportunities/priced.ts'
import { createRowJournal } from '../row-journal.ts'
import { createOpportunityPace, type Pace } from './opportunity-pace.ts'

type ByKind<T> = Readonly<Record<OpportunityKind, T>>

// ---- what changed in a tier

export interface OpportunityTick {
  /** Those whose figures changed, or that began or ceased to stand. */
  readonly changed: ByKind<readonly ListedOpportunity[]>
  /** Ids whose rows are gone, also of some that nobody was told of. */
  readonly gone: ReadonlySet<string>
}

export interface OpportunityFeed {
  /** @param moved events with prices that changed since the tick before */
  tick(moved: Iterable<ViewEvent>, now: number): OpportunityTick
  /**
   * Looks at these, so that their end will be noticed. What the others who ask have not been told of them is of
   * the next tick.
   */
  meet(entries: readonly ListedOpportunity[], now: number, hasOthers: boolean): void
}

/** Looked at in turn beside what moved: prices go stale by the clock alone. */
const lookedAtInTurn = 100

export function createOpportunityFeed(scope: Scope): OpportunityFeed {
  const { opportunities } = scope
  const known = new Map<string, Valued>()
  const turns = byKind(() => ({ next: 0 }))
  /** Ids met since the last tick, as others do not know yet: a row may be said anew before it. */
  const met = new Set<string>()
  let { version } = opportunities

  const standing = (entry: ListedOpportunity, now: number) =>
    standingIn(scope, entry, now) ?? undefined

  function note(id: string, value: Valued | undefined) {
    if (value) known.set(id, value)
    else known.delete(id)
  }

  return {
    meet(entries, now, hasOthers) {
      for (const entry of entries) {
        const { id } = entry.row
        const value = standing(entry, now)
        if (value === known.get(id)) continue
        note(id, value)
        if (hasOthers) met.add(id)
      }
    },
    tick(moved, now) {
      const changed = byKind((): ListedOpportunity[] => [])
      const gone = new Set<string>()
      const looked = new Set<string>()

      function look(entry: ListedOpportunity) {
        const { id, kind: name } = entry.row
        if (looked.has(id)) return
        looked.add(id)
        const kind = kindOf(name)
        const value = standing(entry, now)
        // Which sportsbooks offer it may depend on prices that are not among its legs.
        if (value === known.get(id) && !kind.ties && !met.has(id)) return
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
        for (const id of [...known.keys(), ...met]) {
          if (opportunities.find(id)) continue
          known.delete(id)
          gone.add(id)
        }
        for (const kind of opportunityKinds)
          for (const entry of opportunities.all(kind)) look(entry)
      }
      for (const id of met) {
        const entry = opportunities.find(id)
        if (entry) look(entry)
      }
      met.clear()
      for (const { id } of moved) {
        for (const kind of opportunityKinds) {
          for (const entry of opportunities.ofEvent(id, kind)) look(entry)
        }
      }
      for (const kind of opportunityKinds) {
        const all = opportunities.all(kind)
        const turn = turns[kind]
        // Those of other tiers do not count: they would delay what is told of one's own.
        for (let i = 0, seen = 0; i < all.length && seen < lookedAtInTurn; i++) {
          turn.next = turn.next + 1 < all.length ? turn.next + 1 : 0
          const entry = all[turn.next]!
          if ((entry.row.scopes & scope.opportunityBit) === 0) continue
          seen++
          look(entry)
        }
      }
      return { changed, gone }
    },
  }
}

/** These of one kind, as if they had changed. */
export const changedOf = (
  kind: OpportunityKind,
  entries: readonly ListedOpportunity[],
): OpportunityTick => ({
  changed: { ...nothingChanged, [kind]: entries },
  gone: new Set(),
})

const nothingChanged = byKind((): readonly ListedOpportunity[] => [])

// ---- what someone asks for

/** By the names they have as parameters. */
export type OpportunityBounds = Readonly<Record<string, number>>

export interface OpportunityNews {
  readonly kind: OpportunityKind
  readonly detected: readonly string[]
  readonly expired: readonly string[]
}

export interface OpportunityQuestion {
  readonly kinds: readonly OpportunityKind[]
  /** Moves on by a tick of its tier's feed. */
  take(tick: OpportunityTick, now: number): readonly OpportunityNews[]
  /** It has taken all there was in the beginning: from now on it is told what is due. */
  begin(now: number): void
  /** Ids shown now. */
  shown(kind: OpportunityKind): readonly string[]
  /** The place in the journal that is reached. */
  readonly place: number
  /** What came and went since a place, in sum; null when the journal does not reach back to it. */
  since(place: number): readonly OpportunityNews[] | null
}

/** @param pace null where everything is told at once */
export function createOpportunityQuestion(
  scope: Scope,
  kinds: readonly OpportunityKind[],
  listing: Listing,
  bounds: OpportunityBounds,
  pace: Pace | null,
): OpportunityQuestion {
  const paced = pace && createOpportunityPace(pace, (entry) => listing.since(entry))
  /** The kind of each that is shown, by its id. */
  const journal = createRowJournal<OpportunityKind>((before, kind) => before === kind)
  let isBegun = false

  /** What those of them that are asked for are worth, by id. */
  function worthsWithin(kind: Kind, among: readonly ListedOpportunity[], now: number) {
    const worths = new Map<string, number>()
    const isNamed = listing.names(kind, now)
    const { worth } = ruleOf(kind.name)
    for (const entry of among) {
      const value = standingIn(scope, entry, now)
      if (!value || !isNamed(value) || !kind.isWithin(value.figures, bounds)) continue
      worths.set(entry.row.id, worth(value.figures))
    }
    return worths
  }

  return {
    kinds,
    get place() {
      return journal.position
    },
    shown: (kind) => [...journal.rows].flatMap(([id, of]) => (of === kind ? id : [])),
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
    since(place) {
      const changes = journal.since(place)
      if (!changes) return null
      return kinds.flatMap((kind) => {
        const detected = changes.flatMap(({ key, row }) => (row === kind ? key : []))
        const expired = changes.flatMap(({ key, before, row }) =>
          before === kind && !row ? key : [],
        )
        return detected.length + expired.length > 0 ? [{ kind, detected, expired }] : []
      })
    },
  }
}

// ---- how they are shown

/** The opportunity with its figures as of now; null for one that does not stand. */
export const standingItem = (scope: Scope, id: string, now: number): Item | null =>
  findStanding(scope, scope.opportunities.find(id), now)

/** Most worth first, of one kind; equals by id, for the order they came in follows prices that not all see. */
export function byWorth(items: readonly Item[]): readonly Item[] {
  const [first] = items
  if (!first) return items
  const { worth } = ruleOf(first.row.kind)
  return items.toSorted(
    (a, b) => worth(b.figures) - worth(a.figures) || compareTexts(a.row.id, b.row.id),
  )
}

/** JSON of opportunities as REST shows them at this moment to who names this state. */
export function opportunityWriter(
  scope: Scope,
  chain: readonly string[],
  now: number,
  state: string | undefined,
) {
  const moment: Moment = { scope, chain, now, state: state ?? defaultState }
  const seen = byKind((kind) => kindOf(kind).at(moment))
  return (item: Item): string => itemText(item, seen[item.row.kind], moment)
}
