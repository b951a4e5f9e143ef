/** +EV by anchors of the league's own, beside leagues that have none. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type InProcess, startInProcess } from './service-in-process.ts'

const games = {
  nba: {
    sport: 'basketball',
    league: 'NBA',
    home_team: 'New York Knicks',
    away_team: 'Boston Celtics',
  },
  wnba: {
    sport: 'basketball',
    league: 'WNBA',
    home_team: 'New York Liberty',
    away_team: 'Indiana Fever',
  },
  later: {
    ...{ sport: 'basketball', league: 'NBA' },
    ...{ home_team: 'Utah Jazz', away_team: 'Miami Heat' },
  },
  nhl: {
    sport: 'hockey',
    league: 'NHL',
    home_team: 'Boston Bruins',
    away_team: 'New York Rangers',
  },
}
type Game = keyof typeof games

/** Probabilities of home and away, or their odds. */
const moneyline = (game: Game, sportsbook: string, home: object, away: object) => ({
  ...{ type: 'odds', sportsbook, mode: 'snapshot', observed_at: '2026-11-20T12:00:00Z' },
  event: { ...games[game], start_time: '2026-11-21T00:30:00Z' },
  markets: [
    {
      market_type: 'moneyline',
      selections: [
        { selection_type: 'home', ...home },
        { selection_type: 'away', ...away },
      ],
    },
  ],
})
const odds = (odds_decimal: number) => ({ odds_decimal })

let service: InProcess

async function push(records: readonly object[]) {
  const { body } = await service.ingest([...records])
  expect(body.data).toMatchObject({ rejected_count: 0 })
  await service.settled()
}

async function found(league: string, query = '', tier: 'pro' | 'sharp' = 'sharp') {
  const { body } = await service.get(`/opportunities/ev?league=${league}&max_hold=10&sportsbook=fanduel${query}`, tier)
  return body.data.map(
    ({
      sportsbook,
      selection,
      sharp_book,
      fair_probability,
      ev_percentage,
    }: Record<string, unknown>) =>
      [sportsbook, selection, sharp_book, fair_probability, ev_percentage].join(' '),
  )
}

describe('anchors of a league', () => {
  beforeAll(async () => {
    service = await startInProcess({
      consensus: true,
      references: new Set(['our_model']),
      anchors: 'nba=our_model,circa;basketball=consensus',
    })
    for (const league of ['nba', 'wnba', 'nhl'] as const) {
      await push([
        moneyline(league, 'our_model', { probability: 0.52 }, { probability: 0.48 }),
        moneyline(league, 'pinnacle', { probability: 0.515 }, { probability: 0.485 }),
        moneyline(league, 'circa', odds(1.909), odds(1.909)),
        moneyline(league, 'fanduel', odds(2.1), odds(1.75)),
        moneyline(league, 'draftkings', odds(1.909), odds(1.909)),
        moneyline(league, 'betmgm', odds(1.909), odds(1.909)),
      ])
    }
    await push([
      moneyline('later', 'pinnacle', { probability: 0.515 }, { probability: 0.485 }),
      moneyline('later', 'circa', odds(1.909), odds(1.909)),
      moneyline('later', 'fanduel', odds(1.75), odds(2.06)),
    ])
  })
  afterAll(() => service.close())

  it('measure it, those of its sport another of that sport, and the usual ones all others', async () => {
    expect(await found('nba')).toEqual([
      'fanduel New York Knicks our_model 0.52 9.2',
      // The next anchor, where the model does not price the game.
      'fanduel Miami Heat circa 0.5 3',
    ])
    expect(await found('wnba')).toEqual(['fanduel New York Liberty consensus 0.5 5'])
    expect(await found('nhl')).toEqual(['fanduel Boston Bruins pinnacle 0.515 8.15'])
  })
})
