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

it('does not go back when a recording is read from its start after a restart', () => {
  const board = createRealBoard({ sharpChain: ['pinnacle'] })
  // The best price is out of date when the others arrive.
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
  // Time continues from where it was.
  board.take([tick(12 * minute)])
  expect(board.tables.opportunities.size).toBe(0)
})
