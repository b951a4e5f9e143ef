/** Examples of the documents: what the routes of `/historical` answer. */

import { exampleObject } from './envelope.ts'

export const exampleClv = exampleObject(
  {
    group_by: 'sportsbook',
    groups: [
      {
        group_key: 'fanduel',
        samples: 812,
        events: 71,
        avg_clv_percent: -0.84,
        avg_clv_interval: { low: -1.21, high: -0.47 },
        avg_abs_clv_percent: 2.17,
        avg_abs_clv_interval: { low: 1.98, high: 2.36 },
        distinct_books: 1,
        distinct_sports: 4,
      },
    ],
    date_range: { from: '2027-05-01', to: '2027-05-08' },
    total_events: 96,
    comparable_events: 71,
    not_comparable_events: { no_close: 3, no_reference: 20, no_equal_line: 2 },
    sharp_reference: 'pinnacle',
    references: [
      {
        sportsbook: 'pinnacle',
        samples: 812,
        events: 71,
        from: '2027-05-01T17:10:00.000Z',
        to: '2027-05-08T23:05:00.000Z',
      },
    ],
    missing_closes: { withdrawn: 40, suspended: 12, incomplete: 9 },
  },
  { source: 'archive', tier_window_days: 30, phase: 1, filters: { sportsbook: ['fanduel'] } },
)

export const exampleClosingDay = exampleObject(
  {
    date: '2027-05-02',
    sport: 'baseball',
    league: 'mlb',
    events: [
      {
        event_id: 'mlb_mariners_padres_2027-05-02_b2_g1',
        sport: 'baseball',
        league: 'mlb',
        home_team: 'Seattle Mariners',
        away_team: 'San Diego Padres',
        event_start_time: '2027-05-02T17:10:00.000Z',
        first_captured_at: '2027-05-02T17:09:48.000Z',
        books: [
          {
            book: 'pinnacle',
            captured_at: '2027-05-02T17:09:48.000Z',
            lines: [
              {
                market_type: 'moneyline',
                selection: 'Seattle Mariners',
                selection_type: 'home',
                line: null,
                odds_american: 131,
                odds_decimal: 2.31,
                implied_probability: 0.4329,
                no_vig_probability: 0.4214,
                timestamp: '2027-05-02T17:04:11.000Z',
              },
            ],
          },
        ],
      },
    ],
    total_events: 1,
    total_lines: 1,
  },
  {
    source: 'archive',
    tier_window_days: 30,
    filters: { date: '2027-05-02', sport: ['baseball'], league: ['mlb'] },
  },
)
