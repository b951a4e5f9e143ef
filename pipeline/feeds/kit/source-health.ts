/**
 * How a live source is, as a state machine without a clock: `nextHealth` takes how it is, what it has
 * just answered or failed to answer, and the time; it gives the state now and the time of the next call.
 * Polled and streamed sources are judged by it alike. The calls and the reports are elsewhere
 * (`kit/self-report.ts`; `run/sources.ts`).
 *
 * Retries never multiply calls: a source that fails gets one call per wait, the waits double up to
 * five minutes, and never before the instant that it named itself.
 */

import type { SourceState } from '../../../schemas/source.ts'
import { usableMs } from '../../rules/odds/freshness.ts'

/** Instants are epoch ms. */
export interface Health {
  /** `paused` is the operator's word, which a source does not hear. */
  readonly state: Exclude<SourceState, 'paused'>
  /** Why it is not up: `starting`, `http_500`, `timeout`, …; null when it is. */
  readonly reason: string | null
  readonly since: number
  readonly lastSuccessAt: number | null
  /** The time of the next call; null while a stream is open. */
  readonly nextTryAt: number | null
  /** Rounds, or connections, in a row that gave nothing. */
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
      /** Something was answered and something was not. */
      readonly kind: 'partly'
      readonly reason: string
      readonly notBefore: number | null
      readonly nextAt: number | null
    }
  | {
      readonly kind: 'failed'
      /** `http_<status>`, `timeout`, `network`, `not_json`, `login_refused`, `idle`, … */
      readonly reason: string
      /** The source demands no call before (epoch ms); null when it does not. */
      readonly notBefore: number | null
    }
  | {
      /** A call has had no answer for so long that it is no hiccup, and is tried again. */
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

/** A call that is answered within this time has done well, however often it was tried. */
export const hiccupMs = 5_000
/** The longest wait that we choose after a failure which may pass. */
export const longestRetryMs = 5 * 60_000
/** A refused key rarely works again: one try in this time is enough. */
export const refusedRetryMs = 15 * 60_000
/** The same of an allowance that is used up, where the source does not say until when. */
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

/** Whether a failure is of the source and not of one target: the rest would fail alike. */
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
  const until = (waitMs: number) => Math.max(now + waitMs, notBefore ?? 0)
  if (refusals.has(reason)) {
    return enter(before, 'needs_key', reason, now, { ...kept, nextTryAt: until(refusedRetryMs) })
  }
  if (exhausted.has(reason)) {
    const nextTryAt = Math.max(now + policy.retryMs, notBefore ?? now + exhaustedRetryMs)
    return enter(before, 'out_of_credits', reason, now, { ...kept, nextTryAt })
  }
  if (before.state === 'needs_key' || before.state === 'out_of_credits') {
    // A failure that may pass says nothing of the key or the credits: what was last heard of them stands.
    return enter(before, before.state, before.reason, now, {
      ...kept,
      nextTryAt: until(refusedRetryMs),
    })
  }
  const waitMs = Math.min(longestRetryMs, policy.retryMs * 2 ** Math.min(failures - 1, 30))
  const nextTryAt = until(waitMs)
  // Prices that nobody confirms for so long are part of nothing anyway.
  const isGone = failures >= policy.downAfter || nextTryAt - now > usableMs(false)
  const state = isGone || !isPassing(before) ? 'down' : 'degraded'
  return enter(before, state, reason, now, { ...kept, nextTryAt })
}

/** From these a failure leads to `down` at once: it has not answered since. */
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

/** Advice to the operator about a state; null where there is nothing to do. */
export function adviceOn({ state, reason }: Pick<Health, 'state' | 'reason'>): string | null {
  switch (state) {
    case 'needs_key':
      return 'The key or login is refused: correct it in the file of OVERROUND_FEEDS_FILE, and restart.'
    case 'out_of_credits':
      return 'The credits are used up: buy more, or wait; it resumes by itself when there are new ones.'
    case 'down':
      return reason === 'http_429'
        ? 'Too many requests: raise intervalMs in the file of OVERROUND_FEEDS_FILE.'
        : 'We retry automatically: at least every five minutes, or when the source allows it. Check the network or proxy to it.'
    default:
      return null
  }
}
