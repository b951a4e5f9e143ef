/** Groups of markets on the board's switch, and the markets of each group, which differ by sport. */

import type { MarketKinds } from './market-kinds.ts'

export const marketGroups = ['moneyline', 'spread', 'total', 'props'] as const
export type MarketGroup = (typeof marketGroups)[number]

const spreads = /^(point_spread|puck_line|run_line|(set|game|map|frame|leg|asian)_handicap)$/
const totals = /^total_(points|goals|runs|games|sets|rounds|maps|frames|legs)$/

const belongs: Readonly<Record<MarketGroup, (market: string) => boolean>> = {
  moneyline: (market) => market === 'moneyline',
  spread: (market) => spreads.test(market),
  total: (market) => totals.test(market),
  props: (market) => market.startsWith('player_'),
}

/** @param known ids of the markets that have prices now */
export const marketsOf = (group: MarketGroup, known: readonly string[]): readonly string[] => {
  const found = known.filter(belongs[group])
  return found.length > 0 ? found : [group === 'moneyline' ? 'moneyline' : fallback[group]]
}

/**
 * Returns the markets of a board that stays open: those before, also without prices, and the new ones behind them.
 * @param kinds the service refuses a market without prices that it does not list
 */
export const withNewMarkets = (
  before: readonly string[],
  found: readonly string[],
  kinds: MarketKinds,
): readonly string[] => [
  ...before.filter((id) => found.includes(id) || kinds.get(id)?.numerical_id != null),
  ...found.filter((id) => !before.includes(id)),
]

/** Used when no market of a group has prices: the filter must name one. */
const fallback = { spread: 'point_spread', total: 'total_points', props: 'player_points' } as const
