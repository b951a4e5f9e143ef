/** Requests to exchanges, on the loopback interface: logins, pages and books. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { kalshi } from '../../../pipeline/feeds/kalshi/source.ts'
import { kalshiBook, novigEvents, sxBetMarkets } from './exchange-payloads.ts'
import { selectionsOf } from './feed-samples.ts'
import { type Answering, answering, hasty, openSource, runFeed } from './loopback-source.ts'
import { type SourceCase, sourceCases } from './source-cases.ts'

const played = Object.fromEntries(sourceCases.map((one) => [one.source.name, one]))

let source: Awaited<ReturnType<typeof openSource>>
beforeEach(async () => {
  source = await openSource(refuse)
})
afterEach(() => source.close())

const refuse: Answering = (_path, response) => {
  response.writeHead(401).end('{}')
}

describe('requests to an exchange', () => {
  const seen: { path: string; method: string; body: string; headers: Record<string, unknown> }[] =
    []
  const watched =
    (exchange: SourceCase, isAllowed: (headers: Record<string, unknown>) => boolean): Answering =>
    (path, response, request) => {
      let body = ''
      request.on('data', (chunk) => {
        body += String(chunk)
      })
      request.on('end', () => {
        seen.push({ path, method: request.method ?? '', body, headers: request.headers })
        const isLogin = /session$|token$/.test(path)
        if (isLogin || isAllowed(request.headers))
          answering(exchange.answers)(path, response, request)
        else refuse(path, response, request)
      })
    }
  beforeEach(() => {
    seen.length = 0
  })

  it('are a session of Matchbook, and a new one when that has expired', async () => {
    const exchange = played.matchbook as SourceCase
    let requests = 0
    // The second request of the first session is refused.
    source.answerWith(
      watched(exchange, (headers) => headers['session-token'] === 'token' && ++requests !== 2),
    )
    const run = runFeed(exchange.open(source.baseUrl, { retries: 0 }))
    await run.until(() => run.odds().length > 2)
    await run.stop()
    const logins = seen.filter(({ path }) => path.endsWith('/session'))
    expect(logins).toHaveLength(2)
    expect(logins[0]).toMatchObject({
      method: 'POST',
      body: '{"username":"me","password":"secret"}',
    })
    expect(run.skips.filter(({ reason }) => reason.endsWith('401'))).toEqual([])
  })

  it('are a token of Novig, and markets of several events by POST', async () => {
    const exchange = played.novig as SourceCase
    source.answerWith(watched(exchange, ({ authorization }) => authorization === 'Bearer token'))
    const run = runFeed(exchange.open(source.baseUrl))
    await run.until(() => run.odds().length > 0)
    await run.stop()
    expect(seen.find(({ path }) => path.endsWith('getMarketsByEvents'))).toMatchObject({
      method: 'POST',
      body: '{"eventIds":["n1"],"currency":"CASH"}',
    })
  })

  it('are the books of Kalshi if the settings say so', async () => {
    const { answers } = played.kalshi as SourceCase
    const books = Object.fromEntries(
      ['G-BOS', 'G-LAL', 'S-BOS4', 'T-224', 'T-225'].map((ticker) => [
        `/trade-api/v2/markets/${ticker}/orderbook`,
        () => kalshiBook,
      ]),
    )
    source.answerWith(answering({ ...answers, ...books }))
    const settings = { ...hasty, baseUrl: source.baseUrl, leagues: ['NBA'], orderBooks: true }
    const run = runFeed(kalshi.open(settings))
    await run.until(() => run.odds().length > 0)
    await run.stop()
    const total = run.odds()[0]?.markets.find(({ marketType }) => marketType === 'total_points')
    expect(total?.selections.map(({ maxBet }) => maxBet)).toEqual([46.4, 13.2])
  })

  it('are whether Kalshi takes orders: in a pause it lists its books all the same', async () => {
    const exchange = played.kalshi as SourceCase
    const paused = {
      '/trade-api/v2/exchange/status': () => ({ exchange_active: true, trading_active: false }),
    }
    source.answerWith(answering({ ...exchange.answers, ...paused }))
    const run = runFeed(exchange.open(source.baseUrl))
    await run.until(() => run.odds().length > 0)
    await run.stop()
    const stated = selectionsOf(run.odds().slice(0, 1))
    expect(stated).toHaveLength(exchange.prices.length)
    expect(stated.filter(({ suspended }) => !suspended)).toEqual([])
    expect(run.statuses()).toEqual(['up'])
  })

  it('may fail for whether Kalshi takes orders: its last word counts for a minute', async () => {
    const { answers } = played.kalshi as SourceCase
    let at = Date.parse('2026-11-30T12:00:00Z')
    let round = 0
    const answer = answering(answers)
    source.answerWith((path, response, request) => {
      const isFailing = round > 0 && round < 5 && path.startsWith('/trade-api/v2/exchange/status')
      if (isFailing) response.writeHead(500).end()
      else answer(path, response, request)
    })
    const sleep = async (ms: number, signal: AbortSignal) => {
      at += ms
      if (++round < 6) return
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    }
    const http = { ...hasty.http, retries: 0, now: () => at, sleep }
    const settings = { baseUrl: source.baseUrl, leagues: ['NBA'], intervalMs: 20_000, http }
    const run = runFeed(kalshi.open(settings))
    await run.until(() => round === 6)
    await run.stop()
    const open = run
      .odds()
      .map((record) => selectionsOf([record]).filter(({ suspended }) => !suspended).length)
    const all = (played.kalshi as SourceCase).prices.length
    expect(open).toEqual([all, all, all, all, 0, all])
    expect(run.statuses()).toEqual(['up'])
    expect(run.skips.filter(({ reason }) => reason === 'fetch_http_500')).toHaveLength(4)
    const healths = run.healths.map(({ state, reason }) => reason ?? state)
    expect(healths).toEqual(['starting', 'up', 'up', ...Array(4).fill('http_500'), 'up'])
  })

  it('are pages of Novig that overlap, because a game may close between two of them', async () => {
    const exchange = played.novig as SourceCase
    const all = Array.from({ length: 101 }, (_, at) => ({ ...novigEvents[0], id: `e${at}` }))
    const asked = new Set<string>()
    source.answerWith((path, response, request) => {
      const { pathname } = new URL(path, 'http://localhost')
      if (!pathname.endsWith('getMarketsByEvents')) {
        answering({
          ...exchange.answers,
          '/nbx/v2/emm/events': (query) => {
            if (query.get('status') !== 'OPEN_PREGAME') return []
            const from = Number(query.get('offset'))
            return (from === 0 ? all : all.slice(1)).slice(from, from + 100)
          },
        })(path, response, request)
        return
      }
      let body = ''
      request.on('data', (chunk) => {
        body += String(chunk)
      })
      request.on('end', () => {
        for (const id of (JSON.parse(body) as { eventIds: string[] }).eventIds) asked.add(id)
        response.end('[]')
      })
    })
    const run = runFeed(exchange.open(source.baseUrl))
    await run.until(() => asked.size === 101 || run.odds().length > 0)
    await run.stop()
    expect([...asked]).toEqual(all.map(({ id }) => id))
  })

  it('are one page after another, as long as SX Bet has a next', async () => {
    const { answers } = played['sx-bet'] as SourceCase
    const [first, ...others] = sxBetMarkets.data.markets
    const page = (markets: readonly unknown[], nextKey: string | null) => ({
      status: 'success',
      data: { markets, nextKey },
    })
    source.answerWith(
      answering({
        ...answers,
        '/markets/active': (query) =>
          query.get('paginationKey') === 'k2' ? page(others, null) : page([first], 'k2'),
      }),
    )
    const run = runFeed((played['sx-bet'] as SourceCase).open(source.baseUrl))
    await run.until(() => run.odds().length > 0)
    await run.stop()
    expect(run.odds()[0]?.markets).toHaveLength(3)
    expect(source.requests().filter((path) => path.startsWith('/markets'))).toHaveLength(2)
  })
})
