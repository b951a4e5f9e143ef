/** Boards so uneven that rows of a few events are looked up and those of the others scanned. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPageBuffer } from '../../../../pipeline/text/page-buffer.ts'
import { oddsDelta } from '../../../../pipeline/views/query/odds-delta.ts'
import type { OddsFilter } from '../../../../pipeline/views/query/odds-filter.ts'
import { createRowScan, isManyRows } from '../../../../pipeline/views/query/row-scan.ts'
import {
  type SortedPlace,
  sortFields,
  writeSortedOdds,
} from '../../../../pipeline/views/query/sorted-odds.ts'
import type { OddsRow } from '../../../../schemas/odds.ts'
import { topics } from '../../../../schemas/topics.ts'
import {
  announcements,
  anyAlone,
  anyFilter,
  anyOp,
  changelog,
  createBoardPair,
  eventId,
  oddsRow,
} from '../histories.ts'
import { logRecord, walk } from '../naive-board.ts'

/** Returns rows of one market of one event, each on its own rung. */
const ladder = (count: number, fixture: number) =>
  Array.from({ length: count }, (_, i) => {
    const base = oddsRow({
      op: 'odds',
      fixture,
      book: i % 2,
      answer: 3,
      price: 1.5 + (i % 40) / 20,
      changed: false,
      isLive: i % 3 === 0,
      isActive: i % 7 !== 0,
      at: 0,
    })
    const row: OddsRow = { ...base, id: 1e14 + i, line: i + 10, selection: `H ${i}` }
    return logRecord(topics.odds, String(row.id), row)
  })

function unevenBoard(ops: Parameters<typeof changelog>[0]) {
  const pair = createBoardPair()
  pair.take(announcements())
  pair.take(changelog(ops, pair.naive))
  pair.take(ladder(600, 3))
  return pair
}

const anyOps = fc.array(anyOp(0), { minLength: 30, maxLength: 120 })
const oneEvent: OddsFilter = { eventIds: [eventId(0)] }

describe('a board with one big event', () => {
  it('is scanned for all of it, and looked up for a small part', () => {
    const { view } = unevenBoard([])
    expect(isManyRows(view, {})).toBe(true)
    expect(isManyRows(view, { minAmerican: 100, sports: ['basketball'] })).toBe(true)
    expect(isManyRows(view, oneEvent)).toBe(false)
    expect(isManyRows(view, { leagues: ['italy_-_serie_a'] })).toBe(false)
    expect(isManyRows(view, { marketTypes: ['moneyline'] })).toBe(false)
  })

  // Of several members the others may leave no rows for which a wrong one shows.
  it.each(anyAlone)('has the rows that %s alone names', (_member, anyOfOne) => {
    fc.assert(
      fc.property(anyOps, anyOfOne, (ops, filter) => {
        const { view, naive } = unevenBoard(ops)
        const expected = naive.matching(filter).map(({ odds }) => odds.id)
        expect(walk(view, filter, 200).map(({ id }) => Number(id))).toEqual(expected)
        const found = createRowScan(view, filter).gather({ from: 0, to: Number.POSITIVE_INFINITY })
        expect(found.map((row) => view.rows.id(row)).sort()).toEqual(expected.sort())
      }),
      { numRuns: 5 },
    )
  })

  it('has the same rows either way', () => {
    fc.assert(
      fc.property(anyOps, anyFilter, fc.boolean(), (ops, filter, isSmall) => {
        const { view, naive } = unevenBoard(ops)
        const rowFilter = isSmall ? { ...filter, ...oneEvent } : filter
        const { prices, lists } = view.rows.columns
        const expected = naive.matching(rowFilter).map(({ odds }) => odds.id)
        const scan = createRowScan(view, rowFilter)
        const all = { from: 0, to: Number.POSITIVE_INFINITY }
        const found = scan.gather(all)
        const idsOf = (rows: readonly number[]) => rows.map((row) => view.rows.id(row)).sort()
        expect(idsOf(found)).toEqual([...expected].sort())
        const counts = scan.counts()
        const counted = new Int32Array(counts.length)
        for (const row of found) counted[lists[row]!]!++
        expect(counts).toEqual(counted)
        const some = view.rows.columns.listOf.flatMap((list, i) => (list && i % 2 ? [list] : []))
        expect(idsOf(scan.ofLists(some))).toEqual(idsOf(found.filter((row) => lists[row]! % 2)))
        const ascending = found.map((row) => prices[row]!).sort((a, b) => a - b)
        for (const count of [1, 3, ascending.length, ascending.length + 1]) {
          if (count === 0) continue
          expect(scan.nth(all, count, 'rising')).toBe(ascending[count - 1])
          expect(scan.nth(all, count, 'falling')).toBe(ascending.at(-count))
        }
        expect(walk(view, rowFilter, 50).map(({ id }) => Number(id))).toEqual(expected)
      }),
      { numRuns: 20 },
    )
  })

  it('is walked whole in every order, whichever way its rows are found', () => {
    const buffer = createPageBuffer()
    const walked = (view: ReturnType<typeof unevenBoard>['view'], filter: OddsFilter) =>
      sortFields.map((field) => {
        let count = 0
        let after: SortedPlace | undefined
        for (;;) {
          buffer.length = 0
          const range = { limit: 97, offset: 0, after }
          const sort = { field, descending: true }
          const page = writeSortedOdds(view, filter, sort, range, buffer)
          count += page.count
          if (!page.hasMore) return count
          after = page.last!
        }
      })
    fc.assert(
      fc.property(anyOps, anyFilter, (ops, filter) => {
        const { view, naive } = unevenBoard(ops)
        for (const rowFilter of [filter, { ...filter, ...oneEvent }]) {
          const { length } = naive.matching(rowFilter)
          expect(walked(view, rowFilter)).toEqual(sortFields.map(() => length))
        }
      }),
      { numRuns: 15 },
    )
  })

  it('has all changes, oldest first, however many', () => {
    fc.assert(
      fc.property(anyOps, anyFilter, fc.nat(700), (ops, anything, from) => {
        const filter = { ...anything, mainLine: undefined, ownMainLine: undefined }
        const { view, naive } = unevenBoard(ops)
        const stamps = naive.rows().map(({ odds }) => {
          const row = view.rows.find(odds.id)
          return { id: odds.id, stamp: view.journal.stamp(row) }
        })
        stamps.sort((a, b) => a.stamp - b.stamp)
        const since = stamps[Math.min(from, stamps.length - 1)]!.stamp
        const named = new Set(naive.matching(filter).map(({ odds }) => odds.id))
        const expected = stamps.filter(({ id, stamp }) => stamp > since && named.has(id))
        const { changed } = oddsDelta(view, filter, since)
        expect(changed.map(({ id, stamp }) => ({ id, stamp }))).toEqual(expected)
      }),
      { numRuns: 20 },
    )
  })
})
