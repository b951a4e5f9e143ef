/**
 * The fields of the forms of alerts: the filters that each kind of rule has, and the settings of every rule. Filters
 * have the names of the service, settings the paths of their members. Further filters of an alert are kept as they are.
 */

import { americanToDecimal, decimalToAmerican } from '../../../../pipeline/rules/odds/odds.ts'
import { readPrice, writePrice } from '../../../../pipeline/rules/odds/price-formats.ts'
import type { PriceFormat } from '../../../../schemas/price-format.ts'
import type { Alert, AlertFilters, Sportsbook } from '../../wire.ts'
import { marketText } from '../format/names.ts'
import { formatNames } from '../format/odds.ts'
import { type Kind, kindViews } from './kinds.ts'
import type { NamedLeague } from './leagues.ts'

type Choices = readonly (readonly [value: string, name: string])[]

/** The lists that fields choose from. */
interface Lists {
  readonly leagues: readonly Pick<NamedLeague, 'id' | 'shortName'>[]
  readonly sportsbooks: readonly Pick<Sportsbook, 'id' | 'display_name'>[]
  /** Ids of markets with prices. */
  readonly markets: readonly string[]
}

/** The input of one value: a price, a number, a date, a time, a text, or one of several choices. */
export interface Field {
  readonly label: string
  readonly hint?: string
  /** Whether it is a price, in the reader's format. */
  readonly isPrice?: boolean
  readonly usual?: string
  /** Bounds of a number. Without it the input is a text. */
  readonly range?: readonly [min?: number, max?: number]
  readonly type?: 'date' | 'time'
  /** Returns the choices; without them the input is typed. */
  readonly choices?: (lists: Lists) => Choices
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

// ---- filters

const league: Field = {
  label: 'League',
  choices: ({ leagues }) => [
    ['', 'All leagues'],
    ...leagues.map(({ id, shortName }) => [id, shortName] as const),
  ],
}
const markets = ({ markets: ids }: Lists) => ids.map((id) => [id, marketText(id)] as const)
const anyMarket: Field = {
  label: 'Market',
  choices: (lists) => [['', 'All markets'], ...markets(lists)],
}
const live: Field = {
  label: 'Games',
  isFolded: true,
  choices: () => [
    ['', 'Before the start and in play'],
    ['false', 'Before the start'],
    ['true', 'In play'],
  ],
}
const minOdds: Field = { label: 'Odds of at least', isPrice: true }
const maxOdds: Field = { label: 'Odds of at most', isPrice: true, isFolded: true }
const side: Field = { label: 'Side', hint: 'home, over, or a part of a name' }
const seconds: Field = { label: 'Within seconds', usual: '60', range: [1, 3_600] }
/** Filters of every rule on prices. */
const ofGames = {
  league,
  q: { label: 'Team or game', hint: 'a part of a name' },
  live,
  date: { label: 'Date', type: 'date', isFolded: true },
  player: { label: 'Player', hint: 'a part of the name', isFolded: true },
} as const satisfies Fields
const ofMoves = {
  seconds,
  market: anyMarket,
  ...ofGames,
  selection: { ...side, isFolded: true },
} as const satisfies Fields

interface Want {
  readonly name: string
  readonly type: 'price' | 'move' | 'source'
  readonly fields: Fields
}

/** The rules that are made on the page of alerts. */
export const wants = {
  price: {
    name: 'A price or a line that I want',
    type: 'price',
    fields: {
      market: { label: 'Market', usual: 'moneyline', choices: markets, isRequired: true },
      selection: side,
      min_odds: { ...minOdds, unless: ['max_odds', 'min_line', 'max_line'] },
      max_odds: maxOdds,
      min_line: { label: 'Line of at least', range: [-10_000] },
      max_line: { label: 'Line of at most', range: [-10_000] },
      ...ofGames,
    } satisfies FieldsOf<'price'>,
  },
  drop: {
    name: 'A price that drops',
    type: 'move',
    fields: {
      min_drop: { label: 'By at least, %', usual: '5', range: [0.1, 99], isRequired: true },
      of: {
        label: 'Price',
        choices: () => [
          ['offer', 'At each sportsbook'],
          ['best', 'The best of all'],
        ],
        usual: 'offer',
      },
      ...ofMoves,
    } satisfies FieldsOf<'move'>,
  },
  steam: {
    name: 'Steam: several sportsbooks move',
    type: 'move',
    fields: {
      min_books: { label: 'At least sportsbooks', usual: '3', range: [2, 50], isRequired: true },
      min_move: {
        label: 'Each by at least, percentage points of probability',
        usual: '1',
        range: [0, 100],
      },
      direction: {
        label: 'Direction',
        isFolded: true,
        choices: () => [
          ['', 'Both'],
          ['shortened', 'Prices fall'],
          ['drifted', 'Prices rise'],
        ],
      },
      ...ofMoves,
    } satisfies FieldsOf<'move'>,
  },
  source: {
    name: 'A sportsbook whose prices stop',
    type: 'source',
    fields: {
      sportsbook: {
        label: 'Sportsbook',
        choices: ({ sportsbooks }) => [
          ['', 'All that I see'],
          ...sportsbooks.map(({ id, display_name }) => [id, display_name] as const),
        ],
      },
    } satisfies FieldsOf<'source'>,
  },
} as const satisfies Readonly<Record<string, Want>>

/** Fields of filters that the service has. */
type FieldsOf<Type extends keyof AlertFilters> = Partial<
  Readonly<Record<AlertFilters[Type], Field>>
>

export type WantId = keyof typeof wants

/** Returns what an alert wants; null for one on opportunities. */
export function wantOf({ type, filters }: Pick<Alert, 'type' | 'filters'>): WantId | null {
  if (type === 'opportunity') return null
  if (type === 'move') return filters.min_drop === undefined ? 'steam' : 'drop'
  return type
}

/** Returns the filters of a rule on opportunities that the form has fields for. */
export function opportunityFields(kind: Kind): Fields {
  const [bound, label, usual] = kindViews[kind].bound
  return {
    [bound]: { label, usual, range: [], isRequired: true },
    league: { ...league, isFolded: true },
    live,
    market: { ...anyMarket, isFolded: true },
    min_odds: { ...minOdds, isFolded: true },
    max_odds: maxOdds,
    starts_within_minutes: { label: 'Starts within minutes', range: [0, 100_000], isFolded: true },
    max_odds_age: { label: 'Prices at most this old, seconds', range: [0], isFolded: true },
    min_age_ms: { label: 'Stood for at least, ms', range: [0], isFolded: true },
  }
}

/** Returns what the fields show at first: an alert's own filters, else the usual ones. */
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
 * Returns the filters of a rule: those that are filled in, with bounds of prices in American odds.
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
    ...stated.map(([name, value]) => [
      name,
      fields[name]?.isPrice ? boundOf(value, format, kept[name]) : value.trim(),
    ]),
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

// ---- settings

const occasionNames: Readonly<Record<NonNullable<Alert['once_per']>, string>> = {
  event: 'The best of each game',
  market: 'The best of each market of a game',
  opportunity: 'Each opportunity',
}

const improvement: Field = {
  label: 'Again if better by, percentage points',
  usual: '1',
  range: [0.1, 100],
  isRequired: true,
  isFolded: true,
}

const ofEveryRule = {
  per_hour: { label: 'Most messages an hour', usual: '10', range: [1, 60], isRequired: true },
  'quiet_hours.from': {
    label: 'No messages from',
    type: 'time',
    beside: ['quiet_hours.to'],
    isFolded: true,
  },
  'quiet_hours.to': {
    label: 'No messages until',
    type: 'time',
    beside: ['quiet_hours.from'],
    isFolded: true,
  },
  'quiet_hours.time_zone': {
    label: 'Time zone of these hours',
    hint: 'Europe/London',
    beside: ['quiet_hours.from'],
    isFolded: true,
  },
} as const satisfies Fields

const ofProfile = 'of the profile'

const ofOpportunities = {
  once_per: {
    label: 'One message for',
    usual: 'event',
    choices: () => Object.entries(occasionNames),
    isFolded: true,
  },
  improvement,
  'stakes.total': {
    label: 'Bankroll, or total of the stakes',
    hint: ofProfile,
    range: [0],
    isFolded: true,
  },
  'stakes.kelly': { label: 'Fraction of Kelly', hint: ofProfile, range: [0, 1], isFolded: true },
  'stakes.unit': {
    label: 'Stakes in steps of',
    hint: ofProfile,
    range: [0.01, 1e6],
    isFolded: true,
  },
} as const satisfies Fields

export const settingFields = (type: Alert['type']): Fields => ({
  ...ofEveryRule,
  ...(type === 'opportunity' && ofOpportunities),
  ...(type === 'price' && { improvement }),
})

/** Returns what the fields show at first. @param timeZone of the reader, as `Europe/London` */
export function settingValues(fields: Fields, alert: Alert | undefined, timeZone: string): Values {
  const { quiet_hours, stakes, ...settings } = alert ?? {}
  const ofAlert: Readonly<Record<string, unknown>> = {
    ...settings,
    ...flattened('quiet_hours', quiet_hours ?? { time_zone: timeZone }),
    ...flattened('stakes', stakes ?? {}),
  }
  return Object.fromEntries(
    Object.entries(fields).map(([name, { usual = '' }]) => [
      name,
      String(ofAlert[name] ?? (alert ? '' : usual)),
    ]),
  )
}

const flattened = (name: string, members: object) =>
  Object.fromEntries(Object.entries(members).map(([member, value]) => [`${name}.${member}`, value]))

/** Returns the members of an alert's body: numbers as such, and what is left empty as `null` or absent. */
export function statedSettings(fields: Fields, values: Values): object {
  const of = (name: string) => {
    const text = values[name]?.trim() ?? ''
    return text !== '' && fields[name]?.range ? Number(text) : text
  }
  const among = (name: string) =>
    Object.fromEntries(
      Object.keys(fields).flatMap((path) => {
        const [first, member] = path.split('.')
        return first === name && member && of(path) !== '' ? [[member, of(path)]] : []
      }),
    )
  const single = Object.keys(fields).filter((path) => !path.includes('.'))
  return {
    ...Object.fromEntries(single.map((name) => [name, of(name)])),
    quiet_hours: of('quiet_hours.from') === '' ? null : among('quiet_hours'),
    ...('stakes.total' in fields && { stakes: among('stakes') }),
  }
}
