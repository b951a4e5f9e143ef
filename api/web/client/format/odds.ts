/** Prices, lines and percentages as text, in the reader's choice of format. */

import { decimalToAmerican } from '../../../../pipeline/rules/odds/odds.ts'

export const oddsFormats = ['american', 'decimal', 'probability'] as const
export type OddsFormat = (typeof oddsFormats)[number]

/** A true minus sign is as wide as a plus. */
const signed = (value: number) => (value < 0 ? `−${-value}` : `+${value}`)

/**
 * @param price decimal odds
 * @param american as the service says it: of a price with three decimals it cannot always be told
 */
export function priceText(price: number, format: OddsFormat, american?: number | null): string {
  if (format === 'american') return signed(american ?? decimalToAmerican(price))
  if (format === 'probability') return `${(100 / price).toFixed(1)}%`
  // Ticks of a cent matter below 2, cents nowhere else.
  if (price < 2) return price.toFixed(3).replace(/0$/, '')
  return price < 100 ? price.toFixed(2) : price.toFixed(0)
}

/** As `priceText`, with blanks as wide as digits behind it, so that in a column the points stand below each other. */
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
  // Next to nothing is not less than nothing.
  return `${percent < 0 && Number(text) !== 0 ? '−' : ''}${text}%`
}
