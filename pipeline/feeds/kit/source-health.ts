/**
 * The health of a live source, as a state machine without a clock: `nextHealth` takes the health so far, the newest
 * response or failure, and the time; it returns the health now and the time of the next call. It judges polled and
 * streamed sources alike. The calls and the reports are elsewhere (`kit/self-report.ts`; `run/sources.ts`).
 *
 * Retries never multiply calls: a failing source gets one call per wait, the waits double up to five minutes, and no
 * call comes before the time that the source named.
 */

import type { SourceState } from '../../../schemas/source.ts'
import { usableMs } from '../../rules/odds/freshness.ts'

/** The health of a source. Times are epoch ms. */
export interface Health {
  /** Its state. `paused` is not among them: the operator pauses, and the source is not told. */
  readonly state: Exclude<SourceState, 'paused'>
  /** Why it is not up: `starting`, `http_500`, `timeout`, …; null when it is. */
  readonly reason: string | null
  readonly since: number
  readonly lastSuccessAt: number | null
  /** The time of the next call; null while a stream is open. */
  readonly nextTryAt: number | null
  /** The number of rounds, or connections, in a row without any result. */
  readonly failures: number
}

/** The outcome of a round or a connection, or its state so far. */
export type Outcome =
  | {
      readonly kind: 'answered'
      /** The time of the next call; null for a stream. */
      readonly nextAt: number | null
    }
  | {
      /** Some responses came and some did not. */
      readonly kind: 'partly'
      readonly reason: string
      readonly notBefore: number | null
      readonly nextAt: number | null
    }
  | {
      readonly kind: 'failed'
      /** `http_<status>`, `timeout`, `network`, `not_json`, `login_refused`, `idle`, … */
      readonly reason: string
      /** The time before which the source demands no call (epoch ms); null when it does not. */
      readonly notBefore: number | null
      /** The time before which we make no call, because it would cost credits. */
      readonly nextAt?: number
    }
  | {
      /** A call has failed for longer than a hiccup, and is tried again. */
      readonly kind: 'retrying'
      readonly reason: string
      readonly nextAt: number
    }

export interface HealthPolicy {
  /** Failures in a row before it is down. */
  readonly downAfter: number
  /** The wait after the first failure; each further one doubles it. */
  readonly retryMs: number
}

/** If a call is answered within this time, its retries do not count as a failure. */
export const hiccupMs = 5_000
/** The longest wait that we choose after a temporary failure. */
export const longestRetryMs = 5 * 60_000
/** The time between tries with a refused key, which rarely works again. */
export const refusedRetryMs = 15 * 60_000
/** The same after the credits are used up, if the source does not state when there are new ones. */
export const exhaustedRetryMs = 60 * 60_000

export const startingHealth = (now: number): Health => ({
  state: 'degraded',
  reason: 'starting',
  since: now,
  lastSuccessAt: null,
  nextTryAt: now,
  failures: 0,
})

const refusals: ReadonlySet<string> = new Set(['http_401', 'http_403', 'login_refused'])
const exhausted: ReadonlySet<string> = new Set(['http_402', 'out_of_credits'])
const throttles: ReadonlySet<string> = new Set(['http_429', 'paused'])

/** Returns whether a failure concerns the source and not one target: the rest would fail alike. */
export const endsRound = (reason: string) =>
  refusals.has(reason) || exhausted.has(reason) || throttles.has(reason)

export function nextHealth(
  before: Health,
  outcome: Outcome,
  now: number,
  policy: HealthPolicy,
): Health {
  if (outcome.kind === 'answered') {
    const { nextAt: nextTryAt } = outcome
    return enter(before, 'up', null, now, { lastSuccessAt: now, nextTryAt, failures: 0 })
  }
  if (outcome.kind === 'retrying') {
    if (before.state !== 'up') return before
    const { lastSuccessAt, failures } = before
    const kept = { lastSuccessAt, failures, nextTryAt: outcome.nextAt }
    return enter(before, 'degraded', outcome.reason, now, kept)
  }
  const { reason, notBefore } = outcome
  if (outcome.kind === 'partly') {
    const nextTryAt = outcome.nextAt === null ? null : Math.max(outcome.nextAt, notBefore ?? 0)
    return enter(before, 'degraded', reason, now, { lastSuccessAt: now, nextTryAt, failures: 0 })
  }
  const failures = before.failures + 1
  const kept = { lastSuccessAt: before.lastSuccessAt, failures }
  const dueAt = outcome.nextAt ?? 0
  const until = (waitMs: number) => Math.max(now + waitMs, notBefore ?? 0, dueAt)
  if (refusals.has(reason)) {
    return enter(before, 'needs_key', reason, now, { ...kept, nextTryAt: until(refusedRetryMs) })
  }
  if (exhausted.has(reason)) {
    const nextTryAt = Math.max(now + policy.retryMs, notBefore ?? now + exhaustedRetryMs, dueAt)
    return enter(before, 'out_of_credits', reason, now, { ...kept, nextTryAt })
  }
  if (before.state === 'needs_key' || before.state === 'out_of_credits') {
    // A temporary failure says nothing about the key or the credits: the state stays.
    return enter(before, before.state, before.reason, now, {
      ...kept,
      nextTryAt: until(refusedRetryMs),
    })
  }
  const waitMs = Math.min(longestRetryMs, policy.retryMs * 2 ** Math.min(failures - 1, 30))
  const nextTryAt = until(waitMs)
  // Down if the source makes us wait longer than its prices stay usable. The wait for `nextAt` does
  // not count: we choose it to save credits, even when all is well.
  const refusedMs = Math.max(waitMs, (notBefore ?? now) - now)
  const isGone = failures >= policy.downAfter || refusedMs > usableMs(false)
  const state = isGone || !isPassing(before) ? 'down' : 'degraded'
  return enter(before, state, reason, now, { ...kept, nextTryAt })
}

/**
 * Returns the time before which no call is allowed after an outcome: our wait after a failure, and what the source
 * demands. A planned call (`nextAt`) does not count, because the plan may change before.
 */
export const heldUntilAfter = (
  before: Health,
  outcome: Outcome,
  now: number,
  policy: HealthPolicy,
): number => nextHealth(before, { ...outcome, nextAt: 0 }, now, policy).nextTryAt ?? 0

/** Returns whether a failure in this state may be temporary; in all others it means `down`. */
const isPassing = ({ state }: Health) => state === 'up' || state === 'degraded'

function enter(
  before: Health,
  state: Health['state'],
  reason: string | null,
  now: number,
  rest: Pick<Health, 'lastSuccessAt' | 'nextTryAt' | 'failures'>,
): Health {
  return { state, reason, since: before.state === state ? before.since : now, ...rest }
}

/** Returns advice to the operator about a state; null where there is nothing to do. */
export function adviceOn({ state, reason }: Pick<Health, 'state' | 'reason'>): string | null {
  if (state === 'up' || state === 'degraded') return null
  const advice = adviceByReason(reason)
  return state === 'down' ? `${advice} ${retries}` : advice
}

const retries = 'We retry automatically: at least every five minutes, or when the source allows it.'

/** Returns what to do about a failure, while the source runs or is tested. */
export const adviceByReason = (reason: string | null): string =>
  advices.find(({ reasons }) => reason !== null && reasons.has(reason))?.advice ?? adviceOnOthers

const advices: readonly { readonly reasons: ReadonlySet<string>; readonly advice: string }[] = [
  {
    reasons: new Set(['http_401', 'login_refused']),
    advice:
      'The key or login is refused: correct it on the page /sources, or in the file of OVERROUND_FEEDS_FILE, and restart.',
  },
  {
    reasons: new Set(['http_403', 'http_451']),
    advice:
      'It refuses this machine, often because of its country or data centre: use a proxy that it accepts as baseUrl. If it has a key, check that too.',
  },
  {
    reasons: exhausted,
    advice:
      'The credits are used up: buy more, or wait; it resumes by itself when there are new ones.',
  },
  {
    reasons: throttles,
    advice: 'Too many requests: raise intervalMs (of polymarket refreshMs) in its settings.',
  },
  {
    reasons: new Set(['ended']),
    advice:
      'It ended by a fault of its own. The log of this process has the error: please report it.',
  },
  {
    reasons: new Set(['http_400', 'http_404', 'http_422']),
    advice: 'It knows no such address: check the ids and names in the settings.',
  },
  {
    reasons: new Set(['network', 'timeout']),
    advice:
      'It cannot be reached from this process: check the network, the proxy, and the address in the settings.',
  },
]

const adviceOnOthers =
  'It does not answer as expected now: test again in some minutes, and look at the log of this process.'
