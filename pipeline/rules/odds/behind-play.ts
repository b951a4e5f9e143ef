/**
 * The rule of prices from before a game that is in play. A sportsbook that does not notice the start leaves them on
 * the board. They are shown, but are never a best price, nor part of a hold or an alert.
 *
 * `games/event-play.ts` decides whether a game is in play. The announced start alone ends no price here, because
 * games start late; opportunities use no price from before from the start on (`isTrading`).
 */

import type { EventStatus } from '../../../schemas/feed-record.ts'
import { isOpen } from '../games/event-end.ts'

/** Returns whether a price is from before the game, and the game is in play. */
export const isBehindPlay = (isLivePrice: boolean, event: { readonly isLive: boolean }): boolean =>
  event.isLive && !isLivePrice

/** Returns whether a price can be no best price: it is behind play, or its game is postponed, cancelled or final. */
export const isOutOfPlay = (
  isLivePrice: boolean,
  event: { readonly isLive: boolean; readonly status: EventStatus },
): boolean => !isOpen(event.status) || isBehindPlay(isLivePrice, event)
