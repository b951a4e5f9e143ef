import { expect, it } from 'vitest'
import { noon, selection, statement } from '../../oracle/moneylines.ts'
import { createRealBoard } from '../../oracle/real-board.ts'

const minute = 60_000

const prices = (sportsbook: string, [home, away, draw]: readonly number[], laterMs: number) =>
  statement(
    sportsbook,
    'Leeds United',
    'Brentford',
    [selection('home', home!), selection('away', away!), selection('draw', draw!)],
    { laterMs },
  )

const tick = (laterMs: number) =>
  ({ type: 'tick', observedAt: noon + laterMs, isRecorded: true }) as const

it('does not go back when a recording is told from its beginning after a restart', () => {
  const board = createRealBoard({ sharpChain: ['pinnacle'] })
  // The best price of all is out of date by the time the others are there.
  const first = [prices('betmgm', [2.35, 3.4, 3.3], 0), tick(0)]
  board.take(first)
  board.take([
    prices('pinnacle', [2.3, 3.5, 3.4], 6 * minute),
    prices('fanduel', [2.1, 3.6, 3.6], 6 * minute),
    tick(6 * minute),
  ])
  const before = new Map(board.tables.opportunities)
  expect(before.size).toBeGreaterThan(0)
  board.restart()
  board.take(first)
  expect(board.tables.opportunities).toEqual(before)
  // It is gone on with where it was.
  board.take([tick(12 * minute)])
  expect(board.tables.opportunities.size).toBe(0)
})
