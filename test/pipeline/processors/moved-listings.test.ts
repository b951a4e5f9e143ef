/** Listings that are known, and belong to another event since their start, their id, their names or the others changed. */

import { describe, expect, it, test } from 'vitest'
import type { EventStatusRecord, OddsRecord } from '../../../schemas/feed-record.ts'
import { noon, selection, statement } from '../../oracle/moneylines.ts'
import { createRealBoard } from '../../oracle/real-board.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

interface Game {
  readonly sport: string
  readonly league: string
  readonly sides: readonly [home: string, away: string]
}

const mlb: Game = {
  ...{ sport: 'baseball', league: 'mlb' },
  sides: ['New York Yankees', 'Boston Red Sox'],
}
const nba: Game = {
  ...{ sport: 'basketball', league: 'nba' },
  sides: ['New York Knicks', 'Boston Celtics'],
}
const epl: Game = {
  ...{ sport: 'soccer', league: 'england_-_premier_league' },
  sides: ['Arsenal', 'Chelsea'],
}
const ufc: Game = { sport: 'mma', league: 'ufc', sides: ['Jon Jones', 'Tom Aspinall'] }
const lck: Game = { sport: 'esports', league: 'lck', sides: ['T1', 'Gen.G'] }

/** A listing: `<sportsbook> <id>` or, without an id, the sportsbook alone; its game and start (ms after 13:00). */
type Listing = readonly [name: string, game: Game, startsLaterMs: number]

function odds([name, game, startsLaterMs]: Listing, laterMs: number): OddsRecord {
  const [sportsbook = '', id = null] = name.split(' ')
  const prices = [selection('home', 1.9), selection('away', 1.95)]
  const more = { externalId: id, laterMs, startsLaterMs }
  const made = statement(sportsbook, ...game.sides, prices, more)
  return { ...made, event: { ...made.event, sport: game.sport, league: game.league } }
}

const empty = (record: OddsRecord): OddsRecord => ({ ...record, markets: [] })
const inPlay = (record: OddsRecord): OddsRecord => ({
  ...record,
  event: { ...record.event, isLive: true },
})
const tick = (laterMs: number) => ({ type: 'tick', observedAt: noon + laterMs }) as const

type Board = ReturnType<typeof createRealBoard>

/** Returns the sportsbooks with prices on each event, the events by start. */
function standing({ tables }: Board): string[] {
  return [...tables.events.values()]
    .sort((a, b) => a.startsAt - b.startsAt || (a.id < b.id ? -1 : 1))
    .map(({ id }) => [...tables.odds.values()].filter(({ eventId }) => eventId === id))
    .filter((rows) => rows.length > 0)
    .map((rows) => [...new Set(rows.map(({ sportsbook }) => sportsbook))].sort().join(' '))
}

const orders = <T>(left: readonly T[]): T[][] =>
  left.length === 0
    ? [[]]
    : left.flatMap((one) =>
        orders(left.filter((other) => other !== one)).map((rest) => [one, ...rest]),
      )

/** A round of readings a minute, one reading after another; each listing as it is in that round. */
function play(board: Board, rounds: readonly number[], listings: readonly Listing[]) {
  for (const round of rounds)
    for (const [at, listing] of listings.entries()) {
      board.restart()
      board.take([odds(listing, round * minute + at)])
    }
}

/** Plays further rounds, which must change nothing. */
function expectRest(board: Board, from: number, listings: readonly Listing[]) {
  const [before, tombstones] = [standing(board), board.tombstones()]
  play(board, [from, from + 1, from + 2], listings)
  expect(standing(board)).toEqual(before)
  expect(board.tombstones()).toBe(tombstones)
}

describe.each([mlb, nba])('a series of the same sides in $league', (game) => {
  const others: Listing[] = ['pinnacle p', 'bet365 b'].flatMap((name): Listing[] => [
    [`${name}1`, game, 0],
    [`${name}2`, game, day],
  ])
  const [late, first, second]: Listing[] = [
    ['desk d1', game, day],
    ['desk d1', game, 0],
    ['desk d2', game, day],
  ] as Listing[]

  const begin = () => {
    const board = createRealBoard()
    play(board, [0], [...others, late!])
    expect(standing(board)).toEqual(['bet365 pinnacle', 'bet365 desk pinnacle'])
    return board
  }

  it.each([
    ['alone', [first!], ['bet365 desk pinnacle', 'bet365 pinnacle']],
    ['before the next', [first!, second!], ['bet365 desk pinnacle', 'bet365 desk pinnacle']],
    ['after the next', [second!, first!], ['bet365 desk pinnacle', 'bet365 desk pinnacle']],
  ] as const)(
    'has a listing on its own day once its date is right, listed %s',
    (_, own, expected) => {
      const board = begin()
      play(board, [1, 2], [...others, ...own])
      expect(standing(board)).toEqual(expected)
      expectRest(board, 3, [...others, ...own])
    },
  )

  it('has the end of its first game on that day, and its close there alone', () => {
    const board = begin()
    play(board, [1], [...others, first!])
    board.take([odds(first!, hour - minute), tick(hour + minute)])
    const { event, sportsbook } = odds(first!, 0)
    const final: EventStatusRecord = {
      ...{ type: 'event_status', status: 'final', sportsbook, event },
      observedAt: noon + 4 * hour,
    }
    board.take([final])
    const days = [...board.tables.events.values()].sort((a, b) => a.startsAt - b.startsAt)
    expect(days.map(({ status }) => status)).toEqual(['final', 'upcoming'])
    const closes = [...board.tables.closingLines.values()]
      .filter((row) => row.sportsbook === 'desk')
      .map(({ eventId, missing }) => [eventId === days[0]?.id ? 'first' : 'second', missing])
    expect(closes.sort()).toEqual([
      ['first', null],
      ['first', null],
      ['second', 'misplaced'],
      ['second', 'misplaced'],
    ])
  })

  it('keeps a game that is put off to the time of the next, which the sportsbook lists too', () => {
    for (const order of orders(['pinnacle p', 'bet365 b', 'desk d'])) {
      const board = createRealBoard()
      const listed = order.flatMap((name): Listing[] => [
        [`${name}1`, game, 0],
        [`${name}2`, game, day],
      ])
      play(board, [0], listed)
      const ids = [...board.tables.odds.values()].map(({ id }) => id).sort()
      for (const [at, name] of order.entries()) {
        const moved = order.slice(0, at + 1).flatMap((of): Listing[] => [[`${of}1`, game, day]])
        play(board, [2 * at + 1, 2 * at + 2], [...moved, [`${name}2`, game, day]])
      }
      expect([...board.tables.odds.values()].map(({ id }) => id).sort()).toEqual(ids)
      expect(board.tombstones()).toBe(0)
    }
  })

  it.each([
    ['another', ['pinnacle p']],
    ['all others', ['pinnacle p', 'bet365 b']],
  ])('keeps a game that %s said to be put off, to exactly the time of the next', (_, names) => {
    const board = createRealBoard()
    play(board, [0], [...others, first!])
    const apart = standing(board)
    expect(apart).toEqual(['bet365 desk pinnacle', 'bet365 pinnacle'])
    for (const name of names) {
      const { event, sportsbook, observedAt } = odds([`${name}1`, game, 0], 30_000)
      board.take([{ type: 'event_status', status: 'postponed', sportsbook, event, observedAt }])
    }
    play(board, [1, 2], [...others, late!])
    expect(standing(board)).toEqual(apart)
    expectRest(board, 3, [...others, late!])
    const moved = [...others, late!].map(([name, of]): Listing => [name, of, day])
    play(board, [6, 7], moved)
    expect(standing(board).sort()).toEqual(apart)
    expectRest(board, 8, moved)
  })
})

describe('a game whose start moves at one sportsbook after the other', () => {
  test.each(orders(['pinnacle p', 'bet365 b', 'caesars c']))(
    'keeps its event, with one that lists it late: %s, %s, %s move',
    (...order) => {
      for (const newAt of [0, 1, 2]) {
        const board = createRealBoard()
        play(
          board,
          [0],
          order.map((name): Listing => [name, epl, day]),
        )
        const [id] = board.tables.events.keys()
        const listed = new Map(order.map((name): [string, number] => [name, day]))
        for (const [at, name] of order.entries()) {
          listed.set(name, day + 5 * hour)
          if (at === newAt) listed.set('desk d', day + 5 * hour)
          play(
            board,
            [2 * at + 1, 2 * at + 2],
            [...listed].map(([of, at]) => [of, epl, at]),
          )
        }
        const all = [...listed].map(([of, at]): Listing => [of, epl, at])
        play(board, [7, 8], all)
        expect(standing(board)).toEqual(['bet365 caesars desk pinnacle'])
        expect(new Set([...board.tables.odds.values()].map(({ eventId }) => eventId))).toEqual(
          new Set([id]),
        )
        expectRest(board, 9, all)
      }
    },
  )
})

describe('a listing alone on its event', () => {
  const others = (game: Game, startsLaterMs: number): Listing[] => [
    ['pinnacle p1', game, startsLaterMs],
    ['bet365 b1', game, startsLaterMs],
  ]

  it.each([
    ['its start was a placeholder', nba, day, day - 12 * hour, day, day],
    ['its start comes within the hours of one game', epl, day, day + 4 * hour, day, day + 2 * hour],
    ['the others move to its start', ufc, day, 36 * day, 36 * day, 36 * day],
    ['its start is theirs, of two games a day', mlb, day, day + 4 * hour, day, day + 5 * minute],
  ] as const)('joins the others if %s', (_, game, theirs, own, theirsAfter, ownAfter) => {
    const board = createRealBoard()
    play(board, [0], [...others(game, theirs), ['desk d1', game, own]])
    expect(standing(board)).toHaveLength(2)
    const after: Listing[] = [...others(game, theirsAfter), ['desk d1', game, ownAfter]]
    play(board, [1, 2], after)
    expect(standing(board)).toEqual(['bet365 desk pinnacle'])
    expectRest(board, 3, after)
    const start = hour + theirsAfter
    board.take([...after.map((of) => odds(of, start - minute)), tick(start + minute)])
    const closes = [...board.tables.closingLines.values()].filter(
      (row) => row.sportsbook === 'desk',
    )
    expect(closes.map(({ missing }) => missing).sort()).toEqual([
      ...['misplaced', 'misplaced'],
      ...[null, null],
    ])
  })

  it('stays if its start is near theirs, where the sides play twice a day', () => {
    const board = createRealBoard()
    play(board, [0], [...others(mlb, day), ['desk d1', mlb, day + 4 * hour]])
    play(board, [1, 2], [...others(mlb, day), ['desk d1', mlb, day + hour]])
    expect(standing(board)).toEqual(['bet365 pinnacle', 'desk'])
  })

  it('joins the others once its names are clear', () => {
    const friendly = (home: string, away: string): Game => ({
      ...{ sport: 'soccer', league: 'club_friendlies' },
      sides: [home, away],
    })
    const full = friendly('Sporting CP', 'Sporting Braga')
    const board = createRealBoard()
    play(board, [0], [...others(full, day), ['desk d1', friendly('Sporting', 'Braga'), day]])
    expect(standing(board)).toHaveLength(2)
    play(board, [1], [...others(full, day), ['desk d1', full, day]])
    expect(standing(board)).toEqual(['bet365 desk pinnacle'])
    expectRest(board, 2, [...others(full, day), ['desk d1', full, day]])
  })

  it('joins nobody who has no prices', () => {
    const board = createRealBoard()
    play(board, [0], [...others(nba, day), ['desk d1', nba, 2 * day]])
    board.take(others(nba, day).map((of) => empty(odds(of, minute))))
    play(board, [2, 3], [['desk d1', nba, day]])
    expect(standing(board)).toEqual(['desk'])
    expect(board.tombstones()).toBe(4)
  })
})

describe.each([mlb, lck])(
  'a new id of a game in $league, where the sides play twice a day',
  (game) => {
    const others: Listing[] = [
      ['pinnacle p1', game, day],
      ['bet365 b1', game, day],
    ]
    const former: Listing = ['desk old', game, day]
    const later: Listing = ['desk new', game, day]
    const joined = ['bet365 desk pinnacle']
    const apart = ['bet365 pinnacle', 'desk']
    const begin = () => {
      const board = createRealBoard()
      play(board, [0, 1, 2], [...others, former])
      return board
    }
    const rounds = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => from + i)

    it('is of its event once the former one is silent', () => {
      const board = begin()
      play(board, rounds(3, 14), [...others, later])
      expect(standing(board)).toEqual([...joined, 'desk'])
      board.take([tick(18 * minute)])
      play(board, [18], [...others, later])
      expect(standing(board)).toEqual(joined)
      expectRest(board, 19, [...others, later])
    })

    it.each([0, 400])(
      'is of its event if the former one ends at that reading, %i ms later',
      (ms) => {
        const board = begin()
        play(board, [3], [...others, later])
        board.take([empty(odds(former, 3 * minute + 2 + ms))])
        play(board, [4], [...others, later])
        expect(standing(board)).toEqual(joined)
        expectRest(board, 5, [...others, later])
      },
    )

    it('is of its event if the game is in play', () => {
      const board = begin()
      const start = day + hour
      const live = [...others, later].map((of) => inPlay(odds(of, start + minute)))
      for (const record of [
        empty(odds(former, start)),
        ...others.map((of) => inPlay(odds(of, start))),
      ])
        board.take([record])
      board.take([inPlay(odds(former, start + 30_000))])
      for (const record of live) board.take([record])
      expect(standing(board)).toEqual(['bet365 desk pinnacle', 'desk'])
      const after = start + 3 * minute
      for (const of of [...others, later]) board.take([inPlay(odds(of, after))])
      expect(standing(board)).toEqual(joined)
    })

    describe('that was listed beside the former one', () => {
      const both = () => {
        const board = begin()
        play(board, rounds(3, 4), [...others, former, later])
        return board
      }

      it('stays another game when the former one is silent, or ends', () => {
        const board = both()
        play(board, rounds(7, 20), [...others, later])
        board.take([tick(27 * minute)])
        play(board, rounds(28, 3), [...others, later])
        expect(standing(board)).toEqual(apart)
        const ended = both()
        ended.take([empty(odds(former, 7 * minute))])
        play(ended, rounds(8, 3), [...others, later])
        expect(standing(ended)).toEqual(apart)
      })
    })

    it('stays another game if the former one ends because its game begins', () => {
      const board = begin()
      const start = day + hour
      for (const of of [...others, former, later]) board.take([odds(of, start - minute)])
      for (const at of [start, start + minute, start + 2 * minute]) {
        for (const of of others) board.take([inPlay(odds(of, at))])
        board.take([empty(odds(former, at))])
        board.take([odds(later, at)])
      }
      expect(standing(board)).toEqual(apart)
    })
  },
)
