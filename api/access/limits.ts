/**
 * Requests a minute: fixed windows of the wall clock's minutes, one meter a key or address (interface 8).
 * Keys that are made anew bring no minute of their own: see `Meters`.
 *
 * Several API processes keep to a key's limit together. Each tells the others what it has let through
 * (`peers.ts`), and counts what they have told. Of what is left then, and a tenth of the limit more, a
 * process may let through its share, and again a share once all have heard of the one before. So
 * what several let through before they hear of each other is at most a tenth too much, however it comes
 * in; and a process that hears of nobody, as while the log is away, goes on with its share.
 * A burst at one of them may have to come back in a second for the rest.
 */

import { networkOf } from './networks.ts'

const windowMs = 60_000

/** When the clock steps back by more windows than this, it was wrong before. */
const mostWindowsBack = 5

/** Of the limit, what processes that have not heard of each other may let through too much together. */
const overshoot = 0.1

/**
 * Once a process has read its own word in the log, the others have it this much later, and what they let
 * through before is known here.
 */
export const confirmMs = 500

/** What one key or address has used of the current minute. */
export interface Meter {
  /** The window's number; windows before it are forgotten. */
  window: number
  used: number
  /** Of `used`, what all other processes have heard of. */
  confirmed: number
  /** What `used` was in words read back, until they are settled; the oldest is the first. */
  readonly reports: { readonly used: number; readonly at: number }[]
  /** What other processes have reported: of `othersWindow`, in sum and by process. */
  othersWindow: number
  othersUsed: number
  othersBy: Map<string, number> | null
}

/** How processes share the limits now. */
export interface Sharing {
  /** How many there are, this one too. */
  readonly processes: number
  /** Whether what is too little for a share each is this process's now. */
  readonly hasTurn: boolean
  /** Now, in monotonic ms. */
  readonly at: number
}

export const unshared: Sharing = { processes: 1, hasTurn: true, at: 0 }

export interface Allowance {
  readonly isAllowed: boolean
  readonly limit: number
  /** Above 0 for a refused request that was too much for one process at once. */
  readonly remaining: number
  /** When the window ends (epoch seconds). */
  readonly resetsAt: number
  /** Seconds until a refused request may come again, at least 1. */
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
 * The window to count in: that of `now`, or the newest so far while the clock is a little behind it.
 * So a clock that steps back over a minute gives no minute twice, and one that was far ahead, as a
 * machine's may be when it starts, does not lock a used-up key until then.
 */
function windowAt(now: number, newest: number): number {
  const window = Math.floor(now / windowMs)
  return newest > window && newest - window <= mostWindowsBack ? newest : window
}

/** Takes one request of the current window. A refused request costs nothing. */
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

/** This process has read in the log what it told of a window. @param at monotonic ms */
export function confirmLater(meter: Meter, window: number, used: number, at: number): void {
  if (window === meter.window) meter.reports.push({ used, at })
}

/** What is left of the current window; takes nothing. */
export function remainingRequests(meter: Meter, limit: number, now: number): Allowance {
  const window = windowAt(now, meter.window)
  const own = meter.window === window ? meter.used : 0
  const used = own + (meter.othersWindow === window ? meter.othersUsed : 0)
  return allowance(used, limit, { window, now }, used < limit)
}

/**
 * Takes over what another process says it has let through of a window, by one way or the other: the most it
 * has said counts. Older windows are ignored.
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
 * The meters of keys. They stay when keys or accounts change, and an account has no more of them than it
 * has had keys at once: a new key takes the meter of the account's last deleted one, and with it what
 * that one has used of the minute.
 */
export interface Meters {
  /** The one meter of a key, made at its first mention. */
  of(keyId: string, accountId: string): Meter
  /** The meter of a key, if it has one. */
  find(keyId: string): Meter | undefined
  /** The keys and their meters. */
  all(): Iterable<readonly [keyId: string, meter: Meter]>
  drop(keyId: string): void
}

export function createMeters(): Meters {
  const meters = new Map<string, Meter>()
  const accountOf = new Map<string, string>()
  /** Of deleted keys, by account; the last deleted one's is the last. */
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
      const others = spare.get(accountId)
      if (others) others.push(meter)
      else spare.set(accountId, [meter])
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

/** One meter an address; all are forgotten with their minute. */
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
