/**
 * The rule for pregame prices of a game that is in play. A sportsbook that misses the start leaves
 * them on the board. They are shown, but are never a best price or part of a hold or an alert.
 *
 * `games/event-play.ts` decides whether a game is in play. Here the announced start alone ends no
 * price, because games start late. Opportunities use no pregame price after the announced start
 * (`isTrading`).
 */

import type { EventStatus } from '../../../schemas/feed-record.ts'
import { isOpen } from '../games/event-end.ts'

/** Returns whether a price is a pregame price and the game is in play. */
export const isBehindPlay = (isLivePrice: boolean, event: { readonly isLive: boolean }): boolean =>
  event.isLive && !isLivePrice

/**
 * Returns whether a price cannot be a best price: it is behind play, or its game is postponed,
 * cancelled or final.
 */
export const isOutOfPlay = (
  isLivePrice: boolean,
  event: { readonly isLive: boolean; readonly status: EventStatus },
): boolean => !isOpen(event.status) || isBehindPlay(isLivePrice, event)
