/** The history routes and `as_of` over an archive filled by the archiver from a simulated evening. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createArchiveAccess } from '../../api/archive-access.ts'
import { createCursors } from '../../api/ask/cursor.ts'
import { createBestRoute } from '../../api/routes/best.ts'
import { createComparisonRoute } from '../../api/routes/comparison.ts'
import { createOddsRoute } from '../../api/routes/odds.ts'
import { decimalToAmerican, shownPrice, shownProbability } from '../../pipeline/rules/odds/odds.ts'
import type { BoardRecord } from '../../schemas/feed-record.ts'
import { changedNames } from '../../schemas/http/history.ts'
import { type PriceChange, priceChange } from '../../schemas/price-change.ts'
import type { SportsbookStatus } from '../../schemas/sportsbook-status.ts'
import { topics } from '../../schemas/topics.ts'
import { simulateHistory } from '../oracle/simulated-history.ts'
import {
  changelogOf,
  changesIn,
  type FilledArchive,
  fillArchive,
} from '../pipeline/archive/filled-archive.ts'
import { type InProcess, keys, type Reply, startInProcess } from './service-in-process.ts'
import { slowMovements } from './slow-movements.ts'
import { openSlowReader } from './slow-reader.ts'
import { createSmallBoard } from './small-board.ts'

const simulated = simulateHistory({
  seed: 8,
  events: 14,
  changesPerSecond: 30,
  books: ['pinnacle', 'draftkings', 'betmgm', 'bovada', 'kalshi'],
  repeated: 0.02,
  overtaken: 0,
})
const records = simulated.records.map(withoutOwnTimes)
const changelog = changelogOf(records)
const changes = changesIn(changelog)
const startedAt = Date.parse('2026-05-02T18:00:00Z')
const sports = 'soccer,baseball,basketball,hockey,football,tennis,mma'

/** Removes sportsbooks' own times of price changes, which the archive does not keep: our time applies. */
function withoutOwnTimes(record: BoardRecord): BoardRecord {
  if (record.type !== 'odds') return record
  const markets = record.markets.map((market) => ({
    ...market,
    selections: market.selections.map((selection) => ({ ...selection, changedAt: null })),
  }))
  return { ...record, markets }
}

/** Times within the minutes of trading and within the evening. */
const instants = [30_500, 100_500, 3_600_500, 6_000_500].map((ms) => startedAt + ms)

/** Returns the board of a processor that stopped after the records observed up to a time. */
function boardAt(at: number) {
  const board = createSmallBoard()
  board.take(changelogOf(records.filter(({ observedAt }) => observedAt <= at)))
  return board
}

/**
 * Removes fields that the archive does not keep: times of sightings, limits and bet shares. Links lose
 * their signature, because each process signs with its own secret.
 */
function comparable({ data }: { data: unknown }): unknown {
  const unkept = new Set(['last_seen_at', 'timestamp', 'max_bet', 'public_bet_pct'])
  return JSON.parse(
    JSON.stringify(data, (name, value) => {
      if (unkept.has(name)) return undefined
      return name === 'deep_link' ? value.replace(/(\/deeplink\/\d+)\W.+$/, '$1') : value
    }),
  )
}

const changesById = new Map<number, PriceChange[]>()
for (const change of changes) {
  const others = changesById.get(change.oddsId)
  if (others) others.push(change)
  else changesById.set(change.oddsId, [change])
}
/** The price id with the most changes. */
const [busiest, ofBusiest] = [...changesById].reduce((most, one) =>
  one[1].length > most[1].length ? one : most,
)
const eventOfBusiest = ofBusiest[0]!.eventId

const shownChange = (change: PriceChange) => ({
  at: new Date(change.at).toISOString(),
  odds_american: decimalToAmerican(change.price),
  odds_decimal: shownPrice(change.price),
  odds_probability: shownProbability(change.price),
  is_live: change.isLive,
  is_active: change.isActive,
  changed: changedNames.filter((name) => (change.what & priceChange[name]) !== 0),
})

describe('the history of prices', () => {
  let filled: FilledArchive
  let service: InProcess
  beforeAll(async () => {
    filled = await fillArchive(changelog)
    service = await startInProcess({ archive: createArchiveAccess(filled.archive) })
  })
  afterAll(async () => {
    await service?.close()
    await filled?.close()
  })

  async function answered(path: string): Promise<Reply> {
    const reply = await service.get(path)
    expect([path, reply.status, reply.status === 200 ? '' : reply.text]).toEqual([path, 200, ''])
    return reply
  }

  /** Returns every item of a list, page by page. */
  async function walk(path: string, limit: number) {
    const items = []
    for (let offset: number | null = 0; offset !== null; ) {
      const mark = path.includes('?') ? '&' : '?'
      const { body } = await answered(`${path}${mark}limit=${limit}&offset=${offset}`)
      items.push(...body.data)
      expect(body.pagination.total).toBeGreaterThanOrEqual(items.length)
      offset = body.pagination.next_offset
    }
    return items
  }

  /** Fails unless the response fits the schema of its route. */
  function holdToContract(path: string, { body }: Reply) {
    const route = service.routes.find((one) => one.path === `/api/v1${path}`)
    expect(route?.answer?.schema?.parse(body)).toEqual(body)
  }

  describe('the board as it was', () => {
    const asOf = (at: number) => `as_of=${new Date(at).toISOString()}`

    it.each(instants)('equals that of a processor stopped at %d, row for row', async (at) => {
      const board = boardAt(at)
      const route = createOddsRoute(createCursors('a secret'))
      let count = 0
      for (let offset = 0; offset <= 400; offset += 200) {
        const query = `sport=${sports}&limit=200&offset=${offset}`
        const there = board.get(route, query)
        const here = await answered(`/odds?${query}&${asOf(at)}`)
        expect(comparable(here.body)).toEqual(comparable(there))
        expect(here.body.pagination.total).toBe(there.pagination.total)
        expect(here.body.meta.books_available).toEqual(there.meta.books_available)
        count += here.body.data.length
      }
      expect(count).toBeGreaterThan(300)
    })

    it.each([
      'limit=200&market=moneyline&sort=-odds_american',
      'sportsbook=pinnacle&is_main_line=true&live=true',
      'min_odds=100&max_odds=300&fields=id,odds_american,event_id&group_by=event',
    ])('takes the filters of /odds: %s', async (query) => {
      const at = instants[1]!
      const there = boardAt(at).get(
        createOddsRoute(createCursors('a secret')),
        `sport=${sports}&${query}`,
      )
      const here = await answered(`/odds?sport=${sports}&${query}&${asOf(at)}`)
      expect(comparable(here.body)).toEqual(comparable(there))
      expect(here.body.data.length).toBeGreaterThan(0)
      expect(here.body.meta.as_of).toBe(new Date(at).toISOString())
      holdToContract('/odds', here)
    })

    it('has the best of the prices of then, and the comparison', async () => {
      const at = instants[0]!
      const board = boardAt(at)
      const event = changes.find((change) => change.at <= at)!.eventId
      const best = await answered(`/odds/best?event=${event}&limit=200&${asOf(at)}`)
      // Every sportsbook was seen within that minute, so all active prices count.
      const bestThen = board.get(
        createBestRoute(() => at),
        `event=${event}&limit=200`,
      )
      expect(comparable(best.body)).toEqual(comparable(bestThen))
      expect(best.body.data.length).toBeGreaterThan(5)
      holdToContract('/odds/best', best)
      const compared = await answered(`/odds/comparison?event=${event}&${asOf(at)}`)
      expect(comparable(compared.body)).toEqual(
        comparable(
          board.get(
            createComparisonRoute(() => at),
            `event=${event}`,
          ),
        ),
      )
      holdToContract('/odds/comparison', compared)
    })

    it('walks by cursor over one board', async () => {
      const at = instants[1]!
      const ids: string[] = []
      let cursor: string | null = ''
      let total = 0
      while (cursor !== null) {
        const more = cursor === '' ? '' : `&cursor=${cursor}`
        const { body } = await answered(`/odds?sport=soccer&limit=200&${asOf(at)}${more}`)
        ids.push(...body.data.map(({ id }: { id: string }) => id))
        ;({ total, next_cursor: cursor } = body.pagination)
      }
      expect(new Set(ids).size).toBe(total)
      expect(ids.length).toBe(total)
    })

    it.each([
      ['without a narrowing', '', 400, 'validation_error'],
      ['in the future', 'as_of=2090-01-01T00:00:00Z&sport=soccer', 400, 'validation_error'],
      ['of no instant', 'as_of=yesterday&sport=soccer', 400, 'validation_error'],
      [
        'of a sportsbook nobody knows',
        `${asOf(instants[0]!)}&sport=soccer&sportsbook=x`,
        400,
        'invalid_filter',
      ],
    ])('refuses a query %s', async (_what, query, status, code) => {
      const { body, ...reply } = await service.get(`/odds?${query || asOf(instants[0]!)}`)
      expect([reply.status, body.code]).toEqual([status, code])
    })

    it('is empty before the first price, and for unknown events', async () => {
      const before = await answered(`/odds?sport=${sports}&as_of=2001-01-01T00:00:00Z`)
      expect(before.body.data).toEqual([])
      const earliest = await answered(`/odds?sport=${sports}&as_of=0001-01-01T00:00:00Z`)
      expect(earliest.body.data).toEqual([])
      const unknown = await answered(`/odds?event=none&${asOf(instants[0]!)}`)
      expect(unknown.body.data).toEqual([])
    })
  })

  describe('of one price', () => {
    it('has every change of it in the log, in order', async () => {
      const found = await walk(`/odds/${busiest}/history`, 37)
      expect(found).toEqual(ofBusiest.map(shownChange))
      expect(found.length).toBeGreaterThan(40)
    })

    it('is the same for each of many prices', async () => {
      const some = [...changesById].filter((_, i) => i % Math.ceil(changesById.size / 25) === 0)
      for (const [id, ofPrice] of some) {
        const { body } = await answered(`/odds/${id}/history?limit=1000`)
        expect(body.data).toEqual(ofPrice.map(shownChange))
      }
    })

    it('describes the price', async () => {
      const reply = await answered(`/odds/${busiest}/history?limit=1`)
      const listed = ofBusiest.find(({ of }) => of)!.of!
      expect(reply.body.meta.price).toMatchObject({
        id: String(busiest),
        event_id: eventOfBusiest,
        sportsbook: listed.sportsbook,
        market_type: listed.marketType,
        line: listed.line,
      })
      holdToContract('/odds/:id/history', reply)
    })

    it('takes a period, its end left out', async () => {
      const [from, to] = [ofBusiest[3]!.at, ofBusiest[9]!.at]
      const query = `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`
      const { body } = await answered(`/odds/${busiest}/history?${query}`)
      const wanted = ofBusiest.filter(({ at }) => at >= from && at < to)
      expect(body.data).toEqual(wanted.map(shownChange))
    })

    it('is not found for a price that the archive does not have', async () => {
      for (const id of ['100000000000000', 'x', '1e14', "1' OR 1=1 --"]) {
        const { status } = await service.get(`/odds/${encodeURIComponent(id)}/history`)
        expect([id, status]).toEqual([id, 404])
      }
    })
  })

  describe('of an event', () => {
    it('has the open, moves and last of every price', async () => {
      const items = await walk(`/events/${eventOfBusiest}/history`, 50)
      const wanted = new Map(
        [...changesById].filter(([, [first]]) => first!.eventId === eventOfBusiest),
      )
      expect(items.map(({ id }) => id).sort()).toEqual([...wanted.keys()].map(String).sort())
      for (const item of items) {
        const ofPrice = wanted.get(Number(item.id))!
        // A price may come back at another level, after it was withdrawn.
        const moves = ofPrice.filter(({ price }, i) => i > 0 && price !== ofPrice[i - 1]!.price)
        const quote = ({ at, price }: PriceChange) => ({
          at: new Date(at).toISOString(),
          odds_american: decimalToAmerican(price),
          odds_decimal: shownPrice(price),
          odds_probability: shownProbability(price),
        })
        expect(item).toMatchObject({
          open: quote(ofPrice[0]!),
          last: quote(ofPrice.at(-1)!),
          move_count: moves.length,
          moves: moves.slice(-100).map((move) => ({ ...quote(move), is_live: move.isLive })),
          is_withdrawn: (ofPrice.at(-1)!.what & priceChange.withdrawn) !== 0,
          close: null,
        })
      }
      holdToContract(
        '/events/:eventId/history',
        await answered(`/events/${eventOfBusiest}/history`),
      )
    })

    it('takes sportsbooks and markets', async () => {
      const query = 'sportsbook=pinnacle,betmgm&market=moneyline'
      const items = await walk(`/events/${eventOfBusiest}/history?${query}`, 50)
      expect(items.length).toBeGreaterThan(0)
      for (const { sportsbook, market_type } of items) {
        expect(['pinnacle', 'betmgm']).toContain(sportsbook)
        expect(market_type).toBe('moneyline')
      }
    })

    it('gives the number of those beyond the last page', async () => {
      const { body: first } = await answered(`/events/${eventOfBusiest}/history`)
      const { body } = await answered(`/events/${eventOfBusiest}/history?offset=100000`)
      expect(body.data).toEqual([])
      expect(body.pagination.total).toBe(first.pagination.total)
    })
  })

  describe('movements', () => {
    const to = new Date(startedAt + 900_000).toISOString()
    const from = new Date(startedAt - 60_000).toISOString()

    it.each([
      { min_books: 2, seconds: 20, min_move: 0.5 },
      { min_books: 3, seconds: 60, min_move: 0.3 },
      { min_books: 2, seconds: 300, min_move: 2 },
      { min_books: 4, seconds: 600, min_move: 0.5 },
    ])('equal a slow reading of the log: %j', async (asked) => {
      const query = Object.entries(asked).map(([name, value]) => `${name}=${value}`)
      const found = await walk(`/movements?from=${from}&to=${to}&${query.join('&')}`, 200)
      const expected = slowMovements(changes, {
        books: asked.min_books,
        windowMs: 1_000 * asked.seconds,
        leastMove: asked.min_move / 100,
        from: Date.parse(from),
        to: Date.parse(to),
      })
      expect(expected.length).toBeGreaterThan(0)
      const keyOf = (ids: readonly (string | number)[], began: string) => `${began} ${ids.join()}`
      expect(
        found
          .map((one) =>
            keyOf(
              one.moves.map((move: { id: string }) => move.id),
              one.began_at,
            ),
          )
          .sort(),
      ).toEqual(
        expected
          .map(({ moves, beganAt }) =>
            keyOf(
              moves.map(({ oddsId }) => oddsId),
              new Date(beganAt).toISOString(),
            ),
          )
          .sort(),
      )
    })

    it('come newest first, within their contract', async () => {
      const reply = await answered(`/movements?from=${from}&to=${to}&min_books=2`)
      const began = reply.body.data.map(({ began_at }: { began_at: string }) => began_at)
      expect(began).toEqual([...began].sort().reverse())
      expect(began.length).toBeGreaterThan(1)
      holdToContract('/movements', reply)
    })

    it('cover a day at most, of an event 31', async () => {
      const long = 'from=2026-05-01T00:00:00Z&to=2026-05-20T00:00:00Z'
      expect((await service.get(`/movements?${long}`)).status).toBe(400)
      expect((await service.get(`/movements?${long}&event=${eventOfBusiest}`)).status).toBe(200)
    })
  })

  describe('as a file', () => {
    const day = 'from=2026-05-02T00:00:00Z&to=2026-05-03T00:00:00Z'
    const ofDay = changes.filter(({ at }) => at < Date.parse('2026-05-03T00:00:00Z'))

    it('has every change of the log, each once, as lines of JSON', async () => {
      const { text, headers } = await answered(`/historical/changes?${day}`)
      expect(headers.get('Content-Type')).toContain('ndjson')
      const lines = text.trim().split('\n')
      const schema = service.routes.find(({ path }) => path.endsWith('/historical/changes'))!
        .answer!.schema!
      const found = lines.map((line) => JSON.parse(line))
      expect(schema.parse(found[0])).toEqual(found[0])
      const keyOf = (id: unknown, at: string, decimal: number, changed: string) =>
        `${id} ${at} ${decimal} ${changed}`
      expect(
        found.map((one) => keyOf(one.id, one.at, one.odds_decimal, one.changed)).sort(),
      ).toEqual(
        ofDay
          .map((change) => {
            const { at, odds_decimal, changed } = shownChange(change)
            return keyOf(change.oddsId, at, odds_decimal, changed.join(' '))
          })
          .sort(),
      )
      expect(lines.length).toBeGreaterThan(10_000)
    })

    it('has the changes of a price in the order of its history', async () => {
      const { text } = await answered(`/historical/changes?${day}&event=${eventOfBusiest}`)
      const found = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .filter(({ id }) => id === String(busiest))
        .map(({ at }) => at)
      expect(found).toEqual(
        ofBusiest.filter((one) => ofDay.includes(one)).map((one) => shownChange(one).at),
      )
    })

    it.each([
      `/odds/${busiest}/history?`,
      `/events/${eventOfBusiest}/history?`,
      `/movements?from=2026-05-02T18:00:00Z&to=2026-05-02T18:15:00Z&min_books=2&`,
      `/historical/changes?${day}&event=${eventOfBusiest}&`,
    ])('has as many lines in each form: %s', async (path) => {
      const csv = await answered(`${path}format=csv`)
      const [head, ...lines] = csv.text.trim().split('\n')
      expect(head).toContain('"odds_american"')
      const ndjson = await answered(`${path}format=ndjson`)
      expect(ndjson.text.trim().split('\n').length).toBe(lines.length)
      expect(lines.length).toBeGreaterThan(1)
      const parquet = await answered(`${path}format=parquet`)
      expect(parquet.headers.get('Content-Type')).toBe('application/vnd.apache.parquet')
      expect([parquet.text.slice(0, 4), parquet.text.slice(-4)]).toEqual(['PAR1', 'PAR1'])
    })

    it('has only headers for HEAD', async () => {
      const reply = await service.request(`/historical/changes?${day}`, {
        method: 'HEAD',
        headers: { 'X-API-Key': keys.sharp },
      })
      expect([reply.status, reply.text]).toEqual([200, ''])
      expect(reply.headers.get('Content-Disposition')).toContain('changes_2026-05-02.ndjson')
    })

    it('reaches a slow client complete, and frees its place when one leaves', async () => {
      const path = `/api/v1/historical/changes?${day}`
      const whole = (await answered(`/historical/changes?${day}`)).text
      let received = ''
      const slow = openSlowReader({
        port: service.port,
        path,
        key: keys.sharp,
        pauseMs: (reads) => (reads % 20 === 0 ? 5 : 0),
        body: (bytes) => {
          received += bytes.toString('latin1')
        },
      })
      expect(await slow.ended).toBe(true)
      expect(received).toBe(Buffer.from(whole).toString('latin1'))
      // An account may run two archive queries at once. A client that leaves must free its slot.
      for (let i = 0; i < 6; i++) {
        const gone = openSlowReader({ port: service.port, path, key: keys.sharp, body: () => {} })
        await gone.opened
        gone.close()
      }
      await answered(`/odds/${busiest}/history`)
    })
  })

  describe('the text of a parameter', () => {
    const payloads = [
      "' OR 1=1 --",
      "'); DROP TABLE price_changes; --",
      '{event:String}',
      '\\',
      "\\' UNION SELECT 1 --",
      '\0\n\t',
      '`event_id`',
      '[1,2]',
      '$place',
      '\u202e%00日本',
    ]
    it.each(payloads)('is a value and nothing else: %j', async (payload) => {
      const before = await answered(`/odds/${busiest}/history`)
      const value = encodeURIComponent(payload)
      const at = 'as_of=2026-05-02T18:01:00Z'
      const paths = [
        `/odds/${value}/history`,
        `/events/${value}/history`,
        `/events/${value}/history?format=csv`,
        `/odds?event=${value}&${at}`,
        `/odds?league=${value}&${at}`,
        `/odds?sport=${value}&${at}`,
        `/odds/best?event=${value}&${at}`,
        `/odds/comparison?event=${value}&${at}`,
        ...[
          'event',
          'league',
          'sport',
          'sportsbook',
          'market',
          'from',
          'to',
          'format',
          'seconds',
          'min_books',
          'min_move',
          'live',
          'kind',
          'min_profit',
        ].flatMap((name) => [
          `/movements?${name}=${value}`,
          `/opportunities/lives?${name}=${value}`,
          `/historical/changes?from=2026-05-02T00:00:00Z&to=2026-05-03T00:00:00Z&${name}=${value}`,
        ]),
        ...['from', 'to', 'format', 'limit', 'offset'].map(
          (name) => `/odds/${busiest}/history?${name}=${value}`,
        ),
        ...['sportsbook', 'market', 'format'].map(
          (name) => `/events/${eventOfBusiest}/history?${name}=${value}`,
        ),
      ]
      for (const path of paths) {
        const { status, text } = await service.get(path)
        expect([path, status]).toEqual([
          path,
          status === 200 ? 200 : status >= 400 && status < 500 ? status : 0,
        ])
        if (status === 200 && !path.includes('/odds?') && text.startsWith('{"success"')) {
          expect([path, JSON.parse(text).data?.length ?? 0]).toEqual([path, 0])
        }
      }
      const after = await answered(`/odds/${busiest}/history`)
      expect(after.body).toEqual(before.body)
    })
  })

  describe('the right to it', () => {
    const paths = [
      `/odds/${busiest}/history`,
      `/events/${eventOfBusiest}/history`,
      '/movements',
      '/opportunities/lives',
      '/historical/changes?from=2026-05-02T00:00:00Z&to=2026-05-03T00:00:00Z',
      '/odds?sport=soccer&as_of=2026-05-02T18:01:00Z',
      '/odds/best?sport=soccer&as_of=2026-05-02T18:01:00Z',
      `/odds/comparison?event=${eventOfBusiest}&as_of=2026-05-02T18:01:00Z`,
    ]
    it.each(paths)('starts at sharp: %s', async (path) => {
      for (const tier of ['free', 'pro'] as const) {
        const { status, body } = await service.get(path, tier)
        expect([tier, status, body.code, body.required_tier]).toEqual([
          tier,
          403,
          'tier_restricted',
          'sharp',
        ])
      }
      expect((await service.get(path)).status).toBe(200)
    })
  })
})

describe('a sportsbook that is for its owner alone', () => {
  it('is in no history, file, movement or past board of others', async () => {
    const filled = await fillArchive(changelog)
    const service = await startInProcess({ archive: createArchiveAccess(filled.archive) })
    try {
      const hide = async (sportsbook: string) => {
        const value: SportsbookStatus = {
          sportsbook,
          status: 'up',
          since: startedAt,
          audience: 'owner',
        }
        await service.log.append([
          { topic: topics.sportsbookStatus, partitionKey: 0, key: sportsbook, value },
        ])
        await expect.poll(() => service.boards.sources.ownersOnly.has(sportsbook)).toBe(true)
      }
      await hide('pinnacle')
      const ofPinnacle = changes.find(({ of }) => of?.sportsbook === 'pinnacle')!
      expect((await service.get(`/odds/${ofPinnacle.oddsId}/history`)).status).toBe(404)
      const day = 'from=2026-05-02T00:00:00Z&to=2026-05-03T00:00:00Z'
      for (const path of [
        `/events/${ofPinnacle.eventId}/history`,
        `/events/${ofPinnacle.eventId}/history?format=csv`,
        `/events/${ofPinnacle.eventId}/history?sportsbook=pinnacle&format=csv`,
        `/movements?from=2026-05-02T18:00:00Z&to=2026-05-02T18:15:00Z&min_books=2`,
        `/opportunities/lives?${day}&limit=200`,
        `/opportunities/lives?${day}&kind=ev&format=csv`,
        `/historical/changes?${day}`,
        `/odds?sport=${sports}&limit=200&as_of=${new Date(instants[0]!).toISOString()}`,
        `/odds/best?sport=${sports}&limit=200&as_of=${new Date(instants[0]!).toISOString()}`,
      ]) {
        const { status, text } = await service.get(path)
        const shown = text.replace(/"filters":\{[^}]*\}/g, '')
        expect([path, status, shown.includes('pinnacle')]).toEqual([path, 200, false])
        // Rows of the hidden books and +EV against their prices are left out.
        if (!/sportsbook=|kind=ev/.test(path)) expect(text).toContain('draftkings')
      }
      // Prices of other sportsbooks can be requested by name after they left the current board.
      const named = await service.get(`/historical/changes?${day}&sportsbook=draftkings,pinnacle`)
      expect(named.text).toContain('draftkings')
      expect(named.text).not.toContain('pinnacle')
      // A game that only they offered is not found at all.
      for (const sportsbook of ['draftkings', 'betmgm', 'bovada', 'kalshi']) await hide(sportsbook)
      for (const form of ['', '?format=csv']) {
        const { status } = await service.get(`/events/${ofPinnacle.eventId}/history${form}`)
        expect([form, status]).toEqual([form, 404])
      }
    } finally {
      await service.close()
      await filled.close()
    }
  })
})

describe('without an archive', () => {
  it('reports that it is missing, and serves current data', async () => {
    const service = await startInProcess()
    try {
      for (const path of [
        `/odds/${busiest}/history`,
        '/movements',
        '/opportunities/lives',
        '/odds?sport=soccer&as_of=2026-05-02T18:01:00Z',
        // The same request with its name escaped must not return current prices.
        '/odds?sport=soccer&as%5Fof=2026-05-02T18:01:00Z',
        '/odds/best?sport=soccer&%61s_of=2026-05-02T18:01:00Z',
      ]) {
        const { status, body, headers } = await service.get(path)
        expect([path, status, body.code, headers.get('Retry-After')]).toEqual([
          path,
          503,
          'not_ready',
          '1',
        ])
      }
      expect((await service.get('/odds?sport=soccer')).status).toBe(200)
    } finally {
      await service.close()
    }
  })
})
