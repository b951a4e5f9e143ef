/** Prices from before a game that is in play: shown, but never the best. */

import { beforeEach, describe, expect, it } from 'vitest'
import { standingOffer } from '../../api/alerts/offers.ts'
import { createCursors } from '../../api/ask/cursor.ts'
import { createBestRoute } from '../../api/routes/best.ts'
import { createComparisonRoute } from '../../api/routes/comparison.ts'
import { createEventRoute, createEventsRoute } from '../../api/routes/events.ts'
import { createSmallBoard, knicks, type Quote, quote, type SmallBoard } from './small-board.ts'

let board: SmallBoard
const compareOdds = createComparisonRoute(() => board.clock())
let best: ReturnType<typeof createBestRoute>

const inPlay = { status: 'live', isLive: true } as const
const both = (sportsbook: string, home: number, away: number, more: Partial<Quote> = {}) =>
  [
    { sportsbook, price: home, ...more },
    { sportsbook, price: away, selectionType: 'away', ...more },
  ] as const

beforeEach(() => {
  board = createSmallBoard()
  best = createBestRoute(board.clock)
  board.event(knicks)
  board.odds(
    knicks,
    ...both('pinnacle', 1.9, 2),
    ...both('fanduel', 1.85, 2),
    ...both('betmgm', 1.19, 5.1, { isLive: true }),
    ...both('draftkings', 1.2, 5, { isLive: true }),
  )
})

const bestNow = (query = '') =>
  board
    .get(best, query)
    .data.map(({ best_book, all_books }: { best_book: string; all_books: { book: string }[] }) => [
      best_book,
      all_books.map(({ book }) => book),
    ])
const compared = (query = '') => board.get(compareOdds, `event=${knicks}${query}`).data
const markets = (query = '') => compared(query).markets

describe('a price from before the game', () => {
  it('is among the best until the game is in play, and never after', () => {
    const plan = board.prepare(best)
    const before = [plan.version(), board.write(best, plan).tag]
    const withPreMatch = [
      ['pinnacle', ['pinnacle', 'fanduel', 'draftkings', 'betmgm']],
      ['betmgm', ['betmgm', 'draftkings', 'fanduel', 'pinnacle']],
    ]
    expect(bestNow()).toEqual(withPreMatch)
    board.event(knicks, inPlay)
    expect(bestNow()).toEqual([
      ['draftkings', ['draftkings', 'betmgm']],
      ['betmgm', ['betmgm', 'draftkings']],
    ])
    expect(bestNow('live=false')).toEqual([])
    // No price has changed, yet the plan and its answer have.
    expect(plan.version()).not.toBe(before[0])
    expect(board.write(best, plan).tag).not.toBe(before[1])
    // Its sportsbooks take back that it is in play.
    board.event(knicks)
    expect(bestNow()).toEqual(withPreMatch)
  })

  it('is shown in comparisons, but is not in the best prices and the hold', () => {
    expect(markets()[0].hold).toEqual({
      best_available: -27.76,
      by_book: { betmgm: 3.64, draftkings: 3.33, fanduel: 4.05, pinnacle: 2.63 },
    })
    expect(markets()[0].selections[0].books.pinnacle).not.toHaveProperty('is_live')
    board.event(knicks, inPlay)
    const [{ hold, selections }] = markets()
    expect(hold).toEqual({ best_available: 2.94, by_book: { betmgm: 3.64, draftkings: 3.33 } })
    expect(selections).toMatchObject([
      { best_book: 'draftkings', worst_book: 'betmgm', spread: 0.7 },
      { best_book: 'betmgm', worst_book: 'draftkings', spread: 0.39 },
    ])
    for (const { books, ...selection } of selections) {
      expect(books).toMatchObject({ pinnacle: { is_live: false }, fanduel: { is_live: false } })
      for (const shown of [selection, books.betmgm, books.draftkings]) {
        expect(shown).not.toHaveProperty('is_live')
      }
    }
    expect(compared()).toMatchObject({ is_live: true, sportsbook: 'draftkings' })
  })

  it('is said to be one where a comparison has no other', () => {
    board.event(knicks, inPlay)
    const isWithheld = both('pinnacle', 1.9, 2)[0]
    board.judge(knicks, isWithheld, 'market_mismatch')
    const [{ hold, selections }] = markets('&live=false')
    expect(hold).toEqual({ best_available: null, by_book: { fanduel: 4.05 } })
    expect(selections).toMatchObject([
      { best_book: 'fanduel', worst_book: 'fanduel', is_live: false },
      { best_book: 'fanduel', is_live: false },
    ])
    expect(compared('&live=false')).not.toHaveProperty('id')
    // A withheld price in play counts less.
    for (const of of both('draftkings', 1.2, 5, { isLive: true })) {
      board.judge(knicks, of, 'market_mismatch')
    }
    expect(markets('&sportsbook=draftkings,fanduel')[0].selections[0]).toMatchObject({
      ...{ best_book: 'fanduel', is_live: false },
    })
    expect(markets('&sportsbook=draftkings')[0].selections[0]).toMatchObject({
      ...{ best_book: 'draftkings', withheld: 'market_mismatch' },
    })
  })

  it('is not the single row of a comparison with another market in play', () => {
    const spread = { marketType: 'point_spread', line: -3.5, isLive: true }
    board.odds(knicks, { ...spread, sportsbook: 'pinnacle', price: 1.95 })
    board.event(knicks, inPlay)
    const without = '&sportsbook=pinnacle,fanduel'
    expect(markets(without)[0].market_type).toBe('moneyline')
    expect(compared(without)).toMatchObject({
      ...{ market_type: 'point_spread', sportsbook: 'pinnacle', odds_decimal: 1.95 },
    })
  })

  it('is no offer for an alert', () => {
    const offers = () =>
      [...both('pinnacle', 1.9, 2), ...both('betmgm', 1.19, 5.1)].map((of) => {
        const row = board.board.rows.find(quote(knicks, of).id)
        return standingOffer(board.board, row, board.clock())?.price
      })
    expect(offers()).toEqual([1.9, 2, 1.19, 5.1])
    board.event(knicks, inPlay)
    expect(offers()).toEqual([undefined, undefined, 1.19, 5.1])
  })

  it('makes its sportsbook a stale one of the game', () => {
    const getEvent = createEventRoute(board.clock)
    const stale = () => board.get(getEvent, '', { path: { eventId: knicks } }).data.stale_books
    expect(stale()).toBeUndefined()
    board.event(knicks, inPlay)
    expect(stale()).toEqual(['fanduel', 'pinnacle'])
    board.odds(knicks, ...both('fanduel', 1.2, 4.9, { isLive: true }))
    expect(stale()).toEqual(['pinnacle'])
    board.advance(60_001)
    expect(stale()).toEqual(['betmgm', 'draftkings', 'fanduel', 'pinnacle'])
  })
})

describe.each(['postponed', 'cancelled'] as const)('a price of a %s game', (status) => {
  it('is shown, but never the best', () => {
    const before = bestNow()
    expect(before).toHaveLength(2)
    board.event(knicks, { status })
    expect(bestNow()).toEqual([])
    const [market] = markets()
    expect(market.hold.best_available).toBeNull()
    for (const { books, is_live } of market.selections) {
      expect(is_live).toBe(false)
      expect(Object.keys(books)).toHaveLength(4)
    }
    expect(compared()).not.toHaveProperty('sportsbook')
    board.event(knicks, { status: 'upcoming' })
    expect(bestNow()).toEqual(before)
  })
})

it('a list of events says upcoming or live, and the full state beside it', () => {
  const events = createEventsRoute(createCursors('a secret'), board.clock)
  const statuses = () => {
    const [{ status, event_status, is_live }] = board.get(events, `event=${knicks}`).data
    return [status, event_status, is_live]
  }
  expect(statuses()).toEqual(['upcoming', 'upcoming', false])
  board.event(knicks, inPlay)
  expect(statuses()).toEqual(['live', 'live', true])
  board.event(knicks, { status: 'postponed' })
  expect(statuses()).toEqual(['upcoming', 'postponed', false])
  expect(
    board.get(createEventRoute(board.clock), '', { path: { eventId: knicks } }).data.status,
  ).toBe('postponed')
})
