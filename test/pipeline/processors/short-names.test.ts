/** Short names that fit two games: whichever is listed first, the games stay two, and the short name is neither. */

import { describe, expect, it, test } from 'vitest'
import type { OddsRecord } from '../../../schemas/feed-record.ts'
import { topics } from '../../../schemas/topics.ts'
import { selection, statement } from '../../oracle/moneylines.ts'
import { createRealBoard } from '../../oracle/real-board.ts'

type Sides = readonly [home: string, away: string]

interface Case {
  readonly sport: string
  readonly league: string
  readonly short: Sides
  readonly one: Sides
  readonly two: Sides
  /** Whether several clubs of the tables have one of the short names, so that prices decide. */
  readonly isShared?: true
}

const soccer = { sport: 'soccer', league: 'club_friendlies' }

const cases: readonly Case[] = [
  {
    ...soccer,
    short: ['Sporting', 'Real'],
    one: ['Sporting Gijon', 'Real Oviedo'],
    two: ['Sporting CP', 'Real Sociedad'],
    isShared: true,
  },
  {
    ...soccer,
    short: ['Sporting', 'Real (ESP)'],
    one: ['Sporting Gijon', 'Real Oviedo'],
    two: ['Sporting CP', 'Real Sociedad'],
    isShared: true,
  },
  {
    ...soccer,
    short: ['Sporting U19', 'Real U19'],
    one: ['Sporting Gijon U19', 'Real Oviedo U19'],
    two: ['Sporting CP U19', 'Real Sociedad U19'],
    isShared: true,
  },
  {
    ...soccer,
    short: ['River Plate', 'Nacional'],
    one: ['River Plate (ARG)', 'Nacional (URU)'],
    two: ['River Plate (URU)', 'Nacional (PAR)'],
  },
  {
    ...soccer,
    short: ['Dinamo', 'Partizan'],
    one: ['Dinamo Zagreb', 'Partizan Belgrade'],
    two: ['Dinamo Bucharest', 'Partizani Tirana'],
    isShared: true,
  },
  {
    sport: 'basketball',
    league: 'eurocup',
    short: ['Hapoel', 'Buducnost'],
    one: ['Hapoel Tel Aviv', 'Buducnost'],
    two: ['Hapoel Jerusalem', 'Buducnost VOLI'],
    isShared: true,
  },
  {
    ...soccer,
    short: ['Liverpool', 'Wanderers'],
    one: ['Liverpool (ENG)', 'Bolton Wanderers'],
    two: ['Liverpool Montevideo', 'Montevideo Wanderers'],
    isShared: true,
  },
  {
    sport: 'hockey',
    league: 'vhl',
    short: ['Dynamo', 'Torpedo'],
    one: ['Dynamo SPb', 'Torpedo Gorky'],
    two: ['Dynamo Altai', 'Torpedo Ust-Kamenogorsk'],
    isShared: true,
  },
  {
    sport: 'hockey',
    league: 'khl',
    short: ['Dynamo', 'Metallurg'],
    one: ['Dynamo Moscow', 'Metallurg Magnitogorsk'],
    two: ['Dinamo Minsk', 'Metallurg Novokuznetsk'],
    isShared: true,
  },
  {
    sport: 'snooker',
    league: 'english_open',
    short: ['Williams', 'Wilson'],
    one: ['Mark Williams', 'Kyren Wilson'],
    two: ['Robbie Williams', 'Gary Wilson'],
  },
  {
    sport: 'tennis',
    league: 'wta',
    short: ['Wang', 'Pliskova K.'],
    one: ['Wang Xinyu', 'Karolina Pliskova'],
    two: ['Wang Xiyu', 'Kristyna Pliskova'],
  },
  {
    sport: 'mma',
    league: 'ufc',
    short: ['Pereira', 'Hill'],
    one: ['Alex Pereira', 'Jamahal Hill'],
    two: ['Michel Pereira', 'Angela Hill'],
  },
  {
    sport: 'table_tennis',
    league: 'setka_cup',
    short: ['Kovalenko', 'Melnik'],
    one: ['Ivan Kovalenko', 'Oleg Melnik'],
    two: ['Petro Kovalenko', 'Yuri Melnik'],
  },
]

type Game = 'short' | 'one' | 'two'

type Prices = readonly [home: number, draw: number, away: number]

const books: Readonly<Record<Game, readonly string[]>> = {
  short: ['fanduel'],
  one: ['bet365', 'draftkings', 'pinnacle'],
  two: ['betmgm', 'caesars'],
}

/** The short name has the prices of the second game. */
const prices: Readonly<Record<Game, Prices>> = {
  short: [2.34, 3.35, 3.2],
  one: [2.1, 3.4, 3.6],
  two: [2.3, 3.3, 3.2],
}

function listed(
  { sport, league, ...sides }: Case,
  game: Game,
  laterMs: number,
  [home, draw, away] = prices[game],
): OddsRecord[] {
  return books[game].map((book) => {
    const winner = [
      selection('home', home),
      ...(sport === 'soccer' ? [selection('draw', draw)] : []),
      selection('away', away),
    ]
    const said = statement(book, ...sides[game], winner, { laterMs })
    const [market] = said.markets
    if (!market) return said
    const total = {
      ...market,
      marketType: ['soccer', 'hockey'].includes(sport) ? 'total_goals' : 'total_points',
      line: 2.5,
      selections: [selection('over', 1.9), selection('under', 1.9)],
    }
    return { ...said, event: { ...said.event, sport, league }, markets: [market, total] }
  })
}

type Board = ReturnType<typeof createRealBoard>

/** Returns the sportsbooks with prices, event by event. */
function standing({ tables }: Board): string[] {
  const byEvent = new Map<string, Set<string>>()
  for (const { eventId, sportsbook } of tables.odds.values())
    byEvent.set(eventId, (byEvent.get(eventId) ?? new Set()).add(sportsbook))
  return [...byEvent.values()].map((some) => [...some].sort().join(' ')).sort()
}

const orders: readonly (readonly Game[])[] = [
  ['one', 'two', 'short'],
  ['two', 'one', 'short'],
  ['short', 'one', 'two'],
  ['one', 'short', 'two'],
  ['short', 'two', 'one'],
  ['two', 'short', 'one'],
]

const apart = ['bet365 draftkings pinnacle', 'betmgm caesars', 'fanduel']
const minute = 60_000

/** Returns the batches: each game's first listing in turn, and all again in the two minutes after. */
const batchesOf = (of: Case, order: readonly Game[]) => [
  ...order.map((game, at) => listed(of, game, at * 5_000)),
  ...[1, 2].map((at) => order.flatMap((game) => listed(of, game, at * minute))),
]

const all = cases.flatMap((of) =>
  orders.map((order) => [of.short.join(' v '), order.join(', '), of, order] as const),
)

describe('a short name that fits two games', () => {
  it.each(all)('%s is neither, in the order %s', (_name, _order, of, order) => {
    const board = createRealBoard()
    for (const [at, batch] of batchesOf(of, order).entries()) {
      board.take(batch)
      if (at < 2) continue
      for (const event of standing(board)) expect(apart.join(' / ')).toContain(event)
    }
    expect(standing(board)).toEqual(apart)
    const doubts = [...board.tableOf(topics.aliases).values()]
    expect(doubts.map(({ state }) => state)).toContain('ambiguous')
  })

  it.each(all)('%s comes to the same board if the process dies, in the order %s', (...of) => {
    const [steady, broken] = [createRealBoard(), createRealBoard()]
    for (const batch of batchesOf(of[2], of[3])) {
      steady.take(batch)
      broken.loseBatch(batch)
      broken.take(batch)
      broken.restart()
      expect(broken.tables).toEqual(steady.tables)
    }
  })

  it.each(all)(
    '%s is neither where the same sportsbooks list both games, in the order %s',
    (...of) => {
      const board = createRealBoard()
      const twice = (record: OddsRecord): OddsRecord[] =>
        record.sportsbook === 'fanduel'
          ? [record]
          : ['pinnacle', 'draftkings'].map((sportsbook) => ({
              ...record,
              sportsbook,
              event: { ...record.event, externalId: `${sportsbook} ${record.event.homeTeam}` },
            }))
      for (const batch of batchesOf(of[2], of[3])) board.take(batch.flatMap(twice))
      expect(standing(board)).toEqual(['draftkings pinnacle', 'draftkings pinnacle', 'fanduel'])
    },
  )

  const pairs: readonly (readonly Game[])[] = [
    ['one', 'short'],
    ['short', 'one'],
  ]

  test('it belongs to the only game that it fits', () => {
    for (const of of cases.filter(({ isShared }) => !isShared))
      for (const order of pairs) {
        const board = createRealBoard()
        for (const batch of batchesOf(of, order)) board.take(batch)
        expect(standing(board)).toEqual(['bet365 draftkings fanduel pinnacle'])
      }
  })

  const shared = cases
    .filter(({ isShared }) => isShared)
    .flatMap((of) =>
      pairs.map((order) => [of.short.join(' v '), order.join(', '), of, order] as const),
    )

  /** Returns the board after the only game and the short name, with these prices, are listed five times. */
  function boardWith(of: Case, order: readonly Game[], own: Prices): Board {
    const board = createRealBoard()
    for (const at of [0, 1, 2, 3, 4])
      for (const game of order)
        board.take(listed(of, game, at * minute, game === 'short' ? own : prices.one))
    return board
  }

  it.each(shared)(
    '%s is not the only game either until prices agree, in the order %s',
    (...row) => {
      const [, , of, order] = row
      const [home, draw, away] = prices.one
      const board = boardWith(of, order, [away, draw, home])
      expect(standing(board)).toEqual(['bet365 draftkings pinnacle', 'fanduel'])
      const doubts = [...board.tableOf(topics.aliases).values()]
      expect(doubts.map(({ state }) => state)).toContain('ambiguous')
      expect(standing(boardWith(of, order, prices.one))).toEqual([
        'bet365 draftkings fanduel pinnacle',
      ])
    },
  )

  test('two full names are two games where a third sportsbook has only the short one', () => {
    const [of] = cases as [Case]
    const board = createRealBoard()
    board.take([...listed(of, 'short', 0), ...listed(of, 'one', 0), ...listed(of, 'two', 0)])
    const { events } = board.tables
    const games = new Map([...events.values()].map(({ id, homeTeam }) => [id, homeTeam]))
    for (const { eventId, sportsbook } of board.tables.odds.values())
      if (books.two.includes(sportsbook)) expect(games.get(eventId)).toBe('Sporting CP')
  })
})
