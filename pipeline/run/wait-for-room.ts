/**
 * A log whose writes wait while it is full (`LogFullError`) and are tried again, so that the pipeline pauses and goes
 * on by itself when there is room. Appends also wait while the log is away. A commit does not,
 * because it may have succeeded: it fails. Few writes wait at once: a caller awaits each before it
 * reads more from its source.
 */

import type { Logger } from 'pino'
import { sleep } from '../async/abort-signals.ts'
import { type Batch, type Log, LogFullError, LogUnavailableError } from '../log/log.ts'

const tryEveryMs = 1_000
const remindMs = 60_000
/** The time that a write in progress has left after a stop. */
const lastWriteMs = 3_000

export interface WaitOptions {
  /** Ends the waiting: the write then fails with the log's last error. */
  readonly signal: AbortSignal
  readonly logger: Pick<Logger, 'warn' | 'info'>
}

export function waitForRoom(log: Log, { signal, logger }: WaitOptions): Log {
  /** Callbacks that end the writes in progress. */
  const giveUps = new Set<(reason: Error) => void>()
  signal.addEventListener('abort', () => setTimeout(giveUpAll, lastWriteMs).unref(), { once: true })
  let waitsSince: number | null = null
  let remindAt = 0

  function noteWaiting({ message }: Error) {
    const now = performance.now()
    waitsSince ??= now
    if (now < remindAt) return
    remindAt = now + remindMs
    logger.warn({ reason: message }, 'log is full or away; writes wait, and reads go on')
  }

  function noteWritten() {
    if (waitsSince === null) return
    const durationMs = Math.round(performance.now() - waitsSince)
    waitsSince = null
    remindAt = 0
    logger.info({ durationMs }, 'log takes records again')
  }

  function giveUpAll() {
    const stopped = new LogUnavailableError('the log was away when the work was to stop')
    for (const giveUp of giveUps) giveUp(stopped)
  }

  function untilGivenUp<Value>(writing: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      giveUps.add(reject)
      writing.then(resolve, reject).finally(() => giveUps.delete(reject))
    })
  }

  async function patiently<Value>(
    write: () => Promise<Value>,
    passes: (error: unknown) => error is Error,
  ): Promise<Value> {
    for (;;) {
      try {
        const value = await untilGivenUp(write())
        noteWritten()
        return value
      } catch (error) {
        if (!passes(error) || signal.aborted) throw error
        noteWaiting(error)
        await sleep(tryEveryMs, signal)
      }
    }
  }

  async function* patientBatches(batches: AsyncIterable<Batch>): AsyncGenerator<Batch, void> {
    for await (const { records, commit } of batches) {
      yield { records, commit: (outputs) => patiently(() => commit(outputs), isFull) }
    }
  }

  return {
    ...log,
    append: (records) => patiently(() => log.append(records), isFullOrAway),
    // Appends of a lease do not wait through an outage, because the name may have moved meanwhile.
    async *lease(names, held) {
      for await (const lease of log.lease(names, held)) {
        yield { ...lease, append: (records) => patiently(() => lease.append(records), isFull) }
      }
    },
    // Joining writes to the log, which fails while it is full.
    async *join(topics, joined) {
      for (let isJoined = false; !isJoined; ) {
        try {
          for await (const assignment of log.join(topics, joined)) {
            isJoined = true
            yield { ...assignment, batches: patientBatches(assignment.batches) }
          }
          return
        } catch (error) {
          if (!(error instanceof LogFullError) || isJoined || signal.aborted) throw error
          noteWaiting(error)
          await sleep(tryEveryMs, signal)
        }
      }
    },
  }
}

const isFull = (error: unknown): error is Error => error instanceof LogFullError
const isFullOrAway = (error: unknown): error is Error =>
  error instanceof LogFullError || error instanceof LogUnavailableError
