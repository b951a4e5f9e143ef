/** What the client asks for over Server-Sent Events: its channels, and no others. */

import { expect, it } from 'vitest'
import { type Channel, createClient } from '../../api/clients/typescript/src/index.ts'
import { createScriptedService } from './scripted-service.ts'

it.each<[readonly Channel[], Readonly<Record<string, string>>]>([
  [['odds'], { channel: 'odds' }],
  [['gamestate'], { channel: 'gamestate' }],
  [['ev', 'arbitrage'], { channel: 'opportunities', kinds: 'ev,arbitrage' }],
  [['odds', 'ev', 'arbitrage', 'middles', 'low_hold'], { channel: 'all' }],
  [['odds', 'gamestate'], { channel: 'all', only: 'odds,gamestate' }],
  [['odds', 'low_hold'], { channel: 'all', only: 'odds,low_hold' }],
])('the channels %j', async (channels, wanted) => {
  const { network, served } = createScriptedService({})
  const client = createClient({ base: 'http://x', key: 'k', ...network })
  const stream = client.stream({ channels })
  await expect.poll(() => served.length).toBe(1)
  stream.close()
  const {
    proof: _,
    heartbeat_seconds: __,
    ...asked
  } = Object.fromEntries(served[0]!.url.searchParams)
  expect(asked).toEqual(wanted)
})
