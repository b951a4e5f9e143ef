/**
 * Decides which messages alerts send, and when: the news among the findings of each rule type, within the limits and
 * quiet hours of each alert. It neither sends nor writes.
 */

import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import type { AlertDeliveryRow, AlertRow, RuleType } from '../../schemas/alert.ts'
import { addTo, groupBy } from '../../schemas/grouping.ts'
import { opportunityKinds } from '../../schemas/opportunity.ts'
import type { ProfileRow } from '../../schemas/profile.ts'
import { quietUntil } from './quiet-hours.ts'
import {
  type CompiledAlert,
  type Finder,
  type FinderParts,
  type Finding,
  type Look,
  lookEveryMs,
  type Rule,
  type SentMessage,
  type SentSummary,
} from './rule-type.ts'
import { typeOfRule } from './rule-types.ts'

export interface Decision {
  readonly alert: AlertRow
  readonly finding: Finding
  /** Best worth sent before; null for the first message. */
  readonly bestSent: number | null
  /** By the service's clock (epoch ms). */
  readonly decidedAt: number
  /** That of the account's scope. */
  readonly visibilityBit: number
}

export interface FollowedAlert {
  readonly alert: AlertRow
  readonly compiled: CompiledAlert
  /** Whether it may send nothing: it only learns what has become of its messages. Default: false. */
  readonly isSilent?: boolean
}

export interface Decisions {
  /**
   * Replaces the alerts.
   * @param followed those that may send, and silent ones
   * @param isThere whether an alert still exists. One that is not followed counts: its sent messages are remembered.
   */
  setAlerts(followed: readonly FollowedAlert[], isThere: (alertId: string) => boolean): void
  /** Records an earlier message of an alert, perhaps from another process. */
  remember(row: AlertDeliveryRow): void
  /** Forgets a message that is deleted or was not sent, so that its occasion is news again. */
  forget(row: AlertDeliveryRow): void
  /** Returns the messages to send now, the best of each alert first. */
  decide(): Decision[]
  /** Whether a message's opportunity or price is gone; false if its alert is not followed now. */
  isGone(message: SentMessage): boolean
  close(): void
}

export interface DecisionParts extends Omit<FinderParts, 'board'> {
  /** Returns an account's profile; empty if it has none. */
  readonly profileOf: (accountId: string) => Pick<ProfileRow, 'hiddenLeagues'>
  /** The service's clock, for limits and quiet hours (epoch ms). */
  readonly clock: () => number
  /** Monotonic clock (ms). */
  readonly timer: () => number
}

/** Most time for full looks in one call. */
const lookForMs = 4
const hourMs = 3_600_000
const minuteMs = 60_000
/** Most occasions remembered for each alert. The oldest are forgotten first. */
const mostRemembered = 2_000
/** Tolerance for rounding errors of binary fractions. */
const dust = 1e-12

interface KnownRule extends Rule {
  alert: AlertRow
  compiled: CompiledAlert
  isSilent: boolean
  followsFrom: number
  readonly sent: Map<string, SentSummary>
  /** Decision times of the messages of the last hour, oldest first (epoch ms). */
  readonly decidedAt: number[]
  /** Time of the next full look (epoch ms). */
  lookAt: number
  /** The full look in progress; null for none. */
  look: Look | null
  /** Nothing is sent before this time (epoch ms); Infinity for a silent alert. */
  heldUntil: number
  /** Quiet hours need not be checked before this time (epoch ms). */
  quietKnownUntil: number
}

type Noted = Pick<AlertDeliveryRow, 'occasion' | 'worth' | 'decidedAt'>

const heldFrom = (isSilent: boolean) => (isSilent ? Number.POSITIVE_INFINITY : 0)

function createRule(
  { alert, compiled, isSilent = false }: FollowedAlert,
  at: number,
  profileOf: DecisionParts['profileOf'],
): KnownRule {
  const sent = new Map<string, SentSummary>()
  const rule: KnownRule = {
    alert,
    compiled,
    isSilent,
    sent,
    decidedAt: [],
    lookAt: 0,
    look: null,
    followsFrom: at,
    heldUntil: heldFrom(isSilent),
    quietKnownUntil: 0,
    isNews(occasion, worth) {
      const best = sent.get(occasion)
      return best === undefined || worth >= best.worth + rule.alert.improvement - dust
    },
    isHidden: (league) =>
      league !== null &&
      rule.compiled.isOfAnyLeague &&
      profileOf(rule.alert.accountId).hiddenLeagues.includes(league),
    end(occasion) {
      const before = sent.get(occasion)
      if (before) sent.set(occasion, { ...before, worth: Number.NEGATIVE_INFINITY })
    },
  }
  return rule
}

/**
 * Returns the occasion of an earlier message. Earlier builds wrote that of an opportunity without
 * its kind.
 */
function occasionNow(alert: AlertRow, { occasion }: Pick<Noted, 'occasion'>): string {
  if (alert.type !== 'opportunity' || alert.occasion === 'opportunity') return occasion
  const hasKind = opportunityKinds.some((kind) => occasion.startsWith(`${kind}|`))
  return hasKind ? occasion : `${alert.kind}|${occasion}`
}

/** Notes an earlier message. A price that is known to have gone since counts as new once it is back. */
function noteEarlier(rule: KnownRule, row: AlertDeliveryRow) {
  note(rule, { ...row, occasion: occasionNow(rule.alert, row) })
  if (row.type === 'price' && row.goneAt !== null) rule.end(row.occasion)
}

function note({ sent, decidedAt }: KnownRule, { occasion, worth, decidedAt: at }: Noted) {
  const best = Math.max(worth, sent.get(occasion)?.worth ?? Number.NEGATIVE_INFINITY)
  // Moves the entry to the end of the map.
  sent.delete(occasion)
  sent.set(occasion, { worth: best, at })
  if (sent.size > mostRemembered) sent.delete(sent.keys().next().value!)
  decidedAt.push(at)
}

/** Returns whether the rule may send anything now. */
function maySend(rule: KnownRule, at: number): boolean {
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

/** Sends nothing until then. A full look then finds what is still valid. */
function hold(rule: KnownRule, until: number): false {
  rule.heldUntil = until
  rule.lookAt = Math.min(rule.lookAt, until)
  rule.followsFrom = until
  return false
}

/** Ends a hold, so that limit and quiet hours are checked anew. */
function release(rule: KnownRule, at: number) {
  rule.followsFrom = at
  rule.heldUntil = heldFrom(rule.isSilent)
  rule.quietKnownUntil = 0
}

export function createDecisions({ clock, timer, profileOf, ...parts }: DecisionParts): Decisions {
  let rules: KnownRule[] = []
  let followed: ReadonlySet<Rule> = new Set()
  const known = new Map<string, KnownRule>()
  /** Earlier messages of alerts that are not known yet. */
  const remembered = new Map<string, AlertDeliveryRow[]>()
  /** A rule's finder looks at the board of the rule's scope, whose filter it uses. */
  const finders = new Map<BoardView, Map<RuleType, Finder<KnownRule>>>()
  /** Index of the rule that is next for a full look. */
  let turn = 0
  /** No rule is due for a full look before this time (epoch ms). */
  let nextLookAt = 0

  function finderOf({ compiled: { type, scope } }: KnownRule): Finder<KnownRule> {
    const { board } = scope
    const ofBoard = finders.get(board) ?? new Map<RuleType, Finder<KnownRule>>()
    finders.set(board, ofBoard)
    // The cast is safe: a finder returns only rules that it was given.
    const finder =
      ofBoard.get(type) ??
      (typeOfRule(type).openFinder({ ...parts, board }) as unknown as Finder<KnownRule>)
    ofBoard.set(type, finder)
    return finder
  }

  const allFinders = () => [...finders.values()].flatMap((ofBoard) => [...ofBoard.values()])

  function ruleFor(followed: FollowedAlert): KnownRule {
    const { alert, compiled, isSilent = false } = followed
    const before = known.get(alert.id)
    if (!before) {
      const rule = createRule(followed, clock(), profileOf)
      for (const row of remembered.get(alert.id) ?? []) noteEarlier(rule, row)
      remembered.delete(alert.id)
      return rule
    }
    const isSame = before.alert.revision === alert.revision && before.compiled === compiled
    if (isSame && before.isSilent === isSilent) return before
    before.alert = alert
    before.compiled = compiled
    before.isSilent = isSilent
    before.lookAt = 0
    before.look = null
    release(before, clock())
    return before
  }

  /** @param found best first */
  function decideOn(rule: KnownRule, found: readonly Finding[], at: number, into: Decision[]) {
    for (const finding of found) {
      if (!isFree(rule, at)) return
      const { occasion, worth } = finding
      // A better finding of the same occasion may have been sent just now.
      if (!rule.isNews(occasion, worth) || rule.isHidden(finding.league)) continue
      const best = rule.sent.get(occasion)?.worth ?? Number.NEGATIVE_INFINITY
      const bestSent = Number.isFinite(best) ? best : null
      const { visibilityBit } = rule.compiled.scope
      into.push({ alert: rule.alert, finding, bestSent, decidedAt: at, visibilityBit })
      note(rule, { occasion, worth, decidedAt: at })
    }
  }

  /**
   * Gives due rules a full look, as far as time allows. A longer look continues after the other
   * rules have had their turn, so a rule that names everything keeps nobody waiting.
   */
  function lookAround(now: number, at: number, into: Decision[]) {
    if (at < nextLookAt) return
    const began = timer()
    for (let count = 0; count < rules.length; count++) {
      const rule = rules[turn % rules.length]!
      turn = (turn + 1) % rules.length
      if (!rule.look && rule.lookAt <= at) begin(rule, now, at)
      while (rule.look) {
        const found = rule.look()
        if (found) {
          rule.look = null
          decideOn(rule, found, at, into)
        }
        if (timer() - began > lookForMs) return
      }
    }
    nextLookAt = rules.reduce(
      (first, { lookAt }) => Math.min(first, lookAt),
      Number.POSITIVE_INFINITY,
    )
  }

  /**
   * Begins a full look. A rule that may send nothing gets one only if full looks of its type end
   * occasions.
   */
  function begin(rule: KnownRule, now: number, at: number) {
    const { look, endsOccasions } = finderOf(rule)
    const isHeld = !isFree(rule, at)
    const next = at + lookEveryMs
    if (!isHeld) rule.lookAt = next
    else rule.lookAt = endsOccasions ? Math.min(next, rule.heldUntil) : rule.heldUntil
    if (!isHeld || endsOccasions) rule.look = look(rule, now, at)
  }

  /** Returns whether the rule may send anything now. If not, it gets a full look when it may. */
  function isFree(rule: KnownRule, at: number): boolean {
    if (maySend(rule, at)) return true
    nextLookAt = Math.min(nextLookAt, rule.lookAt)
    return false
  }

  return {
    setAlerts(alerts, isThere) {
      const all = alerts.map(ruleFor)
      // A silent alert finds nothing new, and keeps no set of sportsbooks awake.
      const finding = all.filter((rule) => !rule.isSilent || finderOf(rule).endsOccasions)
      const byFinder = groupBy(finding, finderOf)
      const able = new Set<Rule>()
      for (const finder of allFinders()) {
        for (const rule of finder.setRules(byFinder.get(finder) ?? [])) able.add(rule)
      }
      nextLookAt = 0
      rules = finding.filter((rule) => able.has(rule))
      followed = new Set([...able, ...all.filter(({ isSilent }) => isSilent)])
      for (const id of known.keys()) if (!isThere(id)) known.delete(id)
      for (const rule of all) known.set(rule.alert.id, rule)
    },
    remember(row) {
      const rule = known.get(row.alertId)
      if (rule) return noteEarlier(rule, row)
      addTo(remembered, row.alertId, row)
    },
    forget(row) {
      const { id, alertId, decidedAt } = row
      const rule = known.get(alertId)
      if (rule) {
        const occasion = occasionNow(rule.alert, row)
        const newest = rule.sent.get(occasion)
        if (newest && newest.at <= decidedAt) rule.sent.delete(occasion)
        const counted = rule.decidedAt.indexOf(decidedAt)
        if (counted >= 0) {
          rule.decidedAt.splice(counted, 1)
          release(rule, clock())
        }
        rule.lookAt = nextLookAt = 0
        return
      }
      const left = remembered.get(alertId)?.filter((earlier) => earlier.id !== id)
      if (left?.length) remembered.set(alertId, left)
      else remembered.delete(alertId)
    },
    decide() {
      const decisions: Decision[] = []
      const now = parts.boards.now()
      const at = clock()
      for (const finder of allFinders()) {
        finder.begin(now)
        for (const rule of finder.concerned(now)) {
          // A rule that is due gets its full look below, so that its best findings come first.
          // During the look, changes are reported as they come.
          if ((rule.lookAt <= at && !rule.look) || !isFree(rule, at)) continue
          const found = finder.changed(rule, now, at)
          if (found) decideOn(rule, found, at, decisions)
          else nextLookAt = rule.lookAt = at
        }
        finder.end()
      }
      lookAround(now, at, decisions)
      return decisions
    },
    isGone(message) {
      const rule = known.get(message.alertId)
      if (!rule || !followed.has(rule)) return false
      return finderOf(rule).isGone(rule, message, parts.boards.now())
    },
    close() {
      for (const finder of allFinders()) finder.close()
    },
  }
}
