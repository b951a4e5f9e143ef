import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OddsFilter } from '../../../../pipeline/views/query/odds-filter.ts'
import { totalOf } from '../../../../pipeline/views/query/totals.ts'
import { createSmallBoard, knicks, leeds } from '../../../api/small-board.ts'
import {
  announcements,
  anyFilter,
  anyLadderOp,
  anyOp,
  changelog,
  createBoardPair,
} from '../histories.ts'

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

  it('follows every change while the same filter is asked again', () => {
    const changes = fc.array(fc.oneof(anyOp(), anyLadderOp), { maxLength: 6 })
    const filters = fc.array(anyFilter, { minLength: 4, maxLength: 4 })
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 12 }), filters, (steps, asked) => {
        const { view, naive, take } = createBoardPair()
        take(announcements())
        for (const ops of steps) {
          take(changelog(ops, naive))
          for (const filter of asked) {
            expect(totalOf(view, filter)).toBe(naive.matching(filter).length)
          }
        }
      }),
      { numRuns: 100 },
    )
  })
})
