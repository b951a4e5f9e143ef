/** The end of events, one statement after the other; the rule is `pipeline/rules/games/event-end.ts`. */

import { describe, expect, it } from 'vitest'
import type { EventStatus, OddsRecord } from '../../../schemas/feed-record.ts'
import { noon, selection, statement } from '../../oracle/moneylines.ts'
import { createRealBoard } from '../../oracle/real-board.ts'

const minute = 60_000

/** Each has a margin, the best of both has none. */
const offered: Readonly<Record<string, readonly [home: number, away: number, draw: number]>> = {
  pinnacle: [2.3, 3.5, 3.4],
}

function prices(sportsbook: string, laterMs = 0, more: object = {}) {
  const [home, away, draw] = offered[sportsbook] ?? [2.1, 3.6, 3.6]
  const answers = [selection('home', home), selection('away', away), selection('draw', draw)]
  return statement(sportsbook, 'Leeds United', 'Brentford', answers, { laterMs, ...more })
}

const says = (sportsbook: string, status: EventStatus, laterMs: number, more: object = {}) => {
  const { event, observedAt } = prices(sportsbook, laterMs, more)
  return { type: 'event_status', sportsbook, observedAt, event, status } as const
}

const tick = (laterMs: number) => ({ type: 'tick', observedAt: noon + laterMs }) as const

function boardOf(...records: Parameters<ReturnType<typeof createRealBoard>['take']>[0]) {
  const board = createRealBoard({ sharpChain: ['pinnacle'] })
  board.take(records)
  return board
}

type Board = ReturnType<typeof boardOf>

const status = ({ tables }: Board) => [...tables.events.values()].map((row) => row.status).join()
const offering = ({ tables }: Board) =>
  [...new Set([...tables.odds.values()].map(({ sportsbook }) => sportsbook))].sort().join()

describe('an event', () => {
  it('is over with its prices and opportunities in the commit of the last status', () => {
    const board = boardOf(prices('pinnacle'), prices('fanduel'))
    expect(board.tables.opportunities.size).toBeGreaterThan(0)
    board.take([says('pinnacle', 'final', minute), says('fanduel', 'final', minute)])
    expect([status(board), offering(board)]).toEqual(['final', ''])
    expect(board.tables.opportunities.size).toBe(0)
  })

  it('stays open at the others when only one sportsbook ends it', () => {
    const board = boardOf(prices('pinnacle'), prices('fanduel'), says('pinnacle', 'final', minute))
    expect([status(board), offering(board)]).toEqual(['upcoming', 'fanduel'])
    // Later prices of the sportsbook that ended it are ignored.
    board.take([prices('pinnacle', 2 * minute)])
    expect(offering(board)).toBe('fanduel')
    board.take([prices('fanduel', 10 * minute), tick(20 * minute)])
    expect([status(board), offering(board)]).toEqual(['upcoming', 'fanduel'])
  })

  it('is over once the last that offered prices is silent', () => {
    const board = boardOf(prices('pinnacle'), prices('fanduel'), says('pinnacle', 'final', minute))
    board.take([tick(16 * minute)])
    expect([status(board), offering(board)]).toEqual(['final', ''])
    // One status ended it, so a sportsbook that comes back with prices opens it again.
    board.take([prices('fanduel', 17 * minute)])
    expect([status(board), offering(board)]).toEqual(['upcoming', 'fanduel'])
  })

  it.each(['final', 'cancelled'] as const)(
    'that all call %s stays so, whoever prices it',
    (word) => {
      const board = boardOf(prices('pinnacle'), prices('fanduel'))
      board.take([says('pinnacle', word, minute), says('fanduel', word, minute)])
      board.restart()
      board.take(['pinnacle', 'fanduel', 'betmgm'].map((book) => prices(book, 2 * minute)))
      expect([status(board), offering(board)]).toEqual([word, ''])
    },
  )

  it('goes on when those who ended it say so', () => {
    const board = boardOf(prices('pinnacle'), prices('fanduel'))
    board.take([says('pinnacle', 'final', minute), says('fanduel', 'final', minute)])
    board.take([says('pinnacle', 'live', 2 * minute)])
    expect(status(board)).toBe('live')
    board.take([prices('pinnacle', 3 * minute), prices('fanduel', 3 * minute)])
    expect(offering(board)).toBe('pinnacle')
    board.take([says('fanduel', 'live', 4 * minute), prices('fanduel', 5 * minute)])
    expect(offering(board)).toBe('fanduel,pinnacle')
  })

  it('that was cancelled is another game when it starts later', () => {
    const board = boardOf(prices('pinnacle'), says('pinnacle', 'cancelled', minute))
    board.take([prices('pinnacle', 2 * minute)])
    expect([status(board), offering(board)]).toEqual(['cancelled', ''])
    board.take([prices('pinnacle', 3 * minute, { startsLaterMs: 30 * minute })])
    expect([status(board), offering(board)]).toEqual(['upcoming', 'pinnacle'])
  })

  it('that was cancelled under one id is on offer under another', () => {
    const board = boardOf(prices('pinnacle'), says('pinnacle', 'cancelled', minute))
    board.take([prices('pinnacle', 2 * minute, { externalId: 'anew' })])
    expect([status(board), offering(board)]).toEqual(['upcoming', 'pinnacle'])
  })

  describe('without an end', () => {
    const inPlay = (sportsbook: string, laterMs: number): OddsRecord => {
      const record = prices(sportsbook, laterMs)
      return { ...record, event: { ...record.event, isLive: true } }
    }
    const hour = 60 * minute
    const start = hour
    const closes = ({ tables }: Board) => [...tables.closingLines.values()]

    it.each([false, true])(
      'is in play no more once all have been silent, restarts: %s',
      (restarts) => {
        const board = boardOf(
          prices('pinnacle', start - minute),
          inPlay('pinnacle', start + minute),
        )
        const pass = (laterMs: number) => {
          board.take([tick(laterMs)])
          if (restarts) board.restart()
          return [status(board), offering(board)]
        }
        const closed = closes(board)
        expect(closed).toHaveLength(3)
        // Its markets are closed without a word on who has won.
        expect(pass(start + 3 * minute)).toEqual(['live', ''])
        const lastWord = says('pinnacle', 'live', start + 3.5 * hour)
        board.take([lastWord])
        expect(pass(start + 4 * hour)).toEqual(['live', ''])
        expect(pass(start + 4.5 * hour)).toEqual(['live', ''])
        expect(pass(start + 4.5 * hour + 1)).toEqual(['upcoming', ''])
        expect(closes(board)).toEqual(closed)
        // It was only interrupted.
        board.take([inPlay('pinnacle', start + 5 * hour)])
        expect([status(board), offering(board)]).toEqual(['live', 'pinnacle'])
        expect(closes(board)).toEqual(closed)
      },
    )

    it('is in play for four hours, though all have been silent', () => {
      const board = boardOf(prices('pinnacle', start - minute), inPlay('pinnacle', start + minute))
      board.take([tick(start + 4 * hour)])
      expect(status(board)).toBe('live')
      board.take([tick(start + 4 * hour + 1)])
      expect(status(board)).toBe('upcoming')
    })

    it('is in play when the only prices in play run out beside others from before the start', () => {
      const board = boardOf(prices('pinnacle', start - minute), prices('fanduel', start - minute))
      board.take([inPlay('pinnacle', start + minute), prices('fanduel', start + minute)])
      const passed: string[][] = []
      for (const at of [3 * minute, 10 * minute, hour, 4 * hour, 4 * hour + minute]) {
        board.take([prices('fanduel', start + at), tick(start + at)])
        passed.push([status(board), offering(board)])
      }
      const live = ['live', 'fanduel']
      expect(passed).toEqual([live, live, live, live, ['upcoming', 'fanduel']])
    })

    it('is not in play for a mistake before the start, once the prices in play have gone', () => {
      const board = boardOf(inPlay('pinnacle', start - 5 * minute))
      expect(status(board)).toBe('live')
      board.take([prices('fanduel', start - minute), tick(start - minute)])
      expect([status(board), offering(board)]).toEqual(['upcoming', 'fanduel'])
      board.take([prices('fanduel', start + minute), tick(start + minute)])
      expect(status(board)).toBe('upcoming')
    })

    it('is in play as long as its score is told, whatever pauses that has', () => {
      const played = inPlay('pinnacle', start + minute)
      const board = boardOf(prices('pinnacle', start - minute), played)
      const scored = start + 4 * hour
      const state = { home_score: 3, away_score: 3 }
      const { sportsbook, event } = played
      const observedAt = played.observedAt + scored - (start + minute)
      board.take([{ type: 'game_state', sportsbook, observedAt, event, state }])
      board.take([tick(scored + 10 * minute)])
      expect(status(board)).toBe('live')
      board.take([tick(scored + hour + 1)])
      expect(status(board)).toBe('upcoming')
    })

    it('stays as it is while it is priced, however late it begins', () => {
      const board = boardOf(prices('pinnacle', start - minute))
      for (let at = 0; at < 6 * hour; at += 10 * minute) {
        board.take([prices('pinnacle', start + at), tick(start + at + minute)])
      }
      const closed = closes(board)
      const closingPrices = closed.map(({ price }) => price)
      expect(closingPrices.toSorted()).toEqual([2.3, 3.4, 3.5])
      board.take([inPlay('pinnacle', start + 6 * hour), tick(start + 6 * hour + minute)])
      expect([status(board), offering(board)]).toEqual(['live', 'pinnacle'])
      expect(closes(board)).toEqual(closed)
    })
  })

  it('is ended by a source of results alone', () => {
    const board = boardOf(prices('pinnacle'), prices('fanduel'), prices('betmgm'))
    board.take([says('the_odds_api', 'final', minute)])
    expect([status(board), offering(board)]).toEqual(['final', ''])
  })

  it('that is postponed keeps its prices but no opportunities', () => {
    const board = boardOf(prices('pinnacle'), prices('fanduel'))
    expect(board.tables.opportunities.size).toBeGreaterThan(0)
    board.take([says('pinnacle', 'postponed', minute), says('fanduel', 'postponed', minute)])
    expect([status(board), offering(board)]).toEqual(['postponed', 'fanduel,pinnacle'])
    expect(board.tables.opportunities.size).toBe(0)
    // A new start at both ends the postponement.
    const later = { startsLaterMs: 20 * minute }
    board.take([prices('pinnacle', 2 * minute, later), prices('fanduel', 2 * minute, later)])
    expect(status(board)).toBe('upcoming')
    expect(board.tables.opportunities.size).toBeGreaterThan(0)
  })

  it('counts prices after its end, and no empty statements', () => {
    const board = boardOf(prices('pinnacle'), says('pinnacle', 'final', minute))
    const empty: OddsRecord = { ...prices('pinnacle', 3 * minute), markets: [] }
    board.take([prices('pinnacle', 2 * minute), empty])
    expect(board.counts().get('after_end')).toBe(1)
  })

  it('is over for the first game of two, when the second is listed under its own id', () => {
    const baseball = (
      record: ReturnType<typeof prices>,
      id: string,
      hours: number,
    ): OddsRecord => ({
      ...record,
      event: {
        ...record.event,
        externalId: id,
        sport: 'baseball',
        league: 'mlb',
        homeTeam: 'New York Yankees',
        awayTeam: 'Boston Red Sox',
        startsAt: record.event.startsAt + hours * 60 * minute,
      },
    })
    const first = baseball(prices('pinnacle'), 'g1', 0)
    const board = boardOf(first)
    board.take([
      {
        type: 'event_status',
        sportsbook: 'pinnacle',
        observedAt: noon + minute,
        event: first.event,
        status: 'final',
      },
    ])
    board.take([baseball(prices('pinnacle', 2 * minute), 'g2', 0)])
    expect(status(board)).toBe('final,upcoming')
  })
})
