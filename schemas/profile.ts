/** An account's own settings: its sportsbooks and stakes, and how it reads prices. One row per account. */

import type { PriceFormat } from './price-format.ts'

/** The states of an own sportsbook; `books=mine` selects the `active` ones. */
export const ownBookStatuses = ['active', 'limited', 'paused'] as const

/** A sportsbook at which the account bets. */
export interface OwnBook {
  readonly sportsbook: string
  /**
   * The commission instead of the fee that the service counts: a fraction, as in `OVERROUND_FEES`; null for the
   * service's.
   */
  readonly commission: number | null
  /** The most that it takes from the account on one bet; null for its stated limit. */
  readonly maxStake: number | null
  readonly status: (typeof ownBookStatuses)[number]
}

export interface ProfileRow {
  readonly accountId: string
  /** Random with each write, so that the writer recognises its own row. */
  readonly revision: string
  readonly updatedAt: number
  readonly sportsbooks: readonly OwnBook[]
  /** US state, two lower-case letters. */
  readonly state: string | null
  readonly bankroll: number | null
  /** The part of the full Kelly stake. */
  readonly kelly: number | null
  /** The unit that stakes are rounded to. */
  readonly stakeUnit: number | null
  /** ISO 4217. */
  readonly currency: string | null
  readonly priceFormat: PriceFormat | null
  readonly hiddenLeagues: readonly string[]
}

/** Returns the profile of an account that has set nothing. */
export const emptyProfile = (accountId: string): ProfileRow => ({
  accountId,
  revision: '',
  updatedAt: 0,
  sportsbooks: [],
  state: null,
  bankroll: null,
  kelly: null,
  stakeUnit: null,
  currency: null,
  priceFormat: null,
  hiddenLeagues: [],
})
