/**
 * Requests a minute: fixed windows of the wall clock's minutes, one meter a key or address (interface 8).
 * Keys that are made anew bring no minute of their own: see `Meters`.
 *
 * Several API processes share a key's limit through the topic `usage`: each says every few seconds
 * what it has let through of the current minute, and the others count that against the limit too.
 * So one process never lets through more than the limit. Together they can exceed it in one minute, by
 * what each lets through before it hears from the others: at most (processes - 1) times the
 * limit, and at an even pace (processes - 1) times the requests of one `flushEveryMs` (`usage.ts`)
 * and the log's delay. Refused requests are not counted, so the overshoot does not carry over. A
 * process that starts again within a minute finds what it took before as another's.
 */

import { networkOf } from './networks.ts'

const windowMs = 60_000

/** When the clock steps back by more windows than this, it was wrong before. */
const mostWindowsBack = 5

/** What one key or address has used of the current minute. */
export interface Meter {
  /** The window's number; windows before it are forgotten. */
  window: number
  used: number
  /** What other processes have reported: of `othersWindow`, in sum and by process. */
  othersWindow: number
  othersUsed: number
  othersBy: Map<string, number> | null
}

export interface Allowance {
  readonly isAllowed: boolean
  readonly limit: number
  readonly remaining: number
  /** When the window ends (epoch seconds). */
  readonly resetsAt: number
  /** Seconds until then, at least 1. */
  readonly retryAfterSeconds: number
}

export const createMeter = (): Meter => ({
  window: 0,
  used: 0,
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
export function takeRequest(meter: Meter, limit: number, now: number): Allowance {
  const window = windowAt(now, meter.window)
  if (meter.window !== window) {
    meter.window = window
    meter.used = 0
  }
  const others = meter.othersWindow === window ? meter.othersUsed : 0
  const isAllowed = meter.used + others < limit
  if (isAllowed) meter.used++
  return allowance(meter.used + others, limit, { window, now }, isAllowed)
}

/** What is left of the current window; takes nothing. */
export function remainingRequests(meter: Meter, limit: number, now: number): Allowance {
  const window = windowAt(now, meter.window)
  const own = meter.window === window ? meter.used : 0
  const used = own + (meter.othersWindow === window ? meter.othersUsed : 0)
  return allowance(used, limit, { window, now }, used < limit)
}

/** Takes over what another process says it has let through of a window; older windows are ignored. */
export function reportOthers(meter: Meter, process: string, window: number, used: number): void {
  if (window < meter.othersWindow) return
  if (window > meter.othersWindow || !meter.othersBy) {
    meter.othersWindow = window
    meter.othersUsed = 0
    meter.othersBy = new Map()
  }
  meter.othersUsed += used - (meter.othersBy.get(process) ?? 0)
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
  drop(keyId: string): void
}

export function createMeters(): Meters {
  const meters = new Map<string, { readonly meter: Meter; readonly accountId: string }>()
  /** Of deleted keys, by account; the last deleted one's is the last. */
  const spare = new Map<string, Meter[]>()
  return {
    of(keyId, accountId) {
      const known = meters.get(keyId)
      if (known) return known.meter
      const meter = spare.get(accountId)?.pop() ?? createMeter()
      meters.set(keyId, { meter, accountId })
      return meter
    },
    find: (keyId) => meters.get(keyId)?.meter,
    drop(keyId) {
      const dropped = meters.get(keyId)
      if (!dropped) return
      meters.delete(keyId)
      const { meter, accountId } = dropped
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
