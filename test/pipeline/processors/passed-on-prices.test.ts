/** A sportsbook read by a source of its own and by one that passes on the prices of many. */
import { describe, expect, it } from 'vitest'
import { passedOnAfterMs } from '../../../pipeline/rules/odds/freshness.ts'
import type { EventStatusRecord, OddsRecord } from '../../../schemas/feed-record.ts'
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

function boardAfter(records: readonly (OddsRecord | EventStatusRecord)[], restarts: boolean) {
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
    const first = [own('c', 0, 2), own('c', 15 * second, 2)]
    const rounds = [0, 1, 2, 3].flatMap((round) => [
      own('c', round * minute + 20 * second, 2 + round / 10),
      passedOn('x', round * minute + 40 * second, 1.5),
      passedOn('y', round * minute + 41 * second, 1.6, { startsLaterMs: 4 * hour }),
    ])
    const board = boardAfter([...first, ...rounds], restarts)
    expect(board.tables.events.size).toBe(1)
    expect(pricesOf(board)).toEqual([2.3])
  })

  it('count once these are silent, and give way again at their next record', () => {
    const silentMs = passedOnAfterMs + second
    const records = [
      own('c', -15 * second, 2),
      own('c', 0, 2),
      passedOn('x', passedOnAfterMs, 1.4),
      passedOn('x', silentMs, 1.5),
    ]
    const board = boardAfter(records, restarts)
    expect(pricesOf(board)).toEqual([1.5])
    board.take([own('c', silentMs + second, 2.2)])
    expect(pricesOf(board)).toEqual([2.2])
    board.take([own('c', silentMs + 15 * second, 2.3)])
    board.take([passedOn('x', silentMs + 16 * second, 1.6)])
    expect(pricesOf(board)).toEqual([2.3])
    expect(board.tables.events.size).toBe(1)
  })

  it('end with the first own delta, which names only some of the own prices', () => {
    const delta: OddsRecord = { ...own('x', second, 1.8), mode: 'delta' }
    const away = delta.markets.map((market) => ({
      ...market,
      selections: [selection('away', 1.8)],
    }))
    const board = boardAfter([passedOn('x', 0, 2), { ...delta, markets: away }], restarts)
    expect(pricesOf(board)).toEqual([1.8])
  })

  it('stay where the sportsbook’s own statuses go on', () => {
    const status: EventStatusRecord = {
      type: 'event_status',
      sportsbook: 'corner_shop',
      observedAt: passedOn('x', 2 * second, 2).observedAt,
      event: own('c', 0, 2).event,
      status: 'upcoming',
    }
    const board = boardAfter(
      [passedOn('x', 0, 2), status, passedOn('x', 3 * second, 2.1)],
      restarts,
    )
    expect(pricesOf(board)).toEqual([2.1])
    board.take([{ ...status, observedAt: status.observedAt + 2 * second }])
    expect(pricesOf(board)).toEqual([2.1])
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

describe('prices that a source passes on', () => {
  it('stay beside one push by hand, and beside withdrawals', () => {
    const byHand = [own('c', 0, 2), passedOn('x', minute, 1.5)]
    expect(pricesOf(boardAfter(byHand, false))).toEqual([1.5])
    const gone = [0, 20].map((at) => ({ ...own('c', at * second, 2), markets: [] }))
    expect(pricesOf(boardAfter([...gone, passedOn('x', minute, 1.5)], false))).toEqual([1.5])
  })
})
