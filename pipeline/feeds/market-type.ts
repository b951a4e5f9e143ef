/**
 * Our market type for what a sportsbook offers on a sport; undefined for what the reference does not
 * list for that sport.
 */

import {
  findMarket,
  type MainKind,
  mainMarketType,
  typeInPeriod,
} from '../../schemas/reference/markets.ts'

/** Our type for a main kind of market, in a period; undefined where the reference has none. */
export function marketTypeFor(
  sport: string,
  kind: MainKind | 'draw_no_bet' | 'moneyline_3-way' | 'odd_even',
  period = 'game',
): string | undefined {
  const id =
    kind === 'moneyline' || kind === 'spread' || kind === 'total' || kind === 'team_total'
      ? mainMarketType(sport, kind, period)
      : typeInPeriod(kind, period)
  return findMarket(id)?.sports.includes(sport) ? id : undefined
}

/**
 * The moneyline type for the answers on offer. In soccer a moneyline has a draw. Elsewhere a result
 * with a draw is that of regulation time, which is another question than the winner.
 */
export const moneylineTypeFor = (sport: string, hasDraw: boolean, period = 'game') =>
  marketTypeFor(sport, hasDraw && sport !== 'soccer' ? 'moneyline_3-way' : 'moneyline', period)
