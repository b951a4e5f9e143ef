/**
 * The fields of forms, and how filters of the service are shown and stated in them. Fields of filters have the names of
 * the service.
 */

import { americanToDecimal, decimalToAmerican } from '../../../../pipeline/rules/odds/odds.ts'
import { readPrice, writePrice } from '../../../../pipeline/rules/odds/price-formats.ts'
import type { PriceFormat } from '../../../../schemas/price-format.ts'
import type { Sportsbook } from '../../wire.ts'
import { formatNames } from '../format/odds.ts'
import type { NamedLeague } from './leagues.ts'
import { type Bounds, numberOf } from './typed-number.ts'

export type Choices = readonly (readonly [value: string, name: string])[]

/** The lists that fields choose from. */
export interface Lists {
  readonly leagues: readonly Pick<NamedLeague, 'id' | 'shortName' | 'sport'>[]
  readonly sportsbooks: readonly Pick<Sportsbook, 'id' | 'display_name'>[]
  /** Ids of markets with prices. */
  readonly markets: readonly string[]
  /** See `Desk`. */
  readonly mine: readonly string[]
}

/** The input of one value: a price, a number, a date, a time, a text, or one of several choices. */
export interface Field {
  readonly label: string
  readonly hint?: string
  /** Whether it is a price, in the reader's format. */
  readonly isPrice?: boolean
  readonly usual?: string
  /** Bounds of a number. Without it the input is a text. */
  readonly range?: Bounds
  readonly type?: 'date' | 'time'
  /** Returns the choices; without them the input is typed. */
  readonly choices?: (lists: Lists) => Choices
  /** Whether several of the choices can be taken. Their values are joined by commas. */
  readonly isOfSeveral?: boolean
  readonly isRequired?: boolean
  /** Required while all of these are empty. */
  readonly unless?: readonly string[]
  /** Required while one of these is filled in. */
  readonly beside?: readonly string[]
  /** Whether it is shown only when the reader asks for more. */
  readonly isFolded?: boolean
}
export type Fields = Readonly<Record<string, Field>>
/** The text of each field; '' for none. */
export type Values = Readonly<Record<string, string>>

/** Returns what the fields show once some texts have been typed. */
export const withTyped = (values: Values, typed: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typed[name] ?? value]))

/** Returns what the fields show at first: the stated filters, else the usual ones. */
export const filterValues = (
  fields: Fields,
  filters: Values | undefined,
  format: PriceFormat,
): Values =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { usual = '', isPrice }]) => {
      const value = filters ? (filters[name] ?? '') : usual
      return [name, isPrice && value !== '' ? shownPrice(value, format) : value]
    }),
  )

/**
 * Returns the filters of a rule: those that are filled in, with bounds of prices in American odds, and numbers as the
 * service writes them.
 * @param kept what the form began with: filters without a field stay, and a bound that is left as it was is that one,
 *   without rounding
 * @throws Error with a reason for the reader
 */
export function statedFilters(
  fields: Fields,
  values: Values,
  format: PriceFormat,
  kept: Values = {},
): Values {
  const others = Object.entries(kept).filter(([name]) => !Object.hasOwn(fields, name))
  const stated = Object.entries(values).filter(([, value]) => value.trim() !== '')
  return Object.fromEntries([
    ...others,
    ...stated.map(([name, value]) => {
      const { isPrice, range } = fields[name] ?? {}
      if (isPrice) return [name, boundOf(value, format, kept[name])]
      return [name, range ? String(numberOf(value)) : value.trim()]
    }),
  ])
}

const boundOf = (typed: string, format: PriceFormat, kept: string | undefined) =>
  kept !== undefined && shownPrice(kept, format) === typed ? kept : americanOf(typed, format)

function americanOf(text: string, format: PriceFormat): string {
  const price = readPrice(text, format)
  if (price === null) throw new Error(`${text} is not a price in ${formatNames[format]} odds.`)
  return String(decimalToAmerican(price))
}

const shownPrice = (american: string, format: PriceFormat) =>
  Math.abs(Number(american)) >= 100
    ? writePrice(americanToDecimal(Number(american)), format)
    : american
