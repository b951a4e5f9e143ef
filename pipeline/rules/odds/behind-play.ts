/**
 * The rule of prices from before a game that is in play. A sportsbook that does not notice the start leaves them on
 * the board. They are shown, but are never a best price, nor part of a hold or an alert.
 *
 * `games/event-play.ts` decides whether a game is in play. The announced start alone ends no price here, because
 * games start late; opportunities use no price from before from the start on (`isTrading`).
 */

/** Returns whether a price is from before the game, and the game is in play. */
export const isBehindPlay = (isLivePrice: boolean, event: { readonly isLive: boolean }): boolean =>
  event.isLive && !isLivePrice
