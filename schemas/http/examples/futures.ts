/** Examples of the documents: what the routes of `/futures` answer. */

import { exampleList, exampleObject, seenAt } from './envelope.ts'

const market = {
  market_id: 'nba_champion_2027',
  display_name: 'NBA Champion 2027',
  sport: 'basketball',
  league: 'nba',
  future_type: 'TEAM',
}

export const exampleFutures = exampleList(
  { ...market, selection_count: 30, books_available: ['draftkings', 'fanduel'] },
  { filters: { league: ['nba'] } },
)

export const exampleFutureOdds = exampleList(
  {
    id: '661209344712850',
    selection: 'New York Knicks',
    sportsbook: 'fanduel',
    odds_american: 900,
    odds_decimal: 10,
    probability: 0.1,
    odds_probability: 0.1,
    is_active: true,
    future_type: 'TEAM',
    future_market_id: market.market_id,
    future_market_name: market.display_name,
    sport: market.sport,
    league: market.league,
    event_start_time: null,
    timestamp: seenAt,
    deep_link: '/api/v1/deeplink/661209344712850',
  },
  { filters: { future_id: 'nba_champion_2027' } },
)

export const exampleFutureComparison = exampleObject({
  ...market,
  books_available: ['draftkings', 'fanduel'],
  selections: [
    {
      selection: 'New York Knicks',
      books: {
        draftkings: { odds_american: 850, odds_decimal: 9.5, is_active: true, timestamp: seenAt },
        fanduel: { odds_american: 900, odds_decimal: 10, is_active: true, timestamp: seenAt },
      },
      best_book: 'fanduel',
      best_odds: 900,
      worst_book: 'draftkings',
      worst_odds: 850,
    },
  ],
})
