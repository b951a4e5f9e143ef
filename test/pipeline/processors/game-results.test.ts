/** The table of results: when a row is written, what a restart must keep, and when it is dropped. */

import { describe, expect, it } from 'vitest'
import { resultRetentionMs } from '../../../pipeline/processors/game-results.ts'
import { gameResultOf } from '../../../pipeline/rules/games/game-result.ts'
import type {
  EventStatusRecord,
  FeedRecord,
  GameStateRecord,
  TickRecord,
} from '../../../schemas/feed-record.ts'
import { topics } from '../../../schemas/topics.ts'
import { noon, selection, statement } from '../../oracle/moneylines.ts'
import { createRealBoard } from '../../oracle/real-board.ts'

const second = 1_000
const minute = 60 * second

type Sides = readonly [home: string, away: string]

const leeds: Sides = ['Leeds United', 'Brentford']
const turned: Sides = ['Brentford', 'Leeds United']

const prices = (sportsbook: string, [home, away]: Sides, laterMs = 0) =>
  statement(sportsbook, home, away, [selection('home', 2), selection('away', 3)], { laterMs })

function told(
  sportsbook: string,
  [home, away]: readonly [number, number],
  period: string,
  laterMs: number,
  sides = leeds,
): GameStateRecord {
  const { observedAt, event } = prices(sportsbook, sides, laterMs)
  return {
    type: 'game_state',
    sportsbook,
    observedAt,
    event: { ...event, isLive: true },
    state: { home_score: home, away_score: away, game_period: period },
  }
}

const status = (
  sportsbook: string,
  of: EventStatusRecord['status'],
  laterMs: number,
): EventStatusRecord => {
  const { observedAt, event } = prices(sportsbook, leeds, laterMs)
  return { type: 'event_status', sportsbook, observedAt, event, status: of }
}

const tick = (laterMs: number): TickRecord => ({ type: 'tick', observedAt: noon + laterMs })

function createBoard(restarts: boolean) {
  const board = createRealBoard()
  const row = () => [...board.tableOf(topics.gameResults).values()][0]
  return {
    row,
    result() {
      const { sport, startsAt, reports } = row()!
      return gameResultOf(sport, startsAt, reports, 'point_spread')
    },
    say(...records: readonly (FeedRecord | TickRecord)[]) {
      for (const record of records) {
        board.take([record])
        if (restarts) board.restart()
      }
    },
  }
}

describe.each([false, true])('a game’s result (restarting: %s)', (restarts) => {
  it('stays when the event is forgotten, and goes after 30 days', () => {
    const board = createBoard(restarts)
    board.say(
      prices('fanduel', leeds),
      told('fanduel', [1, 0], '1H', 45 * minute),
      told('fanduel', [1, 0], '2H', 46 * minute),
      told('fanduel', [2, 1], '2H', 99 * minute),
      told('fanduel', [2, 1], 'FT', 100 * minute),
      status('fanduel', 'final', 101 * minute),
    )
    expect(board.row()).toMatchObject({ status: 'final', reports: [{ sportsbook: 'fanduel' }] })
    expect(board.result()).toMatchObject({
      final: { home: 2, away: 1 },
      regulation: { home: 2, away: 1 },
      periods: new Map([
        ['1st_half', { home: 1, away: 0 }],
        ['2nd_half', { home: 1, away: 1 }],
      ]),
    })
    const startsAt = board.row()!.startsAt
    board.say(tick(startsAt - noon + resultRetentionMs))
    expect(board.row()).toBeDefined()
    board.say(tick(startsAt - noon + resultRetentionMs + 2 * 3_600_000))
    expect(board.row()).toBeUndefined()
  })

  it('is in the orientation of the event, whichever way round it was reported', () => {
    const board = createBoard(restarts)
    board.say(prices('fanduel', leeds), told('bet365', [0, 3], 'FT', 100 * minute, turned))
    expect(board.result()).toMatchObject({ final: { home: 3, away: 0 } })
  })

  it('keeps the extra time that the text of the end names', () => {
    const board = createBoard(restarts)
    board.say(prices('fanduel', leeds), told('fanduel', [2, 1], 'FT (AET)', 134 * minute))
    expect(board.row()!.reports).toMatchObject([{ endedIn: 'ET2' }])
    expect(board.result()).toMatchObject({ final: { home: 2, away: 1 }, regulation: null })
  })

  it('accepts a final score after the status that the game is over', () => {
    const board = createBoard(restarts)
    board.say(
      prices('fanduel', leeds),
      told('fanduel', [1, 0], '2H', 99 * minute),
      status('fanduel', 'final', 100 * minute),
      told('fanduel', [1, 1], 'FT', 101 * minute),
    )
    expect(board.result()).toMatchObject({ final: { home: 1, away: 1 } })
  })

  it('records that a game was postponed', () => {
    const board = createBoard(restarts)
    board.say(prices('fanduel', leeds), status('fanduel', 'postponed', minute))
    expect(board.row()).toMatchObject({ status: 'postponed', reports: [] })
    expect(board.result()).toBe('no_final_score')
  })

  it('is absent for a game without a reported end or break', () => {
    const board = createBoard(restarts)
    board.say(prices('fanduel', leeds), told('fanduel', [1, 0], '1H', 20 * minute))
    expect(board.row()).toBeUndefined()
  })
})
