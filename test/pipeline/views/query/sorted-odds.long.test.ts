import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPageBuffer } from '../../../../pipeline/text/page-buffer.ts'
import type { BoardView } from '../../../../pipeline/views/board/board-view.ts'
import type { OddsFilter } from '../../../../pipeline/views/query/odds-filter.ts'
import {
  type OddsSort,
  type SortedPlace,
  sortFields,
  sortRowIds,
  writeSortedOdds,
} from '../../../../pipeline/views/query/sorted-odds.ts'
import { announcements, anyFilter, anyOp, changelog, createBoardPair } from '../histories.ts'
import { american, booksOf, type NaiveBoard, type NaiveRow, rendered } from '../naive-board.ts'

const naiveValue: Record<OddsSort['field'], (row: NaiveRow) => number | string> = {
  odds_american: ({ odds }) => american(odds.price),
  odds_decimal: ({ odds }) => odds.price,
  odds_probability: ({ odds }) => Math.round(10_000 / odds.price),
  event_start_time: ({ event }) => event.startsAt,
  last_seen_at: ({ lastSeenAt }) => lastSeenAt,
  sportsbook: ({ odds }) => odds.sportsbook,
  league: ({ event }) => event.league,
  sport: ({ event }) => event.sport,
}

/** Sorts all rows of the filter. Equal ones stay in page order, because the runtime's sort is stable. */
function naiveSorted(rows: readonly NaiveRow[], { field, descending }: OddsSort): NaiveRow[] {
  const sign = descending ? -1 : 1
  const sortValue = naiveValue[field]
  return [...rows].sort((a, b) => {
    const [x, y] = [sortValue(a), sortValue(b)]
    return x === y ? 0 : x < y ? -sign : sign
  })
}

const buffer = createPageBuffer()

function readSorted(
  view: BoardView,
  filter: OddsFilter,
  sort: OddsSort,
  range: { limit: number; offset: number; after?: SortedPlace | undefined },
) {
  buffer.length = buffer.bytes.write('[')
  const page = writeSortedOdds(view, filter, sort, range, buffer)
  const rows = JSON.parse(`${buffer.bytes.toString('utf8', 0, buffer.length)}]`) as Row[]
  return { ...page, rows }
}

type Row = Record<string, unknown>

/** Returns the value after a round trip through a cursor. */
const carried = <T>(place: T): T => JSON.parse(JSON.stringify(place)) as T

const anySort: fc.Arbitrary<OddsSort> = fc.record({
  field: fc.constantFrom(...sortFields),
  descending: fc.boolean(),
})

function walkSorted(view: BoardView, filter: OddsFilter, sort: OddsSort, limit: number): Row[] {
  const rows: Row[] = []
  let after: SortedPlace | undefined
  for (;;) {
    const page = readSorted(view, filter, sort, { limit, offset: 0, after })
    rows.push(...page.rows)
    if (!page.hasMore) return rows
    if (rows.length > view.rows.size) throw new Error('the walk goes round')
    after = carried(page.last!)
  }
}

describe('a sorted page', () => {
  const anyQuestion = fc.tuple(anyFilter, anySort, fc.integer({ min: 1, max: 30 }), fc.nat(25))

  it.each(
    sortFields.flatMap((field) => [
      { field, descending: false },
      { field, descending: true },
    ]),
  )('is that of the naive board by $field, descending: $descending', (sort) => {
    fc.assert(
      fc.property(
        fc.array(anyOp(), { minLength: 40, maxLength: 200 }),
        fc.array(anyQuestion, { minLength: 4, maxLength: 4 }),
        (ops, questions) => {
          const { view, naive, take } = createBoardPair()
          take(announcements())
          take(changelog(ops, naive))
          for (const [filter, , limit, offset] of questions) {
            const all = naiveSorted(naive.matching(filter), sort)
            const expected = all.slice(offset, offset + limit)
            const page = readSorted(view, filter, sort, { limit, offset })
            expect(page.rows).toEqual(expected.map(rendered))
            expect(page.count).toBe(expected.length)
            expect(page.total).toBe(all.length)
            expect(page.hasMore).toBe(offset + expected.length < all.length)
            expect(booksOf(view, page.books)).toEqual(
              new Set(expected.map(({ odds }) => odds.sportsbook)),
            )
            expect(page.updatedAt).toBe(Math.max(0, ...expected.map((row) => row.lastSeenAt)))
            expect(walkSorted(view, filter, sort, limit)).toEqual(all.map(rendered))
          }
        },
      ),
      { numRuns: 12 },
    )
  })

  it('goes on after its place though the row there, or others, have gone or come', () => {
    fc.assert(
      fc.property(
        fc.array(anyOp(0), { minLength: 40, maxLength: 160 }),
        fc.array(fc.array(anyOp(0), { maxLength: 6 }), { maxLength: 60 }),
        anyFilter,
        anySort,
        fc.integer({ min: 1, max: 7 }),
        (before, between, filter, sort, limit) => {
          const { view, naive, take } = createBoardPair()
          take(announcements())
          take(changelog(before, naive))
          // Rows that keep their place in this order. The others may be returned twice or not at all.
          const valuesNow = () =>
            new Map(
              naive
                .matching(filter)
                .map((row) => [String(row.odds.id), naiveValue[sort.field](row)] as const),
            )
          const still = valuesNow()
          const walked: string[] = []
          let after: SortedPlace | undefined
          for (let turn = 0; ; turn++) {
            const page = readSorted(view, filter, sort, { limit, offset: 0, after })
            walked.push(...page.rows.map(({ id }) => String(id)))
            if (!page.hasMore) break
            if (turn > 1_000) throw new Error('the walk goes round')
            after = carried(page.last!)
            take(changelog(between[turn] ?? [], naive))
            const now = valuesNow()
            for (const [id, value] of still) if (now.get(id) !== value) still.delete(id)
          }
          for (const id of still.keys()) {
            expect(walked.filter((other) => other === id)).toEqual([id])
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('orders the rows of given ids, without those that have gone', () => {
    fc.assert(
      fc.property(
        fc.array(anyOp(), { minLength: 20, maxLength: 120 }),
        anySort,
        fc.infiniteStream(fc.nat()),
        (ops, sort, keys) => {
          const { view, naive, take } = createBoardPair()
          take(announcements())
          take(changelog(ops, naive))
          const shuffled = shuffle(naive, keys)
          const ids = [17, ...shuffled.map(({ odds }) => odds.id), 18]
          const expected = naiveSorted(shuffled, sort).map(({ odds }) => odds.id)
          expect(sortRowIds(view, ids, sort)).toEqual(expected)
        },
      ),
      { numRuns: 40 },
    )
  })
})

function shuffle(naive: NaiveBoard, keys: Iterator<number>): NaiveRow[] {
  const keyed = naive.rows().map((row) => ({ row, key: Number(keys.next().value) }))
  return keyed.sort((a, b) => a.key - b.key).map(({ row }) => row)
}
