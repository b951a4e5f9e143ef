/** Splits in responses, with the field names of the list and those of the history. */

import { decimalToAmerican } from '../../pipeline/rules/odds/odds.ts'
import { isoTime } from '../../pipeline/text/iso-time.ts'
import type { EventSplits } from '../../pipeline/views/splits/splits-view.ts'
import type { SplitMarket, Splits } from '../../schemas/splits.ts'

type Shares = readonly [number, number] | null

/** @param markets the visible ones; undefined for all */
export function splitsItem(
  { event, row }: EventSplits,
  markets: readonly SplitMarket[] | undefined,
) {
  const { spread, total, moneyline } = shownMarkets(row, markets)
  return {
    event_id: event.id,
    sport: event.sport,
    league: event.league,
    sportsbook: row.sportsbook,
    away_team: event.awayTeam,
    home_team: event.homeTeam,
    spread: spread && {
      // Lines, although the interface names these fields odds.
      away_odds: spread.awayLine,
      home_odds: spread.homeLine,
      ...sideShares(spread),
    },
    ...sharedBlocks({ total, moneyline }),
    fetched_at: isoTime(row.observedAt),
  }
}

/** @param at epoch ms */
export function splitsEntry(
  eventId: string,
  sportsbook: string,
  at: number,
  { spread, total, moneyline }: Splits,
) {
  return {
    book: sportsbook,
    ts: isoTime(at),
    timestamp: at / 1_000,
    event_id: eventId,
    spread: spread && {
      away_line: spread.awayLine,
      home_line: spread.homeLine,
      ...sideShares(spread),
    },
    ...sharedBlocks({ total, moneyline }),
  }
}

/** Returns the splits of the requested markets. */
export function shownMarkets(
  { spread, total, moneyline }: Splits,
  markets: readonly SplitMarket[] | undefined,
): Splits {
  const shows = (market: SplitMarket) => markets === undefined || markets.includes(market)
  return {
    spread: shows('spread') ? spread : null,
    total: shows('total') ? total : null,
    moneyline: shows('moneyline') ? moneyline : null,
  }
}

const sharedBlocks = ({ total, moneyline }: Pick<Splits, 'total' | 'moneyline'>) => ({
  total: total && {
    line: total.line,
    handle_pct: overUnder(total.handle),
    bets_pct: overUnder(total.bets),
  },
  moneyline: moneyline && {
    away_odds: american(moneyline.awayPrice),
    home_odds: american(moneyline.homePrice),
    ...sideShares(moneyline),
  },
})

const american = (price: number | null) => (price === null ? null : decimalToAmerican(price))

const sideShares = ({ handle, bets }: { readonly handle: Shares; readonly bets: Shares }) => ({
  handle_pct: awayHome(handle),
  bets_pct: awayHome(bets),
})
const awayHome = (shares: Shares) => shares && { away: shares[0], home: shares[1] }
const overUnder = (shares: Shares) => shares && { over: shares[0], under: shares[1] }
