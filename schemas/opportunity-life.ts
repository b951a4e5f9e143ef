/**
 * The life of an opportunity: when it was detected, when its worth was highest, when it ended and
 * why, with its figures at each. A finished life is a record of the topic `opportunity-lives`. The
 * beginning of a running life is in its row in the table of opportunities; changes since then are
 * in a row of `running-lives`, by the opportunity's id. Both are written only if there is an
 * archive, in the commit that changes the table of opportunities. An opportunity that comes back
 * has another life.
 */

import type { OpportunityFigures, OpportunityKind } from './opportunity.ts'

/**
 * Why an opportunity ended, the first that holds:
 * - `over`: the game is final, cancelled, postponed or gone;
 * - `started`: it was before the start, and the game has begun, or a sportsbook takes it in play;
 * - `withdrawn`, `suspended`: a sportsbook has withdrawn a price, or takes no bets on it;
 * - `unseen`: a sportsbook has not been seen for too long, or its source is down;
 * - `doubted`: a price is probably wrong: too far from others, or too good to be true;
 * - `replaced`: with a better price elsewhere, an opportunity of this kind takes other sportsbooks;
 *   +EV: another sharp book is the measure;
 * - `moved`: its prices are worth less, or the market has other outcomes now.
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

/** The figures of an opportunity at a time. */
export interface LifeFigures extends OpportunityFigures {
  /** Epoch ms. */
  readonly at: number
}

/** One leg, in the event's own frame, as in `OddsRow`. */
export interface LifeLeg {
  readonly oddsId: number
  readonly sportsbook: string
  readonly selectionType: string
  readonly line: number | null
}

/** A running life, once it differs from its opportunity's row. */
export interface RunningLife {
  /** The opportunity's id. */
  readonly id: string
  readonly league: string
  /** The figures at the first time of the highest worth. */
  readonly peak: LifeFigures
  /** +EV: every sharp book that measured it, in order; else empty. */
  readonly references: readonly string[]
  /** `visibilityBit`s of all who saw it at any time. */
  readonly scopes: number
  /** Whether a sportsbook was suspected at any time of meaning something else. */
  readonly isSuspected: boolean
}

/** A finished life. */
export interface OpportunityLife extends RunningLife {
  readonly kind: OpportunityKind
  readonly eventId: string
  readonly sport: string
  readonly marketType: string
  readonly playerName: string | null
  readonly isLive: boolean
  /** The legs, in the order of the sides. */
  readonly legs: readonly LifeLeg[]
  readonly detected: LifeFigures
  /** The last figures, and the time of the end. */
  readonly gone: LifeFigures
  readonly why: LifeEnd
}
