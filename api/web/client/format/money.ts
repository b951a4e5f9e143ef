/** Amounts of money as text. */

import { isInCents } from '../../../../pipeline/rules/odds/whole-cents.ts'

/**
 * Formats an amount to the cent, or to eight places where it is no whole number of cents, as for bitcoin.
 * @param currency of the reader's profile, such as EUR; null: only the number
 * @param stake whose exactness an amount has that is not rounded yet; by default the amount itself
 */
export function moneyText(value: number, currency: string | null, stake = Math.abs(value)): string {
  const style: Intl.NumberFormatOptions =
    currency === null ? { style: 'decimal' } : { style: 'currency', currency }
  const text = value.toLocaleString('en', {
    ...style,
    minimumFractionDigits: 2,
    maximumFractionDigits: isInCents(stake) ? 2 : 8,
  })
  // No minus sign before a zero.
  return /[1-9]/.test(text) ? text.replace('-', '−') : text.replace('-', '')
}

/** Returns the class of an amount gained or lost; '' where nothing was. */
export const gainClass = (amount: number) => (amount > 0 ? 'gain' : amount < 0 ? 'loss' : '')

/** Returns a limit without its cents: `1,250`. */
export const amountText = (value: number) => Math.floor(value).toLocaleString('en')
