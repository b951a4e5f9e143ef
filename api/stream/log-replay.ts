/**
 * What a client that comes back has missed, where the board's own memory does not reach back to its
 * position: the log says which rows have changed since, the board what they are now.
 */

import type { Log, Position } from '../../pipeline/log/log.ts'
import { aborted } from '../../pipeline/signals.ts'
import type { Scope } from '../access/scope.ts'
import type { MissedRow, OddsQuestion } from './channels/odds/odds-news.ts'
import { type ResyncReason, replaySince } from './positions.ts'
import type { Timers } from './timers.ts'

export type Missed =
  /** Rows that came, moved or went. */
  | { readonly ok: true; readonly rows: readonly MissedRow[] }
  | { readonly ok: false; readonly reason: ResyncReason }

/**
 * After a restart all clients come back at once, and a log that is away is waited for as long as it takes: one
 * that has not been answered after so long gets a snapshot instead.
 */
const longestWaitMs = 5_000

export interface LogReplay {
  /**
   * What a client with this scope and question has missed since a position. Replays go one after the
   * other; each ends when nobody waits for it any more.
   * @param left aborts when the client does not ask any more
   * @returns null where it does not
   * @throws what reading the log throws
   */
  missed(
    from: Position,
    scope: Scope,
    question: OddsQuestion,
    left: AbortSignal,
  ): Promise<Missed | null>
}

export function createLogReplay(
  log: Pick<Log, 'epoch' | 'follow'>,
  timers: Pick<Timers, 'later' | 'cancel'>,
): LogReplay {
  let last: Promise<unknown> = Promise.resolve()

  return {
    async missed(from, scope, question, left) {
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
      if (!replayed) return { ok: false, reason: 'too_many' }
      if (!replayed.ok) return replayed
      // The sportsbook of a row that had gone before this process started is not known, and a tier that
      // sees only some sportsbooks must not be told of rows of others.
      const rows = question.missedAmong(replayed, scope.sportsbooks === undefined)
      return rows ? { ok: true, rows } : { ok: false, reason: 'too_old' }
    },
  }
}
