import type { EventStatus } from './feed-record.ts'

/**
 * When a sportsbook was last seen offering an event, and what it calls it: one row per event and
 * sportsbook. Freshness lives here so that a price observed again unchanged costs one small row,
 * not a rewrite of every price.
 */
export interface Sighting {
  readonly eventId: string
  readonly league: string
  readonly sportsbook: string
  /**
   * When this sportsbook's prices on this event were last observed (epoch ms); for one that has given
   * none yet, when it last said anything.
   */
  readonly lastSeenAt: number
  /** Whether it has ever given prices, so that `lastSeenAt` is of them. */
  readonly hasGivenPrices: boolean
  /** When it last said what state the event is in (epoch ms); null for never. */
  readonly statedAt: number | null
  /** The sportsbook's own id of the event; null when it gives none. */
  readonly externalId: string | null
  /** Which listing of the sportsbook this is: its id or, without one, the sides and start as given. */
  readonly listing: string
  /** The listings, of other ids, whose place this one has, the newest last. */
  readonly formerListings: readonly string[]
  /** The sides as the sportsbook spelled them last. */
  readonly homeTeam: string
  readonly awayTeam: string
  /** When this sportsbook says the event starts (epoch ms). */
  readonly startsAt: number
  /** The sportsbook gives home and away the other way round than the event's frame. */
  readonly swapped: boolean
  readonly isLive: boolean
  /** The state the sportsbook says the event is in, in so many words; null for none that counts. */
  readonly statedStatus: EventStatus | null
}

/** The key of a sighting in its table. */
export const sightingKey = (eventId: string, sportsbook: string) => `${eventId}|${sportsbook}`
