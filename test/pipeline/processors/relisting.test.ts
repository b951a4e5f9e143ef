/** The board's handling of a sportsbook that has several names for one game, or one name for several. */

import { describe, expect, it } from 'vitest'
import type { EventStatusRecord, OddsRecord } from '../../../schemas/feed-record.ts'
import { noon, selection, statement } from '../../oracle/moneylines.ts'
import { createRealBoard } from '../../oracle/real-board.ts'

const second = 1_000
const minute = 60 * second

type Said = { startsLaterMs?: number; mode?: OddsRecord['mode'] }

const leeds = (id: string | null, laterMs: number, price: number, said: Said = {}): OddsRecord => {
  const { mode = 'snapshot', ...more } = said
  const prices = [selection('home', price)]
  const at = { externalId: id, laterMs, ...more }
  return { ...statement('corner_shop', 'Leeds United', 'Brentford', prices, at), mode }
}
const everton = (id: string, laterMs: number, price: number) =>
  statement('corner_shop', 'Everton', 'Arsenal', [selection('home', price)], {
    externalId: id,
    laterMs,
  })
const empty = (record: OddsRecord): OddsRecord => ({ ...record, markets: [] })
const tick = (laterMs: number) => ({ type: 'tick', observedAt: noon + laterMs }) as const
const status = (of: OddsRecord, said: EventStatusRecord['status']): EventStatusRecord => {
  const { sportsbook, event, observedAt } = of
  return { type: 'event_status', sportsbook, observedAt, event, status: said }
}

type Board = ReturnType<typeof createRealBoard>

const pricesOf = ({ tables }: Board) => [...tables.odds.values()].map(({ price }) => price).sort()
const eventsOf = ({ tables }: Board) => tables.events.size

/** Takes each record by itself, with a restart in between if wanted. */
function boardAfter(records: readonly Parameters<Board['take']>[0][number][], restarts = false) {
  const board = createRealBoard()
  for (const record of records) {
    if (restarts) board.restart()
    board.take([record])
  }
  return board
}

describe('a game without an id', () => {
  const hour = 60 * minute
  const starts = (startsLaterMs: number, laterMs: number) =>
    leeds(null, laterMs, 2 + startsLaterMs / hour / 10, { startsLaterMs })

  it.each([
    ['one, whose start has moved', 1, [2.1]],
    ['one, whose start has moved', 400, [2.1]],
    ['two, stated at once', 0, [2, 2.1]],
  ])('is %s, of two starts %i ms apart', (_, apartMs, prices) => {
    for (const restarts of [false, true]) {
      const board = boardAfter([starts(0, 0), starts(hour, apartMs)], restarts)
      expect(eventsOf(board)).toBe(prices.length)
      expect(pricesOf(board)).toEqual(prices)
    }
  })
})

describe('a game that a sportsbook lists under several ids', () => {
  it.each([false, true])('shows the newest and keeps it (restarting: %s)', (restarts) => {
    const rounds = [0, 1, 2, 3].flatMap((round) =>
      ['A', 'B', 'C'].map((id, i) => leeds(id, round * minute + i * second, 2 + i / 10)),
    )
    const last = [leeds('A', 4 * minute, 2), leeds('B', 4 * minute, 2.1)]
    const board = boardAfter([...rounds, ...last], restarts)
    expect(pricesOf(board)).toEqual([2.2])
    expect(eventsOf(board)).toBe(1)
  })

  it('shows the other as soon as the one it showed is withdrawn', () => {
    const shown = [leeds('A', 0, 2), leeds('B', minute, 2.5), leeds('A', minute, 2.04)]
    expect(pricesOf(boardAfter(shown))).toEqual([2.5])
    const withdrawn = [...shown, empty(leeds('B', 2 * minute, 0)), leeds('A', 3 * minute, 2.05)]
    expect(pricesOf(boardAfter(withdrawn))).toEqual([2.05])
  })

  it('shows the other as soon as the one it showed has expired', () => {
    const board = boardAfter([leeds('A', 0, 2), leeds('B', minute, 2.5), tick(17 * minute)])
    board.take([leeds('A', 17 * minute, 2.05)])
    expect(pricesOf(board)).toEqual([2.05])
  })

  it('is not renamed to a former id by a late statement', () => {
    const board = boardAfter([
      leeds('A', 0, 2),
      leeds('B', 2 * minute, 2.5),
      empty(leeds('B', 3 * minute, 0)),
    ])
    board.take([leeds('A', minute, 2.04)])
    expect(pricesOf(board)).toEqual([])
  })
})

describe('a game whose new id is first named by a status', () => {
  const two = {
    ...statement(
      'corner_shop',
      'Leeds United',
      'Brentford',
      [selection('home', 2), selection('away', 3)],
      { externalId: 'A' },
    ),
  }

  it('loses the prices of the old id, as it does when prices name it first', () => {
    const named = leeds('B', 2 * minute, 2.4, { mode: 'delta' })
    expect(pricesOf(boardAfter([two, named]))).toEqual([2.4])
    const first = status(leeds('B', minute, 0), 'upcoming')
    expect(pricesOf(boardAfter([two, first]))).toEqual([])
    expect(pricesOf(boardAfter([two, first, named]))).toEqual([2.4])
  })

  it('keeps its prices when the status has an id of its own', () => {
    const said = [1, 2, 3].flatMap((at) => [
      status(leeds('scores 7', at * minute, 0), 'upcoming'),
      leeds('A', at * minute + second, 2 + at / 10),
    ])
    expect(pricesOf(boardAfter([two, ...said]))).toEqual([2.3])
  })
})

describe('a game without an id', () => {
  const moved = { startsLaterMs: 5 * minute }

  it.each([0, second])('is not emptied by its old listing %s ms later', (laterMs) => {
    const board = createRealBoard()
    board.take([leeds(null, 0, 2)])
    board.take([leeds(null, minute, 2.5, moved), empty(leeds(null, minute + laterMs, 0))])
    expect(pricesOf(board)).toEqual([2.5])
  })

  it('is emptied by its own listing', () => {
    const board = boardAfter([leeds(null, 0, 2), leeds(null, minute, 2.5, moved)])
    board.take([empty(leeds(null, 2 * minute, 0, moved))])
    expect(pricesOf(board)).toEqual([])
  })

  it('is not taken back by a delta that only removes', () => {
    const gone = leeds(null, minute, 2, { mode: 'delta' })
    const [market] = gone.markets
    const selections = [{ ...selection('home', 2), price: null, removed: true }]
    const removal = { ...gone, markets: [{ ...market!, selections }] }
    const board = boardAfter([leeds(null, 0, 2), leeds(null, minute, 2.5, moved), removal])
    expect(pricesOf(board)).toEqual([2.5])
  })
})

describe('two games of the same sides on one day', () => {
  const game = (
    book: string,
    id: string,
    laterMs: number,
    startsLaterMs: number,
    price: number,
  ) => {
    const more = { externalId: id, laterMs, startsLaterMs }
    const prices = [selection('home', price)]
    const record = statement(book, 'New York Yankees', 'Boston Red Sox', prices, more)
    return { ...record, event: { ...record.event, sport: 'baseball', league: 'mlb' } }
  }

  it.each([5 * minute, 0])('are two though their starts are %s ms apart', (apartMs) => {
    const rounds = [0, 1, 2].flatMap((round) => [
      game('corner_shop', 'A', round * minute, 0, 1.5 + round / 100),
      game('corner_shop', 'B', round * minute, apartMs, 2.5 + round / 100),
    ])
    for (const restarts of [false, true]) {
      const board = boardAfter(rounds, restarts)
      expect(pricesOf(board)).toEqual([1.52, 2.52])
      expect(eventsOf(board)).toBe(2)
      expect(board.tombstones()).toBe(0)
    }
  })

  it('are one when the first id is silent, or empty', () => {
    const first = game('corner_shop', 'A', 0, 0, 1.5)
    const silent = boardAfter([first, tick(16 * minute)])
    silent.take([game('corner_shop', 'B', 16 * minute, 5 * minute, 2.5)])
    expect([pricesOf(silent), eventsOf(silent)]).toEqual([[2.5], 1])
    const withdrawn = empty(game('corner_shop', 'A', minute, 0, 0))
    const renumbered = boardAfter([first, withdrawn, game('corner_shop', 'B', minute, 0, 2.5)])
    expect([pricesOf(renumbered), eventsOf(renumbered)]).toEqual([[2.5], 1])
    // An older statement under the old id does not make a second game.
    renumbered.take([game('corner_shop', 'A', second, 0, 1.6)])
    expect([pricesOf(renumbered), eventsOf(renumbered)]).toEqual([[2.5], 1])
  })
})

describe('the numbered games of one day at a sportsbook without ids', () => {
  const hour = 60 * minute
  const numbered = (book: string, number: string, startsLaterMs: number, price: number) => {
    const more = { externalId: null, startsLaterMs }
    const prices = [selection('home', price)]
    const [home, away] = [`Chicago Cubs${number}`, `St. Louis Cardinals${number}`]
    const record = statement(book, home, away, prices, more)
    return { ...record, event: { ...record.event, sport: 'baseball', league: 'mlb' } }
  }
  const others = [numbered('mill_lane', '', 0, 1.9), numbered('mill_lane', '', 5 * hour, 2.1)]
  // The second start is a placeholder, half an hour after the first.
  const own = [
    numbered('corner_shop', ' (Game 1)', 0, 1.8),
    numbered('corner_shop', ' (Game 2)', hour / 2, 2.2),
  ]

  it.each([
    ['beside others who list both', [...others, ...own]],
    ['alone', own],
    ['and the second is listed first', [...others, ...own.toReversed()]],
  ])('are two, of which none takes the price of the other, %s', (_, records) => {
    for (const restarts of [false, true]) {
      const board = boardAfter([...records, ...own], restarts)
      const ofShop = [...board.tables.odds.values()].filter(
        ({ sportsbook }) => sportsbook === 'corner_shop',
      )
      expect(ofShop.map(({ price }) => price).sort()).toEqual([1.8, 2.2])
      expect(new Set(ofShop.map(({ eventId }) => eventId)).size).toBe(2)
      const first = ofShop.find(({ price }) => price === 1.8)!
      const beside = [...board.tables.odds.values()].filter(
        ({ eventId, sportsbook }) => eventId === first.eventId && sportsbook !== 'corner_shop',
      )
      expect(beside.map(({ price }) => price)).toEqual(records.length > 2 ? [1.9] : [])
    }
  })
})

describe('a listing moved to another game', () => {
  it('is retired also where the other game has one already', () => {
    const board = boardAfter([
      leeds('1', 0, 2),
      everton('2', 0, 3),
      everton('3', second, 3.1),
      // Everton's former id comes while its present one is valid, which adds nothing to Everton.
      everton('1', 2 * second, 3.2),
    ])
    expect(pricesOf(board)).toEqual([3.2])
    board.take([everton('3', 3 * second, 3.3), everton('2', 4 * second, 3.4)])
    expect(pricesOf(board)).toEqual([3.2])
  })

  it('is retired also if its content for the other game does not count', () => {
    const board = boardAfter([leeds('1', 0, 2), everton('2', 0, 3), everton('1', minute, 3.1)])
    board.take([leeds('2', 2 * minute, 2.2), everton('2', 3 * minute, 3.3)])
    // "2" is Everton's again, and is a former id there while "1" is valid.
    expect(pricesOf(board)).toEqual([3.1])
    expect([...board.tables.odds.values()].every(({ eventId }) => /everton/.test(eventId))).toBe(
      true,
    )
  })

  it.each([false, true])('leaves nothing to match by (restarting: %s)', (restarts) => {
    const others = statement('fanduel', 'Leeds United', 'Brentford', [selection('home', 2.1)])
    const records = [leeds('7', 0, 2), others, everton('7', minute, 3)]
    const board = boardAfter(records, restarts)
    if (restarts) board.restart()
    board.take([leeds('9', 2 * minute, 2.2, { startsLaterMs: 30 * minute })])
    expect(eventsOf(board)).toBe(2)
    expect(pricesOf(board)).toEqual([2.1, 2.2, 3])
  })
})
