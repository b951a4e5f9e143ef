/** Examples of the documents: what `/odds/closing` answers. */

import { exampleObject } from './envelope.ts'

export const exampleClosing = exampleObject(
  {
    event_id: 'mlb_mariners_padres_2027-05-02_b2_g1',
    sport: 'baseball',
    league: 'mlb',
    home_team: 'Seattle Mariners',
    away_team: 'San Diego Padres',
    event_start_time: '2027-05-02T17:10:00.000Z',
    captured_at: '2027-05-02T17:09:48.000Z',
    books: {
      draftkings: [
        {
          sportsbook: 'draftkings',
          market_type: 'moneyline',
          selection: 'Seattle Mariners',
          selection_type: 'home',
          odds_american: 128,
          odds_decimal: 2.28,
        },
      ],
      pinnacle: [
        {
          sportsbook: 'pinnacle',
          market_type: 'run_line',
          selection: 'Seattle Mariners',
          selection_type: 'home',
          line: 1.5,
          odds_american: -142,
          odds_decimal: 1.704,
        },
      ],
    },
  },
  { source: 'capture' },
)
