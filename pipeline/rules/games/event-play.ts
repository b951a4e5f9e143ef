/**
 * The rule of when an open event is in play. Only this file has it; `processors/events` applies it.
 *
 * - **From its start on**, one sportsbook that has it in play is enough: others notice later, or offer nothing in play.
 * - **Before its start**, two have to agree, as on a score (`game-state.ts`): one that differs from the others has a
 *   wrong clock, flag or listing. A sportsbook that is alone is believed.
 * - **By the clock**, where sources do not tell play: an announced start that has passed counts from then on while more
 *   sportsbooks go by it than tell that they wait or list a later start. One that never tells play keeps no game back.
 * - **A game that nobody ends** is in play no more, once nobody has prices, its start is hours ago and all have been
 *   silent for long: a sportsbook may close its markets without a word on the end.
 * - **A game that was played has begun**, also once it is in play no more: given up, ended, put off, or listed with the
 *   start of its resumption. A sportsbook that lists it as one to come, at the start that has passed, takes play back,
 *   unless the game had been given up, ended or moved before.
 */

import type { EventRow } from '../../../schemas/event.ts'
import { playSilenceMs, playWithoutPricesMs } from '../odds/freshness.ts'

/** The statements of an open event's sportsbooks on whether it is played. */
export interface PlayVotes {
  /** The number of sportsbooks that offer prices in play, call the game live or report a running score. */
  readonly playing: number
  /** The number of sportsbooks that offer the game only as one to come. */
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

/** Returns whether an event without prices has been left without an end. */
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

/** Returns whether somebody tells, or has told, that the game is played, and not only that its start has passed. */
export const hasBegun = ({
  isLive,
  isLiveByClock,
  wasPlayed,
}: Pick<EventRow, 'isLive' | 'isLiveByClock' | 'wasPlayed'>): boolean =>
  (isLive && !isLiveByClock) || wasPlayed === true

export const isInPlay = ({ playing, waiting, hasStarted }: PlayVotes): boolean =>
  playing > 1 || (playing === 1 && (hasStarted || waiting === 0))
