/** One name for a side everywhere, whichever spelling came first. The event stays the same. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { type InProcess, startInProcess } from './service-in-process.ts'

let service: InProcess
beforeAll(async () => {
  service = await startInProcess()
})
afterAll(() => service.close())

const offered = (sportsbook: string, home: string, away: string, isSwapped = false) => ({
  type: 'odds',
  sportsbook,
  mode: 'snapshot',
  observed_at: '2026-11-20T12:00:00Z',
  event: {
    external_id: `${sportsbook} 1`,
    sport: 'basketball',
    league: 'Liga AB',
    home_team: isSwapped ? away : home,
    away_team: isSwapped ? home : away,
    start_time: '2026-11-20T19:00:00Z',
    is_live: false,
  },
  markets: [
    {
      market_type: 'moneyline',
      selections: [
        { selection_type: 'home', odds_decimal: isSwapped ? 2.1 : 1.8 },
        { selection_type: 'away', odds_decimal: isSwapped ? 1.8 : 2.1 },
      ],
    },
    {
      market_type: 'team_total',
      line: 80.5,
      selections: [{ selection_type: isSwapped ? 'away_over' : 'home_over', odds_decimal: 1.9 }],
    },
  ],
})

const names = async () => {
  await service.settled()
  const { body } = await service.get('/odds?league=liga_ab&limit=100')
  const rows: { event_id: string; home_team: string; selection: string; selection_type: string }[] =
    body.data
  const best = await service.get('/odds/best?league=liga_ab')
  return {
    ids: [...new Set(rows.map((row) => row.event_id))],
    homes: [...new Set(rows.map((row) => row.home_team))],
    selections: [...new Set(rows.map((row) => `${row.selection_type} ${row.selection}`))].sort(),
    best: (best.body.data as { selection: string }[]).map((row) => row.selection).sort(),
  }
}

it('is the one that most sportsbooks write, as names are written', async () => {
  await service.ingest([offered('pinnacle', 'GREEN  HILL', 'ZELENA GORA')])
  const first = await names()
  expect(first.homes).toEqual(['GREEN HILL'])
  await service.ingest([
    offered('draftkings', 'Green Hill', 'Zelena Gora', true),
    offered('fanduel', 'Green Hill', 'Zelena Gora'),
  ])
  expect(await names()).toEqual({
    ids: first.ids,
    homes: ['Green Hill'],
    selections: ['away Zelena Gora', 'home Green Hill', 'home_over Green Hill Over'],
    best: ['Green Hill', 'Green Hill Over', 'Zelena Gora'],
  })
})

it('is found by a filter on teams', async () => {
  const { body } = await service.get('/odds?team=Green%20Hill&market=moneyline')
  expect(body.data).toHaveLength(6)
})
