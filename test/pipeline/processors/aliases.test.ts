/** What prices teach about names, what the operator says of them, and what stays two. */

import { describe, expect, it } from 'vitest'
import type { AliasOrder, AliasRow } from '../../../schemas/alias.ts'
import type { FeedMarket, OddsRecord } from '../../../schemas/feed-record.ts'
import { topics } from '../../../schemas/topics.ts'
import { noon, selection, statement } from '../../oracle/moneylines.ts'
import { createRealBoard } from '../../oracle/real-board.ts'

const minute = 60_000

type Prices = readonly [home: number, draw: number, away: number, over?: number, under?: number]

const usual: Prices = [1.62, 3.9, 5.6, 1.85, 2.0]

/** A snapshot of three ways and, with five prices, of the total of 2.5 goals. */
function offered(
  book: string,
  home: string,
  away: string,
  [one, draw, two, over, under]: Prices,
  more: { laterMs?: number; startsLaterMs?: number; league?: string } = {},
): OddsRecord {
  const said = statement(
    book,
    home,
    away,
    [selection('home', one), selection('draw', draw), selection('away', two)],
    more,
  )
  const [winner] = said.markets
  const total: FeedMarket[] =
    winner && over && under
      ? [
          {
            ...winner,
            marketType: 'total_goals',
            line: 2.5,
            selections: [selection('over', over), selection('under', under)],
          },
        ]
      : []
  const event = { ...said.event, league: more.league ?? 'liga_ab' }
  return { ...said, event, markets: [...said.markets, ...total] }
}

type Board = ReturnType<typeof createRealBoard>

const aliases = (board: Board): AliasRow[] => [...board.tableOf(topics.aliases).values()]
const said = (board: Board) =>
  aliases(board).map(
    ({ sportsbook, spelling, team, state }) => `${sportsbook}: ${spelling} ${state} ${team}`,
  )
/** The sportsbooks with prices, event by event. */
const standing = ({ tables }: Board): string[] => {
  const books = new Map<string, Set<string>>()
  for (const { eventId, sportsbook } of tables.odds.values())
    books.set(eventId, (books.get(eventId) ?? new Set()).add(sportsbook))
  return [...books.values()].map((some) => [...some].sort().join(' ')).sort()
}
const order = (
  state: AliasOrder['state'],
  spelling: string,
  team: string,
  more: Partial<AliasOrder> = {},
): AliasOrder => ({
  type: 'alias',
  league: 'liga_ab',
  sportsbook: '*',
  spelling,
  team,
  state,
  isForbidden: state === 'forbidden',
  observedAt: noon + 30 * minute,
  revision: 'r1',
  ...more,
})

const moved = (prices: Prices, by: number) =>
  prices.map((price = 2) => price * by) as never as Prices

describe('a listing whose names leave a doubt', () => {
  const theirs = (laterMs = 0) =>
    offered('pinnacle', 'Zelena Gora', 'Vojvodina', usual, { laterMs })
  const ours = (laterMs = 0, prices: Prices = usual) =>
    offered('bet365', 'Green Hill', 'Vojvodina', prices, { laterMs })

  it('stays apart at the first reading and joins at the second', () => {
    const board = createRealBoard()
    board.take([theirs(), ours()])
    expect(standing(board)).toEqual(['bet365', 'pinnacle'])
    expect(said(board)).toEqual(['bet365: Green Hill watched Zelena Gora'])
    board.take([theirs(2 * minute), ours(2 * minute)])
    expect(standing(board)).toEqual(['bet365 pinnacle'])
    expect(said(board)).toEqual(['bet365: Green Hill learnt Zelena Gora'])
    expect(board.counts().get('learnt_alias')).toBe(1)
  })

  it('is learnt alike when the process dies between the readings', () => {
    const [steady, broken] = [createRealBoard(), createRealBoard()]
    for (const laterMs of [0, 2 * minute, 4 * minute]) {
      const batch = [theirs(laterMs), ours(laterMs)]
      steady.take(batch)
      broken.loseBatch(batch)
      broken.take(batch)
      broken.restart()
      expect(broken.tables).toEqual(steady.tables)
      expect(aliases(broken)).toEqual(aliases(steady))
    }
    expect(standing(broken)).toEqual(['bet365 pinnacle'])
  })

  it('is used afterwards without prices that agree, and by no other sportsbook', () => {
    const board = createRealBoard()
    for (const laterMs of [0, 2 * minute]) board.take([theirs(laterMs), ours(laterMs)])
    const week = 7 * 24 * 60 * minute
    const next = (book: string, home: string) =>
      offered(book, home, 'Partizan', [2.1, 3.3, 3.4], { startsLaterMs: week })
    board.restart()
    board.take([next('pinnacle', 'Zelena Gora'), next('bet365', 'Green Hill')])
    expect(standing(board)).toEqual(['bet365 pinnacle', 'bet365 pinnacle'])
    board.take([next('fanduel', 'Green Hill')])
    expect(standing(board)).toEqual(['bet365 pinnacle', 'bet365 pinnacle', 'fanduel'])
  })

  it('joins at once where the names are alike in part and two markets agree', () => {
    const board = createRealBoard()
    board.take([
      offered('pinnacle', 'Praia Grande', 'Vojvodina', usual),
      offered('bet365', 'Gora Grande Praia', 'Vojvodina Novi Sad', usual),
    ])
    expect(standing(board)).toEqual(['bet365 pinnacle'])
  })

  it('stays apart while the prices differ, and is not watched', () => {
    const board = createRealBoard()
    for (const laterMs of [0, 2, 4, 6, 8, 10].map((at) => at * minute))
      board.take([theirs(laterMs), ours(laterMs, [3.4, 3.5, 2.1, 1.5, 2.6])])
    expect(standing(board)).toEqual(['bet365', 'pinnacle'])
    expect(said(board)).toEqual([])
  })

  it.each([
    ['another minute', { startsLaterMs: 2 * minute }],
    ['another league', { league: 'liga_xy' }],
  ])('stays apart at %s', (_, more) => {
    const board = createRealBoard()
    for (const laterMs of [0, 2 * minute, 4 * minute])
      board.take([
        theirs(laterMs),
        offered('bet365', 'Green Hill', 'Vojvodina', usual, { laterMs, ...more }),
      ])
    expect(standing(board)).toEqual(['bet365', 'pinnacle'])
  })

  it.each([
    ['women', 'Green Hill Women'],
    ['an age', 'Green Hill U21'],
    ['a word that both have, and one that tells them apart', 'Zelena Gora North'],
    ['nobody yet', 'Winner QF1'],
  ])('stays apart where a name says %s', (_, name) => {
    const board = createRealBoard()
    for (const laterMs of [0, 2 * minute, 4 * minute])
      board.take([theirs(laterMs), offered('bet365', name, 'Vojvodina', usual, { laterMs })])
    expect(standing(board)).toEqual(['bet365', 'pinnacle'])
  })

  it('stays apart where one sportsbook has both', () => {
    const board = createRealBoard()
    for (const laterMs of [0, 2 * minute, 4 * minute])
      board.take([
        theirs(laterMs),
        ours(laterMs),
        offered('pinnacle', 'Green Hill', 'Vojvodina', usual, { laterMs }),
      ])
    expect(standing(board)).toEqual(['bet365 pinnacle', 'pinnacle'])
  })

  it('stays apart where a third game may be either', () => {
    const board = createRealBoard()
    for (const laterMs of [0, 2 * minute, 4 * minute])
      board.take([
        theirs(laterMs),
        offered('betmgm', 'Mont Vert', 'Vojvodina', usual, { laterMs }),
        ours(laterMs),
      ])
    expect(standing(board)).toEqual(['bet365', 'betmgm', 'pinnacle'])
  })

  it('twenty games of equal strength at one minute are twenty, and only the doubtful one joins', () => {
    const board = createRealBoard()
    const towns = [...'ABCDEFGHIJKLMNOPQRST'].map(
      (letter) => `${letter}ovo${letter.toLowerCase()}ar`,
    )
    const game = (book: string, at: number, laterMs: number, home?: string) =>
      offered(book, home ?? `${towns[at]} Steel`, `${towns[at]} Iron`, usual, { laterMs })
    for (const laterMs of [0, 2 * minute, 4 * minute])
      board.take([
        ...towns.map((_, at) => game('pinnacle', at, laterMs)),
        ...towns.map((_, at) => game('bet365', at, laterMs, at === 3 ? 'Zvezda Plava' : undefined)),
        // Games of others at the same prices.
        offered('bet365', 'Quito Central', 'Lima Norte', usual, { laterMs }),
        offered('pinnacle', 'Bogota Oeste', 'La Paz Alta', usual, { laterMs }),
      ])
    expect(said(board)).toEqual([expect.stringContaining('bet365: Zvezda Plava learnt')])
    expect(standing(board).filter((books) => books === 'bet365 pinnacle')).toHaveLength(20)
    expect(standing(board)).toHaveLength(22)
  })
})

describe('an alias that was learnt', () => {
  function learnt() {
    const board = createRealBoard()
    for (const laterMs of [0, 2 * minute])
      board.take([
        offered('pinnacle', 'Zelena Gora', 'Vojvodina', usual, { laterMs }),
        offered('bet365', 'Green Hill', 'Vojvodina', usual, { laterMs }),
      ])
    expect(standing(board)).toEqual(['bet365 pinnacle'])
    return board
  }

  it('is withdrawn when prices contradict it, counted, and not learnt again', () => {
    const board = learnt()
    const mirrored: Prices = [5.6, 3.9, 1.62]
    board.take([
      offered('pinnacle', 'Zelena Gora', 'Vojvodina', usual, { laterMs: 3 * minute }),
      offered('bet365', 'Green Hill', 'Vojvodina', mirrored, { laterMs: 3 * minute }),
    ])
    expect(standing(board)).toEqual(['bet365', 'pinnacle'])
    expect(said(board)).toEqual(['bet365: Green Hill withdrawn Zelena Gora'])
    expect(board.counts().get('withdrawn_alias')).toBe(1)
    for (const laterMs of [4, 6, 8].map((at) => at * minute))
      board.take([
        offered('pinnacle', 'Zelena Gora', 'Vojvodina', usual, { laterMs }),
        offered('bet365', 'Green Hill', 'Vojvodina', usual, { laterMs }),
      ])
    expect(standing(board)).toEqual(['bet365', 'pinnacle'])
  })

  it('is withdrawn when its two names play in two games at one time', () => {
    const board = learnt()
    const later = { laterMs: 5 * minute, startsLaterMs: 24 * 60 * minute }
    board.take([
      offered('pinnacle', 'Zelena Gora', 'Vojvodina North', usual, later),
      offered('bet365', 'Green Hill', 'Vojvodina South', usual, later),
    ])
    expect(said(board)).toEqual(['bet365: Green Hill withdrawn Zelena Gora'])
    expect(standing(board)).toEqual(['bet365', 'bet365 pinnacle', 'pinnacle'])
  })

  it('stands where prices merely move', () => {
    const board = learnt()
    for (const at of [3, 4, 5])
      board.take([
        offered('pinnacle', 'Zelena Gora', 'Vojvodina', moved(usual, 1.02), {
          laterMs: at * minute,
        }),
        offered('bet365', 'Green Hill', 'Vojvodina', usual, { laterMs: at * minute }),
      ])
    expect(standing(board)).toEqual(['bet365 pinnacle'])
  })

  it('ends when the operator forbids it, and the games are two at once and for good', () => {
    const board = learnt()
    board.take([order('forbidden', 'Green Hill', 'Zelena Gora')])
    expect(standing(board)).toEqual(['pinnacle'])
    expect(said(board)).toEqual(['*: Green Hill forbidden Zelena Gora'])
    for (const laterMs of [31, 33, 35].map((at) => at * minute))
      board.take([
        offered('pinnacle', 'Zelena Gora', 'Vojvodina', usual, { laterMs }),
        offered('bet365', 'Green Hill', 'Vojvodina', usual, { laterMs }),
      ])
    expect(standing(board)).toEqual(['bet365', 'pinnacle'])
  })
})

describe('the word of the operator', () => {
  const game = (book: string, home: string, laterMs = 0) =>
    offered(book, home, 'Vojvodina', [2.1, 3.3, 3.4], { laterMs })

  it('joins without prices, for one sportsbook or for all', () => {
    const board = createRealBoard()
    board.take([order('confirmed', 'Zvezda B', 'Zelena Gora', { sportsbook: 'bet365' })])
    board.take([
      game('pinnacle', 'Zelena Gora'),
      game('bet365', 'Zvezda B'),
      game('fanduel', 'Zvezda B'),
    ])
    expect(standing(board)).toEqual(['bet365 pinnacle', 'fanduel'])
    board.take([order('confirmed', 'Zvezda B', 'Zelena Gora')])
    board.take([game('fanduel', 'Zvezda B', 40 * minute)])
    expect(standing(board)).toEqual(['bet365 fanduel pinnacle'])
  })

  it('parts what names alone would join', () => {
    const board = createRealBoard()
    board.take([game('pinnacle', 'Leeds United'), game('bet365', 'Leeds')])
    expect(standing(board)).toEqual(['bet365 pinnacle'])
    board.take([order('forbidden', 'Leeds', 'Leeds United')])
    board.restart()
    board.take([game('bet365', 'Leeds', 40 * minute), game('fanduel', 'Leeds United', 40 * minute)])
    expect(standing(board)).toEqual(['bet365', 'fanduel pinnacle'])
    board.take([order('removed', 'Leeds', 'Leeds United', { isForbidden: true })])
    expect(said(board)).toEqual([])
  })

  it('points elsewhere in place of what was said before', () => {
    const board = createRealBoard()
    board.take([order('confirmed', 'Zvezda B', 'Zelena Gora')])
    board.take([game('pinnacle', 'Zelena Gora'), game('bet365', 'Zvezda B')])
    expect(standing(board)).toEqual(['bet365 pinnacle'])
    board.take([order('confirmed', 'Zvezda B', 'Napredak')])
    expect(said(board)).toEqual(['*: Zvezda B confirmed Napredak'])
    board.take([game('bet365', 'Zvezda B', 40 * minute), game('betmgm', 'Napredak', 40 * minute)])
    expect(standing(board)).toEqual(['bet365 betmgm', 'pinnacle'])
  })
})

describe('a listing that was never of its event', () => {
  it('takes its word of the end with it when the operator parts them', () => {
    const board = createRealBoard()
    const real = (laterMs = 0) =>
      offered('pinnacle', 'Zelena Gora', 'Vojvodina', usual, { laterMs })
    const { observedAt, event, sportsbook } = offered(
      'the_odds_api',
      'Green Hill',
      'Vojvodina',
      usual,
    )
    const status = () => [...board.tables.events.values()].map((row) => row.status)
    board.take([order('confirmed', 'Green Hill', 'Zelena Gora'), real()])
    board.take([{ type: 'event_status', sportsbook, observedAt, event, status: 'final' }])
    expect([status(), standing(board)]).toEqual([['final'], []])
    board.take([order('forbidden', 'Green Hill', 'Zelena Gora')])
    board.restart()
    board.take([real(40 * minute)])
    expect([status(), standing(board)]).toEqual([['upcoming'], ['pinnacle']])
  })
})

describe('the names shown', () => {
  it('follow what most say, survive a restart, and leave the event as it is', () => {
    const board = createRealBoard()
    const game = (book: string, home: string) => offered(book, home, 'VOJVODINA', [2.1, 3.3, 3.4])
    board.take([game('pinnacle', 'ZELENA GORA')])
    const [id] = board.tables.events.keys()
    board.take([game('bet365', 'Zelena Gora'), game('fanduel', 'Zelena Gora FC')])
    board.restart()
    board.take([game('betmgm', 'Zelena Gora')])
    expect([...board.tables.events]).toEqual([
      [id, expect.objectContaining({ homeTeam: 'Zelena Gora', listedHome: 'ZELENA GORA' })],
    ])
    // Rows of one answer have one label, so that they stay one selection.
    const labels = [...board.tables.odds.values()].filter((row) => row.selectionType === 'home')
    expect(new Set(labels.map((row) => row.selection))).toEqual(new Set(['ZELENA GORA']))
  })
})
