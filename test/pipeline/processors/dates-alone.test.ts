/** Sportsbooks that list the date of a game without its time, as midnight UTC. */

import { describe, expect, it } from 'vitest'
import type { OddsRecord } from '../../../schemas/feed-record.ts'
import { noon, selection, statement } from '../../oracle/moneylines.ts'
import { createRealBoard } from '../../oracle/real-board.ts'

const minute = 60_000
const hour = 60 * minute
/** Midnight UTC of the day of the game, in hours after noon of the day before, and its time. */
const date = 12
const time = date + 15

/** @param at of the statement, in hours after noon */
function says(sportsbook: string, startsAt: number, at: number, price = 2): OddsRecord {
  const prices = price === 0 ? [] : [selection('home', price)]
  const record = statement(sportsbook, 'Leeds United', 'Brentford', prices, {
    externalId: sportsbook,
    laterMs: at * hour,
  })
  return { ...record, event: { ...record.event, startsAt: noon + startsAt * hour } }
}

describe.each([false, true])('a date without a time, with restarts: %s', (restarts) => {
  function createBoard() {
    const board = createRealBoard()
    return {
      say(...records: readonly OddsRecord[]) {
        for (const record of records) {
          board.take([record])
          board.take([{ type: 'tick', observedAt: record.observedAt + 1 }])
          if (restarts) board.restart()
        }
      },
      starts: () =>
        [...board.tables.events.values()].map(({ startsAt }) => (startsAt - noon) / hour),
      closes: () =>
        [...board.tables.closingLines.values()].map(
          ({ sportsbook, price, startsAt }) => `${sportsbook} ${price} ${(startsAt - noon) / hour}`,
        ),
    }
  }

  it('is not the start of an event of which another lists the time, whichever is first', () => {
    for (const sportsbooks of [
      [says('fanduel', date, 0), says('pinnacle', time, 0)],
      [says('pinnacle', time, 0), says('fanduel', date, 0), says('bovada', date, 0)],
      [says('fanduel', date, 0), says('bovada', date, 0), says('pinnacle', time, 0)],
      [says('fanduel', date, 0), says('pinnacle', time, 0), says('bet365', time + 0.5, 0)],
    ]) {
      const { say, starts } = createBoard()
      say(...sportsbooks)
      expect(starts()).toEqual([time])
    }
  })

  it('is the start if the one that lists another time has no prices, and never set it', () => {
    const { say, starts } = createBoard()
    say(says('pinnacle', date, 0), says('fanduel', date, 0))
    say(says('bovada', date + 4, 0, 0))
    expect(starts()).toEqual([date])
  })

  it('is the start while nobody lists the time', () => {
    const { say, starts } = createBoard()
    say(says('fanduel', date, 0), says('bovada', date, 0))
    expect(starts()).toEqual([date])
  })

  it('is the start where more than twice as many list it', () => {
    const { say, starts } = createBoard()
    say(says('fanduel', date, 0), says('bovada', date, 0), says('bet365', date, 0))
    say(says('pinnacle', time, 0))
    expect(starts()).toEqual([date])
  })

  it('is not, while the one with the time has no prices', () => {
    const { say, starts, closes } = createBoard()
    say(says('fanduel', date, 0), says('pinnacle', time, 0), says('fanduel', date, 20))
    say(says('pinnacle', time, 20, 0), says('fanduel', date, 20.1))
    expect(starts()).toEqual([time])
    expect(closes().filter((close) => close.startsWith('fanduel'))).toEqual([])
  })

  it('takes no close before the time', () => {
    const { say, closes } = createBoard()
    for (const at of [date - 0.1, date + 0.1, time - 0.1])
      say(says('fanduel', date, at, at), says('pinnacle', time, at, at))
    expect(closes()).toEqual([])
    say(says('fanduel', date, time + 0.1), says('pinnacle', time, time + 0.1))
    expect(closes()).toEqual([`fanduel ${time - 0.1} ${time}`, `pinnacle ${time - 0.1} ${time}`])
  })

  it('is the day before that of UTC, where the game is in the evening in America', () => {
    const { say, starts } = createBoard()
    const evening = date + 24 + 1 / 3
    say(says('pinnacle', evening, 0), says('fanduel', date, 0), says('bovada', date + 24, 0))
    expect(starts()).toEqual([evening])
  })
})
