/**
 * Reads and writes prices as people do. Internally, a price is decimal odds; other formats are only
 * for people. With b the profit of a stake of 1 (decimal odds minus 1):
 *
 * | format | written | 2.5 | 1.5 |
 * |---|---|---|---|
 * | `decimal` | b + 1 | 2.5 | 1.5 |
 * | `american` | 100 b, or -100 / b where b < 1 | +150 | -200 |
 * | `probability` | 1 / (b + 1) | 0.4 | 0.6667 |
 * | `fractional` | b as a fraction | 3/2 | 1/2 |
 * | `hong_kong` | b | 1.5 | 0.5 |
 * | `malay` | b, or -1 / b where b > 1 | -0.667 | 0.5 |
 * | `indonesian` | b, or -1 / b where b < 1 | 1.5 | -2 |
 */

import type { PriceFormat } from '../../../schemas/price-format.ts'
import {
  americanToDecimal,
  decimalToAmerican,
  isPrice,
  shownPrice,
  shownProbability,
} from './odds.ts'

/**
 * @param text a price as people write it: `+150`, `EVEN`, `10/11`, `evs`, `1,91` with a decimal comma, `52.4%`
 * @returns decimal odds; null if the text is no price of that format
 */
export function readPrice(text: string, format: PriceFormat): number | null {
  const price = readers[format](text.trim().toLowerCase().replace('\u2212', '-'))
  return price !== null && isPrice(price) ? price : null
}

/** @param price decimal odds, finite and > 1 */
export const writePrice = (price: number, format: PriceFormat): string => writers[format](price)

const evens: ReadonlySet<string> = new Set(['even', 'evens', 'evs', 'ev'])

/** Reads a number with a decimal point or comma; null for any other text. */
function numberIn(text: string): number | null {
  return /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)$/.test(text) ? Number(text.replace(',', '.')) : null
}

/** Makes a reader of a number, by `convert`. */
const ofNumber =
  (convert: (value: number) => number | null) =>
  (text: string): number | null => {
    const value = numberIn(text)
    return value === null ? null : convert(value)
  }

/**
 * As `ofNumber`, for formats without a sign: a number with a sign has another format, mostly
 * American.
 */
const ofUnsigned = (convert: (value: number) => number | null) => (text: string) =>
  /^[+-]/.test(text) ? null : ofNumber(convert)(text)

const readers: Readonly<Record<PriceFormat, (text: string) => number | null>> = {
  american(text) {
    if (evens.has(text)) return 2
    const value = numberIn(text)
    return value === null || Math.abs(value) < 100 ? null : americanToDecimal(value)
  },
  decimal: (text) => (evens.has(text) ? 2 : ofUnsigned((value) => value)(text)),
  probability(text) {
    const isPercent = text.endsWith('%')
    const value = numberIn(isPercent ? text.slice(0, -1).trimEnd() : text)
    if (value === null) return null
    const probability = isPercent ? value / 100 : value
    return probability > 0 && probability < 1 ? 1 / probability : null
  },
  fractional(text) {
    if (evens.has(text)) return 2
    const [, profit, stake] = /^(\d+)\s*[/-]\s*(\d+)$/.exec(text) ?? []
    return profit === undefined || Number(stake) === 0 ? null : 1 + Number(profit) / Number(stake)
  },
  hong_kong: ofUnsigned((value) => 1 + value),
  malay: ofNumber((value) => (Math.abs(value) > 1 || value === 0 ? null : 1 + turned(value))),
  indonesian: ofNumber((value) => (Math.abs(value) < 1 ? null : 1 + turned(value))),
}

/** Returns the profit of a stake of 1; a negative number is the stake of a profit of 1. */
const turned = (value: number) => (value < 0 ? -1 / value : value)

const writers: Readonly<Record<PriceFormat, (price: number) => string>> = {
  american(price) {
    const american = decimalToAmerican(price)
    return american > 0 ? `+${american}` : String(american)
  },
  decimal: (price) => String(shownPrice(price)),
  probability: (price) => String(shownProbability(price)),
  fractional: (price) => fractionOf(price),
  hong_kong: (price) => signed(price - 1),
  malay: (price) => signed(price <= 2 ? price - 1 : -1 / (price - 1)),
  indonesian: (price) => signed(price >= 2 ? price - 1 : -1 / (price - 1)),
}

/** Writes three decimals; below a tenth, three significant figures. */
const signed = (value: number) =>
  String(Math.abs(value) < 0.1 ? Number(value.toPrecision(3)) : Math.round(value * 1e3) / 1e3)

/** Denominators of fractions, except those of profits below a hundredth. */
const largestDenominator = 100

/** Errors of binary fractions, per unit of the price. */
const dust = 1e-9

/** The relative difference allowed between a profit and a fraction that is shown as the same price. */
const fractionTolerance = 0.0025

/**
 * Bookmakers' customary fractions that their decimal odds round up to a hundredth: 10/11 is called
 * 1.91.
 */
const customary: ReadonlyMap<number, string> = new Map([
  [1.13, '1/8'],
  [1.17, '1/6'],
  [1.29, '2/7'],
  [1.62, '8/13'],
  [1.67, '2/3'],
  [1.73, '8/11'],
  [1.91, '10/11'],
  [2.38, '11/8'],
  [2.63, '13/8'],
  [2.88, '15/8'],
])

/**
 * Returns the customary fraction of a price; else the exact one; else the simplest one that is shown
 * as the same price; else the nearest below, because one above would overstate the payout.
 */
function fractionOf(price: number): string {
  const profit = price - 1
  const shown = shownPrice(price)
  const isExact = (fraction: number) => Math.abs(fraction - profit) <= dust * price
  const isSame = (fraction: number) =>
    shownPrice(1 + fraction) === shown && Math.abs(fraction / profit - 1) <= fractionTolerance
  return (
    customary.get(price) ??
    simplest(profit, isExact) ??
    simplest(profit, isSame) ??
    nearestBelow(profit)
  )
}

/** Returns the fraction with the smallest denominator that is close enough; null for none. */
function simplest(profit: number, isClose: (fraction: number) => boolean): string | null {
  for (let denominator = 1; denominator <= largestDenominator; denominator++) {
    const numerator = Math.round(profit * denominator)
    if (numerator > 0 && isClose(numerator / denominator)) return `${numerator}/${denominator}`
  }
  return null
}

function nearestBelow(profit: number): string {
  let best = 0
  let text = `1/${Math.ceil((1 - dust) / profit)}`
  for (let denominator = 1; denominator <= largestDenominator; denominator++) {
    const numerator = Math.floor(profit * denominator)
    if (numerator / denominator <= best) continue
    best = numerator / denominator
    text = `${numerator}/${denominator}`
  }
  return text
}
