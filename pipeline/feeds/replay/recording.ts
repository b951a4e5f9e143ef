/**
 * A recording, whatever the shape of its file: steps in the order of time. Which
 * shapes there are and how its first bytes show one is in `open-recording.ts`.
 */

import type { FeedEvent, FeedRecord } from '../../../schemas/feed-record.ts'
import type { Score } from '../../../schemas/game-result.ts'
import type { Skip } from '../feed.ts'

/** One moment of a recording. */
export interface Step {
  /** Epoch ms, never before that of the step before; null when what was read has no time at all. */
  readonly at: number | null
  readonly records: readonly FeedRecord[]
  /** The parts of this moment that could not be placed: with the records, all of it. */
  readonly skipped: readonly Skip[]
}

export interface RecordingOptions {
  /** Id or name of the league, for a file that does not say it. */
  readonly league?: string
  /** Epoch ms: push records observed later than this are refused. Default: none is. */
  readonly now?: number
}

/** A file that cannot be replayed; the message says why and what would help. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError'
}

/** A file of none of the shapes we read. */
export class UnsupportedRecordingError extends Error {
  override readonly name = 'UnsupportedRecordingError'
}

/**
 * Collects pieces that belong to moments, in any order, and gives them as steps: one for each
 * moment, those without a time first.
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
      moment.records.push(...records)
      moment.skipped.push(...skipped)
    },
    steps: (): Step[] =>
      [...moments]
        .map(([at, moment]) => ({ at, ...moment }))
        .filter(({ records, skipped }) => records.length > 0 || skipped.length > 0)
        .sort((a, b) => (a.at ?? Number.NEGATIVE_INFINITY) - (b.at ?? Number.NEGATIVE_INFINITY)),
  }
}

/**
 * The records that end a game, for a recording that has its result but not when it ended.
 * @param score null where the recording has no readable one
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

/** @returns null where one of the two is no whole number */
export function scoreOf(home: number | null, away: number | null): Score | null {
  const isScore = Number.isInteger(home) && Number.isInteger(away)
  return isScore ? { home: home as number, away: away as number } : null
}
