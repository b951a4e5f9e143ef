/** Names of properties that every object has are ordinary names, anywhere in a record. */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseValue } from '../../../pipeline/feeds/push/parse.ts'
import { toAppend } from '../../../pipeline/feeds/sink.ts'
import type { BoardRecord } from '../../../schemas/feed-record.ts'
import { createRealBoard } from '../../oracle/real-board.ts'

const now = Date.parse('2026-05-02T12:00:00Z')

const inherited = [...Object.getOwnPropertyNames(Object.prototype), 'prototype', 'length', 'name']
const name = fc.oneof(
  fc.constantFrom(...inherited),
  fc.constantFrom(...inherited).map((word) => `home_${word}`),
  fc.constantFrom(...inherited).map((word) => `${word}_over`),
)
/** Draws mostly the usual names, so that the records still match. */
const or = (...usual: (string | null)[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...usual) }, name)

const selections = fc.record({
  selection: or(null, 'Over 2.5'),
  selection_type: or('over', 'home', 'draw', '2_1'),
  odds_decimal: fc.constantFrom(1.9, 2.1),
  external_id: or('s'),
})
const records = fc.record({
  type: fc.constant('odds'),
  sportsbook: or('draftkings', 'fanduel'),
  mode: fc.constantFrom('snapshot', 'delta'),
  observed_at: fc.constant(new Date(now).toISOString()),
  event: fc
    .record({
      external_id: or('1'),
      sport: or('basketball'),
      league: or('NBA'),
      sides: fc.tuple(or('New York Knicks'), or('Brooklyn Nets')),
      isReversed: fc.boolean(),
      start_time: fc.constant('2026-05-02T13:00:00Z'),
    })
    .map(({ sides, isReversed, ...event }) => ({
      ...event,
      home_team: sides[isReversed ? 1 : 0],
      away_team: sides[isReversed ? 0 : 1],
    })),
  markets: fc.array(
    fc.record({
      market_type: or('player_points', 'moneyline', 'correct_score'),
      player_name: or(null, 'Bob X'),
      stat_category: or(null, 'points'),
      external_id: or('m'),
      line: fc.constantFrom(null, 2.5),
      selections: fc.array(selections, { minLength: 1, maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 2 },
  ),
})

it('records full of names that every object has end as rows of plain text', () => {
  let rows = 0
  fc.assert(
    fc.property(fc.array(records, { minLength: 1, maxLength: 6 }), (stated) => {
      const board = createRealBoard()
      for (const value of stated) {
        const parsed = parseValue(value, now)
        if (parsed.ok) board.take([toAppend(parsed.record).value as BoardRecord])
      }
      board.restart()
      for (const row of board.tables.odds.values()) {
        rows++
        const { selection, selectionType, marketType, sportsbook, eventId } = row
        for (const text of [selection, selectionType, marketType, sportsbook, eventId]) {
          expect(text).toBeTypeOf('string')
          expect(text).not.toMatch(/native code|\[object/)
        }
      }
    }),
    { numRuns: 200 },
  )
  console.info(`names of objects: ${rows} rows`)
  expect(rows).toBeGreaterThan(100)
})
