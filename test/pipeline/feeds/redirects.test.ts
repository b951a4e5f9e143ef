/** A source that redirects elsewhere: no client follows, so no key is sent there. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createBetfairSession } from '../../../pipeline/feeds/betfair/session.ts'
import { createBetfairFeed } from '../../../pipeline/feeds/betfair/source.ts'
import type { Feed } from '../../../pipeline/feeds/feed.ts'
import { openFeeds } from '../../../pipeline/feeds/open-feeds.ts'
import { createPolymarketFeed } from '../../../pipeline/feeds/polymarket/source.ts'
import { readConfig } from '../../../pipeline/settings/config.ts'
import { image, openExchange, success } from './betfair/exchange.ts'
import { createRecordingSink, json, openSource, type Source } from './loopback.ts'
import { sourceCases } from './source-cases.ts'

let elsewhere: Source
let source: Source
let directory: string
let stop: AbortController

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'overround-redirects-'))
  stop = new AbortController()
  elsewhere = await openSource((_, response) => json(response, { token: 'a', status: 'SUCCESS' }))
  source = await openSource((request, response) => {
    response.writeHead(307, { location: `${elsewhere.baseUrl}${request.url}` }).end()
  })
})
afterEach(async () => {
  stop.abort()
  await source.close()
  await elsewhere.close()
  rmSync(directory, { recursive: true })
})

/** Settings to open each source, with one host each. */
const settings: readonly (readonly [string, object])[] = [
  ...sourceCases.map((one) => [one.source.name, one.settings] as const),
  ['polymarket', { leagues: ['nba'] }],
]

it.each(settings)('%s is not followed', async (name, own) => {
  const path = join(directory, 'feeds.json')
  writeFileSync(path, JSON.stringify({ [name]: { ...own, baseUrl: source.baseUrl } }))
  const lines: string[] = []
  const logger = pino({ level: 'debug' }, { write: (line) => void lines.push(line) })
  const environment = { OVERROUND_FEEDS: name, OVERROUND_FEEDS_FILE: path }
  const [feed] = openFeeds(readConfig(environment), logger, Date.now) as [Feed]
  const { sink } = createRecordingSink()
  const running = feed.run(sink, stop.signal)
  await expect.poll(() => lines.join('')).toMatch(/http_307: \S+ redirects to 127\.0\.0\.1/)
  expect(elsewhere.requests).toEqual([])
  expect(lines.join('')).not.toContain('secret')
  stop.abort()
  await running
})

it('a login is not followed, nor taken for a session', async () => {
  const session = createBetfairSession({
    appKey: 'secret',
    username: 'a',
    password: 'secret',
    loginUrl: source.baseUrl,
  })
  await expect(session.token()).rejects.toThrow(/http 307/)
  expect(elsewhere.requests).toEqual([])
})

it('a query for names is not followed, and its session stays here', async () => {
  const exchange = await openExchange((message, say) => {
    say(success(message.id), ...(message.op === 'marketSubscription' ? [image(2.5)] : []))
  })
  const feed = createBetfairFeed({
    appKey: 'secret',
    session: async () => 'secret',
    marketFilter: { eventTypeIds: ['1'] },
    baseUrl: source.baseUrl,
    connect: exchange.connect,
  })
  const { sink, skips } = createRecordingSink()
  const running = feed.run(sink, stop.signal)
  await expect
    .poll(() => skips)
    .toContainEqual({ reason: 'fetch_catalogue', detail: expect.stringMatching(/^http_307: /) })
  expect(elsewhere.requests).toEqual([])
  stop.abort()
  await running
})

it('a WebSocket is not followed', async () => {
  const gamma = await openSource((_, response) => json(response, []))
  const failures: string[] = []
  const feed = createPolymarketFeed({
    baseUrl: gamma.baseUrl,
    streamUrl: source.baseUrl.replace('http', 'ws'),
    leagues: ['nba'],
    onFailure: (_, error) => void failures.push(String(error)),
  })
  const { sink } = createRecordingSink()
  const running = feed.run(sink, stop.signal)
  await expect.poll(() => failures.join()).toMatch(/307/)
  expect(elsewhere.requests).toEqual([])
  stop.abort()
  await running
  await gamma.close()
})
