/**
 * How a game ended: a row of the compacted table `game-results`, by event id. It has the reports of each sportsbook
 * and score feed separately, in the frame of the event's rows. `pipeline/rules/games/game-result.ts` merges them.
 */

import type { EventStatus } from './feed-record.ts'

export interface Score {
  readonly home: number
  readonly away: number
}

/** The score at the end of a period: all points up to then. */
export interface PeriodScore extends Score {
  /** `END Q1`, `HT`, `END P2`, `E5`, `END 2H`: our spelling of the break after it. */
  readonly period: string
}

/** One sportsbook's or score feed's report of the end of a game and of its periods. */
export interface ReportedResult {
  readonly sportsbook: string
  /** When the final score was observed, or the last end of a period before it (epoch ms). */
  readonly observedAt: number
  /** Null until it reports the game as over. */
  readonly final: Score | null
  /**
   * When it first reported the game as over, after the game last ran (epoch ms); null while it is
   * not. Rows written before this field existed have null in the log and lack it in the archive:
   * `observedAt` then counts.
   */
  readonly overAt?: number | null
  /**
   * The last period: the one that the report of the end names, or else the one that ran until then.
   * Null if its reports have a gap. Overtime that was reported counts despite a gap, and before the
   * end.
   */
  readonly endedIn: string | null
  readonly periods: readonly PeriodScore[]
}

export interface GameResultRow {
  readonly eventId: string
  readonly sport: string
  readonly league: string
  readonly startsAt: number
  readonly status: EventStatus
  /** By sportsbook. */
  readonly reports: readonly ReportedResult[]
}

/** The merged result of a game's reports. */
export interface GameResult {
  /** The score with overtime; null while the game is not over, or unknown. */
  readonly final: Score | null
  /** The score after regulation time; null if unknown, although there may have been overtime. */
  readonly regulation: Score | null
  /** Points of each period alone, by the period of market types (`1st_half`, `1st_5_innings`). */
  readonly periods: ReadonlyMap<string, Score>
}
