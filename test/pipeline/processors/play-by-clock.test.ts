/** Games in play by the clock: the announced start has passed, and the source does not tell play. */

import { describe, expect, it } from 'vitest'
import type { EventStatusRecord, OddsRecord } from '../../../schemas/feed-record.ts'
import { noon, selection, statement } from '../../oracle/moneylines.ts'
import { createRealBoard } from '../../oracle/real-board.ts'

const minute = 60_000
/** Of the statements, in minutes after noon. */
const start = 60

const says = (
  sportsbook: string,
  at: number,
  price: number,
  of: { isLive: boolean; isByClock?: boolean; startsAt?: number },
): OddsRecord => {
  const { startsAt = start, ...play } = of
  const record = statement(
    sportsbook,
    'Leeds United',
    'Brentford',
    [selection('home', price), selection('draw', 3.4), selection('away', 4)],
    { laterMs: at * minute, startsLaterMs: (startsAt - start) * minute },
  )
  return { ...record, event: { ...record.event, ...play } }
}

/** A source that does not tell play. */
const byClock = (sportsbook: string, at: number, price: number, startsAt = start) =>
  says(sportsbook, at, price, { isLive: at >= startsAt, isByClock: true, startsAt })

describe.each([false, true])('a game in play by the clock, with restarts: %s', (restarts) => {
  function createBoard() {
    const board = createRealBoard()
    return {
      say(...records: readonly (OddsRecord | EventStatusRecord)[]) {
        for (const record of records) {
          board.take([record])
          board.take([{ type: 'tick', observedAt: record.observedAt + 1 }])
          if (restarts) board.restart()
        }
      },
      event: () => [...board.tables.events.values()][0]!,
      close(sportsbook: string) {
        const close = [...board.tables.closingLines.values()].find(
          (row) => row.sportsbook === sportsbook && row.selectionType === 'home',
        )
        return close && [close.price ?? close.missing, (close.startsAt - noon) / minute]
      },
    }
  }

  it('is in play where no sportsbook tells otherwise', () => {
    const { say, event } = createBoard()
    say(byClock('fanduel', 59, 1.9), byClock('bovada', 59, 1.9), byClock('fanduel', 61, 1.8))
    expect(event()).toMatchObject({ status: 'live', isLive: true, isLiveByClock: true })
  })

  it('is not while one that tells play has it before the start', () => {
    const { say, event } = createBoard()
    say(says('pinnacle', 59, 1.9, { isLive: false }), byClock('fanduel', 61, 1.9))
    say(says('pinnacle', 61, 1.9, { isLive: false }))
    expect(event()).toMatchObject({ status: 'upcoming', isLive: false })
    say(says('pinnacle', 62, 1.8, { isLive: true }))
    expect(event()).toMatchObject({ status: 'live', isLiveByClock: null })
  })

  it('is not while another lists a later start', () => {
    const { say, event } = createBoard()
    say(byClock('fanduel', 59, 1.9), byClock('bovada', 59, 1.9, 150), byClock('fanduel', 61, 1.9))
    expect(event()).toMatchObject({ status: 'upcoming', isLive: false })
  })

  it('is on again after a postponement once a sportsbook tells play', () => {
    const { say, event } = createBoard()
    const { mode: _, markets: __, ...about } = says('the_odds_api', 59, 2, { isLive: false })
    say(byClock('fanduel', 58, 1.9), { ...about, type: 'event_status', status: 'postponed' })
    expect(event().status).toBe('postponed')
    say(byClock('fanduel', 61, 1.9))
    expect(event().status).toBe('postponed')
    say(says('fanduel', 62, 1.8, { isLive: true }))
    expect(event().status).toBe('live')
  })

  it('keeps its closes where play was told before it was given up', () => {
    const { say, event, close } = createBoard()
    say(
      byClock('bovada', 59, 2),
      byClock('bovada', 61, 2),
      says('fanduel', 62, 2, { isLive: true }),
    )
    say({ ...says('fanduel', 70, 2, { isLive: true }), markets: [] })
    say(byClock('bovada', 900, 9, 1_500), byClock('bovada', 1_499, 9, 1_500))
    expect(event()).toMatchObject({ status: 'upcoming', wasPlayed: true })
    say(byClock('bovada', 1_501, 9, 1_500))
    expect(event()).toMatchObject({ status: 'live', isLiveByClock: null })
    expect(close('bovada')).toEqual([2, 60])
  })

  it('gives its closes back when its start moves later', () => {
    const { say, event, close } = createBoard()
    say(byClock('fanduel', 59, 1.9), byClock('bovada', 59, 2), byClock('fanduel', 61, 1.95))
    expect(close('fanduel')).toEqual([1.9, 60])
    say(byClock('fanduel', 70, 1.9, 150), byClock('bovada', 71, 2, 150))
    expect(event().status).toBe('upcoming')
    expect(close('fanduel')).toBeUndefined()
    say(byClock('fanduel', 149, 1.6, 150), byClock('bovada', 149, 2.2, 150))
    say(byClock('fanduel', 151, 1.3, 150), byClock('bovada', 151, 2.3, 150))
    expect(close('fanduel')).toEqual([1.6, 150])
    expect(close('bovada')).toEqual([2.2, 150])
  })

  it('keeps its closes when its start moves after play was told', () => {
    const { say, close } = createBoard()
    say(byClock('fanduel', 59, 1.9), says('pinnacle', 59, 2, { isLive: false }))
    say(says('pinnacle', 61, 2.1, { isLive: true }), byClock('fanduel', 62, 1.95))
    say(byClock('fanduel', 70, 1.9, 150))
    say(says('pinnacle', 71, 2, { isLive: false, startsAt: 150 }))
    expect(close('fanduel')).toEqual([1.9, 60])
    expect(close('pinnacle')).toEqual([2, 60])
  })
})
