/** The reported lives of opportunities, across restarts and changes of outcomes. */

import { describe, expect, it } from 'vitest'
import type { OddsRecord } from '../../../schemas/feed-record.ts'
import type { OpportunityLife } from '../../../schemas/opportunity-life.ts'
import { topics } from '../../../schemas/topics.ts'
import { noon, selection, statement } from '../../oracle/moneylines.ts'
import { createRealBoard } from '../../oracle/real-board.ts'

const answers = ['home', 'away', 'draw']

/** Returns a sportsbook's offer on home, away and draw, as far as prices are given. */
function offer(
  sportsbook: string,
  prices: readonly (number | null)[],
  laterMs: number,
): OddsRecord {
  const given = prices.flatMap((price, at) => (price ? [selection(answers[at]!, price)] : []))
  const said = statement(sportsbook, 'Northville', 'Southbury', given, { laterMs })
  return { ...said, event: { ...said.event, sport: 'basketball', league: 'nba' } }
}

/** Opens a board with an arbitrage, which is also a low hold. */
function openBoard() {
  const board = createRealBoard({ sharpChain: ['pinnacle'], keepsHistory: true })
  board.take([
    { type: 'tick', observedAt: noon },
    offer('draftkings', [2.02, 1.9], 1_000),
    offer('fanduel', [1.9, 2.02], 2_000),
  ])
  expect(board.tables.opportunities.size).toBe(2)
  return board
}

type Board = ReturnType<typeof openBoard>

/** Withdraws the prices. @returns the lives that end */
function endAll(board: Board): OpportunityLife[] {
  const ended = livesIn(board.take([offer('draftkings', [], 9_000)]))
  expect(board.tables.opportunities.size).toBe(0)
  return ended
}

const livesIn = (told: ReturnType<Board['take']>) =>
  told
    .filter(({ topic }) => topic.name === topics.opportunityLives.name)
    .map(({ value }) => value as OpportunityLife)

const beginnings = ({ tables }: Board) =>
  [...tables.opportunities.values()].map(({ detected }) => detected)

describe('an opportunity that lasts over a restart', () => {
  it('has one life, kept in its own row until something happens to it', () => {
    const board = openBoard()
    expect(board.tableOf(topics.runningLives).size).toBe(0)
    for (const detected of beginnings(board)) expect(detected?.prices).toEqual([2.02, 2.02])
    board.restart()
    const lives = endAll(board)
    expect(lives).toHaveLength(2)
    for (const { detected, peak, gone, why } of lives) {
      expect([detected.at, peak.at, gone.at, why]).toEqual([
        noon + 2_000,
        noon + 2_000,
        noon + 9_000,
        'withdrawn',
      ])
      expect(peak).toEqual(detected)
    }
  })

  it('keeps its peak, though it was worth less when the service ended', () => {
    const board = openBoard()
    board.take([offer('fanduel', [1.9, 2.1], 3_000)])
    board.take([offer('fanduel', [1.9, 2], 4_000)])
    expect(board.tableOf(topics.runningLives).size).toBe(2)
    board.restart()
    for (const { detected, peak, gone } of endAll(board)) {
      expect(detected.prices).toEqual([2.02, 2.02])
      expect([peak.at, peak.prices]).toEqual([noon + 3_000, [2.02, 2.1]])
      expect(gone.prices).toEqual([2.02, 2])
    }
    expect(board.tableOf(topics.runningLives).size).toBe(0)
  })

  it('has no life once history was not kept for a while', () => {
    const board = openBoard()
    board.take([offer('fanduel', [1.9, 2.1], 3_000)])
    board.restart(false)
    board.take([{ type: 'tick', observedAt: noon + 4_000 }])
    expect(beginnings(board)).toEqual([null, null])
    board.restart(true)
    board.take([{ type: 'tick', observedAt: noon + 5_000 }])
    expect(board.tableOf(topics.runningLives).size).toBe(0)
    expect(endAll(board)).toEqual([])
  })
})

describe('+EV by a blend', () => {
  const blend = [
    { sportsbook: 'pinnacle', weight: 3 },
    { sportsbook: 'circa', weight: 1 },
  ]

  /** Opens a board with one +EV at fanduel, whose fair probability is 0.505, of 0.5 and 0.52. */
  function open() {
    const board = createRealBoard({
      sharpChain: ['our_model', blend, 'pinnacle'],
      keepsHistory: true,
      references: new Set(['our_model']),
    })
    board.take([
      { type: 'tick', observedAt: noon },
      offer('pinnacle', [1.95, 1.95], 1_000),
      offer('circa', [1 / 0.52, 1 / 0.48], 1_000),
      offer('fanduel', [2, 1.85], 2_000),
    ])
    return board
  }
  const valuesOf = (board: Board) =>
    [...board.tables.opportunities.values()].filter(({ kind }) => kind === 'ev')
  const endedBy = (board: Board, given: OddsRecord) =>
    livesIn(board.take([given])).filter(({ kind }) => kind === 'ev')

  it('names each of its sportsbooks, and lasts over a restart', () => {
    const board = open()
    const [row, ...others] = valuesOf(board)
    expect(others).toEqual([])
    expect(row!.measure).toEqual({ method: 'power', weights: [3, 1] })
    expect(row!.detected!.worth).toBeCloseTo(0.01, 9)
    board.restart()
    board.take([{ type: 'tick', observedAt: noon + 3_000 }])
    const [life] = endedBy(board, offer('fanduel', [1.9, 1.9], 4_000))
    expect(life).toMatchObject({ references: ['pinnacle', 'circa'], why: 'moved' })
    // The last worth before it ended, which a restart works out from the prices.
    expect(life!.gone.worth).toBeCloseTo(0.01, 9)
  })

  it('is replaced by an anchor before it, and ends as withdrawn where it has one sportsbook left', () => {
    const board = open()
    const [life] = endedBy(board, offer('our_model', [1 / 0.52, 1 / 0.48], 3_000))
    expect(life).toMatchObject({ references: ['pinnacle', 'circa'], why: 'replaced' })
    expect(endedBy(open(), offer('circa', [], 3_000))).toMatchObject([{ why: 'withdrawn' }])
  })
})
