/** A sportsbook read by a source of its own and by one that passes on the prices of many. */
import { describe, expect, it } from 'vitest'
import { passedOnAfterMs } from '../../../pipeline/rules/odds/freshness.ts'
import type { OddsRecord } from '../../../schemas/feed-record.ts'
import { selection, statement } from '../../oracle/moneylines.ts'
import { createRealBoard } from '../../oracle/real-board.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

const pirates = (
  via: string | null,
  id: string,
  laterMs: number,
  price: number,
  { startsLaterMs = 0, sportsbook = 'corner_shop' } = {},
): OddsRecord => {
  const at = { externalId: id, laterMs, startsLaterMs }
  const teams = ['Pittsburgh Pirates', 'Milwaukee Brewers'] as const
  const made = statement(sportsbook, ...teams, [selection('home', price)], at)
  return { ...made, via, event: { ...made.event, sport: 'baseball', league: 'mlb' } }
}
const own = pirates.bind(null, null)
const passedOn = pirates.bind(null, 'the-odds-api')

type Board = ReturnType<typeof createRealBoard>

const pricesOf = ({ tables }: Board) => [...tables.odds.values()].map(({ price }) => price).sort()

function boardAfter(records: readonly OddsRecord[], restarts: boolean) {
  const board = createRealBoard()
  for (const record of records) {
    if (restarts) board.restart()
    board.take([record])
  }
  return board
}

describe.each([false, true])('prices that a source passes on (restarting: %s)', (restarts) => {
  it('give way to the sportsbook’s own, on the same event', () => {
    const board = boardAfter([passedOn('x', 0, 2), own('c', second, 2.1)], restarts)
    expect(board.tables.events.size).toBe(1)
    expect(pricesOf(board)).toEqual([2.1])
  })

  it('do not count while the sportsbook’s own are heard in the league', () => {
    const rounds = [0, 1, 2, 3].flatMap((round) => [
      own('c', round * minute, 2 + round / 10),
      passedOn('x', round * minute + 40 * second, 1.5),
      passedOn('y', round * minute + 41 * second, 1.6, { startsLaterMs: 4 * hour }),
    ])
    const board = boardAfter(rounds, restarts)
    expect(board.tables.events.size).toBe(1)
    expect(pricesOf(board)).toEqual([2.3])
  })

  it('count once these are silent, and give way again at their next record', () => {
    const silentMs = passedOnAfterMs + second
    const records = [
      own('c', 0, 2),
      passedOn('x', passedOnAfterMs, 1.4),
      passedOn('x', silentMs, 1.5),
    ]
    const board = boardAfter(records, restarts)
    expect(pricesOf(board)).toEqual([1.5])
    board.take([own('c', silentMs + second, 2.2)])
    expect(pricesOf(board)).toEqual([2.2])
    board.take([passedOn('x', silentMs + 2 * second, 1.6)])
    expect(pricesOf(board)).toEqual([2.2])
    expect(board.tables.events.size).toBe(1)
  })

  it('are one event with the own of another start, which ids would tell apart', () => {
    const board = boardAfter(
      [
        pirates(null, 'm', 0, 1.9, { sportsbook: 'mill_lane' }),
        passedOn('x', 0, 2),
        own('c', second, 2.1, { startsLaterMs: 20 * minute }),
      ],
      restarts,
    )
    expect(board.tables.events.size).toBe(1)
    expect(pricesOf(board)).toEqual([1.9, 2.1])
  })
})
