/** The table of prices that the guard withholds, and the middles that the ladder guard holds back. */

import { describe, expect, it } from 'vitest'
import type { FeedMarket, OddsRecord } from '../../../schemas/feed-record.ts'
import { topics } from '../../../schemas/topics.ts'
import type { WithheldPrice } from '../../../schemas/withheld-price.ts'
import { noon, selection, statement } from '../../oracle/moneylines.ts'
import { createRealBoard } from '../../oracle/real-board.ts'

type Board = ReturnType<typeof createRealBoard>

function record(sportsbook: string, laterMs: number, more: Partial<OddsRecord>): OddsRecord {
  const said = statement(sportsbook, 'Northville', 'Southbury', [], { laterMs })
  return { ...said, event: { ...said.event, sport: 'basketball', league: 'nba' }, ...more }
}

function moneyline(sportsbook: string, home: number, away: number, laterMs: number): OddsRecord {
  const given = [selection('home', home), selection('away', away)]
  const { markets } = statement(sportsbook, 'Northville', 'Southbury', given, { laterMs })
  return record(sportsbook, laterMs, { markets })
}

function spread(
  sportsbook: string,
  line: number,
  laterMs: number,
  [home, away] = [1.91, 1.91],
): OddsRecord {
  const market: FeedMarket = {
    marketType: 'point_spread',
    line: null,
    playerName: null,
    statCategory: null,
    suspended: false,
    selections: [
      { ...selection('home', home!), line },
      { ...selection('away', away!), line: 0 - line },
    ],
  }
  return record(sportsbook, laterMs, { markets: [market] })
}

function total(sportsbook: string, line: number, laterMs: number): OddsRecord {
  const selections = [selection('over', 1.91), selection('under', 1.91)]
  const marketType = 'total_points'
  const market = { marketType, line, playerName: null, statCategory: null, suspended: false }
  return record(sportsbook, laterMs, { markets: [{ ...market, selections }] })
}

const withheldOn = (board: Board) =>
  [...board.tableOf(topics.withheldPrices).values()].map((row) => {
    const { sportsbook, league, reason } = row as WithheldPrice
    return `${league} ${sportsbook} ${reason}`
  })

const honest = [
  moneyline('draftkings', 1.85, 2, 1_000),
  moneyline('fanduel', 1.87, 1.98, 1_000),
  moneyline('pinnacle', 1.87, 2.02, 1_000),
  moneyline('caesars', 1.86, 2, 1_000),
]

/** Returns a board with a price that lacks its decimal point. */
function boardWithSlip(): Board {
  const board = createRealBoard({ sharpChain: ['pinnacle'] })
  board.take([{ type: 'tick', observedAt: noon }, ...honest, moneyline('betmgm', 185, 2, 2_000)])
  return board
}

const slip = ['nba betmgm market_mismatch', 'nba betmgm market_mismatch']

describe('the prices that the guard withholds', () => {
  it('are rows while they are withheld, in the commit that moves them', () => {
    const board = boardWithSlip()
    expect(withheldOn(board)).toEqual(slip)
    board.take([moneyline('betmgm', 1.85, 2, 3_000)])
    expect(withheldOn(board)).toEqual([])
  })

  it('go with their prices', () => {
    const board = boardWithSlip()
    board.take([record('betmgm', 3_000, { markets: [] })])
    expect(withheldOn(board)).toEqual([])
  })

  it('are counted once, and found again after a restart', () => {
    const board = boardWithSlip()
    board.restart()
    const tick = { type: 'tick', observedAt: noon + 3_000 } as const
    const told = board.take([tick]).filter(({ topic }) => topic === topics.withheldPrices)
    expect(told).toEqual([])
    expect(withheldOn(board)).toEqual(slip)
  })

  it('that newer records release are released at the first look after a restart', () => {
    const board = boardWithSlip()
    board.restart()
    board.take([moneyline('betmgm', 1.85, 2, 3_000)])
    expect(withheldOn(board)).toEqual([])
  })
})

describe('a match whose sides a sportsbook has exchanged', () => {
  function boardOf(
    sportsbooks: Readonly<Record<string, readonly [number, number, number]>>,
  ): Board {
    const board = createRealBoard({ sharpChain: ['pinnacle'] })
    board.take([{ type: 'tick', observedAt: noon }])
    for (const [sportsbook, [home, draw, away]] of Object.entries(sportsbooks)) {
      const given = [selection('home', home), selection('draw', draw), selection('away', away)]
      board.take([statement(sportsbook, 'Northville', 'Southbury', given, { laterMs: 1_000 })])
    }
    return board
  }

  const swapped = (...sportsbooks: string[]) =>
    sportsbooks.flatMap((book) => Array(3).fill(`england_-_premier_league ${book} swapped`))

  it('is withheld at both of two, since either may be wrong: no arbitrage of 5.55 %', () => {
    const board = boardOf({ draftkings: [2.35, 3.2, 3.15], fanduel: [3.15, 3.2, 2.35] })
    expect(withheldOn(board).sort()).toEqual(swapped('draftkings', 'fanduel'))
    expect([...board.tables.opportunities.values()]).toEqual([])
  })

  it('is withheld by its name beside two others', () => {
    const honest = { draftkings: [1.5, 4.2, 6.5], pinnacle: [1.52, 4.1, 6.4] } as const
    const board = boardOf({ ...honest, fanduel: [6.4, 4.2, 1.5] })
    expect(withheldOn(board)).toEqual(swapped('fanduel'))
  })
})

describe('a price that the guard withholds, of a game on which nobody bets now', () => {
  const startsAt = noon + 3_600_000
  const books = ['draftkings', 'fanduel', 'pinnacle', 'caesars', 'betmgm']
  const justBefore = startsAt - 1_000 - noon
  const offered = [...honest, moneyline('betmgm', 185, 2, 2_000)].map((one) => ({
    ...one,
    observedAt: noon + justBefore,
  }))

  function boardBeforeStart(): Board {
    const board = createRealBoard({ sharpChain: ['pinnacle'] })
    board.take([{ type: 'tick', observedAt: startsAt - 2_000 }, ...offered])
    expect(withheldOn(board)).toEqual(slip)
    return board
  }

  function start(board: Board) {
    return board.take([{ type: 'tick', observedAt: startsAt + 4_000 }])
  }

  function postpone(board: Board) {
    return board.take(
      books.slice(1).map((sportsbook) => ({
        type: 'event_status' as const,
        sportsbook,
        observedAt: startsAt - 500,
        event: moneyline(sportsbook, 2, 2, 0).event,
        status: 'postponed' as const,
      })),
    )
  }

  it.each([
    ['has started', start],
    ['is postponed', postpone],
  ])('stays withheld, counted once, and makes no opportunity: it %s', (_, change) => {
    const board = boardBeforeStart()
    expect(board.tables.opportunities.size).toBeGreaterThan(0)
    const told = change(board).filter(({ topic }) => topic === topics.withheldPrices)
    expect(told).toEqual([])
    expect(withheldOn(board)).toEqual(slip)
    expect(board.counts().get('opportunity_withheld_market_mismatch')).toBe(1)
    expect(board.tables.opportunities.size).toBe(0)
    board.restart()
    board.take([{ type: 'tick', observedAt: startsAt + 5_000 }])
    expect(withheldOn(board)).toEqual(slip)
    expect(board.tables.opportunities.size).toBe(0)
  })

  it('is released by a price that is right, and withheld again by one that is not', () => {
    const board = boardBeforeStart()
    start(board)
    board.take([moneyline('betmgm', 1.85, 2, justBefore + 6_000)])
    expect(withheldOn(board)).toEqual([])
    board.take([moneyline('betmgm', 185, 2, justBefore + 7_000)])
    expect(withheldOn(board)).toEqual(slip)
    expect(board.tables.opportunities.size).toBe(0)
  })

  it('stays withheld when its sportsbook was not seen for a while, until it expires', () => {
    const board = boardBeforeStart()
    start(board)
    board.take([{ type: 'tick', observedAt: startsAt + 302_000 }])
    expect(withheldOn(board)).toEqual(slip)
    board.take([{ type: 'tick', observedAt: startsAt + 3_600_000 }])
    expect(withheldOn(board)).toEqual([])
  })

  it('is released when its sportsbook withdraws it', () => {
    const board = boardBeforeStart()
    start(board)
    board.take([record('betmgm', justBefore + 6_000, { markets: [] })])
    expect(withheldOn(board)).toEqual([])
  })

  it('is judged among the prices in play once it is one of them', () => {
    const board = boardBeforeStart()
    start(board)
    for (const one of offered) {
      const event = { ...one.event, isLive: true }
      board.take([{ ...one, event, observedAt: startsAt + 5_000 }])
    }
    expect(withheldOn(board)).toEqual(slip)
  })

  it('is withheld for its turned sign, alone on its line', () => {
    const board = createRealBoard({ sharpChain: ['pinnacle'] })
    const said = books.map((book) => spread(book, book === 'betmgm' ? 7.5 : -7.5, justBefore))
    board.take([{ type: 'tick', observedAt: startsAt - 2_000 }, ...said])
    const turned = ['nba betmgm swapped', 'nba betmgm swapped']
    expect(withheldOn(board)).toEqual(turned)
    start(board)
    expect(withheldOn(board)).toEqual(turned)
  })

  it('has a verdict of the sportsbooks of the owner too', () => {
    const board = createRealBoard({ sharpChain: ['pinnacle'] })
    const at = { sportsbook: 'betmgm', observedAt: startsAt - 2_000 }
    board.take([
      { type: 'tick', observedAt: startsAt - 2_000 },
      { type: 'book_status', status: 'up', audience: 'owner', ...at },
      ...offered,
    ])
    start(board)
    expect(withheldOn(board)).toEqual(slip)
  })
})

describe('a price that the guard withholds, whose source is down', () => {
  const says = (sportsbook: string, status: 'up' | 'down', laterMs: number) =>
    ({ type: 'book_status', sportsbook, status, observedAt: noon + laterMs }) as const
  const toldOf = (board: Board, ...records: Parameters<Board['take']>[0]) =>
    board.take(records).filter(({ topic }) => topic === topics.withheldPrices)

  it('stays withheld, counted once, until its source is up and after it', () => {
    const board = boardWithSlip()
    expect(toldOf(board, says('betmgm', 'down', 3_000))).toEqual([])
    expect(toldOf(board, says('betmgm', 'up', 3_100))).toEqual([])
    expect(board.counts().get('opportunity_withheld_market_mismatch')).toBe(1)
    board.take([says('betmgm', 'down', 3_200)])
    board.restart()
    expect(toldOf(board, { type: 'tick', observedAt: noon + 4_000 })).toEqual([])
    expect(toldOf(board, { type: 'tick', observedAt: noon + 400_000 })).toEqual([])
    expect(withheldOn(board)).toEqual(slip)
    expect(board.tables.opportunities.size).toBe(0)
    const again = honest.map((one) => ({ ...one, observedAt: noon + 401_000 }))
    board.take([...again, moneyline('betmgm', 185, 2, 401_000)])
    expect(toldOf(board, says('betmgm', 'up', 402_000))).toEqual([])
    expect(withheldOn(board)).toEqual(slip)
    expect(board.tables.opportunities.size).toBeGreaterThan(0)
  })

  it('is judged where it first comes meanwhile, and judges no other', () => {
    const board = createRealBoard({ sharpChain: ['pinnacle'] })
    board.take([{ type: 'tick', observedAt: noon }, says('betmgm', 'down', 0)])
    board.take([...honest, moneyline('betmgm', 185, 2, 2_000)])
    expect(withheldOn(board)).toEqual(slip)
    board.take([moneyline('betmgm', 1.85, 2, 3_000)])
    expect(withheldOn(board)).toEqual([])
    const without = honest.map(({ sportsbook }) => says(sportsbook, 'down', 4_000))
    board.take([...without, says('betmgm', 'up', 4_000), moneyline('betmgm', 2.9, 1.45, 5_000)])
    expect(withheldOn(board)).toEqual([])
  })

  it('is judged beside all others whose sources are down too', () => {
    const board = boardWithSlip()
    const turned = moneyline('betmgm', 4.5, 1.22, 2_000)
    board.take([turned])
    const before = withheldOn(board)
    expect(before).toHaveLength(2)
    for (const { sportsbook } of [...honest, turned]) {
      board.take([says(sportsbook, 'down', 3_000)])
    }
    expect(withheldOn(board)).toEqual(before)
  })

  it('is withheld for its turned sign, alone on its line', () => {
    const board = createRealBoard({ sharpChain: ['pinnacle'] })
    const turned = ['nba betmgm swapped', 'nba betmgm swapped']
    const others = ['draftkings', 'fanduel', 'pinnacle'].map((book) => spread(book, -7.5, 1_000))
    board.take([{ type: 'tick', observedAt: noon }, ...others, spread('betmgm', 7.5, 1_000)])
    expect(withheldOn(board)).toEqual(turned)
    board.take([says('betmgm', 'down', 2_000)])
    expect(withheldOn(board)).toEqual(turned)
    board.take([spread('fanduel', -8, 3_000), spread('draftkings', -8, 3_000)])
    expect(withheldOn(board)).toEqual([])
    board.take([spread('fanduel', -7.5, 4_000)])
    expect(withheldOn(board)).toEqual(turned)
  })

  it('goes with its withdrawal', () => {
    const board = boardWithSlip()
    board.take([says('betmgm', 'down', 3_000), record('betmgm', 4_000, { markets: [] })])
    expect(withheldOn(board)).toEqual([])
  })

  it('has a verdict of the sportsbooks of the owner too', () => {
    const board = createRealBoard({ sharpChain: ['pinnacle'] })
    const owners = { ...says('betmgm', 'up', 0), audience: 'owner' as const }
    board.take([{ type: 'tick', observedAt: noon }, owners, ...honest])
    board.take([moneyline('betmgm', 185, 2, 2_000), says('betmgm', 'down', 3_000)])
    expect(withheldOn(board)).toEqual(slip)
    board.take([moneyline('betmgm', 1.85, 2, 4_000)])
    expect(withheldOn(board)).toEqual([])
  })
})

describe('an outcome of a market without a closed set', () => {
  interface Said {
    readonly label?: string
    readonly line?: number
    readonly playerName?: string
  }

  function outcome(marketType: string, type: string, prices: readonly number[], said: Said = {}) {
    const books = ['draftkings', 'fanduel', 'pinnacle', 'caesars', 'betmgm']
    const { label = null, line = null, playerName = null } = said
    return prices.map((price, i) => {
      const selections = [{ ...selection(type, price), selection: label }]
      const market = { marketType, line, playerName, statCategory: null, suspended: false }
      const one = statement(books[i]!, 'Northville', 'Southbury', [], { laterMs: 1_000 })
      return { ...one, markets: [{ ...market, selections }] }
    })
  }

  function boardOf(records: readonly OddsRecord[]): Board {
    const board = createRealBoard({ sharpChain: ['pinnacle'] })
    board.take([{ type: 'tick', observedAt: noon }, ...records])
    return board
  }

  it.each<[string, string, number[], Said]>([
    ['double_chance', 'home_draw', [132, 1.3, 1.33, 1.32, 1.31], {}],
    ['correct_score', '2_1', [950, 9, 10, 9.5, 9.5], {}],
    ['halftime_fulltime', 'home_home', [400, 3.9, 4.2, 4, 4.1], {}],
    ['winning_margin', 'other', [650, 6.5, 6.2, 6.6], { label: 'Northville by 1' }],
    ['race_to', 'home', [18.5, 1.85, 1.9], { line: 10 }],
    ['tournament_winner', 'outright', [450, 4.5, 4.4], { label: 'Northville' }],
  ])('is withheld where it is many times the others: %s %s', (type, answer, prices, said) => {
    const board = boardOf(outcome(type, answer, prices, said))
    const slip = 'england_-_premier_league draftkings far_from_consensus'
    expect(withheldOn(board)).toEqual([slip])
    expect(board.counts().get('opportunity_withheld_far_from_consensus')).toBe(1)
    board.restart()
    board.take([{ type: 'tick', observedAt: noon + 2_000 }])
    expect(withheldOn(board)).toEqual([slip])
    const [put] = outcome(type, answer, [prices[1]!], said)
    board.take([{ ...put!, observedAt: noon + 3_000 }])
    expect(withheldOn(board)).toEqual([])
  })

  it.each([
    ['anytime_goal_scorer', 'yes', [250, 2.4]],
    ['anytime_goal_scorer', 'yes', [900, 9.5]],
    ['first_goal_scorer', 'yes', [900, 9.5]],
  ])(
    'is withheld beside one other that has no market of its own either: %s',
    (type, answer, prices) => {
      const board = boardOf(
        outcome(type, answer, prices, { label: 'A Player', playerName: 'A Player' }),
      )
      expect(withheldOn(board)).toEqual(['england_-_premier_league draftkings far_from_consensus'])
    },
  )

  it.each<[string, readonly OddsRecord[]]>([
    ['is only long', outcome('correct_score', '4_0', [751, 101, 51, 50, 41])],
    ['differs from one other', outcome('correct_score', '4_0', [751, 41])],
    [
      'has another label',
      [
        ...outcome('winning_margin', 'other', [9, 9.5], { label: 'Northville by 1' }),
        ...outcome('winning_margin', 'other', [9, 9.5, 90], { label: 'Southbury by 6' }).slice(2),
      ],
    ],
    [
      'has another line',
      [
        ...outcome('race_to', 'home', [1.9, 1.85], { line: 3 }),
        ...outcome('race_to', 'home', [1.9, 1.85, 26], { line: 9 }).slice(2),
      ],
    ],
    ['may be of another question', outcome('game_prop', 'yes', [90, 2, 2.1], { label: 'Yes' })],
  ])('stands where it %s', (_, records) => {
    expect(withheldOn(boardOf(records))).toEqual([])
  })

  it('makes no opportunity and no main line', () => {
    const board = boardOf(
      outcome('race_to', 'home', [18.5, 1.85, 1.9, 0.9], { line: 10 }).slice(0, 3),
    )
    expect([...board.tables.opportunities]).toEqual([])
    expect([...board.tables.mainLines]).toEqual([])
  })
})

describe('a middle about a level game', () => {
  const middlesIn = (sport: string, league: string, lines: readonly [number, number]) => {
    const board = createRealBoard({ sharpChain: ['pinnacle'] })
    const said = ['draftkings', 'fanduel', 'pinnacle', 'caesars'].map((book, i) => {
      const one = spread(book, lines[i % 2]!, 1_000)
      return { ...one, event: { ...one.event, sport, league } }
    })
    board.take([{ type: 'tick', observedAt: noon }, ...said])
    return [...board.tables.opportunities.values()].filter(({ kind }) => kind === 'middle')
  }

  it('is none where the game goes on until one side leads', () => {
    expect(middlesIn('basketball', 'nba', [0.5, -0.5])).toEqual([])
    expect(middlesIn('basketball', 'nba', [0.5, 0])).toEqual([])
  })

  it('is one where the game may end level, or by one', () => {
    expect(middlesIn('football', 'nfl', [0.5, -0.5])).not.toEqual([])
    expect(middlesIn('rugby', 'six_nations', [0.5, -0.5])).not.toEqual([])
    expect(middlesIn('basketball', 'nba', [1.5, -1.5])).not.toEqual([])
    expect(middlesIn('basketball', 'nba', [1, -1])).not.toEqual([])
  })
})

describe('a handicap with its sign turned, alone on its line', () => {
  const others = ['draftkings', 'fanduel', 'pinnacle']
  const turned = ['nba betmgm swapped', 'nba betmgm swapped']

  function boardOf(records: readonly OddsRecord[]): Board {
    const board = createRealBoard({ sharpChain: ['pinnacle'] })
    board.take([{ type: 'tick', observedAt: noon }])
    for (const one of records) board.take([one])
    return board
  }

  it('is withheld and counted beside two others, whoever comes last, and makes no opportunity', () => {
    const said = others.slice(0, 2).map((book) => spread(book, -7.5, 1_000))
    const own = spread('betmgm', 7.5, 1_000)
    for (const records of [
      [...said, own],
      [own, ...said],
    ]) {
      const board = boardOf(records)
      expect(withheldOn(board)).toEqual(turned)
      expect(board.counts().get('opportunity_withheld_swapped')).toBe(1)
      const { odds, opportunities } = board.tables
      const books = [...opportunities.values()].flatMap(({ legs }) =>
        legs.map((id) => odds.get(String(id))!.sportsbook),
      )
      expect(books).not.toContain('betmgm')
      board.restart()
      board.take([{ type: 'tick', observedAt: noon + 2_000 }])
      expect(withheldOn(board)).toEqual(turned)
    }
  })

  it.each<[string, (board: Board) => void]>([
    ['it has the others’ line', (board) => board.take([spread('betmgm', -7.5, 2_000)])],
    ['another has its line', (board) => board.take([spread('pinnacle', 7.5, 2_000)])],
    ['the others move', (board) => board.take([spread('fanduel', -8, 2_000)])],
    ['the others withdraw', (board) => board.take([record('fanduel', 2_000, { markets: [] })])],
    [
      'the source of one fails',
      (board) => {
        const of = { type: 'book_status', sportsbook: 'fanduel', observedAt: noon + 2_000 } as const
        board.take([{ ...of, status: 'down' }])
      },
    ],
    [
      'the others were not seen for too long',
      (board) => {
        board.take([spread('betmgm', 7.5, 299_000)])
        board.take([{ type: 'tick', observedAt: noon + 302_000 }])
      },
    ],
  ])('is released as soon as %s', (_, change) => {
    const said = [spread('draftkings', -7.5, 1_000), spread('fanduel', -7.5, 1_000)]
    const board = boardOf([...said, spread('betmgm', 7.5, 1_000)])
    expect(withheldOn(board)).toEqual(turned)
    change(board)
    expect(withheldOn(board)).toEqual([])
  })

  it('is withheld where it is one side, beside the same sportsbook at the right line', () => {
    const own = spread('betmgm', -7.5, 1_000)
    const [market] = own.markets
    const alternate = { ...market!, selections: [{ ...selection('home', 1.91), line: 7.5 }] }
    const said = { ...own, markets: [market!, alternate] }
    const board = boardOf([...others.map((book) => spread(book, -7.5, 1_000)), said])
    expect(withheldOn(board)).toEqual(['nba betmgm swapped'])
    const [id] = board.tableOf(topics.withheldPrices).keys()
    expect(board.tables.odds.get(id!)).toMatchObject({ selectionType: 'home', line: 7.5 })
  })

  /** A sportsbook's main line and its alternate with the sign turned, at its own price. */
  const withAlternate = (book: string, prices: [number, number] = [1.25, 4.2]) => {
    const main = spread(book, -7.5, 1_000)
    return { ...main, markets: [...main.markets, ...spread(book, 7.5, 1_000, prices).markets] }
  }

  it.each([1, 2])('is withheld beside %i alternate lines at their own price', (count) => {
    const rest = others.map((book, at) =>
      at < count ? withAlternate(book) : spread(book, -7.5, 1_000),
    )
    const own = spread('betmgm', 7.5, 1_000)
    for (const records of [
      [...rest, own],
      [own, ...rest],
    ]) {
      const board = boardOf(records)
      expect(withheldOn(board)).toEqual(turned)
      const { odds, opportunities } = board.tables
      const books = [...opportunities.values()].flatMap(({ legs }) =>
        legs.map((id) => odds.get(String(id))!.sportsbook),
      )
      expect(books).not.toContain('betmgm')
    }
  })

  it('is released when the alternate line comes to its price, and withheld again', () => {
    const rest = [withAlternate('draftkings'), spread('fanduel', -7.5, 1_000)]
    const board = boardOf([...rest, spread('betmgm', 7.5, 1_000)])
    expect(withheldOn(board)).toEqual(turned)
    board.take([{ ...withAlternate('draftkings', [1.9, 1.92]), observedAt: noon + 2_000 }])
    expect(withheldOn(board)).not.toEqual(turned)
    board.take([{ ...withAlternate('draftkings'), observedAt: noon + 3_000 }])
    expect(withheldOn(board)).toEqual(turned)
    board.take([{ ...spread('fanduel', -8, 4_000), observedAt: noon + 4_000 }])
    expect(withheldOn(board)).toEqual([])
  })

  const standsAt = (line: number, own: OddsRecord, more: Partial<OddsRecord['event']> = {}) => {
    const said = [...others.map((book) => spread(book, line, 1_000)), own]
    return withheldOn(boardOf(said.map((one) => ({ ...one, event: { ...one.event, ...more } }))))
  }

  it.each<[string, number, OddsRecord]>([
    ['no other has its line with the sign turned', -7, spread('betmgm', 7.5, 1_000)],
    ['it has the price of its own line', -7.5, spread('betmgm', 7.5, 1_000, [1.22, 4.4])],
    ['the line is near zero', -1.5, spread('betmgm', 1.5, 1_000)],
    ['the line is zero', 0, spread('betmgm', 0, 1_000)],
  ])('stands where %s', (_, line, own) => {
    expect(standsAt(line, own)).toEqual([])
  })

  it('stands beside one other, since either may have turned the sign', () => {
    const board = boardOf([spread('draftkings', -7.5, 1_000), spread('betmgm', 7.5, 1_000)])
    expect(withheldOn(board)).toEqual([])
  })

  it('is judged without the sportsbooks of the owner, and those by all', () => {
    const board = boardOf([])
    const to = (sportsbook: string) =>
      ({ type: 'book_status', sportsbook, status: 'up', audience: 'owner' }) as const
    board.take(['fanduel', 'caesars'].map((book) => ({ ...to(book), observedAt: noon })))
    board.take([spread('draftkings', -7.5, 1_000), spread('fanduel', -7.5, 1_000)])
    board.take([spread('betmgm', 7.5, 1_000)])
    expect(withheldOn(board)).toEqual([])
    board.take([record('betmgm', 2_000, { markets: [] }), spread('caesars', 7.5, 2_000)])
    expect(withheldOn(board)).toEqual(['nba caesars swapped', 'nba caesars swapped'])
  })
})

describe('a middle of a handicap with its sign turned', () => {
  const isOf =
    ({ tables }: Board, sportsbook: string) =>
    (id: number) =>
      tables.odds.get(String(id))?.sportsbook === sportsbook
  /** Middles with the reversed price. Others are genuine, between two lines. */
  const middles = (board: Board) =>
    [...board.tables.opportunities.values()].filter(
      ({ kind, legs }) => kind === 'middle' && legs.some(isOf(board, 'betmgm')),
    )

  it('makes no middle beside three, whoever comes last', () => {
    const said = ['draftkings', 'fanduel', 'pinnacle'].map((book) => spread(book, -7.5, 1_000))
    const turned = spread('betmgm', 7.5, 1_000)
    for (const records of [
      [...said, turned],
      [turned, ...said],
    ]) {
      const board = createRealBoard({ sharpChain: ['pinnacle'] })
      board.take([{ type: 'tick', observedAt: noon }])
      for (const one of records) board.take([one])
      expect(middles(board)).toEqual([])
    }
  })

  it('is counted once each time that it is withheld, as withheld prices are', () => {
    const board = createRealBoard({ sharpChain: ['pinnacle'] })
    const counted = () => board.counts().get('opportunity_withheld_neighbouring_lines') ?? 0
    board.take([{ type: 'tick', observedAt: noon }])
    board.take([spread('draftkings', -8, 1_000), spread('betmgm', 7.5, 1_000)])
    expect(counted()).toBe(0)
    board.take([spread('fanduel', -7, 2_000)])
    const once = counted()
    expect(once).toBeGreaterThan(0)
    board.take([{ type: 'tick', observedAt: noon + 3_000 }])
    board.take([spread('fanduel', -7, 4_000)])
    expect(counted()).toBe(once)
    board.take([record('fanduel', 5_000, { markets: [] })])
    board.take([spread('fanduel', -7, 6_000)])
    expect(counted()).toBe(2 * once)
  })

  it('is held back beside one at the same points, with no third', () => {
    const board = createRealBoard({ sharpChain: ['pinnacle'] })
    board.take([{ type: 'tick', observedAt: noon }])
    board.take([spread('draftkings', -7.5, 1_000), spread('betmgm', 7.5, 1_000)])
    expect([...board.tables.opportunities.values()]).toEqual([])
    expect(board.counts().get('opportunity_withheld_neighbouring_lines')).toBe(1)
  })

  it('is suspected beside another line, until a third decides', () => {
    const board = createRealBoard({ sharpChain: ['pinnacle'] })
    board.take([{ type: 'tick', observedAt: noon }])
    board.take([spread('draftkings', -8, 1_000), spread('betmgm', 7.5, 1_000)])
    expect(middles(board).map(({ isSuspected }) => isSuspected)).toEqual([true])
    board.take([spread('fanduel', -7, 2_000)])
    expect(middles(board)).toEqual([])
    board.take([record('fanduel', 3_000, { markets: [] })])
    expect(middles(board).map(({ isSuspected }) => isSuspected)).toEqual([true])
  })

  it('is held back like a total of another question', () => {
    const board = createRealBoard({ sharpChain: ['pinnacle'] })
    board.take([{ type: 'tick', observedAt: noon }])
    board.take([total('draftkings', 224.5, 1_000), total('betmgm', 205.5, 1_000)])
    expect(middles(board).map(({ isSuspected }) => isSuspected)).toEqual([true])
    board.take([total('fanduel', 223.5, 2_000), total('pinnacle', 224, 2_000)])
    expect(middles(board)).toEqual([])
  })

  it('beside a line that moved by three is still a middle', () => {
    const board = createRealBoard({ sharpChain: ['pinnacle'] })
    board.take([{ type: 'tick', observedAt: noon }])
    const said = ['draftkings', 'fanduel', 'pinnacle'].map((book) => spread(book, -4.5, 1_000))
    board.take([...said, spread('betmgm', -7.5, 1_000)])
    expect(middles(board)).toHaveLength(1)
  })
})
