/** Examples of the documents: what the routes of `/odds/comparison` are sent and answer. */

import { exampleObject } from './envelope.ts'

export const exampleComparison = exampleObject(
  {
    event_id: 'nba_bulls_knicks_2027-01-14_b3',
    event_name: 'Chicago Bulls @ New York Knicks',
    sport: 'basketball',
    league: 'nba',
    home_team: 'New York Knicks',
    away_team: 'Chicago Bulls',
    start_time: '2027-01-15T00:40:00.000Z',
    status: 'upcoming',
    is_live: false,
    books_available: ['caesars', 'draftkings'],
    markets: [
      {
        market_type: 'moneyline',
        line: null,
        hold: { best_available: 2.45, by_book: { caesars: 3.69, draftkings: 4.29 } },
        selections: [
          {
            selection: 'Chicago Bulls',
            selection_type: 'away',
            line: null,
            books: {
              caesars: {
                odds_american: 162,
                odds_decimal: 2.62,
                last_seen_at: '2027-01-14T21:03:10.000Z',
                odds_changed_at: '2027-01-14T20:58:02.000Z',
              },
              draftkings: {
                odds_american: 150,
                odds_decimal: 2.5,
                last_seen_at: '2027-01-14T21:03:11.204Z',
                odds_changed_at: null,
              },
            },
            best_book: 'caesars',
            best_odds: 162,
            worst_book: 'draftkings',
            worst_odds: 150,
            spread: 1.83,
          },
        ],
      },
    ],
    id: '661209344712850',
    sportsbook: 'caesars',
    market_type: 'moneyline',
    selection: 'Chicago Bulls',
    selection_type: 'away',
    line: null,
    odds_american: 162,
    odds_decimal: 2.62,
    odds_probability: 0.3817,
    probability: 0.3817,
  },
  { market_filter: null },
)
