/**
 * Bounds on another form of the price, such as American odds, as a range of decimal prices. Each form rises or falls
 * with the price, so only the bounds are converted instead of every price.
 */

import { memoise } from '../../../schemas/memoise.ts'
import { decimalToAmerican } from '../../rules/odds/odds.ts'

/** A range of prices from `from`, below `to`. */
export interface PriceRange {
  readonly from: number
  readonly to: number
}

export const everyPrice: PriceRange = { from: 0, to: Number.POSITIVE_INFINITY }

/** Returns the prices whose American form, as shown, is within the bounds, both inclusive. */
export function pricesOfAmerican(least: number | undefined, most: number | undefined): PriceRange {
  return {
    from: least === undefined ? 0 : firstFrom(least),
    to: most === undefined ? Number.POSITIVE_INFINITY : firstAbove(most),
  }
}

const firstFrom = memoise((least: number) =>
  firstPrice((price) => decimalToAmerican(price) >= least),
)
const firstAbove = memoise((most: number) => firstPrice((price) => decimalToAmerican(price) > most))

/**
 * Returns the lowest price for which `test` holds, which must then hold for all higher prices;
 * Infinity for none.
 */
export function firstPrice(test: (price: number) => boolean): number {
  const numbers = new Float64Array(2)
  const bits = new BigInt64Array(numbers.buffer)
  // Positive doubles have the same order as their bits.
  numbers[0] = 1
  numbers[1] = Number.POSITIVE_INFINITY
  let low = bits[0]!
  let high = bits[1]!
  while (low < high) {
    const middle = (low + high) >> 1n
    bits[0] = middle
    if (test(numbers[0]!)) high = middle
    else low = middle + 1n
  }
  bits[0] = low
  return numbers[0]!
}
