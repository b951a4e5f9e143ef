/**
 * Prices after an exchange's fee: the final return of a stake, which can be compared with the price
 * of a sportsbook. The operator's setting chooses which fees are subtracted;
 * `schemas/reference/fees.ts` has the fees.
 */

import { type Fee, standardFees } from '../../../schemas/reference/fees.ts'

/** The fees that are subtracted, by sportsbook; empty if prices count as offered. */
export type Fees = ReadonlyMap<string, Fee>

export const noFees: Fees = new Map()

/**
 * @param rates the operator's own rates, which replace or extend the listed ones: fractions of the
 * net winnings, or a rate of the listed kind
 */
export function feesWith(isStandard: boolean, rates: Readonly<Record<string, number>>): Fees {
  const fees = new Map(isStandard ? standardFees : [])
  for (const [sportsbook, rate] of Object.entries(rates)) {
    const listed = standardFees.get(sportsbook)
    fees.set(sportsbook, listed ? { ...listed, rate } : { on: 'net_winnings', rate })
  }
  return fees
}

/**
 * A usual order size. A single contract could cost up to double the fee, because its fee is rounded
 * up.
 */
export const contractsOfOrder = 100

/**
 * A fee may exceed a whole number of units by this part of a unit: 1.75 gives 175.00000000000003
 * hundredths.
 */
export const roundingSlack = 1e-6

/**
 * Returns the fee of an order of contracts that pay 1 each.
 * @param probability price of a contract, in (0, 1)
 */
export function orderFee({ rate, roundedUpTo }: Fee, contracts: number, probability: number) {
  const exact = rate * contracts * probability * (1 - probability)
  if (!roundedUpTo) return exact
  return Math.ceil(exact / roundedUpTo - roundingSlack) * roundedUpTo
}

/**
 * Returns a price after the fee: decimal odds that return the same from the same outlay.
 * @param price decimal odds as offered, > 1; 0 if no bet is taken, which gives 0
 */
export function priceAfterFee(price: number, fee: Fee): number {
  if (price <= 1) return price
  if (fee.on === 'net_winnings') return 1 + (price - 1) * (1 - fee.rate)
  const probability = 1 / price
  const each = orderFee(fee, contractsOfOrder, probability) / contractsOfOrder
  return 1 / (probability + each)
}

/**
 * Returns the odds of a price after its sportsbook's fee, if that is subtracted.
 * @param quote decimal odds as offered
 */
export function netOf(
  { sportsbook, price }: { readonly sportsbook: string; readonly price: number },
  fees: Fees,
): number {
  const fee = fees.get(sportsbook)
  return fee ? priceAfterFee(price, fee) : price
}

/**
 * Returns the offered price that gives this one after the fee, except for the rounding of the fee.
 */
export function priceBeforeFee(net: number, fee: Fee): number {
  if (fee.on === 'net_winnings') return 1 + (net - 1) / (1 - fee.rate)
  // 1 / net = p + rate p (1 - p), the smaller root, in the form that also holds for a rate of 0.
  const { rate } = fee
  const root = Math.sqrt((1 + rate) ** 2 - (4 * rate) / net)
  return (net * (1 + rate + root)) / 2
}
