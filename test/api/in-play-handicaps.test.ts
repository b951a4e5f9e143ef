/** Handicaps of soccer in play, which sportsbooks settle differently: shown, but never the best. */

import { beforeEach, describe, expect, it } from 'vitest'
import { createBestRoute } from '../../api/routes/best.ts'
import { createComparisonRoute } from '../../api/routes/comparison.ts'
import { createSmallBoard, knicks, leeds, type Quote, type SmallBoard } from './small-board.ts'

let board: SmallBoard
let best: ReturnType<typeof createBestRoute>
const compareOdds = createComparisonRoute(() => board.clock())

const handicap = (sportsbook: string, home: number, away: number, more: Partial<Quote> = {}) => {
  const shared = { sportsbook, marketType: 'point_spread', isLive: true, ...more }
  return [
    { ...shared, price: home, line: -0.5 },
    { ...shared, price: away, line: 0.5, selectionType: 'away' },
  ] as const
}

const bestNow = (query = '') => {
  const { data, pagination } = board.get(best, query)
  expect(pagination.total).toBe(data.length)
  return data.map(({ market_type, best_book }: { market_type: string; best_book: string }) =>
    [market_type, best_book].join(' '),
  )
}
const marketsOf = (event: string) => board.get(compareOdds, `event=${event}`).data.markets

beforeEach(() => {
  board = createSmallBoard()
  best = createBestRoute(board.clock)
})

/** At 1-0: by the goals from now on, and by the whole game. */
function fill(event: string, isLive: boolean) {
  board.event(event, isLive ? { status: 'live', isLive: true } : {})
  board.odds(
    event,
    ...handicap('pinnacle', 2.3, 1.68, { isLive }),
    ...handicap('fanduel', 1.2, 4.6, { isLive }),
  )
}

describe('a handicap of soccer', () => {
  it('has best prices until the game is in play', () => {
    fill(leeds, false)
    expect(bestNow()).toEqual(['point_spread pinnacle', 'point_spread fanduel'])
    fill(leeds, true)
    expect(bestNow()).toEqual([])
    expect(bestNow('sportsbook=pinnacle')).toEqual([])
    expect(bestNow('min_odds=-1000')).toEqual([])
  })

  it('leaves the best prices of other markets in play alone', () => {
    fill(leeds, true)
    const total = { marketType: 'total_goals', line: 2.5, selectionType: 'over', isLive: true }
    board.odds(
      leeds,
      ...[1.9, 1.95].map((price, at) => ({
        ...{ ...total, price, sportsbook: at === 0 ? 'pinnacle' : 'fanduel' },
      })),
    )
    expect(bestNow()).toEqual(['total_goals fanduel'])
  })

  it('shows in a comparison each price and hold, and no best', () => {
    fill(leeds, true)
    const [{ hold, selections }] = marketsOf(leeds)
    expect(hold).toEqual({ best_available: null, by_book: { fanduel: 5.07, pinnacle: 3 } })
    for (const { books, ...selection } of selections) {
      expect(Object.keys(books)).toEqual(['fanduel', 'pinnacle'])
      expect(selection).toMatchObject({ best_book: null, worst_book: null, spread: null })
    }
    expect(board.get(compareOdds, `event=${leeds}`).data).not.toHaveProperty('sportsbook')
  })

  it('shows its best in a comparison before the start', () => {
    fill(leeds, false)
    const [{ hold, selections }] = marketsOf(leeds)
    expect(hold.best_available).toBe(-34.78)
    expect(selections[0]).toMatchObject({ best_book: 'pinnacle', worst_book: 'fanduel' })
  })
})

describe('a handicap of another sport', () => {
  it('has best prices in play', () => {
    fill(knicks, true)
    expect(bestNow()).toEqual(['point_spread pinnacle', 'point_spread fanduel'])
    const [{ hold, selections }] = marketsOf(knicks)
    expect(hold.best_available).toBe(-34.78)
    expect(selections[0]).toMatchObject({ best_book: 'pinnacle', worst_book: 'fanduel' })
  })
})
