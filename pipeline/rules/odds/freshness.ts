/**
 * How long an observation counts. Proposals of the interface supplement 5.10; change them here.
 */

const second = 1_000
const minute = 60 * second

/** A sportsbook's prices on a live event leave the board after this long unseen. */
export const liveExpiryMs = 90 * second

/** The same before the start. */
export const preMatchExpiryMs = 15 * minute

/** How long a sportsbook's word on an event counts. */
export const expiryMs = (isLive: boolean) => (isLive ? liveExpiryMs : preMatchExpiryMs)

/** A price last seen longer ago is no best price and part of no opportunity. */
export const usableMs = (isLive: boolean) => (isLive ? minute : 5 * minute)

/** An event without prices stays readable this long after its start, then it is gone. */
export const eventRetentionMs = 48 * 60 * minute

/** The score of a game is stale once its sportsbook has been silent for longer. */
export const gameStateFreshMs = 10 * second

/** Scores of a sport are stale when the last report is older than this. */
export const sportFreshMs = 30 * second

/** Clocks differ: an observation may be this far ahead of ours before it is refused. */
export const clockSkewMs = 5 * minute
