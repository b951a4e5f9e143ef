import { beforeEach, describe, expect, it } from 'vitest'
import { requestedOdds } from '../../api/ask/odds-filter.ts'
import { createBestRoute } from '../../api/routes/best.ts'
import { followsOffers, usesOnly } from '../../pipeline/views/query/odds-filter.ts'
import { exampleOf } from '../../schemas/http/example.ts'
import {
  baseTime,
  createSmallBoard,
  knicks,
  leeds,
  quote,
  refusal,
  type SmallBoard,
} from './small-board.ts'

let board: SmallBoard
let best: ReturnType<typeof createBestRoute>

beforeEach(() => {
  board = createSmallBoard()
  best = createBestRoute(board.clock)
})

const away = { selectionType: 'away' }

describe('a price that the guard withholds', () => {
  const slip = { sportsbook: 'betmgm', price: 185 }

  it('is listed last with its reason, and is not among the best until it is released', () => {
    board.event(knicks)
    // The guard's verdict may arrive before the price.
    board.judge(knicks, slip, 'far_from_consensus')
    board.odds(knicks, { sportsbook: 'fanduel', price: 1.87 }, slip)
    board.odds(knicks, { sportsbook: 'draftkings', price: 1.85 })
    const [item] = board.get(best).data
    expect(item).toMatchObject({
      best_book: 'fanduel',
      best_odds: { decimal: 1.87 },
      odds_decimal: 1.87,
    })
    expect(item.withheld).toBeUndefined()
    expect(item.all_books).toMatchObject([
      { book: 'fanduel', edge: 0.58 },
      { book: 'draftkings', edge: 0 },
      { book: 'betmgm', odds: { decimal: 185 }, edge: 0, withheld: 'far_from_consensus' },
    ])
    expect(board.get(best, 'min_odds=200').data).toEqual([])
    board.odds(knicks, { ...slip, price: 1.9 })
    expect(board.get(best).data[0].best_book).toBe('fanduel')
    board.judge(knicks, slip, null)
    expect(board.get(best).data[0].best_book).toBe('betmgm')
  })

  it('counts as withheld for a reason of a newer pipeline too', () => {
    board.event(knicks)
    board.judge(knicks, slip, 'of_a_newer_version' as 'swapped')
    board.odds(knicks, { sportsbook: 'fanduel', price: 1.87 }, slip)
    const [item] = board.get(best).data
    expect(item.best_book).toBe('fanduel')
    expect(item.all_books[1]).toMatchObject({ book: 'betmgm', withheld: 'unknown' })
    board.judge(knicks, slip, null)
    expect(board.get(best).data[0].best_book).toBe('betmgm')
  })

  it('has an item that says so if all are withheld', () => {
    board.event(knicks)
    board.odds(knicks, slip, { sportsbook: 'fanduel', price: 1.87 })
    board.judge(knicks, slip, 'books_disagree')
    board.judge(knicks, { ...slip, sportsbook: 'fanduel' }, 'books_disagree')
    expect(board.get(best).data).toMatchObject([
      { best_book: 'betmgm', withheld: 'books_disagree' },
    ])
  })
})

describe('GET /odds/best', () => {
  it('has one item per selection, best price first, in the form of the interface', () => {
    board.event(knicks)
    board.odds(
      knicks,
      { ...away, sportsbook: 'draftkings', price: 2.5 },
      { ...away, sportsbook: 'caesars', price: 2.62, changedAt: baseTime - 1_000 },
      { sportsbook: 'draftkings', price: 1.5556 },
    )
    board.seen(knicks, 'draftkings', baseTime + 1_000)
    const { data, meta } = board.get(best)
    expect(data).toHaveLength(2)
    expect(meta).toMatchObject({ count: 2, total: 2, filters: {} })
    const [home, visitors] = data
    expect(home).toMatchObject({ selection: 'New York Knicks', best_book: 'draftkings' })
    expect(visitors).toEqual({
      id: String(quote(knicks, { ...away, sportsbook: 'caesars', price: 2 }).id),
      event_id: knicks,
      event_name: 'Chicago Bulls @ New York Knicks',
      sport: 'basketball',
      league: 'nba',
      home_team: 'New York Knicks',
      away_team: 'Chicago Bulls',
      market_type: 'moneyline',
      selection: 'Chicago Bulls',
      selection_type: 'away',
      line: null,
      best_odds: { american: 162, decimal: 2.62, odds_probability: 0.3817, probability: 0.3817 },
      best_book: 'caesars',
      all_books: [
        {
          book: 'caesars',
          sportsbook: 'caesars',
          odds: { american: 162, decimal: 2.62 },
          edge: 1.83,
          line: null,
          last_seen_at: '2027-01-14T21:00:00.000Z',
          odds_changed_at: '2027-01-14T20:59:59.000Z',
        },
        {
          book: 'draftkings',
          sportsbook: 'draftkings',
          odds: { american: 150, decimal: 2.5 },
          edge: 0,
          line: null,
          last_seen_at: '2027-01-14T21:00:01.000Z',
          odds_changed_at: null,
        },
      ],
      last_seen_at: '2027-01-14T21:00:01.000Z',
      sportsbook: 'caesars',
      odds_american: 162,
      odds_decimal: 2.62,
      odds_probability: 0.3817,
      probability: 0.3817,
      event_start_time: '2027-01-15T00:40:00.000Z',
      is_live: false,
    })
  })

  it('gives an example that its own schema accepts', () => {
    const { schema } = best.answer!
    const shown = exampleOf(schema!)
    expect(schema!.parse(shown)).toEqual(shown)
  })

  it('names a sportsbook in any alphabet, and its last sighting in a cached text', () => {
    board.event(knicks)
    board.odds(knicks, { sportsbook: 'лига_ставок', price: 2.5 })
    for (let answer = 0; answer < 2; answer++) {
      board.seen(knicks, 'лига_ставок', board.clock())
      const [{ best_book, all_books, last_seen_at }] = board.get(best).data
      const seenAt = new Date(board.clock()).toISOString()
      expect([best_book, all_books[0].book, all_books[0].sportsbook]).toEqual(
        Array(3).fill('лига_ставок'),
      )
      expect([last_seen_at, all_books[0].last_seen_at]).toEqual([seenAt, seenAt])
      board.advance(1_000)
    }
  })

  it('names the first by slug of several with the best price', () => {
    board.event(knicks)
    const books = ['fanduel', 'betmgm', 'caesars']
    board.odds(knicks, ...books.map((sportsbook) => ({ sportsbook, price: 2 })))
    board.odds(knicks, { sportsbook: 'draftkings', price: 1.9 })
    const [item] = board.get(best).data
    expect(item.best_book).toBe('betmgm')
    expect(item.all_books.map(({ book }: { book: string }) => book)).toEqual([
      'betmgm',
      'caesars',
      'fanduel',
      'draftkings',
    ])
  })

  it('sees nothing beyond the sportsbooks of the tier', () => {
    board.event(knicks)
    board.event(leeds)
    board.odds(
      knicks,
      { sportsbook: 'draftkings', price: 1.9 },
      { sportsbook: 'pinnacle', price: 2.1 },
      { ...away, sportsbook: 'pinnacle', price: 1.8 },
    )
    board.odds(leeds, { sportsbook: 'pinnacle', price: 3 })
    expect(board.get(best, '', { tier: 'sharp' }).meta.total).toBe(3)
    const { data, meta } = board.get(best, '', { tier: 'pro' })
    expect(meta.total).toBe(1)
    expect(data).toMatchObject([{ best_book: 'draftkings', all_books: [{ edge: 0 }] }])
    expect(JSON.stringify(data)).not.toContain('innacle')
    expect(refusal(() => board.get(best, 'sportsbook=pinnacle', { tier: 'pro' })).code).toBe(
      'tier_restricted',
    )
  })

  it('is empty for a former sportsbook, in every tier', () => {
    board.event(knicks)
    board.odds(knicks, { sportsbook: 'draftkings', price: 1.9 })
    for (const tier of ['free', 'hobby', 'pro', 'sharp'] as const) {
      expect(board.get(best, 'sportsbook=foxbet', { tier }).data).toEqual([])
    }
  })

  it('leaves out prices that no bets are taken on', () => {
    board.event(knicks)
    board.odds(
      knicks,
      { sportsbook: 'draftkings', price: 2.2, isActive: false },
      { sportsbook: 'fanduel', price: 1.9 },
      { ...away, sportsbook: 'fanduel', price: 1.9, isActive: false },
    )
    const { data, meta } = board.get(best)
    expect(meta.total).toBe(1)
    expect(data[0].all_books).toHaveLength(1)
    expect(data[0].best_book).toBe('fanduel')
  })

  it('leaves out prices last seen more than 5 minutes ago, or 1 minute in play', () => {
    board.event(knicks)
    board.event(leeds, { isLive: true, status: 'live' })
    board.odds(
      knicks,
      { sportsbook: 'draftkings', price: 2.2 },
      { sportsbook: 'fanduel', price: 1.9, observedAt: baseTime + 60_000 },
    )
    board.odds(leeds, { sportsbook: 'draftkings', price: 3, isLive: true })
    const plan = board.prepare(best)
    const at = (ms: number) => {
      board.advance(baseTime + ms - board.clock())
      const { body, expiresAt } = board.write(best, plan)
      const books = body.data.map(({ all_books }: { all_books: object[] }) => all_books.length)
      return [body.meta.total, books, expiresAt! - baseTime]
    }
    expect(at(0)).toEqual([2, [2, 1], 60_001])
    expect(at(60_000)).toEqual([2, [2, 1], 60_001])
    expect(at(60_001)).toEqual([1, [2], 300_001])
    expect(at(300_000)).toEqual([1, [2], 300_001])
    expect(at(300_001)).toEqual([1, [1], 360_001])
    expect(at(360_001)).toEqual([0, [], Number.POSITIVE_INFINITY])
    board.seen(knicks, 'draftkings', baseTime + 360_000)
    expect(at(360_001)).toEqual([1, [1], 660_001])
  })

  it('judges the prices of a delayed tier by the clock of that time', () => {
    board.event(leeds, { isLive: true, status: 'live' })
    board.odds(leeds, { sportsbook: 'draftkings', price: 3, isLive: true })
    const plan = board.prepare(best, '', { tier: 'free' })
    board.advance(120_000)
    const { body, expiresAt } = board.write(best, plan)
    expect([body.meta.total, expiresAt]).toEqual([1, baseTime + 120_001])
    board.advance(1)
    expect(board.write(best, plan).body.meta.total).toBe(0)
  })

  it('bounds the best price, not each price', () => {
    board.event(knicks)
    board.odds(
      knicks,
      { sportsbook: 'draftkings', price: 2.2 },
      { sportsbook: 'fanduel', price: 2 },
      { ...away, sportsbook: 'fanduel', price: 1.8 },
    )
    const shown = (query: string) => {
      const { data, meta } = board.get(best, query)
      expect(meta.total).toBe(data.length)
      return data.map(({ odds_american }: { odds_american: number }) => odds_american)
    }
    expect(shown('min_odds=120')).toEqual([120])
    expect(shown('min_odds=121')).toEqual([])
    expect(shown('max_odds=119')).toEqual([-125])
    expect(shown('min_odds=-125&max_odds=-125')).toEqual([-125])
    expect(shown('min_odds=-125')).toEqual([120, -125])
  })

  it.each([
    ['sportsbook=draftkings', [120]],
    ['sportsbook=draftkings&add_sportsbook=fanduel', [120, -125]],
    ['market=point_spread', []],
    ['sport=soccer', []],
    ['league=nfl', []],
    ['team=lakers', []],
    ['team=knicks', [120, -125]],
    ['q=lakers', []],
    ['date=2027-01-20', []],
    ['live=true', []],
    ['is_main_line=true', [120, -125]],
    ['is_main_line=false', []],
  ])('honours each filter: %s', (query, expected) => {
    board.event(knicks)
    board.odds(
      knicks,
      { sportsbook: 'draftkings', price: 2.2 },
      { ...away, sportsbook: 'fanduel', price: 1.8 },
    )
    const { data, meta } = board.get(best, query)
    expect(meta.total).toBe(expected.length)
    expect(data.map((item: { odds_american: number }) => item.odds_american)).toEqual(expected)
  })

  it('shows a flipped event as it is shown elsewhere', () => {
    board.event(knicks, {
      flipped: true,
      homeTeam: 'Chicago Bulls',
      awayTeam: 'New York Knicks',
    })
    board.odds(knicks, {
      sportsbook: 'draftkings',
      price: 1.9,
      marketType: 'point_spread',
      line: -4.5,
    })
    expect(board.get(best).data).toMatchObject([
      {
        selection: 'New York Knicks',
        selection_type: 'away',
        line: -4.5,
        home_team: 'Chicago Bulls',
      },
    ])
  })

  it('takes the sportsbooks of one bet together, whatever they call it', () => {
    board.event(knicks)
    const total = { marketType: 'team_total', selectionType: 'home_over', line: 110.5 }
    board.odds(
      knicks,
      { ...total, sportsbook: 'draftkings', price: 1.9, selection: 'Knicks Over' },
      { ...total, sportsbook: 'fanduel', price: 1.95, selection: 'New York Over' },
    )
    const { data, meta } = board.get(best)
    expect([meta.total, data[0].best_book, data[0].all_books.length]).toEqual([1, 'fanduel', 2])
  })

  it('accepts the family of parameters, and refuses a far offset', () => {
    board.event(knicks)
    board.odds(knicks, { sportsbook: 'draftkings', price: 1.9 })
    const family =
      'sport=basketball&league=nba&sportsbook=draftkings&add_sportsbook=fanduel&market_type=main&eventId=nba_bulls_knicks_2027-01-14&live=false&min_odds=-200&max_odds=200&team=knicks&date=2027-01-14&q=bulls&main=true&limit=10&offset=0&cursor=x&sort=-odds_american&fields=id&group_by=event&state=NJ'
    const { data, meta } = board.get(best, family)
    expect(data).toHaveLength(1)
    expect(meta.filters).toEqual({
      sport: ['basketball'],
      league: ['nba'],
      sportsbook: ['draftkings', 'fanduel'],
      market: ['moneyline', 'point_spread', 'total_points'],
      event: ['nba_bulls_knicks_2027-01-14'],
      live: false,
      min_odds: -200,
      max_odds: 200,
      team: ['knicks'],
      date: '2027-01-14',
      q: 'bulls',
      is_main_line: true,
    })
    expect(refusal(() => board.get(best, 'offset=5001'))).toEqual({
      code: 'validation_error',
      details: { parameters: ['offset'], max_offset: 5_000 },
    })
    expect(board.get(best, 'offset=5000').data).toEqual([])
    expect(refusal(() => board.get(best, 'league=nowhere')).code).toBe('invalid_filter')
    expect(refusal(() => board.get(best, 'fields=id,price'))).toEqual({
      code: 'validation_error',
      details: { parameters: ['fields'] },
    })
  })
})

describe('filters', () => {
  it('follow the existing rows, not their prices, if neither price nor main line is filtered', () => {
    const { scope } = createSmallBoard()
    const isOfOffers = (query: Parameters<typeof requestedOdds>[0]) =>
      usesOnly(requestedOdds(query, scope('sharp')).filter(), followsOffers)
    expect(isOfOffers({ league: ['nba'], sportsbook: ['draftkings'], live: true })).toBe(true)
    expect(isOfOffers({ min_odds: 100 })).toBe(false)
    expect(isOfOffers({ is_main_line: true })).toBe(false)
  })
})

describe('totals', () => {
  it('follow a price that crosses a bound, in its own market alone', () => {
    const total = { marketType: 'total_points', selectionType: 'over', line: 220.5 }
    board.event(knicks)
    board.odds(knicks, { ...total, sportsbook: 'draftkings', price: 2.1 })
    const totalAt = (price: number) => {
      board.odds(knicks, { sportsbook: 'draftkings', price })
      const { pagination, data } = board.get(best, 'min_odds=100')
      expect(pagination.total).toBe(data.length)
      return pagination.total
    }
    expect([1.5, 3, 1.5].map(totalAt)).toEqual([1, 2, 1])
  })
})
