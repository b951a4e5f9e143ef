/**
 * Public betting splits: the shares of bets and money on the sides of a game, by source book. The table `splits` has
 * the latest of each source on each event; `split-snapshots` has the first of each in every five minutes, for the
 * archive.
 */

import type { SplitsRecord } from './feed-record.ts'

/**
 * The three markets with splits, as shares from 0 to 1: away before home, over before under. A
 * market, or a pair of shares, that the source does not state is null.
 */
export type Splits = Pick<SplitsRecord, 'moneyline' | 'spread' | 'total'>

export const splitMarkets = ['spread', 'total', 'moneyline'] as const
export type SplitMarket = (typeof splitMarkets)[number]

/** The latest splits, in the event's own frame: readers swap the sides while `EventRow.flipped` is true. */
export interface SplitsRow extends Splits {
  readonly eventId: string
  readonly league: string
  readonly sportsbook: string
  /** When the source last stated them (epoch ms). */
  readonly observedAt: number
  /** The `observedAt` of the last snapshot. */
  readonly snapshotAt: number
}

/** The splits of a source at one time. */
export interface SplitSnapshot extends Splits {
  readonly eventId: string
  readonly league: string
  readonly sportsbook: string
  /** Epoch ms. */
  readonly at: number
  /** The value of `EventRow.flipped` at that time. */
  readonly flipped: boolean
}

/** Returns the row's key in its table. */
export const splitsKey = (eventId: string, sportsbook: string) => `${eventId}|${sportsbook}`

/** The length of the clock's slots; each has one snapshot. */
export const snapshotEveryMs = 300_000
