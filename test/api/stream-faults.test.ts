/** Faults in what a WebSocket asks for: the stream goes on, and only those of a key end it for good. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Tier } from '../../schemas/reference/tier-books.ts'
import { createStreamsByHand } from './streams-without-sockets.ts'

const id = 'nba_bulls_knicks_2026-11-21_b3'

let byHand: ReturnType<typeof createStreamsByHand>
beforeEach(() => {
  byHand = createStreamsByHand()
  byHand.event(id)
  byHand.odds(id, { sportsbook: 'draftkings', price: 1.9 }, { sportsbook: 'fanduel', price: 1.8 })
})
afterEach(() => byHand.close())

type Client = ReturnType<typeof byHand.open>

async function subscribed(query: string, tier: Tier = 'sharp'): Promise<Client> {
  const client = byHand.open(query, tier)
  await byHand.until('a snapshot', () => client.of('snapshot:complete').length > 0)
  return client
}

/** Returns the prices that come when both have moved. */
async function movedPrices(client: Client, to: number) {
  const from = client.frames.length
  byHand.odds(id, { sportsbook: 'draftkings', price: to }, { sportsbook: 'fanduel', price: to })
  await byHand.pass(2_000)
  expect(client.state.closed).toBeNull()
  return client.prices(from).size
}

const codes = (client: Client, from = 0) => client.of('error', from).map(({ code }) => code)

describe('a frame on a healthy stream', () => {
  it.each<[Tier, object, string, object, number]>([
    ['sharp', { among_books: ['fandual'] }, 'invalid_filter', { among_books: [] }, 0],
    [
      'sharp',
      { among_books: ['fandual', 'fanduel'] },
      'invalid_filter',
      { among_books: ['fanduel'] },
      1,
    ],
    [
      'sharp',
      { sportsbooks: ['fandual', 'fanduel'] },
      'invalid_filter',
      { sportsbooks: ['fanduel'] },
      1,
    ],
    ['sharp', { add_sportsbooks: ['fandual'] }, 'invalid_filter', { sportsbooks: null }, 2],
    [
      'sharp',
      { sportsbooks: ['draftkings'], add_sportsbooks: ['fandual'] },
      'invalid_filter',
      { sportsbooks: ['draftkings'] },
      1,
    ],
    [
      'pro',
      { among_books: ['pinnacle', 'fanduel'] },
      'tier_restricted',
      { among_books: ['fanduel'] },
      1,
    ],
    [
      'pro',
      { sportsbooks: ['pinnacle', 'fanduel'] },
      'tier_restricted',
      { sportsbooks: ['fanduel'] },
      1,
    ],
    [
      'pro',
      { sportsbooks: ['draftkings'], add_sportsbooks: ['pinnacle'] },
      'tier_restricted',
      { sportsbooks: ['draftkings'] },
      1,
    ],
  ])(
    'of %s with %j gets %s, and the other values count',
    async (tier, filters, code, echo, count) => {
      const client = await subscribed('channels=odds', tier)
      const from = client.frames.length
      client.say({ type: 'filter', filters })
      await byHand.pass(1_000)
      expect(codes(client, from)).toEqual([code])
      expect(client.of('subscribed', from)).toMatchObject([echo])
      expect(await movedPrices(client, 2)).toBe(count)
    },
  )

  it('with sportsbooks of a profile that has none gets validation_error, and has no effect', async () => {
    const client = await subscribed('channels=odds&sportsbook=fanduel')
    const from = client.frames.length
    client.say({ type: 'filter', filters: { among_books: ['mine'], sportsbooks: null } })
    await byHand.pass(1_000)
    expect(codes(client, from)).toEqual(['validation_error'])
    expect(client.of('subscribed', from)).toEqual([])
    expect(await movedPrices(client, 2)).toBe(1)
    client.say({ type: 'filter', filters: {} })
    const [now, ...more] = client.of('subscribed', from)
    expect([now.sportsbooks, now.among_books, more]).toEqual([['fanduel'], undefined, []])
  })
})

describe('a frame that is refused as a whole', () => {
  /** Says a frame. @returns the codes of its errors, while the stream goes on as it was */
  async function codesOf(client: Client, frame: object) {
    const from = client.frames.length
    client.say(frame)
    await byHand.pass(1_000)
    expect(client.of('subscribed', from)).toEqual([])
    const told = codes(client, from)
    expect(await movedPrices(client, 2)).toBe(1)
    client.say({ type: 'filter', filters: {} })
    const { channels, sportsbooks, among_books } = client.of('subscribed', from)[0]
    expect({ channels, sportsbooks, among_books }).toEqual({
      ...{ channels: ['odds'], sportsbooks: ['fanduel'], among_books: undefined },
    })
    return told
  }

  it('for want of a channel that the account may have leaves the stream as it was', async () => {
    const client = await subscribed('channels=odds&sportsbook=fanduel')
    const frame = { type: 'subscribe', channels: ['gamestate'], filters: { sportsbooks: null } }
    expect(await codesOf(client, frame)).toEqual(['tier_restricted', 'missing_channels'])
  })

  it('for want of room for a set of sportsbooks leaves it as it was', async () => {
    byHand.open('channels=arbitrage&books=draftkings,fanduel')
    const client = await subscribed('channels=odds&sportsbook=fanduel')
    const filters = { among_books: ['draftkings', 'betmgm'], sportsbooks: null }
    const frame = { type: 'subscribe', channels: ['odds', 'arbitrage'], filters }
    expect(await codesOf(client, frame)).toEqual(['too_many_book_sets'])
  })

  it('ends a stream that has nothing to go on with', () => {
    const client = byHand.open('')
    client.say({ type: 'subscribe', channels: ['gamestate'] })
    expect([codes(client), client.state.closed]).toEqual([['tier_restricted'], 4003])
  })
})

describe('a new stream', () => {
  it.each(['__proto__', 'constructor', 'toString', 'leages'])(
    'whose address has the unknown parameter %s is told so, and waits for a frame with filters',
    async (name) => {
      const client = byHand.open(`channels=odds&${name}=x`)
      await byHand.pass(5_000)
      expect(client.of('error').map(({ code, message }) => [code, message])).toEqual([
        ['validation_error', `${name} is an unknown parameter.`],
      ])
      expect([client.of('subscribed'), client.state.closed]).toEqual([[], null])
    },
  )

  it('whose address names unknown sportsbooks leaves them out', async () => {
    const client = await subscribed('channels=odds&books=fandual,fanduel&add_sportsbook=x')
    expect(codes(client)).toEqual(['invalid_filter', 'invalid_filter'])
    expect(client.of('subscribed')).toMatchObject([{ among_books: ['fanduel'] }])
    expect(client.prices().size).toBe(1)
  })

  it('whose address names those of a profile without any waits for a frame with filters', async () => {
    const client = byHand.open('channels=odds&books=mine')
    await byHand.pass(5_000)
    expect(codes(client)).toEqual(['validation_error'])
    expect([client.of('subscribed'), client.state.closed]).toEqual([[], null])
    client.say({ type: 'filter', filters: { sportsbooks: 'fanduel' } })
    await byHand.until('a snapshot', () => client.of('snapshot:complete').length > 0)
    expect(client.prices().size).toBe(1)
  })

  it('whose first frame names those of a profile without any waits for a better one', async () => {
    const client = byHand.open('')
    client.say({ type: 'subscribe', channels: ['odds'], filters: { among_books: 'mine' } })
    await byHand.pass(5_000)
    expect(codes(client)).toEqual(['validation_error'])
    expect([client.of('subscribed'), client.state.closed]).toEqual([[], null])
    client.say({ type: 'subscribe', channels: ['odds'] })
    await byHand.until('a snapshot', () => client.of('snapshot:complete').length > 0)
    expect(client.prices().size).toBe(2)
  })

  it.each([
    { type: 'keepalive' },
    { type: 'keepalive', id: 1 },
    { type: 'refresh_token' },
    { type: 'auth', token: '' },
  ])('whose first frame is %j gets everything all the same', async (frame) => {
    const client = byHand.open('')
    client.say(frame)
    await byHand.until('a snapshot', () => client.of('snapshot:complete').length > 0)
    expect(client.of('error')).toHaveLength(1)
    expect(client.prices().size).toBe(2)
  })

  it.each([
    { type: 'subscribe', channels: ['arb'] },
    { type: 'query', leagues: ['nba'] },
  ])('whose first frame %j may have been a query is told that it must send one', async (frame) => {
    const client = byHand.open('')
    client.say(frame)
    await byHand.pass(5_000)
    const [{ message }] = client.of('error')
    expect(message).toMatch(/ No data is sent before a valid subscribe\.$/)
    expect(client.of('subscribed')).toEqual([])
  })

  it('without a key is told so, whatever is wrong with its frames, and gets everything after auth', async () => {
    const client = byHand.open('', 'sharp', '')
    client.say({ type: 'subscribe', channels: ['arb'] })
    client.say({ type: 'refresh_token' })
    client.say({ type: 'auth', token: '' })
    expect(codes(client)).toEqual(['not_authenticated', 'not_authenticated', 'missing_token'])
    client.say({ type: 'auth', token: 'sharp' })
    await byHand.until('a snapshot', () => client.of('snapshot:complete').length > 0)
    expect(client.prices().size).toBe(2)
  })

  it('that is one too many while the board loads is told to come back', async () => {
    const ready = byHand.notReady()
    for (let held = 0; held < 10_000; held++) byHand.open('channels=odds')
    const client = byHand.open('channels=odds')
    expect([codes(client), client.state.closed]).toEqual([['upstream_error'], 1013])
    ready()
  })

  it('with an unknown key is told not to come back', () => {
    const client = byHand.open('channels=odds', 'sharp', 'nobody')
    expect([codes(client), client.state.closed]).toEqual([['invalid_api_key'], 4001])
  })
})
