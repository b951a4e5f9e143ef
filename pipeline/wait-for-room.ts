/**
 * A log for those who can wait: while it is full (`LogFullError`), their writes are held and tried
 * again, so that the pipeline stands still and goes on by itself when there is room. What it holds is
 * bounded: a caller that awaits its write has one under way, and reads nothing more of its source.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Batch, type Log, LogFullError } from './log/log.ts'

const tryEveryMs = 1_000
const remindMs = 60_000

export interface WaitOptions {
  /** Ends the waiting: the write then fails as the log last failed. */
  readonly signal: AbortSignal
  readonly logger: Pick<Logger, 'warn' | 'info'>
  /** For tests. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}

export function waitForRoom(log: Log, options: WaitOptions): Log {
  const { signal, logger, sleep = sleeping } = options
  let fullSince: number | null = null
  let remindAt = 0

  function noteFull({ message }: LogFullError) {
    const now = performance.now()
    fullSince ??= now
    if (now < remindAt) return
    remindAt = now + remindMs
    logger.warn({ reason: message }, 'log is full; what comes in waits, and reads go on')
  }

  function noteRoom() {
    if (fullSince === null) return
    const durationMs = Math.round(performance.now() - fullSince)
    fullSince = null
    remindAt = 0
    logger.info({ durationMs }, 'log has room again')
  }

  async function patiently<Value>(write: () => Promise<Value>): Promise<Value> {
    for (;;) {
      try {
        const value = await write()
        noteRoom()
        return value
      } catch (error) {
        if (!(error instanceof LogFullError) || signal.aborted) throw error
        noteFull(error)
        await sleep(tryEveryMs, signal)
      }
    }
  }

  async function* patientBatches(batches: AsyncIterable<Batch>): AsyncGenerator<Batch, void> {
    for await (const { records, commit } of batches) {
      yield { records, commit: (outputs) => patiently(() => commit(outputs)) }
    }
  }

  return {
    ...log,
    append: (records) => patiently(() => log.append(records)),
    // A log that is full cannot take note of who writes to it either.
    async *join(topics, joined) {
      for (let isJoined = false; !isJoined; ) {
        try {
          for await (const { partitions, batches } of log.join(topics, joined)) {
            isJoined = true
            yield { partitions, batches: patientBatches(batches) }
          }
          return
        } catch (error) {
          if (!(error instanceof LogFullError) || isJoined || signal.aborted) throw error
          noteFull(error)
          await sleep(tryEveryMs, signal)
        }
      }
    },
  }
}

const sleeping = (ms: number, signal: AbortSignal) =>
  delay(ms, undefined, { signal }).catch(() => {})
