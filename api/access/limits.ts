/**
 * Limits of requests a minute: a meter for each key or address, in windows of clock minutes (interface 8). A new key
 * brings no new minute: see `Meters`.
 *
 * API processes share a key's limit. Each reports its requests to the others (`peers.ts`) and
 * counts theirs. Each may let through its share of (remaining requests + a tenth of the limit).
 * Once all others have its last report, it may let through another share. So together they exceed
 * the limit by at most a tenth. A process without reports, as while the log is away, continues with
 * its share. In a burst at one process, some requests must be retried after a second.
 */

import { addTo } from '../../schemas/grouping.ts'
import { networkOf } from './networks.ts'

const windowMs = 60_000

/** If the clock steps back by more windows than this, its earlier time was wrong. */
const mostWindowsBack = 5

/** Share of the limit that processes may let through in excess, before they have each other's reports. */
const overshoot = 0.1

/** The others surely have a report this long after its sender has read it back from the log. */
export const confirmMs = 500

/** Requests of one key or address in the current minute. */
export interface Meter {
  /** The number of the window (minutes since 1970). */
  window: number
  used: number
  /** The part of `used` that all other processes know. */
  confirmed: number
  /** Own reports read back from the log (monotonic ms) and not confirmed yet, oldest first. */
  readonly reports: { readonly used: number; readonly at: number }[]
  /** Requests at other processes in `othersWindow`: in sum, and by process. */
  othersWindow: number
  othersUsed: number
  othersBy: Map<string, number> | null
}

/** The way in which processes share limits now. */
export interface Sharing {
  /** Number of processes, including this one. */
  readonly processes: number
  /** Whether this process may take the remainder that is too small to share. */
  readonly hasTurn: boolean
  /** Now (monotonic ms). */
  readonly at: number
}

export const unshared: Sharing = { processes: 1, hasTurn: true, at: 0 }

export interface Allowance {
  readonly isAllowed: boolean
  readonly limit: number
  /** Above 0 for a refused request if that exceeded only this process's share. */
  readonly remaining: number
  /** When the window ends (epoch seconds). */
  readonly resetsAt: number
  /** Seconds until a refused request may be retried, at least 1. */
  readonly retryAfterSeconds: number
}

export const createMeter = (): Meter => ({
  window: 0,
  used: 0,
  confirmed: 0,
  reports: [],
  othersWindow: 0,
  othersUsed: 0,
  othersBy: null,
})

/**
 * Returns the window of `now`, or the newest window while the clock is a little behind it. A clock
 * that steps back must not give a minute twice. A clock that was far ahead, as at a machine's
 * start, must not lock a key until that time.
 */
function windowAt(now: number, newest: number): number {
  const window = Math.floor(now / windowMs)
  return newest > window && newest - window <= mostWindowsBack ? newest : window
}

/** Takes one request of the current window, or nothing if it is refused. @param now epoch ms */
export function takeRequest(
  meter: Meter,
  limit: number,
  now: number,
  sharing: Sharing = unshared,
): Allowance {
  const window = windowAt(now, meter.window)
  if (meter.window !== window) {
    meter.window = window
    meter.used = 0
    meter.confirmed = 0
    meter.reports.length = 0
  }
  const others = meter.othersWindow === window ? meter.othersUsed : 0
  const isLeft = meter.used + others < limit
  const isAllowed = isLeft && isWithinShare(meter, limit, others, sharing)
  if (isAllowed) meter.used++
  const allowed = allowance(meter.used + others, limit, { window, now }, isAllowed)
  return isLeft && !isAllowed ? { ...allowed, retryAfterSeconds: 1 } : allowed
}

function isWithinShare(
  meter: Meter,
  limit: number,
  others: number,
  { processes, hasTurn, at }: Sharing,
): boolean {
  if (processes === 1) return true
  while (meter.reports.length > 0 && at - meter.reports[0]!.at >= confirmMs) {
    meter.confirmed = meter.reports.shift()!.used
  }
  const left = (1 + overshoot) * limit - others - meter.confirmed
  const share = Math.max(Math.floor(left / processes), hasTurn ? 1 : 0)
  return meter.used - meter.confirmed < share
}

/** Records a report of this process that it has read back. @param at monotonic ms */
export function confirmLater(meter: Meter, window: number, used: number, at: number): void {
  if (window === meter.window) meter.reports.push({ used, at })
}

/** Returns the allowance of the current window without taking a request. @param now epoch ms */
export function remainingRequests(meter: Meter, limit: number, now: number): Allowance {
  const window = windowAt(now, meter.window)
  const own = meter.window === window ? meter.used : 0
  const used = own + (meter.othersWindow === window ? meter.othersUsed : 0)
  return allowance(used, limit, { window, now }, used < limit)
}

/**
 * Counts requests that another process reports for a window. Reports arrive in two ways, and the highest counts.
 * Older windows are ignored.
 */
export function countElsewhere(meter: Meter, process: string, window: number, used: number): void {
  if (window < meter.othersWindow) return
  if (window > meter.othersWindow || !meter.othersBy) {
    meter.othersWindow = window
    meter.othersUsed = 0
    meter.othersBy = new Map()
  }
  const before = meter.othersBy.get(process) ?? 0
  if (used <= before) return
  meter.othersUsed += used - before
  meter.othersBy.set(process, used)
}

/**
 * The meters of keys, which outlive changes of keys and accounts. A new key takes over the meter of the account's
 * last deleted key, with its used requests. So an account has no more meters than it has had keys at once.
 */
export interface Meters {
  /** Returns the meter of a key, created if needed. */
  of(keyId: string, accountId: string): Meter
  find(keyId: string): Meter | undefined
  all(): Iterable<readonly [keyId: string, meter: Meter]>
  drop(keyId: string): void
}

export function createMeters(): Meters {
  const meters = new Map<string, Meter>()
  const accountOf = new Map<string, string>()
  /** Meters of deleted keys by account, last deleted last. */
  const spare = new Map<string, Meter[]>()
  return {
    of(keyId, accountId) {
      const known = meters.get(keyId)
      if (known) return known
      const meter = spare.get(accountId)?.pop() ?? createMeter()
      meters.set(keyId, meter)
      accountOf.set(keyId, accountId)
      return meter
    },
    find: (keyId) => meters.get(keyId),
    all: () => meters,
    drop(keyId) {
      const meter = meters.get(keyId)
      if (!meter) return
      const accountId = accountOf.get(keyId)!
      meters.delete(keyId)
      accountOf.delete(keyId)
      addTo(spare, accountId, meter)
    },
  }
}

function allowance(
  used: number,
  limit: number,
  { window, now }: { window: number; now: number },
  isAllowed: boolean,
): Allowance {
  const endsAt = (window + 1) * windowMs
  return {
    isAllowed,
    limit,
    remaining: Math.max(0, limit - used),
    resetsAt: endsAt / 1_000,
    retryAfterSeconds: Math.max(1, Math.ceil((endsAt - now) / 1_000)),
  }
}

export interface AddressLimiter {
  take(address: string, now: number): Allowance
}

/** A meter for each address (IPv6: each /64), for one minute. */
export function createAddressLimiter(limit: number): AddressLimiter {
  let window = 0
  let meters = new Map<string, Meter>()
  return {
    take(address, now) {
      const current = windowAt(now, window)
      if (current !== window) {
        window = current
        meters = new Map()
      }
      const network = networkOf(address)
      let meter = meters.get(network)
      if (!meter) {
        meter = createMeter()
        meters.set(network, meter)
      }
      return takeRequest(meter, limit, now)
    },
  }
}
