/**
 * The time of the service, in epoch ms: the one clock of its prices, ages, limits and expiries. It begins at the
 * system's clock and then counts by the monotonic one. It never jumps and never runs back. If the
 * system's clock differs, this one approaches it by going faster or slower, by a tenth at most. It
 * follows corrections of a time server within seconds. After a step of hours no price expires early
 * or stays forever: ages are wrong by a tenth at most.
 *
 * - **By this clock**: when a record was received, ticks and with them the watermark, ages and freshness, whether a
 *   game has begun, limits of a minute, expiry of keys, accounts and trials, retention of the log.
 * - **By the monotonic clock**: durations and deadlines within the process.
 * - **By the system's clock**: the text log, the days of an export, and comparisons with a broker's own timestamps.
 *
 * While the machine sleeps, time passes: the monotonic clock stops then, but the uptime counts on.
 */

import { uptime } from 'node:os'
import type { Logger } from 'pino'

export interface ServiceClock {
  /** Returns whole epoch ms. */
  now(): number
  /** Returns how far the system's clock is ahead of this one (ms); below 0 it is behind. */
  aheadMs(): number
  /** Moves the clock forward to a time that this service has already written, if it is behind. */
  continueFrom(instant: number): void
}

export interface ClockOptions {
  /** Called when somebody set the system's clock: by how much, and how far it is ahead now (ms). */
  readonly onStep?: (stepMs: number, aheadMs: number) => void
  /** For tests: the system's clock, the monotonic one, and the time since the machine started (ms). */
  readonly system?: () => number
  readonly monotonic?: () => number
  readonly sinceBoot?: () => number
}

/** Logs a step once, in the process that notices it. */
export const warnOfStep = (logger: Pick<Logger, 'warn'>) => (stepMs: number, aheadMs: number) =>
  logger.warn(
    { stepMs, aheadMs },
    'the system clock was set; the service goes towards it by a tenth of the time that passes',
  )

/** The least difference between two clocks that is a fault: a time server may still correct a smaller one (ms). */
export const clockOffMs = 5_000

const lookEveryMs = 1_000
/** The most that this clock may go faster or slower, as a fraction. */
const mostSlew = 0.1
/** The time within which small differences (below `mostSlew` of this time) are removed. */
const followWithinMs = 10_000
/** The least step of the system's clock; a time server corrects less than this at a time. */
const leastStepMs = 1_000
/** The least sleep of the machine; a busy machine may pause for a shorter time. */
const leastSleepMs = 5_000

export function createClock(options: ClockOptions = {}): ServiceClock {
  const { onStep = () => {}, system = Date.now, monotonic = () => performance.now() } = options
  const { sinceBoot = () => uptime() * 1_000 } = options
  let lookedAt = monotonic()
  let timeThen = system()
  let bootThen = sinceBoot()
  let slew = 0
  /** How far the system's clock should be ahead if nobody has set it. */
  let expectedAheadMs = 0

  /** Returns the correction for the elapsed time, bounded so that a late read cannot overshoot. */
  const slewedMs = (elapsedMs: number) => slew * Math.min(elapsedMs, followWithinMs)

  function look(elapsedMs: number) {
    const bootNow = sinceBoot()
    const sleptMs = bootNow - bootThen - elapsedMs
    bootThen = bootNow
    lookedAt += elapsedMs
    timeThen += elapsedMs + slewedMs(elapsedMs)
    expectedAheadMs -= slewedMs(elapsedMs)
    let ahead = system() - timeThen
    if (sleptMs > leastSleepMs && ahead - expectedAheadMs > leastSleepMs) {
      const passedMs = Math.min(sleptMs, ahead - expectedAheadMs)
      timeThen += passedMs
      ahead -= passedMs
    }
    const stepMs = ahead - expectedAheadMs
    slew = Math.max(-mostSlew, Math.min(mostSlew, ahead / followWithinMs))
    expectedAheadMs = ahead
    if (Math.abs(stepMs) >= leastStepMs) onStep(Math.round(stepMs), Math.round(ahead))
  }

  function now() {
    const elapsedMs = monotonic() - lookedAt
    if (elapsedMs < lookEveryMs) return Math.floor(timeThen + elapsedMs * (1 + slew))
    look(elapsedMs)
    return Math.floor(timeThen)
  }

  return {
    now,
    aheadMs: () => Math.round(system() - now()),
    continueFrom(instant) {
      if (instant > now()) timeThen += instant - now()
    },
  }
}
