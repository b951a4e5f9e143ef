/**
 * What the requests of a key may cost: milliseconds of the one loop that answers everybody. An account
 * has a credit that grows with the time and is spent on what its requests take in one piece. With none
 * left it is refused until there is some again, so that no account within its requests a minute can hold up the others.
 *
 * A piece of a request that takes less than `uncountedMs` is free: the requests of a minute bound those, and
 * most answers are such. The last request may overdraw; what it took is waited for.
 *
 * Of streams it is spent on what a client alone causes: what it asks for is begun, given and proven. What
 * changes on the board is told at nobody's cost: it is as much for all who ask the same.
 */

import { ApiError, retryAfter } from '../errors.ts'
import type { Caller } from './keys.ts'
import { tierRights } from './tiers.ts'

/** Pieces shorter than this cost nothing. */
export const uncountedMs = 1
/** The credit of so many seconds is kept for a burst. */
const burstSeconds = 60

export type Spender = Pick<Caller, 'accountId' | 'tier' | 'requestsPerMinute'>

export interface WorkBudget {
  /** @throws ApiError work_limited while the account has no credit */
  admit(caller: Spender): void
  /** Whether the account has no credit now. */
  isSpent(caller: Spender): boolean
  /** An instant to charge from. */
  now(): number
  /** All since an instant has been done for the account, however short the piece. */
  charge(caller: Spender, since: number): void
  /** Runs a piece of work at the cost of the account. */
  run<T>(caller: Spender | undefined, work: () => T): T
}

interface Account {
  /** Milliseconds that may still be spent; below 0 overdrawn. */
  credit: number
  /** When that was so (monotonic ms). */
  at: number
}

/** @param timer monotonic ms */
export function createWorkBudget(timer: () => number): WorkBudget {
  const accounts = new Map<string, Account>()
  let sweptAt = timer()
  /** A piece within another is charged with it. */
  let isRunning = false

  /** Whoever has full credit again is as one never seen. */
  function sweep(now: number) {
    if (now - sweptAt < 1_000 * burstSeconds) return
    sweptAt = now
    for (const [id, { at }] of accounts) if (now - at > 2_000 * burstSeconds) accounts.delete(id)
  }

  function creditOf(caller: Spender, known: Account, now: number): number {
    const perMs = creditPerMs(caller)
    return Math.min(1_000 * burstSeconds * perMs, known.credit + (now - known.at) * perMs)
  }

  function spend(caller: Spender, ms: number, now: number) {
    sweep(now)
    const full = { credit: 1_000 * burstSeconds * creditPerMs(caller), at: now }
    const known = accounts.get(caller.accountId) ?? full
    accounts.set(caller.accountId, { credit: creditOf(caller, known, now) - ms, at: now })
  }

  /** Above 0 for one that has not spent anything. */
  function creditNow(caller: Spender): number {
    const known = accounts.get(caller.accountId)
    return known ? creditOf(caller, known, timer()) : Number.POSITIVE_INFINITY
  }

  return {
    isSpent: (caller) => creditNow(caller) <= 0,
    now: timer,
    charge(caller, since) {
      const now = timer()
      if (now > since) spend(caller, now - since, now)
    },
    admit(caller) {
      const credit = creditNow(caller)
      if (credit > 0) return
      const seconds = Math.max(1, Math.ceil((0 - credit) / creditPerMs(caller) / 1_000))
      throw new ApiError(
        'work_limited',
        `The account’s CPU time is used up; ask for less at once, or try again in ${seconds} s.`,
        retryAfter(seconds),
      )
    },
    run(caller, work) {
      if (isRunning) return work()
      isRunning = true
      const from = timer()
      try {
        return work()
      } finally {
        isRunning = false
        const now = timer()
        if (caller && now - from >= uncountedMs) spend(caller, now - from, now)
      }
    },
  }
}

/** An account with more requests than its tier has as much more time. */
function creditPerMs({ tier, requestsPerMinute }: Spender): number {
  const rights = tierRights[tier]
  return (
    (rights.workMsPerMinute / 60_000) * Math.max(1, requestsPerMinute / rights.requestsPerMinute)
  )
}
