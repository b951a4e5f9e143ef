/** Bets on two lines of a game that goes on until one side leads. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type InProcess, startInProcess } from './service-in-process.ts'

const spread = (
  sportsbook: string,
  sport: string,
  league: string,
  teams: readonly string[],
  line: number,
) => ({
  ...{ type: 'odds', sportsbook, mode: 'snapshot', observed_at: '2026-11-20T12:00:00Z' },
  event: {
    ...{ sport, league, home_team: teams[0], away_team: teams[1] },
    start_time: '2026-11-21T00:30:00Z',
  },
  markets: [
    {
      market_type: 'point_spread',
      selections: [
        { selection_type: 'home', line, odds_decimal: 1.91 },
        { selection_type: 'away', line: -line, odds_decimal: 1.91 },
      ],
    },
  ],
})
/** Two sportsbooks that differ on the favourite: home +1 at one, away +1 at the other. */
const disagreeing = (sport: string, league: string, teams: readonly string[]) => [
  spread('draftkings', sport, league, teams, 1),
  spread('fanduel', sport, league, teams, -1),
]

let service: InProcess
beforeAll(async () => {
  service = await startInProcess()
  await service.ingest([
    ...disagreeing('basketball', 'NBA', ['New York Knicks', 'Chicago Bulls']),
    ...disagreeing('football', 'NFL', ['Dallas Cowboys', 'New York Giants']),
  ])
  await service.settled()
})
afterAll(() => service.close())

const middleOf = async (league: string) => {
  const { body } = await service.get(`/opportunities/middles?league=${league}`)
  expect(body.data).toHaveLength(1)
  return body.data[0]
}
const explained = async ({ id }: { readonly id: string }) =>
  (await service.get(`/opportunities/${id}/explain`)).body.data

describe('home +1 and away +1', () => {
  it('of the NBA pay at best one win and one refund, as no game is level', async () => {
    const middle = await middleOf('nba')
    expect(middle).toMatchObject({
      ...{ middle_numbers: [], middle_probability: 0, push_numbers: [-1, 1] },
      ...{ best_case_profit: 45.5, worst_case_loss: -4.5, break_even_percent: 9 },
    })
    const { result, stakes } = await explained(middle)
    const shown = result.outcomes.map(({ from, to, won }: Record<string, unknown>) => [
      from,
      to,
      won,
    ])
    expect(shown).toEqual([
      [null, -2, [-1, 1]],
      [-1, -1, [0, 1]],
      [1, 1, [1, 0]],
      [2, null, [1, -1]],
    ])
    expect(stakes.other_outcomes).toEqual([
      [0, 1],
      [1, 0],
    ])
  })

  it('of the NFL pay both where it is level, as a game may be', async () => {
    const middle = await middleOf('nfl')
    expect(middle).toMatchObject({
      ...{ middle_numbers: [0], push_numbers: [-1, 1] },
      ...{ best_case_profit: 91, worst_case_loss: -4.5, break_even_percent: 4.71 },
    })
    const { result } = await explained(middle)
    expect(result.outcomes[2]).toMatchObject({ from: 0, to: 0, won: [1, 1] })
  })
})
