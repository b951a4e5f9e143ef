/** The table of main lines: the rung of a question shown to each set of sportsbooks, and each sportsbook's own. */

import { describe, expect, it } from 'vitest'
import type { OddsRecord } from '../../../schemas/feed-record.ts'
import { type MainLineRow, mainLineSets } from '../../../schemas/main-line.ts'
import { topics } from '../../../schemas/topics.ts'
import { noon, selection, statement } from '../../oracle/moneylines.ts'
import { createRealBoard } from '../../oracle/real-board.ts'

/** Home's line, the prices of home and away, and whether betting is suspended. */
type Offered = readonly [line: number, home: number, away: number, suspended?: boolean]

let laterMs = 0

/** Returns a sportsbook's whole ladder of handicaps. */
function ladder(sportsbook: string, ...offered: Offered[]): OddsRecord {
  laterMs += 1_000
  const said = statement(sportsbook, 'Northville', 'Southbury', [], { laterMs })
  const markets = offered.map(([line, home, away, suspended = false]) => ({
    marketType: 'point_spread',
    line: null,
    playerName: null,
    statCategory: null,
    suspended,
    selections: [
      { ...selection('home', home), line },
      { ...selection('away', away), line: -line },
    ],
  }))
  return { ...said, event: { ...said.event, sport: 'basketball', league: 'nba' }, markets }
}

function boardOf(...records: OddsRecord[]) {
  return boardWith(new Set(), ...records)
}

function boardWith(references: ReadonlySet<string>, ...records: OddsRecord[]) {
  const board = createRealBoard({ sharpChain: ['pinnacle', 'circa'], references })
  board.take([{ type: 'tick', observedAt: noon }, ...records])
  return board
}

const rowOf = (board: ReturnType<typeof boardOf>) =>
  [...board.tableOf(topics.mainLines).values()][0] as MainLineRow | undefined

function mainLine(board: ReturnType<typeof boardOf>, set: (typeof mainLineSets)[number] = 'all') {
  return rowOf(board)?.lines[mainLineSets.indexOf(set)]
}

describe('the main line', () => {
  it('is nearest to even at the sharpest book of the set that takes bets on both sides', () => {
    const board = boardOf(
      ladder('draftkings', [-3.5, 1.91, 1.91], [-2.5, 1.8, 2]),
      ladder('fanduel', [-3.5, 1.91, 1.91]),
      ladder('circa', [-3.5, 1.91, 1.91]),
      ladder('pinnacle', [-3.5, 1.8, 2.05], [-2.5, 1.93, 1.93]),
    )
    expect(mainLine(board)).toBe(-2.5)
    // Pinnacle has suspended betting, so the next of the chain decides.
    board.take([ladder('pinnacle', [-3.5, 1.8, 2.05, true], [-2.5, 1.93, 1.93, true])])
    expect(mainLine(board)).toBe(-3.5)
  })

  it('is where most sportsbooks take bets when none of the set is sharp', () => {
    const board = boardOf(
      ladder('draftkings', [-3.5, 1.5, 2.6], [-2.5, 1.91, 1.91]),
      ladder('fanduel', [-3.5, 1.5, 2.6], [-2.5, 1.91, 1.91, true]),
      ladder('pinnacle', [-1.5, 1.91, 1.91], [-2.5, 1.8, 2]),
    )
    expect(mainLine(board, 'free')).toBe(-3.5)
    expect(mainLine(board, 'all')).toBe(-1.5)
  })

  it('is among equals the one with the evenest best prices, then the lowest', () => {
    const uneven = boardOf(ladder('draftkings', [-3.5, 1.5, 2.6], [-2.5, 1.91, 1.91]))
    expect(mainLine(uneven)).toBe(-2.5)
    const alike = boardOf(ladder('draftkings', [-2.5, 1.91, 1.91], [-3.5, 1.91, 1.91]))
    expect(mainLine(alike)).toBe(-3.5)
  })

  describe('does not go by a sharp book', () => {
    const others = () =>
      ['draftkings', 'fanduel', 'betmgm', 'caesars'].map((book) =>
        ladder(book, [-6.5, 1.91, 1.91], [-3.5, 1.8, 2.05]),
      )
    const pinnacle = () => ladder('pinnacle', [-6.5, 2, 1.83], [-3.5, 1.93, 1.93])

    it('that is down', () => {
      const board = boardOf(pinnacle(), ...others())
      expect(mainLine(board)).toBe(-3.5)
      const status = { sportsbook: 'pinnacle', status: 'down', audience: 'all' } as const
      board.take([{ type: 'book_status', observedAt: noon + laterMs, ...status }])
      expect(mainLine(board)).toBe(-6.5)
      const earlier = { ...status, observedAt: noon + laterMs - 1, status: 'up' } as const
      board.take([{ type: 'book_status', ...earlier }])
      expect(mainLine(board)).toBe(-6.5)
    })

    it('that was not seen for too long, until it is', () => {
      const board = boardOf(pinnacle(), ...others())
      laterMs += 6 * 60_000
      board.take([{ type: 'tick', observedAt: noon + laterMs }, ...others()])
      expect(mainLine(board)).toBe(-6.5)
      board.take([pinnacle()])
      expect(mainLine(board)).toBe(-3.5)
    })

    it('whose prices the guard withholds', () => {
      // Its sides are exchanged: it lays 6.5 where all others give them.
      const turned = ladder('pinnacle', [-6.5, 6, 1.1], [6.5, 1.92, 1.92])
      const giving = ['draftkings', 'fanduel', 'betmgm', 'caesars'].map((book) =>
        ladder(book, [-6.5, 1.91, 1.91], [6.5, 1.1, 6.5]),
      )
      expect(mainLine(boardOf(turned, ...giving))).toBe(-6.5)
    })
  })

  describe('by references, at which nobody can bet', () => {
    const books = () =>
      ['draftkings', 'fanduel'].map((book) => ladder(book, [-6.5, 1.91, 1.91], [-3.5, 1.8, 2.05]))

    it('is decided by a sharp one, among the lines that others take bets on', () => {
      const sharp = new Set(['pinnacle'])
      const model = ladder('pinnacle', [-6.5, 2.2, 1.83], [-5, 2, 2], [-3.5, 1.93, 1.93])
      const board = boardWith(sharp, model, ...books())
      expect(mainLine(board)).toBe(-3.5)
      board.take([ladder('pinnacle', [-6.5, 1.95, 1.93], [-5, 2, 2], [-3.5, 1.8, 2.05])])
      expect(mainLine(board)).toBe(-6.5)
      board.take([ladder('draftkings'), ladder('fanduel')])
      expect(mainLine(board)).toBe(-5)
    })

    it('does not follow the number or the prices of those that are not sharp', () => {
      const middle = () => ladder('betfair_mid', [-3.5, 1.98, 1.98])
      const of = (name: string) => [
        ladder('draftkings', [-6.5, 1.91, 1.91], [-3.5, 1.9, 1.9]),
        ladder('fanduel', [-6.5, 1.91, 1.91]),
        ...[middle(), { ...middle(), sportsbook: name }],
      ]
      const references = new Set(['betfair_mid', 'our_model'])
      expect(mainLine(boardWith(references, ...of('our_model')))).toBe(-6.5)
      expect(mainLine(boardOf(...of('our_model')))).toBe(-3.5)
      const alike = ladder('draftkings', [-6.5, 1.85, 1.95], [-3.5, 1.91, 1.91])
      const uneven = ladder('betfair_mid', [-3.5, 2.2, 1.91], [-6.5, 1.95, 1.95])
      expect(mainLine(boardWith(references, alike, uneven))).toBe(-3.5)
      expect(mainLine(boardOf(alike, uneven))).toBe(-6.5)
    })
  })

  it('has a row while a question has two lines, and none with one or with none', () => {
    const board = boardOf(ladder('draftkings', [-3.5, 1.91, 1.91]))
    expect(rowOf(board)).toBeUndefined()
    board.take([ladder('draftkings', [-3.5, 1.91, 1.91], [-2.5, 1.8, 2])])
    expect(rowOf(board)).toMatchObject({ marketType: 'point_spread', isLive: false, team: null })
    board.take([ladder('draftkings')])
    expect(rowOf(board)).toBeUndefined()
  })

  it('of a sportsbook itself is the evenest rung there, whatever others have', () => {
    const board = boardOf(
      ladder('draftkings', [-3.5, 1.91, 1.91], [-2.5, 1.7, 2.15]),
      ladder('fanduel', [-3.5, 1.7, 2.15], [-2.5, 1.91, 1.91]),
      ladder('pinnacle', [-3.5, 1.93, 1.93]),
    )
    expect(rowOf(board)!.own).toEqual([
      { sportsbook: 'draftkings', line: -3.5 },
      { sportsbook: 'fanduel', line: -2.5 },
    ])
  })
})
