/** What the client asks for over Server-Sent Events: its channels, and no others. */

import { expect, it } from 'vitest'
import { type Channel, createClient } from '../../api/clients/typescript/src/index.ts'
import { families } from '../../api/clients/typescript/src/stream/held-rows.ts'
import { createScriptedService, row, rowsMessages } from './scripted-service.ts'

it.each<[readonly Channel[], Readonly<Record<string, string>>]>([
  [['odds'], { channel: 'odds' }],
  [['gamestate'], { channel: 'gamestate' }],
  [['ev', 'arbitrage'], { channel: 'opportunities', kinds: 'ev,arbitrage' }],
  [['odds', 'ev', 'arbitrage', 'middles', 'low_hold'], { channel: 'all' }],
  [['odds', 'gamestate'], { channel: 'all', only: 'odds,gamestate' }],
  [['odds', 'low_hold'], { channel: 'all', only: 'odds,low_hold' }],
  [['odds', 'gamestate', ...families], { channel: 'all' }],
  [['gamestate', ...families], { channel: 'all', only: `gamestate,${families.join()}` }],
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

it.each([false, true])('games in play come only where they are asked for: %s', async (isAsked) => {
  const { network, served } = createScriptedService({})
  const client = createClient({ base: 'http://x', key: 'k', ...network })
  const channels: Channel[] = ['odds', ...families]
  if (isAsked) channels.push('gamestate')
  const names: string[] = []
  const stream = client.stream({ channels, onMessage: ({ name }) => names.push(name) })
  await expect.poll(() => served.length).toBe(1)
  const game = { event_id: 'e', sport: 'basketball' }
  served[0]!.say('connected', { resumed: false })
  served[0]!.say(...rowsMessages.sse.snapshot([row('1')]))
  served[0]!.say('gamestate:snapshot', { events: [game], offset: 0 })
  served[0]!.say('snapshot:complete')
  await expect.poll(() => stream.isReady()).toBe(true)
  stream.close()
  const games = isAsked ? ['gamestate:snapshot'] : []
  expect(names).toEqual(['connected', 'snapshot', ...games, 'snapshot:complete'])
  expect(stream.games.size).toBe(games.length)
})
