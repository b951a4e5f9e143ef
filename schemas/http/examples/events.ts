/** Examples of the documents: what the routes of events are sent and answer. */

import { exampleList, exampleObject, seenAt } from './envelope.ts'

const exampleIdentity = {
  id: 'nba_bulls_knicks_2027-01-14_b3',
  external_ids: { draftkings: '34118820', fanduel: 'nba-chi-nyk' },
  sport: 'basketball',
  league: 'nba',
}

const exampleSides = {
  home_team: 'New York Knicks',
  away_team: 'Chicago Bulls',
  start_time: '2027-01-15T00:40:00.000Z',
}

const page = exampleList(
  {
    ...exampleIdentity,
    ...exampleSides,
    status: 'upcoming',
    is_live: false,
    book_count: 2,
    market_count: 3,
    markets: ['moneyline', 'point_spread', 'total_points'],
    books: ['draftkings', 'fanduel'],
  },
  { filters: { league: ['nba'] } },
)

const pagination = { ...page.pagination, next_cursor: null }

export const exampleEvents = { ...page, pagination, meta: { ...page.meta, pagination } }

export const exampleEvent = exampleObject(
  {
    ...exampleIdentity,
    league_name: 'NBA',
    ...exampleSides,
    status: 'upcoming',
    is_live: false,
    books: [{ id: 'draftkings', name: 'DraftKings', market_count: 41, last_update: seenAt }],
    markets: [
      { type: 'player_points', selection_count: 36, book_count: 1 },
      { type: 'moneyline', selection_count: 2, book_count: 1 },
    ],
  },
  { event_id: exampleIdentity.id },
)

export const exampleEventMarkets = exampleList(
  {
    type: 'total_points',
    market_type: 'total_points',
    market_label: 'Total Points',
    selection_count: 2,
    book_count: 2,
    books: ['draftkings', 'fanduel'],
    selections: [
      { name: 'Over', type: 'over', line: 228.5, book_count: 2 },
      { name: 'Under', type: 'under', line: 228.5, book_count: 2 },
    ],
  },
  { event_id: exampleIdentity.id, filters: {} },
)

export const exampleEventOdds = exampleList(
  {
    id: '661209344712850',
    sportsbook: 'caesars',
    event_id: exampleIdentity.id,
    market_type: 'moneyline',
    selection: 'Chicago Bulls',
    selection_type: 'away',
    odds: { american: 162, decimal: 2.62, odds_probability: 0.3817, probability: 0.3817 },
    odds_american: 162,
    odds_decimal: 2.62,
    odds_probability: 0.3817,
    probability: 0.3817,
    line: null,
    event_start_time: exampleSides.start_time,
    is_live: false,
    is_active: true,
    last_seen_at: seenAt,
    odds_changed_at: '2027-01-14T20:58:02.000Z',
  },
  { event_id: exampleIdentity.id, filters: { market: ['moneyline'] } },
)
