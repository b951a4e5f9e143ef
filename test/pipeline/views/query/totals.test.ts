import { describe, expect, it } from 'vitest'
import type { OddsFilter } from '../../../../pipeline/views/query/odds-filter.ts'
import { totalOf } from '../../../../pipeline/views/query/totals.ts'
import { createSmallBoard, knicks, leeds } from '../../../api/small-board.ts'

describe('the total of a filter', () => {
  it.each<[OddsFilter, number]>([
    [{ leagues: ['nba'] }, 1],
    [{ leagues: ['nba'], marketTypes: ['moneyline'] }, 1],
    [{ sports: ['basketball'], marketTypes: ['moneyline'] }, 1],
    [{ sports: ['basketball'] }, 1],
    [{ leagues: ['nba'], sportsbooks: ['fanduel'] }, 1],
    [{ leagues: ['nba'], minAmerican: -200 }, 1],
  ])('%j follows a league that comes when the filter is known', (filter, expected) => {
    const { event, odds, scope } = createSmallBoard()
    event(leeds)
    odds(leeds, { sportsbook: 'fanduel', price: 2 })
    const { board } = scope('sharp')
    expect(totalOf(board, filter)).toBe(0)
    event(knicks)
    odds(knicks, { sportsbook: 'fanduel', price: 2 })
    expect(totalOf(board, filter)).toBe(expected)
  })
})
