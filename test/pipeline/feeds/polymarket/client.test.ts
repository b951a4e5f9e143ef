import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { createPolymarketFeed } from '../../../../pipeline/feeds/polymarket/source.ts'
import type { OddsRecord } from '../../../../schemas/feed-record.ts'
import { polymarketBook, polymarketEvents, polymarketTokens } from '../exchange-payloads.ts'
import { createRecordingSink } from '../loopback.ts'
import { type Answering, answerJson, openSource, runFeed } from '../loopback-source.ts'

const gamma: Answering = (path, response, request) => {
  const { pathname, searchParams } = new URL(path, 'http://localhost')
  if (pathname === '/sports') {
    answerJson([{ sport: 'nba', series: '10345', tags: '1,745' }])(path, response, request)
  } else if (searchParams.get('series_id') === '10345') {
    answerJson(polymarketEvents)(path, response, request)
  } else response.writeHead(404).end()
}

type Talk = (socket: WebSocket, message: string) => void
const sendBooks: Talk = (socket, message) => {
  if (message === 'PING') socket.send('PONG')
  else socket.send(JSON.stringify(polymarketTokens.map(polymarketBook)))
}

let source: Awaited<ReturnType<typeof openSource>>
let stream: WebSocketServer
let talk: Talk
let sockets: WebSocket[]
let heard: string[]
let paths: (string | undefined)[]

beforeEach(async () => {
  source = await openSource(gamma)
  talk = sendBooks
  sockets = []
  heard = []
  paths = []
  stream = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  stream.on('connection', (socket, request) => {
    sockets.push(socket)
    paths.push(request.url)
    socket.on('message', (data) => {
      heard.push(data.toString())
      talk(socket, data.toString())
    })
  })
  await new Promise((resolve) => stream.once('listening', resolve))
})
afterEach(async () => {
  for (const socket of stream.clients) socket.terminate()
  await new Promise((resolve) => stream.close(resolve))
  await source.close()
})

const open = (settings: object) =>
  createPolymarketFeed({
    baseUrl: source.baseUrl,
    streamUrl: `ws://127.0.0.1:${(stream.address() as AddressInfo).port}`,
    leagues: ['nba'],
    idleMs: 30_000,
    booksWaitMs: 30_000,
    backoffMs: 1,
    downAfterAttempts: 1,
    http: { timeoutMs: 30_000, retries: 0, backoffMs: 1 },
    ...settings,
  })
const start = (settings: object = {}) => runFeed(open(settings))

const priceOf = (run: ReturnType<typeof start>, selectionType: string) =>
  run
    .odds()
    .at(-1)
    ?.markets.find(({ marketType }) => marketType === 'moneyline')
    ?.selections.find((selection) => selection.selectionType === selectionType)

describe('Polymarket as a feed', () => {
  const changeTo = (price: string) => {
    const sell = { asset_id: 'win-1', side: 'SELL' }
    const price_changes = [
      { ...sell, price: '0.5', size: '0' },
      { ...sell, price, size: '20' },
    ]
    return JSON.stringify({ event_type: 'price_change', price_changes })
  }

  it('publishes changes while Gamma does not respond', async () => {
    const run = start({ refreshMs: 20, pingMs: 5 })
    await run.until(() => run.odds().length > 0)
    let isAsked = false
    source.answerWith(() => {
      isAsked = true
    })
    await run.until(() => isAsked)
    sockets[0]?.send(changeTo('0.4'))
    await run.until(() => priceOf(run, 'away')?.price === 2.5)
    await run.stop()
    expect(sockets).toHaveLength(1)
  })

  it('continues with the known games on a new connection while Gamma fails', async () => {
    const run = start({ refreshMs: 20, repeatMs: 20, pingMs: 5 })
    await run.until(() => run.odds().length > 0)
    source.answerWith((_path, response) => void response.writeHead(500).end())
    await run.until(() => run.skips.some(({ reason }) => reason === 'fetch_http_500'))
    sockets[0]?.terminate()
    await run.until(() => sockets.length > 1)
    const { length } = run.odds()
    await run.until(() => run.odds().length > length)
    await run.stop()
    expect(run.statuses()).toEqual(['up', 'down', 'up'])
    expect(priceOf(run, 'away')?.price).toBe(2)
  })

  const later = (text: string) => text.replaceAll('2026-12-01', '2026-12-02').replace('900', '999')
  it.each([
    ['a new game', later, '999'],
    ['a new market of one of them', (text: string) => text.replace('900', '903'), '903'],
  ])('publishes the games it knows while %s waits for its books', async (_, asAnother, id) => {
    const run = start({ refreshMs: 20, pingMs: 5 })
    await run.until(() => run.odds().length > 0)
    const [first] = polymarketEvents
    const added = JSON.parse(asAnother(JSON.stringify(first).replaceAll('win-', 'new-')))
    source.answerWith((path, response, request) =>
      path.startsWith('/sports')
        ? gamma(path, response, request)
        : answerJson([...polymarketEvents, added])(path, response, request),
    )
    talk = (socket, message) => {
      if (message === 'PING') socket.send('PONG')
    }
    await run.until(() => heard.some((text) => text.includes('new-1')))
    sockets[0]?.send(changeTo('0.4'))
    await run.until(() => priceOf(run, 'away')?.price === 2.5)
    await run.stop()
    expect(run.odds().map(({ event }) => event.externalId)).not.toContain(id)
  })

  it('ends a connection whose frames wait too long for the log, and begins with new books', async () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const { sink, records, skips, until } = createRecordingSink()
    const stopping = new AbortController()
    const feed = open({ bufferMax: 20_000 })
    const running = feed.run(
      {
        ...sink,
        async publish(published) {
          await sink.publish(published)
          if (published.some(({ type }) => type === 'odds')) await released
        },
      },
      stopping.signal,
    )
    const odds = () => records.filter(({ type }) => type === 'odds') as OddsRecord[]
    await until(() => odds().length > 0)
    const closed = new Promise((resolve) => sockets[0]?.once('close', resolve))
    for (let sent = 0; sent < 200; sent++) sockets[0]?.send(changeTo('0.4'))
    await closed
    release()
    await until(() => odds().length > 1)
    stopping.abort()
    await running
    expect(skips.map(({ reason }) => reason)).toContain('stream_overrun')
    expect(sockets).toHaveLength(2)
    expect(odds()[1]).toEqual({ ...odds()[0], observedAt: odds()[1]?.observedAt })
  })

  it('requests all tokens of its games and publishes a game when its books have come', async () => {
    const run = start()
    await run.until(() => run.odds().length > 0)
    await run.stop()
    expect(paths).toEqual(['/ws/market'])
    expect(JSON.parse(heard[0] as string)).toEqual({
      assets_ids: expect.arrayContaining(polymarketTokens),
      type: 'market',
    })
    expect(run.statuses()).toEqual(['up'])
    expect(run.odds()).toHaveLength(1)
    expect(priceOf(run, 'away')).toMatchObject({ price: 2, maxBet: 50 })
  })

  it('folds changes into the books and publishes the game that they touch', async () => {
    const run = start()
    await run.until(() => run.odds().length > 0)
    const change = (changes: object[]) =>
      sockets[0]?.send(JSON.stringify({ event_type: 'price_change', price_changes: changes }))
    const sell = { asset_id: 'win-1', side: 'SELL' }
    change([
      { ...sell, price: '0.4', size: '20' },
      { ...sell, side: 'BUY', price: '0.39', size: '20' },
    ])
    await run.until(() => priceOf(run, 'away')?.price === 2.5)
    expect(priceOf(run, 'away')?.maxBet).toBe(8)
    sockets[0]?.send(JSON.stringify({ event_type: 'last_trade_price', asset_id: 'win-1' }))
    change([{ ...sell, price: '0.4', size: '0' }])
    await run.until(() => priceOf(run, 'away')?.price === 2)
    await run.stop()
    expect(run.skips.filter(({ reason }) => reason.startsWith('stream'))).toEqual([])
  })

  it('waits a limited time for missing books', async () => {
    const [first] = polymarketTokens
    talk = (socket) => socket.send(JSON.stringify(polymarketBook(first as string)))
    const run = start({ booksWaitMs: 20, repeatMs: 20 })
    await run.until(() => run.odds().length > 2)
    await run.stop()
    expect(run.odds()[0]?.markets.flatMap(({ selections }) => selections)).toHaveLength(1)
  })

  it('states all games again with each reading of Gamma, and withdraws those that are gone', async () => {
    const run = start({ refreshMs: 20, pingMs: 5 })
    await run.until(() => run.odds().length > 2)
    source.answerWith((path, response, request) =>
      (path.startsWith('/sports') ? gamma : answerJson([]))(path, response, request),
    )
    await run.until(() => run.odds().at(-1)?.markets.length === 0)
    await run.until(() => heard.some((text) => text.includes('"operation":"unsubscribe"')))
    await run.stop()
    expect(run.odds().at(-1)).toMatchObject({ mode: 'snapshot', event: { externalId: '900' } })
  })

  it('states unchanged games again, while Gamma fails too', async () => {
    const run = start({ refreshMs: 20, repeatMs: 10, pingMs: 5 })
    await run.until(() => run.odds().length > 0)
    source.answerWith((_path, response) => void response.writeHead(500).end())
    await run.until(() => run.skips.some(({ reason }) => reason === 'fetch_http_500'))
    const { length } = run.odds()
    await run.until(() => run.odds().length > length + 2)
    await run.stop()
    expect(run.statuses()).toEqual(['up'])
    expect(sockets).toHaveLength(1)
    expect(priceOf(run, 'away')?.price).toBe(2)
  })

  const afterFirst =
    (talkOfOthers: Talk): Talk =>
    (socket, message) => {
      if (message === 'PING') return socket.send('PONG')
      const isFirst = socket === sockets[0]
      if (isFirst) sendBooks(socket, message)
      else talkOfOthers(socket, message)
    }
  const sendCheaper: Talk = (socket, message) => {
    sendBooks(socket, message)
    socket.send(changeTo('0.4'))
  }

  it('begins a new connection when only its PING is answered, and reads the books anew', async () => {
    talk = afterFirst(sendCheaper)
    const run = start({ quietMs: 300, pingMs: 20, repeatMs: 20 })
    await run.until(() => priceOf(run, 'away')?.price === 2.5)
    await run.stop()
    expect(sockets.length).toBeGreaterThan(1)
  })

  it('counts a connection as failed on which no book comes, though its PING is answered', async () => {
    talk = afterFirst(() => {})
    const run = start({ quietMs: 100, pingMs: 20, repeatMs: 20 })
    await run.until(() => run.skips.some(({ reason }) => reason === 'stream_no_books'))
    await run.until(() => run.statuses().at(-1) === 'down')
    await run.stop()
  })

  it('counts a connection as failed on which trades come, but no book', async () => {
    const trade = JSON.stringify({ event_type: 'last_trade_price', asset_id: 'none' })
    talk = afterFirst((socket) => {
      const timer = setInterval(() => socket.send(trade), 10)
      socket.on('close', () => clearInterval(timer))
    })
    const run = start({ quietMs: 100, pingMs: 20, repeatMs: 20 })
    await run.until(() => run.statuses().at(-1) === 'down')
    await run.stop()
    expect(run.skips.some(({ reason }) => reason === 'stream_no_books')).toBe(true)
  })

  it('replaces a connection that has become old, without counting it as failed', async () => {
    talk = afterFirst(sendCheaper)
    const run = start({ renewMs: 20, repeatMs: 20 })
    await run.until(() => priceOf(run, 'away')?.price === 2.5)
    await run.stop()
    expect(run.statuses()).toEqual(['up'])
    expect(run.skips.filter(({ reason }) => reason.startsWith('stream'))).toEqual([])
  })

  describe('on a new connection, where the book of one token does not come', () => {
    const noon = Date.parse('2026-11-30T12:00:00Z')
    const justBefore = Date.parse('2026-12-01T00:29:30Z')
    const late = 'win-2'

    /** Returns the run after a new connection `laterMs` after the first, where the away side has this ask. */
    async function renewed(ask: string, laterMs: number, from = noon) {
      let at = from
      talk = (socket, message) => {
        if (message === 'PING') return socket.send('PONG')
        const isFirst = socket === sockets[0]
        const tokens = polymarketTokens.filter((token) => isFirst || token !== late)
        socket.send(JSON.stringify(tokens.map(polymarketBook)))
        if (!isFirst) socket.send(changeTo(ask))
      }
      const http = { timeoutMs: 30_000, retries: 0, backoffMs: 1, now: () => at }
      const run = start({ booksWaitMs: 20, repeatMs: 20, http })
      await run.until(() => run.odds().length > 0)
      at += laterMs
      sockets[0]?.terminate()
      const price = Math.round(1000 / Number(ask)) / 1000
      await run.until(() => Math.abs((priceOf(run, 'away')?.price ?? 0) - price) < 0.001)
      return { ...run, pass: (ms: number) => (at += ms), now: () => at, run }
    }
    const observedAt = ({ odds }: ReturnType<typeof start>) => odds().at(-1)?.observedAt

    it('keeps its price with its own time until it is too old, or the book comes', async () => {
      const { run, pass, now, stop } = await renewed('0.6', 60_000)
      expect([priceOf(run, 'home')?.price, observedAt(run)]).toEqual([2, noon])
      pass(300_000)
      await run.until(() => observedAt(run) === now())
      expect(priceOf(run, 'home')).toBeUndefined()
      sockets.at(-1)?.send(JSON.stringify(polymarketBook(late)))
      await run.until(() => priceOf(run, 'home')?.price === 2)
      expect(observedAt(run)).toBe(now())
      await stop()
    })

    it.each([
      ['contradicts the book of the other', '0.4', noon],
      ['is from before the start', '0.6', justBefore],
    ])('withdraws a price that %s', async (_, ask, from) => {
      const { run, now, stop } = await renewed(ask, 45_000, from)
      await stop()
      expect(priceOf(run, 'home')).toBeUndefined()
      expect(observedAt(run)).toBe(now())
    })
  })

  it('is up without games, because nothing is subscribed to', async () => {
    source.answerWith((path, response, request) =>
      (path.startsWith('/sports') ? gamma : answerJson([]))(path, response, request),
    )
    const run = start({ quietMs: 20, refreshMs: 20 })
    await run.until(() => run.statuses().includes('up'))
    await run.stop()
    expect(run.skips).toEqual([])
  })

  const failures: Record<string, [Talk, string]> = {
    'a connection that drops': [(socket) => socket.terminate(), 'stream_closed'],
    silence: [() => {}, 'stream_idle'],
    'a frame that is no JSON': [(socket) => socket.send('{"event'), 'stream_malformed'],
    'a message of another shape': [
      (socket) => socket.send(JSON.stringify([{ event_type: 'book', asset_id: 'win-1' }])),
      'stream_malformed',
    ],
    'a size that is none': [
      (socket) => {
        const asks = [{ price: '0.5', size: 'many' }]
        socket.send(JSON.stringify([{ ...polymarketBook('win-1'), asks }]))
      },
      'stream_malformed',
    ],
  }
  it.each(Object.entries(failures))('counts %s and reconnects', async (_, [bad, reason]) => {
    talk = bad
    // Only the test of silence has a short timeout, so that a loaded machine does not count as silent.
    const run = start(reason === 'stream_idle' ? { idleMs: 100, pingMs: 20 } : {})
    // On a busy machine the handshake may take longer than the silence.
    await run.until(() => run.skips.some((skip) => skip.reason === reason))
    await run.until(() => run.statuses().includes('down'))
    expect(run.odds()).toEqual([])
    talk = sendBooks
    await run.until(() => run.odds().length > 0)
    await run.stop()
    expect(run.statuses().at(-1)).toBe('up')
  })

  const refusals: Record<string, [Answering, string]> = {
    'a refusal': [(_path, response) => void response.writeHead(401).end(), 'fetch_http_401'],
    'too many requests': [
      (_path, response) => void response.writeHead(429).end(),
      'fetch_http_429',
    ],
    'an error': [(_path, response) => void response.writeHead(500).end(), 'fetch_http_500'],
    'no JSON': [(_path, response) => void response.end('<html>'), 'fetch_not_json'],
    'another shape': [answerJson({ error: 'maintenance' }), 'fetch_malformed'],
  }
  it.each(Object.entries(refusals))(
    'counts %s of Gamma and comes back',
    async (_, [bad, reason]) => {
      source.answerWith(bad)
      const waits: number[] = []
      const run = start({
        http: {
          timeoutMs: 30_000,
          retries: 0,
          sleep: (ms: number) => {
            waits.push(ms)
            return new Promise((resolve) => setImmediate(resolve))
          },
        },
      })
      await run.until(() => run.statuses().includes('down') && waits.length > 0)
      // A source that refuses us is polled four times an hour.
      if (reason === 'fetch_http_401') expect(waits[0]).toBeGreaterThan(890_000)
      else expect(waits[0]).toBeLessThanOrEqual(30_000)
      expect(run.skips.map((skip) => skip.reason)).toContain(reason)
      source.answerWith(gamma)
      await run.until(() => run.odds().length > 0)
      await run.stop()
      expect(run.statuses()).toEqual(['down', 'up'])
      const healths = run.healths.map(({ state }) => state)
      expect(healths[0]).toBe(reason === 'fetch_http_401' ? 'needs_key' : 'down')
      expect(healths.at(-1)).toBe('up')
    },
  )

  it('counts a league that they do not list', async () => {
    const run = start({ leagues: ['nba', 'nhl'] })
    await run.until(() => run.odds().length > 0)
    await run.stop()
    expect(run.skips).toContainEqual({ reason: 'unknown_league', detail: 'nhl' })
  })

  it('stops while it waits for a stream that does not respond', async () => {
    talk = () => {}
    const run = start()
    await run.until(() => sockets.length > 0)
    await run.stop()
    expect(run.records).toEqual([])
  })
})
