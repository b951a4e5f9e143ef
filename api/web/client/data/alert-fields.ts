/**
 * The fields of the forms of alerts: the filters that each kind of rule has, and the settings of every rule. Filters
 * have the names of the service, settings the paths of their members. Further filters of an alert are kept as they are.
 */

import type { Alert, AlertFilters } from '../../wire.ts'
import type { Field, Fields, Values } from './fields.ts'
import { marketChoices, maxOdds, minOdds, sportsbookChoices } from './filter-fields.ts'
import { type Kind, kindViews } from './kinds.ts'
import { numberOf } from './typed-number.ts'

// ---- filters

const league: Field = {
  label: 'League',
  choices: ({ leagues }) => [
    ['', 'All leagues'],
    ...leagues.map(({ id, shortName }) => [id, shortName] as const),
  ],
}
const anyMarket: Field = {
  label: 'Market',
  choices: (lists) => [['', 'All markets'], ...marketChoices(lists)],
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
      market: { label: 'Market', usual: 'moneyline', choices: marketChoices, isRequired: true },
      selection: side,
      min_odds: { ...minOdds, unless: ['max_odds', 'min_line', 'max_line'] },
      max_odds: { ...maxOdds, isFolded: true },
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
        choices: (lists) => [['', 'All that I see'], ...sportsbookChoices(lists)],
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

/**
 * Returns the filters of a rule on opportunities: all of the kind's list.
 * @param set those that the form begins with, which are not folded away
 */
export function opportunityFields(kind: Kind, set: Values = {}): Fields {
  const {
    filters,
    bound: [bound, usual],
  } = kindViews[kind]
  const { [bound]: first, ...others }: Fields = { league, live, ...filters }
  const shown = Object.entries(others).map(
    ([name, field]) => [name, { ...field, isFolded: set[name] === undefined }] as const,
  )
  return { [bound]: { ...first!, usual, isRequired: true }, ...Object.fromEntries(shown) }
}

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
    return text !== '' && fields[name]?.range ? numberOf(text) : text
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
