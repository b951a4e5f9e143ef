/**
 * Handicaps of soccer in play, which some sportsbooks settle by the goals after the bet and others
 * by the whole game: no opportunity is made of two sportsbooks' prices, and none judges another's.
 */

import { describe, expect, it } from 'vitest'
import type { OddsRecord } from '../../../schemas/feed-record.ts'
import { topics } from '../../../schemas/topics.ts'
import type { WithheldPrice } from '../../../schemas/withheld-price.ts'
import { noon, selection, statement } from '../../oracle/moneylines.ts'
import { createRealBoard } from '../../oracle/real-board.ts'
import { slowOpportunities } from '../../oracle/slow-opportunities.ts'

type Board = ReturnType<typeof createRealBoard>

/** The line of the home side, and the prices of home and away. */
type Rung = readonly [line: number, home: number, away: number]

interface Game {
  readonly sport: string
  readonly league: string
  readonly marketType: string
  readonly isLive: boolean
  /** Sportsbooks that name the visitors first. */
  readonly turned?: readonly string[]
}

const soccer = { sport: 'soccer', league: 'england_-_premier_league' }
const basketball = { sport: 'basketball', league: 'nba' }

function handicaps(sportsbook: string, rungs: readonly Rung[], game: Game): OddsRecord {
  const { sport, league, marketType, isLive, turned = [] } = game
  const [first, second] = turned.includes(sportsbook) ? ['away', 'home'] : ['home', 'away']
  const [homeTeam, awayTeam] =
    first === 'home' ? ['Northville', 'Southbury'] : ['Southbury', 'Northville']
  const selections = rungs.flatMap(([line, home, away]) => [
    { ...selection(first!, home), line },
    { ...selection(second!, away), line: 0 - line },
  ])
  const said = statement(sportsbook, homeTeam!, awayTeam!, [], { laterMs: isLive ? 2_000 : 1_000 })
  return {
    ...said,
    event: { ...said.event, sport, league, isLive },
    markets: [{ ...said.markets[0]!, marketType, selections }],
  }
}

const kindsOn = ({ tables }: Board) => [
  ...new Set([...tables.opportunities.values()].map(({ kind }) => kind)),
]

/** Prices with every kind of opportunity. */
const offers: Readonly<Record<string, readonly Rung[]>> = {
  pinnacle: [[-0.5, 1.93, 1.99]],
  draftkings: [[-0.5, 2.07, 1.8]],
  fanduel: [
    [-0.5, 1.84, 2.05],
    [-1, 2.4, 1.63],
  ],
  caesars: [
    [-0.5, 1.86, 2.02],
    [-1, 2.35, 1.67],
  ],
}

function boardOf(game: Omit<Game, 'isLive'>) {
  const board = createRealBoard({ sharpChain: ['pinnacle'] })
  board.take([{ type: 'tick', observedAt: noon }])
  const say = (isLive: boolean) => {
    board.take(
      Object.entries(offers).map(([sportsbook, rungs]) =>
        handicaps(sportsbook, rungs, { ...game, isLive }),
      ),
    )
    expect(board.tables.events.size).toBe(1)
    expect([...board.tables.odds.values()].every((row) => row.isLive === isLive)).toBe(true)
  }
  return { board, say }
}

const all = ['arbitrage', 'ev', 'low_hold', 'middle']

describe('opportunities in handicaps of soccer', () => {
  it.each([
    ['the game', { ...soccer, marketType: 'asian_handicap' }],
    ['a half', { ...soccer, marketType: '1st_half_asian_handicap' }],
    [
      'a game that is named the other way round',
      {
        ...soccer,
        marketType: 'point_spread',
        turned: ['pinnacle', 'fanduel'],
      },
    ],
  ])('are of prices before the start, and end in play: of %s', (_, game) => {
    const { board, say } = boardOf(game)
    say(false)
    expect(kindsOn(board).sort()).toEqual(all)
    say(true)
    expect(kindsOn(board)).toEqual([])
    board.restart()
    board.take([{ type: 'tick', observedAt: noon + 3_000 }])
    expect(kindsOn(board)).toEqual([])
    expect([...slowOpportunities(board.tables, noon + 3_000, ['pinnacle']).rows]).toEqual([])
  })

  it('are not made by a consensus in play either', () => {
    const game = { ...soccer, marketType: 'asian_handicap', isLive: true }
    const board = createRealBoard({ sharpChain: ['consensus'] })
    board.take([{ type: 'tick', observedAt: noon }])
    const fair: Rung = [-0.5, 1.9, 1.9]
    board.take([
      ...['betmgm', 'caesars', 'draftkings'].map((one) => handicaps(one, [fair], game)),
      handicaps('fanduel', [[-0.5, 2.12, 1.72]], game),
    ])
    expect(kindsOn(board)).toEqual([])
  })
})

describe('handicaps of other sports', () => {
  it('have opportunities in play', () => {
    const { board, say } = boardOf({ ...basketball, marketType: 'point_spread' })
    say(true)
    expect(kindsOn(board)).toEqual(expect.arrayContaining(['arbitrage', 'ev', 'low_hold']))
  })
})

describe('the guard', () => {
  // At 1-0: by the goals from now on, and by the whole game.
  const fromNow = ['pinnacle', 'bet365', 'unibet_uk']
  const ofWhole = ['betfair', 'draftkings', 'fanduel']

  function withheldIn(
    game: Omit<Game, 'isLive'>,
    more: Readonly<Record<string, Rung>> = {},
    others: readonly string[] = ofWhole,
  ) {
    const board = createRealBoard({ sharpChain: ['pinnacle'] })
    board.take([{ type: 'tick', observedAt: noon }])
    const inPlay = { ...game, isLive: true }
    board.take([
      ...fromNow.map((one) => handicaps(one, [[-0.5, 2.3, 1.65]], inPlay)),
      ...others.map((one) => handicaps(one, [[-0.5, 1.2, 4.6]], inPlay)),
      ...Object.entries(more).map(([one, rung]) => handicaps(one, [rung], inPlay)),
    ])
    return [...board.tableOf(topics.withheldPrices).values()].map((row) => {
      const { sportsbook, reason } = row as WithheldPrice
      return `${sportsbook} ${reason}`
    })
  }

  it('does not withhold prices because they are far from those of another convention', () => {
    expect(withheldIn({ ...basketball, marketType: 'point_spread' })).not.toEqual([])
    expect(withheldIn({ ...soccer, marketType: 'asian_handicap' })).toEqual([])
  })

  it('does not compare the outcomes of a market that is not listed either', () => {
    const marketType = '1st_10_minutes_asian_handicap'
    const apart = { betfair: [-0.5, 1.01, 34] } as const
    expect(withheldIn({ ...basketball, marketType }, apart, [])).not.toEqual([])
    expect(withheldIn({ ...soccer, marketType }, apart, [])).toEqual([])
  })

  it('withholds prices of one sportsbook that contradict each other', () => {
    expect(
      withheldIn({ ...soccer, marketType: 'asian_handicap' }, { caesars: [-0.5, 2.3, 2.1] }),
    ).toEqual(['caesars market_mismatch', 'caesars market_mismatch'])
  })
})
