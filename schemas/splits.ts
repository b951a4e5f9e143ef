/**
 * Public betting splits: where the bets and the money on a game go, by a source book. The table
 * `splits` has the last word of each on each event; `split-snapshots` is the first word of each in
 * every five minutes, for the archive.
 */

import type { SplitsRecord } from './feed-record.ts'

/**
 * The three markets that splits are of, as shares from 0 to 1: away before home, over before under.
 * A market, or a pair of shares, that the source says nothing of is null.
 */
export type Splits = Pick<SplitsRecord, 'moneyline' | 'spread' | 'total'>

export const splitMarkets = ['spread', 'total', 'moneyline'] as const
export type SplitMarket = (typeof splitMarkets)[number]

/** In the event's own frame: readers turn the sides while `EventRow.flipped` is true. */
export interface SplitsRow extends Splits {
  readonly eventId: string
  readonly league: string
  readonly sportsbook: string
  /** When the source last said it (epoch ms). */
  readonly observedAt: number
  /** `observedAt` of the snapshot that was taken last. */
  readonly snapshotAt: number
}

/** What a source said at an instant. */
export interface SplitSnapshot extends Splits {
  readonly eventId: string
  readonly league: string
  readonly sportsbook: string
  /** Epoch ms. */
  readonly at: number
  /** `EventRow.flipped` as it was then. */
  readonly flipped: boolean
}

/** Where a row stands in its table. */
export const splitsKey = (eventId: string, sportsbook: string) => `${eventId}|${sportsbook}`

/** One snapshot is taken in each such slot of the clock. */
export const snapshotEveryMs = 300_000
