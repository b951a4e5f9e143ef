/** Amounts of money as text. */

/** @param currency of the reader's profile, such as EUR; null: only the number */
export function moneyText(value: number, currency: string | null): string {
  const style: Intl.NumberFormatOptions =
    currency === null ? { style: 'decimal' } : { style: 'currency', currency }
  const text = value.toLocaleString('en', {
    ...style,
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  })
  // No minus sign before a zero.
  return /[1-9]/.test(text) ? text.replace('-', '−') : text.replace('-', '')
}

/** Returns a limit without its cents: `1,250`. */
export const amountText = (value: number) => Math.floor(value).toLocaleString('en')
