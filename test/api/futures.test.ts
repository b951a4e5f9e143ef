/** The routes of /futures on markets that several sportsbooks name in their own ways. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Append } from '../../pipeline/log/log.ts'
import { topics } from '../../schemas/topics.ts'
import { futuresRecord, pushFutures, type SaidFuture, someFutures } from './futures-said.ts'
import { type InProcess, startInProcess } from './service-in-process.ts'

let service: InProcess
beforeAll(async () => {
  service = await startInProcess()
  await pushFutures(service)
})
afterAll(() => service.close())

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
type Item = any
const champion = 'nba_champion_2027'

describe('the list of futures', () => {
  it('has each market once, with the sportsbooks and selections of the tier', async () => {
    const { status, body } = await service.get('/futures', 'pro')
    expect(status).toBe(200)
    expect(body.data).toEqual([
      {
        market_id: 'golf_-_masters_champion_2027',
        display_name: 'Golf - Masters Champion 2027',
        sport: 'golf',
        league: 'golf_-_masters',
        future_type: 'PLAYER',
        selection_count: 2,
        books_available: ['draftkings'],
      },
      {
        market_id: 'mlb_total_wins_mariners_2027',
        display_name: 'Seattle Mariners Regular Season Wins 2027',
        sport: 'baseball',
        league: 'mlb',
        future_type: 'OVER_UNDER',
        selection_count: 2,
        books_available: ['caesars'],
      },
      {
        market_id: champion,
        display_name: 'NBA Champion 2027',
        sport: 'basketball',
        league: 'nba',
        future_type: 'TEAM',
        selection_count: 3,
        books_available: ['draftkings', 'fanduel'],
      },
    ])
    expect(body.updated_at).toBe('2026-11-20T12:00:00.000Z')
  })

  it.each([
    ['league=nba', [champion]],
    ['sport=golf,baseball', ['golf_-_masters_champion_2027', 'mlb_total_wins_mariners_2027']],
    ['future_type=over_under', ['mlb_total_wins_mariners_2027']],
    ['sportsbook=fanduel', [champion]],
    ['sportsbook=caesars&league=nba', []],
    ['limit=1&offset=2', [champion]],
  ])('filters by %s', async (query, ids) => {
    const { body } = await service.get(`/futures?${query}`)
    expect(body.data.map((item: Item) => item.market_id)).toEqual(ids)
  })

  it('is for the pro tier and above', async () => {
    for (const path of ['/futures', `/futures/odds?future_id=${champion}`, '/futures/comparison']) {
      const { status, body } = await service.get(path, 'free')
      expect([status, body.code, body.required_tier]).toEqual([403, 'tier_restricted', 'pro'])
    }
    const { body } = await service.get('/account', 'pro')
    expect(body.data.features).toMatchObject({ futures: true })
  })
})

describe('the prices of futures', () => {
  it('are rows of one price', async () => {
    const { body } = await service.get(`/futures/odds?future_id=${champion}`)
    const shown = body.data.map((item: Item) => [
      item.selection,
      item.sportsbook,
      item.odds_american,
      item.is_active,
    ])
    expect(shown).toEqual([
      ['Boston Celtics', 'draftkings', 350, true],
      ['Boston Celtics', 'fanduel', 320, false],
      ['New York Knicks', 'draftkings', 850, true],
      ['New York Knicks', 'fanduel', 900, true],
      ['New York Knicks', 'pinnacle', 1100, true],
      ['Utah Jazz', 'fanduel', 50_000, true],
    ])
    expect(body.data[3]).toEqual({
      id: expect.stringMatching(/^\d{15}$/),
      selection: 'New York Knicks',
      sportsbook: 'fanduel',
      odds_american: 900,
      odds_decimal: 10,
      probability: 0.1,
      odds_probability: 0.1,
      is_active: true,
      future_type: 'TEAM',
      future_market_id: champion,
      future_market_name: 'NBA Champion 2027',
      sport: 'basketball',
      league: 'nba',
      event_start_time: '2027-06-20T00:00:00.000Z',
      timestamp: '2026-11-20T12:00:00.000Z',
      deep_link: expect.stringMatching(/^\/api\/v1\/deeplink\/\d{15}-[0-9a-f]{12}$/),
    })
    expect(body.data[0].event_start_time).toBeNull()
  })

  it('have a line if they are an Over or Under', async () => {
    const { body } = await service.get('/futures/odds?market=total_wins')
    expect(body.data.map((item: Item) => [item.selection, item.line])).toEqual([
      ['Over', 88.5],
      ['Under', 88.5],
    ])
  })

  it('name a player as others do', async () => {
    const { body } = await service.get('/futures/odds?league=golf_-_masters')
    expect(body.data.map((item: Item) => item.selection)).toEqual([
      'Scottie Scheffler',
      'The Field',
    ])
  })

  it('need a market, league or id', async () => {
    for (const query of ['', 'sport=basketball', 'sportsbook=draftkings', 'limit=3']) {
      const { status, body } = await service.get(`/futures/odds?${query}`)
      expect([status, body.error.parameters]).toEqual([400, ['future_id', 'market', 'league']])
    }
  })

  it.each([
    ['/futures/odds?future_id=none', 404, 'not_found'],
    ['/futures/comparison?future_id=none', 404, 'not_found'],
    ['/futures/comparison', 400, 'validation_error'],
    ['/futures/odds?market=champoin', 400, 'invalid_filter'],
    ['/futures?league=nbaa', 400, 'invalid_filter'],
    ['/futures?future_type=HORSE', 400, 'validation_error'],
    ['/futures?leage=nba', 400, 'validation_error'],
    ['/futures?offset=5001', 400, 'validation_error'],
    ['/futures?offset=-1', 400, 'validation_error'],
  ])('get for %s the response %i %s', async (path, status, code) => {
    const reply = await service.get(path)
    expect([reply.status, reply.body.code]).toEqual([status, code])
  })

  it('come page by page without repeats', async () => {
    const ids: string[] = []
    for (let offset: number | null = 0; offset !== null; ) {
      const { body } = await service.get(`/futures/odds?league=nba&limit=4&offset=${offset}`)
      ids.push(...body.data.map((item: Item) => item.id))
      offset = body.pagination.next_offset
    }
    expect([ids.length, new Set(ids).size]).toEqual([6, 6])
  })

  it('lead to their sportsbook', async () => {
    const { body } = await service.get(`/futures/odds?future_id=${champion}&sportsbook=draftkings`)
    const [, knicks] = body.data
    const led = await service.request(knicks.deep_link, { redirect: 'manual' })
    expect([led.status, led.headers.get('location')]).toEqual([
      302,
      expect.stringContaining('draftkings.com'),
    ])
    const links = await service.get(`/deeplinks?id=${knicks.id}`, 'pro')
    expect(links.body.data.deep_links).toHaveProperty('draftkings')
  })

  it('of a sportsbook outside the tier have no link for it', async () => {
    const { body } = await service.get(`/futures/odds?future_id=${champion}&sportsbook=pinnacle`)
    const [{ id }] = body.data
    expect((await service.get(`/deeplinks?id=${id}`, 'pro')).status).toBe(404)
    expect((await service.get(`/deeplinks?id=${id}`, 'sharp')).status).toBe(200)
  })
})

describe('a market side by side', () => {
  it('has each selection with its best open price', async () => {
    const { body } = await service.get(`/futures/comparison?future_id=${champion}`, 'pro')
    const summary = body.data.selections.map((one: Item) => [
      one.selection,
      Object.keys(one.books),
      one.best_book,
      one.best_odds,
      one.worst_book,
    ])
    expect(summary).toEqual([
      // The price of fanduel is suspended.
      ['Boston Celtics', ['draftkings', 'fanduel'], 'draftkings', 350, 'draftkings'],
      ['New York Knicks', ['draftkings', 'fanduel'], 'fanduel', 900, 'draftkings'],
      ['Utah Jazz', ['fanduel'], 'fanduel', 50_000, 'fanduel'],
    ])
  })

  it('of chosen sportsbooks has only those', async () => {
    const { body } = await service.get(
      `/futures/comparison?future_id=${champion}&sportsbook=pinnacle`,
    )
    expect(body.data.books_available).toEqual(['pinnacle'])
    const restricted = await service.get(
      `/futures/comparison?future_id=${champion}&sportsbook=pinnacle`,
      'pro',
    )
    expect([restricted.status, restricted.body.code]).toEqual([403, 'tier_restricted'])
  })
})

describe('futures that move', () => {
  /** Runs `use` on its own service, with the NBA champion at draftkings and fanduel. */
  async function moving(use: (service: InProcess) => Promise<void>) {
    const own = await startInProcess()
    try {
      await pushFutures(own, someFutures.slice(0, 2))
      await use(own)
    } finally {
      await own.close()
    }
  }
  const pricesOf = async (own: InProcess) => {
    const { body, status } = await own.get(`/futures/odds?future_id=${champion}&limit=200`)
    if (status === 404) return null
    return body.data.map((item: Item) => [item.selection, item.sportsbook, item.odds_american])
  }
  const say = async (own: InProcess, said: SaidFuture, ageMs = 0) => {
    own.advance(1)
    const at = own.clock() - ageMs
    const { body } = await own.ingest([futuresRecord(at, said)])
    expect(body.data.rejected).toEqual([])
    await own.settled()
  }
  /** Sends the current time to the pipeline as a tick. */
  async function tick(own: InProcess) {
    const value = { type: 'tick', observedAt: own.clock() } as const
    await own.log.append([{ topic: topics.feedOdds, partitionKey: 0, key: 'tick', value }])
  }
  const [ofDraftKings, ofFanDuel] = someFutures as readonly [SaidFuture, SaidFuture]

  it('lose what a snapshot omits, and only what a delta removes', () =>
    moving(async (own) => {
      const knicks = { selection: 'New York Knicks', odds_american: 800 }
      await say(own, { ...ofDraftKings, selections: [knicks] })
      await say(own, {
        ...ofFanDuel,
        mode: 'delta',
        selections: [{ selection: 'Utah Jazz', removed: true }],
      })
      expect(await pricesOf(own)).toEqual([
        ['Boston Celtics', 'fanduel', 320],
        ['New York Knicks', 'draftkings', 800],
        ['New York Knicks', 'fanduel', 900],
      ])
      await say(own, { ...ofDraftKings, selections: [] })
      expect(await pricesOf(own)).toEqual([
        ['Boston Celtics', 'fanduel', 320],
        ['New York Knicks', 'fanduel', 900],
      ])
    }))

  it('keep the id of a price that moves, and ignore older records', () =>
    moving(async (own) => {
      const path = `/futures/odds?future_id=${champion}&sportsbook=draftkings`
      const before = (await own.get(path)).body.data
      own.advance(10_000)
      const moved = { ...ofDraftKings, selections: [{ selection: 'Knicks', odds_american: 700 }] }
      await say(own, moved)
      await say(own, ofDraftKings, 5_000)
      const after = (await own.get(path)).body.data
      expect(after.map(({ id }: Item) => id)).toEqual([before[1].id])
      expect(after[0].odds_american).toBe(700)
    }))

  it('have no best price after five minutes without a sighting, and leave after fifteen', () =>
    moving(async (own) => {
      const best = async () => {
        const path = `/futures/comparison?future_id=${champion}`
        const { body } = await own.get(path)
        return body.data?.selections.map((one: Item) => one.best_book) ?? body.code
      }
      expect(await best()).toEqual(['draftkings', 'fanduel', 'fanduel'])
      own.advance(4 * 60_000)
      await say(own, ofDraftKings)
      own.advance(2 * 60_000)
      expect(await best()).toEqual(['draftkings', 'draftkings', null])
      own.advance(10 * 60_000)
      await tick(own)
      await expect
        .poll(() => pricesOf(own))
        .toEqual([
          ['Boston Celtics', 'draftkings', 350],
          ['New York Knicks', 'draftkings', 850],
        ])
      own.advance(10 * 60_000)
      await tick(own)
      await expect.poll(() => pricesOf(own)).toBeNull()
    }))

  it('stay while any record of their market comes, also a delta without selections', () =>
    moving(async (own) => {
      own.advance(10 * 60_000)
      await say(own, { ...ofDraftKings, mode: 'delta', selections: [] })
      own.advance(10 * 60_000)
      await tick(own)
      await expect
        .poll(() => pricesOf(own))
        .toEqual([
          ['Boston Celtics', 'draftkings', 350],
          ['New York Knicks', 'draftkings', 850],
        ])
    }))

  it('that are many times those of the others are withheld and never the best', () =>
    moving(async (own) => {
      const celtics = { selection: 'Boston Celtics', odds_decimal: 450 }
      await say(own, { ...ofFanDuel, selections: [celtics] })
      const slip = ['fanduel', 'far_from_consensus']
      const withheld = async (query: string) => {
        const { body } = await own.get(`/futures/odds?future_id=${champion}${query}`)
        return body.data.flatMap((one: Item) =>
          one.withheld ? [one.sportsbook, one.withheld] : [],
        )
      }
      expect(await withheld('')).toEqual(slip)
      expect(await withheld('&sportsbook=fanduel')).toEqual(slip)
      const path = `/futures/comparison?future_id=${champion}`
      const [compared] = (await own.get(path)).body.data.selections
      expect(compared.books.fanduel.withheld).toBe('far_from_consensus')
      expect([compared.best_book, compared.worst_book]).toEqual(['draftkings', 'draftkings'])
      await say(own, { ...ofFanDuel, selections: [{ ...celtics, odds_decimal: 4.6 }] })
      expect(await withheld('')).toEqual([])
    }))

  it('of a source that is down are inactive and never the best', () =>
    moving(async (own) => {
      const activity = async () => {
        const { body } = await own.get(`/futures/odds?future_id=${champion}&sportsbook=fanduel`)
        return body.data.map((item: Item) => item.is_active)
      }
      expect(await activity()).toEqual([false, true, true])
      const observed_at = new Date(own.clock()).toISOString()
      await own.ingest([
        { type: 'book_status', sportsbook: 'fanduel', observed_at, status: 'down' },
      ])
      await own.settled()
      const { body } = await own.get(`/futures/comparison?future_id=${champion}`)
      expect(body.data.selections.map((one: Item) => one.best_book)).toEqual([
        'draftkings',
        'draftkings',
        null,
      ])
      expect(body.data.selections[1].books.fanduel.is_active).toBe(false)
      expect(await activity()).toEqual([false, false, false])
    }))

  it('of sportsbooks without games stay for others when a sportsbook becomes the owner’s alone', () =>
    moving(async (own) => {
      const value = { sportsbook: 'fanduel', status: 'up', since: own.clock(), audience: 'owner' }
      const key = value.sportsbook
      const row = { topic: topics.sportsbookStatus, partitionKey: 0, key, value }
      await own.log.append([row as Append])
      const listed = async () => (await own.get('/futures')).body.data[0]?.books_available
      await expect.poll(listed).toEqual(['draftkings'])
      const caesars = someFutures[3] as SaidFuture
      await say(own, { ...ofDraftKings, sportsbook: caesars.sportsbook })
      await expect.poll(listed).toEqual(['caesars', 'draftkings'])
    }))

  it('are tagged by what they say', () =>
    moving(async (own) => {
      const path = '/futures?league=nba'
      const first = await own.get(path)
      own.advance(1_000)
      await say(own, { ...ofDraftKings, selections: [] })
      const second = await own.get(path)
      expect(second.headers.get('etag')).not.toBe(first.headers.get('etag'))
      const again = await own.request(path, {
        headers: {
          'X-API-Key': 'sk_test_sandbox_sharp',
          'If-None-Match': second.headers.get('etag') ?? '',
        },
      })
      expect(again.status).toBe(304)
    }))
})

describe('a future without a readable price', () => {
  it.each([{}, { odds_decimal: 1 }, { odds_american: 0 }])(
    'is suspended by itself: %j',
    async (odds) => {
      const market = { sport: 'basketball', league: 'NBA', name: 'Champion', future_type: 'TEAM' }
      const selections = [
        { selection: 'Knicks', ...odds },
        { selection: 'Celtics', odds_american: 500 },
      ]
      const said = {
        sportsbook: 'draftkings',
        market: { ...market, season: '2033-34' },
        selections,
      }
      const { body } = await service.ingest([futuresRecord(service.clock(), said)])
      expect(body.data).toMatchObject({ accepted: 1, rejected_count: 0, warning_count: 1 })
      expect(body.data.warnings[0]).toMatchObject({ market_type: 'Champion', selection: 'Knicks' })
    },
  )
})

describe('invalid futures', () => {
  const market = { sport: 'basketball', league: 'NBA', name: 'Champion', season: '2026-27' }
  const knicks = { selection: 'Knicks', odds_american: 900 }
  it.each<[string, object, object[], string]>([
    ['an unknown kind', { ...market, future_type: 'HORSE' }, [knicks], 'invalid_field'],
    ['no kind', market, [knicks], 'missing_field'],
    ['no name', { ...market, name: ' ', future_type: 'TEAM' }, [knicks], 'invalid_field'],
    [
      'a team among Over and Under',
      { ...market, future_type: 'OVER_UNDER' },
      [{ ...knicks, line: 3 }],
      'unknown_selection',
    ],
    [
      'an Over without a line',
      { ...market, future_type: 'OVER_UNDER' },
      [{ selection: 'Over', odds_american: -110 }],
      'bad_number',
    ],
    [
      'a day that does not exist',
      { ...market, future_type: 'TEAM', settles_at: '2027-02-30T00:00:00Z' },
      [knicks],
      'invalid_date',
    ],
    [
      'a member nobody knows',
      { ...market, future_type: 'TEAM', sesaon: 'x' },
      [knicks],
      'unknown_field',
    ],
  ])('with %s are refused by name', async (_, stated, selections, code) => {
    const said = { sportsbook: 'draftkings', market: stated, selections }
    const { body } = await service.ingest([futuresRecord(service.clock(), said)])
    expect([body.data.accepted, body.data.rejected[0]?.code]).toEqual([0, code])
  })

  it('with a link that is none are accepted without it', async () => {
    const selections = [{ ...knicks, deep_link: 'javascript:alert(1)' }]
    const said = {
      sportsbook: 'draftkings',
      market: { ...market, future_type: 'TEAM' },
      selections,
    }
    const { body } = await service.ingest([futuresRecord(service.clock(), said)])
    expect([body.data.accepted, body.data.warnings]).toMatchObject([
      1,
      [
        {
          code: 'invalid_field',
          path: 'selections.0.deep_link',
          count: 1,
          market_type: 'Champion',
        },
      ],
    ])
  })
})
