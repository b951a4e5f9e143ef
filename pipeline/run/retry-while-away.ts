/**
 * Work on a log that outlasts its outages. What ends because the log was away (LogUnavailableError) begins
 * again, from the last commit: starting and recovering are one path, also without a new process.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { LogUnavailableError } from '../log/log.ts'

const firstPauseMs = 250
const longestPauseMs = 2_000
/** Work that has gone on for so long is not what keeps failing. */
const goneWellMs = 10_000

export interface RetryOptions {
  /** Ends the work and the waiting. */
  readonly signal: AbortSignal
  readonly logger: Pick<Logger, 'warn'>
  /** The log was away. */
  readonly onAway?: (reason: string) => void
  /** Monotonic ms, and a sleep that ends early with `signal`; for tests. */
  readonly now?: () => number
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** @param name of the work, for the text log. Rejects with what is no outage. */
export async function retryWhileAway(
  name: string,
  work: () => Promise<void>,
  options: RetryOptions,
): Promise<void> {
  const { signal, logger, now = () => performance.now(), sleep = sleeping } = options
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const since = now()
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof LogUnavailableError)) throw error
      if (signal.aborted) return
      if (now() - since > goneWellMs) pauseMs = firstPauseMs
      const reason = reasonOf(error)
      options.onAway?.(reason)
      logger.warn({ work: name, reason, pauseMs }, 'log is away; it begins again')
      await sleep(pauseMs, signal)
      if (signal.aborted) return
    }
  }
}

function reasonOf(error: Error): string {
  const { cause } = error
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message
}

const sleeping = (ms: number, signal: AbortSignal) =>
  delay(ms, undefined, { signal }).catch(() => {})
