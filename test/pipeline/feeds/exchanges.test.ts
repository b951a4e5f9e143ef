/** The polled exchanges against a source on the loopback interface, good and bad. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Feed } from '../../../pipeline/feeds/feed.ts'
import { kalshi } from '../../../pipeline/feeds/kalshi/source.ts'
import { matchbook } from '../../../pipeline/feeds/matchbook/source.ts'
import { novig } from '../../../pipeline/feeds/novig/source.ts'
import { prophetX } from '../../../pipeline/feeds/prophetx/source.ts'
import { sxBet } from '../../../pipeline/feeds/sx-bet/source.ts'
import {
  kalshiBook,
  kalshiPage,
  matchbookEvents,
  novigEvents,
  novigMarkets,
  prophetXEvents,
  prophetXMarkets,
  sxBetMarkets,
  sxBetOrders,
} from './exchange-payloads.ts'
import { type Answering, answerJson, hasty, openSource, runFeed } from './loopback-source.ts'

interface Played {
  readonly open: (baseUrl: string, http?: object) => Feed
  /** Answers by the path before the query. */
  readonly answers: Readonly<Record<string, (query: URLSearchParams) => unknown>>
}

const settingsOf = (baseUrl: string, http: object = {}) => ({
  ...hasty,
  baseUrl,
  http: { ...hasty.http, ...http },
})

const played: Record<string, Played> = {
  kalshi: {
    open: (baseUrl, http) => kalshi.open({ ...settingsOf(baseUrl, http), leagues: ['NBA'] }),
    answers: {
      '/trade-api/v2/events': (query) =>
        kalshiPage((query.get('series_ticker') ?? '').replace('KXNBA', '')),
    },
  },
  'sx-bet': {
    open: (baseUrl, http) => sxBet.open({ ...settingsOf(baseUrl, http), leagues: [1] }),
    answers: { '/markets/active': () => sxBetMarkets, '/orders': () => sxBetOrders },
  },
  matchbook: {
    open: (baseUrl, http) =>
      matchbook.open({
        ...settingsOf(baseUrl, http),
        username: 'me',
        password: 'mine',
        sports: [4],
      }),
    answers: {
      '/bpapi/rest/security/session': () => ({ 'session-token': 'token' }),
      '/edge/rest/events': () => matchbookEvents,
    },
  },
  novig: {
    open: (baseUrl, http) =>
      novig.open({
        ...settingsOf(baseUrl, http),
        clientId: 'me',
        clientSecret: 'mine',
        leagues: ['NBA'],
      }),
    answers: {
      '/nbx/v1/auth/emm-token': () => ({ access_token: 'token' }),
      '/nbx/v2/emm/events': (query) => (query.get('status') === 'OPEN_PREGAME' ? novigEvents : []),
      '/nbx/v2/emm/events/getMarketsByEvents': () => novigMarkets,
    },
  },
  prophetx: {
    open: (baseUrl, http) =>
      prophetX.open({ ...settingsOf(baseUrl, http), apiKey: 'key', tournaments: [3] }),
    answers: {
      '/affiliate/get_sport_events': () => prophetXEvents,
      '/v4/affiliate/get_multiple_markets': () => prophetXMarkets,
    },
  },
}

const answering =
  ({ answers }: Played): Answering =>
  (path, response, request) => {
    const { pathname, searchParams } = new URL(path, 'http://localhost')
    const answer = answers[pathname]
    if (answer) answerJson(answer(searchParams))(path, response, request)
    else response.writeHead(404).end()
  }

const status =
  (code: number): Answering =>
  (_path, response) => {
    response.writeHead(code).end('{}')
  }
const silence: Answering = () => {}
const failures: Record<string, [Answering, RegExp]> = {
  'a refusal': [status(401), /^fetch_http_401$/],
  'too many requests': [status(429), /^fetch_http_429$/],
  'an error of its own': [status(500), /^fetch_http_500$/],
  'no JSON': [(_path, response) => void response.writeHead(200).end('<html>'), /^fetch_not_json$/],
  'JSON of another shape': [answerJson({ error: 'maintenance' }), /^fetch_malformed$/],
  silence: [silence, /^fetch_timeout$/],
}

let source: Awaited<ReturnType<typeof openSource>>
beforeEach(async () => {
  source = await openSource(status(404))
})
afterEach(() => source.close())

describe.each(Object.entries(played))('%s', (name, exchange) => {
  it('publishes whole events and says that it is up', async () => {
    source.answerWith(answering(exchange))
    const run = runFeed(exchange.open(source.baseUrl))
    await run.until(() => run.odds().length > 1)
    await run.stop()
    const [record] = run.odds()
    expect(record).toMatchObject({ sportsbook: name.replace('-', '_'), mode: 'snapshot' })
    expect(record?.markets.length).toBeGreaterThan(1)
    expect(run.statuses()).toEqual(['up'])
  })

  it.each(Object.entries(failures))(
    'counts %s, is down, and comes back',
    async (_, [bad, reason]) => {
      source.answerWith(bad)
      // On a busy machine an answer may take a second; silence is not to be waited for.
      const timeoutMs = bad === silence ? 100 : 30_000
      const run = runFeed(exchange.open(source.baseUrl, { timeoutMs }))
      await run.until(() => run.statuses().includes('down'))
      expect(run.odds()).toEqual([])
      expect(run.skips.map(({ reason }) => reason)).toContainEqual(expect.stringMatching(reason))
      source.answerWith(answering(exchange))
      await run.until(() => run.odds().length > 0)
      await run.stop()
      expect(run.statuses()).toEqual(['down', 'up'])
    },
  )
})

describe('what an exchange is asked', () => {
  const seen: { path: string; method: string; body: string; headers: Record<string, unknown> }[] =
    []
  const watched =
    (exchange: Played, isAllowed: (headers: Record<string, unknown>) => boolean): Answering =>
    (path, response, request) => {
      let body = ''
      request.on('data', (chunk) => {
        body += String(chunk)
      })
      request.on('end', () => {
        seen.push({ path, method: request.method ?? '', body, headers: request.headers })
        const isLogin = /session$|token$/.test(path)
        if (isLogin || isAllowed(request.headers)) answering(exchange)(path, response, request)
        else status(401)(path, response, request)
      })
    }
  beforeEach(() => {
    seen.length = 0
  })

  it('is a session of Matchbook, and a new one when that has run out', async () => {
    const exchange = played.matchbook as Played
    let asked = 0
    // The second request with the first session is refused.
    source.answerWith(
      watched(exchange, (headers) => headers['session-token'] === 'token' && ++asked !== 2),
    )
    const run = runFeed(exchange.open(source.baseUrl, { retries: 0 }))
    await run.until(() => run.odds().length > 2)
    await run.stop()
    const logins = seen.filter(({ path }) => path.endsWith('/session'))
    expect(logins).toHaveLength(2)
    expect(logins[0]).toMatchObject({
      method: 'POST',
      body: '{"username":"me","password":"mine"}',
    })
    expect(run.skips.filter(({ reason }) => reason.endsWith('401'))).toEqual([])
  })

  it('is a token of Novig, and markets of several events by POST', async () => {
    const exchange = played.novig as Played
    source.answerWith(watched(exchange, ({ authorization }) => authorization === 'Bearer token'))
    const run = runFeed(exchange.open(source.baseUrl))
    await run.until(() => run.odds().length > 0)
    await run.stop()
    expect(seen.find(({ path }) => path.endsWith('getMarketsByEvents'))).toMatchObject({
      method: 'POST',
      body: '{"eventIds":["n1"],"currency":"CASH"}',
    })
  })

  it('is the books of Kalshi where the settings say so', async () => {
    const { answers } = played.kalshi as Played
    const books = Object.fromEntries(
      ['G-BOS', 'G-LAL', 'S-BOS4', 'T-224', 'T-225'].map((ticker) => [
        `/trade-api/v2/markets/${ticker}/orderbook`,
        () => kalshiBook,
      ]),
    )
    const exchange: Played = {
      open: (baseUrl) =>
        kalshi.open({ ...settingsOf(baseUrl), leagues: ['NBA'], orderBooks: true }),
      answers: { ...answers, ...books },
    }
    source.answerWith(answering(exchange))
    const run = runFeed(exchange.open(source.baseUrl))
    await run.until(() => run.odds().length > 0)
    await run.stop()
    const total = run.odds()[0]?.markets.find(({ marketType }) => marketType === 'total_points')
    expect(total?.selections.map(({ maxBet }) => maxBet)).toEqual([46.4, 13.2])
  })

  it('is one page after another, as long as SX Bet has a next', async () => {
    const { answers } = played['sx-bet'] as Played
    const [first, ...others] = sxBetMarkets.data.markets
    const page = (markets: readonly unknown[], nextKey: string | null) => ({
      status: 'success',
      data: { markets, nextKey },
    })
    const exchange: Played = {
      open: (played['sx-bet'] as Played).open,
      answers: {
        ...answers,
        '/markets/active': (query) =>
          query.get('paginationKey') === 'k2' ? page(others, null) : page([first], 'k2'),
      },
    }
    source.answerWith(answering(exchange))
    const run = runFeed(exchange.open(source.baseUrl))
    await run.until(() => run.odds().length > 0)
    await run.stop()
    expect(run.odds()[0]?.markets).toHaveLength(3)
    expect(source.asked().filter((path) => path.startsWith('/markets'))).toHaveLength(2)
  })

  it('stops at once, whatever is under way', async () => {
    const exchange = played.kalshi as Played
    source.answerWith(() => {})
    const run = runFeed(exchange.open(source.baseUrl))
    await run.until(() => source.asked().length > 0)
    await run.stop()
    expect(run.records).toEqual([])
  })
})
