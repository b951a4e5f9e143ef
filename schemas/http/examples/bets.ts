/** Examples of the routes about an account's own bets. */

import type { BetRow } from '../../bet.ts'

const placed_at = '2026-11-20T12:00:00.000Z'
const placedAt = Date.parse(placed_at)
const start_time = '2026-11-21T00:30:00.000Z'

export const betExample: BetRow = {
  id: 'bet_482107733915460',
  accountId: 'acct_8d2f40c61b7e',
  revision: '1',
  createdAt: placedAt,
  updatedAt: placedAt,
  reference: 'slip-1042',
  placedAt,
  event: {
    id: null,
    homeTeam: 'NY Knicks',
    awayTeam: 'Brooklyn Nets',
    startsAt: Date.parse(start_time),
    isDay: false,
    sport: 'basketball',
    league: 'nba',
  },
  market: 'spread',
  selection: 'NY Knicks',
  line: -4.5,
  playerName: null,
  price: 1.95,
  stake: 50,
  isFree: false,
  sportsbook: 'draftkings',
  found: {
    eventId: 'nba_nets_knicks_2026-11-20_b3',
    sport: 'basketball',
    league: 'nba',
    homeTeam: 'New York Knicks',
    awayTeam: 'Brooklyn Nets',
    startsAt: Date.parse(start_time),
    marketType: 'point_spread',
    selectionType: 'home',
    line: -4.5,
    playerName: null,
  },
  verdict: null,
}

export const betJsonExample = [
  {
    placed_at,
    league: 'NBA',
    home_team: 'NY Knicks',
    away_team: 'Brooklyn Nets',
    start_time,
    market: 'spread',
    selection: 'NY Knicks',
    line: -4.5,
    odds_decimal: 1.95,
    stake: 50,
    sportsbook: 'DraftKings',
    reference: 'slip-1042',
  },
]

export const csvExample =
  'placed_at,league,home_team,away_team,start_time,market,selection,line,odds_american,stake,sportsbook,reference\r\n' +
  '2026-11-20T12:00:00Z,NBA,NY Knicks,Brooklyn Nets,2026-11-20,spread,NY Knicks,-4.5,-105,50,DraftKings,slip-1042\r\n'
