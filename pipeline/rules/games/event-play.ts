/**
 * The rule of when an open event is in play. Only this file has it; `processors/events` applies it.
 *
 * - **From its start on**, one sportsbook that has it in play is enough: others may notice later,
 *   or offer no in-play prices.
 * - **Before its start**, two must agree, as on a score (`game-state.ts`): one that differs from
 *   others has a wrong clock, flag or listing. If there is only one sportsbook, it is believed.
 * - **By the clock**, if sources do not report play: after the announced start, a game counts as in
 *   play while more sportsbooks have passed that start than say that they wait or list a later
 *   start. A sportsbook that never reports play does not keep a game out of play.
 * - **A game that nobody ends** leaves play when nobody has prices, its start is hours ago and all
 *   have been silent for long. A sportsbook may close its markets without reporting the end.
 * - **A game that was played has begun**, even when it is not in play any more: given up, ended,
 *   postponed, or listed with the time of its resumption. A sportsbook that lists it as upcoming at
 *   the start that has passed takes play back, unless the game was given up, ended or moved before.
 */

import type { EventRow } from '../../../schemas/event.ts'
import { playSilenceMs, playWithoutPricesMs } from '../odds/freshness.ts'

/** What an open event's sportsbooks say on whether it is in play. */
export interface PlayVotes {
  /** The number of sportsbooks that offer prices in play, call the game live or report a running score. */
  readonly playing: number
  /** The number of sportsbooks that only offer the game as upcoming. */
  readonly waiting: number
  /** Whether the start has passed, by the newest statement about the event. */
  readonly hasStarted: boolean
}

export const isInPlayByClock = ({
  byClock,
  waiting,
  hasStarted,
}: Omit<PlayVotes, 'playing'> & {
  /** The number of sportsbooks whose sources only know that the announced start has passed. */
  readonly byClock: number
}): boolean => byClock > waiting && hasStarted

/**
 * Returns whether a sportsbook without prices still counts as in play: it reported play after the
 * start, not long ago. Its prices in play may be out of sight for a while.
 */
export const lastsWithoutPrices = ({
  startsAt,
  saidAt,
  now,
}: {
  readonly startsAt: number
  /** When it last reported play (epoch ms); -Infinity for never. */
  readonly saidAt: number
  readonly now: number
}): boolean => saidAt >= startsAt && now - startsAt <= playWithoutPricesMs

/** Returns whether nobody has prices of an event any more, and nobody has reported its end. */
export const isGivenUp = ({
  startsAt,
  lastWordAt,
  now,
}: {
  readonly startsAt: number
  /** The newest statement about the event (epoch ms); -Infinity for none. */
  readonly lastWordAt: number
  readonly now: number
}): boolean => now - startsAt > playWithoutPricesMs && now - lastWordAt > playSilenceMs

/**
 * Returns whether somebody reports, or has reported, play, and not only that the start has passed.
 */
export const hasBegun = ({
  isLive,
  isLiveByClock,
  wasPlayed,
}: Pick<EventRow, 'isLive' | 'isLiveByClock' | 'wasPlayed'>): boolean =>
  (isLive && !isLiveByClock) || wasPlayed === true

export const isInPlay = ({ playing, waiting, hasStarted }: PlayVotes): boolean =>
  playing > 1 || (playing === 1 && (hasStarted || waiting === 0))
