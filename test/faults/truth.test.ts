/** The checks of the fault harness must find errors. */

import { expect, it } from 'vitest'
import { parseLine } from '../../pipeline/feeds/push/parse.ts'
import { toAppend } from '../../pipeline/feeds/sink.ts'
import { sharpChain, withConsensus } from '../../pipeline/rules/odds/sharp-books.ts'
import type { BoardRecord } from '../../schemas/feed-record.ts'
import { oddsRecord } from '../api/service-in-process.ts'
import { createRealBoard } from '../oracle/real-board.ts'
import { judgeOpportunities } from './truth.ts'

const now = Date.parse('2026-11-20T12:00:00Z')

/** Returns a sportsbook's record of both sides of a game. */
function statement(sportsbook: string, prices: [number, number]): BoardRecord {
  const parsed = parseLine(JSON.stringify(oddsRecord(now, { sportsbook, prices })), now)
  if (!parsed.ok) throw new Error(parsed.message)
  return toAppend(parsed.record).value as BoardRecord
}

it('finds an opportunity that is missing, invented or different', () => {
  const board = createRealBoard({ sharpChain: withConsensus(sharpChain('pinnacle')) })
  board.take([statement('pinnacle', [1.9, 2]), statement('draftkings', [2.1, 1.8])])
  const { tables } = board
  const sound = judgeOpportunities(tables)
  expect(sound).toEqual({ count: tables.opportunities.size, wrong: [] })
  expect(sound.count).toBeGreaterThan(1)

  const [[id, row], [, other]] = [...tables.opportunities] as [
    [string, NonNullable<ReturnType<typeof tables.opportunities.get>>],
    [string, NonNullable<ReturnType<typeof tables.opportunities.get>>],
  ]
  const wrongWith = (change: (rows: typeof tables.opportunities) => void) => {
    const opportunities = new Map(tables.opportunities)
    change(opportunities)
    return judgeOpportunities({ ...tables, opportunities }).wrong.length
  }
  expect(wrongWith((rows) => rows.delete(id))).toBe(1)
  expect(wrongWith((rows) => rows.set('another', row))).toBe(1)
  expect(wrongWith((rows) => rows.set(id, { ...row, legs: [...other.legs, 1] }))).toBe(1)
})
