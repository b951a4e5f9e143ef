import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OddsRow } from '../../../../schemas/odds.ts'
import { topics } from '../../../../schemas/topics.ts'
import {
  announcements,
  anyFilter,
  anyOp,
  changelog,
  createBoardPair,
  eventId,
  oddsRow,
} from '../histories.ts'
import { logRecord, readPage, rendered, walk } from '../naive-board.ts'

const page = { limit: 200, offset: 0 }

describe('a page of odds', () => {
  it.each([
    ['all sportsbooks', undefined],
    ['two sportsbooks', new Set(['draftkings', 'fanduel'])],
  ])('has the rows, total and order of the naive board for any filter, with %s', (_name, books) => {
    fc.assert(
      fc.property(
        fc.array(anyOp(), { minLength: 60, maxLength: 250 }),
        fc.array(fc.tuple(anyFilter, fc.integer({ min: 1, max: 30 }), fc.nat(20)), {
          minLength: 12,
          maxLength: 12,
        }),
        (ops, questions) => {
          const { view, naive, take } = createBoardPair(books)
          take(announcements())
          take(changelog(ops, naive))
          for (const [filter, limit, offset] of questions) {
            const all = naive.matching(filter)
            const expected = all.slice(offset, offset + limit)
            const actual = readPage(view, filter, { limit, offset })
            expect(actual.rows).toEqual(expected.map(rendered))
            expect(actual.total).toBe(all.length)
            expect(actual.count).toBe(expected.length)
            expect(actual.hasMore).toBe(offset + expected.length < all.length)
            expect(walk(view, filter, limit)).toEqual(all.map(rendered))
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('splits every board into what is on the main line and what is not', () => {
    fc.assert(
      fc.property(fc.array(anyOp(), { maxLength: 200 }), anyFilter, (ops, filter) => {
        const { view, naive, take } = createBoardPair()
        take(announcements())
        take(changelog(ops, naive))
        const totalOf = (mainLine: boolean | undefined) =>
          readPage(view, { ...filter, mainLine }, page).total
        expect(totalOf(true) + totalOf(false)).toBe(totalOf(undefined))
      }),
      { numRuns: 40 },
    )
  })

  it('takes bounds of the shown American price, both included', () => {
    const { view, take } = createBoardPair()
    take(announcements())
    // American odds of -110, +100 and +100: -100 is written +100.
    const prices = [1.9090909090909092, 1.9999, 2]
    take(prices.map((price, answer) => odds({ ...base(answer), price })))
    const idsOf = (minAmerican?: number, maxAmerican?: number) =>
      readPage(view, { minAmerican, maxAmerican }, page).rows.map((row) => row.odds_american)
    expect(idsOf(-110, -110)).toEqual([-110])
    expect(idsOf(100, 100)).toEqual([100, 100])
    expect(idsOf(-109, 99)).toEqual([])
    expect(idsOf(undefined, -1)).toEqual([-110])
  })
})

const base = (answer: number): OddsRow =>
  oddsRow({
    op: 'odds',
    fixture: 0,
    book: 0,
    answer,
    price: 2,
    changed: false,
    isLive: false,
    isActive: true,
    at: 0,
  })
const odds = (row: OddsRow) => logRecord(topics.odds, String(row.id), row)

describe('the main line', () => {
  it('of a question that has one line is that line, in each event', () => {
    const { view, naive, take } = createBoardPair()
    take(announcements())
    take(
      [0, 2, 4].map((fixture) => odds({ ...base(3), eventId: eventId(fixture), id: 7 + fixture })),
    )
    expect(readPage(view, { mainLine: true }, page).rows).toEqual(naive.rows().map(rendered))
  })
})
