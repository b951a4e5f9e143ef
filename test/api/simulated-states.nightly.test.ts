/** Simulated matches of sports without a clock, as shown on /gamestate, /events and streams. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { testSeed } from '../seed.ts'
import { type SimulatedService, startSimulated } from './simulated-service.ts'
import { openEvents } from './stream-reader.ts'

const leagues = ['atp', 'wta', 'counter_strike_2', 'league_of_legends', 'dota_2', 'ipl']
const minute = 60_000

let service: SimulatedService
let key: string
beforeAll(async () => {
  service = await startSimulated({
    seed: testSeed,
    events: 30,
    changesPerSecond: 40,
    books: ['pinnacle', 'draftkings', 'fanduel', 'bet365', 'betmgm', 'betrivers'],
    leagues: [...leagues, 'world_snooker_championship'],
  })
  key = await service.key('enterprise', ['streaming', 'game_state'])
})
afterAll(() => service.close())

type State = Readonly<Record<string, string | number | boolean>>
const statesOf = async (sport: string): Promise<[id: string, state: State][]> => {
  const { body } = await service.get(`/gamestate/${sport}`, key)
  return Object.entries(body.data[sport] ?? {})
}

/** The times are minutes after the test before. By then, matches of the sport are in play. */
it.each([
  [15 * 60 + 40, 'snooker', /^F\d+$/, []],
  [0, 'esports', /^M[1-3]$/, []],
  [4 * 60 + 30, 'tennis', /^S[1-3]$/, ['server', 'possession', 'sets_home', 'sets_away']],
  [0, 'cricket', /^I[12]$/, ['wickets_home', 'wickets_away', 'overs', 'batting_team']],
])(
  'after %i minutes %s is shown with score, part and situation',
  async (wait, sport, part, members) => {
    if (wait > 0) service.step(wait * minute)
    for (let i = 0; i < 8; i++) service.step(10_000)
    const states = await statesOf(sport)
    expect(states.length).toBeGreaterThan(0)
    const { body } = await service.get(`/events?sport=${sport}&live=true&limit=200`, key)
    for (const [id, state] of states) {
      expect(state.game_period).toMatch(part)
      expect(state.game_clock).toBeUndefined()
      for (const member of members) expect(state).toHaveProperty(member)
      expect(state.book_count).toBeGreaterThan(1)
      const shown = body.data.find((event: { id: string }) => event.id === id)
      expect(shown?.game_state).toMatchObject({
        home_score: state.home_score,
        away_score: state.away_score,
        period: state.game_period,
      })
    }
    const stream = await openEvents(`${service.base}/stream?channel=gamestate`, {
      'X-API-Key': key,
    })
    try {
      await stream.next('snapshot:complete')
      const told = stream.blocks.map(({ data }) => data).join()
      for (const [id] of states) expect(told).toContain(id)
    } finally {
      stream.close()
    }
  },
)
