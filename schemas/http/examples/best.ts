/** Examples of the documents: what the routes of `/odds/best` are sent and answer. */

import { exampleList } from './envelope.ts'

export const exampleBest = exampleList(
  {
    id: '661209344712850',
    event_id: 'nba_bulls_knicks_2027-01-14_b3',
    event_name: 'Chicago Bulls @ New York Knicks',
    sport: 'basketball',
    league: 'nba',
    home_team: 'New York Knicks',
    away_team: 'Chicago Bulls',
    market_type: 'moneyline',
    selection: 'Chicago Bulls',
    selection_type: 'away',
    line: null,
    best_odds: { american: 162, decimal: 2.62, odds_probability: 0.3817, probability: 0.3817 },
    best_book: 'caesars',
    all_books: [
      {
        book: 'caesars',
        sportsbook: 'caesars',
        odds: { american: 162, decimal: 2.62 },
        edge: 1.83,
        line: null,
        last_seen_at: '2027-01-14T21:03:10.000Z',
        odds_changed_at: '2027-01-14T20:58:02.000Z',
      },
      {
        book: 'draftkings',
        sportsbook: 'draftkings',
        odds: { american: 150, decimal: 2.5 },
        edge: 0,
        line: null,
        last_seen_at: '2027-01-14T21:03:11.204Z',
        odds_changed_at: null,
      },
    ],
    last_seen_at: '2027-01-14T21:03:11.204Z',
    sportsbook: 'caesars',
    odds_american: 162,
    odds_decimal: 2.62,
    odds_probability: 0.3817,
    probability: 0.3817,
    event_start_time: '2027-01-15T00:40:00.000Z',
    is_live: false,
  },
  { filters: { market: ['moneyline'] } },
)
