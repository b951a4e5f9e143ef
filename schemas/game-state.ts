/**
 * One row of the game-state table: a game in play as its sportsbooks tell it, and what their reports
 * come to (interface 2.4). Sides are in the frame of the event, as those of its prices are; readers
 * turn them with `EventRow.flipped`. The rules are in `pipeline/rules/games/game-state.ts`.
 */

import type { ScopeLevel } from './opportunity.ts'

/** Members of a game state beside score, period and clock; snake_case, as answers have them. */
export type Situation = Readonly<Record<string, string | number | boolean>>

/** What one sportsbook last said of the game, in our spellings. */
export interface GameReport {
  readonly sportsbook: string
  readonly observedAt: number
  /** In the unit of the sport; null where the sportsbook tells no score. */
  readonly homeScore: number | null
  readonly awayScore: number | null
  /** `Q3`, `2H`, `T5`, …; what the sportsbook calls it where we do not know its spelling. */
  readonly period: string | null
  /** `6:41`, `45+2`. */
  readonly clock: string | null
  readonly situation: Situation
}

/**
 * How many sportsbooks are behind a score: one alone, two that have reached it, or two that show it alike
 * or have gone on from such a score.
 */
export type Backing = 'one' | 'reached' | 'agreed'

/** A score and the period it was shown in. */
export interface ShownScore {
  readonly homeScore: number
  readonly awayScore: number
  readonly period: string | null
  readonly backing: Backing
}

/** What the reports of a set of sportsbooks come to. */
export interface GameState extends ShownScore {
  /** The first of the sets of sportsbooks (`scopeBit`) that it is for; it stands up to the next state's. */
  readonly fromLevel: ScopeLevel
  /** When the newest report was observed (epoch ms). */
  readonly observedAt: number
  /** The sportsbook whose score it is, and when that was observed. */
  readonly primaryBook: string
  readonly primaryAt: number
  /** Sportsbooks whose reports count. */
  readonly bookCount: number
  readonly clock: string | null
  readonly situation: Situation
  /** What was shown before the instant `observedAt`; null for nothing. */
  readonly before: ShownScore | null
}

export interface GameStateRow {
  readonly eventId: string
  readonly sport: string
  readonly league: string
  /** By sportsbook; never empty. */
  readonly reports: readonly GameReport[]
  /** By `fromLevel`; empty while nobody has told a score. */
  readonly states: readonly GameState[]
}

/** What a set of sportsbooks (`scopeBit`) is shown; null for nothing, as for 0, which is no set. */
export function stateFor(states: readonly GameState[], bit: number): GameState | null {
  let found: GameState | null = null
  for (const state of states) if (1 << state.fromLevel <= bit) found = state
  return found
}
