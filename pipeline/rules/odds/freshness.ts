/**
 * How long an observation counts. The values are proposals of the interface supplement 5.10; change them here.
 */

const second = 1_000
const minute = 60 * second

/** Time unseen after which a sportsbook's prices on a live event leave the board. */
export const liveExpiryMs = 90 * second

/** The same before the start. */
export const preMatchExpiryMs = 15 * minute

/** Returns how long a sportsbook's statement on an event counts. */
export const expiryMs = (isLive: boolean) => (isLive ? liveExpiryMs : preMatchExpiryMs)

/** Returns the age up to which a price can be a best price or part of an opportunity. */
export const usableMs = (isLive: boolean) => (isLive ? minute : 5 * minute)

/**
 * The age below which a sportsbook's own prices of a game are not replaced by those that another source passes on, if
 * the sportsbook's own are not heard in the league yet: they may be confirmed once a minute.
 */
export const ownStandMs = usableMs(true)

/** The silence of a sportsbook's own source after which prices that another source passes on count again. */
export const passedOnAfterMs = usableMs(false)

/** The time after its start for which an event without prices stays readable. */
export const eventRetentionMs = 48 * 60 * minute

/** The silence of all its sportsbooks after which an event without prices is given up before its start. */
export const eventSilenceMs = 14 * 24 * 60 * minute

/** The time from its start for which a game without prices is taken for one in play, though nobody speaks of it. */
export const playWithoutPricesMs = 4 * 60 * minute

/** The silence of all its sportsbooks after which a game without prices is in play no more, once that time is over. */
export const playSilenceMs = 60 * minute

/** The silence of its sportsbook after which the score of a game is stale. */
export const gameStateFreshMs = 10 * second

/** The age of the last report after which the scores of a sport are stale. */
export const sportFreshMs = 30 * second

/** The most that an observation may be ahead of our clock before it is refused. */
export const clockSkewMs = 5 * minute
