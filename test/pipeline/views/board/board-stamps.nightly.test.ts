import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPageBuffer } from '../../../../pipeline/text/page-buffer.ts'
import type { BoardView } from '../../../../pipeline/views/board/board-view.ts'
import type { BoardPart } from '../../../../pipeline/views/board/stamps.ts'
import type { OddsFilter } from '../../../../pipeline/views/query/odds-filter.ts'
import { writeOddsPage } from '../../../../pipeline/views/query/odds-page.ts'
import { writeSortedOdds } from '../../../../pipeline/views/query/sorted-odds.ts'
import {
  announcements,
  anyFilter,
  anyStep,
  baseTime,
  createBoardPair,
  eventId,
  recordOf,
} from '../histories.ts'

const buffer = createPageBuffer()

/** Returns everything a filter shows: rows, their total, the sportsbooks with rows. */
function shown(view: BoardView, filter: OddsFilter): string {
  buffer.length = 0
  const { total } = writeOddsPage(view, filter, { limit: 1_000, offset: 0 }, buffer)
  const sort = { field: 'last_seen_at', descending: true } as const
  writeSortedOdds(view, filter, sort, { limit: 5, offset: 0 }, buffer)
  const rows = buffer.bytes.toString('utf8', 0, buffer.length)
  return JSON.stringify([rows, total, view.sportsbooksWithRows()])
}

/** Returns the named events that exist, with the sportsbooks that have offered prices on them. */
const eventsThere = (view: BoardView, { eventIds }: BoardPart) =>
  JSON.stringify(
    eventIds?.map((id) => {
      const event = view.find(id)
      return event && [event.row, [...event.offers.keys()]]
    }),
  )

const history = fc.array(anyStep({ resets: true }), { minLength: 5, maxLength: 30 })

describe('the change stamp of a part of the board', () => {
  it.each([
    ['all sportsbooks', undefined],
    ['two sportsbooks', new Set(['draftkings', 'fanduel'])],
  ])('moves whenever the content of a filter does, and by no clock, with %s', (_name, books) => {
    fc.assert(
      fc.property(
        fc.boolean(),
        history,
        fc.array(anyFilter, { maxLength: 6 }),
        (known, steps, filters) => {
          const { view, take, step, wait } = createBoardPair(books)
          if (known) take(announcements())
          const parts = filters.map((filter) => ({ filter, part: partOf(filter) }))
          const look = () =>
            parts.map(({ filter, part }) => ({
              stamp: view.changeStamp(part),
              says: shown(view, filter) + eventsThere(view, part),
            }))
          let before = look()
          for (const each of steps) {
            step(each)
            const now = look()
            for (const [i, { stamp, says }] of now.entries()) {
              expect(stamp).toBeGreaterThanOrEqual(before[i]!.stamp)
              if (stamp === before[i]!.stamp) expect(says).toBe(before[i]!.says)
              expect(stamp).toBeLessThanOrEqual(view.watermark)
            }
            wait(700)
            take([])
            expect(look()).toEqual(now)
            before = now
          }
        },
      ),
      { numRuns: 50 },
    )
  })

  it('stands still while other parts of the board change', () => {
    const { view, take } = createBoardPair()
    const price = {
      op: 'odds',
      book: 0,
      answer: 0,
      price: 2.5,
      changed: false,
      isLive: false,
      isActive: true,
      at: 0,
    } as const
    take([...announcements(), ...[0, 1, 2, 3].map((fixture) => recordOf({ ...price, fixture }))])
    const parts: BoardPart[] = [
      { eventIds: [eventId(1)] },
      { leagues: ['nba'] },
      { sports: ['basketball'] },
      { leagues: ['italy_-_serie_a', 'nba'] },
    ]
    const stamps = () => parts.map((part) => view.changeStamp(part))
    const before = stamps()
    take([recordOf({ ...price, fixture: 0, price: 3 })])
    take([recordOf({ op: 'sighting', fixture: 0, book: 0, at: 9, externalId: 'x' })])
    take([recordOf({ op: 'event', fixture: 0, day: 1, flipped: true, rename: true, isLive: true })])
    expect(stamps()).toEqual(before)
    expect(view.changeStamp({ sports: ['soccer'] })).toBeGreaterThan(Math.max(...before))
    expect(view.changeStamp({})).toBe(view.changeStamp({ eventIds: [eventId(0)] }))
  })
})

const partOf = ({ eventIds, leagues, sports }: OddsFilter): BoardPart => ({
  eventIds,
  leagues,
  sports,
})

describe('the watermark', () => {
  it('lies below every later change, each with its own stamp, though the clock goes back', () => {
    fc.assert(
      fc.property(
        history,
        fc.array(fc.integer({ min: -900_000, max: 900_000 })),
        (steps, jumps) => {
          const { view, naive, take, step, wait } = createBoardPair()
          take(announcements())
          const met = new Set<number>()
          for (const [i, each] of steps.entries()) {
            const { watermark } = view
            const before = new Map(
              [...naive.odds.keys()].map((id) => [id, view.journal.stamp(view.rows.find(id))]),
            )
            const partStamp = view.changeStamp({})
            step(each)
            expect(view.watermark).toBeGreaterThanOrEqual(watermark)
            const fresh: number[] = []
            view.journal.forEach(watermark, ({ stamp }) => fresh.push(stamp))
            for (const stamp of fresh) {
              expect(met.has(stamp)).toBe(false)
              met.add(stamp)
              expect(stamp).toBeGreaterThan(watermark)
              expect(stamp).toBeLessThanOrEqual(view.watermark)
            }
            // A row without a newer stamp keeps its old one.
            for (const id of naive.odds.keys()) {
              const row = view.rows.find(id)
              if (row < 0) continue
              const stamp = view.journal.stamp(row)
              if (stamp <= watermark) expect(stamp).toBe(before.get(id))
            }
            const stamp = view.changeStamp({})
            if (stamp !== partStamp) expect(stamp).toBeGreaterThan(watermark)
            const given = view.watermark
            wait(jumps[i] ?? 0)
            expect(view.watermark).toBeGreaterThanOrEqual(given)
          }
        },
      ),
      { numRuns: 40 },
    )
  })

  it('is the clock in microseconds while nothing comes', () => {
    const { view, wait } = createBoardPair()
    wait(5_000)
    expect(view.watermark).toBe(1_000 * (baseTime + 5_000))
    wait(-9_000)
    expect(view.watermark).toBe(1_000 * (baseTime + 5_000))
  })
})
