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
  const { body } = await service.get(
    `/opportunities/ev?league=${league}&max_hold=10&sportsbook=fanduel${query}`,
    tier,
  )
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

describe('a blend', () => {
  const chance = (probability: number) => ({ probability })
  const fair = (sportsbook: string, home: number, game: Game = 'nba') =>
    moneyline(game, sportsbook, chance(home), chance(Math.round(1000 * (1 - home)) / 1000))

  beforeAll(async () => {
    service = await startInProcess({ anchors: 'nba=pinnacle:2+circa+bovada,pinnacle' })
    for (const game of ['nba', 'nhl'] as const) {
      await push([
        fair('pinnacle', 0.52, game),
        fair('circa', 0.505, game),
        moneyline(game, 'fanduel', odds(2), odds(1.85)),
      ])
    }
  })
  afterAll(() => service.close())

  const idOf = async (tier: 'pro' | 'sharp') =>
    (await service.get('/opportunities/ev?league=nba&sportsbook=fanduel', tier)).body.data[0].id

  it('is the weighted mean of the sportsbooks that quote the line, in its own league', async () => {
    // (2 * 0.52 + 0.505) / 3
    expect(await found('nba')).toEqual(['fanduel New York Knicks pinnacle+circa 0.515 3'])
    expect(await found('nhl')).toEqual(['fanduel Boston Bruins pinnacle 0.52 4'])
    const { body } = await service.get('/opportunities/ev?league=nba&sportsbook=fanduel')
    const [item] = body.data
    expect(item).toMatchObject({ devig_book: 'pinnacle+circa', market_width: 0 })
    expect(item.warnings).not.toContain('CONSENSUS_REF')
    expect(item).not.toHaveProperty('sharp_odds_decimal')
    const { body: explained } = await service.get(`/opportunities/${item.id}/explain`)
    expect(explained.data.result).toMatchObject({ fair: expect.closeTo(0.515, 9) })
    expect(
      explained.data.devig.map(({ sportsbook }: { sportsbook: string }) => sportsbook),
    ).toEqual(['pinnacle', 'circa'])
    expect(explained.data.ends).toContainEqual(
      expect.objectContaining({ cause: 'price_falls', to_odds_decimal: 1.941748 }),
    )
  })

  it('is by any method, and of a chosen set', async () => {
    expect(await found('nba', '&devig_method=shin')).toEqual([
      'fanduel New York Knicks pinnacle+circa 0.515 3',
    ])
    expect(await found('nba', '&books=fanduel,circa')).toEqual([
      'fanduel New York Knicks pinnacle+circa 0.515 3',
    ])
    expect(await found('nba', '&devig_books=circa')).toEqual([
      'fanduel New York Knicks circa 0.505 1',
    ])
  })

  it('has no figure for a tier that sees not all of it, which gets what its own part or the next gives', async () => {
    expect(await found('nba', '', 'pro')).toEqual(['fanduel New York Knicks pinnacle 0.52 4'])
    expect(await found('nba', '&books=fanduel', 'pro')).toEqual([
      'fanduel New York Knicks pinnacle 0.52 4',
    ])
    const [seen, other] = [await idOf('sharp'), await idOf('pro')]
    expect(seen).not.toBe(other)
    expect((await service.get(`/opportunities/${seen}/explain`, 'pro')).status).toBe(404)
    // A third part that both see does not show the two others.
    await push([fair('bovada', 0.511)])
    expect(await found('nba')).toEqual(['fanduel New York Knicks pinnacle+circa+bovada 0.514 2.8'])
    expect(await found('nba', '', 'pro')).toEqual(['fanduel New York Knicks pinnacle 0.52 4'])
    expect(await idOf('sharp')).toBe(seen)
  })

  it('needs two sportsbooks, and leaves the line to the next anchor otherwise', async () => {
    await push([
      { ...fair('circa', 0.505), markets: [] },
      { ...fair('bovada', 0.511), markets: [] },
    ])
    expect(await found('nba')).toEqual(['fanduel New York Knicks pinnacle 0.52 4'])
  })
})
