/**
 * A recording, independent of its file's format: steps in the order of time. `open-recording.ts`
 * lists the shapes and detects them by the first bytes.
 */

import type { FeedEvent, FeedRecord } from '../../../schemas/feed-record.ts'
import type { Score } from '../../../schemas/game-result.ts'
import { pushAll } from '../../memory/push-all.ts'
import type { Skip } from '../feed.ts'

/** The most lines of one step; further lines of the same time are another step. */
export const mostInStep = 10_000

/** One time of a recording, or a part of it. */
export interface Step {
  /** Epoch ms, never before that of the step before; null when the records have no time at all. */
  readonly at: number | null
  readonly records: readonly FeedRecord[]
  /** The parts of this time that could not be placed. Records and skips together are complete. */
  readonly skipped: readonly Skip[]
}

export interface RecordingOptions {
  /** Id or name of the league, for a file that does not name it. */
  readonly league?: string
  /** Epoch ms: push records observed later than this are refused. Default: none are. */
  readonly now?: number
}

/** Thrown if a recording cannot be replayed; the message says why and what would help. */
export class RecordingError extends Error {
  override readonly name: string = 'RecordingError'
}

/** Thrown for a file of no known format. */
export class UnsupportedRecordingError extends RecordingError {
  override readonly name = 'UnsupportedRecordingError'
}

/**
 * Collects pieces in any order and returns them as steps: one for each time, pieces without a time
 * first.
 */
export function createTimeline() {
  const moments = new Map<number | null, { records: FeedRecord[]; skipped: Skip[] }>()
  return {
    add(at: number | null, records: readonly FeedRecord[], skipped: readonly Skip[]) {
      let moment = moments.get(at)
      if (!moment) {
        moment = { records: [], skipped: [] }
        moments.set(at, moment)
      }
      pushAll(moment.records, records)
      pushAll(moment.skipped, skipped)
    },
    steps: (): Step[] =>
      [...moments]
        .map(([at, moment]) => ({ at, ...moment }))
        .filter(({ records, skipped }) => records.length > 0 || skipped.length > 0)
        .sort((a, b) => (a.at ?? Number.NEGATIVE_INFINITY) - (b.at ?? Number.NEGATIVE_INFINITY)),
  }
}

/**
 * Returns the records that end a game, for a recording that has its result but not the time of its end.
 * @param score null if the recording has no readable one
 */
export function resultOf(
  sportsbook: string,
  event: FeedEvent,
  observedAt: number,
  score: Score | null,
): FeedRecord[] {
  const about = { sportsbook, observedAt, event }
  const status: FeedRecord = { type: 'event_status', ...about, status: 'final' }
  if (!score) return [status]
  const state = { home_score: score.home, away_score: score.away, game_period: 'final' }
  return [{ type: 'game_state', ...about, state }, status]
}

/** @returns null if one of the two is no whole number */
export function scoreOf(home: number | null, away: number | null): Score | null {
  const isScore = Number.isInteger(home) && Number.isInteger(away)
  return isScore ? { home: home as number, away: away as number } : null
}
