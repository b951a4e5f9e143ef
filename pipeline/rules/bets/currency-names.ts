/**
 * Names of currencies: codes (`USD`, `CAD`), signs that several currencies share (`$`), signs of
 * only one (`CA$`) and words (`Euro`, `US Dollar`).
 */

/** Cryptocurrencies that sportsbooks take. */
const cryptoCodes = ['BTC', 'ETH', 'LTC', 'BCH', 'XRP', 'SOL', 'TRX']

let codes: ReadonlySet<string> | null = null

/** Returns whether three capital letters are the code of a currency: `USD` and `BTC` are, `WON` is not. */
export function isCurrencyCode(letters: string): boolean {
  codes ??= new Set([...Intl.supportedValuesOf('currency'), ...cryptoCodes])
  return codes.has(letters)
}

/** Words that several currencies share, by their sign. */
const sharedWords: Readonly<Record<string, string>> = {
  dollar: '$',
  dollars: '$',
  pound: '£',
  pounds: '£',
  yen: '¥',
}

/** Languages in which a file may name its currency. */
const languages = ['en', 'en-CA', 'de', 'es', 'fr', 'it', 'nl', 'pt']

let ofWords: ReadonlyMap<string, string> | null = null

function namesOfWords(): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const language of languages) {
    const words = new Intl.DisplayNames(language, { type: 'currency' })
    for (const code of Intl.supportedValuesOf('currency')) {
      const parts = new Intl.NumberFormat(language, { style: 'currency', currency: code })
        .formatToParts(0)
        .find(({ type }) => type === 'currency')
      for (const word of [words.of(code), parts?.value]) {
        const key = word?.toLowerCase() ?? ''
        // A sign is shared; a code names itself.
        if (key.length > 1 && !isCurrencyCode(key.toUpperCase()) && !names.has(key))
          names.set(key, code)
      }
    }
  }
  for (const [word, sign] of Object.entries(sharedWords)) names.set(word, sign)
  return names
}

/**
 * Returns the code or the shared sign that a word in a column of currencies names; undefined for
 * none.
 */
export function currencyOfWord(cell: string): string | undefined {
  ofWords ??= namesOfWords()
  const word = cell.trim().toLowerCase()
  return ofWords.get(word) ?? ofWords.get(word.replace(/s$/, ''))
}

/** Returns the sign of a code; signs, and codes without a sign, unchanged. */
function signOf(name: string): string {
  if (!/^[A-Z]{3}$/.test(name)) return name
  const style = { style: 'currency', currency: name, currencyDisplay: 'narrowSymbol' } as const
  const parts = new Intl.NumberFormat('en', style).formatToParts(0)
  return parts.find(({ type }) => type === 'currency')?.value ?? name
}

/**
 * Returns whether all these names can mean one currency: `$` and `CAD` can, `$` and `€` or `USD`
 * and `CAD` cannot.
 */
export function isOneCurrency(names: readonly string[]): boolean {
  const codes = new Set(names.filter((name) => name.length === 3))
  return codes.size <= 1 && new Set(names.map(signOf)).size <= 1
}
