/** The query of a list of opportunities, and its form in an address. */

import { isWhen, type When } from '../shell/when.ts'
import { type Kind, kinds } from './opportunity.ts'

/** An order of lists, and the service's sort key in each kind that has it. */
export type Order = 'worth' | 'start' | 'odds' | 'chance'

export const orders: Readonly<Record<Kind, Partial<Readonly<Record<Order, string>>>>> = {
  arbitrage: { worth: '-profit', start: 'start_time' },
  ev: { worth: '-ev', start: 'start_time', odds: '-odds' },
  middles: { worth: 'ev', chance: 'probability' },
  low_hold: { worth: 'hold' },
}

export interface ListQuery {
  readonly kind: Kind
  /** Empty for all. */
  readonly league: string
  readonly when: When
  readonly order: Order
  /** Ids of leagues to leave out if no league is requested. */
  readonly hidden: ReadonlySet<string>
  /** Sportsbooks to consider as if there were no others; empty for all. */
  readonly books: readonly string[]
  /** Additional filters of the service, as a query string. */
  readonly filters: string
  readonly limit: number
}

/** Filters of the service, by kind, that an address may have besides those with a control. */
const ofEveryKind = [
  ...['sport', 'sportsbook', 'add_sportsbook', 'market', 'event', 'team', 'min_age_ms', 'min_odds'],
  ...['max_odds', 'date_range', 'starts_within_minutes', 'max_odds_age'],
]
export const filterNames: Readonly<Record<Kind, readonly string[]>> = {
  arbitrage: [...ofEveryKind, 'min_profit'],
  ev: [
    ...[...ofEveryKind, 'min_ev', 'max_ev', 'min_market_width', 'max_market_width', 'max_hold'],
    ...['min_kelly', 'max_kelly', 'min_confidence', 'max_confidence', 'is_player_prop'],
    ...['is_alternate_line', 'arb_available', 'player_name', 'stat_category', 'selection'],
  ],
  middles: [...ofEveryKind, 'min_size'],
  low_hold: [...ofEveryKind, 'max_hold'],
}

/** Most rows of a list, before rows of the same bet are joined. */
const limit = 200

/** Reads the query of an address: the page's own parameters, and filters by the service's names, as alerts use them. */
export function readListQuery(parameters: URLSearchParams): Omit<ListQuery, 'hidden' | 'books'> {
  // The list's other path has a hyphen.
  const named = parameters.get('kind')?.replace('-', '_')
  const kind = kinds.find((one) => one === named) ?? 'arbitrage'
  const when = parameters.get('when')
  const live = parameters.get('live')
  const whenOfLive = live === null ? 'all' : live === 'true' ? 'live' : 'upcoming'
  const sort = parameters.get('sort') as Order | null
  const filters = [...parameters].filter(([name]) => filterNames[kind].includes(name))
  return {
    kind,
    league: parameters.get('league') ?? '',
    when: isWhen(when) ? when : whenOfLive,
    order: sort !== null && Object.hasOwn(orders[kind], sort) ? sort : 'worth',
    filters: new URLSearchParams(filters).toString(),
    limit,
  }
}
