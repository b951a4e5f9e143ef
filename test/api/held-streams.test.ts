/** WebSockets that are opened before the service is ready. */

import { expect, it } from 'vitest'
import { knicks } from './small-board.ts'
import { createStreamsByHand } from './streams-without-sockets.ts'

it.each([
  ['in the handshake', 'sharp'],
  ['in a frame', ''],
])('a WebSocket with its key %s gets heartbeats until it begins', async (_, key) => {
  const streams = createStreamsByHand()
  streams.event(knicks)
  streams.odds(knicks, { sportsbook: 'draftkings', price: 1.9 })
  const makeReady = streams.notReady()
  const client = streams.open('channels=odds&proof=true', 'sharp', key)
  if (key === '') client.say({ type: 'auth', token: 'sharp' })
  await streams.pass(16_000)
  const timestamp = expect.any(String)
  expect(client.frames).toEqual([1, 2, 3].map((seq) => ({ type: 'heartbeat', seq, timestamp })))
  makeReady()
  await streams.until('all rows', () => client.of('snapshot:complete').length > 0)
  expect(client.frames[3]).toMatchObject({ type: 'connected', seq: 4 })
  expect(client.frames.map(({ seq }) => seq)).toEqual(client.frames.map((_, i) => i + 1))
  streams.close()
})
