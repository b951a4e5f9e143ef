/**
 * The question of every market, as clients see it: the main line, the comparison and the shape used
 * for opportunities agree on which prices share a rung.
 */

import { beforeEach, describe, expect, it } from 'vitest'
import { createCursors } from '../../api/ask/cursor.ts'
import { quoteOf, selectionOf } from '../../api/opportunities/quotes.ts'
import { createComparisonRoute } from '../../api/routes/comparison.ts'
import { createOddsRoute } from '../../api/routes/odds.ts'
import { marketShape, ownLine, sharedLine } from '../../pipeline/rules/odds/market-shape.ts'
import { outcomesOf } from '../../pipeline/rules/odds/questions.ts'
import { markets } from '../../schemas/reference/markets.ts'
import { createSmallBoard, knicks, leeds, quote, type SmallBoard } from './small-board.ts'

const listOdds = createOddsRoute(createCursors('a secret of tests'))

let board: SmallBoard
const compareOdds = createComparisonRoute(() => board.clock())

beforeEach(() => {
  board = createSmallBoard()
  board.event(knicks)
})

const rowsOf = (marketType: string, query = '') =>
  board.get(listOdds, `event=${knicks}&market=${encodeURIComponent(marketType)}${query}`).data
const itemsOf = (marketType: string) =>
  board.get(compareOdds, `event=${knicks}&market=${encodeURIComponent(marketType)}`).data.markets

interface Shown {
  readonly selection_type: string
  readonly line: number
}
const answersOf = (shown: readonly Shown[]) =>
  shown.map(({ selection_type, line }) => `${selection_type} ${line}`)

const sportsbooks = ['betmgm', 'caesars', 'draftkings'] as const

/** Offers outcomes with their lines, at a price of 2, at the first sportsbooks. */
function offer(marketType: string, lines: Readonly<Record<string, number>>, books = 3) {
  const quotes = Object.entries(lines).flatMap(([selectionType, line]) =>
    sportsbooks
      .slice(0, books)
      .map((sportsbook) => ({ sportsbook, marketType, selectionType, line, price: 2 })),
  )
  board.odds(knicks, ...quotes)
}

describe('a line that both sides share', () => {
  it.each(['race_to', 'race_to_points', 'first_to_goals', 'winning_margin'])(
    'of %s is one rung of one question',
    (marketType) => {
      offer(marketType, { home: 20, away: 20 })
      expect(rowsOf(marketType)).toHaveLength(6)
      expect(rowsOf(marketType, '&is_main_line=true')).toHaveLength(6)
      const items = itemsOf(marketType)
      expect(items).toHaveLength(1)
      expect(answersOf(items[0].selections)).toEqual(['home 20', 'away 20'])
    },
  )

  it('is a main line each where nobody has to win', () => {
    offer('race_to_points', { home: 20, away: 20 })
    offer('race_to_points', { home: 10, away: 10 }, 2)
    board.decideMainLines()
    expect(rowsOf('race_to_points', '&is_main_line=true')).toHaveLength(10)
  })
})

describe('a handicap with a draw', () => {
  it.each(['moneyline_3-way', 'handicap_3-way'])('in %s is one question of three', (marketType) => {
    offer(marketType, { home: -1, draw: -1, away: 1 })
    const [item, ...others] = itemsOf(marketType)
    expect(others).toEqual([])
    expect(answersOf(item.selections)).toEqual(['home -1', 'draw -1', 'away 1'])
    expect(item.hold.best_available).toBe(50)
    expect(rowsOf(marketType, '&is_main_line=true')).toHaveLength(9)
  })

  it('has signs in its labels, which a race has not', () => {
    const label = (marketType: string, selectionType: string, line: number) => {
      const of = { sportsbook: 'betmgm', marketType, selectionType, line, price: 2 }
      board.odds(knicks, of)
      return selectionOf(quoteOf(board.board, quote(knicks, of).id)!).label
    }
    expect(label('moneyline_3-way', 'draw', 1)).toBe('Draw +1')
    expect(label('point_spread', 'away', 1.5)).toBe('Chicago Bulls +1.5')
    expect(label('point_spread', 'home', -1.5)).toBe('New York Knicks -1.5')
    expect(label('race_to_points', 'home', 20)).toBe('New York Knicks 20')
    expect(label('total_points', 'over', 220.5)).toBe('Over 220.5')
  })
})

describe('the hold of a comparison', () => {
  it('is of the outcomes of which exactly one wins', () => {
    board.odds(
      knicks,
      { sportsbook: 'betmgm', marketType: 'odd_even', selectionType: 'odd', price: 1.9 },
      { sportsbook: 'betmgm', marketType: 'odd_even', selectionType: 'even', price: 1.9 },
      { sportsbook: 'betmgm', marketType: 'binary', selectionType: 'yes', price: 1.9 },
      { sportsbook: 'betmgm', marketType: 'binary', selectionType: 'no', price: 1.9 },
    )
    expect(itemsOf('odd_even')[0].hold.best_available).toBe(5.26)
    expect(itemsOf('binary')[0].hold.best_available).toBeNull()
  })

  it('is of two ways or of three by the type of the market', () => {
    const winner = (marketType: string, ...types: string[]) =>
      board.odds(
        knicks,
        ...types.map((selectionType) => ({
          sportsbook: 'betmgm',
          marketType,
          selectionType,
          price: 2,
        })),
      )
    winner('moneyline_3-way', 'home', 'away', 'draw')
    const three = itemsOf('moneyline_3-way')[0].hold
    expect(three).toEqual({ best_available: 50, by_book: { betmgm: 50 } })
    winner('moneyline', 'home', 'away')
    expect(itemsOf('moneyline')[0].hold).toEqual({ best_available: 0, by_book: { betmgm: 0 } })
  })

  it('of soccer is of three ways only', () => {
    board.event(leeds)
    const hold = () => board.get(compareOdds, `event=${leeds}`).data.markets[0].hold.best_available
    board.odds(leeds, { sportsbook: 'betmgm', price: 2 })
    board.odds(leeds, { sportsbook: 'betmgm', selectionType: 'away', price: 2 })
    expect(hold()).toBeNull()
    board.odds(leeds, { sportsbook: 'betmgm', selectionType: 'draw', price: 2 })
    expect(hold()).toBe(50)
  })
})

/** Decides by the market's name, where the service has a column. */
const hasOwnLines = (type: string) =>
  /moneyline|spread|handicap|puck_line|run_line|draw_no_bet|most_|match_bet|head_to_head|to_qualify|toss/.test(
    type,
  )

const unlisted = ['race_to_points', '3rd_half_spread', 'largest_lead']

describe('every market', () => {
  it('has the same rungs on the main line, in the comparison and in opportunities', () => {
    const types = [...markets.map(({ id }) => id), ...unlisted]
    const rungs = [1.5, 4.5]
    const ownOf = (type: string, answer: string, rung: number) =>
      hasOwnLines(type) && answer === 'away' ? -rung : rung
    const setsOf = (type: string) => outcomesOf(type, 'basketball') ?? [['home', 'away']]
    for (const type of types) {
      const answersAt = (rung: number) =>
        Object.fromEntries(
          setsOf(type)
            .flat()
            .map((answer) => [answer, ownOf(type, answer, rung)]),
        )
      offer(type, answersAt(1.5), 3)
      offer(type, answersAt(4.5), 2)
    }
    board.decideMainLines()
    for (const type of types) {
      const sets = setsOf(type)
      const expected = rungs.flatMap((rung) =>
        sets.map((set) => set.map((answer) => `${answer} ${ownOf(type, answer, rung)}`).sort()),
      )
      const compared = itemsOf(type).map((item: { selections: Shown[] }) =>
        answersOf(item.selections).sort(),
      )
      expect([type, compared.sort()]).toEqual([type, expected.sort()])
      const main = new Set(answersOf(rowsOf(type, '&is_main_line=true&limit=200')))
      // If the outcomes of a type are unknown, every line is a question of its own.
      const mainRungs = outcomesOf(type, 'basketball') ? [1.5] : rungs
      const atMain = mainRungs.flatMap((rung) =>
        sets.flatMap((set) => set.map((answer) => `${answer} ${ownOf(type, answer, rung)}`)),
      )
      expect([type, [...main].sort()]).toEqual([type, atMain.sort()])
      const shape = marketShape(type, 'basketball')
      for (const [answer, { group, column }] of shape?.columnOf ?? []) {
        for (const rung of rungs) {
          const own = ownOf(type, answer, rung)
          expect([type, answer, sharedLine(shape!, answer, own)]).toEqual([type, answer, rung])
          expect([type, answer, ownLine(shape!, column, rung)]).toEqual([type, answer, own])
        }
        expect(shape!.types[group]![column]).toBe(answer)
      }
    }
  })
})
