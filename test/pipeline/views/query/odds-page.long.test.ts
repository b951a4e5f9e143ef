import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OddsRow } from '../../../../schemas/odds.ts'
import { topics } from '../../../../schemas/topics.ts'
import {
  announcements,
  anyFilter,
  anyOp,
  anyPageFilter,
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
        fc.array(fc.tuple(anyPageFilter, fc.integer({ min: 1, max: 30 }), fc.nat(20)), {
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

  it('takes bounds of the American price as it is shown, both included', () => {
    const { view, take } = createBoardPair()
    take(announcements())
    // Shown as -110, +100 and +100: -100 is written +100.
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
  let nextId = 1e14
  const spread = (sportsbook: string, home: number, prices: readonly [number, number]) =>
    (['home', 'away'] as const).map((selectionType, i) =>
      odds({
        ...base(3),
        id: nextId++,
        sportsbook,
        selectionType,
        selection: selectionType,
        line: i === 0 ? home : -home,
        price: prices[i]!,
      }),
    )
  const linesOf = (
    records: ReturnType<typeof spread>,
    sportsbooks?: readonly string[],
  ): unknown[] => {
    const { view, take } = createBoardPair()
    take([...announcements(), ...records])
    const { rows } = readPage(view, { mainLine: true, sportsbooks }, page)
    return [...new Set(rows.map(({ selection_type, line }) => `${selection_type} ${line}`))]
  }
  const even = [1.91, 1.91] as const
  const uneven = [1.5, 2.6] as const

  it('is the rung of most sportsbooks, both of its sides', () => {
    const records = [
      ...spread('draftkings', -3.5, uneven),
      ...spread('fanduel', -3.5, uneven),
      ...spread('pinnacle', -2.5, even),
    ]
    expect(linesOf(records)).toEqual(['home -3.5', 'away 3.5'])
    // Of those the filter allows.
    expect(linesOf(records, ['pinnacle', 'draftkings'])).toEqual(['home -2.5', 'away 2.5'])
  })

  it('is among equals the one closest to even, then the lowest', () => {
    expect(
      linesOf([...spread('draftkings', -3.5, uneven), ...spread('draftkings', -2.5, even)]),
    ).toEqual(['home -2.5', 'away 2.5'])
    expect(
      linesOf([...spread('draftkings', -2.5, even), ...spread('draftkings', -3.5, even)]),
    ).toEqual(['home -3.5', 'away 3.5'])
  })

  it('leaves locked prices out of the choice, not out of the line', () => {
    const locked = spread('fanduel', -3.5, even).map(({ key, value }) =>
      logRecord(topics.odds, key, { ...(value as OddsRow), isActive: false }),
    )
    const records = [
      ...spread('draftkings', -2.5, uneven),
      ...spread('pinnacle', -3.5, even).slice(0, 1),
      ...locked,
    ]
    expect(linesOf(records)).toEqual(['home -2.5', 'away 2.5'])
  })

  it('is asked of each event', () => {
    const { view, naive, take } = createBoardPair()
    take(announcements())
    take(
      [0, 2, 4].map((fixture) => odds({ ...base(3), eventId: eventId(fixture), id: 7 + fixture })),
    )
    expect(readPage(view, { mainLine: true }, page).rows).toEqual(naive.rows().map(rendered))
  })
})
