/** The view against a naive one, over any history of its two tables. */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { LogRecord } from '../../../../pipeline/log/log.ts'
import { turnedSplits } from '../../../../pipeline/rules/odds/splits.ts'
import { createSplitsView } from '../../../../pipeline/views/splits/splits-view.ts'
import type { EventRow } from '../../../../schemas/event.ts'
import { type SplitsRow, splitsKey } from '../../../../schemas/splits.ts'
import { type Topic, topics } from '../../../../schemas/topics.ts'

const eventIds = ['a', 'b', 'c'] as const
const books = ['x', 'y'] as const

const record = (topic: unknown, key: string, value: unknown): LogRecord => ({
  topic: topic as Topic,
  partition: 0,
  offset: 0,
  key,
  value,
})

const eventOf = (id: string, startsAt: number, flipped: boolean): EventRow => ({
  id,
  sport: 'basketball',
  league: 'nba',
  leagueMapped: true,
  homeTeam: 'Home',
  awayTeam: 'Away',
  flipped,
  startsAt,
  status: 'upcoming',
  isLive: false,
  updatedAt: 0,
})

const rowOf = (eventId: string, sportsbook: string, line: number): SplitsRow => ({
  eventId,
  league: 'nba',
  sportsbook,
  moneyline: null,
  spread: { handle: [0.25, 0.75], bets: null, awayLine: line, homeLine: -line },
  total: null,
  observedAt: 1,
  snapshotAt: 1,
})

const eventRecord = fc
  .record({
    id: fc.constantFrom(...eventIds),
    startsAt: fc.nat(2),
    flipped: fc.boolean(),
    isGone: fc.boolean(),
  })
  .map(({ id, startsAt, flipped, isGone }) =>
    record(topics.events, id, isGone ? null : eventOf(id, startsAt, flipped)),
  )
const splitsRecord = fc
  .record({
    id: fc.constantFrom(...eventIds),
    book: fc.constantFrom(...books),
    line: fc.integer({ min: 1, max: 9 }),
    isGone: fc.boolean(),
  })
  .map(({ id, book, line, isGone }) =>
    record(topics.splits, splitsKey(id, book), isGone ? null : rowOf(id, book, line)),
  )

/** Returns the full list from the last row of each key. */
function naiveList(history: readonly LogRecord[]) {
  const last = new Map(history.map((one) => [`${one.topic.name} ${one.key}`, one.value]))
  return eventIds
    .flatMap((id) => {
      const event = last.get(`${topics.events.name} ${id}`) as EventRow | null | undefined
      return books.flatMap((book) => {
        const key = `${topics.splits.name} ${splitsKey(id, book)}`
        const row = last.get(key) as SplitsRow | null | undefined
        if (!event || !row) return []
        return [{ event, row: event.flipped ? { ...row, ...turnedSplits(row) } : row }]
      })
    })
    .sort((a, b) => a.event.startsAt - b.event.startsAt)
}

it('shows the content of a naive view, in order, and a new version with every change', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(eventRecord, splitsRecord), { maxLength: 30 }), (history) => {
      const view = createSplitsView()
      let before: unknown = []
      let version = -1
      for (const [i, one] of history.entries()) {
        view.apply([one])
        const expected = naiveList(history.slice(0, i + 1))
        expect(view.list()).toEqual(expected)
        if (JSON.stringify(before) !== JSON.stringify(expected)) {
          expect(view.version).toBeGreaterThan(version)
        }
        before = structuredClone(expected)
        version = view.version
      }
      view.reset()
      expect(view.list()).toEqual([])
      // Nothing from before a replay is joined with what it brings.
      for (const id of eventIds) view.apply([record(topics.events, id, eventOf(id, 0, false))])
      expect(view.list()).toEqual([])
      view.reset()
      for (const id of eventIds) {
        view.apply([record(topics.splits, splitsKey(id, 'x'), rowOf(id, 'x', 1))])
      }
      expect(view.list()).toEqual([])
    }),
    { numRuns: 300 },
  )
})
