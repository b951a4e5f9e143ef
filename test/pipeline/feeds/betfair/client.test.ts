import { describe, expect, it } from 'vitest'
import { type BetfairConfig, createBetfairFeed } from '../../../../pipeline/feeds/betfair/source.ts'
import { createRecordingSink } from '../loopback.ts'
import { hasPayloads, loadLines, loadPayload, oddsOf } from '../payloads.ts'
import { catalogue, definition, image, openExchange, success, update } from './exchange.ts'

async function run(
  exchange: Awaited<ReturnType<typeof openExchange>>,
  until: (seen: ReturnType<typeof createRecordingSink>) => boolean,
  more: Partial<BetfairConfig> = {},
) {
  const recording = createRecordingSink()
  const controller = new AbortController()
  const feed = createBetfairFeed({
    appKey: 'app',
    session: async () => 'token',
    marketFilter: { eventTypeIds: ['1'] },
    loadCatalogue: async () => catalogue,
    backoffMs: 5,
    connect: exchange.connect,
    ...more,
  })
  const running = feed.run(recording.sink, controller.signal)
  await recording.until(() => until(recording))
  controller.abort()
  await running
  return recording
}

const oddsIn = ({ records }: ReturnType<typeof createRecordingSink>) =>
  oddsOf({ records: records as never })

describe('the feed of Betfair', () => {
  it('signs in, subscribes, and publishes the image and its changes', async () => {
    const exchange = await openExchange((message, say) => {
      if (message.op === 'authentication') say(success(1))
      else {
        say(success(2), image(2.5))
        say({ op: 'mcm', id: 2, ct: 'HEARTBEAT', pt: 1_500, clk: 'c1' })
        say(update(2_000, { id: '1.1', rc: [{ id: 1, batb: [[0, 2.6, 5]] }] }))
        say(
          update(3_000, {
            id: '1.1',
            marketDefinition: definition({ inPlay: true, status: 'SUSPENDED' }),
          }),
        )
        say(update(4_000, { id: '1.1', marketDefinition: definition({ inPlay: true }) }))
        say(
          update(5_000, {
            id: '1.1',
            marketDefinition: definition({
              inPlay: true,
              status: 'CLOSED',
              runners: [
                { id: 1, status: 'WINNER' },
                { id: 2, status: 'LOSER' },
              ],
            }),
          }),
        )
      }
    })
    const seen = await run(exchange, (recording) => oddsIn(recording).length >= 5)
    expect(exchange.heard).toEqual([
      { op: 'authentication', id: 1, appKey: 'app', session: 'token' },
      {
        op: 'marketSubscription',
        id: 2,
        marketFilter: { eventTypeIds: ['1'] },
        marketDataFilter: { fields: ['EX_BEST_OFFERS', 'EX_MARKET_DEF'], ladderLevels: 3 },
        heartbeatMs: 5_000,
        conflateMs: 0,
        segmentationEnabled: true,
      },
    ])
    const published = seen.records.map((record) =>
      record.type === 'odds'
        ? [record.mode, record.markets[0]?.suspended, record.markets[0]?.selections[0]?.price]
        : 'status' in record
          ? record.status
          : record.type,
    )
    expect(published).toEqual([
      'up',
      'upcoming',
      ['snapshot', false, 2.5],
      ['delta', false, 2.6],
      'live',
      ['delta', true, 2.6],
      ['delta', false, 2.6],
      'final',
      ['delta', false, null],
    ])
    expect(oddsIn(seen).map(({ observedAt }) => observedAt)).toEqual([
      1_000, 2_000, 3_000, 4_000, 5_000,
    ])
  })

  it('resumes a lost connection from its tokens', async () => {
    const exchange = await openExchange((message, say, socket, nth) => {
      if (message.op === 'authentication') return say(success(1))
      say(success(2))
      if (nth === 1) {
        say(image(2.5), update(2_000, { id: '1.1', rc: [{ id: 1, batb: [[0, 2.6, 5]] }] }, 'c7'))
        setTimeout(() => socket.end(), 30)
      } else {
        say({
          ...update(3_000, { id: '1.1', rc: [{ id: 2, batb: [[0, 2.9, 5]] }] }),
          ct: 'RESUB_DELTA',
        })
      }
    })
    const seen = await run(exchange, (recording) => oddsIn(recording).length >= 3)
    expect(exchange.heard.at(-1)).toMatchObject({ initialClk: 'i1', clk: 'c7' })
    expect(oddsIn(seen)[2]?.markets[0]?.selections.map(({ price }) => price)).toEqual([2.6, 2.9])
    expect(seen.skips.map(({ reason }) => reason)).toEqual(['stream_closed'])
  })

  it('starts with an image when its tokens are refused, and withdraws what that lacks', async () => {
    const exchange = await openExchange((message, say, socket, nth) => {
      if (message.op === 'authentication') return say(success(1))
      if (nth === 1) {
        say(success(2), image(2.5))
        setTimeout(() => socket.end(), 30)
      } else if (nth === 2) {
        say({ op: 'status', id: 2, statusCode: 'FAILURE', errorCode: 'INVALID_CLOCK' })
      } else say(success(2), image(2.5, { mc: [], pt: 9_000 }))
    })
    const seen = await run(exchange, (recording) => oddsIn(recording).length >= 2)
    expect(exchange.heard.at(-1)).not.toHaveProperty('clk')
    expect(oddsIn(seen)[1]).toMatchObject({
      mode: 'snapshot',
      observedAt: 9_000,
      event: { externalId: '77' },
      markets: [],
    })
  })

  it('takes silence for a lost connection, and an unreadable line for a broken book', async () => {
    const exchange = await openExchange((message, say, socket, nth) => {
      if (message.op === 'authentication') return say(success(1))
      if (nth === 1) return say(success(2), image(2.5))
      if (nth === 2) {
        say(success(2))
        socket.write('{"op":"mcm","pt":\r\n')
      } else say(success(2), image(2.7, { pt: 2_000 }))
    })
    const seen = await run(exchange, (recording) => oddsIn(recording).length >= 2, {
      idleMs: 500,
    })
    // The third connection says nothing after its image either: on a busy machine that is taken for a loss too.
    const skips = seen.skips.map(({ reason }) => reason).slice(0, 2)
    expect(skips).toEqual(['stream_idle', 'stream_malformed'])
    // After the first loss it resumes. After the second it requests an image.
    const subscriptions = exchange.heard.filter(({ op }) => op === 'marketSubscription')
    expect(subscriptions.map(({ clk }) => clk).slice(0, 3)).toEqual([undefined, 'c1', undefined])
  })

  it('is down after three refusals, and up with the first message after', async () => {
    const exchange = await openExchange((message, say, _, nth) => {
      if (message.op === 'authentication') {
        const refused = { op: 'status', id: 1, statusCode: 'FAILURE', errorCode: 'NO_SESSION' }
        say(nth <= 3 ? refused : success(1))
      } else say(success(2), image(2.5))
    })
    const seen = await run(exchange, (recording) => oddsIn(recording).length >= 1, {
      forgetSession: () => {},
    })
    const statuses = seen.records.filter(({ type }) => type === 'book_status')
    expect(statuses).toMatchObject([{ status: 'down' }, { status: 'up' }])
    expect(seen.skips.map(({ reason }) => reason)).toEqual(Array(3).fill('stream_no_session'))
  })

  it('states everything again after a while of heartbeats', async () => {
    const exchange = await openExchange((message, say) => {
      if (message.op === 'authentication') return say(success(1))
      say(success(2), image(2.5), { op: 'mcm', id: 2, ct: 'HEARTBEAT', pt: 40_000, clk: 'c2' })
    })
    const seen = await run(exchange, (recording) => oddsIn(recording).length >= 2)
    expect(oddsIn(seen)[1]).toMatchObject({ mode: 'snapshot', observedAt: 40_000 })
  })

  it('publishes nothing while the stream lags, and everything after', async () => {
    const exchange = await openExchange((message, say) => {
      if (message.op === 'authentication') return say(success(1))
      say(success(2), image(2.5))
      const better = { id: '1.1', rc: [{ id: 1, batb: [[0, 2.6, 5]] }] }
      say({ ...update(2_000, better), status: 503 })
      say({ op: 'mcm', id: 2, ct: 'HEARTBEAT', pt: 40_000, clk: 'c2', status: 503 })
      say({ op: 'mcm', id: 2, ct: 'HEARTBEAT', pt: 41_000, clk: 'c2', status: null })
    })
    const seen = await run(exchange, (recording) => oddsIn(recording).length >= 2)
    expect(oddsIn(seen)).toMatchObject([
      { observedAt: 1_000 },
      {
        mode: 'snapshot',
        observedAt: 41_000,
        markets: [{ selections: [{ price: 2.6 }, { price: 3 }] }],
      },
    ])
    expect(seen.skips.map(({ reason }) => reason)).toEqual(['stream_lagging'])
  })

  it('continues without the names of a market when the catalogue fails', async () => {
    const exchange = await openExchange((message, say) => {
      if (message.op === 'authentication') return say(success(1))
      say(success(2), image(2.5))
    })
    const seen = await run(exchange, ({ skips }) => skips.length >= 2, {
      loadCatalogue: () => Promise.reject(new Error('no catalogue')),
    })
    expect(seen.skips.slice(0, 2).map(({ reason }) => reason)).toEqual([
      'fetch_catalogue',
      'no_catalogue',
    ])
  })

  it('publishes other prices while names of a new market are on their way, and then that market', async () => {
    let release = (_answer: unknown) => {}
    const later = new Promise((resolve) => {
      release = resolve
    })
    const exchange = await openExchange((message, say) => {
      if (message.op === 'authentication') return say(success(1))
      say(success(2), image(2.5))
      const total = { marketDefinition: definition({ marketType: 'DRAW_NO_BET' }) }
      say(update(2_000, { id: '1.2', ...total, rc: [{ id: 1, batb: [[0, 1.7, 5]] }] }))
      say(update(3_000, { id: '1.1', rc: [{ id: 1, batb: [[0, 2.6, 5]] }] }))
    })
    const pricesIn = (recording: ReturnType<typeof createRecordingSink>) =>
      oddsIn(recording)
        .at(-1)
        ?.markets.map(({ externalId, selections }) => [externalId, selections[0]?.price])
    const seen = await run(
      exchange,
      (recording) => {
        const prices = pricesIn(recording)
        if (prices?.[0]?.[1] === 2.6) release([{ ...catalogue[0], marketId: '1.2' }])
        return prices?.length === 2
      },
      { loadCatalogue: async (ids) => (ids.includes('1.2') ? later : catalogue) },
    )
    expect(pricesIn(seen)).toEqual([
      ['1.1', 2.6],
      ['1.2', 1.7],
    ])
    expect(oddsIn(seen).at(-1)).toMatchObject({ mode: 'snapshot', observedAt: 3_000 })
    expect(seen.skips).toEqual([])
  })

  it('asks for names again that the catalogue did not have, also of a market that is quiet', async () => {
    const exchange = await openExchange((message, say) => {
      if (message.op === 'authentication') return say(success(1))
      say(success(2), image(2.5))
    })
    let calls = 0
    const seen = await run(exchange, (recording) => oddsIn(recording).length >= 1, {
      async loadCatalogue() {
        if (++calls > 1) return catalogue
        exchange.say({ op: 'mcm', id: 2, ct: 'HEARTBEAT', pt: 40_000, clk: 'c2' })
        throw new Error('no catalogue')
      },
    })
    expect(oddsIn(seen)[0]).toMatchObject({ observedAt: 40_000, event: { externalId: '77' } })
    expect(calls).toBe(2)
  })

  it('ends with the fault of the sink, also when names have come', async () => {
    const exchange = await openExchange((message, say) => {
      if (message.op === 'authentication') return say(success(1))
      say(success(2), image(2.5))
    })
    const feed = createBetfairFeed({
      appKey: 'app',
      session: async () => 'token',
      marketFilter: {},
      connect: exchange.connect,
      loadCatalogue: async () => catalogue,
    })
    const { sink } = createRecordingSink()
    const publish: typeof sink.publish = async (records) => {
      if (records.some(({ type }) => type === 'odds')) throw new Error('log is gone')
    }
    const running = feed.run({ ...sink, publish }, new AbortController().signal)
    await expect(running).rejects.toThrow('log is gone')
  })

  it('ends with the fault of the sink', async () => {
    const exchange = await openExchange((message, say) => {
      if (message.op === 'authentication') return say(success(1))
      say(success(2), image(2.5))
    })
    const feed = createBetfairFeed({
      appKey: 'app',
      session: async () => 'token',
      marketFilter: {},
      connect: exchange.connect,
      loadCatalogue: async () => catalogue,
    })
    const sink = { publish: () => Promise.reject(new Error('log is gone')), skipped: () => {} }
    await expect(feed.run(sink, new AbortController().signal)).rejects.toThrow('log is gone')
  })

  it.skipIf(!hasPayloads)(
    'plays a recording, of a race, to its end (needs ../shared)',
    async () => {
      const lines = loadLines('series/betfair-stream/1.197931750.jsonl.gz')
      const exchange = await openExchange((message, say, socket) => {
        if (message.op === 'authentication') return say(success(1))
        say(success(2))
        // Sent in chunks that end in the middle of lines and of characters.
        const bytes = Buffer.from(`${lines.join('\r\n')}\r\n`)
        for (let at = 0; at < bytes.length; at += 1_000)
          socket.write(bytes.subarray(at, at + 1_000))
      })
      const seen = await run(exchange, ({ skips }) => skips.length >= 200, {
        loadCatalogue: async () => loadPayload('series/betfair-stream/1.197931750.catalogue.json'),
      })
      expect(exchange.connections()).toBe(1)
      expect(new Set(seen.skips.map(({ reason }) => reason))).toEqual(new Set(['race']))
      expect(seen.records.map(({ type }) => type)).toEqual(['book_status'])
    },
  )
})
