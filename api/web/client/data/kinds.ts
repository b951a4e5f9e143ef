/**
 * The kinds of opportunity, an entry each: its names, its list's orders and filters, the bound of its alert, and how
 * the API's form is read.
 */

import type { FiguresOf } from '../../../../pipeline/rules/odds/opportunity-figures.ts'
import type { OpportunityFilters, OpportunityItems } from '../../wire.ts'
import type { Field } from './fields.ts'
import { flag, folded, ofEveryKind, percent } from './filter-fields.ts'
import { type Leg, legOf, lowHoldLegs, middleLeg } from './legs.ts'

/** Kinds as the API names them in paths and alerts, in the order of the pages. */
const families = {
  arbitrage: 'arbitrage',
  ev: 'ev',
  middle: 'middles',
  low_hold: 'low_hold',
} as const satisfies Record<keyof FiguresOf, string>

export type Kind = (typeof families)[keyof FiguresOf]
export const kinds: readonly Kind[] = Object.values(families)

/** The fields of an opportunity that each kind has from others of the API's. */
export interface KindFields {
  /** Gain in percent; for low hold, the hold. */
  readonly worth: number
  /** Fair decimal odds of +EV; null for other kinds. */
  readonly fair: number | null
  /** Chance that both bets of a middle win (0 to 1); null for other kinds. */
  readonly chance: number | null
  /** Age of its oldest price when it was read (ms). */
  readonly priceAgeMs: number
  readonly legs: readonly Leg[]
}

/** An order of lists. */
export type Order = 'worth' | 'start' | 'odds' | 'chance'

/** The service's name of each kind. */
type NameOf = { readonly [Name in keyof FiguresOf as (typeof families)[Name]]: Name }

/** The filters of a kind's list, besides those with a control of their own: league, games, sportsbooks that count. */
type FiltersOf<K extends Kind> = Exclude<OpportunityFilters[NameOf[K]], 'league' | 'live' | 'books'>

interface KindView<Filter extends string, Item> {
  readonly name: string
  readonly worthName: string
  /** Whether its worth is a cost, so that only zero or less is a gain. */
  readonly isCost: boolean
  /** The service's sort key of each order that the list has. */
  readonly orders: Partial<Readonly<Record<Order, string>>>
  /** The fields of its filters, by the service's names, in the order of forms. */
  readonly filters: { readonly [Name in Filter]: Field }
  /** The filter that bounds an alert, with its default. */
  readonly bound: readonly [filter: Filter, usual: string]
  /** Its worth in the result of an explanation, as a fraction. */
  readonly figure: string
  readonly read: (item: Item) => KindFields
}

export const kindViews: { readonly [K in Kind]: KindView<FiltersOf<K>, WireOf[K]> } = {
  arbitrage: {
    name: 'Arbitrage',
    worthName: 'Profit',
    isCost: false,
    orders: { worth: '-profit', start: 'start_time' },
    filters: { min_profit: { label: 'Least profit, %', range: [] }, ...ofEveryKind },
    bound: ['min_profit', '1'],
    figure: 'profit' satisfies keyof FiguresOf['arbitrage'],
    read: ({ profit_percent, oldest_odds_age_seconds, legs }) => ({
      worth: profit_percent,
      fair: null,
      chance: null,
      priceAgeMs: oldest_odds_age_seconds * 1_000,
      legs: legs.map(legOf),
    }),
  },
  ev: {
    name: '+EV',
    worthName: 'EV',
    isCost: false,
    orders: { worth: '-ev', start: 'start_time', odds: '-odds' },
    filters: {
      min_ev: { label: 'Least EV, %', range: [] },
      max_ev: percent('Highest EV'),
      max_hold: percent('Highest hold of the sharp market', [0, 10]),
      min_market_width: percent('Least overround of the sharp market'),
      max_market_width: percent('Highest overround of the sharp market'),
      min_kelly: percent('Least Kelly stake'),
      max_kelly: percent('Highest Kelly stake'),
      min_confidence: { label: 'Least confidence', range: [0, 100], ...folded },
      max_confidence: { label: 'Highest confidence', range: [0, 100], ...folded },
      is_player_prop: flag('Player props', 'Only these', 'Only others'),
      is_alternate_line: flag('Alternate lines', 'Only these', 'Only main lines'),
      arb_available: flag('Arbitrage', 'With one', 'Without'),
      player_name: { label: 'Player', hint: 'the whole name', ...folded },
      stat_category: { label: 'Statistic', hint: 'such as points', ...folded },
      selection: { label: 'Selection', hint: 'such as Over 228.5', ...folded },
      ...ofEveryKind,
    },
    bound: ['min_ev', '2'],
    figure: 'ev' satisfies keyof FiguresOf['ev'],
    read: (item) => ({
      worth: item.ev_percent,
      fair: 1 / item.fair_probability,
      chance: null,
      priceAgeMs: item.oldest_odds_age_seconds * 1_000,
      legs: [{ ...legOf(item), stake: item.kelly_percent }],
    }),
  },
  middles: {
    name: 'Middles',
    worthName: 'EV',
    isCost: false,
    orders: { worth: 'ev', start: 'start_time', chance: 'probability' },
    filters: { min_size: { label: 'Least gap, points', range: [0] }, ...ofEveryKind },
    bound: ['min_size', '2'],
    figure: 'expectedValue' satisfies keyof FiguresOf['middle'],
    read: ({ expected_value, middle_probability, odds_age_seconds, side1, side2 }) => ({
      worth: expected_value,
      fair: null,
      chance: middle_probability,
      priceAgeMs: odds_age_seconds * 1_000,
      legs: [middleLeg(side1), middleLeg(side2)],
    }),
  },
  low_hold: {
    name: 'Low hold',
    worthName: 'Hold',
    isCost: true,
    orders: { worth: 'hold', start: 'start_time' },
    filters: { max_hold: { label: 'Highest hold, %', range: [undefined, 10] }, ...ofEveryKind },
    bound: ['max_hold', '1'],
    figure: 'hold' satisfies keyof FiguresOf['low_hold'],
    read: ({ hold_percentage, odds_age_seconds, side1, side2, side3 }) => ({
      worth: hold_percentage,
      fair: null,
      chance: null,
      priceAgeMs: odds_age_seconds * 1_000,
      legs: lowHoldLegs([side1, side2, ...(side3 ? [side3] : [])]),
    }),
  },
}

/** Returns a kind by its name in an opportunity. */
export const kindNamed = (name: keyof FiguresOf): Kind => families[name]

/** A table of one member of each kind. */
const byKind = <T>(memberOf: (kind: Kind) => T) =>
  Object.fromEntries(kinds.map((kind) => [kind, memberOf(kind)])) as Readonly<Record<Kind, T>>

export const kindNames = byKind((kind) => kindViews[kind].name)

/** Returns whether a worth is a gain: of any kind, prices may have moved until it is none. */
export const isGain = (kind: Kind, worth: number) =>
  kindViews[kind].isCost ? worth <= 0 : worth > 0

/** The kind's name in the record. */
export const recordNameOf = (kind: Kind) =>
  (Object.keys(families) as (keyof FiguresOf)[]).find((name) => families[name] === kind)!

/** An opportunity of each kind as the API has it. */
export type WireOf = { readonly [K in Kind]: OpportunityItems[NameOf[K]] }
