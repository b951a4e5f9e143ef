/** Names of currencies beside amounts: codes (`USD`, `CAD`), and the signs that several of them share (`$`). */

/** Money of sportsbooks that no state issues. */
const cryptoCodes = ['BTC', 'ETH', 'LTC', 'BCH', 'XRP', 'SOL', 'TRX']

let codes: ReadonlySet<string> | null = null

/** Returns whether three capital letters are the code of a currency: `USD` and `BTC` are, `WON` is not. */
export function isCurrencyCode(letters: string): boolean {
  codes ??= new Set([...Intl.supportedValuesOf('currency'), ...cryptoCodes])
  return codes.has(letters)
}

/** Returns the sign of a code; a sign itself, and a code without one, as it is. */
function signOf(name: string): string {
  if (!/^[A-Z]{3}$/.test(name)) return name
  const style = { style: 'currency', currency: name, currencyDisplay: 'narrowSymbol' } as const
  const parts = new Intl.NumberFormat('en', style).formatToParts(0)
  return parts.find(({ type }) => type === 'currency')?.value ?? name
}

/** Returns whether all of these can name one currency: `$` and `CAD` can, `$` and `€` or `USD` and `CAD` cannot. */
export function isOneCurrency(names: readonly string[]): boolean {
  const codes = new Set(names.filter((name) => name.length === 3))
  return codes.size <= 1 && new Set(names.map(signOf)).size <= 1
}
