/**
 * Turns a free bet, a boosted price or an open bet into money for every result. It takes a second
 * bet on the rest of the market: on the opposite at another sportsbook, or a lay at an exchange.
 * Prices are decimal odds. Amounts are in the currency of the stake and exact: the caller rounds.
 */

import { returned, type Settled } from '../odds/two-lines.ts'

/** The second bet. */
export type Hedge =
  /** A bet on the opposite outcome. @param net decimal odds after the fee, > 1 */
  | { readonly kind: 'back'; readonly net: number }
  /** A bet against the outcome, at an exchange. @param odds the lay odds; @param commission part of net winnings */
  | { readonly kind: 'lay'; readonly odds: number; readonly commission: number }

export interface Conversion {
  /** The stake of the second bet; of a lay, the backer's stake. */
  readonly hedgeStake: number
  /** The most that the second bet can lose: its stake, or the liability of a lay. */
  readonly atRisk: number
  /** The profit, which is the same for every result; negative for a loss. */
  readonly profit: number
}

/** Returns the loss per unit of hedge if the first bet wins, and its gain if that loses. */
export const perUnit = (hedge: Hedge) =>
  hedge.kind === 'back'
    ? { loss: 1, gain: hedge.net - 1 }
    : { loss: hedge.odds - 1, gain: 1 - hedge.commission }

/** @param won gain of the first bet; @param lost its cost, > 0 */
function equalised(won: number, lost: number, hedge: Hedge): Conversion {
  const { loss, gain } = perUnit(hedge)
  const hedgeStake = (won + lost) / (loss + gain)
  return { hedgeStake, atRisk: hedgeStake * loss, profit: hedgeStake * gain - lost }
}

/**
 * Converts a free bet. Its stake belongs to the sportsbook; it is paid out with the winnings or
 * not.
 * @returns the conversion, and the part of the free bet that becomes money
 */
export function convertFreeBet(
  bet: { readonly stake: number; readonly net: number; readonly isStakeReturned: boolean },
  hedge: Hedge,
): Conversion & { readonly rate: number } {
  const won = bet.stake * (bet.isStakeReturned ? bet.net : bet.net - 1)
  const conversion = equalised(won, 0, hedge)
  return { ...conversion, rate: conversion.profit / bet.stake }
}

/** Hedges a bet of one's own money, made at a boosted price or before the price moved. */
export const hedgeBet = (bet: { readonly stake: number; readonly net: number }, hedge: Hedge) =>
  equalised(bet.stake * (bet.net - 1), bet.stake, hedge)

/** A leg of a parlay: its decimal odds, and its result so far. */
export interface ParlayLeg {
  readonly price: number
  /** Null while it is open. */
  readonly result: Settled | null
  /** No-vig probability, in (0, 1); null where unknown. */
  readonly probability: number | null
}

/**
 * Multiplies the legs: a refunded leg counts as 1, half a win as half of its profit, half a loss as half of the
 * stake. A price offered for the whole is reduced in the same proportion as the product of the
 * legs, as sportsbooks do.
 * @param offered decimal odds offered for all legs together; null to use the product of the legs
 * @returns decimal odds of the whole (0 if lost), and the probability if the legs are independent
 * (null if one is unknown)
 */
export function parlay(legs: readonly ParlayLeg[], offered: number | null = null) {
  // If all legs are refunded, the stake comes back at any price.
  const whole = legs.every(({ result }) => result === 0) ? null : offered
  let price = whole ?? 1
  let probability: number | null = 1
  for (const leg of legs) {
    const settled = leg.result === null ? leg.price : returned(leg.price, leg.result)
    price *= whole === null ? settled : settled / leg.price
    if (leg.result !== null) continue
    probability =
      probability === null || leg.probability === null ? null : probability * leg.probability
  }
  return { price, probability, isOpen: legs.some(({ result }) => result === null) && price > 0 }
}
