/** Prices, lines and percentages as text, in the reader's format. */

import { shownProbability } from '../../../../pipeline/rules/odds/odds.ts'
import { writePrice } from '../../../../pipeline/rules/odds/price-formats.ts'
import { type PriceFormat, priceFormats } from '../../../../schemas/price-format.ts'

export const formatNames: Readonly<Record<PriceFormat, string>> = {
  american: 'American',
  decimal: 'Decimal',
  fractional: 'Fractional',
  probability: 'Probability',
  hong_kong: 'Hong Kong',
  malay: 'Malay',
  indonesian: 'Indonesian',
}
/** The choices of a list of formats. */
export const formatChoices = priceFormats.map((format) => [format, formatNames[format]] as const)

/** Uses a true minus sign, which is as wide as a plus. */
const signed = (value: number) => (value < 0 ? `−${-value}` : `+${value}`)

/**
 * Formats a price like `writePrice`, but with as many decimals as its neighbours in a column.
 *
 * @param price decimal odds
 * @param american the service's American odds, which rounded decimal odds do not always give exactly
 */
export function priceText(price: number, format: PriceFormat, american?: number | null): string {
  if (format === 'american' && american != null) return signed(american)
  if (format === 'probability') return impliedText(price)
  const text = writePrice(price, format)
  const hasDecimals = format !== 'american' && format !== 'fractional'
  return (hasDecimals ? withDecimals(Number(text)) : text).replace('-', '−')
}

/** Returns the implied probability, with one decimal; with more where one would say impossible or certain. */
function impliedText(price: number): string {
  const text = (100 / price).toFixed(1)
  const isEnd = text === '0.0' || text === '100.0'
  return `${isEnd ? Number((100 * shownProbability(price)).toFixed(4)) : text}%`
}

/** Pads to two decimals; further ones matter only below 2. */
function withDecimals(value: number): string {
  const size = Math.abs(value)
  if (size < 0.1) return String(value)
  const text = size < 100 ? value.toFixed(2) : value.toFixed(0)
  const whole = String(value)
  return size < 2 && whole.length > text.length ? whole : text
}

/** Pads `priceText` with digit-wide blanks, so that decimal points line up in a column. */
export function alignedPriceText(
  price: number,
  format: PriceFormat,
  american?: number | null,
): string {
  const text = priceText(price, format, american)
  if (format === 'american' || format === 'fractional' || format === 'probability') return text
  const point = text.indexOf('.')
  if (point < 0) return `${text}\u2008\u2007\u2007\u2007`
  return text + '\u2007'.repeat(Math.max(0, 3 - (text.length - 1 - point)))
}

/** @param line null for a market without one */
export function lineText(line: number | null, answer: string): string {
  if (line === null) return ''
  // A team's total is written like the game's.
  if (/(^|_)over$/.test(answer)) return `o${line}`
  if (/(^|_)under$/.test(answer)) return `u${line}`
  return line === 0 ? 'pk' : signed(line)
}

/** @param percent 1.29 is 1.29 % */
export function percentText(percent: number, digits = 2): string {
  const text = Math.abs(percent).toFixed(digits)
  // No minus sign before a zero.
  return `${percent < 0 && Number(text) !== 0 ? '−' : ''}${text}%`
}

/** Formats a probability (0 to 1) in percent; a dash for one that is not shown. */
export const chanceText = (probability: number | undefined) =>
  probability === undefined ? '–' : percentText(100 * probability)
