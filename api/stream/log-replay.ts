/**
 * What a client that comes back has missed, where the board's own memory does not reach back to its
 * position: the log says which rows have changed since, the board what they are now.
 */

import type { Log, Position } from '../../pipeline/log/log.ts'
import type { Scope } from '../access/scope.ts'
import type { OddsQuestion } from './channels/odds/odds-news.ts'
import { type ResyncReason, replaySince } from './positions.ts'

export type Missed =
  /** Ids of rows that came, moved or went. */
  | { readonly ok: true; readonly ids: readonly number[] }
  | { readonly ok: false; readonly reason: ResyncReason }

/** After a restart all clients come back at once; one that has waited this long gets a snapshot instead. */
const longestWaitMs = 5_000

export interface LogReplay {
  /**
   * What a client with this scope and question has missed since a position. Replays go one after the
   * other.
   * @param isWanted whether it still asks when its turn comes
   * @returns null where it does not
   * @throws what reading the log throws
   */
  missed(
    from: Position,
    scope: Scope,
    question: OddsQuestion,
    isWanted: () => boolean,
  ): Promise<Missed | null>
}

/** @param now monotonic ms */
export function createLogReplay(
  log: Pick<Log, 'epoch' | 'follow'>,
  now: () => number,
  stop: AbortSignal,
): LogReplay {
  let last: Promise<unknown> = Promise.resolve()

  return {
    async missed(from, scope, question, isWanted) {
      if (from.epoch !== log.epoch) return { ok: false, reason: 'other_log' }
      const until = now() + longestWaitMs
      const replay = last.then(() => {
        if (!isWanted()) return null
        if (now() > until) return { ok: false, reason: 'too_many' } as const
        return replaySince(log, from, stop)
      })
      last = replay.catch(() => {})
      const replayed = await replay
      if (!replayed?.ok) return replayed
      const { oddsIds, eventIds } = replayed
      // The sportsbook of a row that had gone before this process started is not known, and a tier that
      // sees only some sportsbooks must not be told of rows of others.
      const ids = question.changedAmong(oddsIds, eventIds, scope.sportsbooks === undefined)
      return ids ? { ok: true, ids } : { ok: false, reason: 'too_old' }
    },
  }
}
