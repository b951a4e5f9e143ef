/**
 * Keeps a pipeline whose clock is wrong from what depends on it: ticks, by which prices expire, and feeds, whose records
 * say when a price was seen. Another pipeline takes them over; its partitions it keeps, since decisions go by the
 * records alone. Where no clock agrees with the log's, nobody sends the time, and no price expires.
 *
 * It takes them only while the service's clock agrees. It keeps them also while only the system's clock agrees, which
 * the service's goes towards: a machine that was set together with its brokers goes on.
 */

import type { Logger } from 'pino'
import { sleep as sleepUnlessAborted } from '../async/abort-signals.ts'
import type { Log } from '../log/log.ts'
import type { ServiceClock } from '../process/clock.ts'

export interface GuardOptions {
  readonly log: Pick<Log, 'clockDifferenceMs'>
  readonly clock: Pick<ServiceClock, 'aheadMs'>
  readonly logger: Pick<Logger, 'info' | 'warn'>
  /** Ends the work and the waiting. */
  readonly signal: AbortSignal
  /** A sleep that ends early with `signal`; for tests. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}

const lookEveryMs = 1_000

/** A clock that is less far off does less harm than none: prices expire that much too soon or too late. */
const wrongMs = 60_000

/** Returns whether a clock with this difference (ms) may be gone by; null: it is unknown. */
export const isRight = (differenceMs: number | null) =>
  differenceMs === null || Math.abs(differenceMs) < wrongMs

/**
 * Runs work while the clock is right, and again when it has become right.
 * @param work ends when its signal aborts; if it ends before, it is over
 * @throws errors of the work
 */
export async function whileClockIsRight(
  { log, clock, logger, signal, sleep = sleepUnlessAborted }: GuardOptions,
  work: (whileRight: AbortSignal) => Promise<unknown>,
): Promise<void> {
  let isTold = false
  while (!signal.aborted) {
    const differenceMs = log.clockDifferenceMs()
    if (!isRight(differenceMs)) {
      if (!isTold) logger.warn({ aheadMs: differenceMs }, 'the clock is wrong: no feeds, no ticks')
      isTold = true
      await sleep(lookEveryMs, signal)
      continue
    }
    if (isTold) logger.info('the clock is right: feeds and ticks are shared again')
    isTold = false
    const wrong = new AbortController()
    const looking = setInterval(() => {
      const nowMs = log.clockDifferenceMs()
      if (isRight(nowMs) || isRight(nowMs! + clock.aheadMs())) return
      wrong.abort()
    }, lookEveryMs)
    try {
      await work(AbortSignal.any([signal, wrong.signal]))
    } finally {
      clearInterval(looking)
    }
    if (!wrong.signal.aborted) return
  }
}
