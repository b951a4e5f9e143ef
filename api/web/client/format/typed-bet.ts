/** The price, stake and time of a bet as the reader types them. */

import { readPrice } from '../../../../pipeline/rules/odds/price-formats.ts'
import type { PriceFormat } from '../../../../schemas/price-format.ts'
import { ambiguityOf, numberOf } from '../data/typed-number.ts'
import { formatNames, priceText } from './odds.ts'
import type { Zone } from './time.ts'

export interface Terms {
  /** Decimal odds. */
  readonly price: number
  readonly stake: number
}

export interface TypedTerms {
  readonly price: string
  readonly stake: string
}

/** Returns what a form begins with. */
export const typedTermsOf = ({ price, stake }: Terms, format: PriceFormat): TypedTerms => ({
  price: priceText(price, format),
  stake: String(stake),
})

/**
 * @param before what the form began with, if anything: a price that is left as it was is that one, without rounding
 * @throws Error naming what is no price or no stake
 */
export function readTerms(
  { price: typedPrice, stake: typedStake }: TypedTerms,
  format: PriceFormat,
  before: Terms | null,
): Terms {
  const isLeft = before !== null && typedTermsOf(before, format).price === typedPrice
  const price = isLeft ? before.price : readPrice(typedPrice, format)
  if (price === null) {
    throw new Error(`${typedPrice || 'Nothing'} is not a price in ${formatNames[format]} odds.`)
  }
  const stake = numberOf(typedStake)
  const doubt = ambiguityOf(typedStake)
  if (doubt !== null) throw new Error(`Stake: ${doubt}`)
  if (!(stake > 0)) throw new Error(`${typedStake || 'Nothing'} is no stake.`)
  return { price, stake }
}

/**
 * Reads a line with its sign, such as `−4.5` or `+3`.
 * @throws Error if it is none
 */
export function readLine(typed: string): number {
  const line = numberOf(typed)
  if (Number.isNaN(line)) throw new Error(`${typed || 'Nothing'} is no line.`)
  return line
}

/**
 * Reads the value of an input of type `datetime-local`.
 * @param now used for an empty one (epoch ms)
 * @returns epoch ms
 */
export const readMoment = (typed: string, zone: Zone, now: number): number =>
  typed === '' ? now : Date.parse(zone === 'utc' ? `${typed}Z` : typed)

/** Returns the value of such an input, to the minute. @param at epoch ms */
export function typedMoment(at: number, zone: Zone): string {
  const offsetMs = zone === 'utc' ? 0 : new Date(at).getTimezoneOffset() * 60_000
  return new Date(at - offsetMs).toISOString().slice(0, 16)
}
