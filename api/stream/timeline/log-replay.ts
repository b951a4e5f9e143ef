/** Reads from the log the rows that changed since a position, if the board's journal does not reach back to it. */

import { aborted } from '../../../pipeline/async/abort-signals.ts'
import type { Log, Position } from '../../../pipeline/log/log.ts'
import { type Replayed, replaySince } from './positions.ts'
import type { Timers } from './timers.ts'

/**
 * Longest wait. After a restart all clients return at once, and the log may be away. A client that waits longer gets
 * a snapshot instead.
 */
const longestWaitMs = 5_000

export interface LogReplay {
  /**
   * Reads the changes after a position. Replays run one at a time, and end early when aborted.
   * @param signal aborts when the client no longer waits
   * @returns null when aborted
   * @throws errors of the log
   */
  since(from: Position, signal: AbortSignal): Promise<Replayed | null>
}

export function createLogReplay(
  log: Pick<Log, 'epoch' | 'follow'>,
  timers: Pick<Timers, 'later' | 'cancel'>,
): LogReplay {
  let last: Promise<unknown> = Promise.resolve()

  return {
    async since(from, signal) {
      if (from.epoch !== log.epoch) return { ok: false, reason: 'other_log' }
      const late = new AbortController()
      const timer = timers.later(longestWaitMs, () => late.abort())
      const ended = AbortSignal.any([signal, late.signal])
      const replay = last.then(() => (ended.aborted ? null : replaySince(log, from, ended)))
      last = replay.catch(() => {})
      const replayed = await Promise.race([replay, aborted(ended).then(() => null)]).finally(() =>
        timers.cancel(timer),
      )
      if (signal.aborted) return null
      return replayed ?? { ok: false, reason: 'too_many' }
    },
  }
}
