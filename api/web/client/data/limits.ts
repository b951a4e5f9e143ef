/** The highest stakes on the bets of an opportunity: what sportsbooks state, and what the reader's profile does. */

import type { OwnBook } from '../../wire.ts'
import type { Leg } from './legs.ts'

/** Returns the highest stake on a bet, the lower of both; null if none is known. */
export function limitOf(
  { sportsbook, maxBet }: Pick<Leg, 'sportsbook' | 'maxBet'>,
  ownBooks: readonly Pick<OwnBook, 'sportsbook' | 'max_stake'>[],
): number | null {
  const own = ownBooks.find((book) => book.sportsbook === sportsbook)?.max_stake ?? null
  return own === null ? maxBet : Math.min(own, maxBet ?? own)
}

export interface TotalLimit {
  /** Number of the bet whose limit is reached first, from 0. */
  readonly leg: number
  /** The highest total stake, in the unit of the limits. */
  readonly total: number
}

/**
 * Returns how much can be staked on all bets together, each with its share.
 * @param limits of the bets, null for none
 * @returns null without any limit
 */
export function totalLimit(
  legs: readonly Pick<Leg, 'price' | 'stake'>[],
  limits: readonly (number | null)[],
): TotalLimit | null {
  // Lists that do not split the stake have bets that are to return alike.
  const isSplit = legs.every(({ stake }) => stake !== null)
  const weights = legs.map(({ price, stake }) => (isSplit ? stake! : 1 / price))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  let least: TotalLimit | null = null
  for (const [leg, limit] of limits.entries()) {
    if (limit === null) continue
    const total = legs.length === 1 ? limit : (limit * sum) / weights[leg]!
    if (least === null || total < least.total) least = { leg, total }
  }
  return least
}
