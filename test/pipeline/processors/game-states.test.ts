/** The table of games in play: the reports in a row, the sets they are merged for, and when they are dropped. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type {
  EventStatusRecord,
  FeedRecord,
  GameStateRecord,
  TickRecord,
} from '../../../schemas/feed-record.ts'
import { type GameStateRow, stateFor } from '../../../schemas/game-state.ts'
import { visibilityBit } from '../../../schemas/opportunity.ts'
import { topics } from '../../../schemas/topics.ts'
import { noon, selection, statement } from '../../oracle/moneylines.ts'
import { createRealBoard } from '../../oracle/real-board.ts'

const second = 1_000
const minute = 60 * second

type Sides = readonly [home: string, away: string]
type State = GameStateRecord['state']

const leeds: Sides = ['Leeds United', 'Brentford']
const turned: Sides = ['Brentford', 'Leeds United']

interface Said {
  readonly laterMs?: number
  readonly externalId?: string
}

const prices = (sportsbook: string, [home, away]: Sides, said: Said = {}) =>
  statement(sportsbook, home, away, [selection('home', 2), selection('away', 3)], said)

function told(
  sportsbook: string,
  sides: Sides,
  [home, away]: readonly [number, number],
  {
    state,
    isLive = true,
    ...said
  }: Said & { readonly state?: State; readonly isLive?: boolean } = {},
): GameStateRecord {
  const { observedAt, event } = prices(sportsbook, sides, said)
  return {
    type: 'game_state',
    sportsbook,
    observedAt,
    event: { ...event, isLive },
    state: { home_score: home, away_score: away, ...state },
  }
}

const status = (
  sportsbook: string,
  of: EventStatusRecord['status'],
  laterMs = 0,
): EventStatusRecord => {
  const { observedAt, event } = prices(sportsbook, leeds, { laterMs })
  return { type: 'event_status', sportsbook, observedAt, event, status: of }
}

const tick = (laterMs: number): TickRecord => ({ type: 'tick', observedAt: noon + laterMs })

const audience = (sportsbook: string, of: 'all' | 'owner'): FeedRecord => ({
  type: 'book_status',
  sportsbook,
  observedAt: noon,
  status: 'up',
  audience: of,
})

function createBoard(restarts = false) {
  const board = createRealBoard()
  const row = (): GameStateRow | undefined =>
    [...board.tableOf(topics.gameStates).values()][0] as GameStateRow | undefined
  return {
    ...board,
    row,
    /** Takes each record by itself, with a restart in between if wanted. */
    say(...records: Parameters<typeof board.take>[0]) {
      for (const record of records) {
        board.take([record])
        if (restarts) board.restart()
      }
    },
    /** Returns the view of a set of sportsbooks: score, source, and number of reports. */
    shown(set: keyof typeof visibilityBit = 'all') {
      const state = stateFor(row()?.states ?? [], visibilityBit[set])
      return (
        state && `${state.homeScore}:${state.awayScore} ${state.primaryBook} ${state.bookCount}`
      )
    },
  }
}

describe.each([false, true])('a game in play (restarting: %s)', (restarts) => {
  it('is reported by all its sportsbooks, whichever way round they have its sides', () => {
    const board = createBoard(restarts)
    board.say(
      prices('fanduel', leeds),
      told('fanduel', leeds, [2, 1]),
      told('draftkings', turned, [1, 2], {
        state: { possession: 'home', corners_home: 3, corners_away: 7 },
      }),
    )
    expect(board.shown()).toBe('2:1 draftkings 2')
    expect(board.row()?.states[0]?.situation).toEqual({
      possession: 'away',
      corners_home: 7,
      corners_away: 3,
    })
  })

  it('is merged for each set of sportsbooks by itself', () => {
    const board = createBoard(restarts)
    board.say(
      prices('fanduel', leeds),
      told('fanduel', leeds, [1, 0]),
      told('bet365', leeds, [2, 0]),
      told('pinnacle', leeds, [2, 0]),
    )
    expect(board.shown('hobby')).toBe('1:0 fanduel 1')
    expect(board.shown('pro')).toBe('1:0 fanduel 2')
    expect(board.shown('all')).toBe('2:0 bet365 3')
    // As long as no sportsbook is for the owner only, the owner sees what all see.
    expect(board.shown('owner')).toBe('2:0 bet365 3')
    expect(board.row()?.states.map(({ fromLevel }) => fromLevel)).toEqual([0, 1, 2])
  })

  it('hides a sportsbook that only the owner may see, once that is stated', () => {
    const board = createBoard(restarts)
    board.say(
      prices('fanduel', leeds),
      told('fanduel', leeds, [1, 0]),
      told('draftkings', leeds, [3, 0]),
      told('pinnacle', leeds, [3, 0]),
    )
    expect(board.shown('hobby')).toBe('1:0 fanduel 2')
    expect(board.shown('all')).toBe('3:0 draftkings 3')
    board.say(audience('pinnacle', 'owner'))
    expect([board.shown('all'), board.shown('owner')]).toEqual([
      board.shown('hobby'),
      '3:0 draftkings 3',
    ])
    board.say(audience('pinnacle', 'all'))
    expect(board.shown('all')).toBe('3:0 draftkings 3')
  })

  it('keeps nothing of a now hidden sportsbook in its shown state', () => {
    const board = createBoard(restarts)
    board.say(
      prices('fanduel', leeds),
      told('draftkings', leeds, [3, 0]),
      told('pinnacle', leeds, [3, 0]),
      told('fanduel', leeds, [1, 0], { laterMs: second }),
    )
    expect(board.shown('all')).toBe('3:0 draftkings 3')
    board.say(
      audience('pinnacle', 'owner'),
      told('fanduel', leeds, [1, 0], { laterMs: 2 * second }),
    )
    expect(board.shown('all')).toBe('1:0 fanduel 2')
  })

  it('does not go back to a sportsbook’s earlier state', () => {
    const board = createBoard(restarts)
    board.say(
      prices('fanduel', leeds),
      told('fanduel', leeds, [1, 0], { laterMs: 10 * second }),
      told('fanduel', leeds, [0, 0], { laterMs: 5 * second }),
    )
    expect(board.shown()).toBe('1:0 fanduel 1')
    if (!restarts) expect(board.counts().get('stale_game_state')).toBe(1)
  })

  it('keeps its score through an outlier, and through silent sportsbooks', () => {
    const board = createBoard(restarts)
    const at = (laterMs: number) => ({ laterMs })
    board.say(
      prices('fanduel', leeds),
      told('fanduel', leeds, [2, 1], at(0)),
      told('bet365', leeds, [2, 1], at(0)),
      told('draftkings', leeds, [7, 7], at(second)),
    )
    expect(board.shown()).toBe('2:1 bet365 3')
    board.say(
      told('draftkings', leeds, [0, 0], at(4 * second)),
      told('fanduel', leeds, [3, 1], at(5 * second)),
    )
    expect(board.shown()).toBe('2:1 bet365 3')
    board.say(told('bet365', leeds, [3, 1], at(7 * second)))
    expect(board.shown()).toBe('3:1 bet365 3')
    // Two sportsbooks take it back.
    board.say(
      told('bet365', leeds, [2, 1], at(9 * second)),
      told('fanduel', leeds, [2, 1], at(9 * second)),
    )
    expect(board.shown()).toBe('2:1 bet365 3')
  })

  it('is gone when its sportsbooks are silent, one after the other', () => {
    const board = createBoard(restarts)
    board.say(
      prices('fanduel', leeds),
      told('fanduel', leeds, [1, 0]),
      told('draftkings', leeds, [1, 0], { laterMs: minute }),
      tick(90 * second),
    )
    expect(board.row()?.reports).toHaveLength(2)
    board.say(tick(90 * second + 1))
    expect(board.row()?.reports.map(({ sportsbook }) => sportsbook)).toEqual(['draftkings'])
    board.say(tick(150 * second + 1))
    expect(board.row()).toBeUndefined()
  })

  it.each(['final', 'cancelled'] as const)('is gone when it is %s, and not reported', (of) => {
    const board = createBoard(restarts)
    board.say(
      prices('fanduel', leeds),
      told('fanduel', leeds, [1, 0]),
      told('draftkings', leeds, [1, 0]),
      status('fanduel', of, second),
    )
    board.say(status('draftkings', of, second), told('fanduel', leeds, [1, 0], { laterMs: minute }))
    expect(board.row()).toBeUndefined()
  })

  it('is gone when it is postponed, and back once it is played', () => {
    const board = createBoard(restarts)
    board.say(
      prices('fanduel', leeds),
      told('fanduel', leeds, [1, 0]),
      status('fanduel', 'postponed', second),
      tick(2 * second),
    )
    expect(board.row()).toBeUndefined()
    board.say(told('fanduel', leeds, [1, 0], { laterMs: 3 * second }))
    expect(board.row()).toBeUndefined()
    board.say(
      status('fanduel', 'live', 4 * second),
      told('fanduel', leeds, [1, 0], { laterMs: 5 * second }),
    )
    expect(board.shown()).toBe('1:0 fanduel 1')
  })

  it('loses a sportsbook that corrects its sides, until its next report', () => {
    const board = createBoard(restarts)
    board.say(
      prices('draftkings', leeds),
      prices('fanduel', leeds),
      told('fanduel', leeds, [1, 0]),
      prices('fanduel', turned, { laterMs: second }),
    )
    expect(board.row()).toBeUndefined()
    board.say(told('fanduel', turned, [0, 1], { laterMs: 2 * second }))
    expect(board.shown()).toBe('1:0 fanduel 1')
  })

  it('has not begun if a sportsbook says so', () => {
    const board = createBoard(restarts)
    const state = { game_period: 'Not started' }
    board.say(prices('fanduel', leeds), told('fanduel', leeds, [0, 0], { state }))
    expect(board.row()).toBeUndefined()
    board.say(
      told('fanduel', leeds, [0, 0], { laterMs: second }),
      told('fanduel', leeds, [0, 0], { laterMs: 2 * second, state }),
    )
    expect(board.row()).toBeUndefined()
  })

  it('is not taken over by a sportsbook whose clock is ahead', () => {
    const board = createBoard(restarts)
    board.say(
      prices('fanduel', leeds),
      tick(0),
      told('fanduel', leeds, [1, 0]),
      told('bet365', leeds, [1, 0]),
    )
    // A restart forgets the last tick until the next one.
    board.say(tick(second))
    board.take([told('draftkings', leeds, [9, 9], { laterMs: 4 * minute })])
    if (!restarts) {
      expect(board.shown()).toBe('1:0 bet365 3')
      expect(board.row()?.reports[1]?.observedAt).toBe(noon + 6 * second)
    }
  })

  it('goes on while ticks are hours behind those before', () => {
    const board = createBoard(restarts)
    board.say(prices('fanduel', leeds), tick(0), told('fanduel', leeds, [1, 0]))
    board.say(tick(-120 * minute), told('fanduel', leeds, [2, 0], { laterMs: 5 * second }))
    expect(board.shown()).toBe('2:0 fanduel 1')
    board.say(told('fanduel', leeds, [1, 0], { laterMs: -second }))
    expect(board.shown()).toBe('2:0 fanduel 1')
    board.say(tick(10 * second), told('fanduel', leeds, [3, 0], { laterMs: 10 * second }))
    expect([board.shown(), board.row()?.reports[0]?.observedAt]).toEqual([
      '3:0 fanduel 1',
      noon + 10 * second,
    ])
  })

  it('leaves out unknown values, and counts them', () => {
    const board = createBoard()
    const state = { weather: 'rain', corners_home: 1.5 }
    board.say(prices('fanduel', leeds), told('fanduel', leeds, [1, 0], { state }))
    expect(board.row()?.reports[0]?.situation).toEqual({})
    expect(board.counts().get('game_state_member_left_out')).toBe(2)
  })
})

describe('whether a game is in play', () => {
  const before = { isLive: false }
  const event = (board: ReturnType<typeof createBoard>) => [...board.tables.events.values()][0]!
  const afterStart = (board: ReturnType<typeof createBoard>) => event(board).startsAt - noon

  it('does not follow from the empty scoreboard of a game before its start', () => {
    const board = createBoard()
    board.say(prices('fanduel', leeds), told('fanduel', leeds, [0, 0], before))
    expect([board.row(), event(board).status]).toEqual([undefined, 'upcoming'])
    expect(board.counts().get('game_state_before_start')).toBe(1)
  })

  it.each([false, true])(
    'follows from a score, until nobody reports one (restarting: %s)',
    (restarts) => {
      const board = createBoard(restarts)
      board.say(told('draftkings', leeds, [1, 0]))
      expect([board.shown(), event(board).status]).toEqual(['1:0 draftkings 1', 'live'])
      board.say(tick(91 * second))
      expect([board.row(), event(board).status]).toEqual([undefined, 'upcoming'])
      const laterMs = afterStart(board)
      board.say(tick(laterMs))
      board.say(told('draftkings', leeds, [1, 0], { ...before, laterMs }))
      expect([board.shown(), event(board).status]).toEqual(['1:0 draftkings 1', 'live'])
    },
  )

  it.each([false, true])(
    'follows from the score of one of two sportsbooks only once the start has come (restarting: %s)',
    (restarts) => {
      const board = createBoard(restarts)
      board.say(prices('fanduel', leeds), prices('draftkings', leeds))
      const laterMs = afterStart(board)
      board.say(told('draftkings', leeds, [1, 0], { laterMs: laterMs - second }))
      expect(event(board).status).toBe('upcoming')
      board.say(told('draftkings', leeds, [1, 0], { laterMs }))
      expect(event(board).status).toBe('live')
    },
  )

  it('follows from two scores before the start', () => {
    const board = createBoard()
    board.say(prices('fanduel', leeds), told('draftkings', leeds, [1, 0]))
    expect(event(board).status).toBe('upcoming')
    board.say(told('bet365', leeds, [1, 0]))
    expect(event(board).status).toBe('live')
  })

  const running = ['draftkings', 'bet365', 'betmgm', 'pinnacle'].map((book) =>
    told(book, leeds, [1, 0], { state: { game_period: '2H' } }),
  )
  const end = [prices('fanduel', leeds), status('fanduel', 'final')]

  it.each([
    ['first', [...end, ...running]],
    ['in between', [...running.slice(0, 2), ...end, ...running.slice(2)]],
    ['last', [...running, ...end]],
  ])('does not end by one final status %s while others report its score', (_, records) => {
    const board = createBoard()
    board.say(...records)
    expect(event(board).status).toBe('live')
    expect(board.shown()).toMatch(/^1:0 bet365/)
    // Once the others are silent, the one with the final status decides.
    board.say(tick(91 * second))
    expect(event(board).status).toBe('final')
  })

  it('ends once those who reported its score report its end', () => {
    const board = createBoard()
    board.say(...running.slice(0, 1), ...end)
    expect(event(board).status).toBe('live')
    board.say(
      told('draftkings', leeds, [1, 0], { laterMs: second, state: { game_period: 'Final' } }),
    )
    expect(event(board).status).toBe('final')
  })
})

describe('the table of games in play', () => {
  const books = ['bet365', 'draftkings', 'fanduel', 'pinnacle']
  const step = fc.record({
    scores: fc.tuple(...books.map(() => fc.tuple(fc.nat(3), fc.nat(3)))),
    order: fc.shuffledSubarray([0, 1, 2, 3], { minLength: 1 }),
  })

  it('is the same for any order within an instant, any batches, losses and restarts', () => {
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 6 }),
        fc.infiniteStream(fc.nat(3)),
        (steps, chances) => {
          const steady = createBoard()
          const shaken = createBoard()
          steady.take([prices('fanduel', leeds)])
          shaken.take([prices('fanduel', leeds)])
          for (const [i, { scores, order }] of steps.entries()) {
            const laterMs = (i + 1) * 5 * second
            const say = (at: number) => told(books[at]!, leeds, scores[at]!, { laterMs })
            steady.take([...order].sort().map(say))
            const chance = chances.next().value
            if (chance === 0) shaken.loseBatch(order.map(say))
            if (chance <= 1) shaken.take(order.map(say))
            else for (const at of order) shaken.take([say(at)])
            if (chance === 2) shaken.restart()
          }
          expect(shaken.row()).toEqual(steady.row())
        },
      ),
      { numRuns: 100 },
    )
  })
})
