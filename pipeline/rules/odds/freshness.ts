/**
 * How long an observation counts. The values come from the interface supplement 5.10; change them
 * here.
 */

const second = 1_000
const minute = 60 * second

/** After this time unseen, a sportsbook's prices on a live event leave the board. */
export const liveExpiryMs = 90 * second

/** The same before the start. */
export const preMatchExpiryMs = 15 * minute

/** Returns how long a sportsbook's statement on an event counts. */
export const expiryMs = (isLive: boolean) => (isLive ? liveExpiryMs : preMatchExpiryMs)

/** Returns the age up to which a price can be a best price or part of an opportunity. */
export const usableMs = (isLive: boolean) => (isLive ? minute : 5 * minute)

/**
 * Below this age, passed-on prices do not replace a sportsbook's own prices of a game, even while
 * passed-on prices still count in its league: own prices may be confirmed once a minute.
 */
export const ownStandMs = usableMs(true)

/** After this silence of a sportsbook's own source, passed-on prices count again. */
export const passedOnAfterMs = usableMs(false)

/** The time after its start for which an event without prices stays readable. */
export const eventRetentionMs = 48 * 60 * minute

/**
 * After this silence of all its sportsbooks, an event without prices is removed before its start.
 */
export const eventSilenceMs = 14 * 24 * 60 * minute

/**
 * For this time from its start, a game without prices counts as in play even if nobody reports it.
 */
export const playWithoutPricesMs = 4 * 60 * minute

/** Later, a game without prices leaves play if all its sportsbooks are silent for this long. */
export const playSilenceMs = 60 * minute

/** The silence of its sportsbook after which the score of a game is stale. */
export const gameStateFreshMs = 10 * second

/** The age of the last report after which the scores of a sport are stale. */
export const sportFreshMs = 30 * second

/** The most that an observation may be ahead of our clock before it is refused. */
export const clockSkewMs = 5 * minute
