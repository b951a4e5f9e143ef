/**
 * The CPU budget of accounts. One loop serves all requests, so an account has a credit in milliseconds that grows
 * with time and is spent by its requests. Without credit it is refused until it has some again.
 *
 * Work of less than `uncountedMs` is free: the limit of requests a minute bounds it. The last
 * request may overdraw the credit; work in pieces ends once it is overdrawn by `mostOverdrawn`
 * times the full credit. The account then waits for the difference.
 *
 * Streams charge an account for the start, snapshot and proof of its clients. Ticks are free,
 * because clients share them.
 */

import { ApiError, retryAfter } from '../errors.ts'
import type { Caller } from './keys.ts'
import { tierRights } from './tiers.ts'

/** Shorter work is free. */
export const uncountedMs = 1
/** Unused credit is kept for this many seconds. */
const burstSeconds = 60
/**
 * How many times its full credit an account may overdraw: more than the largest allowed request
 * costs.
 */
const mostOverdrawn = 5

export type Spender = Pick<Caller, 'accountId' | 'tier' | 'requestsPerMinute'>

export interface WorkBudget {
  /** @throws ApiError work_limited while the account has no credit */
  admit(caller: Spender): void
  /**
   * Called between pieces of work that was admitted.
   * @throws ApiError work_limited once the account has overdrawn by `mostOverdrawn`
   */
  goOn(caller: Spender): void
  /** Returns whether the account has no credit now. */
  isSpent(caller: Spender): boolean
  /** Returns monotonic ms, for `charge`. */
  now(): number
  /** Charges the time since `since`, however short. */
  charge(caller: Spender, since: number): void
  /** Runs work and charges its time. @param caller undefined: charge no one */
  run<T>(caller: Spender | undefined, work: () => T): T
  /** Returns a function that runs the parts of one work. Together they are free below `uncountedMs`, not each of them. */
  parts(caller: Spender | undefined): <T>(work: () => T) => T
}

interface Account {
  /** Credit in ms; negative if overdrawn. */
  credit: number
  /** When the credit was computed (monotonic ms). */
  at: number
  /** When unused credit is full again (monotonic ms). */
  fullAt: number
}

/** @param timer monotonic ms */
export function createWorkBudget(timer: () => number): WorkBudget {
  const accounts = new Map<string, Account>()
  let sweptAt = timer()
  /** Nested work is charged with the outer one. */
  let isRunning = false

  /** Forgets accounts whose credit is full. */
  function sweep(now: number) {
    if (now - sweptAt < 1_000 * burstSeconds) return
    sweptAt = now
    for (const [id, { fullAt }] of accounts) if (now >= fullAt) accounts.delete(id)
  }

  function creditOf(caller: Spender, known: Account, now: number): number {
    const perMs = creditPerMs(caller)
    return Math.min(fullCredit(caller), known.credit + (now - known.at) * perMs)
  }

  function spend(caller: Spender, ms: number, now: number) {
    sweep(now)
    const full = fullCredit(caller)
    const known = accounts.get(caller.accountId)
    const credit = (known ? creditOf(caller, known, now) : full) - ms
    accounts.set(caller.accountId, {
      ...{ credit, at: now },
      fullAt: now + (full - credit) / creditPerMs(caller),
    })
  }

  /** Returns Infinity for an account that has spent nothing. */
  function creditNow(caller: Spender): number {
    const known = accounts.get(caller.accountId)
    return known ? creditOf(caller, known, timer()) : Number.POSITIVE_INFINITY
  }

  function refuseAt(least: number, caller: Spender) {
    const credit = creditNow(caller)
    if (credit > least) return
    const seconds = Math.max(1, Math.ceil((0 - credit) / creditPerMs(caller) / 1_000))
    throw new ApiError(
      'work_limited',
      `The account’s processing time is used up; ask for less at once, or try again in ${seconds} s.`,
      retryAfter(seconds),
    )
  }

  function partsOf(caller: Spender | undefined) {
    let unpaidMs = 0
    return <T>(work: () => T): T => {
      if (isRunning) return work()
      isRunning = true
      const from = timer()
      try {
        return work()
      } finally {
        isRunning = false
        const now = timer()
        unpaidMs += now - from
        if (caller && unpaidMs >= uncountedMs) {
          spend(caller, unpaidMs, now)
          unpaidMs = 0
        }
      }
    }
  }

  return {
    isSpent: (caller) => creditNow(caller) <= 0,
    now: timer,
    charge(caller, since) {
      const now = timer()
      if (now > since) spend(caller, now - since, now)
    },
    admit: (caller) => refuseAt(0, caller),
    goOn: (caller) => refuseAt(-mostOverdrawn * fullCredit(caller), caller),
    run: (caller, work) => partsOf(caller)(work),
    parts: partsOf,
  }
}

const fullCredit = (caller: Spender) => 1_000 * burstSeconds * creditPerMs(caller)

/** An account with more requests a minute than its tier gets proportionally more time. */
function creditPerMs({ tier, requestsPerMinute }: Spender): number {
  const rights = tierRights[tier]
  return (
    (rights.workMsPerMinute / 60_000) * Math.max(1, requestsPerMinute / rights.requestsPerMinute)
  )
}
