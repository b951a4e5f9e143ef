/**
 * Rules of the type `opportunity`: they use the filters of their kind's list. They are checked
 * against opportunities whose prices move, with the predicate of the lists. Now and then they are
 * checked against all, because some match by time alone.
 */

import { compareValued } from '../../pipeline/views/opportunities/lists.ts'
import type { OpportunityView } from '../../pipeline/views/opportunities/opportunity-view.ts'
import type { ListedOpportunity, Valued } from '../../pipeline/views/opportunities/priced.ts'
import type { OpportunityAlert } from '../../schemas/alert.ts'
import { addTo, groupBy } from '../../schemas/grouping.ts'
import { listParameters } from '../../schemas/http/opportunities/opportunity.ts'
import { createQueryReader, type QueryReader, type QueryShape } from '../../schemas/http/query.ts'
import { byKind, type OpportunityKind } from '../../schemas/opportunity.ts'
import type { ChosenSet, Scope } from '../access/scope.ts'
import { requireFeature } from '../access/tiers.ts'
import { readQuery } from '../ask/read-query.ts'
import { ApiError } from '../errors.ts'
import { kindOf } from '../opportunities/all-kinds.ts'
import { type Choice, choiceOf, type KindQuery } from '../opportunities/choice.ts'
import { type Kind, type Moment, requirementOf } from '../opportunities/kind.ts'
import { standingIn } from '../opportunities/priced.ts'
import { opportunityMessage, opportunityPaths, sportsbooksOf, worthOf } from './alert-messages.ts'
import { isOfAnyLeague } from './hidden-leagues.ts'
import { createRuleIndex, type RuleIndex } from './rule-index.ts'
import type {
  AlertRights,
  CompiledAlert,
  Finder,
  FinderParts,
  Finding,
  RuleDefinition,
  RuleOf,
  TypeOfRule,
} from './rule-type.ts'

interface CompiledOpportunity extends CompiledAlert {
  readonly type: 'opportunity'
  readonly kind: Kind
  readonly choice: Choice
  /** Least age. A younger opportunity is sent when it reaches this age. */
  readonly minAgeMs: number
}

type OpportunityRule = RuleOf<'opportunity', CompiledOpportunity>

type AlertQuery = Partial<KindQuery> & { readonly books?: readonly string[] }

const ofListsAlone: ReadonlySet<string> = new Set(listParameters)

/** Filters of rules on each kind. */
export const opportunityFilters = byKind(
  (name): QueryShape =>
    Object.fromEntries(
      Object.entries(kindOf(name).contract.query).filter(([member]) => !ofListsAlone.has(member)),
    ),
)

const readers = byKind(
  (name): QueryReader<QueryShape> => createQueryReader(opportunityFilters[name], []),
)

export const opportunityRule: TypeOfRule<'opportunity', CompiledOpportunity> = {
  compile,
  openFinder,
  paths: opportunityPaths,
}

function compile(
  { kind: name, query: text }: RuleDefinition<'opportunity'>,
  { scope: whole, scopeAmong, features }: AlertRights,
): CompiledOpportunity {
  const kind = kindOf(name)
  const requires = requirementOf(kind)
  requireFeature({ requires }, { tier: whole.tier, features })
  const {
    min_age_ms = 0,
    books,
    ...query
  } = readQuery(readers[name], opportunityFilters[name], text) as AlertQuery
  const scope = scopeAmong(books)
  const choice = choiceOf(kind, { ...query, offset: 0 }, scope)
  return {
    ...{ type: 'opportunity', kind, scope, books, isOfAnyLeague: isOfAnyLeague(query) },
    ...{ requires, choice, minAgeMs: min_age_ms },
  }
}

/** The values of `books`, by alert: they are read again with each change of any alert. */
const booksRead = new WeakMap<OpportunityAlert, readonly string[] | undefined>()

/** Returns the values of an alert's filter `books`. @throws ApiError validation_error */
function booksOf(alert: OpportunityAlert): readonly string[] | undefined {
  if (booksRead.has(alert)) return booksRead.get(alert)
  const { kind, query } = alert
  const { books } = readQuery(readers[kind], opportunityFilters[kind], query) as AlertQuery
  booksRead.set(alert, books)
  return books
}

/** The scope with which an alert was last found to compile. */
const compiledWith = new WeakMap<OpportunityAlert, Scope>()

/**
 * Returns the set of sportsbooks that an alert names, without waking it; null or undefined for none.
 * @throws ApiError as `compile`, except too_many_book_sets
 */
export function setNamedBy(
  alert: OpportunityAlert,
  rights: AlertRights,
): ChosenSet | null | undefined {
  const requires = requirementOf(kindOf(alert.kind))
  requireFeature({ requires }, { tier: rights.scope.tier, features: rights.features })
  const books = booksOf(alert)
  if (!books) return null
  const scope = rights.scopeAmong(books)
  if (compiledWith.get(alert) !== scope) {
    const asleep = { ...scope, ...(scope.among && { among: { ...scope.among, set: null } }) }
    compile(alert, { ...rights, scopeAmong: () => asleep })
    compiledWith.set(alert, scope)
  }
  return scope.among?.set
}

/** Time for which a list of all current opportunities is reused by full looks. */
const standingStandsMs = 1_000
/** Time for which an alert's predicate is reused. Ages and dates in it are relative to its creation. */
const predicateStandsMs = 1_000

interface Standing {
  /** Epoch ms. */
  readonly at: number
  /** By league. */
  readonly values: ReadonlyMap<string, readonly Valued[]>
}

/** Opportunities of all sportsbooks, or of one set of them, that alerts are decided on. */
interface Followed {
  /** Opportunities of the followed kinds that were valued anew since the last call. */
  readonly changed: Readonly<Record<OpportunityKind, Set<ListedOpportunity>>>
  readonly kinds: Set<OpportunityKind>
  unwatch(): void
}

function follow(opportunities: OpportunityView): Followed {
  const changed = byKind(() => new Set<ListedOpportunity>())
  const kinds = new Set<OpportunityKind>()
  const unwatch = opportunities.watchValues((entry) => {
    const { kind } = entry.row
    if (kinds.has(kind)) changed[kind].add(entry)
  })
  return { changed, kinds, unwatch }
}

/** The rules on one kind in one scope. */
interface Asking {
  readonly scope: Scope
  readonly kind: OpportunityKind
  readonly index: RuleIndex<OpportunityRule>
}

const placeOf = ({ kind, scope }: CompiledOpportunity) => `${kind.name} ${scope.name}`
const leagueOf = ({ entry }: Valued) => entry.row.league

/** State of a rule. Discarded when the rule or its rights change. */
interface Known {
  readonly alert: OpportunityRule['alert']
  readonly compiled: CompiledOpportunity
  /** Opportunities that are too young, by id, and when they become old enough (by the clock of prices). */
  readonly young: Map<string, number>
  predicate: ((one: Valued) => boolean) | null
  predicateAt: number
}

function openFinder({ board, chain }: FinderParts): Finder<OpportunityRule> {
  let known = new Map<OpportunityRule, Known>()
  const followed = new Map<OpportunityView, Followed>()
  /** Current opportunities of a kind and scope, for full looks. */
  const standing = new Map<string, Standing>()
  let asking: readonly Asking[] = []
  /** Changed opportunities, by rule that may match them. */
  const changes = new Map<OpportunityRule, Valued[]>()
  /** Rules with opportunities that are too young. */
  const waiting = new Set<OpportunityRule>()

  /**
   * Starts to follow a scope's opportunities.
   * @returns false if too many sets of sportsbooks are in use
   */
  function isFollowed({ opportunities, among }: Scope): boolean {
    if (followed.has(opportunities)) return true
    try {
      const release = among?.set?.hold()
      const { unwatch, ...others } = follow(opportunities)
      followed.set(opportunities, {
        ...others,
        unwatch() {
          unwatch()
          release?.()
        },
      })
      return true
    } catch (error) {
      if (error instanceof ApiError) return false
      throw error
    }
  }

  function knownOf(rule: OpportunityRule): Known {
    const { alert, compiled } = rule
    const before = known.get(rule)
    if (before?.alert === alert && before.compiled === compiled) return before
    return { alert, compiled, young: new Map(), predicate: null, predicateAt: 0 }
  }

  const momentOf = (scope: Scope, now: number): Moment => ({
    ...{ scope, chain, now, state: undefined },
  })

  /** Worths of two kinds do not compare, so an alert whose kind is changed begins anew. */
  function occasionOf({ alert: { occasion } }: OpportunityRule, one: Valued): string {
    const { entry, taken, marketType } = one
    const { id, eventId, kind } = entry.row
    if (occasion === 'opportunity') return id
    if (occasion === 'event') return `${kind}|${eventId}`
    const { playerName } = board.rows.selection(taken.legs[0]!)
    return `${kind}|${eventId}|${marketType}|${playerName ?? ''}`
  }

  function isMatch(state: Known, one: Valued, now: number): boolean {
    const { choice, kind, scope } = state.compiled
    if (
      !state.predicate ||
      now - state.predicateAt >= predicateStandsMs ||
      now < state.predicateAt
    ) {
      state.predicate = choice.at(kind.at(momentOf(scope, now)), now)
      state.predicateAt = now
    }
    return state.predicate(one)
  }

  function isWanted(rule: OpportunityRule, one: Valued, now: number): boolean {
    const { choice, minAgeMs } = rule.compiled
    if (!choice.isWithin(one) || !rule.isNews(occasionOf(rule, one), worthOf(one))) return false
    const state = known.get(rule)!
    if (!isMatch(state, one, now)) return false
    if (minAgeMs === 0) return true
    const since = choice.listing.since(one.entry)
    if (since === null) return false
    if (now - since >= minAgeMs) return true
    state.young.set(one.entry.row.id, since + minAgeMs)
    waiting.add(rule)
    return false
  }

  /** Returns the findings of a rule among current opportunities. */
  function findingsAmong(rule: OpportunityRule, some: readonly Valued[], now: number): Finding[] {
    const { alert, compiled } = rule
    const wanted = some.filter((one) => isWanted(rule, one, now))
    if (wanted.length === 0) return []
    const moment = momentOf(compiled.scope, now)
    return wanted.sort(compareValued).map((one) => ({
      occasion: occasionOf(rule, one),
      league: leagueOf(one),
      worth: worthOf(one),
      identity: [one.entry.row.id, one.entry.row.detectedAt],
      sportsbooks() {
        const { legs, reference } = compiled.scope.opportunities.item(one)
        return sportsbooksOf([...legs, ...reference])
      },
      message: (bestSent, parts) =>
        opportunityMessage(alert, compiled.kind, one, bestSent, moment, parts),
    }))
  }

  /** Returns the opportunities that are old enough by now. */
  function grownUp(rule: OpportunityRule, now: number): Valued[] {
    const { young, compiled } = known.get(rule)!
    const grown: Valued[] = []
    for (const [id, due] of young) {
      if (due > now) continue
      young.delete(id)
      const { scope } = compiled
      const entry = scope.opportunities.find(id)
      const value = entry ? standingIn(scope, entry, now) : null
      if (value) grown.push(value)
    }
    if (young.size === 0) waiting.delete(rule)
    return grown
  }

  /** @param entries may include some that are gone */
  function standingOf(scope: Scope, entries: Iterable<ListedOpportunity>, now: number): Valued[] {
    const values: Valued[] = []
    for (const entry of entries) {
      if (scope.opportunities.find(entry.row.id) !== entry) continue
      const value = standingIn(scope, entry, now)
      if (value) values.push(value)
    }
    return values
  }

  /**
   * Returns the current opportunities of a rule's kind and leagues, up to a second old. Matches are looked up again.
   */
  function allStanding(rule: OpportunityRule, now: number, at: number): readonly Valued[] {
    const { scope, kind, choice } = rule.compiled
    const place = placeOf(rule.compiled)
    let known = standing.get(place)
    const isNew = known && at - known.at < standingStandsMs && known.at > rule.followsFrom
    if (!known || !isNew) {
      const all = standingOf(scope, scope.opportunities.all(kind.name), now)
      known = { at, values: groupBy(all, leagueOf) }
      standing.set(place, known)
    }
    const { values } = known
    return [...(choice.listing.leagues ?? values.keys())].flatMap(
      (league) => values.get(league) ?? [],
    )
  }

  /** Assigns a kind's changed opportunities to the rules of a scope that may match them. */
  function takeChanged({ scope, kind, index }: Asking, now: number) {
    const entries = followed.get(scope.opportunities)!.changed[kind]
    for (const value of standingOf(scope, entries, now)) {
      for (const rule of index.of(leagueOf(value), '', '')) {
        if (!rule.compiled.choice.isWithin(value)) continue
        addTo(changes, rule, value)
      }
    }
  }

  return {
    setRules(rules) {
      const able = rules.filter(({ compiled }) => isFollowed(compiled.scope))
      known = new Map(able.map((rule) => [rule, knownOf(rule)]))
      // Otherwise scopes no longer in use would remain.
      standing.clear()
      for (const { kinds } of followed.values()) kinds.clear()
      for (const { compiled } of able) {
        followed.get(compiled.scope.opportunities)!.kinds.add(compiled.kind.name)
      }
      for (const [opportunities, { kinds, unwatch }] of followed) {
        if (kinds.size > 0) continue
        unwatch()
        followed.delete(opportunities)
      }
      asking = [...groupBy(able, ({ compiled }) => placeOf(compiled)).values()].map((rules) => {
        const { scope, kind } = rules[0]!.compiled
        const index = createRuleIndex(rules, ({ compiled: { choice } }) => ({
          leagues: choice.listing.leagues,
        }))
        return { scope, kind: kind.name, index }
      })
      for (const rule of waiting) if (!known.get(rule)?.young.size) waiting.delete(rule)
      return able
    },
    begin(now) {
      for (const [opportunities, { kinds }] of followed) {
        for (const kind of kinds) opportunities.valueAll(kind)
      }
      for (const state of asking) takeChanged(state, now)
    },
    concerned: () =>
      waiting.size === 0 ? changes.keys() : new Set([...changes.keys(), ...waiting]),
    changed(rule, now) {
      const values = changes.get(rule) ?? []
      const some = waiting.has(rule) ? [...values, ...grownUp(rule, now)] : values
      return some.length > 0 ? findingsAmong(rule, some, now) : []
    },
    end() {
      for (const { kinds, changed } of followed.values()) {
        for (const kind of kinds) changed[kind].clear()
      }
      changes.clear()
    },
    endsOccasions: false,
    look: (rule, now, at) => () => {
      const some = allStanding(rule, now, at).filter((one) => isWanted(rule, one, now))
      const entries = some.map(({ entry }) => entry)
      return findingsAmong(rule, standingOf(rule.compiled.scope, entries, now), now)
    },
    isGone({ compiled: { scope } }, { opportunityId }, now) {
      const { among, opportunities } = scope
      // A message keeps no set awake: a silent alert would take the place of one that may send.
      const entry = among?.set ? among.set.peek(opportunityId!) : opportunities.find(opportunityId!)
      return entry !== 'unknown' && standingIn(scope, entry, now) === null
    },
    close() {
      for (const { unwatch } of followed.values()) unwatch()
    },
  }
}
