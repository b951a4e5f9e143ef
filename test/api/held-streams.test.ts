/** Streams that are opened before the service is ready. */

import { expect, it, vi } from 'vitest'
import { createQueryReader } from '../../schemas/http/query.ts'
import { sseQueryAt } from '../../schemas/stream/parameters.ts'
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

it('a stream for which there is no room counts no request', async () => {
  const by = createStreamsByHand()
  by.notReady()
  await by.pass(1)
  const query = createQueryReader(sseQueryAt('/api/v1/stream/odds'), [])('')
  if (!query.ok) throw new Error('the query is read')
  const admit = vi.fn(() => by.callerOf('sharp'))
  const open = () =>
    by.streams.sse({
      ...{ admit, key: 'sharp', query: () => query.query, lastEventId: '' },
      path: { channel: 'odds' },
    })
  for (let held = 0; held < 10_000; held++) open()
  expect(admit).toHaveBeenCalledTimes(10_000)
  expect(open).toThrow('Too many streams')
  const close = vi.fn()
  by.streams.websocket(admit, { send: () => true, hold() {}, close }, 'sharp', '')
  expect(close).toHaveBeenCalledOnce()
  expect(admit).toHaveBeenCalledTimes(10_000)
  by.close()
})
