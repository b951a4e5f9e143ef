/** A reference sportsbook: the user's own model, pushed as probabilities. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createArchiveAccess } from '../../api/archive-access.ts'
import { topics } from '../../schemas/topics.ts'
import { type InProcess, startInProcess } from './service-in-process.ts'

let service: InProcess

const event = {
  sport: 'basketball',
  league: 'NBA',
  home_team: 'New York Knicks',
  away_team: 'Boston Celtics',
  start_time: '2026-11-21T00:30:00Z',
}
const at = '2026-11-20T12:00:00Z'

const moneyline = (sportsbook: string, home: object, away: object) => ({
  ...{ type: 'odds', sportsbook, mode: 'snapshot', observed_at: at, event },
  markets: [
    {
      market_type: 'moneyline',
      selections: [
        { selection_type: 'home', ...home },
        { selection_type: 'away', ...away },
      ],
    },
  ],
})
const champion = (sportsbook: string, odds: object) => ({
  ...{ type: 'futures', sportsbook, mode: 'snapshot', observed_at: at },
  market: {
    ...{ sport: 'basketball', league: 'NBA', name: 'NBA Champion 2026-27', season: '2026-27' },
    future_type: 'TEAM',
  },
  selections: [{ selection: 'Boston Celtics', ...odds }],
})

beforeAll(async () => {
  service = await startInProcess({ sharpBook: 'our_model', references: new Set(['our_model']) })
  const { body } = await service.ingest([
    moneyline('our_model', { probability: 0.4 }, { probability: 0.6 }),
    moneyline('fanduel', { odds_decimal: 2.3 }, { odds_decimal: 1.7 }),
    moneyline('draftkings', { odds_decimal: 2.7 }, { odds_decimal: 1.6 }),
    champion('our_model', { odds_decimal: 9 }),
    champion('fanduel', { odds_decimal: 5 }),
  ])
  expect(body.data).toMatchObject({ accepted: 5, rejected_count: 0 })
  await service.settled()
})
afterAll(() => service.close())

describe('a reference', () => {
  it('is on the board at the price of its probability, as one that takes no bets', async () => {
    const { body } = await service.get('/odds?league=nba&sportsbook=our_model')
    const prices = body.data.map(({ odds_decimal, withheld }: Record<string, unknown>) => [
      odds_decimal,
      withheld,
    ])
    expect(prices.sort()).toEqual([
      [1.667, 'reference'],
      [2.5, 'reference'],
    ])
    const { body: others } = await service.get('/odds?league=nba&sportsbook=fanduel')
    expect(others.data.map(({ withheld }: { withheld?: string }) => withheld)).toEqual([
      undefined,
      undefined,
    ])
  })

  it('is none of the sportsbooks that move in a movement', async () => {
    const hidden: unknown[] = []
    const archive = createArchiveAccess({
      async query(_statement, parameters) {
        hidden.push(parameters.hidden)
        return []
      },
      export: async () => null as never,
      close: async () => {},
    })
    const own = await startInProcess({ archive, references: new Set(['our_model']) })
    try {
      expect((await own.get('/movements')).status).toBe(200)
      expect(hidden).toEqual([['our_model']])
    } finally {
      await own.close()
    }
  })

  it('stays one after the guard releases a price of it', async () => {
    const path = '/odds?league=nba&sportsbook=our_model'
    const [{ id }] = (await service.get(path)).body.data
    await service.log.append([
      { topic: topics.withheldPrices, partitionKey: 'nba', key: id, value: null },
    ])
    await service.settled()
    const { body } = await service.get(path)
    expect(body.data.map(({ withheld }: { withheld?: string }) => withheld)).toEqual([
      'reference',
      'reference',
    ])
  })

  it('is never the best, though it pays more than others', async () => {
    const { body } = await service.get('/odds/best?league=nba')
    const books = body.data.map(({ selection_type, best_book, all_books }: never) => [
      selection_type,
      best_book,
      (all_books as { book: string }[]).map(({ book }) => book),
    ])
    expect(books.sort()).toEqual([
      ['away', 'fanduel', ['fanduel', 'draftkings']],
      ['home', 'draftkings', ['draftkings', 'fanduel']],
    ])
    const alone = await service.get('/odds/best?league=nba&sportsbook=our_model')
    expect(alone.body.data).toEqual([])
  })

  it('is beside the others in a comparison, and alone in none', async () => {
    const { body: events } = await service.get('/odds?league=nba&limit=1')
    const path = `/odds/comparison?event=${events.data[0].event_id}`
    const { body } = await service.get(path)
    const selections = body.data.markets.flatMap(({ selections }: never) => selections)
    expect(selections).toMatchObject([
      { books: { our_model: {} }, best_book: 'draftkings', worst_book: 'fanduel' },
      { books: { our_model: {} }, best_book: 'fanduel', worst_book: 'draftkings' },
    ])
    expect(JSON.stringify(body.data.markets[0].hold)).not.toContain('our_model')
    const alone = await service.get(`${path}&sportsbook=our_model`)
    expect(alone.text).not.toContain('best_book')
  })

  it('is not the best of a future', async () => {
    const { body } = await service.get('/futures?league=nba')
    const { body: compared } = await service.get(`/futures/odds?market=${body.data[0].market_id}`)
    expect(JSON.stringify(compared)).toContain('our_model')
    const comparison = await service.get(`/futures/comparison?future_id=${body.data[0].market_id}`)
    expect(comparison.body.data.selections[0].best_book).toBe('fanduel')
  })

  it('measures the others: their price times its probability', async () => {
    const { body } = await service.get('/opportunities/ev?league=nba')
    const found = body.data.map(({ sportsbook, selection, ev_percentage }: never) => [
      sportsbook,
      selection,
      ev_percentage,
    ])
    // 2.70 at a probability of 0.4 is 1.08; 1.70 at 0.6 is 1.02.
    expect(found.sort()).toEqual([
      ['draftkings', 'New York Knicks', 8],
      ['fanduel', 'Boston Celtics', 2],
    ])
    for (const path of ['arbitrage', 'low-hold', 'middles']) {
      const { text } = await service.get(`/opportunities/${path}?league=nba`)
      expect(text).not.toContain('our_model')
    }
    const { body: arbitrages } = await service.get('/opportunities/arbitrage')
    expect(arbitrages.meta.books_analyzed).toBe(2)
    const named = await service.get('/opportunities/ev?league=nba&devig_book=our_model')
    expect(named.body).toMatchObject({ data: [{}, {}] })
    const unknown = await service.get('/opportunities/ev?league=nba&devig_book=their_model')
    expect([unknown.status, unknown.body.code]).toEqual([400, 'invalid_filter'])
    const { body: other } = await service.get('/opportunities/ev?league=nba&devig_book=fanduel')
    expect(JSON.stringify(other.data)).not.toContain('"sportsbook":"our_model"')
  })
})

describe('/sportsbooks', () => {
  type Listed = Record<'id' | 'is_reference' | 'unlisted', unknown>

  it('lists names that were pushed, and says which is a reference', async () => {
    const { body } = await service.get('/sportsbooks')
    const found = body.data.filter(({ unlisted, is_reference }: Listed) => unlisted || is_reference)
    expect(found).toMatchObject([
      { id: 'our_model', unlisted: true, is_reference: true, event_count: 1 },
    ])
    const listed = await service.get('/sportsbooks?include_unlisted=false')
    expect(listed.text).not.toContain('our_model')
    expect((await service.get('/sportsbooks/our-model')).body.data.is_reference).toBe(true)
    expect((await service.get('/sportsbooks/fanduel')).body.data.is_reference).toBe(false)
    // A tier does not learn of a sportsbook whose prices it does not see.
    expect((await service.get('/sportsbooks', 'pro')).text).not.toContain('our_model')
  })

  it('has each that it lists, also a reference that was never pushed', async () => {
    const own = await startInProcess({ references: new Set(['our_model']) })
    try {
      await own.ingest([moneyline('fanduel', { odds_decimal: 2.3 }, { odds_decimal: 1.7 })])
      await own.settled()
      const { body } = await own.get('/sportsbooks')
      const listed = body.data.find(({ id }: Listed) => id === 'our_model')
      expect(listed).toMatchObject({ unlisted: true, is_reference: true, event_count: 0 })
      const { body: found } = await own.get('/sportsbooks/our_model')
      expect(found.data).toEqual({ ...listed, sports: [], markets: [] })
      const prices = await own.get('/odds?sportsbook=our_model')
      expect([prices.status, prices.body.data]).toEqual([200, []])
      expect((await own.get('/sportsbooks/our_model', 'pro')).status).toBe(404)
      expect((await own.get('/odds?sportsbook=our_model', 'pro')).body.code).toBe('invalid_filter')
    } finally {
      await own.close()
    }
  })
})

describe('devig_books', () => {
  const path = '/opportunities/ev?league=nba&max_hold=10&devig_books='
  const totals = {
    ...moneyline('betonline', {}, {}),
    markets: [
      {
        ...{ market_type: 'total_points', line: 220.5 },
        selections: [
          { selection_type: 'over', odds_decimal: 1.95 },
          { selection_type: 'under', odds_decimal: 1.95 },
        ],
      },
    ],
  }

  it('uses the first that offers all of the market at its line, and names it', async () => {
    await service.ingest([totals])
    await service.settled()
    const booksOf = async (names: string) =>
      (await service.get(path + names)).body.data.map(
        ({ sportsbook, selection, sharp_book, devig_book }: Record<string, string>) => {
          expect(devig_book).toBe(sharp_book)
          return `${sportsbook} ${selection} by ${sharp_book}`
        },
      )
    const byModel = [
      'draftkings New York Knicks by our_model',
      'fanduel Boston Celtics by our_model',
    ]
    // betonline has only a total, and circa has no prices.
    expect(await booksOf('betonline,circa,our_model,fanduel')).toEqual(byModel)
    expect(await booksOf('BetOnline')).toEqual([])
    expect(await booksOf('fanduel,our_model')).toEqual(['draftkings New York Knicks by fanduel'])
    // fanduel is down, and so are the opportunities measured by it.
    await service.ingest([
      { type: 'book_status', sportsbook: 'fanduel', status: 'down', observed_at: at },
    ])
    await service.settled()
    expect(await booksOf('fanduel,our_model')).toEqual(byModel.slice(0, 1))
    await service.ingest([
      { type: 'book_status', sportsbook: 'fanduel', status: 'up', observed_at: at },
    ])
    await service.settled()
  })

  it('apply to an explanation too', async () => {
    const asked = 'devig_books=fanduel&devig_method=multiplicative'
    const { body } = await service.get(`/opportunities/ev?league=nba&max_hold=10&${asked}`)
    const [item] = body.data
    const explain = (query: string, tier?: 'pro', id = item.id) =>
      service.get(`/opportunities/${id}/explain?${query}`, tier)
    const { body: found } = await explain(asked)
    const [market] = found.data.devig
    expect(market).toMatchObject({ sportsbook: 'fanduel', devig_method: 'multiplicative' })
    expect(market.methods.multiplicative.ev_percentage).toBeCloseTo(item.ev_percent, 1)
    expect(100 * found.data.result.ev).toBeCloseTo(item.ev_percent, 1)
    const { body: own } = await explain('')
    expect(own.data.devig[0]).toMatchObject({ sportsbook: 'our_model', devig_method: 'power' })
    expect((await explain(`${asked}&event=nba_no_game_b9`)).status).toBe(404)
    // An id of a list with chosen references does not identify its event.
    const unknown = await explain(asked, undefined, '0123456789abcdef')
    expect(unknown).toMatchObject({
      status: 404,
      body: { error: { message: expect.stringContaining('name its event') } },
    })
    const hidden = await explain('devig_books=pinnacle,betway', 'pro')
    expect([hidden.status, hidden.body.code]).toEqual([403, 'tier_restricted'])
  })

  it('names unknown sportsbooks, and replaces devig_book', async () => {
    const unknown = await service.get(`${path}our_model,their_model`)
    expect(unknown).toMatchObject({
      status: 400,
      body: {
        code: 'invalid_filter',
        error: { details: { fields: { devig_books: ['their_model'] } } },
      },
    })
    const misspelt = await service.get(`${path}our_model,pinacle`)
    expect(misspelt.body.error.details.did_you_mean).toEqual([
      { field: 'devig_books', value: 'pinacle', try: { devig_books: 'pinnacle' } },
    ])
    const both = await service.get(`${path}our_model&devig_book=our_model`)
    expect([both.status, both.body.code]).toEqual([400, 'validation_error'])
    const hidden = await service.get(`${path}pinnacle,betway`, 'pro')
    expect([hidden.status, hidden.body.code]).toEqual([403, 'tier_restricted'])
  })
})

describe('devig_method', () => {
  const path = '/opportunities/ev?league=nba&max_hold=10&market=spread'
  const spreads = (sportsbook: string, home: number, away: number) => ({
    ...moneyline(sportsbook, {}, {}),
    markets: [
      {
        market_type: 'point_spread',
        selections: [
          { selection_type: 'home', line: -4.5, odds_decimal: home },
          { selection_type: 'away', line: 4.5, odds_decimal: away },
        ],
      },
    ],
  })

  it('removes the margin its own way, of the sharp market or of the named ones', async () => {
    await service.ingest([spreads('betway', 1.5, 2.8), spreads('betmgm', 1.6, 2.2)])
    await service.settled()
    const found = async (query: string) =>
      (await service.get(path + query)).body.data.map(
        ({ sportsbook, devig_method, sharp_book, ev_percentage }: Record<string, unknown>) =>
          [sportsbook, devig_method, sharp_book, ev_percentage].join(),
      )
    expect(await found('')).toEqual([])
    // 1.6 times 0.651163 = 2.8 / 4.3; 0.654762 = 2/3 less half of the excess of 2/3 + 1/2.8 over 1, which is Shin's
    // of two outcomes too; 0.654859, whose odds are 2 over the root of 2 × 5/9; 0.656511 = (2/3)^1.03786.
    for (const [method, ev] of [
      ['multiplicative', 4.19],
      ['additive', 4.76],
      ['shin', 4.76],
      ['odds_ratio', 4.78],
      ['power', 5.04],
    ] as const) {
      const line = `betmgm,${method},betway,${ev}`
      expect(await found(`&devig_books=circa,betway&devig_method=${method}`)).toEqual([line])
    }
    // The service's sharp book is the reference, by another method.
    const { body } = await service.get('/opportunities/ev?league=nba&devig_method=shin')
    expect(
      body.data.map(({ devig_method, sharp_book }: Record<string, unknown>) => [
        devig_method,
        sharp_book,
      ]),
    ).toEqual([
      ['shin', 'our_model'],
      ['shin', 'our_model'],
    ])
    expect(body.meta.filters).toMatchObject({ devig_method: 'shin' })
  })

  it('may be another one only if the account sees the prices that it would reveal', async () => {
    for (const query of ['devig_method=shin', 'devig_method=shin&devig_book=circa']) {
      const { status, body } = await service.get(`/opportunities/ev?league=nba&${query}`, 'pro')
      expect([status, body.code]).toEqual([403, 'tier_restricted'])
    }
    const named = await service.get(`${path}&devig_method=shin&devig_book=betonline`, 'pro')
    expect(named.status).toBe(200)
    const power = await service.get(`${path}&devig_method=power&devig_book=circa`, 'pro')
    expect(power.status).toBe(200)
    const other = await service.get(`${path}&devig_method=wpo`)
    expect([other.status, other.body.code]).toEqual([400, 'validation_error'])
  })
})

it('devig_book reveals nothing of a sportsbook that the tier does not see', async () => {
  await service.ingest([moneyline('our_desk', { odds_decimal: 2.3 }, { odds_decimal: 1.6 })])
  await service.settled()
  const path = '/opportunities/ev?league=nba&devig_book='
  const seen = await service.get(`${path}our_desk`)
  expect(seen.status).toBe(200)
  const [hidden, unknown] = await Promise.all(
    ['our_desk', 'no_desk'].map((name) => service.get(path + name, 'pro')),
  )
  expect(hidden!.text.replaceAll('our_desk', 'no_desk')).toBe(unknown!.text)
  expect(unknown!.status).toBe(400)
})

describe('a pushed probability', () => {
  it.each([
    [{ probability: 0 }, 'invalid_price'],
    [{ probability: 1 }, 'invalid_price'],
    [{ probability: -0.2 }, 'invalid_price'],
    [{ probability: 0.5, odds_decimal: 2 }, 'price_mismatch'],
  ])('%j suspends its selection, with a warning', async (stated, code) => {
    const { body } = await service.ingest([
      moneyline('another_model', stated, { probability: 0.5 }),
    ])
    expect(body.data.warnings).toMatchObject([{ code }])
  })
})

it('an explanation by other references reveals no opportunity that the tier does not have', async () => {
  await service.ingest([moneyline('betway', { odds_decimal: 2.65 }, { odds_decimal: 1.6 })])
  await service.settled()
  const { body } = await service.get('/opportunities/ev?league=nba&max_hold=10&sportsbook=betway')
  expect(body.data).toHaveLength(1)
  const explain = (id: string) =>
    service.get(`/opportunities/${id}/explain?devig_book=fanduel`, 'pro')
  const [hidden, unknown] = await Promise.all([
    explain(body.data[0].id),
    explain('0123456789abcdef'),
  ])
  expect(unknown.status).toBe(404)
  expect([hidden.status, hidden.body.error.message]).toEqual([
    unknown.status,
    unknown.body.error.message,
  ])
})
