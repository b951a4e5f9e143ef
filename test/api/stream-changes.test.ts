/** A WebSocket changes its query: what stays is not sent again, what it may no longer see ends, the rest comes anew. */

import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  countFrame,
  createFrameRate,
  framesPerSecond,
} from '../../api/stream/sessions/frame-rate.ts'
import { knicks, leeds } from './small-board.ts'
import { createStreamsByHand } from './streams-without-sockets.ts'

type Streams = ReturnType<typeof createStreamsByHand>
type Client = ReturnType<Streams['open']>

const ids = [knicks, leeds, 'third', 'fourth']

const legs = (price: number) =>
  [
    { sportsbook: 'draftkings', price },
    { sportsbook: 'fanduel', price, selectionType: 'away' },
  ] as const

/** Sets the profit of a game's arbitrage: 2.05 for each leg is 2.5 %. */
function arbitrage(by: Streams, id: string, price: number) {
  by.odds(id, ...legs(price))
  by.arbitrage(id, ...legs(price))
}

const complete = (by: Streams, client: Client, times = 1) =>
  by.until('the snapshot', () => client.of('snapshot:complete').length >= times)

/** Sends a frame. @returns the types of the frames from then on */
async function typesAfter(by: Streams, client: Client, frame: object) {
  const from = client.frames.length
  client.say(frame)
  await by.pass(1_500)
  return client.frames.slice(from).map(({ type }) => type)
}

describe('a WebSocket that changes its query', () => {
  let by: Streams
  beforeEach(() => {
    by = createStreamsByHand()
    for (const [i, id] of ids.entries()) {
      by.event(id)
      arbitrage(by, id, 2.01 + i / 50)
    }
  })
  afterEach(() => by.close())

  const all = 'channels=odds,arbitrage,low_hold,gamestate'

  it.each([{ type: 'subscribe' }, { type: 'filter', filters: { min_profit: 0.5 } }])(
    'to the same one gets a confirmation at once and nothing else: %j',
    async (frame) => {
      for (const query of [all, 'channels=odds', 'channels=low_hold,arbitrage&league=nba']) {
        const client = by.open(query, 'enterprise')
        await complete(by, client)
        expect([query, await typesAfter(by, client, frame)]).toEqual([query, ['subscribed']])
      }
    },
  )

  it('with fewer channels gets a confirmation, and no more of the others', async () => {
    const client = by.open(all, 'enterprise')
    await complete(by, client)
    await by.pass(500)
    const fewer = { type: 'subscribe', channels: ['odds', 'low_hold'] }
    expect(await typesAfter(by, client, fewer)).toEqual(['subscribed'])
    by.advance(100)
    by.odds(knicks, ...legs(1.9))
    const from = client.frames.length
    await by.pass(500)
    expect(client.frames.slice(from).map(({ type, source }) => [type, source])).toEqual([
      ['odds:update', 'draftkings'],
      ['odds:update', 'fanduel'],
    ])
  })

  it.each(['odds,arbitrage', 'arbitrage'])(
    'with a higher least profit on %s gets the expiry of those below, and no snapshot',
    async (channels) => {
      const client = by.open(`channels=${channels}`)
      await complete(by, client)
      await by.pass(500)
      const from = client.frames.length
      const higher = { type: 'filter', filters: { min_profit: 2 } }
      expect(await typesAfter(by, client, higher)).toEqual(['subscribed', 'arb:expired'])
      const ended = [knicks, leeds].map((id) => `arbitrage of ${id}`)
      expect(new Set(client.of('arb:expired', from)[0].data.expired)).toEqual(new Set(ended))
      by.advance(100)
      arbitrage(by, leeds, 2.09)
      arbitrage(by, 'fourth', 2.02)
      await by.pass(500)
      expect(client.of('arb:detected', from)).toMatchObject([{ data: [{ event_id: leeds }] }])
      expect(client.of('arb:expired', from).at(-1)).toMatchObject({
        data: { expired: ['arbitrage of fourth'] },
      })
    },
  )

  it('narrowed twice while its socket is full gets the expiry of all that it holds no more', async () => {
    const client = by.open('channels=arbitrage')
    await complete(by, client)
    await by.pass(500)
    client.state.isFull = true
    client.say({ type: 'ping' })
    by.advance(100)
    arbitrage(by, 'fourth', 1.9)
    await by.pass(200)
    for (const least of [1, 2]) {
      client.say({ type: 'filter', filters: { min_profit: least } })
      await by.pass(600)
    }
    expect(client.of('arb:expired')).toEqual([])
    client.state.isFull = false
    client.session.drained()
    await by.pass(200)
    const expired = client.of('arb:expired').flatMap(({ data }) => data.expired)
    expect(expired.sort()).toEqual(
      [knicks, leeds, 'fourth'].map((id) => `arbitrage of ${id}`).sort(),
    )
    expect(client.of('snapshot:complete')).toHaveLength(1)
  })

  it.each([
    ['a lower least profit', { type: 'filter', filters: { min_profit: 0.1 } }, 1],
    ['a further family', { type: 'subscribe', channels: ['odds', 'arbitrage', 'low_hold'] }, 2],
  ])('with %s gets its opportunities anew, and no prices', async (_, frame, families) => {
    const client = by.open('channels=odds,arbitrage')
    await complete(by, client)
    await by.pass(500)
    expect(await typesAfter(by, client, frame)).toEqual([
      'subscribed',
      ...Array(families).fill('opportunities_snapshot'),
      'snapshot:complete',
    ])
  })

  it('with a further channel gets that one alone, and misses no price meanwhile', async () => {
    const client = by.open('channels=odds')
    await complete(by, client)
    await by.pass(500)
    const from = client.frames.length
    client.say({ type: 'subscribe', channels: ['odds', 'arbitrage'] })
    by.advance(100)
    by.odds(knicks, ...legs(1.9))
    await complete(by, client, 2)
    await by.pass(100)
    const after = client.frames.slice(from)
    expect(after.map(({ type }) => type)).toEqual([
      'subscribed',
      'opportunities_snapshot',
      'snapshot:complete',
      'odds:update',
      'odds:update',
    ])
    expect(after[2]).toMatchObject({ resumed: true, progressive: false, total_odds: 0 })
  })

  it('with wider prices gets those alone', async () => {
    const client = by.open(`channels=odds,arbitrage,low_hold&fields=line`)
    await complete(by, client)
    await by.pass(500)
    const wider = { type: 'filter', filters: { fields: null } }
    expect(await typesAfter(by, client, wider)).toEqual([
      'subscribed',
      'initial',
      'initial',
      'snapshot:complete',
    ])
    expect(client.of('snapshot:complete')[1]).toMatchObject({ resumed: false, total_odds: 8 })
  })

  it('gets the whole board if it is read again before the change is sent', async () => {
    const client = by.open('channels=odds')
    await complete(by, client)
    await by.pass(500)
    client.say({ type: 'subscribe', channels: ['odds', 'arbitrage'] })
    by.replace()
    await complete(by, client, 2)
    expect(client.state.closed).toBe(null)
    expect(client.of('snapshot:complete')[1]).toMatchObject({ resumed: false, total_odds: 8 })
  })

  it('ends with the rows of a new one, whatever it was before', async () => {
    const id = fc.constantFrom(...ids)
    const channels = fc.subarray(['odds', 'arbitrage', 'low_hold', 'gamestate'], { minLength: 1 })
    const filters = fc.record(
      {
        min_profit: fc.constantFrom(0.5, 1, 2, 4),
        leagues: fc.constantFrom(null, ['nba'], ['nba', 'england_-_premier_league']),
        sportsbooks: fc.constantFrom(null, ['draftkings'], ['draftkings', 'fanduel']),
      },
      { requiredKeys: [] },
    )
    const step = fc.oneof(
      fc.record({ do: fc.constant('change' as const), channels, filters }),
      fc.record({ do: fc.constant('price' as const), id, price: fc.integer({ min: 0, max: 9 }) }),
      fc.record({ do: fc.constant('full' as const), isFull: fc.boolean() }),
      fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(1, 20, 150, 700) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
        const streams = createStreamsByHand()
        for (const id of ids) {
          streams.event(id)
          arbitrage(streams, id, 2.03)
        }
        const client = streams.open('', 'enterprise')
        await complete(streams, client)
        let query: object = { type: 'subscribe' }
        const drain = () => {
          client.state.isFull = false
          client.session.drained()
        }
        let named: object = {}
        for (const of of steps) {
          streams.advance(10)
          if (of.do === 'price') arbitrage(streams, of.id, 1.98 + of.price / 50)
          else if (of.do === 'pass') await streams.pass(of.ms)
          else if (of.do === 'full') {
            if (of.isFull) client.state.isFull = true
            else drain()
          } else {
            named = { ...named, ...of.filters }
            query = { type: 'subscribe', channels: of.channels, filters: named }
            client.say({ type: 'subscribe', channels: of.channels, filters: of.filters })
          }
        }
        drain()
        await streams.pass(2_000)
        const fresh = streams.open('', 'enterprise')
        fresh.say(query)
        await complete(streams, fresh)
        expect(heldBy(client)).toEqual(heldBy(fresh))
        streams.close()
      }),
      { numRuns: 60 },
    )
  })

  it('whose sportsbooks have no rows gets no rows', async () => {
    const client = by.open('channels=odds&sportsbook=nope&league=nba')
    await complete(by, client)
    expect(client.of('initial')).toEqual([])
    expect(client.of('snapshot:complete')).toMatchObject([{ books: [], total_odds: 0 }])
  })
})

/** Returns what a client holds that follows the frames, and drops what its filters leave out. */
function heldBy({ frames }: Client) {
  const odds = new Map<string, { sportsbook: string; league: string; odds_decimal: number }>()
  const arbitrages = new Set<string>()
  let isNew = true
  for (const { type, data, ids, arbitrage, channels, leagues, sportsbooks } of frames) {
    if (type === 'subscribed') {
      isNew = true
      if (channels && !channels.includes('arbitrage')) arbitrages.clear()
      for (const [id, { league, sportsbook }] of odds) {
        const isOut = (among: string[] | null, value: string) => among && !among.includes(value)
        const isLeft = channels && !channels.includes('odds')
        if (isLeft || isOut(leagues, league) || isOut(sportsbooks, sportsbook)) odds.delete(id)
      }
    } else if (type === 'initial' || type === 'odds:update') {
      if (type === 'initial' && isNew) odds.clear()
      if (type === 'initial') isNew = false
      for (const row of data) odds.set(row.id, row)
    } else if (type === 'odds:removed') for (const id of ids) odds.delete(id)
    else if (type === 'opportunities_snapshot' && arbitrage) {
      arbitrages.clear()
      for (const { id } of arbitrage) arbitrages.add(id)
    } else if (type === 'arb:detected') {
      for (const { id } of data) {
        expect([id, arbitrages.has(id)]).toEqual([id, false])
        arbitrages.add(id)
      }
    } else if (type === 'arb:expired') {
      for (const id of data.expired) expect([id, arbitrages.delete(id)]).toEqual([id, true])
    }
  }
  const prices = Array.from(odds, ([id, { odds_decimal }]) => [id, odds_decimal])
  return { prices: prices.sort(), arbitrages: [...arbitrages].sort() }
}

describe('frames above the limit', () => {
  const second = (rate: ReturnType<typeof createFrameRate>, at: number, count: number) =>
    Array.from({ length: count }, () => countFrame(rate, at * 1_000)).at(-1)

  it('end the connection in the fifth second in a row, not after pauses', () => {
    const rate = createFrameRate()
    const over = framesPerSecond + 1
    for (let at = 0; at < 60; at += 6) expect(second(rate, at, over)).toBe('refused')
    const inARow = [100, 101, 102, 103, 104].map((at) => second(rate, at, over))
    expect(inARow).toEqual(['refused', 'refused', 'refused', 'refused', 'last'])
  })

  it('count anew after a second within the limit', () => {
    const rate = createFrameRate()
    for (let at = 0; at < 40; at++) {
      const count = at % 4 === 3 ? framesPerSecond : framesPerSecond + 1
      expect(second(rate, at, count)).not.toBe('last')
    }
  })
})
