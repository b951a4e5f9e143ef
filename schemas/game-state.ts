/**
 * One row of the game-state table: a game in play by its sportsbooks' reports, and the merged states (interface 2.4).
 * Sides are in the frame of the event, as those of its prices are; readers turn them with `EventRow.flipped`. The
 * rules are in `pipeline/rules/games/game-state.ts`.
 */

import type { Visibility } from './opportunity.ts'

/** Fields of a game state beside score, period and clock; snake_case, as in responses. */
export type Situation = Readonly<Record<string, string | number | boolean>>

/** One sportsbook's last report of the game, in our spellings. */
export interface GameReport {
  readonly sportsbook: string
  readonly observedAt: number
  /** The score in the unit of the sport; null if the sportsbook reports none. */
  readonly homeScore: number | null
  readonly awayScore: number | null
  /** `Q3`, `2H`, `T5`, …; the sportsbook's own text if we do not know its spelling. */
  readonly period: string | null
  /** `6:41`, `45+2`. */
  readonly clock: string | null
  readonly situation: Situation
}

/**
 * The support of a score: one sportsbook alone; two that have reached it; or two that agree on it,
 * or have gone on from a score that they agreed on. The support of two is unplaced if only one of
 * the reports whose scores count states a period: the others may be in another one. A score that is
 * held from before keeps its backing.
 */
export type Backing = 'one' | 'reached' | 'agreed' | 'reached_unplaced' | 'agreed_unplaced'

/** A score and the period it was shown in. */
export interface ShownScore {
  readonly homeScore: number
  readonly awayScore: number
  readonly period: string | null
  readonly backing: Backing
}

/** The merged reports of a set of sportsbooks. */
export interface GameState extends ShownScore {
  /** The first of the sets of sportsbooks (`visibilityBit`) that it is for; it applies up to the next state's. */
  readonly fromLevel: Visibility
  /** When the newest report was observed (epoch ms). */
  readonly observedAt: number
  /** The sportsbook whose score it is, and when that was observed. */
  readonly primaryBook: string
  readonly primaryAt: number
  /** The number of sportsbooks whose reports count. */
  readonly bookCount: number
  readonly clock: string | null
  readonly situation: Situation
  /** The state shown before the time `observedAt`; null for none. */
  readonly before: ShownScore | null
}

export interface GameStateRow {
  readonly eventId: string
  readonly sport: string
  readonly league: string
  /** By sportsbook; never empty. */
  readonly reports: readonly GameReport[]
  /** States by `fromLevel`; empty while no score is reported. */
  readonly states: readonly GameState[]
}

/** Returns the state shown to a set of sportsbooks (`visibilityBit`); null for none, and for 0, which is no set. */
export function stateFor(states: readonly GameState[], bit: number): GameState | null {
  let found: GameState | null = null
  for (const state of states) if (1 << state.fromLevel <= bit) found = state
  return found
}
