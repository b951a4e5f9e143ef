/** An empty list or text is refused: left out, a filter that names nothing would become no filter. */

import { describe, expect, it } from 'vitest'
import { createClient, type StreamFilters } from '../../api/clients/typescript/src/index.ts'
import { createScriptedService } from './scripted-service.ts'

const nothing: readonly [string, StreamFilters][] = [
  ['league is an empty list', { league: [] }],
  ['league is an empty list', { league: [''] }],
  ['q is an empty text', { league: ['nba'], q: '' }],
]

describe.each(nothing)('%s: %j', (problem, filters) => {
  const message = `${problem}; leave it out for all`

  it('is refused by reads, without a request', async () => {
    const asked: unknown[] = []
    const client = createClient({
      base: 'http://x',
      key: 'k',
      async fetch(url) {
        asked.push(url)
        return Response.json({ data: [], pagination: { has_more: false } })
      },
    })
    const query = filters as never
    const items = async () => {
      for await (const _ of client.items('/odds', { query }));
    }
    for (const read of [client.get('/odds', { query }), client.raw('/odds', query), items()]) {
      await expect(read).rejects.toThrow(new TypeError(message))
    }
    expect(asked).toEqual([])
  })

  it('is refused by streams, without a connection', async () => {
    const { network, served } = createScriptedService({})
    const client = createClient({ base: 'http://x', key: 'k', ...network })
    for (const transport of ['sse', 'websocket'] as const) {
      expect(() => client.board(filters, { transport })).toThrow(new TypeError(message))
      const messages = client.messages({ channels: ['odds'], filters, transport })
      await expect(messages.next()).rejects.toThrow(new TypeError(message))
    }
    const stream = client.stream({ channels: ['odds'], transport: 'websocket' })
    expect(() => stream.subscribe(['odds'], filters)).toThrow(new TypeError(message))
    await expect.poll(() => served.length).toBe(1)
    stream.close()
  })
})

it('what is undefined or null is left out', async () => {
  const { network, served } = createScriptedService({})
  const client = createClient({ base: 'http://x', key: 'k', ...network })
  const filters = { league: undefined, sport: null } as never
  const stream = client.stream({ channels: ['odds'], filters })
  await expect.poll(() => served.length).toBe(1)
  stream.close()
  const asked = [...served[0]!.url.searchParams.keys()]
  expect(asked).toEqual(['channel', 'proof', 'heartbeat_seconds'])
})
