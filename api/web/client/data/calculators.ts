/** The calculators of the page `/tools`: their fields, and the display of their figures. The service computes them. */

import { readPrice, writePrice } from '../../../../pipeline/rules/odds/price-formats.ts'
import type { PriceFormat } from '../../../../schemas/price-format.ts'
import type { Profile } from '../../wire.ts'
import { ambiguityOf, numberOf } from './typed-number.ts'

export interface Field {
  /** Field of the request. A name such as `hedge.odds` is a field of `hedge`. */
  readonly name: string
  readonly label: string
  /** `price`: in the format of the page, sent as text. `leg`: a number from 1, sent from 0. */
  readonly kind: 'price' | 'number' | 'leg' | 'text' | 'flag' | 'choice'
  readonly start?: string
  /** Whether a number may be below zero. */
  readonly isSigned?: boolean
  /** Values and their names. */
  readonly choices?: Readonly<Record<string, string>>
}

/** `price` is decimal odds, shown in the format of the page; `leg` a number from 0, shown from 1. */
export type FigureKind = 'money' | 'percent' | 'price' | 'text' | 'flag' | 'share' | 'leg'

export interface Figure {
  readonly name: string
  readonly label: string
  readonly kind: FigureKind
}

export interface Calculator {
  readonly title: string
  readonly about: string
  readonly fields: readonly Field[]
  /** Rows of the request. The reader may add as many as needed. */
  readonly rows?: {
    readonly name: string
    readonly label: string
    readonly least: number
    readonly most: number
    readonly fields: readonly Field[]
    readonly start: readonly Readonly<Record<string, string>>[]
  }
  readonly figures: readonly Figure[]
  readonly table?: { readonly name: string; readonly columns: readonly Figure[] }
}

const odds = (name = 'odds', label = 'Odds', start = ''): Field => ({
  ...{ name, label, start },
  kind: 'price',
})
const number = (name: string, label: string, start = ''): Field => ({
  ...{ name, label, start },
  kind: 'number',
})
const line = (name: string, label: string): Field => ({ ...number(name, label), isSigned: true })
const fee = (name = 'fee_percent') => number(name, 'Fee %')
const limit = number('max_bet', 'Limit')
const rounding = number('unit', 'Round to', '1')
const money = (name: string, label: string): Figure => ({ name, label, kind: 'money' })
const percent = (name: string, label: string): Figure => ({ name, label, kind: 'percent' })
const price = (name: string, label: string): Figure => ({ name, label, kind: 'price' })
const text = (name: string, label: string): Figure => ({ name, label, kind: 'text' })

const hedgeFields: readonly Field[] = [
  {
    ...{ name: 'hedge.kind', label: 'Second bet', kind: 'choice', start: 'back' },
    choices: { back: 'Back the rest', lay: 'Lay at an exchange' },
  },
  odds('hedge.odds', 'Its odds'),
  fee('hedge.fee_percent'),
  rounding,
]
const hedgeFigures: readonly Figure[] = [
  money('hedge_stake', 'Stake of the second bet'),
  money('at_risk', 'At risk on it'),
  money('profit_if_first_wins', 'Profit if the first wins'),
  money('profit_if_hedge_wins', 'Profit if the second wins'),
]
const legTable = {
  name: 'legs',
  columns: [price('odds', 'Odds after fee'), money('stake', 'Stake'), money('profit', 'Profit')],
}

export const calculators = {
  arbitrage: {
    title: 'Arbitrage',
    about: 'Stakes with the same return whichever leg wins. One leg may be bet already.',
    fields: [
      number('total', 'Total stake', '100'),
      { name: 'fixed.leg', label: 'Leg bet already', kind: 'leg' },
      number('fixed.stake', 'Its stake'),
      rounding,
    ],
    rows: {
      ...{ name: 'legs', label: 'Leg', least: 2, most: 10 },
      fields: [odds(), fee(), limit],
      start: [{}, {}],
    },
    figures: [
      percent('profit_percent', 'Profit'),
      percent('implied_percent', 'Sum of implied chances'),
      money('total', 'Staked'),
      money('worst_profit', 'Profit at least'),
      { name: 'limited_by', label: 'Limited by leg', kind: 'leg' },
    ],
    table: legTable,
  },
  'no-vig': {
    title: 'No-vig',
    about: 'Fair prices of a market, by five methods. The service itself uses the first.',
    fields: [],
    rows: {
      ...{ name: 'odds', label: 'Outcome', least: 2, most: 30 },
      fields: [odds('')],
      start: [{}, {}],
    },
    figures: [percent('hold_percent', 'Hold')],
    table: {
      name: 'methods',
      columns: [
        text('method', 'Method'),
        { name: 'probabilities', label: 'Chances', kind: 'share' },
        price('fair_odds', 'Fair odds'),
      ],
    },
  },
  middle: {
    title: 'Middle',
    about: 'Two bets at two lines, and what each result comes to.',
    fields: [
      {
        ...{ name: 'kind', label: 'Market', kind: 'choice', start: 'spread' },
        choices: { spread: 'Spread', total: 'Total: over and under' },
      },
      odds('first.odds', 'First odds'),
      line('first.line', 'First line'),
      odds('second.odds', 'Second odds'),
      line('second.line', 'Second line'),
      { name: 'sport', label: 'Sport', kind: 'text', start: 'football' },
      number('total', 'Total stake', '100'),
      rounding,
    ],
    figures: [
      money('worst_profit', 'Profit at least'),
      money('both_win_profit', 'Profit if both win'),
      percent('probability_percent', 'Chance of both'),
      percent('break_even_percent', 'Chance to come out even'),
      percent('expected_percent', 'Mean profit'),
    ],
    table: {
      name: 'outcomes',
      columns: [
        text('from', 'Result from'),
        text('to', 'to'),
        text('first', 'First'),
        text('second', 'Second'),
        money('profit', 'Profit'),
      ],
    },
  },
  kelly: {
    title: 'Kelly',
    about: 'Stakes of bets that are open together. Of bets with one event at most one wins.',
    fields: [
      number('bankroll', 'Bankroll', '1000'),
      number('fraction', 'Part of the full stake', '0.25'),
      rounding,
    ],
    rows: {
      ...{ name: 'bets', label: 'Bet', least: 1, most: 10 },
      fields: [
        odds(),
        odds('fair_odds', 'Fair odds'),
        { name: 'event', label: 'Event', kind: 'text' },
        fee(),
        limit,
      ],
      start: [{}],
    },
    figures: [
      money('total', 'Staked'),
      money('expected_profit', 'Mean profit'),
      percent('growth_percent', 'Mean growth'),
    ],
    table: {
      name: 'bets',
      columns: [
        price('odds', 'Odds after fee'),
        percent('ev_percent', 'EV'),
        percent('kelly_percent', 'Full Kelly'),
        money('stake', 'Stake'),
      ],
    },
  },
  'free-bet': {
    title: 'Free bet',
    about: 'Turns a free bet or a boosted price into money by a second bet.',
    fields: [
      {
        ...{ name: 'kind', label: 'Kind', kind: 'choice', start: 'free_bet' },
        choices: { free_bet: 'Free bet', boost: 'Boosted price' },
      },
      odds(),
      number('stake', 'Stake', '50'),
      { name: 'stake_returned', label: 'The free stake is paid, too', kind: 'flag' },
      ...hedgeFields,
    ],
    figures: [...hedgeFigures, percent('rate_percent', 'Of the stake, as money')],
  },
  hedge: {
    title: 'Hedge',
    about: 'A second bet that makes an open one safe.',
    fields: [
      odds('odds', 'Odds of the open bet'),
      number('stake', 'Its stake', '100'),
      ...hedgeFields,
    ],
    figures: hedgeFigures,
  },
  parlay: {
    title: 'Parlay',
    about: 'Price, payout and value of legs together. Fair odds are of independent legs.',
    fields: [number('stake', 'Stake', '100'), odds('offered_odds', 'Offered odds')],
    rows: {
      ...{ name: 'legs', label: 'Leg', least: 1, most: 30 },
      fields: [
        odds(),
        odds('fair_odds', 'Fair odds'),
        {
          ...{ name: 'result', label: 'Result', kind: 'choice', start: '' },
          choices: {
            '': 'Open',
            won: 'Won',
            half_won: 'Half won',
            refunded: 'Refunded',
            half_lost: 'Half lost',
            lost: 'Lost',
          },
        },
      ],
      start: [{}, {}],
    },
    figures: [
      price('odds', 'Odds'),
      money('returns', 'Returns'),
      money('profit', 'Profit'),
      price('fair_odds', 'Fair odds'),
      percent('ev_percent', 'EV'),
    ],
  },
  odds: {
    title: 'Odds',
    about: 'A price in every format.',
    fields: [odds()],
    figures: [
      text('formats.american', 'American'),
      text('formats.decimal', 'Decimal'),
      text('formats.fractional', 'Fractional'),
      text('formats.probability', 'Probability'),
      text('formats.hong_kong', 'Hong Kong'),
      text('formats.malay', 'Malay'),
      text('formats.indonesian', 'Indonesian'),
    ],
  },
} satisfies Readonly<Record<string, Calculator>>

export type ToolName = keyof typeof calculators
export const toolNames = Object.keys(calculators) as ToolName[]

type Texts = Readonly<Record<string, string>>

/** A price as it was typed, before it was shown in another format. */
interface Origin {
  readonly text: string
  readonly format: PriceFormat
  /** The field shows this text. Another one in it was typed since. */
  readonly shown: string
}

/** Texts of a form: those of the fields, and those of each row. */
export interface Typed {
  readonly fields: Texts
  readonly rows: readonly Texts[]
  /** By `placeOf`. */
  readonly origins?: ReadonlyMap<string, Origin>
}

/** @param profile whose bankroll, Kelly fraction and unit the fields begin with, if it states them */
export function startOf(
  { fields, rows }: Calculator,
  { bankroll, kelly, stake_unit }: Pick<Profile, 'bankroll' | 'kelly' | 'stake_unit'>,
): Typed {
  const own: Readonly<Record<string, number | null>> = {
    ...{ bankroll, fraction: kelly, unit: stake_unit },
  }
  return {
    fields: Object.fromEntries(
      fields.map(({ name, start = '' }) => [name, String(own[name] ?? start)]),
    ),
    rows: rows?.start ?? [],
  }
}

/** The place of a price: the name of its field, in the row of this number. */
const placeOf = (name: string, row: number | null) => (row === null ? name : `${row} ${name}`)

interface PlacedPrice extends Origin {
  readonly place: string
}

/** Returns the prices of a form as they were typed, in any format, without empty ones. */
function pricesIn({ fields, rows }: Calculator, typed: Typed, format: PriceFormat): PlacedPrice[] {
  const among = (own: readonly Field[], texts: Texts, row: number | null) =>
    own.flatMap(({ name, kind }): PlacedPrice[] => {
      const shown = kind === 'price' ? (texts[name] ?? '') : ''
      if (shown.trim() === '') return []
      const place = placeOf(name, row)
      const origin = typed.origins?.get(place)
      return [{ place, ...(origin?.shown === shown ? origin : { text: shown, format, shown }) }]
    })
  const ofRows = typed.rows.flatMap((texts, row) => among(rows?.fields ?? [], texts, row))
  return [...among(fields, typed.fields, null), ...ofRows]
}

/**
 * Returns the form with its prices in another format, from what was typed: the way back shows the same texts. A text
 * that is no price is left as it is.
 */
export function withPricesAs(
  calculator: Calculator,
  typed: Typed,
  before: PriceFormat,
  format: PriceFormat,
): Typed {
  if (before === format) return typed
  const origins = new Map<string, Origin>()
  for (const { place, ...origin } of pricesIn(calculator, typed, before)) {
    const price = readPrice(origin.text, origin.format)
    if (price === null) continue
    const shown = origin.format === format ? origin.text : writePrice(price, format)
    origins.set(place, { ...origin, shown })
  }
  const shownIn = (texts: Texts, row: number | null): Texts =>
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [
        name,
        origins.get(placeOf(name, row))?.shown ?? text,
      ]),
    )
  return { fields: shownIn(typed.fields, null), rows: typed.rows.map(shownIn), origins }
}

/**
 * Returns the decimal odds of all prices of a form, by place; null where the texts say them: all are typed in this
 * format, or one is no price, which the service names.
 */
function exactPrices(
  calculator: Calculator,
  typed: Typed,
  format: PriceFormat,
): ReadonlyMap<string, number> | null {
  const prices = pricesIn(calculator, typed, format)
  if (prices.every((price) => price.format === format)) return null
  const exact = new Map<string, number>()
  for (const { place, ...origin } of prices) {
    const price = readPrice(origin.text, origin.format)
    if (price === null) return null
    exact.set(place, price)
  }
  return exact
}

type Members = Record<string, unknown>

/** Returns what is wrong with the text of a field; null for nothing that is known before the service is asked. */
export const faultOf = ({ kind }: Field, text: string): string | null =>
  kind === 'number' ? ambiguityOf(text) : null

/**
 * Returns the request of a form, without empty fields. Prices that were typed in another format are sent as decimal
 * odds, not as they are shown, which is rounded.
 * @throws Error naming a field whose number is ambiguous
 */
export function questionOf(calculator: Calculator, typed: Typed, format: PriceFormat): object {
  const { fields, rows } = calculator
  const exact = exactPrices(calculator, typed, format)
  const question: Members = {
    odds_format: exact ? 'decimal' : format,
    ...membersOf(fields, typed.fields, null, exact),
  }
  // A leg that is already bet replaces the total.
  if (question.fixed) delete question.total
  if (rows) {
    question[rows.name] = typed.rows.map((row, at) => {
      const members = membersOf(rows.fields, row, at, exact)
      return '' in members ? members[''] : members
    })
  }
  return question
}

function membersOf(
  fields: readonly Field[],
  typed: Texts,
  row: number | null,
  exact: ReadonlyMap<string, number> | null,
): Members {
  const members: Members = {}
  for (const field of fields) {
    const text = (typed[field.name] ?? field.start ?? '').trim()
    const value = exact?.get(placeOf(field.name, row)) ?? memberOf(field, text)
    if (value === undefined) continue
    const [first = '', second] = field.name.split('.')
    if (second === undefined) members[first] = value
    else members[first] = { ...(members[first] as Members), [second]: value }
  }
  return members
}

/**
 * @returns undefined for an empty field. A text that is not a number is sent unchanged, so that the service names it
 */
function memberOf(field: Field, text: string): unknown {
  const { kind, label } = field
  if (text === '') return undefined
  const fault = faultOf(field, text)
  if (fault !== null) throw new Error(`${label}: ${fault}`)
  if (kind === 'flag') return text === 'true'
  if (kind === 'number' || kind === 'leg') {
    const number = numberOf(text)
    if (Number.isNaN(number)) return text
    return kind === 'leg' ? number - 1 : number
  }
  return text
}

/** Reads the figure of a response by a name such as `formats.decimal`. */
export const figureIn = (answer: object, name: string): unknown =>
  name
    .split('.')
    .reduce<unknown>((value, member) => (value as Members | undefined)?.[member], answer)
