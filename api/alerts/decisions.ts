/**
 * Decides what alerts tell, and when. It looks at opportunities as their prices move, by the predicate of the lists, and
 * now and then at all of them, because some come to be asked for by time alone. It sends nothing and writes nothing.
 */

import { compareValued } from '../../pipeline/views/opportunities/lists.ts'
import type { OpportunityView } from '../../pipeline/views/opportunities/opportunity-view.ts'
import type { ListedOpportunity, Valued } from '../../pipeline/views/opportunities/priced.ts'
import type { AlertDeliveryRow, AlertRow } from '../../schemas/alert.ts'
import { byKind, type OpportunityKind } from '../../schemas/opportunity.ts'
import type { Scope } from '../access/scope.ts'
import { defaultState } from '../answer/book-addresses.ts'
import type { Boards } from '../boards.ts'
import { ApiError } from '../errors.ts'
import type { Moment } from '../opportunities/kind.ts'
import { standingIn } from '../opportunities/priced.ts'
import { worthOf } from './alert-messages.ts'
import type { CompiledAlert } from './compiled-alert.ts'
import { quietUntil } from './quiet-hours.ts'

export interface Decision {
  readonly alert: AlertRow
  readonly compiled: CompiledAlert
  readonly one: Valued
  /** The event, market or opportunity that is told once. */
  readonly occasion: string
  readonly worth: number
  /** The worth of the best told before; null for the first. */
  readonly toldBefore: number | null
  readonly moment: Moment
}

export interface ActiveAlert {
  readonly alert: AlertRow
  readonly compiled: CompiledAlert
}

export interface Decisions {
  /**
   * Replaces the alerts.
   * @param isThere whether an alert still exists, also one that is not active: what it told is remembered
   */
  setAlerts(active: readonly ActiveAlert[], isThere: (alertId: string) => boolean): void
  /** What an alert told before, perhaps in another process. */
  remember(row: AlertDeliveryRow): void
  /** What is to be told now, the best of each alert first. */
  decide(): Decision[]
  close(): void
}

export interface DecisionParts {
  readonly boards: Pick<Boards, 'live' | 'now'>
  /** Sharp books, the first choice first. */
  readonly chain: readonly string[]
  /** The service's clock, for limits and quiet hours (epoch ms). */
  readonly clock: () => number
  /** Monotonic ms. */
  readonly timer: () => number
}

/** How often an alert looks at everything that stands. */
const lookEveryMs = 60_000
/** For so long what stands is not looked up again for such looks. */
const standingStandsMs = 1_000
/** Such looks take no longer than this in one go. */
const lookForMs = 4
/** For so long the predicate of an alert is used: ages and dates in it are of when it was made. */
const predicateStandsMs = 1_000
const hourMs = 3_600_000
const minuteMs = 60_000
/** Occasions of one alert that are remembered; the oldest are forgotten first. */
const mostRemembered = 2_000

interface Standing {
  /** Epoch ms. */
  readonly at: number
  readonly values: readonly Valued[]
}

/** Opportunities of all sportsbooks, or of a set of them, that alerts are decided on. */
interface Followed {
  /** Of kinds that are asked for, those that were valued anew since the last time. */
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

interface Rule {
  alert: AlertRow
  compiled: CompiledAlert
  /** By occasion the greatest worth that was told, the oldest first. */
  readonly told: Map<string, number>
  /** When messages of the last hour were decided, the oldest first (epoch ms). */
  readonly decidedAt: number[]
  /** By opportunity id: those that are too young, and when they are not (by the clock of prices). */
  readonly young: Map<string, number>
  /** When it looks at everything that stands next (epoch ms). */
  lookAt: number
  /** It did not follow changes until then: what it looks at has to be newer (epoch ms). */
  followsFrom: number
  /** It tells nothing until then (epoch ms). */
  heldUntil: number
  /** Until then quiet hours need not be asked (epoch ms). */
  quietKnownUntil: number
  predicate: ((one: Valued) => boolean) | null
  moment: Moment | null
  predicateAt: number
}

export function createDecisions({ boards, chain, clock, timer }: DecisionParts): Decisions {
  const { live: board } = boards
  let rules: Rule[] = []
  const known = new Map<string, Rule>()
  /** What was told by alerts that are not there yet. */
  const remembered = new Map<string, AlertDeliveryRow[]>()
  /** Rules by scope, then by kind. */
  let groups = new Map<Scope, Map<OpportunityKind, Rule[]>>()
  const followed = new Map<OpportunityView, Followed>()
  /** What stands of a kind for a scope, for rules that look at everything. */
  const standing = new Map<string, Standing>()
  /** The rule that looks first at the next chance. */
  let turn = 0

  /** Begins to follow what a scope has. @returns false while as many sets of sportsbooks as there may be are in use */
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

  function ruleFor({ alert, compiled }: ActiveAlert): Rule {
    const before = known.get(alert.id)
    if (!before) {
      const rule: Rule = {
        alert,
        compiled,
        told: new Map(),
        decidedAt: [],
        young: new Map(),
        lookAt: 0,
        followsFrom: clock(),
        heldUntil: 0,
        quietKnownUntil: 0,
        predicate: null,
        moment: null,
        predicateAt: 0,
      }
      for (const row of remembered.get(alert.id) ?? []) note(rule, row)
      remembered.delete(alert.id)
      return rule
    }
    if (before.alert.revision === alert.revision && before.compiled === compiled) return before
    before.alert = alert
    before.compiled = compiled
    before.young.clear()
    before.lookAt = 0
    before.followsFrom = clock()
    before.heldUntil = 0
    before.quietKnownUntil = 0
    before.predicate = null
    return before
  }

  function note(rule: Rule, { occasion, worth, decidedAt }: Noted) {
    const { told } = rule
    const best = Math.max(worth, told.get(occasion) ?? Number.NEGATIVE_INFINITY)
    // Moves it to the end.
    told.delete(occasion)
    told.set(occasion, best)
    if (told.size > mostRemembered) told.delete(told.keys().next().value!)
    rule.decidedAt.push(decidedAt)
  }

  /** Whether the rule may tell anything now. */
  function mayTell(rule: Rule, at: number): boolean {
    if (at < rule.heldUntil) return false
    const { quiet, perHour } = rule.alert
    if (quiet && at >= rule.quietKnownUntil) {
      rule.quietKnownUntil = at - (at % minuteMs) + minuteMs
      const until = quietUntil(quiet, at)
      if (until !== null) return hold(rule, until)
    }
    const { decidedAt } = rule
    while (decidedAt.length > 0 && decidedAt[0]! <= at - hourMs) decidedAt.shift()
    return decidedAt.length < perHour || hold(rule, decidedAt[0]! + hourMs)
  }

  /** What stands when it may tell again is told then. */
  function hold(rule: Rule, until: number): false {
    rule.heldUntil = until
    rule.lookAt = until
    rule.followsFrom = until
    return false
  }

  function occasionOf({ alert: { occasion } }: Rule, { entry, taken, marketType }: Valued): string {
    const { id, eventId } = entry.row
    if (occasion === 'opportunity') return id
    if (occasion === 'event') return eventId
    const { playerName } = board.rows.selection(taken.legs[0]!)
    return `${eventId}|${marketType}|${playerName ?? ''}`
  }

  function isNews(rule: Rule, one: Valued): boolean {
    const best = rule.told.get(occasionOf(rule, one))
    return best === undefined || worthOf(one) >= best + rule.alert.improvement - dust
  }

  function isAsked(rule: Rule, one: Valued, now: number): boolean {
    const { choice, kind, scope } = rule.compiled
    if (!rule.predicate || now - rule.predicateAt >= predicateStandsMs || now < rule.predicateAt) {
      const moment: Moment = { scope, chain, now, state: defaultState }
      rule.moment = moment
      rule.predicate = choice.at(kind.at(moment), now)
      rule.predicateAt = now
    }
    return rule.predicate(one)
  }

  function isWanted(rule: Rule, one: Valued, now: number): boolean {
    const { choice, minAgeMs } = rule.compiled
    if (!choice.isWithin(one) || !isNews(rule, one) || !isAsked(rule, one, now)) return false
    if (minAgeMs === 0) return true
    const since = choice.listing.since(one.entry)
    if (since === null) return false
    if (now - since >= minAgeMs) return true
    rule.young.set(one.entry.row.id, since + minAgeMs)
    return false
  }

  /** Decides among some that stand. */
  function decideAmong(
    rule: Rule,
    some: readonly Valued[],
    now: number,
    at: number,
    into: Decision[],
  ) {
    const wanted = some.filter((one) => isWanted(rule, one, now)).sort(compareValued)
    const { scope } = rule.compiled
    for (const one of wanted) {
      if (!mayTell(rule, at)) return
      // A better one of the occasion may have been told just now.
      if (!isNews(rule, one)) continue
      const occasion = occasionOf(rule, one)
      const toldBefore = rule.told.get(occasion) ?? null
      const worth = worthOf(one)
      const moment: Moment = { scope, chain, now, state: defaultState }
      into.push({
        ...{ alert: rule.alert, compiled: rule.compiled },
        ...{ one, occasion, worth, toldBefore, moment },
      })
      note(rule, { occasion, worth, decidedAt: at })
    }
  }

  /** Those that are old enough by now. */
  function grownUp({ young, compiled }: Rule, now: number): Valued[] {
    const grown: Valued[] = []
    for (const [id, due] of young) {
      if (due > now) continue
      young.delete(id)
      const { scope } = compiled
      const entry = scope.opportunities.find(id)
      const value = entry ? standingIn(scope, entry, now) : null
      if (value) grown.push(value)
    }
    return grown
  }

  /** @param entries perhaps with some that are gone */
  function standingOf(scope: Scope, entries: Iterable<ListedOpportunity>, now: number): Valued[] {
    const values: Valued[] = []
    for (const entry of entries) {
      if (scope.opportunities.find(entry.row.id) !== entry) continue
      const value = standingIn(scope, entry, now)
      if (value) values.push(value)
    }
    return values
  }

  /** Everything of a kind that stands, as of a moment ago: what is decided on is looked at again. */
  function allStanding(rule: Rule, now: number, at: number): readonly Valued[] {
    const { kind, scope } = rule.compiled
    const place = `${kind.name} ${scope.name}`
    const known = standing.get(place)
    const isNew = known && at - known.at < standingStandsMs && known.at > rule.followsFrom
    if (isNew) return known.values
    const values = standingOf(scope, scope.opportunities.all(kind.name), now)
    standing.set(place, { at, values })
    return values
  }

  /** Lets rules whose time has come look at everything, as far as there is time. */
  function lookAround(now: number, at: number, into: Decision[]) {
    const began = timer()
    for (let count = 0; count < rules.length; count++) {
      const rule = rules[turn % rules.length]!
      turn = (turn + 1) % rules.length
      if (rule.lookAt > at || !mayTell(rule, at)) continue
      rule.lookAt = at + lookEveryMs
      const some = allStanding(rule, now, at).filter((one) => isWanted(rule, one, now))
      const entries = some.map(({ entry }) => entry)
      decideAmong(rule, standingOf(rule.compiled.scope, entries, now), now, at, into)
      if (timer() - began > lookForMs) return
    }
  }

  return {
    setAlerts(active, isThere) {
      rules = active.filter(({ compiled }) => isFollowed(compiled.scope)).map(ruleFor)
      for (const id of known.keys()) if (!isThere(id)) known.delete(id)
      groups = new Map()
      for (const rule of rules) {
        known.set(rule.alert.id, rule)
        const { scope, kind } = rule.compiled
        const ofScope = groups.get(scope) ?? new Map<OpportunityKind, Rule[]>()
        groups.set(scope, ofScope)
        const ofKind = ofScope.get(kind.name)
        if (ofKind) ofKind.push(rule)
        else ofScope.set(kind.name, [rule])
      }
      // Scopes that are in use no more would stay in it.
      standing.clear()
      for (const { kinds } of followed.values()) kinds.clear()
      for (const { compiled } of rules) {
        followed.get(compiled.scope.opportunities)!.kinds.add(compiled.kind.name)
      }
      for (const [opportunities, { kinds, unwatch }] of followed) {
        if (kinds.size > 0) continue
        unwatch()
        followed.delete(opportunities)
      }
    },
    remember(row) {
      const rule = known.get(row.alertId)
      if (rule) return note(rule, row)
      const some = remembered.get(row.alertId)
      if (some) some.push(row)
      else remembered.set(row.alertId, [row])
    },
    decide() {
      const decisions: Decision[] = []
      const now = boards.now()
      const at = clock()
      for (const [opportunities, { kinds }] of followed) {
        for (const kind of kinds) opportunities.valueAll(kind)
      }
      for (const [scope, ofScope] of groups) {
        for (const [kind, ofKind] of ofScope) {
          const values = standingOf(scope, followed.get(scope.opportunities)!.changed[kind], now)
          for (const rule of ofKind) {
            // Below it looks at everything, so that the best are told first.
            if (rule.lookAt <= at) continue
            const some = rule.young.size > 0 ? [...values, ...grownUp(rule, now)] : values
            if (some.length > 0 && mayTell(rule, at)) decideAmong(rule, some, now, at, decisions)
          }
        }
      }
      for (const { kinds, changed } of followed.values()) {
        for (const kind of kinds) changed[kind].clear()
      }
      lookAround(now, at, decisions)
      return decisions
    },
    close() {
      for (const { unwatch } of followed.values()) unwatch()
    },
  }
}

type Noted = Pick<AlertDeliveryRow, 'occasion' | 'worth' | 'decidedAt'>

/** Of binary fractions. */
const dust = 1e-12
