import { beforeEach, describe, expect, it } from 'vitest'
import { plain } from '../../api/answer/codings.ts'
import { createCompressor } from '../../api/answer/compressor.ts'
import { createReads } from '../../api/answer/reads.ts'
import { createBestRoute } from '../../api/routes/best.ts'
import { createComparisonRoute } from '../../api/routes/comparison.ts'
import { exampleOf } from '../../schemas/http/example.ts'
import {
  baseTime,
  createSmallBoard,
  knicks,
  leeds,
  refusal,
  type SmallBoard,
} from './small-board.ts'

let board: SmallBoard
const compareOdds = createComparisonRoute(() => board.clock())

beforeEach(() => {
  board = createSmallBoard()
  board.event(knicks)
})

const away = { selectionType: 'away' }
const compare = (query = '', tier: 'pro' | 'sharp' = 'sharp') =>
  board.get(compareOdds, `event=${knicks}${query}`, { tier })

describe('GET /odds/comparison', () => {
  it('gives an example that its own schema accepts', () => {
    const schema = compareOdds.answer!.schema!
    const example = exampleOf(schema)
    expect(schema.parse(example)).toEqual(example)
  })

  it.each([
    ['min_odds=-185', ['draftkings']],
    ['max_odds=-185', ['caesars']],
    ['min_odds=-200&max_odds=-180', ['caesars', 'draftkings']],
    ['max_odds=-300', undefined],
    ['live=true', undefined],
    ['sport=basketball&league=nba&team=knicks&q=bulls', ['caesars', 'draftkings']],
    ['sport=soccer', undefined],
    ['league=nfl', undefined],
    ['team=lakers', undefined],
    ['q=lakers', undefined],
    ['date=2027-01-20', undefined],
  ])('honours each filter on rows and events: %s', (query, expected) => {
    board.odds(
      knicks,
      { sportsbook: 'caesars', price: 1.526315789 },
      { sportsbook: 'draftkings', price: 1.555555556 },
    )
    const { event_id, markets } = compare(`&${query}`).data as unknown as {
      event_id: string
      markets: { selections: { books: object }[] }[]
    }
    expect(event_id).toBe(knicks)
    const books = markets.flatMap(({ selections }) => Object.keys(selections[0]!.books))
    expect(markets).toHaveLength(expected ? 1 : 0)
    expect(books).toEqual(expected ?? [])
  })

  it('has as single row the first selection whose best price is not too old', () => {
    board.odds(
      knicks,
      { sportsbook: 'caesars', price: 1.5 },
      { ...away, sportsbook: 'draftkings', price: 2.5 },
    )
    board.advance(5 * 60_000 + 1)
    board.seen(knicks, 'draftkings', board.clock())
    const { data } = compare()
    expect(data).toMatchObject({ markets: [{ selections: [{ best_book: null }, {}] }] })
    expect(data).toMatchObject({
      ...{ market_type: 'moneyline', selection_type: 'away' },
      ...{ sportsbook: 'draftkings', odds_decimal: 2.5 },
    })
  })

  it('refuses a field that no price has', () => {
    const asked = { code: 'validation_error', details: { parameters: ['fields'] } }
    expect(refusal(() => compare('&fields=id,price'))).toEqual(asked)
  })

  it('names a sportsbook in any alphabet, in a new text and in a cached one', () => {
    board.odds(knicks, { sportsbook: 'лига_ставок', price: 2.5 })
    for (let answer = 0; answer < 2; answer++) {
      const { markets } = compare().data as unknown as {
        markets: { selections: { books: object; best_book: string }[] }[]
      }
      const [{ books, best_book }] = markets[0]!.selections as [
        { books: object; best_book: string },
      ]
      expect([Object.keys(books), best_book]).toEqual([['лига_ставок'], 'лига_ставок'])
    }
  })

  it('lists sportsbooks side by side, in the form of the interface', () => {
    board.odds(
      knicks,
      { ...away, sportsbook: 'caesars', price: 2.62, changedAt: baseTime - 1_000 },
      { ...away, sportsbook: 'draftkings', price: 2.5 },
      { sportsbook: 'caesars', price: 1.526315789 },
      { sportsbook: 'draftkings', price: 1.555555556 },
    )
    const { data, meta, updated_at } = compare()
    expect([meta.market_filter, updated_at]).toEqual([null, '2027-01-14T21:00:00.000Z'])
    const seen = { last_seen_at: '2027-01-14T21:00:00.000Z', odds_changed_at: null }
    expect(data).toEqual({
      event_id: knicks,
      event_name: 'Chicago Bulls @ New York Knicks',
      sport: 'basketball',
      league: 'nba',
      home_team: 'New York Knicks',
      away_team: 'Chicago Bulls',
      start_time: '2027-01-15T00:40:00.000Z',
      status: 'upcoming',
      is_live: false,
      books_available: ['caesars', 'draftkings'],
      markets: [
        {
          market_type: 'moneyline',
          line: null,
          hold: { best_available: 2.45, by_book: { caesars: 3.69, draftkings: 4.29 } },
          selections: [
            {
              selection: 'New York Knicks',
              selection_type: 'home',
              line: null,
              books: {
                caesars: { odds_american: -190, odds_decimal: 1.526, ...seen },
                draftkings: { odds_american: -180, odds_decimal: 1.556, ...seen },
              },
              best_book: 'draftkings',
              best_odds: -180,
              worst_book: 'caesars',
              worst_odds: -190,
              spread: 1.23,
            },
            {
              selection: 'Chicago Bulls',
              selection_type: 'away',
              line: null,
              books: {
                caesars: {
                  odds_american: 162,
                  odds_decimal: 2.62,
                  ...seen,
                  odds_changed_at: '2027-01-14T20:59:59.000Z',
                },
                draftkings: { odds_american: 150, odds_decimal: 2.5, ...seen },
              },
              best_book: 'caesars',
              best_odds: 162,
              worst_book: 'draftkings',
              worst_odds: 150,
              spread: 1.83,
            },
          ],
        },
      ],
      id: expect.stringMatching(/^\d{15}$/),
      sportsbook: 'draftkings',
      market_type: 'moneyline',
      selection: 'New York Knicks',
      selection_type: 'home',
      line: null,
      odds_american: -180,
      odds_decimal: 1.556,
      odds_probability: 0.6429,
      probability: 0.6429,
    })
  })

  it('holds and ranks only the sportsbooks of the tier', () => {
    board.odds(
      knicks,
      { sportsbook: 'pinnacle', price: 2.2 },
      { ...away, sportsbook: 'pinnacle', price: 2 },
      { sportsbook: 'draftkings', price: 1.9 },
      { ...away, sportsbook: 'draftkings', price: 1.9 },
    )
    const { data } = compare('', 'pro')
    expect(JSON.stringify(data)).not.toContain('innacle')
    expect(data.markets[0].hold).toEqual({ best_available: 5.26, by_book: { draftkings: 5.26 } })
    expect(data.sportsbook).toBe('draftkings')
    expect(refusal(() => compare('&sportsbook=pinnacle', 'pro')).code).toBe('tier_restricted')
    expect(compare().data.markets[0].hold.best_available).toBe(-4.55)
  })

  it('shows withheld prices with the reason, and computes best prices and hold without them', () => {
    const slip = { sportsbook: 'betmgm', price: 185 }
    board.odds(
      knicks,
      { sportsbook: 'draftkings', price: 1.9 },
      { ...away, sportsbook: 'draftkings', price: 1.9 },
      slip,
      { ...away, ...slip },
    )
    expect(compare().data.markets[0].hold.best_available).toBe(-98.92)
    board.judge(knicks, slip, 'market_mismatch')
    board.judge(knicks, { ...away, ...slip }, 'market_mismatch')
    const { data } = compare()
    const [{ hold, selections }] = data.markets
    expect(hold).toEqual({ best_available: 5.26, by_book: { draftkings: 5.26 } })
    expect(data).toMatchObject({ sportsbook: 'draftkings', odds_decimal: 1.9 })
    for (const selection of selections) {
      expect(selection).toMatchObject({
        best_book: 'draftkings',
        worst_book: 'draftkings',
        spread: 0,
      })
      expect(selection.books.betmgm).toMatchObject({
        odds_decimal: 185,
        withheld: 'market_mismatch',
      })
      expect(selection.withheld).toBeUndefined()
    }
    board.judge(knicks, { sportsbook: 'draftkings', price: 1.9 }, 'books_disagree')
    const [all] = compare().data.markets
    expect(all.hold.best_available).toBeNull()
    expect(all.selections.map(({ withheld }: { withheld?: string }) => withheld ?? null)).toContain(
      'market_mismatch',
    )
  })

  it('has one item per question: a line with both its sides', () => {
    const spread = { marketType: 'point_spread', sportsbook: 'draftkings', price: 1.9 }
    board.odds(
      knicks,
      { ...spread, line: -4.5 },
      { ...spread, ...away, line: 4.5 },
      { ...spread, line: -5.5 },
    )
    const { markets } = compare().data
    expect(markets).toMatchObject([
      { hold: { best_available: null, by_book: {} }, selections: [{ line: -5.5 }] },
      {
        hold: { best_available: 5.26, by_book: { draftkings: 5.26 } },
        selections: [
          { selection_type: 'home', line: -4.5 },
          { selection_type: 'away', line: 4.5 },
        ],
      },
    ])
    expect(compare('&market=moneyline').data.markets).toEqual([])
    expect(compare('&market=spread').meta.market_filter).toContain('point_spread')
  })

  it('tells the questions of an event apart', () => {
    const book = { sportsbook: 'draftkings', price: 1.9 }
    const spread = { ...book, marketType: 'point_spread' }
    const total = { ...book, marketType: 'team_total', line: 110.5 }
    const points = { ...book, marketType: 'player_points', line: 20.5, selectionType: 'over' }
    board.odds(
      knicks,
      { ...spread, line: -4.5 },
      { ...spread, ...away, line: 4.5 },
      { ...spread, ...away, line: -1.5 },
      { ...total, selectionType: 'home_over' },
      { ...total, selectionType: 'away_over' },
      { ...points, playerName: 'Sample Guard' },
      { ...points, playerName: 'Sample Centre' },
    )
    type Question = Readonly<Record<'market_type' | 'line' | 'team' | 'player_name', unknown>>
    const told = (compare().data.markets as Question[]).map(
      ({ market_type, line, team, player_name }) => [market_type, line, team ?? player_name],
    )
    expect(told).toEqual([
      ['point_spread', -4.5, undefined],
      ['point_spread', 1.5, undefined],
      ['team_total', 110.5, 'away'],
      ['team_total', 110.5, 'home'],
      ['player_points', 20.5, 'Sample Centre'],
      ['player_points', 20.5, 'Sample Guard'],
    ])
  })

  it('takes the sportsbooks of one bet together, whatever they call it', () => {
    const total = { marketType: 'team_total', line: 110.5 }
    board.odds(
      knicks,
      {
        ...total,
        selectionType: 'home_over',
        sportsbook: 'draftkings',
        price: 1.9,
        selection: 'K Over',
      },
      {
        ...total,
        selectionType: 'home_over',
        sportsbook: 'betmgm',
        price: 1.95,
        selection: 'NY Over',
      },
      {
        ...total,
        selectionType: 'home_under',
        sportsbook: 'betmgm',
        price: 1.9,
        selection: 'NY Under',
      },
    )
    const [market] = compare().data.markets
    expect(market.selections).toHaveLength(2)
    expect(Object.keys(market.selections[0].books)).toEqual(['betmgm', 'draftkings'])
    expect(market.hold.by_book).toEqual({ betmgm: 3.91 })
  })

  it('needs one event, in any of its spellings', () => {
    board.odds(knicks, { sportsbook: 'draftkings', price: 1.9 })
    for (const query of ['', 'market=main', `event=${knicks},${leeds}`]) {
      expect(refusal(() => board.get(compareOdds, query)).code).toBe('validation_error')
    }
    for (const query of [
      `event_id=${knicks}`,
      `eventId=${knicks}`,
      'event=nba_bulls_knicks_2027-01-14',
    ]) {
      expect(board.get(compareOdds, query).data.event_id).toBe(knicks)
    }
    expect(refusal(() => board.get(compareOdds, 'event=none')).code).toBe('not_found')
  })

  it('leaves out prices that no bets are taken on', () => {
    board.odds(knicks, { sportsbook: 'draftkings', price: 1.9, isActive: false })
    const { data } = compare()
    expect([data.markets, data.books_available]).toEqual([[], ['draftkings']])
    expect(data).not.toHaveProperty('id')
  })

  it('picks the prices in play', () => {
    board.odds(
      knicks,
      { sportsbook: 'draftkings', price: 1.9 },
      { sportsbook: 'fanduel', price: 2, isLive: true },
    )
    const books = (query: string) => Object.keys(compare(query).data.markets[0].selections[0].books)
    expect(books('&live=true')).toEqual(['fanduel'])
    expect(books('&live=false')).toEqual(['draftkings'])
    expect(books('')).toEqual(['draftkings', 'fanduel'])
  })
})

describe('a price that was last seen too long ago', () => {
  const minute = 60_000
  const both = (sportsbook: string, home: number, visitors: number, isLive = false) => [
    { sportsbook, price: home, isLive },
    { ...away, sportsbook, price: visitors, isLive },
  ]
  const isBest = ({ best_book }: { best_book: string | null }) => best_book
  const bestOfEach = () => compare().data.markets[0].selections.map(isBest)
  const inBest = () => board.get(createBestRoute(board.clock), `event=${knicks}`).data.map(isBest)

  it.each([
    [false, 5 * minute],
    [true, minute],
  ])('is shown, and is not the best nor in a hold (in play: %s)', (isLive, mostMs) => {
    if (isLive) board.event(knicks, { status: 'live', isLive })
    board.odds(knicks, ...both('caesars', 2.4, 2.4, isLive), ...both('fanduel', 1.9, 1.9, isLive))
    board.advance(mostMs)
    board.seen(knicks, 'fanduel', board.clock())
    expect(compare().data).toMatchObject({ sportsbook: 'caesars' })
    expect(compare().data).not.toHaveProperty('stale_books')
    expect([bestOfEach(), inBest()]).toEqual([
      ['caesars', 'caesars'],
      ['caesars', 'caesars'],
    ])
    board.advance(1)
    const { data } = compare()
    expect(data).toMatchObject({ sportsbook: 'fanduel', stale_books: ['caesars'] })
    const [{ hold, selections }] = data.markets
    expect(hold).toEqual({ best_available: 5.26, by_book: { fanduel: 5.26 } })
    for (const selection of selections) {
      expect(Object.keys(selection.books)).toEqual(['caesars', 'fanduel'])
      expect(selection).toMatchObject({ best_book: 'fanduel', worst_book: 'fanduel', spread: 0 })
    }
    expect(inBest()).toEqual(['fanduel', 'fanduel'])
    board.seen(knicks, 'caesars', board.clock())
    expect([bestOfEach(), inBest()]).toEqual([
      ['caesars', 'caesars'],
      ['caesars', 'caesars'],
    ])
  })

  it('leaves an outcome without others with no best price, also where it is withheld', () => {
    board.odds(knicks, ...both('caesars', 2.4, 2.4), { sportsbook: 'fanduel', price: 1.9 })
    board.judge(knicks, both('caesars', 2.4, 2.4)[1]!, 'market_mismatch')
    board.advance(5 * minute + 1)
    board.seen(knicks, 'fanduel', board.clock())
    const [{ hold, selections }] = compare().data.markets
    expect(hold).toEqual({ best_available: null, by_book: {} })
    const none = { best_book: null, best_odds: null, worst_book: null, worst_odds: null }
    expect(selections[0]).toMatchObject({ best_book: 'fanduel' })
    expect(selections[1]).toMatchObject({ ...none, spread: null })
    expect(selections[1]).not.toHaveProperty('withheld')
    board.advance(5 * minute + 1)
    expect(compare().data).not.toHaveProperty('id')
    expect(compare().data).toMatchObject({ stale_books: ['caesars', 'fanduel'] })
    expect(bestOfEach()).toEqual([null, null])
  })

  it('counts less than a withheld one that was seen', () => {
    board.odds(knicks, { sportsbook: 'caesars', price: 2.4 }, { sportsbook: 'fanduel', price: 9 })
    board.judge(knicks, { sportsbook: 'fanduel', price: 9 }, 'market_mismatch')
    board.advance(5 * minute + 1)
    board.seen(knicks, 'fanduel', board.clock())
    const [{ selections }] = compare().data.markets
    expect(selections).toMatchObject([{ best_book: 'fanduel', withheld: 'market_mismatch' }])
  })

  it('ends a kept answer, though no record comes', () => {
    board.odds(knicks, ...both('caesars', 2.4, 2.4), ...both('fanduel', 1.9, 1.9))
    board.seen(knicks, 'fanduel', baseTime + minute)
    const store = createReads({ bodyBytes: 1e6, compressor: createCompressor() }).openStore('sharp')
    const plan = store.plan('', () => board.prepare(compareOdds, `event=${knicks}`))
    const answer = () => {
      const { etag, body } = store.answer(plan, '', board.clock(), plain)
      const { data } = JSON.parse(Buffer.from(body as Uint8Array).toString('utf8'))
      return { etag, best: data.markets[0].selections.map(isBest), stale: data.stale_books }
    }
    const first = answer()
    expect(first).toMatchObject({ best: ['caesars', 'caesars'], stale: undefined })
    board.advance(5 * minute)
    expect(answer()).toEqual(first)
    board.advance(1)
    const second = answer()
    expect(second).toMatchObject({ best: ['fanduel', 'fanduel'], stale: ['caesars'] })
    expect(second.etag).not.toBe(first.etag)
    board.advance(minute)
    expect(answer()).toMatchObject({ best: [null, null], stale: ['caesars', 'fanduel'] })
  })

  it('has a tag of its own, also where its sportsbook has others that count', () => {
    const total = { marketType: 'total_points', line: 220.5, isLive: true }
    const over = { ...total, sportsbook: 'caesars', price: 1.9, selectionType: 'over' }
    board.odds(knicks, ...both('caesars', 2.4, 2.4), over)
    const plan = board.prepare(compareOdds, `event=${knicks}`)
    board.advance(minute)
    const before = board.write(compareOdds, plan)
    board.advance(1)
    const after = board.write(compareOdds, plan)
    const bestOf = ({ body }: typeof before) => body.data.markets.at(-1).selections.map(isBest)
    expect([bestOf(before), bestOf(after)]).toEqual([['caesars'], [null]])
    expect(after.body.data).not.toHaveProperty('stale_books')
    expect(after.tag).not.toBe(before.tag)
  })
})
