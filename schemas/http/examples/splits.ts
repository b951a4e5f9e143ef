/** Examples of the documents: what the routes of `/splits` answer. */

import { exampleList } from './envelope.ts'

const blocks = {
  total: {
    line: 228.5,
    handle_pct: { over: 0.63, under: 0.37 },
    bets_pct: { over: 0.58, under: 0.42 },
  },
  moneyline: {
    away_odds: 150,
    home_odds: -180,
    handle_pct: { away: 0.31, home: 0.69 },
    bets_pct: { away: 0.28, home: 0.72 },
  },
}
const eventId = 'nba_bulls_knicks_2027-01-14_b3'
const spreadShares = {
  handle_pct: { away: 0.44, home: 0.56 },
  bets_pct: { away: 0.39, home: 0.61 },
}

export const exampleSplits = exampleList(
  {
    event_id: eventId,
    sport: 'basketball',
    league: 'nba',
    sportsbook: 'draftkings',
    away_team: 'Chicago Bulls',
    home_team: 'New York Knicks',
    spread: { away_odds: 4.5, home_odds: -4.5, ...spreadShares },
    ...blocks,
    fetched_at: '2027-01-14T21:00:07.000Z',
  },
  { filters: { league: ['nba'] } },
)

const ts = '2027-01-14T20:55:04.000Z'

export const exampleSplitsHistory = {
  success: true,
  data: [
    {
      book: 'draftkings',
      ts,
      timestamp: Date.parse(ts) / 1_000,
      event_id: eventId,
      spread: { away_line: 4.5, home_line: -4.5, ...spreadShares },
      ...blocks,
    },
  ],
  meta: {
    event_id: eventId,
    count: 1,
    total: 1,
    books: ['draftkings'],
    oldest: ts,
    newest: ts,
    filters: { event_id: eventId },
    updated_at: ts,
  },
}
