/**
 * The tables of futures: markets on a season or a tournament. One row of `futures` has all that one sportsbook offers
 * on one of them, because a sportsbook states such a market as a whole and changes it seldom. The time it was last
 * seen is a separate row, so that prices seen again unchanged cost little.
 */

import type { FutureType } from './feed-record.ts'

export interface FuturePrice {
  /** 15 digits: the same for as long as the selection exists, whatever its price. */
  readonly id: number
  /** The team by its usual name, the player, `Over`, `Under`, `Yes` or `No`. */
  readonly selection: string
  readonly line: number | null
  /** Decimal odds, finite and > 1. */
  readonly price: number
  /** False while the sportsbook shows the selection but takes no bets on it. */
  readonly isActive: boolean
  /** When the price last changed (epoch ms); null: new, and the sportsbook gives no time. */
  readonly changedAt: number | null
  readonly externalId: string | null
  readonly deepLink: string | null
}

export interface FutureRow {
  /** The market's id, one for all sportsbooks: `pipeline/rules/odds/futures.ts`. */
  readonly marketId: string
  readonly sport: string
  readonly league: string
  /** The question: `champion`, `total_wins`, or the sportsbook's own words as a slug. */
  readonly question: string
  readonly futureType: FutureType
  /** The team or player it is about; null for none. */
  readonly subject: string | null
  /** The year in which the season ends; null when the sportsbook does not say. */
  readonly season: string | null
  readonly sportsbook: string
  /** The market's name in the sportsbook's own words. */
  readonly name: string
  readonly externalId: string | null
  readonly settlesAt: number | null
  /** Never empty; by line and name. */
  readonly prices: readonly FuturePrice[]
  /** When this content was observed (epoch ms). */
  readonly observedAt: number
}

export interface FutureSighting {
  readonly marketId: string
  readonly league: string
  readonly sportsbook: string
  readonly lastSeenAt: number
  /** When the market was last stated under any external id; null in old records, then `lastSeenAt`. */
  readonly statedAt: number | null
  /** The external id of the kept listing, also while it offers nothing; null if unknown. */
  readonly externalId: string | null
  /** Another external id under which the sportsbook has listed the market since, and when it did; else null. */
  readonly relistedId: string | null
  readonly relistedAt: number | null
}

/** Returns the key of both rows in their tables. */
export const futureKey = (marketId: string, sportsbook: string) => `${marketId}|${sportsbook}`
