/**
 * What has changed since a client left, where the board's own memory does not reach back to its position: the log
 * says which rows, the board what they are now.
 */

import { aborted } from '../../../pipeline/async/abort-signals.ts'
import type { Log, Position } from '../../../pipeline/log/log.ts'
import { type Replayed, replaySince } from './positions.ts'
import type { Timers } from './timers.ts'

/**
 * After a restart all clients come back at once, and a log that is away is waited for as long as it takes: one
 * that has not been answered after so long gets a snapshot instead.
 */
const longestWaitMs = 5_000

export interface LogReplay {
  /**
   * Reads what came after a position. Replays go one after the other; each ends when nobody waits for it any more.
   * @param left aborts when the client does not ask any more
   * @returns null where it does not
   * @throws what reading the log throws
   */
  since(from: Position, left: AbortSignal): Promise<Replayed | null>
}

export function createLogReplay(
  log: Pick<Log, 'epoch' | 'follow'>,
  timers: Pick<Timers, 'later' | 'cancel'>,
): LogReplay {
  let last: Promise<unknown> = Promise.resolve()

  return {
    async since(from, left) {
      if (from.epoch !== log.epoch) return { ok: false, reason: 'other_log' }
      const late = new AbortController()
      const timer = timers.later(longestWaitMs, () => late.abort())
      const ended = AbortSignal.any([left, late.signal])
      const replay = last.then(() => (ended.aborted ? null : replaySince(log, from, ended)))
      last = replay.catch(() => {})
      const replayed = await Promise.race([replay, aborted(ended).then(() => null)]).finally(() =>
        timers.cancel(timer),
      )
      if (left.aborted) return null
      return replayed ?? { ok: false, reason: 'too_many' }
    },
  }
}
