/** An opportunity of any kind in one form, converted from the API's form, and joined with others of the same bet. */

import type { FiguresOf } from '../../../../pipeline/rules/odds/opportunity-figures.ts'
import {
  type Leg,
  legOf,
  lowHoldLegs,
  middleLeg,
  type WireLeg,
  type WireLowHoldSide,
  type WireMiddleSide,
} from './legs.ts'

/** Kinds as the API names them in paths and alerts, in the order of the pages. */
const families = {
  arbitrage: 'arbitrage',
  ev: 'ev',
  middle: 'middles',
  low_hold: 'low_hold',
} as const satisfies Record<keyof FiguresOf, string>

export type Kind = (typeof families)[keyof FiguresOf]
export const kinds: readonly Kind[] = Object.values(families)

export const kindNames: Readonly<Record<Kind, string>> = {
  arbitrage: 'Arbitrage',
  ev: '+EV',
  middles: 'Middles',
  low_hold: 'Low hold',
}

export interface Opportunity {
  readonly id: string
  readonly kind: Kind
  readonly eventId: string
  readonly title: string
  readonly league: string
  readonly market: string
  readonly player: string | null
  readonly isLive: boolean
  readonly startsAt: number
  readonly detectedAt: number
  /** Gain in percent; for low hold, the hold. */
  readonly worth: number
  /** Fair decimal odds of +EV; null for other kinds. */
  readonly fair: number | null
  /** Chance that both bets of a middle win (0 to 1); null for other kinds. */
  readonly chance: number | null
  /** Age of its oldest price when it was read (ms). */
  readonly priceAgeMs: number
  readonly legs: readonly Leg[]
  readonly warnings: readonly string[]
}

interface WireItem {
  readonly id: string
  readonly event_id: string
  readonly event_name: string
  readonly league: string
  readonly market_type: string
  readonly player_name: string | null
  readonly is_live: boolean
  readonly start_time: string
  readonly detected_at: string
  readonly warnings: readonly string[]
}

export type WireOf = {
  readonly arbitrage: WireItem & {
    readonly profit_percent: number
    readonly oldest_odds_age_seconds: number
    readonly legs: readonly WireLeg[]
  }
  readonly ev: WireItem &
    WireLeg & {
      readonly ev_percent: number
      readonly fair_probability: number
      readonly kelly_percent: number
      readonly oldest_odds_age_seconds: number
    }
  readonly middles: WireItem & {
    readonly expected_value: number
    readonly middle_probability: number
    readonly odds_age_seconds: number
    readonly side1: WireMiddleSide
    readonly side2: WireMiddleSide
  }
  readonly low_hold: WireItem & {
    readonly hold_percentage: number
    readonly odds_age_seconds: number
    readonly side1: WireLowHoldSide
    readonly side2: WireLowHoldSide
    readonly side3: WireLowHoldSide | null
  }
}

type OfKind = Pick<Opportunity, 'worth' | 'fair' | 'chance' | 'priceAgeMs' | 'legs'>

/** Convert the fields that differ between kinds. */
const readers: { readonly [K in Kind]: (item: WireOf[K]) => OfKind } = {
  arbitrage: ({ profit_percent, oldest_odds_age_seconds, legs }) => ({
    worth: profit_percent,
    fair: null,
    chance: null,
    priceAgeMs: oldest_odds_age_seconds * 1_000,
    legs: legs.map(legOf),
  }),
  ev: (item) => ({
    worth: item.ev_percent,
    fair: 1 / item.fair_probability,
    chance: null,
    priceAgeMs: item.oldest_odds_age_seconds * 1_000,
    legs: [{ ...legOf(item), stake: item.kelly_percent }],
  }),
  middles: ({ expected_value, middle_probability, odds_age_seconds, side1, side2 }) => ({
    worth: expected_value,
    fair: null,
    chance: middle_probability,
    priceAgeMs: odds_age_seconds * 1_000,
    legs: [middleLeg(side1), middleLeg(side2)],
  }),
  low_hold: ({ hold_percentage, odds_age_seconds, side1, side2, side3 }) => ({
    worth: hold_percentage,
    fair: null,
    chance: null,
    priceAgeMs: odds_age_seconds * 1_000,
    legs: lowHoldLegs([side1, side2, ...(side3 ? [side3] : [])]),
  }),
}

export function readOpportunity<K extends Kind>(kind: K, item: WireOf[K]): Opportunity {
  return {
    id: item.id,
    kind,
    eventId: item.event_id,
    title: item.event_name,
    league: item.league,
    market: item.market_type,
    player: item.player_name,
    isLive: item.is_live,
    startsAt: Date.parse(item.start_time),
    detectedAt: Date.parse(item.detected_at),
    warnings: item.warnings,
    ...readers[kind](item),
  }
}

/** A bet at the sportsbook with the best price, and the same bet at others, in the order of the list. */
export interface Bet {
  readonly best: Opportunity
  readonly others: readonly Opportunity[]
}

/** Joins the +EV of one selection into one row, whichever sportsbooks offer it. */
export function joinBets(list: readonly Opportunity[]): readonly Bet[] {
  const bets = new Map<string, { best: Opportunity; others: Opportunity[] }>()
  for (const one of list) {
    const name =
      one.kind === 'ev'
        ? [one.eventId, one.market, one.player, one.legs[0]!.selection].join('|')
        : one.id
    const bet = bets.get(name)
    if (!bet) bets.set(name, { best: one, others: [] })
    else if (one.worth <= bet.best.worth) bet.others.push(one)
    else {
      bet.others.unshift(bet.best)
      bet.best = one
    }
  }
  return [...bets.values()]
}
