/**
 * Countries by name, for national teams. Names of countries may differ by one letter (Iran, Iraq)
 * or contain each other (Niger, Nigeria; Guinea, Guinea-Bissau), so they are looked up and never
 * compared by similarity.
 *
 * The names of every ISO 3166 region come from the runtime's own tables in the languages of the feeds; this file has
 * the names that differ in sport.
 */

import { listOf, readDataFile, recordOf, row, textLike, texts } from '../../../schemas/data-file.ts'
import { usStates } from '../../../schemas/reference/us-states.ts'
import rows from './words/countries.json' with { type: 'json' }

const languages = ['en', 'fr', 'es', 'de', 'it', 'pt', 'nl']

const code = textLike('[A-Z]{2,3}')

const countries = readDataFile(
  'pipeline/rules/names/words/countries.json',
  row({
    /**
     * Names by code: countries that exist only in sport, and names missing from the tables; they win over the tables.
     */
    names: recordOf(texts, code),
    /**
     * Three-letter marks in brackets, by code: those of FIFA and the IOC that differ from ISO's,
     * and French ones.
     */
    marks: recordOf(listOf(textLike('[A-Z]{3}')), code),
    /** Countries with their own associations, by their state. */
    states: recordOf(listOf(code), code),
    /** Countries with several clubs in the leagues of another country, by that country. */
    guests: recordOf(listOf(code), code),
    /** Codes of regions beside clubs' names, by country; those of the US are in `us-states.ts`. */
    regions: recordOf(texts, code),
  }),
  rows,
)

const marks: ReadonlyMap<string, string> = new Map(
  Object.entries(countries.marks).flatMap(([country, own]) =>
    own.map((mark) => [mark.toLowerCase(), country] as const),
  ),
)

/**
 * Returns the code of the country in brackets behind a name.
 * @param inside the text in brackets, in lower case
 * @param byName the code that the tables have for this text as a name
 */
export const countryOfMark = (inside: string, byName: string | undefined): string | undefined =>
  marks.get(inside) ?? (inside.length > 3 ? byName : undefined)

const states: ReadonlyMap<string, string> = new Map(
  Object.entries(countries.states).flatMap(([state, own]) =>
    own.map((country) => [country, state] as const),
  ),
)

/** Returns the other countries that have several clubs in the leagues of a country. */
export const guestsOf = (country: string): readonly string[] => countries.guests[country] ?? []

const regions: ReadonlyMap<string, readonly string[]> = new Map([
  ['US', usStates],
  ...Object.entries(countries.regions),
])

/** Returns the codes of a country's regions, in lower case: "rj" of Brazil. */
export const regionsOf = (country: string): readonly string[] => regions.get(country) ?? []

/**
 * Returns whether two countries exclude each other: England and Scotland do, England and Great
 * Britain do not.
 */
export const areOfTwoCountries = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  one !== other &&
  states.get(one) !== other &&
  states.get(other) !== one

/**
 * Returns codes by folded name.
 * @param fold folds names for comparison; names of a country in two languages often fold alike
 */
export function countryCodes(fold: (name: string) => string): ReadonlyMap<string, string> {
  const codes = new Map<string, string>()
  for (const [country, names] of Object.entries(countries.names)) {
    for (const name of names) codes.set(fold(name), country)
  }
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  for (const language of languages) {
    const table = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
    for (const first of letters) {
      for (const second of letters) {
        const code = first + second
        // Withdrawn codes resolve to today's name: DD is Germany again.
        if (new Intl.Locale(`und-${code}`).region !== code) continue
        const name = table.of(code)
        const key = name && !/[()]/.test(name) ? fold(name) : ''
        // English comes first and wins: "Granada" is a city, although it is Spanish for Grenada.
        if (key !== '' && !codes.has(key)) codes.set(key, code)
      }
    }
  }
  return codes
}
