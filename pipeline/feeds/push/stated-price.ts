/**
 * The price of a selection in push ingest, as decimal odds. It is stated as decimal odds, American
 * odds, both of them (which must agree), or a probability.
 */

import {
  americanToDecimal,
  decimalToAmerican,
  isPrice,
  priceBounds,
} from '../../rules/odds/odds.ts'
import { Refused, type Rejection } from './rejections.ts'
import type { PriceFault } from './warnings.ts'

/**
 * How much two forms of a price may differ (absolute or relative): decimals are often cut to two
 * digits.
 */
const priceTolerance = 0.01

interface StatedPrice {
  readonly odds_decimal?: number | null | undefined
  readonly odds_american?: number | null | undefined
  /** A probability without margin instead of odds; above 0 and below 1. */
  readonly probability?: number | null | undefined
}

/** Returns decimal odds; null if none are stated. @throws Refused invalid_price, price_mismatch */
export function priceOf(stated: StatedPrice): number | null {
  const price = readPrice(stated)
  if (price === null || typeof price === 'number') return price
  throw new Refused(price.code, price.message)
}

/** Returns decimal odds, null if none are stated, or why the stated value is no price. */
export function readPrice(stated: StatedPrice): number | Rejection<PriceFault> | null {
  const { odds_decimal: decimal, odds_american: american, probability } = stated
  if (probability != null) return priceOfProbability(probability, decimal ?? american ?? null)
  if (decimal != null && !isPrice(decimal)) return noDecimal
  if (american == null) return decimal ?? null
  if (!Number.isFinite(american) || Math.abs(american) < 100) return noAmerican
  const price = americanToDecimal(american)
  if (!isPrice(price)) return noAmerican
  if (decimal == null) return price
  if (Math.abs(decimal - price) > Math.max(priceTolerance, priceTolerance * price)) {
    const message = `odds_decimal ${decimal} is not odds_american ${american}`
    return { code: 'price_mismatch', message }
  }
  return decimal
}

function priceOfProbability(probability: number, odds: number | null) {
  if (odds !== null) return probabilityAndOdds
  const price = 1 / probability
  return isPrice(price) ? price : noProbability
}

const probabilityAndOdds: Rejection<PriceFault> = {
  code: 'price_mismatch',
  message: 'a selection has odds or a probability, not both',
}
const noProbability: Rejection<PriceFault> = {
  code: 'invalid_price',
  message: `probability is a number from 0.000001 to 0.999999`,
}
const noDecimal: Rejection<PriceFault> = {
  code: 'invalid_price',
  message: `odds_decimal is a number (1.91, not the text "1.91") from ${priceBounds.lowest} to ${priceBounds.highest}`,
}
const noAmerican: Rejection<PriceFault> = {
  code: 'invalid_price',
  message: `odds_american is a number (108, not the text "+108") from ${decimalToAmerican(priceBounds.lowest)} to -100, or from 100 to ${decimalToAmerican(priceBounds.highest)}`,
}
