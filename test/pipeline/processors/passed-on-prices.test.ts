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
  id: string | null,
  laterMs: number,
  price: number,
  {
    startsLaterMs = 0,
    sportsbook = 'corner_shop',
    home = 'Pittsburgh Pirates',
    away = 'Milwaukee Brewers',
  } = {},
): OddsRecord => {
  const at = { externalId: id, laterMs, startsLaterMs }
  const made = statement(sportsbook, home, away, [selection('home', price)], at)
  return { ...made, via, event: { ...made.event, sport: 'baseball', league: 'mlb' } }
}
const own = pirates.bind(null, null)
const passedOn = pirates.bind(null, 'the-odds-api')

/** A delta of the sportsbook's own: of one price, or of none, which confirms all. */
const ownDelta = (id: string | null, laterMs: number, price?: number): OddsRecord => {
  const record = own(id, laterMs, price ?? 2)
  return { ...record, mode: 'delta', markets: price === undefined ? [] : record.markets }
}

/** Ids of a game at the sportsbook, and at the source that passes on its prices. */
const ids = [
  ['c', 'x'],
  [null, 'x'],
  [null, null],
] as const

const mets = { home: 'New York Mets', away: 'Atlanta Braves' }
const cubs = { home: 'Chicago Cubs', away: 'Cincinnati Reds' }

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

  it('stay where an own delta states no price, which would leave none', () => {
    for (const id of ['c', null]) {
      const board = boardAfter([passedOn('x', 0, 2), ownDelta(id, second)], restarts)
      expect(pricesOf(board)).toEqual([2])
    }
  })

  it('end with each delta of a sportsbook that sends no snapshots', () => {
    const records = [
      passedOn('x', 0, 2),
      ownDelta('c', second, 1.8),
      passedOn('x', 2 * minute, 2),
      ownDelta('c', 3 * minute, 1.9),
    ]
    expect(pricesOf(boardAfter(records, restarts))).toEqual([1.9])
  })

  it('leave a snapshot that is confirmed or changed by deltas once a minute', () => {
    for (const [id, otherId] of ids) {
      for (const price of [undefined, 2.1]) {
        const minutes = [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((round) => [
          passedOn(otherId, (round - 0.5) * minute, 1.5),
          ownDelta(id, round * minute, price),
        ])
        const snapshot = own(id, 0, 2.1)
        const both = snapshot.markets.map((market) => ({
          ...market,
          selections: [selection('home', 2.1), selection('away', 1.8)],
        }))
        const board = boardAfter([{ ...snapshot, markets: both }, ...minutes], restarts)
        expect(pricesOf(board)).toEqual([1.8, 2.1])
        expect(board.tables.events.size).toBe(1)
      }
    }
  })

  it('stay once they have replaced own prices, until the next own snapshot', () => {
    for (const [id, otherId] of ids) {
      for (const price of [undefined, 2.2]) {
        const records = [
          own(id, 0, 2.1),
          passedOn(otherId, minute, 1.5),
          ownDelta(id, 2 * minute, price),
          ownDelta(id, 3 * minute, price),
          passedOn(otherId, 3.5 * minute, 1.6),
          passedOn('y', 3.5 * minute, 1.7, mets),
        ]
        const board = boardAfter(records, restarts)
        expect(pricesOf(board)).toEqual([1.6, 1.7])
        board.take([own(id, 4 * minute, 2.3)])
        expect(pricesOf(board)).toEqual([1.7, 2.3])
        board.take([ownDelta(id, 5 * minute), passedOn(otherId, 5.5 * minute, 1.4)])
        expect(pricesOf(board)).toEqual([1.7, 2.3])
        expect(board.tables.events.size).toBe(2)
      }
    }
  })

  it('stay beside one own push of another game', () => {
    const records = [
      passedOn('x', 0, 1.5),
      passedOn('y', 0, 1.6, mets),
      own('c', second, 2.1),
      passedOn('y', 30 * second, 1.7, mets),
    ]
    expect(pricesOf(boardAfter(records, restarts))).toEqual([1.7, 2.1])
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

  it('stay beside one push of games that were read at different times', () => {
    for (const times of [
      [0, 11],
      [11, 0],
    ]) {
      const [cAt, dAt] = times.map((at) => at * second) as [number, number]
      const board = createRealBoard()
      const { observedAt } = own('c', 12 * second, 2)
      board.take([passedOn('y', 0, 1.5, mets), { type: 'tick', observedAt }])
      board.take([own('c', cAt, 2), own('d', dAt, 2.1, cubs)])
      board.take([passedOn('y', minute, 1.7, mets)])
      expect(pricesOf(board)).toEqual([1.7, 2, 2.1])
    }
  })

  it('stay beside an own record that is older than the first one heard', () => {
    const records = [
      passedOn('y', 0, 1.5, mets),
      own('c', 20 * second, 2),
      own('d', second, 2.1, cubs),
      passedOn('y', 30 * second, 1.7, mets),
    ]
    expect(pricesOf(boardAfter(records, false))).toEqual([1.7, 2, 2.1])
  })

  it('are counted by why they, or own deltas, are left out', () => {
    const board = boardAfter([own('c', 0, 2), passedOn('x', minute - 1, 1.5)], false)
    expect(board.counts().get('other_source')).toBe(1)
    board.take([passedOn('x', minute, 1.5), ownDelta('c', minute + second)])
    expect(board.counts().get('delta_of_replaced_prices')).toBe(1)
  })
})
