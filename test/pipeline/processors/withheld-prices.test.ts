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

function spread(sportsbook: string, line: number, laterMs: number): OddsRecord {
  const market: FeedMarket = {
    marketType: 'point_spread',
    line: null,
    playerName: null,
    statCategory: null,
    suspended: false,
    selections: [
      { ...selection('home', 1.91), line },
      { ...selection('away', 1.91), line: -line },
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

describe('a handicap with its sign turned', () => {
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
    board.take([spread('draftkings', -7.5, 1_000), spread('betmgm', 7.5, 1_000)])
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

  it('is suspected beside one, until a third on another line decides', () => {
    const board = createRealBoard({ sharpChain: ['pinnacle'] })
    board.take([{ type: 'tick', observedAt: noon }])
    board.take([spread('draftkings', -7.5, 1_000), spread('betmgm', 7.5, 1_000)])
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
