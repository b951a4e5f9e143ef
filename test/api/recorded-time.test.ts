/** While a recording is replayed, all responses use its time. */

import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createArchiveAccess } from '../../api/archive-access.ts'
import { createSink } from '../../pipeline/feeds/sink.ts'
import type { Append } from '../../pipeline/log/log.ts'
import type { FeedRecord, TickRecord } from '../../schemas/feed-record.ts'
import { topics } from '../../schemas/topics.ts'
import { selection, statement } from '../oracle/moneylines.ts'
import { type InProcess, keys, startInProcess } from './service-in-process.ts'
import { sourceRow } from './source-row.ts'

const minute = 60_000
let service: InProcess

beforeEach(async () => {
  service = await startInProcess()
})
afterEach(() => service.close())

const publish = (...records: (FeedRecord | TickRecord)[]) =>
  createSink(service.log, service.clock).publish(records)

const tick = (observedAt: number, isRecorded: boolean): TickRecord => ({
  type: 'tick',
  observedAt,
  isRecorded,
})

const arbitrages = async () => {
  const { body } = await service.get('/opportunities/arbitrage?min_profit=0')
  return body.data
}

it('shows the opportunities of a recording, with the ages of then', async () => {
  // Half a year before the service's clock.
  const answers = (home: number, away: number, draw: number) => [
    selection('home', home),
    selection('away', away),
    selection('draw', draw),
  ]
  const first = statement('pinnacle', 'Leeds United', 'Brentford', answers(2.3, 3.5, 3.4))
  const second = statement('fanduel', 'Leeds United', 'Brentford', answers(2.1, 3.6, 3.6))
  const { observedAt: at } = first
  await publish(first, second, tick(at, true))
  await expect.poll(() => service.boards.now()).toBe(at)
  const [found] = await arbitrages()
  expect(Date.parse(found.detected_at)).toBe(at)
  expect(found).toMatchObject({ oldest_odds_age_seconds: 0, possibly_stale: false })
  const best = await service.get('/odds/best')
  expect(best.body.data).toHaveLength(3)
  const [game] = (await service.get('/events')).body.data
  const staleBooks = async () => [
    (await service.get('/events')).body.data[0].stale_books,
    (await service.get(`/events/${game.id}`)).body.data.stale_books,
    (await service.get(`/odds/comparison?event=${game.id}`)).body.data.stale_books,
  ]
  expect(await staleBooks()).toEqual([undefined, undefined, undefined])
  const health = await service.get('/health')
  const then = new Date(at).toISOString()
  expect(health.body).toMatchObject({ status: 'ok', timestamp: then })
  for (const { headers } of [health, best]) expect(headers.get('x-recorded-time')).toBe(then)

  // The opportunities age by the recording's time.
  await publish(tick(at + 2 * minute, true))
  await expect.poll(async () => (await arbitrages())[0]?.oldest_odds_age_seconds).toBe(120)
  await publish(tick(at + 6 * minute, true))
  await expect.poll(async () => (await arbitrages()).length).toBe(0)
  const both = ['fanduel', 'pinnacle']
  expect(await staleBooks()).toEqual([both, both, both])

  // A price of today lies in the future of the recording.
  const pushed = await service.ingest([
    {
      type: 'odds',
      sportsbook: 'betmgm',
      mode: 'delta',
      observed_at: new Date(service.clock()).toISOString(),
      event: {
        sport: 'soccer',
        league: 'england_-_premier_league',
        home_team: 'Leeds United',
        away_team: 'Brentford',
        start_time: new Date(first.event.startsAt).toISOString(),
      },
      markets: [],
    },
  ])
  expect(pushed.body.data).toMatchObject({
    accepted: 0,
    rejected: [{ code: 'observed_in_future' }],
  })

  // Live feeds bring back the service's clock.
  await publish(tick(service.clock(), false))
  await expect.poll(() => service.boards.now()).toBe(service.clock())
  expect((await service.get('/health')).headers.get('x-recorded-time')).toBe(null)
})

it.each(['GET', 'HEAD'])('says the time of a recording to a %s of a file', async (method) => {
  await service.close()
  const archive = createArchiveAccess({
    query: async () => [],
    export: async () => Readable.from([Buffer.from('a,b\r\n')]),
    close: async () => {},
  })
  service = await startInProcess({ archive })
  const at = service.clock() - minute
  await publish(tick(at, true))
  await expect.poll(() => service.boards.now()).toBe(at)
  const path = '/historical/changes?from=2026-11-19T00:00:00Z&to=2026-11-20T00:00:00Z&format=csv'
  const reply = await service.request(path, { method, headers: { 'X-API-Key': keys.sharp } })
  expect([reply.status, reply.text]).toEqual([200, method === 'GET' ? 'a,b\r\n' : ''])
  expect(reply.headers.get('x-recorded-time')).toBe(new Date(at).toISOString())
})

it('keeps a source down whose process has ended: sources use the clock', async () => {
  const value = sourceRow({ updatedAt: service.clock() - minute })
  const row = { topic: topics.sources, partitionKey: 0, key: value.source, value }
  await service.log.append([row as Append])
  const at = service.clock() - 1_000 * minute
  await publish(tick(at, true))
  await expect.poll(() => service.boards.now()).toBe(at)
  expect((await service.get('/health')).body.sources).toEqual({ down: 1 })
})
