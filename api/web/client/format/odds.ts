/** Prices, lines and percentages as text, in the format that the reader chose. */

import { decimalToAmerican } from '../../../../pipeline/rules/odds/odds.ts'

export const oddsFormats = ['american', 'decimal', 'probability'] as const
export type OddsFormat = (typeof oddsFormats)[number]

/** Uses a true minus sign, which is as wide as a plus. */
const signed = (value: number) => (value < 0 ? `−${-value}` : `+${value}`)

/**
 * @param price decimal odds
 * @param american the service's American odds: rounded decimal odds do not always give them exactly
 */
export function priceText(price: number, format: OddsFormat, american?: number | null): string {
  if (format === 'american') return signed(american ?? decimalToAmerican(price))
  if (format === 'probability') return `${(100 / price).toFixed(1)}%`
  // The third decimal matters only below 2.
  if (price < 2) return price.toFixed(3).replace(/0$/, '')
  return price < 100 ? price.toFixed(2) : price.toFixed(0)
}

/** `priceText` padded with digit-wide blanks, so that decimal points line up in a column. */
export function alignedPriceText(
  price: number,
  format: OddsFormat,
  american?: number | null,
): string {
  const text = priceText(price, format, american)
  if (format !== 'decimal') return text
  const point = text.indexOf('.')
  if (point < 0) return `${text}\u2008\u2007\u2007\u2007`
  return text + '\u2007'.repeat(3 - (text.length - 1 - point))
}

/** @param line null for a market without one */
export function lineText(line: number | null, answer: string): string {
  if (line === null) return ''
  if (answer === 'over') return `o${line}`
  if (answer === 'under') return `u${line}`
  return line === 0 ? 'pk' : signed(line)
}

/** @param percent 1.29 is 1.29 % */
export function percentText(percent: number, digits = 2): string {
  const text = Math.abs(percent).toFixed(digits)
  // No minus sign before a zero.
  return `${percent < 0 && Number(text) !== 0 ? '−' : ''}${text}%`
}
