/**
 * The state of the archive: whether it responds, since when, why not, and how far it is behind the
 * log. Every process that serves the API checks this itself every few seconds. The log tells how
 * many records wait and since when; the archive, whether it responds. Neither check waits for the
 * other.
 */

import type { Logger } from 'pino'
import { sleep } from '../async/abort-signals.ts'
import { type Log, LogUnavailableError } from '../log/log.ts'
import { type Archive, ArchiveError } from './archive.ts'
import { archivedTopics, archiveGroup } from './archiver.ts'
import type { EngineState } from './engine/supervisor.ts'

export interface ArchiveHealth {
  /** `absent`: the embedded engine is permanently missing, because a package is missing or does not load. */
  readonly state: 'starting' | 'answering' | 'unavailable' | 'absent'
  /** Epoch ms. */
  readonly since: number
  /** Why it does not respond, where known. */
  readonly reason: string | null
  /**
   * How many records were not in the archive yet when the log last responded; null before that, and
   * while the log cannot tell.
   */
  readonly behindRecords: number | null
  /** How long the oldest of them has waited; 0 when none do, null while unknown. */
  readonly behindMs: number | null
}

export interface ArchiveWatch {
  health(): ArchiveHealth
  /** Checks both. @throws the log's error, after the archive was checked */
  look(): Promise<void>
  /** Checks again and again until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>
}

export interface WatchOptions {
  readonly log: Pick<Log, 'lag' | 'waitingSince'>
  readonly archive: Pick<Archive, 'query'>
  /** The embedded engine, where this process runs one. */
  readonly engine?: { readonly state: EngineState } | undefined
  /** The machine's clock (epoch ms). */
  readonly clock: () => number
  readonly logger: Pick<Logger, 'warn'>
}

const lookEveryMs = 5_000
const limits = { seconds: 4, resultRows: 1, readRows: 1e9, memoryBytes: 1e8 }

export function createArchiveWatch(options: WatchOptions): ArchiveWatch {
  const { log, archive, engine, clock, logger } = options
  let state: ArchiveHealth['state'] = 'starting'
  let since = clock()
  let reason: string | null = null
  let behindRecords: number | null = null
  /** When the oldest waiting record was written; null if none waits. */
  let waitingSince: number | null = null
  let isRefused = false

  function become(next: ArchiveHealth['state'], why: string | null) {
    if (next !== state) since = clock()
    state = next
    reason = why
  }

  async function askArchive(): Promise<void> {
    const running = engine?.state
    if (running?.state === 'absent') return become('absent', running.reason)
    try {
      await archive.query('SELECT 1 FROM price_changes LIMIT 1', {}, limits)
      become('answering', null)
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error
      const why = running?.state === 'starting' ? running.reason : error.message
      become(state === 'starting' ? 'starting' : 'unavailable', why)
    }
  }

  async function askLog(): Promise<void> {
    try {
      const since = await log.waitingSince(archivedTopics, archiveGroup)
      behindRecords = await log.lag(archivedTopics, archiveGroup)
      waitingSince = behindRecords === 0 ? null : (since ?? clock())
      isRefused = false
    } catch (err) {
      // An outage of the log is reported by `Log.outage`; its last result is kept.
      if (!(err instanceof LogUnavailableError)) forget(err)
      throw err
    }
  }

  function forget(err: unknown) {
    behindRecords = null
    waitingSince = null
    if (isRefused) return
    isRefused = true
    logger.warn({ err }, 'the log does not tell how far the archive is behind')
  }

  async function repeat(ask: () => Promise<void>, signal: AbortSignal) {
    while (!signal.aborted) {
      await ask().catch(() => {})
      await sleep(lookEveryMs, signal)
    }
  }

  return {
    async look() {
      const logRead = askLog()
      logRead.catch(() => {})
      await askArchive()
      await logRead
    },
    health() {
      const waitedMs = waitingSince === null ? 0 : Math.max(1, clock() - waitingSince)
      return {
        state,
        since,
        reason,
        behindRecords,
        behindMs: behindRecords === null ? null : waitedMs,
      }
    },
    async run(signal) {
      await Promise.all([repeat(askLog, signal), repeat(askArchive, signal)])
    },
  }
}
