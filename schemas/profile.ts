/** What an account says of itself: where it bets and with how much, and how it reads prices. A row each account. */

import type { PriceFormat } from './price-format.ts'

/** `active` ones are those of `books=mine`. */
export const ownBookStatuses = ['active', 'limited', 'paused'] as const

/** A sportsbook at which the account bets. */
export interface OwnBook {
  readonly sportsbook: string
  /** In place of the fee that the service counts: a fraction, as in `OVERROUND_FEES`; null for that. */
  readonly commission: number | null
  /** The most that it takes from the account on one bet; null for what it states. */
  readonly maxStake: number | null
  readonly status: (typeof ownBookStatuses)[number]
}

export interface ProfileRow {
  readonly accountId: string
  /** A new one with each write, by which the writer knows its own row again. */
  readonly revision: string
  readonly updatedAt: number
  readonly sportsbooks: readonly OwnBook[]
  /** US state, two lower-case letters. */
  readonly state: string | null
  readonly bankroll: number | null
  /** The part of the full Kelly stake. */
  readonly kelly: number | null
  /** What stakes are rounded to. */
  readonly stakeUnit: number | null
  /** ISO 4217. */
  readonly currency: string | null
  readonly priceFormat: PriceFormat | null
  readonly hiddenLeagues: readonly string[]
}

/** What there is of an account that has said nothing. */
export const emptyProfile = (accountId: string): ProfileRow => ({
  ...{ accountId, revision: '', updatedAt: 0 },
  ...{ sportsbooks: [], state: null, bankroll: null, kelly: null, stakeUnit: null },
  ...{ currency: null, priceFormat: null, hiddenLeagues: [] },
})
