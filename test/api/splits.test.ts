import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createArchiveAccess } from '../../api/archive-access.ts'
import type { ArchivedSplits } from '../../pipeline/archive/splits.ts'
import { splitsHistory } from '../../schemas/http/splits.ts'
import { type InProcess, oddsRecord, startInProcess } from './service-in-process.ts'
import { knicksSplits, pushSplits, splitsRecord } from './splits-said.ts'

type Item = Readonly<Record<string, unknown>>

let service: InProcess
let knicks: string

beforeAll(async () => {
  service = await startInProcess()
  await pushSplits(service)
  const { body } = await service.get('/splits?league=nba')
  knicks = body.data[0].event_id
})
afterAll(() => service.close())

describe('splits', () => {
  it('are one item an event and source book, in the form of the interface', async () => {
    const { status, body } = await service.get('/splits')
    expect(status).toBe(200)
    expect(body.data.map((item: Item) => [item.league, item.sportsbook])).toEqual([
      ['nba', 'circa'],
      ['nba', 'draftkings'],
      ['england_-_premier_league', 'betmgm'],
    ])
    expect(body.data[1]).toEqual({
      event_id: expect.stringMatching(/^nba_knicks_nets_2026-11-20/),
      sport: 'basketball',
      league: 'nba',
      sportsbook: 'draftkings',
      away_team: 'Brooklyn Nets',
      home_team: 'New York Knicks',
      spread: {
        away_odds: 4.5,
        home_odds: -4.5,
        handle_pct: null,
        bets_pct: { away: 0.39, home: 0.61 },
      },
      total: {
        line: 228.5,
        handle_pct: { over: 0.63, under: 0.37 },
        // Two zeros mean that the source does not know.
        bets_pct: null,
      },
      moneyline: {
        away_odds: 150,
        home_odds: -180,
        handle_pct: { away: 0.31, home: 0.69 },
        bets_pct: { away: 0.28, home: 0.72 },
      },
      fetched_at: '2026-11-20T12:00:00.000Z',
    })
    const pagination = { limit: 100, offset: 0, count: 3, total: 3, has_more: false }
    expect(body.pagination).toEqual({ ...pagination, next_offset: null })
    expect(body.updated_at).toBe('2026-11-20T12:00:00.000Z')
  })

  it('of a source with its sides reversed are reversed', async () => {
    const { body } = await service.get('/splits?sportsbook=circa')
    expect(body.data).toMatchObject([
      {
        event_id: knicks,
        away_team: 'Brooklyn Nets',
        moneyline: { away_odds: 140, home_odds: null, bets_pct: { away: 0.4, home: 0.6 } },
        spread: { away_odds: 5, home_odds: -5, handle_pct: { away: 0.3, home: 0.7 } },
        total: null,
      },
    ])
  })

  it('of a game with a draw leave room for it', async () => {
    const { body } = await service.get('/splits?sport=soccer')
    expect(body.data).toMatchObject([
      { spread: null, total: null, moneyline: { bets_pct: { away: 0.2, home: 0.55 } } },
    ])
  })

  it.each([
    ['league=nba&sportsbook=draftkings', ['draftkings']],
    ['sportsbook=draftkings&add_sportsbook=circa', ['circa', 'draftkings']],
    ['market=total', ['draftkings']],
    ['market=Spread,total', ['circa', 'draftkings']],
    ['limit=1&offset=2', ['betmgm']],
    ['league=nhl', []],
    ['event_id=none', []],
  ])('are filtered by %s', async (query, sportsbooks) => {
    const { body } = await service.get(`/splits?${query}`)
    expect(body.data.map((item: Item) => item.sportsbook)).toEqual(sportsbooks)
  })

  it('of an event are found by either name of the parameter, and by its older id', async () => {
    const older = knicks.replace(/_b\d$/, '')
    for (const query of [`event=${knicks}`, `event_id=${knicks},none`, `event_id=${older}`]) {
      const { body } = await service.get(`/splits?${query}`)
      expect(body.data.map((item: Item) => item.event_id)).toEqual([knicks, knicks])
    }
  })

  it('show the requested markets', async () => {
    const { body } = await service.get('/splits?market=total&sportsbook=draftkings')
    expect(body.data).toMatchObject([{ spread: null, moneyline: null, total: { line: 228.5 } }])
  })

  it.each([
    ['/splits?market=totals', 400, 'validation_error'],
    ['/splits?league=nbaa', 400, 'invalid_filter'],
    ['/splits?sportsbook=draftkins', 400, 'invalid_filter'],
    ['/splits?offset=5001', 400, 'validation_error'],
    ['/splits?live=true', 400, 'validation_error'],
    ['/splits/history', 400, 'validation_error'],
    ['/splits/history?event_id=a&start_time=yesterday', 400, 'validation_error'],
    ['/splits/history?event_id=a&start_time=12345678901', 400, 'validation_error'],
    ['/splits/history?event_id=a&limit=0', 400, 'validation_error'],
    ['/splits/history?event_id=a&sportsbook=draftkins', 400, 'invalid_filter'],
    // This service has no archive.
    ['/splits/history?event_id=a', 503, 'not_ready'],
  ])('%s gets the response %i %s', async (path, status, code) => {
    const reply = await service.get(path)
    expect([reply.status, reply.body.code]).toEqual([status, code])
  })

  it('are for the pro tier and above, of the sportsbooks of the tier', async () => {
    for (const path of ['/splits', `/splits/history?event_id=${knicks}`]) {
      const { status, body } = await service.get(path, 'free')
      expect([status, body.code, body.required_tier]).toEqual([403, 'tier_restricted', 'pro'])
    }
    const { body } = await service.get('/splits', 'pro')
    expect(body.data.map((item: Item) => item.sportsbook)).toEqual(['draftkings', 'betmgm'])
    for (const path of ['/splits?', `/splits/history?event_id=${knicks}&`]) {
      const { status } = await service.get(`${path}sportsbook=circa`, 'pro')
      expect(status).toBe(403)
    }
  })

  it('are tagged by what they say', async () => {
    const first = await service.get('/splits')
    const tag = first.headers.get('etag') ?? ''
    const again = () =>
      service.request('/splits', {
        headers: { 'X-API-Key': 'sk_test_sandbox_sharp', 'If-None-Match': tag },
      })
    expect((await again()).status).toBe(304)
    service.advance(1_000)
    const moved = { moneyline: { bets_pct: { home: 0.5, away: 0.5 } } }
    await service.ingest([splitsRecord(service.clock(), moved, { sportsbook: 'draftkings' })])
    await service.settled()
    expect((await again()).status).toBe(200)
  })
})

describe('the history of splits', () => {
  const at = Date.parse('2026-11-20T11:55:00.000Z')
  const row: ArchivedSplits = {
    ...{ sportsbook: 'draftkings', at_ms: at, total_count: 3, sportsbooks: ['draftkings'] },
    ...{ oldest_ms: at - 600_000, newest_ms: at, last_flipped: false },
    ...{ moneyline_away_price: null, moneyline_home_price: null, moneyline_handle: [] },
    ...{ moneyline_bets: [0.4, 0.6], spread_away_line: null, spread_home_line: null },
    ...{ spread_handle: [], spread_bets: [], total_line: null, total_handle: [], total_bets: [] },
  }

  it('says how much there is, as every list', async () => {
    const archive = createArchiveAccess({
      query: async <Item>() => [row] as Item[],
      export: () => Promise.reject(new Error('no file is asked for')),
      close: async () => {},
    })
    const own = await startInProcess({ archive })
    try {
      const { body } = await own.get('/splits/history?event_id=e&limit=1')
      expect(splitsHistory.parse(body)).toEqual(body)
      const pagination = { limit: 1, offset: 0, count: 1, total: 3, has_more: true }
      const newest = '2026-11-20T11:55:00.000Z'
      expect(body).toMatchObject({
        data: [{ ts: newest }],
        pagination: { ...pagination, next_offset: null },
        updated_at: newest,
        meta: {
          ...{ event_id: 'e', count: 1, total: 3, books: ['draftkings'], updated_at: newest },
          ...{ oldest: '2026-11-20T11:45:00.000Z', newest },
        },
      })
    } finally {
      await own.close()
    }
  })
})

describe('splits that move', () => {
  it('follow the newest record and a reversal of the game, and leave with it', async () => {
    const own = await startInProcess()
    const shown = async () => {
      const { body } = await own.get('/splits')
      return body.data.map(({ home_team, moneyline }: Item) => [
        home_team,
        (moneyline as { bets_pct: unknown } | null)?.bets_pct,
      ])
    }
    const say = async (...records: object[]) => {
      const { body } = await own.ingest(records)
      expect(body.data.rejected).toEqual([])
      await own.settled()
    }
    const bets = (home: number) => ({ moneyline: { bets_pct: { home, away: 100 - home } } })
    const ofDraftKings = { sportsbook: 'draftkings' } as const
    const turned = { home: 'Brooklyn Nets', away: 'New York Knicks' }
    try {
      await say(splitsRecord(own.clock(), knicksSplits, ofDraftKings))
      own.advance(60_000)
      await say(splitsRecord(own.clock(), bets(80), ofDraftKings))
      // An older record that arrives late.
      await say(splitsRecord(own.clock() - 30_000, bets(10), ofDraftKings))
      expect(await shown()).toEqual([['New York Knicks', { away: 0.2, home: 0.8 }]])

      const at = own.clock()
      await say(
        oddsRecord(at, { sportsbook: 'draftkings' }),
        ...['fanduel', 'betmgm', 'pinnacle'].map((sportsbook) =>
          oddsRecord(at, { sportsbook, ...turned }),
        ),
      )
      expect(await shown()).toEqual([['Brooklyn Nets', { away: 0.8, home: 0.2 }]])

      own.advance(1_000)
      const { event, observed_at } = oddsRecord(own.clock(), { ...ofDraftKings, isLive: true })
      await say({ type: 'event_status', ...ofDraftKings, observed_at, event, status: 'final' })
      expect(await shown()).toEqual([])
      await say(splitsRecord(own.clock(), bets(90), ofDraftKings))
      expect(await shown()).toEqual([])
    } finally {
      await own.close()
    }
  })
})
