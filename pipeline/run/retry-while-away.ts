/**
 * Repeats work on a log that ended because the log was away (LogUnavailableError). It starts at the last commit, as
 * after a start of the process.
 */

import type { Logger } from 'pino'
import { sleep } from '../async/abort-signals.ts'
import { LogUnavailableError } from '../log/log.ts'

const firstPauseMs = 250
const longestPauseMs = 2_000
/** After a run of at least this long, the next pause is the shortest again. */
const goneWellMs = 10_000

export interface RetryOptions {
  /** Ends the work and the waiting. */
  readonly signal: AbortSignal
  readonly logger: Pick<Logger, 'warn'>
  /** Called when the log was away. */
  readonly onAway?: (reason: string) => void
}

/**
 * @param name of the work, for the text log
 * @returns the work's result; undefined when `signal` ended it during an outage
 * @throws every error except an outage
 */
export async function retryWhileAway<Done>(
  name: string,
  work: () => Promise<Done>,
  { signal, logger, onAway }: RetryOptions,
): Promise<Done | undefined> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const since = performance.now()
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof LogUnavailableError)) throw error
      if (signal.aborted) return undefined
      if (performance.now() - since > goneWellMs) pauseMs = firstPauseMs
      const reason = reasonOf(error)
      onAway?.(reason)
      logger.warn({ work: name, reason, pauseMs }, 'log is away; the work begins again')
      await sleep(pauseMs, signal)
      if (signal.aborted) return undefined
    }
  }
}

function reasonOf(error: Error): string {
  const { cause } = error
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message
}
