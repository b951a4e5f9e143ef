/**
 * A metered source's credits, spread over the month: how many remain, and when a target is worth
 * the next ones. Pure: time and the known games are arguments.
 *
 * A target is called about once a day even without games (`mostMs`), because only such a look-out
 * shows new games. The cost of look-outs is subtracted from a day's share of the remaining credits.
 * The rest is for the known games: the interval between their calls depends on the time to their
 * start (`cadence`). If these calls would cost more than the rest over the next day, all their
 * waits grow by the same factor. If the look-outs alone cost more than the share, they are extended
 * evenly. So games near their start get the most calls, a quiet day leaves more for the next, and a
 * month never costs more than its credits: a call beyond them is not made.
 */

import { z } from 'zod'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** The time between calls for a game, by the time to its start; also in play, for some time. */
const cadence: readonly { readonly fromMs: number; readonly everyMs: number }[] = [
  { fromMs: -4 * hour, everyMs: minute },
  { fromMs: 0, everyMs: 2 * minute },
  { fromMs: hour, everyMs: 10 * minute },
  { fromMs: 6 * hour, everyMs: hour },
  { fromMs: day, everyMs: 6 * hour },
]
/** The interval without a game, besides the look-outs. */
const idleEveryMs = day
/** The longest time between two look-outs, if the credits suffice. */
export const lookOutMs = day

/** Something that costs credits at each call. */
export interface Metered {
  /** The credits of one call. */
  readonly cost: number
  /** When its games start (epoch ms). */
  readonly starts: readonly number[]
  /** The least time between calls. */
  readonly leastMs: number
  /**
   * The most time between calls, if the credits suffice; Infinity for targets that are only called
   * because of games.
   */
  readonly mostMs: number
}

/** The factors (1 or more) by which waits grow. */
export interface Stretch {
  /** For calls because of known games; Infinity if no credits are left for them. */
  readonly games: number
  readonly lookOuts: number
}

/** Returns the time between calls for the games that start this long after now. */
function everyMs({ starts, leastMs }: Metered, now: number): number {
  let every = idleEveryMs
  for (const start of starts) {
    const toStart = start - now
    if (toStart < cadence[0]!.fromMs) continue
    // A game in play is at the first step, a distant one at the last.
    let step = cadence[0]!
    for (const next of cadence) if (toStart > next.fromMs) step = next
    every = Math.min(every, step.everyMs)
  }
  return Math.max(every, leastMs)
}

/** Returns the times between `from` and `to` at which `everyMs` may change, and both ends, in order. */
function turns({ starts }: Metered, from: number, to: number): number[] {
  const at = new Set([from, to])
  for (const start of starts) {
    for (const { fromMs } of cadence) {
      const turn = start - fromMs
      if (turn > from && turn < to) at.add(turn)
    }
  }
  return [...at].sort((a, b) => a - b)
}

/** Returns how many calls the games of a target are worth between two times, without a budget. */
function wantedCalls(of: Metered, from: number, to: number): number {
  let calls = 0
  const at = turns(of, from, to)
  for (let i = 1; i < at.length; i++) {
    calls += (at[i]! - at[i - 1]!) / everyMs(of, (at[i - 1]! + at[i]!) / 2)
  }
  return calls
}

const lookOutEveryMs = ({ mostMs, leastMs }: Metered) => Math.max(mostMs, leastMs)

/** Returns the factors with which the next day costs at most its share of the remaining credits. */
export function stretch(all: readonly Metered[], left: number, now: number): Stretch {
  const days = Math.max(1 / 24, (renewsAt(now) - now) / day)
  const share = Math.max(left / Math.max(1, days), Number.MIN_VALUE)
  const lookOuts = all.reduce((sum, of) => sum + (of.cost * day) / lookOutEveryMs(of), 0)
  // One more look-out is reserved until the last day: games early in a month must not use up its
  // end's credits.
  const kept = lookOuts * (days > 1 ? 1 + 1 / days : 1)
  const rest = share - kept
  const wanted = all.reduce((sum, of) => sum + of.cost * wantedCalls(of, now, now + day), 0)
  return {
    games: rest > 0 ? Math.max(1, wanted / rest) : Number.POSITIVE_INFINITY,
    lookOuts: Math.max(1, lookOuts / share),
  }
}

/**
 * Returns the time of a target's next call after one at `askedAt`, with waits extended by these
 * factors.
 */
export function nextCallAt(of: Metered, askedAt: number, { games, lookOuts }: Stretch): number {
  if (!Number.isFinite(askedAt)) return askedAt
  const lookOutEvery = lookOutEveryMs(of) * lookOuts
  const end = askedAt + Math.min(lookOutEvery, Math.max(idleEveryMs, of.leastMs) * games)
  if (!Number.isFinite(end)) return Number.POSITIVE_INFINITY
  // Each period adds a part of a look-out and of a call for games; when the sum is 1, the call is
  // due.
  let worth = 0
  const at = turns(of, askedAt, end)
  for (let i = 1; i < at.length; i++) {
    const [from, to] = [at[i - 1]!, at[i]!]
    const perMs = 1 / lookOutEvery + 1 / (everyMs(of, (from + to) / 2) * games)
    const due = from + (1 - worth) / perMs
    if (due <= to) return Math.max(Math.ceil(due), askedAt + of.leastMs)
    worth += (to - from) * perMs
  }
  return Math.ceil(end)
}

/** Returns when a month's credits are renewed: at midnight UTC of its first day. */
export function renewsAt(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

export const budgetState = z.object({
  used: z.number(),
  /** The remaining credits by the source's own count; null before it has stated one. */
  remaining: z.number().nullable(),
  /** When its month ends (epoch ms). */
  endsAt: z.number(),
})
type BudgetState = z.output<typeof budgetState>

/** Keeps a month's credits: spent and remaining. */
export function createBudget(perMonth: number) {
  let used = 0
  /**
   * The remaining credits by the source's own count, minus those spent since; our plan may have
   * fewer than assumed.
   */
  let remaining = Number.POSITIVE_INFINITY
  let endsAt = 0

  function turnMonth(now: number) {
    if (now < endsAt) return
    endsAt = renewsAt(now)
    used = 0
    remaining = Number.POSITIVE_INFINITY
  }

  return {
    left(now: number) {
      turnMonth(now)
      return Math.max(0, Math.min(perMonth - used, remaining))
    },
    /** Notes a call with this cost, as far as we know. */
    spend(credits: number, now: number) {
      turnMonth(now)
      used += credits
      remaining -= credits
    },
    /** Returns its state, for the next process. */
    state: (): BudgetState => ({
      used,
      remaining: Number.isFinite(remaining) ? remaining : null,
      endsAt,
    }),
    resume(state: BudgetState) {
      used = state.used
      remaining = state.remaining ?? Number.POSITIVE_INFINITY
      endsAt = state.endsAt
    },
    /** Notes the source's own count of used and remaining credits, which overrides ours. */
    hear(stated: { readonly used: number | null; readonly remaining: number | null }, now: number) {
      turnMonth(now)
      if (stated.used !== null) used = stated.used
      if (stated.remaining !== null) remaining = stated.remaining
    },
  }
}
