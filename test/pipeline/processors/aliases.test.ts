/** Aliases learnt from prices, aliases set by the operator, and names that stay apart. */

import { describe, expect, it } from 'vitest'
import { createAliases } from '../../../pipeline/processors/events/aliases.ts'
import { mostAtOnce } from '../../../pipeline/processors/events/joining.ts'
import { type AliasOrder, type AliasRow, noEvidence } from '../../../schemas/alias.ts'
import type { FeedMarket, OddsRecord } from '../../../schemas/feed-record.ts'
import { topics } from '../../../schemas/topics.ts'
import { noon, selection, statement } from '../../oracle/moneylines.ts'
import { createRealBoard } from '../../oracle/real-board.ts'

const minute = 60_000

type Prices = readonly [home: number, draw: number, away: number, over?: number, under?: number]

const usual: Prices = [1.62, 3.9, 5.6, 1.85, 2.0]

/** Returns a snapshot with three ways and, for five prices, the total of 2.5 goals. */
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
/** Returns the sportsbooks with prices, event by event. */
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

describe('a listing with doubtful names', () => {
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

  it('is learnt alike if the process dies between the readings', () => {
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

  it('stays apart while the prices differ, and is not remembered', () => {
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

  it('stays apart if one sportsbook has both', () => {
    const board = createRealBoard()
    for (const laterMs of [0, 2 * minute, 4 * minute])
      board.take([
        theirs(laterMs),
        ours(laterMs),
        offered('pinnacle', 'Green Hill', 'Vojvodina', usual, { laterMs }),
      ])
    expect(standing(board)).toEqual(['bet365 pinnacle', 'pinnacle'])
  })

  it('stays apart if a third game may be either', () => {
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
        // Other games at the same prices.
        offered('bet365', 'Quito Central', 'Lima Norte', usual, { laterMs }),
        offered('pinnacle', 'Bogota Oeste', 'La Paz Alta', usual, { laterMs }),
      ])
    expect(said(board)).toEqual([expect.stringContaining('bet365: Zvezda Plava learnt')])
    expect(standing(board).filter((books) => books === 'bet365 pinnacle')).toHaveLength(20)
    expect(standing(board)).toHaveLength(22)
  })
})

describe('a minute with very many games of a league', () => {
  const word = (n: number) =>
    [...String(n)]
      .map((digit) => 'ba ce di fo gu hy ja ke li mo'.split(' ')[Number(digit)])
      .join('')
  /** Returns the readings of a doubtful listing, twice, beside so many games. */
  const beside = (games: number) => {
    const board = createRealBoard()
    const others = Array.from({ length: games }, (_, n) =>
      offered(
        'fanduel',
        `${word(1_000 + n)} ${word(9_999 - 7 * n)}`,
        word(100_000 + 997 * n),
        [1.2, 7, 15],
      ),
    )
    board.take(others)
    for (const laterMs of [0, 2 * minute])
      board.take([
        offered('pinnacle', 'Zelena Gora', 'Vojvodina', usual, { laterMs }),
        offered('bet365', 'Green Hill', 'Vojvodina', usual, { laterMs }),
      ])
    return board
  }

  it('is compared with at most 500 others', () => {
    const board = beside(mostAtOnce - 1)
    expect(standing(board)).toHaveLength(mostAtOnce)
    expect(board.counts().get('learnt_alias')).toBe(1)
  })

  it('teaches nothing beyond them, and its listings stay two', () => {
    const board = beside(mostAtOnce)
    expect(standing(board)).toHaveLength(mostAtOnce + 2)
    expect(said(board)).toEqual([])
  })
})

describe('a doubt that one evening leaves', () => {
  const day = 24 * 60 * minute
  const week = 7 * day
  const threeWays = usual.slice(0, 3) as never as Prices
  const others = ['Vojvodina', 'Partizan', 'Radnik', 'Napredak', 'Javor', 'Metalac', 'Spartak']

  interface Evening {
    readonly ours?: Prices
    readonly theirs?: Prices
    /** Whether `ours` lists first. */
    readonly isReversed?: boolean
    readonly more?: (opponent: string, later: object) => readonly OddsRecord[]
  }

  /** Plays one evening with one question, which is too little to learn from. Then the game is over and dropped. */
  function play(board: Board, at: number, evening: Evening = {}) {
    const later = { laterMs: at * week, startsLaterMs: at * week }
    const opponent = others[at] as string
    const theirs = offered('pinnacle', 'Zelena Gora', opponent, evening.theirs ?? threeWays, later)
    const ours = offered('bet365', 'Green Hill', opponent, evening.ours ?? threeWays, later)
    const listed = evening.isReversed ? [ours, theirs] : [theirs, ours]
    board.take([...(evening.more?.(opponent, later) ?? []), ...listed])
    const joined = standing(board).includes('bet365 pinnacle')
    const end = noon + at * week + 3 * day
    board.take([{ type: 'tick', observedAt: end }])
    expect(board.tables.events.size).toBe(0)
    return joined
  }

  it('is settled by the third evening in a row whose prices agree', () => {
    const board = createRealBoard()
    expect([0, 1, 2].map((at) => play(board, at))).toEqual([false, false, true])
    expect(said(board)).toEqual(['bet365: Green Hill learnt Zelena Gora'])
    expect(board.counts().get('learnt_alias')).toBe(1)
    expect(play(board, 3, { ours: moved(threeWays, 1.1) })).toBe(true)
  })

  it('is settled alike if the process dies on each evening', () => {
    const [steady, broken] = [createRealBoard(), createRealBoard()]
    for (const at of [0, 1, 2]) {
      play(steady, at)
      play(broken, at)
      broken.restart()
      expect(aliases(broken)).toEqual(aliases(steady))
    }
    expect(said(broken)).toEqual(['bet365: Green Hill learnt Zelena Gora'])
  })

  it('is settled by the second evening where the names are alike in part', () => {
    const board = createRealBoard()
    const evening = (at: number) => {
      const later = { laterMs: at * week, startsLaterMs: at * week }
      const opponent = others[at] as string
      board.take([
        offered('pinnacle', 'Torpedo Riga', opponent, threeWays, later),
        offered('bet365', 'Riga', opponent, threeWays, later),
      ])
      return standing(board).includes('bet365 pinnacle')
    }
    expect([evening(0), evening(1)]).toEqual([false, true])
  })

  it('remains if prices agree only sometimes', () => {
    const board = createRealBoard()
    const apart = { ours: [1.9, 3.6, 4.2] as Prices }
    const evenings = [{}, {}, apart, {}, {}, apart, {}]
    expect(evenings.map((evening, at) => play(board, at, evening))).not.toContain(true)
    expect(said(board)).toEqual(['bet365: Green Hill watched Zelena Gora'])
  })

  it('remains, and the learnt alias is dropped, if prices contradict it', () => {
    const board = createRealBoard()
    for (const at of [0, 1]) play(board, at)
    play(board, 2, { ours: [5.6, 3.9, 1.62] })
    expect(said(board)).toEqual([])
    expect(play(board, 3)).toBe(false)
  })

  it.each([
    ['Riga', 'Torpedo Riga'] as const,
    ['Oxford', 'Oxford City'] as const,
    ['Green Hill', 'Zelena Gora'] as const,
  ])('remains if one question agrees by chance and another disagrees: %s, %s', (short, full) => {
    const board = createRealBoard()
    const theirs: Prices = [2.1, 3.3, 3.6, 1.9, 1.9]
    const ours: Prices = [3.6, 3.3, 2.1, 1.9, 1.9]
    for (const at of [0, 1, 2, 3]) {
      const opponent = others[at] as string
      for (const readAt of [0, 2, 4]) {
        const later = { laterMs: at * week + readAt * minute, startsLaterMs: at * week }
        board.take([
          offered('pinnacle', short, opponent, theirs, later),
          offered('bet365', full, opponent, ours, later),
        ])
      }
      expect(standing(board)).not.toContain('bet365 pinnacle')
    }
    expect(aliases(board).filter(({ state }) => state !== 'ambiguous')).toEqual([])
  })

  it('remains if another game of that minute has the same prices', () => {
    const board = createRealBoard()
    const more = (_: string, later: object) => [
      offered('pinnacle', 'Quito Central', 'Lima Norte', threeWays, later),
    ]
    for (const at of [0, 1, 2, 3, 4, 5]) expect(play(board, at, { more })).toBe(false)
    expect(aliases(board).map(({ evenings }) => evenings)).toEqual([0])
  })

  it('remains if another game fits by its names', () => {
    const board = createRealBoard()
    const more = (opponent: string, later: object) => [
      offered('betmgm', 'Mont Vert', opponent, threeWays, later),
    ]
    for (const at of [0, 1, 2, 3, 4]) expect(play(board, at, { more })).toBe(false)
    expect(said(board).filter((row) => row.includes('learnt'))).toEqual([])
  })

  it('counts evenings whoever lists first', () => {
    const board = createRealBoard()
    expect([0, 1, 2].map((at) => play(board, at, { isReversed: at === 1 }))).toEqual([
      false,
      false,
      true,
    ])
    expect(said(board)).toEqual(['bet365: Green Hill learnt Zelena Gora'])
  })

  it('counts no game twice, though its start is moved', () => {
    const board = createRealBoard()
    for (const days of [0, 1, 2, 3]) {
      const more = { laterMs: days * 5 * minute, startsLaterMs: days * day }
      board.take([
        offered('pinnacle', 'Zelena Gora', 'Vojvodina', threeWays, more),
        offered('bet365', 'Green Hill', 'Vojvodina', threeWays, more),
      ])
    }
    expect(aliases(board).map(({ evenings }) => evenings)).toEqual([1])
  })

  it('restarts when the operator takes back what was observed', () => {
    const board = createRealBoard()
    for (const at of [0, 1]) play(board, at)
    expect(aliases(board).map(({ evenings }) => evenings)).toEqual([2])
    const { spelling, team } = aliases(board)[0] as AliasRow
    board.take([
      order('removed', spelling, team, {
        sportsbook: 'bet365',
        isForbidden: false,
        observedAt: noon + 2 * week,
      }),
    ])
    expect(said(board)).toEqual([])
    expect(play(board, 3)).toBe(false)
    expect(aliases(board).map(({ evenings }) => evenings)).toEqual([1])
  })

  it('is forgotten after two months, a restart or not', () => {
    const [steady, broken] = [createRealBoard(), createRealBoard()]
    for (const board of [steady, broken]) play(board, 0)
    const tick = (board: Board, days: number) => {
      board.take([{ type: 'tick', observedAt: noon + days * day }])
      return said(board)
    }
    expect(tick(steady, 60)).toHaveLength(1)
    broken.restart()
    expect(tick(broken, 60)).toHaveLength(1)
    expect([tick(steady, 61), tick(broken, 61)]).toEqual([[], []])
  })

  it('is kept for a limited number of names per league, those that played last', () => {
    const table = new Map<string, unknown>()
    const kept = createAliases(({ key, value }) => {
      if (value === null) table.delete(key)
      else table.set(key, value)
    })
    const most = 500
    for (let at = 0; at < most + 20; at++)
      kept.write({
        ...{ league: 'liga_ab', sportsbook: 'bet365', spelling: `Name ${at}`, team: 'Zelena Gora' },
        ...{ state: 'watched', revision: '', ...noEvidence, evenings: 1, startsAt: noon + at },
        ...{ createdAt: noon, updatedAt: noon },
      })
    expect(table.size).toBe(most)
    expect(kept.find('liga_ab', 'bet365', 'Name 19')).toBeUndefined()
    expect(kept.find('liga_ab', 'bet365', 'Name 20')).toBeDefined()
  })
})

describe('a listing that fits several', () => {
  it('stays alone, and the table lists its candidates until its event is gone', () => {
    const board = createRealBoard()
    board.take([
      offered('pinnacle', 'Qux Foobar', 'Vojvodina', usual),
      offered('pinnacle', 'Zug Foobar', 'Partizan', usual),
      offered('bet365', 'Foobar', 'Vojvodina', usual),
    ])
    expect(standing(board)).toEqual(['bet365', 'pinnacle', 'pinnacle'])
    const [row] = aliases(board)
    expect(aliases(board)).toHaveLength(1)
    expect(row).toMatchObject({ sportsbook: 'bet365', spelling: 'Foobar', state: 'ambiguous' })
    expect(row?.teams.toSorted()).toEqual(['Qux Foobar', 'Zug Foobar'])
    expect(row?.eventIds).toHaveLength(2)
    board.restart()
    board.take([{ type: 'tick', observedAt: noon + 3 * 24 * 60 * minute }])
    expect(aliases(board)).toEqual([])
  })

  it('is settled by the operator', () => {
    const board = createRealBoard()
    const game = (book: string, home: string, away: string, laterMs = 0) =>
      offered(book, home, away, usual, { laterMs })
    board.take([
      game('pinnacle', 'Qux Foobar', 'Vojvodina'),
      game('pinnacle', 'Zug Foobar', 'Partizan'),
    ])
    board.take([game('bet365', 'Foobar', 'Vojvodina')])
    board.take([order('confirmed', 'Foobar', 'Qux Foobar')])
    board.take([game('bet365', 'Foobar', 'Vojvodina', 40 * minute)])
    expect(said(board)).toEqual(['*: Foobar confirmed Qux Foobar'])
    expect(standing(board)).toEqual(['bet365 pinnacle', 'pinnacle'])
  })

  it('is listed if it gives the number of the game of the day', () => {
    const board = createRealBoard()
    const game = (book: string, mark: string, startsLaterMs: number): OddsRecord => {
      const winner = [selection('home', 1.9), selection('away', 1.95)]
      const sides = [`Pirates${mark}`, `Brewers${mark}`] as const
      const of = statement(book, ...sides, winner, {
        startsLaterMs,
        externalId: `${book} ${startsLaterMs}`,
      })
      return { ...of, event: { ...of.event, sport: 'baseball', league: 'mlb' } }
    }
    board.take([game('pinnacle', '', 0), game('pinnacle', '', 270 * minute)])
    board.take([game('bet365', ' (Game 2)', 30 * minute)])
    expect(standing(board)).toEqual(['bet365', 'pinnacle', 'pinnacle'])
    expect(aliases(board).map(({ spelling, teams }) => [spelling, teams])).toEqual([
      ['Pirates (Game 2)', ['Pittsburgh Pirates']],
      ['Brewers (Game 2)', ['Milwaukee Brewers']],
    ])
    for (const { eventIds } of aliases(board)) expect(eventIds).toHaveLength(2)
  })

  it.each(['soccer', 'handball'])(
    'is listed where it is a city of several clubs, in %s',
    (sport) => {
      const board = createRealBoard()
      const game = (book: string, home: string, prices: Prices): OddsRecord => {
        const of = offered(book, home, 'Vojvodina', prices)
        return { ...of, event: { ...of.event, sport } }
      }
      board.take([
        game('pinnacle', 'Qux Beograd', [1.62, 3.9, 5.6]),
        game('bet365', 'Belgrade', [2.9, 3.3, 2.4]),
      ])
      expect(standing(board)).toEqual(['bet365', 'pinnacle'])
      expect(said(board)).toEqual(['bet365: Belgrade ambiguous Qux Beograd'])
    },
  )
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

  it('remains when prices merely move', () => {
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

describe('an order of the operator', () => {
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

  it('replaces an earlier alias', () => {
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
  it('takes its final status with it when the operator parts them', () => {
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

describe('the shown names', () => {
  it('follow the majority, survive a restart, and leave the event unchanged', () => {
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
    // Rows of one outcome have one label, so that they stay one selection.
    const labels = [...board.tables.odds.values()].filter((row) => row.selectionType === 'home')
    expect(new Set(labels.map((row) => row.selection))).toEqual(new Set(['ZELENA GORA']))
  })
})
