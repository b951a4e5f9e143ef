import type { EventStatus } from './feed-record.ts'

/**
 * When a sportsbook was last seen offering an event, and its own names of it: one row per event and sportsbook.
 * Freshness is kept here so that a price observed again unchanged costs one small row, not a rewrite of every price.
 */
export interface Sighting {
  readonly eventId: string
  readonly league: string
  readonly sportsbook: string
  /**
   * When this sportsbook's prices on this event were last observed (epoch ms); without prices so far, when it last
   * sent any record.
   */
  readonly lastSeenAt: number
  /** Whether it has ever sent prices; then `lastSeenAt` is about them. */
  readonly hasGivenPrices: boolean
  /** When it last stated the event's status (epoch ms); null for never. */
  readonly statedAt: number | null
  /** The sportsbook's own id of the event; null when it has none. */
  readonly externalId: string | null
  /** The sportsbook's listing: its id or, without one, the sides and start as stated. */
  readonly listing: string
  /** Former listings under other ids that this one replaced, the newest last. */
  readonly formerListings: readonly string[]
  /** The sides in the sportsbook's last spelling. */
  readonly homeTeam: string
  readonly awayTeam: string
  /** The start of the event by this sportsbook (epoch ms). */
  readonly startsAt: number
  /** Whether the sportsbook has home and away swapped against the event's frame. */
  readonly swapped: boolean
  readonly isLive: boolean
  /**
   * Whether `isLive` only says that the start it lists has passed. Absent or null: the sportsbook
   * reports play.
   */
  readonly isByClock?: boolean | null
  /**
   * The source that passed its last prices on (`PassedOn`); empty if they are its own, or were
   * pushed. Absent or null: unknown.
   */
  readonly via?: string | null
  /**
   * When the sportsbook's own prices here began with a snapshot (`observedAt`, epoch ms). It stays while others replace
   * them. Absent or null: no own snapshot has come, or none of its prices are left.
   */
  readonly ownSince?: number | null
  /** The status that the sportsbook explicitly states; null for none that counts. */
  readonly statedStatus: EventStatus | null
}

/** Returns the key of a sighting in its table. */
export const sightingKey = (eventId: string, sportsbook: string) => `${eventId}|${sportsbook}`
