/** The board's handling of contradictory statements, case by case. */

import { describe, expect, it } from 'vitest'
import type { EventStatusRecord, FeedSelection, OddsRecord } from '../../../schemas/feed-record.ts'
import { noon, selection, statement } from '../../oracle/moneylines.ts'
import { createRealBoard } from '../../oracle/real-board.ts'

const second = 1_000
const minute = 60 * second

/** Returns the prices on the board by event, sportsbook and type. */
function standing({ tables }: ReturnType<typeof createRealBoard>): string[] {
  return [...tables.odds.values()]
    .map(({ eventId, sportsbook, selectionType, line, price }) =>
      [eventId.split('_').slice(4, 6).join('-'), sportsbook, selectionType, line, price]
        .filter((word) => word !== null)
        .join(' '),
    )
    .sort()
}

type Board = ReturnType<typeof createRealBoard>

const onlyEvent = ({ tables }: ReturnType<typeof createRealBoard>) => [...tables.events.values()][0]

function status(of: OddsRecord, said: EventStatusRecord['status'], laterMs: number) {
  const { sportsbook, event } = of
  const observedAt = noon + laterMs
  return { type: 'event_status', sportsbook, observedAt, event, status: said } as const
}

const tick = (laterMs: number) => ({ type: 'tick', observedAt: noon + laterMs }) as const

describe('a listing that a sportsbook moves to another game', () => {
  const leeds = (id: string, laterMs: number) =>
    statement('corner_shop', 'Leeds United', 'Brentford', [selection('home', 2)], {
      externalId: id,
      laterMs,
    })
  const everton = (id: string, laterMs: number) =>
    statement('corner_shop', 'Everton', 'Arsenal', [selection('home', 3)], {
      externalId: id,
      laterMs,
    })

  it('withdraws the first game, also when the other is on offer already', () => {
    const board = createRealBoard()
    board.take([leeds('1', 0), everton('2', 0)])
    board.take([everton('1', minute)])
    expect(standing(board)).toEqual(['arsenal-everton corner_shop home 3'])
  })

  it('withdraws the second when it comes back', () => {
    const board = createRealBoard()
    board.take([leeds('1', 0)])
    board.take([everton('1', minute)])
    board.take([leeds('1', 2 * minute)])
    expect(standing(board)).toEqual(['brentford-leeds corner_shop home 2'])
  })

  it('is not moved back by an older statement', () => {
    const board = createRealBoard()
    board.take([leeds('1', 0)])
    board.take([everton('1', 2 * minute)])
    board.take([leeds('1', minute)])
    expect(standing(board)).toEqual(['arsenal-everton corner_shop home 3'])
  })
})

describe('the time at which a price changed', () => {
  const said = (price: number, laterMs: number, changedLaterMs: number | null) => {
    const changedAt = changedLaterMs === null ? null : noon + changedLaterMs
    return statement(
      'corner_shop',
      'Leeds United',
      'Brentford',
      [{ ...selection('home', price), changedAt }],
      { laterMs },
    )
  }
  const changedLaterMs = ({ tables }: ReturnType<typeof createRealBoard>) =>
    [...tables.odds.values()].map(({ changedAt }) => (changedAt ?? Number.NaN) - noon)

  it('is the stated one, but never after the price was observed', () => {
    const board = createRealBoard()
    board.take([said(2, 0, 4 * 60 * minute)])
    expect(changedLaterMs(board)).toEqual([0])
    board.take([said(3, minute, 4 * 60 * minute)])
    expect(changedLaterMs(board)).toEqual([minute])
    board.take([said(2, 2 * minute, 1.5 * minute)])
    expect(changedLaterMs(board)).toEqual([1.5 * minute])
  })

  it('is that of the observation where play begins, whatever the price did', () => {
    const board = createRealBoard()
    board.take([said(2, 0, -minute)])
    expect(changedLaterMs(board)).toEqual([-minute])
    const inPlay = (of: OddsRecord) => ({ ...of, event: { ...of.event, isLive: true } })
    board.take([inPlay(said(2, minute, -minute))])
    expect(changedLaterMs(board)).toEqual([minute])
    board.take([inPlay(said(3, 2 * minute, 1.5 * minute))])
    expect(changedLaterMs(board)).toEqual([1.5 * minute])
  })
})

describe('a disagreement of sportsbooks', () => {
  const match = (book: string, more = {}) =>
    statement(book, 'Leeds United', 'Brentford', [selection('home', 2)], more)

  /** Returns prices of a match that began at noon. */
  const begun = (book: string, laterMs = 0) => match(book, { laterMs, startsLaterMs: -60 * minute })

  it('is settled by those that offer prices now', () => {
    const board = createRealBoard()
    const live = match('corner_shop')
    board.take([{ ...live, event: { ...live.event, isLive: true } }])
    expect(onlyEvent(board)?.status).toBe('live')
    // Unseen for 91 seconds it is off the board, and its status no longer counts.
    board.take([match('fanduel', { laterMs: minute })])
    board.take([{ type: 'tick', observedAt: noon + 91_000 }])
    expect(onlyEvent(board)?.status).toBe('upcoming')
  })

  it('keeps an explicit "live" against the prices of others', () => {
    const board = createRealBoard()
    const prices = begun('corner_shop')
    board.take([prices, status(prices, 'live', minute)])
    board.take([begun('fanduel', 2 * minute)])
    board.take([begun('corner_shop', minute)])
    expect(onlyEvent(board)?.status).toBe('live')
  })

  it.each([false, true])(
    'ignores a "live" that the sportsbook’s own prices deny (late: %s)',
    (isLate) => {
      const board = createRealBoard()
      const prices = match('corner_shop')
      const live = status(prices, 'live', minute)
      const denial = match('corner_shop', { laterMs: 2 * minute })
      board.take([prices])
      board.take(isLate ? [denial, live] : [live])
      if (!isLate) expect(onlyEvent(board)?.status).toBe('live')
      board.take([denial])
      expect(onlyEvent(board)?.status).toBe('upcoming')
      board.restart()
      board.take([match('fanduel', { laterMs: 3 * minute })])
      expect(onlyEvent(board)?.status).toBe('upcoming')
    },
  )

  it('forgets a "live" with the sportsbook that stated it', () => {
    const board = createRealBoard()
    const prices = begun('corner_shop')
    board.take([prices, status(prices, 'live', minute)])
    board.take([begun('fanduel', 15 * minute), tick(15 * minute)])
    expect(onlyEvent(board)?.status).toBe('live')
    board.take([tick(17 * minute)])
    expect(onlyEvent(board)?.status).toBe('upcoming')
  })

  it('lets play end a postponement, but not the prices of a game that was in play', () => {
    const inPlay = (book: string, laterMs: number) => {
      const record = match(book, { laterMs })
      return { ...record, event: { ...record.event, isLive: true } }
    }
    const board = createRealBoard()
    const prices = match('corner_shop')
    const third = match('betmgm')
    board.take([prices, third, inPlay('fanduel', 0)])
    board.take([status(prices, 'postponed', second), status(third, 'postponed', second)])
    board.take([match('corner_shop', { laterMs: minute }), inPlay('fanduel', minute)])
    expect(onlyEvent(board)?.status).toBe('postponed')
    board.take([inPlay('corner_shop', 70 * minute)])
    expect(onlyEvent(board)).toMatchObject({ status: 'live', isLive: true })
  })

  it('follows the start of the only sportsbook left', () => {
    const board = createRealBoard()
    board.take([match('corner_shop'), match('fanduel', { startsLaterMs: 5 * minute })])
    const empty = { ...match('corner_shop', { laterMs: minute }), markets: [] }
    board.take([empty])
    expect(onlyEvent(board)?.startsAt).toBe(noon + 65 * minute)
  })
})

describe('play before the start', () => {
  const offer = (book: string, isLive: boolean, laterMs = 0) => {
    const record = statement(book, 'Leeds United', 'Brentford', [selection('home', 2)], { laterMs })
    return { ...record, event: { ...record.event, isLive } }
  }
  const statusAfter = (...records: Parameters<Board['take']>[0]) => {
    const board = createRealBoard()
    for (const record of records) {
      board.take([record])
      board.restart()
    }
    return onlyEvent(board)?.status
  }

  it.each([
    ['first', [offer('corner_shop', true), offer('fanduel', false)]],
    ['last', [offer('fanduel', false), offer('corner_shop', true)]],
    ['by a status', [offer('fanduel', false), status(offer('corner_shop', false), 'live', minute)]],
  ])('does not follow from one of two sportsbooks, heard %s', (_, records) => {
    expect(statusAfter(...records)).toBe('upcoming')
  })

  it('leaves the prices of the others before the start in opportunities', () => {
    const board = createRealBoard({ sharpChain: [] })
    const priced = (book: string, home: number, away: number, draw: number) => {
      const record = offer(book, book === 'corner_shop')
      const selections = [selection('home', home), selection('away', away), selection('draw', draw)]
      return { ...record, markets: [{ ...record.markets[0]!, selections }] }
    }
    const others = [priced('fanduel', 2.3, 3.5, 3.4), priced('betmgm', 2.1, 3.6, 3.6)]
    board.take([...others, priced('corner_shop', 1.1, 20, 9), tick(second)])
    expect([...board.tables.opportunities.values()].map(({ kind }) => kind)).toContain('arbitrage')
  })

  it('follows from a single sportsbook that nobody contradicts', () => {
    expect(statusAfter(offer('corner_shop', true))).toBe('live')
    // A final status does not say that the game is still to come.
    const ended = status(offer('fanduel', false), 'final', 0)
    expect(statusAfter(ended, offer('corner_shop', true))).toBe('live')
  })

  it('follows from two sportsbooks, until one takes it back', () => {
    const records = [
      offer('fanduel', false),
      offer('betmgm', false),
      offer('corner_shop', true),
      offer('pinnacle', true),
    ]
    expect(statusAfter(...records)).toBe('live')
    expect(statusAfter(...records, offer('pinnacle', false, second))).toBe('upcoming')
  })

  it('of one sportsbook counts from the first record after the start, and stays', () => {
    const early = [offer('fanduel', false), offer('corner_shop', true, 59 * minute)]
    const later = [...early, offer('fanduel', false, 60 * minute)]
    expect(statusAfter(...early)).toBe('upcoming')
    expect(statusAfter(...later)).toBe('live')
    expect(statusAfter(...later, offer('betmgm', false, 59 * minute))).toBe('live')
  })
})

describe('a delta', () => {
  const prices = (more: object) => {
    const record = statement(
      'corner_shop',
      'Leeds United',
      'Brentford',
      [selection('home', 2), selection('away', 4)],
      more,
    )
    return { ...record, mode: 'delta' as const }
  }
  const onlyHome = (isLive: boolean, laterMs: number): OddsRecord => {
    const record = statement('corner_shop', 'Leeds United', 'Brentford', [selection('home', 1.5)], {
      laterMs,
    })
    return { ...record, mode: 'delta', event: { ...record.event, isLive } }
  }

  it('leaves what it does not name', () => {
    const board = createRealBoard()
    board.take([prices({}), onlyHome(false, minute)])
    expect(standing(board)).toEqual([
      'brentford-leeds corner_shop away 4',
      'brentford-leeds corner_shop home 1.5',
    ])
  })

  it('that goes live withdraws the prices from before the start', () => {
    const board = createRealBoard()
    board.take([prices({}), onlyHome(true, minute)])
    expect(standing(board)).toEqual(['brentford-leeds corner_shop home 1.5'])
  })

  it.each([
    ['without prices', []],
    ['that only removes one', [{ ...selection('away', 4), price: null, removed: true }]],
  ])('%s does not end play', (_, selections) => {
    const board = createRealBoard()
    board.take([onlyHome(true, 61 * minute)])
    const later = statement('corner_shop', 'Leeds United', 'Brentford', selections, {
      laterMs: 62 * minute,
    })
    board.take([{ ...later, mode: 'delta' }])
    expect(standing(board)).toEqual(['brentford-leeds corner_shop home 1.5'])
    expect(onlyEvent(board)?.status).toBe('live')
  })
})

it('a listing without an id stays on its event over a restart', () => {
  const listed = (laterMs: number) =>
    statement('corner_shop', 'Leeds United', 'Brentford', [selection('home', 2 + laterMs / 1e6)], {
      externalId: null,
      laterMs,
    })
  const moved = (book: string) =>
    statement(book, 'Leeds United', 'Brentford', [selection('home', 2)], {
      startsLaterMs: 300 * minute,
      externalId: 'x',
      laterMs: minute,
    })
  const run = (restarts: boolean) => {
    const board = createRealBoard()
    for (const book of ['fanduel', 'draftkings']) {
      board.take([
        statement(book, 'Leeds United', 'Brentford', [selection('home', 2)], { externalId: 'x' }),
      ])
    }
    board.take([listed(0)])
    board.take([moved('fanduel'), moved('draftkings')])
    if (restarts) board.restart()
    board.take([listed(2 * minute)])
    return standing(board)
  }
  expect(run(true)).toEqual(run(false))
})

describe('a statement on the state of a game', () => {
  const prices = (price: number, laterMs: number) =>
    statement('corner_shop', 'Leeds United', 'Brentford', [selection('home', price)], { laterMs })
  const said = (laterMs: number) => status(prices(2, 0), 'upcoming', laterMs)

  it('does not make earlier prices late', () => {
    const board = createRealBoard()
    board.take([prices(2, 0), said(second)])
    board.restart()
    board.take([prices(2.6, 500)])
    expect(standing(board)).toEqual(['brentford-leeds corner_shop home 2.6'])
  })

  it('keeps no prices on the board, and is no sighting of them', () => {
    const board = createRealBoard()
    board.take([prices(2, 0)])
    for (let at = 1; at <= 16; at++) board.take([said(at * minute), tick(at * minute)])
    expect(standing(board)).toEqual([])
    const [sighting] = board.tables.sightings.values()
    expect(sighting).toMatchObject({ lastSeenAt: noon, statedAt: noon + 16 * minute })
  })

  it('is late only after a newer one', () => {
    const board = createRealBoard()
    const final = status(prices(2, 0), 'final', minute)
    board.take([prices(2, 2 * minute), final])
    expect(onlyEvent(board)?.status).toBe('final')
    board.take([said(second)])
    expect(onlyEvent(board)?.status).toBe('final')
  })

  it.each([false, true])('comes before any prices (restarting: %s)', (restarts) => {
    const board = createRealBoard()
    board.take([said(minute)])
    const [sighting] = board.tables.sightings.values()
    expect(sighting).toMatchObject({ lastSeenAt: noon + minute, hasGivenPrices: false })
    if (restarts) board.restart()
    board.take([prices(2, second)])
    expect(standing(board)).toEqual(['brentford-leeds corner_shop home 2'])
  })
})

describe('a suspended copy without a price', () => {
  const home = (price: number | null) => ({
    ...selection('home', 2),
    price,
    suspended: price === null,
  })
  const saying = (laterMs: number, ...prices: (number | null)[]) =>
    statement('corner_shop', 'Leeds United', 'Brentford', prices.map(home), { laterMs })

  it.each([[[null, 2.1]], [[2.1, null]], [[null, 2.1, null]]])(
    'gives way to the price beside it: %j',
    (prices) => {
      const board = createRealBoard()
      board.take([saying(0, 2)])
      board.take([saying(minute, ...prices)])
      expect([...board.tables.odds.values()]).toMatchObject([{ price: 2.1, isActive: true }])
    },
  )

  it('freezes the price if it is alone, and is no price where there was none', () => {
    const board = createRealBoard()
    board.take([saying(0, null)])
    expect(standing(board)).toEqual([])
    board.take([saying(second, 2)])
    board.take([saying(minute, null)])
    expect([...board.tables.odds.values()]).toMatchObject([{ price: 2, isActive: false }])
  })

  it('changes nothing beside the existing price', () => {
    const board = createRealBoard()
    board.take([saying(0, 2)])
    const written = board.take([saying(minute, null, 2)])
    expect(written.map(({ topic }) => topic.name)).toEqual(['sightings'])
  })

  it('does not settle which of two prices it is', () => {
    const board = createRealBoard()
    board.take([saying(0, 2)])
    board.take([saying(minute, 2, null, 2.1)])
    expect(standing(board)).toEqual([])
  })
})

describe('a bet is one bet', () => {
  const total = (book: string, label: string, statCategory: string | null): OddsRecord => {
    const record = statement(book, 'Leeds United', 'Brentford', [])
    const over = { ...selection('over', 1.9), selection: label, line: 2.5 }
    const [market] = record.markets
    return {
      ...record,
      markets: [{ ...market!, marketType: 'total_goals', statCategory, selections: [over] }],
    }
  }

  it('whether its label repeats the line or not', () => {
    const board = createRealBoard()
    board.take([total('fanduel', 'Over 2.5', null), total('draftkings', 'Over', null)])
    expect([...board.tables.odds.values()].map((row) => row.selection)).toEqual(['Over', 'Over'])
  })

  describe('that a delta may name without the label of the snapshot', () => {
    const worded = total('fanduel', 'O 2.5 Goals', null)
    const changed = (how: Partial<FeedSelection>): OddsRecord => ({
      ...total('fanduel', '', null),
      mode: 'delta',
      observedAt: noon + minute,
      markets: worded.markets.map((market) => ({
        ...market,
        selections: market.selections.map((of) => ({ ...of, selection: null, ...how })),
      })),
    })
    const rows = (delta: OddsRecord) => {
      const board = createRealBoard()
      board.take([worded])
      board.take([delta])
      return [...board.tables.odds.values()].map(({ price, isActive }) => [price, isActive])
    }

    it('to move it', () => expect(rows(changed({ price: 1.7 }))).toEqual([[1.7, true]]))
    it('to suspend it', () =>
      expect(rows(changed({ price: null, suspended: true }))).toEqual([[1.9, false]]))
    it('to remove it', () => expect(rows(changed({ price: null, removed: true }))).toEqual([]))
  })

  it('which a row stored under a wording gives way to', () => {
    const board = createRealBoard()
    board.take([total('fanduel', 'Over', null)])
    const [id, row] = [...board.tables.odds][0]!
    board.tables.odds.delete(id)
    board.tables.odds.set('123456789012345', { ...row, id: 123456789012345, selection: 'O 2.5' })
    board.restart()
    board.take([{ ...total('fanduel', 'Over', null), mode: 'delta', observedAt: noon + minute }])
    expect([...board.tables.odds.values()].map(({ selection }) => selection)).toEqual(['Over'])
  })

  it('and a range of goals has no sides', () => {
    const board = createRealBoard()
    const record = (book: string, home: string, away: string): OddsRecord => {
      const of = statement(book, home, away, [])
      const [market] = of.markets
      const selections = [{ ...selection('2_3', 3), selection: '2-3' }]
      return { ...of, markets: [{ ...market!, marketType: 'total_goals_range', selections }] }
    }
    board.take([
      record('fanduel', 'Leeds United', 'Brentford'),
      record('draftkings', 'Brentford', 'Leeds United'),
    ])
    const rows = [...board.tables.odds.values()]
    expect(rows.map(({ selectionType }) => selectionType)).toEqual(['2_3', '2_3'])
  })

  it('and half-time/full-time is told apart by its order, the other way round too', () => {
    const board = createRealBoard()
    const record = (book: string, home: string, away: string, type: string): OddsRecord => {
      const of = statement(book, home, away, [])
      const [market] = of.markets
      const selections = [selection(type, 34)]
      return { ...of, markets: [{ ...market!, marketType: 'halftime_fulltime', selections }] }
    }
    board.take([
      record('fanduel', 'Leeds United', 'Brentford', 'home_away'),
      record('draftkings', 'Brentford', 'Leeds United', 'away_home'),
    ])
    const rows = [...board.tables.odds.values()]
    expect(rows.map(({ selectionType }) => selectionType)).toEqual(['home_away', 'home_away'])
    expect(rows[0]?.selection).toBe('Leeds United / Brentford')
  })
})

describe('an event far ahead', () => {
  const day = 24 * 60 * minute
  const far = (laterMs: number, more: Partial<OddsRecord> = {}): OddsRecord => ({
    ...statement('corner_shop', 'Leeds United', 'Brentford', [selection('home', 2)], {
      laterMs,
      startsLaterMs: 70 * 365 * day,
    }),
    ...more,
  })
  const left = ({ tables: { events, sightings, odds, closingLines } }: Board) =>
    [events, sightings, odds, closingLines].map(({ size }) => size)

  it('is given up after two weeks without prices or a word, a restart or not', () => {
    for (const restarts of [false, true]) {
      const board = createRealBoard()
      board.take([far(0)])
      board.take([tick(14 * day)])
      // The price left after 15 minutes, and its row says so.
      expect(left(board)).toEqual([1, 1, 0, 1])
      if (restarts) board.restart()
      board.take([tick(14 * day + 1)])
      expect(left(board)).toEqual([0, 0, 0, 0])
      board.take([far(15 * day)])
      expect(left(board)).toEqual([1, 1, 1, 0])
      expect(board.eventsSeen()).toBe(1)
    }
  })

  it('stays while a sportsbook speaks of it, also by other records than prices', () => {
    const board = createRealBoard()
    const { event } = far(0)
    board.take([far(0)])
    board.take([status(far(0), 'upcoming', 10 * day)])
    const state = {
      type: 'game_state',
      sportsbook: 'fanduel',
      observedAt: noon + 20 * day,
      event,
      state: {},
    } as const
    board.take([tick(20 * day), state])
    board.take([tick(30 * day)])
    expect(left(board)).toEqual([1, 2, 0, 1])
    board.restart()
    board.take([tick(34 * day)])
    expect(left(board)).toEqual([1, 2, 0, 1])
    board.take([tick(34 * day + 1)])
    expect(left(board)).toEqual([0, 0, 0, 0])
  })
})
