/** An example of what opportunities were worth. */

const odds = (odds_american: number, odds_decimal: number, odds_probability: number) => ({
  odds_american,
  odds_decimal,
  odds_probability,
})
const knicks = odds(-165, 1.606, 0.6227)
const goneAt = '2027-01-14T21:04:02.310Z'
const pagination = {
  limit: 50,
  offset: 0,
  count: 1,
  total: 1,
  has_more: false,
  next_offset: null,
}

export const exampleLives: object = {
  success: true,
  data: [
    {
      id: 'b04d5f1182e9c37a',
      kind: 'arbitrage',
      event_id: 'nba_bulls_knicks_2027-01-14_b3',
      sport: 'basketball',
      league: 'nba',
      home_team: 'New York Knicks',
      away_team: 'Chicago Bulls',
      event_start_time: '2027-01-15T00:30:00.000Z',
      market_type: 'moneyline',
      player_name: null,
      is_live: false,
      is_mismatch_suspected: false,
      sharp_books: [],
      detected: { at: '2027-01-14T21:03:15.000Z', worth_percent: 0.98 },
      peak: { at: '2027-01-14T21:03:31.500Z', worth_percent: 1.39 },
      gone: { at: goneAt, worth_percent: 0.7 },
      lasted_seconds: 47.31,
      why: 'withdrawn',
      legs: [
        {
          odds_id: '190377420815526',
          sportsbook: 'draftkings',
          selection_type: 'home',
          line: null,
          detected: knicks,
          peak: knicks,
          gone: knicks,
        },
        {
          odds_id: '512883420190774',
          sportsbook: 'caesars',
          selection_type: 'away',
          line: null,
          detected: odds(172, 2.72, 0.3676),
          peak: odds(175, 2.75, 0.3636),
          gone: odds(170, 2.7, 0.3704),
        },
      ],
    },
  ],
  pagination,
  updated_at: goneAt,
  meta: {
    count: 1,
    total: 1,
    pagination,
    updated_at: goneAt,
    updated: goneAt,
    filters: { kind: ['arbitrage'] },
  },
}
