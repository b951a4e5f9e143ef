/** Opportunities of every kind in one form for lists, and the explanation of one. */

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
import { get } from './rest.ts'
import type { Page } from './wire.ts'

/** The path of each kind's list. */
const paths = {
  arbitrage: 'arbitrage',
  ev: 'ev',
  middle: 'middles',
  low_hold: 'low-hold',
} as const satisfies Record<keyof FiguresOf, string>

/** The pages name kinds by their paths, in this order. */
export type Kind = (typeof paths)[keyof FiguresOf]
export const kinds: readonly Kind[] = Object.values(paths)

export const kindNames: Readonly<Record<Kind, string>> = {
  arbitrage: 'Arbitrage',
  ev: '+EV',
  middles: 'Middles',
  'low-hold': 'Low hold',
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
  /** Percent: the gain; for low hold, the hold. */
  readonly worth: number
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

type WireOf = {
  readonly arbitrage: WireItem & {
    readonly profit_percent: number
    readonly legs: readonly WireLeg[]
  }
  readonly ev: WireItem & WireLeg & { readonly ev_percent: number }
  readonly middles: WireItem & {
    readonly expected_value: number
    readonly side1: WireMiddleSide
    readonly side2: WireMiddleSide
  }
  readonly 'low-hold': WireItem & {
    readonly hold_percentage: number
    readonly side1: WireLowHoldSide
    readonly side2: WireLowHoldSide
    readonly side3: WireLowHoldSide | null
  }
}

/** Reads what differs between kinds. */
const readers: {
  readonly [K in Kind]: (item: WireOf[K]) => Pick<Opportunity, 'worth' | 'legs'>
} = {
  arbitrage: ({ profit_percent, legs }) => ({
    worth: profit_percent,
    legs: legs.map(legOf),
  }),
  ev: (item) => ({ worth: item.ev_percent, legs: [legOf(item)] }),
  middles: ({ expected_value, side1, side2 }) => ({
    worth: expected_value,
    legs: [middleLeg(side1), middleLeg(side2)],
  }),
  'low-hold': ({ hold_percentage, side1, side2, side3 }) => ({
    worth: hold_percentage,
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

export async function listOpportunities(
  kind: Kind,
  limit: number,
  league: string,
): Promise<readonly Opportunity[]> {
  const filter = league ? `&league=${encodeURIComponent(league)}` : ''
  const page = await get<Page<WireOf[Kind]>>(`/opportunities/${kind}?limit=${limit}${filter}`)
  return page.data.map((item) => readOpportunity(kind, item as never))
}

// ---- explanation

export interface Explanation {
  readonly kind: string
  readonly event_name: string
  readonly market_type: string
  readonly line: number | null
  readonly detected_at: string
  readonly quotes: readonly {
    readonly role: string
    readonly sportsbook: string | null
    readonly selection: string
    readonly odds_decimal: number | null
    /** Legs only: the highest stake, and the odds after the fee. */
    readonly max_bet?: number | null
    readonly fee?: { readonly odds_after_fee: number }
    readonly age_seconds: number | null
    readonly is_hidden: boolean
  }[]
  readonly result: { readonly fair?: number }
  readonly devig: readonly {
    readonly sportsbook: string | null
    readonly answers: readonly string[]
    readonly overround: number
    readonly methods: Readonly<
      Record<
        string,
        { readonly fair_probabilities: readonly number[]; readonly ev_percentage?: number } | null
      >
    >
  }[]
  readonly ends: readonly {
    readonly cause: string
    readonly sportsbook: string | null
    readonly to_odds_decimal: number | null
    readonly at: string | null
  }[]
  readonly is_mismatch_suspected: boolean
}

export const explain = async (id: string) =>
  (await get<{ data: Explanation }>(`/opportunities/${encodeURIComponent(id)}/explain`)).data
