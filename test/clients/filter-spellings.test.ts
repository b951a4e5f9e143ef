/** Filters that a caller spells in its own way: the client keeps the rows of the ids that the service answers with. */

import { expect, it } from 'vitest'
import { createClient } from '../../api/clients/typescript/src/index.ts'
import { createScriptedService, row, rowsMessages } from './scripted-service.ts'

async function subscribed(answer: object) {
  const { network, served } = createScriptedService({})
  const client = createClient({ base: 'http://x/api/v1', key: 'k', ...network })
  const stream = client.stream({ channels: ['odds'], transport: 'websocket' })
  await expect.poll(() => served.length).toBe(1)
  const service = served[0]!
  const others = [
    row('sport', { sport: 'football' }),
    row('league', { league: 'wnba' }),
    row('sportsbook', { sportsbook: 'fanduel' }),
    row('market', { market_type: 'moneyline' }),
  ]
  service.say('connected', { resumed: false })
  service.say(...rowsMessages.websocket.snapshot([row('asked'), ...others]))
  service.say('snapshot:complete')
  expect(stream.odds.size).toBe(5)
  const [sport, league] = [['Basketball'], ['NBA']]
  const [sportsbook, market] = [['Draft Kings'], ['spread']]
  stream.subscribe(['odds'], { sport, league, sportsbook, market })
  service.say('subscribed', { channels: ['odds'], ...answer })
  const held = [...stream.odds.keys()]
  stream.close()
  return held
}

it('narrows to the ids of the answer, and not to the spellings', async () => {
  const ids = {
    ...{ sports: ['basketball'], leagues: ['nba'] },
    ...{ sportsbooks: ['draftkings'], markets: ['point_spread'] },
  }
  expect(await subscribed(ids)).toEqual(['asked'])
})

it('holds nothing where none of the values that were sent is known', async () => {
  const ids = {
    ...{ sports: ['basketball'], leagues: [] },
    ...{ sportsbooks: ['draftkings'], markets: ['point_spread'] },
  }
  expect(await subscribed(ids)).toEqual([])
})
