/** Two games of the same sides on one day, the second of which has a placeholder start at one sportsbook. */
import { describe, expect, it } from 'vitest'
import type { FeedSelection, OddsRecord } from '../../../schemas/feed-record.ts'
import { noon, selection, statement } from '../../oracle/moneylines.ts'
import { createRealBoard } from '../../oracle/real-board.ts'

const minute = 60_000
const hour = 60 * minute

interface Listing {
  readonly sportsbook: string
  readonly id: string
  readonly startsLaterMs: number
  readonly price: number
}

/** The first game is at 6 h, the second at 10.5 h; the shop lists the second at 6.5 h. */
const listings = {
  first: { sportsbook: 'mill_lane', id: 'm1', startsLaterMs: 6 * hour, price: 1.9 },
  second: { sportsbook: 'mill_lane', id: 'm2', startsLaterMs: 10.5 * hour, price: 2.1 },
  shopFirst: { sportsbook: 'corner_shop', id: 'c1', startsLaterMs: 6 * hour, price: 1.8 },
  shopSecond: { sportsbook: 'corner_shop', id: 'c2', startsLaterMs: 6.5 * hour, price: 2.2 },
} satisfies Record<string, Listing>
type Name = keyof typeof listings
const names = Object.keys(listings) as Name[]

function record(listing: Listing, hasIds: boolean, laterMs: number): OddsRecord {
  const { sportsbook, id, startsLaterMs, price } = listing
  const more = { externalId: hasIds ? id : null, laterMs, startsLaterMs }
  const prices = [selection('home', price)]
  const made = statement(sportsbook, 'Pittsburgh Pirates', 'Milwaukee Brewers', prices, more)
  return { ...made, event: { ...made.event, sport: 'baseball', league: 'mlb' } }
}

type Board = ReturnType<typeof createRealBoard>

/** Returns the prices of each event that has some. */
function pricesByEvent({ tables }: Board): number[][] {
  const events = new Map<string, number[]>()
  for (const { eventId, price } of tables.odds.values())
    events.set(eventId, [...(events.get(eventId) ?? []), price as number].sort())
  return [...events.values()].sort(([a = 0], [b = 0]) => a - b)
}

const orders = <T>(left: readonly T[]): T[][] =>
  left.length === 0
    ? [[]]
    : left.flatMap((one) =>
        orders(left.filter((other) => other !== one)).map((rest) => [one, ...rest]),
      )

const apart = [[1.8, 1.9], [2.1], [2.2]]

describe.each([true, false])('a doubleheader at a sportsbook (with ids: %s)', (hasIds) => {
  describe.each([false, true])('restarting: %s', (restarts) => {
    it.each(orders(names))('has one event a game: %s, %s, %s, %s', (...order) => {
      const board = createRealBoard()
      for (const round of [0, 1, 2])
        for (const [at, name] of order.entries()) {
          if (restarts) board.restart()
          board.take([record(listings[name], hasIds, (2 * round + at / 10) * minute)])
          if (round > 0) expect(pricesByEvent(board)).not.toContainEqual([1.9, 2.2])
        }
      expect(pricesByEvent(board)).toEqual(apart)
      const ids = [...board.tables.events.keys()].sort()
      for (const name of order) board.take([record(listings[name], hasIds, 10 * minute)])
      expect([...board.tables.events.keys()].sort()).toEqual(ids)
      expect(pricesByEvent(board)).toEqual(apart)
    })
  })

  it.each([false, true])(
    'never shows the second on the first, both sent at once (reversed: %s)',
    (isReversed) => {
      const own = [listings.shopFirst, listings.shopSecond]
      const board = createRealBoard()
      board.take([listings.first, listings.second].map((one) => record(one, hasIds, 0)))
      for (const round of [0, 1]) {
        board.take(
          (isReversed ? own.toReversed() : own).map((one, at) =>
            record(one, hasIds, 2 * round * minute + at),
          ),
        )
        expect(pricesByEvent(board)[0]).toEqual([1.8, 1.9])
        if (round > 0 || !isReversed) expect(pricesByEvent(board)).toEqual(apart)
      }
    },
  )
})

it.each([true, false])(
  'a listing alone on its event moves to the one that it fits once the others say their start (with ids: %s)',
  (hasIds) => {
    const board = createRealBoard()
    const early = { ...listings.first, startsLaterMs: listings.shopSecond.startsLaterMs }
    const shop = [listings.shopSecond, listings.shopFirst]
    board.take([...shop.map((one) => record(one, hasIds, 0)), record(early, true, 0)])
    expect(pricesByEvent(board)).toEqual([[1.8], [1.9, 2.2]])
    board.take([record(listings.first, true, 2 * minute)])
    for (const round of [3, 5]) board.take(shop.map((one) => record(one, hasIds, round * minute)))
    expect(pricesByEvent(board)).toEqual([[1.8, 1.9], [2.2]])
  },
)

describe.each([true, false])(
  'a first game that the others delay first (with ids: %s)',
  (hasIds) => {
    const shop = [listings.shopFirst, listings.shopSecond]
    const dale = { sportsbook: 'dale', id: 'd1', price: 1.95 }
    const begin = () => {
      const board = createRealBoard()
      const others = [listings.first, listings.second, { ...dale, startsLaterMs: 6 * hour }]
      board.take(others.map((one) => record(one, true, 0)))
      board.take(shop.map((one) => record(one, hasIds, 10)))
      return board
    }
    const expected = [[1.8, 1.9, 1.95], [2.1], [2.2]]

    it.each([6.5, 7, 8])('keeps its prices, delayed to %s h', (startsAfter) => {
      const board = begin()
      for (const round of [0, 1, 2]) {
        const others = [listings.first, dale].map((one) =>
          record({ ...one, startsLaterMs: startsAfter * hour }, true, (2 + 2 * round) * minute),
        )
        board.take([...others, record(listings.second, true, (2 + 2 * round) * minute)])
        board.restart()
        board.take(shop.map((one) => record(one, hasIds, (2 + 2 * round) * minute + 10)))
        expect(pricesByEvent(board)).toEqual(expected)
      }
    })

    it('keeps its prices while the others waver', () => {
      const board = begin()
      for (let round = 1; round <= 10; round++) {
        const startsLaterMs = (round % 2 === 0 ? 6 : 6.5) * hour
        const others = [
          record({ ...listings.first, startsLaterMs }, true, 2 * round * minute),
          record({ ...dale, startsLaterMs: 6.5 * hour }, true, 2 * round * minute),
          record(listings.second, true, 2 * round * minute),
        ]
        board.take([...others, ...shop.map((one) => record(one, hasIds, 2 * round * minute + 10))])
        expect(pricesByEvent(board)).toEqual(expected)
      }
    })
  },
)

describe('a game whose start moves at sportsbooks with and without ids', () => {
  const books = {
    mill: { sportsbook: 'mill_lane', id: 'm1', price: 1.9, hasIds: true },
    dale: { sportsbook: 'dale', id: 'd1', price: 1.92, hasIds: true },
    shop: { sportsbook: 'corner_shop', id: '', price: 2, hasIds: false },
    hill: { sportsbook: 'hill_top', id: '', price: 2.02, hasIds: false },
  }

  describe.each([7, 5])('from 6 h to %s h', (startsAfter) => {
    it.each(orders(['mill', 'dale', 'shop', 'hill'] as const))(
      'is one event: %s, %s, %s, %s move',
      (...order) => {
        const board = createRealBoard()
        const take = (name: keyof typeof books, starts: number, laterMs: number) => {
          const { hasIds, ...of } = books[name]
          board.restart()
          board.take([record({ ...of, startsLaterMs: starts * hour }, hasIds, laterMs)])
        }
        for (const name of order) take(name, 6, 0)
        for (const [at, name] of order.entries()) take(name, startsAfter, minute + at * 2_000)
        for (const round of [2, 3, 4])
          for (const name of order) take(name, startsAfter, round * minute)
        expect(pricesByEvent(board)).toEqual([[1.9, 1.92, 2, 2.02]])
      },
    )
  })
})

describe('a game whose start moves at a sportsbook without ids', () => {
  const moved = { ...listings.shopFirst, startsLaterMs: 7 * hour }
  const start = (hasIds: boolean) => {
    const board = createRealBoard()
    board.take([record(listings.first, hasIds, 0), record(listings.shopFirst, false, 0)])
    board.take([record(moved, false, minute)])
    return board
  }

  it.each([true, false])(
    'has its price once, and is with the others when they move too (with ids: %s)',
    (hasIds) => {
      const board = start(hasIds)
      expect(pricesByEvent(board)).toEqual([[1.8], [1.9]])
      board.take([record({ ...listings.first, startsLaterMs: 7 * hour }, hasIds, 2 * minute)])
      board.take([record(moved, false, 3 * minute)])
      expect(pricesByEvent(board)).toEqual([[1.8, 1.9]])
    },
  )

  describe.each([false, true])('and goes back (restarting: %s)', (restarts) => {
    const take = (board: Board, listing: Listing, laterMs: number, isLive = false) => {
      if (restarts) board.restart()
      const of = record(listing, false, laterMs)
      board.take([{ ...of, event: { ...of.event, isLive } }])
    }
    const back = { ...listings.shopFirst, price: 1.85 }

    it('has the price of that start alone once it is stated again', () => {
      const board = start(true)
      for (const at of [2, 6]) take(board, back, at * minute)
      expect(pricesByEvent(board)).toEqual([[1.85, 1.9]])
      take(board, { ...moved, price: 2.3 }, 7 * minute)
      expect(pricesByEvent(board)).toEqual([[1.85, 1.9], [2.3]])
    })

    it('keeps both prices while both are stated, or the first in play', () => {
      const board = start(true)
      for (const round of [1, 2, 3])
        for (const listing of [back, moved]) take(board, listing, 3 * round * minute)
      expect(pricesByEvent(board)).toEqual([[1.8], [1.85, 1.9]])
      for (const at of [11, 12, 13, 14]) take(board, back, at * minute, true)
      expect(pricesByEvent(board)).toEqual([[1.8], [1.85, 1.9]])
    })
  })

  it('stays with the others if it moves by minutes', () => {
    const board = createRealBoard()
    board.take([record(listings.first, false, 0), record(listings.shopFirst, false, 0)])
    const later = { ...listings.shopFirst, startsLaterMs: 6 * hour + 10 * minute }
    board.take([record(later, false, minute)])
    expect(pricesByEvent(board)).toEqual([[1.8, 1.9]])
    expect(board.tables.events.size).toBe(1)
  })
})

describe('the number of a game of the day, stated at its own start', () => {
  interface Stated {
    readonly sportsbook?: string
    readonly number?: string
    readonly id?: string | null
    readonly isReversed?: boolean
    readonly mode?: OddsRecord['mode']
    readonly laterMs?: number
  }

  function stated(startsAfter: number, prices: readonly FeedSelection[], said: Stated = {}) {
    const { sportsbook = 'corner_shop', number = '', mode = 'snapshot', laterMs = 0 } = said
    const sides = [`Chicago Cubs${number}`, `New York Mets${number}`] as const
    const [home, away] = said.isReversed ? [sides[1], sides[0]] : sides
    const more = { externalId: said.id ?? null, laterMs, startsLaterMs: startsAfter * hour }
    const made = statement(sportsbook, home, away, prices, more)
    return { ...made, mode, event: { ...made.event, sport: 'baseball', league: 'mlb' } }
  }

  const priced = (home: number, away: number) => [selection('home', home), selection('away', away)]
  const suspended = (type: string) => ({ ...selection(type, 0), price: null, suspended: true })
  const own = (id: string | null = null, secondId: string | null = null) => [
    stated(6, priced(2.2, 1.7), { id }),
    stated(12, priced(2.1, 1.8), { id: secondId }),
  ]
  const delta = { mode: 'delta', laterMs: minute } as const
  const second = { ...delta, number: ' (Game 2)' }

  /** Returns the shop's prices at each start that has some, each record taken alone. */
  function shopAfter(records: readonly OddsRecord[], restarts = false) {
    const board = createRealBoard()
    for (const one of records) {
      if (restarts) board.restart()
      board.take([one])
    }
    const rows = [...board.tables.odds.values()]
      .filter(({ sportsbook }) => sportsbook === 'corner_shop')
      .map(({ eventId, selectionType, price, isActive }) => {
        const { startsAt } = board.tables.events.get(eventId)!
        const after = (startsAt - noon) / hour - 1
        return `${after} h ${selectionType} ${price}${isActive ? '' : ' suspended'}`
      })
    return { rows: rows.sort(), events: board.tables.events.size }
  }

  const first = ['6 h away 1.7', '6 h home 2.2']

  describe.each([false, true])('(restarting: %s)', (restarts) => {
    it.each([
      ['Game 2', stated(12, [suspended('home')], second)],
      [
        'Game 2 in the other order',
        stated(12, [suspended('away')], { ...second, isReversed: true }),
      ],
      ['2nd', stated(12, [suspended('home')], { ...delta, number: ' (2nd)' })],
    ])('is that of the listing there: %s', (_, record) => {
      expect(shopAfter([...own(), record], restarts)).toEqual({
        rows: ['12 h away 1.8', '12 h home 2.1 suspended', ...first],
        events: 2,
      })
    })

    it('takes a new price to the listing there, with ids too', () => {
      const expected = { rows: ['12 h away 1.8', '12 h home 1.5', ...first], events: 2 }
      const record = stated(12, [selection('home', 1.5)], second)
      expect(shopAfter([...own(), record], restarts)).toEqual(expected)
      const withId = stated(12, [selection('home', 1.5)], { ...second, id: 'B' })
      expect(shopAfter([...own('A', 'B'), withId], restarts)).toEqual(expected)
    })

    it('withdraws prices of the listing there', () => {
      const gone = { ...suspended('home'), suspended: false, removed: true }
      expect(shopAfter([...own(), stated(12, [gone], second)], restarts)).toEqual({
        rows: ['12 h away 1.8', ...first],
        events: 2,
      })
    })

    it('joins others who have the start, where one of the two states it', () => {
      const numbered = { number: ' (Game 2)' }
      for (const [theirs, ours] of [
        [{}, numbered],
        [numbered, {}],
      ]) {
        const others = { sportsbook: 'mill_lane', ...theirs }
        const records = [
          stated(6, priced(1.9, 2.05), { sportsbook: 'mill_lane' }),
          stated(6, priced(2.2, 1.7)),
          stated(12, priced(1.85, 2.06), others),
          stated(12, priced(2.1, 1.8), ours),
        ]
        expect(shopAfter(records, restarts).events).toBe(2)
      }
    })

    it('is that of no listing at the start of the first', () => {
      const record = stated(6, [selection('home', 1.5)], second)
      expect(shopAfter([...own(), record], restarts)).toEqual({
        rows: ['12 h away 1.8', '12 h home 2.1', '6 h away 1.7', '6 h home 1.5', '6 h home 2.2'],
        events: 3,
      })
    })
  })
})

describe.each([
  ['soccer', 'england_-_premier_league'],
  ['basketball', 'nba'],
  ['volleyball', 'beach_open'],
])('two starts of the same sides in %s, where a day has one game', (sport, league) => {
  const of = (sportsbook: string, startsLaterMs: number, laterMs: number, price: number) => {
    const more = { externalId: null, laterMs, startsLaterMs }
    const made = statement(sportsbook, 'Leeds', 'Leicester', [selection('home', price)], more)
    return { ...made, event: { ...made.event, sport, league } }
  }
  const [early, late] = [6 * hour, 8.5 * hour]

  it.each([false, true])(
    'are two games if one sportsbook lists both at once (turned: %s)',
    (isTurned) => {
      const board = createRealBoard()
      const both = (laterMs: number) => {
        const records = [of('mill_lane', early, laterMs, 1.9), of('mill_lane', late, laterMs, 2.1)]
        return isTurned ? records.reverse() : records
      }
      board.take(both(0))
      board.take([of('corner_shop', late, 1, 2.2), of('third_street', early, 1, 1.8)])
      board.take(both(minute))
      board.restart()
      board.take(both(2 * minute))
      expect(pricesByEvent(board)).toEqual([
        [1.8, 1.9],
        [2.1, 2.2],
      ])
    },
  )

  it('are one game that has moved if they are listed one after the other', () => {
    const board = createRealBoard()
    board.take([of('mill_lane', early, 0, 1.9), of('corner_shop', early, 1, 1.8)])
    board.take([of('mill_lane', late, minute, 2)])
    expect(pricesByEvent(board)).toEqual([[1.8, 2]])
  })
})
