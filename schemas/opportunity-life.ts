/**
 * The life of an opportunity: when it was detected, when it was worth most, when it went and why, with
 * its figures at each. A life that has ended is a record of the topic `opportunity-lives`. Of one that goes
 * on, its row in the table of opportunities says how it began; what has become of it since is a row of
 * `running-lives`, by the opportunity's id. Both are written only where there is an archive, in the commit
 * that moves the table of opportunities. One that comes back has another life.
 */

import type { OpportunityFigures, OpportunityKind } from './opportunity.ts'

/**
 * Why an opportunity went, the first that holds:
 * - `over`: the game is final, cancelled, postponed or gone;
 * - `started`: it was before the start, and the game has begun, or a sportsbook takes it in play;
 * - `withdrawn`, `suspended`: a sportsbook has taken off a price, or takes no bets on it;
 * - `unseen`: a sportsbook has not been seen for too long, or its source is down;
 * - `doubted`: a price is held to be wrong: too far from others, or too good to be true;
 * - `replaced`: another price is better, so that one of this kind takes other sportsbooks; +EV: another
 *   sharp book is the measure;
 * - `moved`: its prices came to less, or the market came to have other answers.
 */
export const lifeEnds = [
  'over',
  'started',
  'withdrawn',
  'suspended',
  'unseen',
  'doubted',
  'replaced',
  'moved',
] as const
export type LifeEnd = (typeof lifeEnds)[number]

/** What an opportunity came to at an instant. */
export interface LifeFigures extends OpportunityFigures {
  /** Epoch ms. */
  readonly at: number
}

/** In the event's own frame, as in `OddsRow`. */
export interface LifeLeg {
  readonly oddsId: number
  readonly sportsbook: string
  readonly selectionType: string
  readonly line: number | null
}

/** A life so far, once it is more than its opportunity's row says. */
export interface RunningLife {
  /** Of the opportunity. */
  readonly id: string
  readonly league: string
  /** The first of the instants when it was worth most. */
  readonly peak: LifeFigures
  /** +EV: every sharp book that it was measured by, in order; else empty. */
  readonly references: readonly string[]
  /** `scopeBit`s of all who saw it at any time. */
  readonly scopes: number
  /** Whether a sportsbook was suspected at any time to mean something else. */
  readonly isSuspected: boolean
}

/** One that has ended. */
export interface OpportunityLife extends RunningLife {
  readonly kind: OpportunityKind
  readonly eventId: string
  readonly sport: string
  readonly marketType: string
  readonly playerName: string | null
  readonly isLive: boolean
  /** In the order of the sides. */
  readonly legs: readonly LifeLeg[]
  readonly detected: LifeFigures
  /** The last figures it had, and when it went. */
  readonly gone: LifeFigures
  readonly why: LifeEnd
}
