/**
 * The credits of The Odds API. One budget decides when sports, and props of events, are called;
 * props have their own part of it. Without a budget all calls are always due.
 */

import { z } from 'zod'
import type { Credits } from '../feed.ts'
import { numberIn } from '../kit/http-source.ts'
import { exhaustedRetryMs } from '../kit/source-health.ts'
import {
  budgetState,
  createBudget,
  lookOutMs,
  type Metered,
  nextCallAt,
  renewsAt,
  type Stretch,
  stretch,
} from './credits-budget.ts'
import type { ListedStarts } from './parse.ts'

const day = 86_400_000
const daysOfMonth = 30
/**
 * The longest validity of a plan: the share for the rest of the month grows, and a month may end.
 */
const planMs = 60_000

/** The cost of the settings. */
export interface Estimate {
  readonly creditsPerCall: number
  readonly creditsPerMonth: number | null
  /** Rounds of all sports together; with a budget, its average. */
  readonly callsPerDay: number
  /** The cost of a call every `intervalMs`, without props. */
  readonly wantedPerMonth: number
  /** When the budget would then be used up; null without one, or if that is not within a month. */
  readonly wouldEndAt: string | null
}

export type CreditsPlan = ReturnType<typeof createCreditsPlan>

export const planState = z.object({
  budget: budgetState,
  /** Absent in states of earlier builds, like `isUnsure`. */
  rounds: budgetState.optional(),
  props: budgetState,
  heard: z.object({
    used: z.number().nullable(),
    left: z.number().nullable(),
    isUnsure: z.boolean().default(false),
  }),
  /** By sport. */
  starts: z.record(z.string(), z.array(z.number())),
  /** By id; `askedAt` is null before the first call. */
  events: z.record(
    z.string(),
    z.object({ starts: z.array(z.number()), askedAt: z.number().nullable() }),
  ),
})
export type PlanState = z.output<typeof planState>

export function createCreditsPlan(options: {
  readonly sports: readonly string[]
  /** Null without a budget. */
  readonly perMonth: number | null
  /** Null for half of the budget. */
  readonly propsPerMonth: number | null
  readonly roundCost: number
  readonly eventCost: number
  readonly intervalMs: number
  readonly now: () => number
}) {
  const { sports, perMonth, roundCost, eventCost, intervalMs, now } = options
  const budget = createBudget(perMonth ?? Number.POSITIVE_INFINITY)
  const propsShare = eventCost === 0 ? 0 : (options.propsPerMonth ?? (perMonth ?? 0) / 2)
  const rounds = createBudget((perMonth ?? Number.POSITIVE_INFINITY) - propsShare)
  const props = createBudget(perMonth === null ? Number.POSITIVE_INFINITY : propsShare)
  const starts = new Map<string, readonly number[]>(sports.map((sport) => [sport, []]))
  const events = new Map<string, { of: Metered; askedAt: number }>()
  let spentInAll = 0
  const heard = { used: null as number | null, left: null as number | null, isUnsure: false }
  const roundStretch = createPlanned(() => stretch(sports.map(meteredOf), roundLeft(), now()))
  const eventStretch = createPlanned(() =>
    stretch(
      [...events.values()].map(({ of }) => of),
      propsLeft(),
      now(),
    ),
  )

  const eventOf = (at: readonly number[]): Metered => ({
    cost: eventCost,
    starts: at,
    leastMs: intervalMs,
    // The list of its sport states its start.
    mostMs: Number.POSITIVE_INFINITY,
  })

  const meteredOf = (sport: string): Metered => ({
    cost: roundCost,
    // Games with the same start count once as a reason for a call.
    starts: starts.get(sport) ?? [],
    leastMs: intervalMs,
    mostMs: lookOutMs,
  })

  /** Remaining credits are divided in proportion: others may have spent some with the same key. */
  function propsLeft(): number {
    if (eventCost === 0) return 0
    const left = budget.left(now())
    const ofProps = props.left(now())
    if (perMonth === null || ofProps === 0) return Math.min(ofProps, left)
    return Math.min(ofProps, (left * ofProps) / (ofProps + rounds.left(now())))
  }
  const roundLeft = () => budget.left(now()) - propsLeft()

  function replan() {
    roundStretch.forget()
    eventStretch.forget()
  }

  /**
   * Caches the factors until credits are spent or counted, games are listed, or time has passed.
   */
  function createPlanned(compute: () => Stretch) {
    let planned: Stretch | null = null
    let until = 0
    return {
      forget() {
        planned = null
      },
      now(): Stretch {
        const at = now()
        if (planned && at < until) return planned
        planned = compute()
        until = Math.min(at + planMs, renewsAt(at))
        return planned
      },
    }
  }

  function spendFrom(credits: number, isProps: boolean) {
    const at = now()
    spentInAll += credits
    budget.spend(credits, at)
    const part = isProps ? props : rounds
    part.spend(credits, at)
    replan()
    return {
      takeBack() {
        spentInAll -= credits
        budget.spend(-credits, now())
        part.spend(-credits, now())
        replan()
      },
    }
  }

  /** Drops events that are over. */
  function forgetEvents() {
    for (const [id, { of }] of events) {
      if ((of.starts[0] ?? 0) < now() - day) events.delete(id)
    }
  }

  return {
    /** The calls for all games of a sport. */
    round: {
      /** Returns whether one more call may be made. */
      canSpend: () => perMonth === null || roundLeft() >= roundCost,
      spend: (credits: number) => spendFrom(credits, false),
    },
    /** The same for the props of one event. */
    events: {
      canSpend: () => perMonth === null || propsLeft() >= eventCost,
      spend: (credits: number) => spendFrom(credits, true),
    },
    /** Whether there is a budget. */
    isMetered: perMonth !== null,
    /** Returns whether the remaining credits are known, or need not be. */
    isKnown: () => perMonth === null || heard.left !== null,
    /**
     * Notes that a call may have been charged although its response was lost: until the next response
     * the count is uncertain.
     */
    lose() {
      heard.isUnsure = perMonth !== null
    },
    isUnsure: () => heard.isUnsure,
    hear(headers: Headers) {
      heard.isUnsure = false
      const used = numberIn(headers, 'x-requests-used')
      const remaining = numberIn(headers, 'x-requests-remaining')
      if (used === null && remaining === null) return
      heard.used = used
      heard.left = remaining
      budget.hear({ used, remaining }, now())
      replan()
    },
    /**
     * Notes the games of a sport, as last listed. Games that the list lacks are forgotten if all of
     * it was read. After an empty list, upcoming games are kept, because a source may have a gap.
     */
    games(sport: string, { starts: listed, isWhole }: ListedStarts) {
      const earlier = starts.get(sport) ?? []
      const keptFrom = isWhole ? now() : now() - day
      const kept = isWhole && listed.length > 0 ? [] : earlier.filter((at) => at > keptFrom)
      starts.set(sport, [...new Set([...listed, ...kept])])
      replan()
    },
    dueAt(sport: string, askedAt: number) {
      // If there are no credits left, the next call notices and reports it.
      if (roundLeft() < roundCost) return askedAt
      const dueAt = nextCallAt(meteredOf(sport), askedAt, roundStretch.now())
      // The next month's credits have their own plan.
      return Math.min(dueAt, renewsAt(now()))
    },
    /** Returns the credits that this process has spent. */
    spent: () => spentInAll,
    /**
     * Returns whether the props of an event are worth a call now.
     * @param startsAt as last listed (epoch ms)
     */
    isEventDue(id: string, startsAt: number | undefined) {
      if (perMonth === null) return true
      let event = events.get(id)
      if (!event) {
        forgetEvents()
        const of = eventOf(startsAt === undefined ? [] : [startsAt])
        event = { of, askedAt: Number.NEGATIVE_INFINITY }
        events.set(id, event)
        eventStretch.forget()
      }
      // A game's start may move.
      if (startsAt !== undefined && startsAt !== event.of.starts[0]) {
        event.of = eventOf([startsAt])
        eventStretch.forget()
      }
      if (propsLeft() < eventCost) return false
      // The first call costs credits too, so it waits as long as later ones.
      const since = Number.isFinite(event.askedAt) ? event.askedAt : firstSeen(event.of)
      return nextCallAt(event.of, since, eventStretch.now()) <= now()
    },
    /** Notes a call for the props of an event, which need not be repeated soon. */
    askedEvent(id: string) {
      const event = events.get(id)
      if (event) event.askedAt = now()
    },
    /** Returns the time of the next check of the remaining credits. */
    nextCheckAt: () => Math.min(renewsAt(now()), now() + exhaustedRetryMs),
    credits: (): Credits => ({ left: heard.left, used: heard.used, perMonth }),
    /** Returns the credits spent and the known games, for the next process. */
    state: (): PlanState => ({
      budget: budget.state(),
      rounds: rounds.state(),
      props: props.state(),
      heard: { ...heard },
      starts: Object.fromEntries([...starts].map(([sport, at]) => [sport, [...at]])),
      events: Object.fromEntries(
        [...events].map(([id, { of, askedAt }]) => [
          id,
          { starts: [...of.starts], askedAt: Number.isFinite(askedAt) ? askedAt : null },
        ]),
      ),
    }),
    resume(state: PlanState) {
      budget.resume(state.budget)
      const { budget: all, props: ofProps } = state
      rounds.resume(
        state.rounds ?? {
          used: Math.max(0, all.used - ofProps.used),
          remaining: null,
          endsAt: all.endsAt,
        },
      )
      props.resume(state.props)
      // Credits left from a past month do not count.
      if (now() < state.budget.endsAt) Object.assign(heard, state.heard)
      for (const sport of sports) starts.set(sport, state.starts[sport] ?? [])
      for (const [id, { starts: at, askedAt }] of Object.entries(state.events)) {
        events.set(id, { of: eventOf(at), askedAt: askedAt ?? Number.NEGATIVE_INFINITY })
      }
      replan()
    },
    estimate(): Estimate {
      const roundsPerDay = (sports.length * day) / intervalMs
      const wantedPerMonth = Math.round(roundsPerDay * roundCost * daysOfMonth)
      const forRounds = perMonth === null ? null : perMonth - propsShare
      const isEnough = forRounds === null || wantedPerMonth <= forRounds
      const lastsMs = isEnough ? 0 : (forRounds / wantedPerMonth) * daysOfMonth * day
      const callsPerDay = isEnough ? roundsPerDay : forRounds / roundCost / daysOfMonth
      return {
        creditsPerCall: roundCost,
        creditsPerMonth: perMonth,
        callsPerDay: Math.round(10 * callsPerDay) / 10,
        wantedPerMonth,
        wouldEndAt: isEnough ? null : new Date(now() + lastsMs).toISOString(),
      }
    },
  }

  /** Returns the time from which the first call of an event waits. */
  function firstSeen({ starts: [startsAt] }: Metered): number {
    return Math.min(now(), (startsAt ?? now()) - day)
  }
}
