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

export const addedExample = {
  accepted: 1,
  duplicates: 0,
  bets: [
    {
      line: 1,
      id: betExample.id,
      status: 'stored',
      reference: 'slip-1042',
      event_id: 'nba_nets_knicks_2026-11-20_b3',
      reason: null,
    },
  ],
  rejected: [
    { line: 2, code: 'missing_line', message: 'total_points over: the market is of a line' },
  ],
  rejected_count: 1,
}

const mean = { percent: 2.148, low: null, high: null }
const sum = {
  bets: 1,
  with_clv: 1,
  events: 1,
  beat_close: 1,
  stake: 50,
  stake_with_clv: 50,
  avg_clv: mean,
  stake_weighted_clv: mean,
}
const pagination = { limit: 50, offset: 0, count: 1, total: 1, has_more: false, next_offset: null }
const updated = '2026-11-22T12:00:00.000Z'

export const clvExample = {
  success: true,
  data: {
    sharp_reference: ['pinnacle', 'circa'],
    sharp_references: { pinnacle: 1 },
    total: sum,
    by_sportsbook: [{ group_key: 'draftkings', ...sum }],
    by_market: [{ group_key: 'point_spread', ...sum }],
    by_month: [{ group_key: '2026-11', ...sum }],
    reasons: {},
    bets: [
      {
        id: betExample.id,
        placed_at,
        created_at: placed_at,
        event_id: null,
        home_team: 'NY Knicks',
        away_team: 'Brooklyn Nets',
        start_time,
        league: 'nba',
        sport: 'basketball',
        market: 'spread',
        selection: 'NY Knicks',
        line: -4.5,
        player_name: null,
        odds_decimal: 1.95,
        odds_american: -105,
        stake: 50,
        sportsbook: 'draftkings',
        reference: 'slip-1042',
        found: {
          event_id: 'nba_nets_knicks_2026-11-20_b3',
          league: 'nba',
          sport: 'basketball',
          market_type: 'point_spread',
          selection: 'New York Knicks',
          line: -4.5,
          player_name: null,
        },
        clv_percent: 2.148,
        reason: null,
        close: {
          sportsbook: 'pinnacle',
          start_time,
          odds_decimal: 1.87,
          odds_american: -115,
          no_vig_probability: 0.52384,
          missing: null,
        },
        sportsbook_clv_percent: 0.6,
        sportsbook_close: {
          sportsbook: 'draftkings',
          start_time,
          odds_decimal: 1.87,
          odds_american: -115,
          no_vig_probability: 0.5159,
          missing: null,
        },
      },
    ],
  },
  updated_at: updated,
  meta: { pagination, filters: {}, updated_at: updated, updated },
}
