/** The capture of a price's close, its withdrawal, and the reasons for a missing close. */

import { describe, expect, it } from 'vitest'
import type { ClosingLine } from '../../../schemas/closing-line.ts'
import type {
  EventStatus,
  EventStatusRecord,
  OddsRecord,
  TickRecord,
} from '../../../schemas/feed-record.ts'
import { topics } from '../../../schemas/topics.ts'
import { noon, selection, statement } from '../../oracle/moneylines.ts'
import { createRealBoard } from '../../oracle/real-board.ts'

/** Games start at 60 by default; all times are minutes after noon. */
const minute = 60_000
const start = 60

interface Said {
  readonly start?: number
  readonly isLive?: boolean
  readonly suspended?: readonly string[]
  readonly mode?: OddsRecord['mode']
  readonly sides?: readonly [string, string]
  readonly externalId?: string
}

type Prices = Readonly<Record<string, number | null>>
const even: Prices = { home: 2.5, draw: 3.2, away: 2.9 }

function prices(book: string, at: number, of: Prices = even, said: Said = {}): OddsRecord {
  const [home, away] = said.sides ?? ['Leeds United', 'Brentford']
  const selections = Object.entries(of).map(([type, price]) => ({
    ...selection(type, 2),
    price,
    suspended: price === null || (said.suspended?.includes(type) ?? false),
  }))
  const made = statement(book, home, away, selections, {
    laterMs: at * minute,
    startsLaterMs: ((said.start ?? start) - 60) * minute,
    ...(said.externalId && { externalId: said.externalId }),
  })
  const { mode = 'snapshot', isLive = false } = said
  return { ...made, mode, event: { ...made.event, isLive } }
}

function status(book: string, at: number, of: EventStatus, said: Said = {}): EventStatusRecord {
  const { sportsbook, observedAt, event } = prices(book, at, {}, said)
  return { type: 'event_status', sportsbook, observedAt, event, status: of }
}

type Told = OddsRecord | EventStatusRecord | TickRecord

const tick = (at: number): TickRecord => ({ type: 'tick', observedAt: noon + at * minute })

describe.each([false, true])('closing lines (restarting: %s)', (restarts) => {
  function play(...records: readonly Told[]) {
    const board = createRealBoard()
    const latest = new Map<string, number>()
    for (const record of records) {
      for (const { topic, key, value } of board.take([record])) {
        if (topic.name !== topics.closingLines.name || value === null) continue
        const { capturedAt } = value as ClosingLine
        // The archive keeps the row with the latest capture.
        expect(capturedAt).toBeGreaterThanOrEqual(latest.get(key) ?? 0)
        latest.set(key, capturedAt)
      }
      if (restarts) board.restart()
    }
    const rows = [...board.tableOf(topics.closingLines).values()]
    for (const { price, missing, missingSince, pricedAt, startsAt } of rows) {
      expect([price === null, pricedAt === null]).toEqual([missing !== null, missing !== null])
      expect(missingSince === null).toBe(missing === null)
      expect(pricedAt ?? 0).toBeLessThanOrEqual(startsAt)
    }
    return { board, rows }
  }

  /** Returns the price, or the reason and its start, by sportsbook and outcome. */
  function closesOf(...records: readonly Told[]) {
    const { rows } = play(...records)
    const told = rows.map(({ sportsbook, selectionType, price, missing, missingSince }) => [
      `${sportsbook} ${selectionType}`,
      missing === null ? price : `${missing} ${(missingSince! - noon) / minute}`,
    ])
    return Object.fromEntries(told.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)))
  }
  const all = (value: unknown, book = 'a') => ({
    [`${book} away`]: value,
    [`${book} draw`]: value,
    [`${book} home`]: value,
  })
  const evenAt = (book = 'a') => ({
    [`${book} away`]: 2.9,
    [`${book} draw`]: 3.2,
    [`${book} home`]: 2.5,
  })

  it('are the last prices before the start, by the tick that passes it', () => {
    expect(closesOf(prices('a', 0), prices('a', 50, { ...even, home: 2.4 }), tick(60))).toEqual({})
    expect(
      closesOf(prices('a', 0), prices('a', 50, { ...even, home: 2.4 }), tick(60.1), tick(61)),
    ).toEqual({ ...evenAt(), 'a home': 2.4 })
  })

  it('have the start, the capture, the last change and the no-vig probability', () => {
    const { rows } = play(prices('a', 48), prices('a', 50, { ...even, home: 2.4 }), tick(62))
    const home = rows.find(({ selectionType }) => selectionType === 'home')
    expect(home).toMatchObject({
      sport: 'soccer',
      league: 'england_-_premier_league',
      sportsbook: 'a',
      marketType: 'moneyline',
      selection: 'Leeds United',
      startsAt: noon + 60 * minute,
      capturedAt: noon + 60 * minute,
      pricedAt: noon + 50 * minute,
    })
    const sum = rows.reduce((total, { noVig }) => total + noVig!, 0)
    expect(sum).toBeCloseTo(1, 11)
    // The power is the same for every outcome: ln p / ln r.
    const powers = rows.map(({ noVig, price }) => Math.log(noVig!) / Math.log(1 / price!))
    for (const power of powers) expect(power).toBeCloseTo(powers[0]!, 9)
  })

  it('have no no-vig probability where the draw was withdrawn, whatever the sport', () => {
    const boxing = (record: OddsRecord): OddsRecord => ({
      ...record,
      event: { ...record.event, sport: 'boxing', league: 'boxing' },
    })
    const { draw: _, ...two } = even
    const { rows } = play(boxing(prices('a', 50)), boxing(prices('a', 55, two)), tick(61))
    expect(
      rows.map(({ selectionType, missing, noVig }) => [selectionType, missing, noVig]),
    ).toEqual(
      expect.arrayContaining([
        ['home', null, null],
        ['away', null, null],
        ['draw', 'withdrawn', null],
      ]),
    )
  })

  it('are unchanged by a price after the start that came first, without any tick', () => {
    expect(closesOf(prices('a', 50), prices('a', 60.5, { ...even, home: 9 }))).toEqual(evenAt())
  })

  it('are those from before the sportsbook went into play, be it early or late', () => {
    const inPlay = (at: number) => prices('a', at, { home: 1.1, away: 30 }, { isLive: true })
    expect(closesOf(prices('a', 50), inPlay(58), tick(61))).toEqual(evenAt())
    expect(closesOf(prices('a', 50), tick(61), prices('a', 64), inPlay(65))).toEqual(evenAt())
  })

  it('are captured by sportsbook', () => {
    expect(
      closesOf(
        prices('a', 50),
        prices('b', 50),
        prices('a', 58, { home: 1.1 }, { isLive: true }),
        prices('b', 59, { ...even, home: 2.2 }),
        tick(61),
      ),
    ).toEqual({ ...evenAt(), ...evenAt('b'), 'b home': 2.2 })
  })

  it('omit prices first listed in play', () => {
    const inPlay = prices('a', 65, { home: 1.5 }, { isLive: true })
    expect(closesOf(inPlay, tick(66))).toEqual({})
  })

  it('are taken back when a sportsbook was in play by mistake', () => {
    expect(
      closesOf(
        prices('a', 10),
        prices('a', 20, { home: 1.1 }, { isLive: true }),
        prices('a', 50, { home: 2.3, away: 3 }),
        tick(61),
      ),
    ).toEqual({ 'a home': 2.3, 'a away': 3, 'a draw': 'withdrawn 50' })
  })

  it('record what was withdrawn before the start, and forget that when it is listed again', () => {
    const { draw: _, ...two } = even as Record<string, number>
    expect(closesOf(prices('a', 40), prices('a', 50, two), tick(51))).toEqual({
      'a draw': 'withdrawn 50',
    })
    expect(closesOf(prices('a', 40), prices('a', 50, two), tick(61))).toEqual({
      'a away': 2.9,
      'a home': 2.5,
      'a draw': 'withdrawn 50',
    })
    expect(closesOf(prices('a', 40), prices('a', 50, two), prices('a', 55))).toEqual({})
    expect(closesOf(prices('a', 40), prices('a', 50, two), prices('a', 55), tick(61))).toEqual(
      evenAt(),
    )
  })

  it('count a price as withdrawn a quarter of an hour after it was last seen, whenever that is noticed', () => {
    expect(closesOf(prices('a', 30), tick(46))).toEqual(all('withdrawn 45'))
    expect(closesOf(prices('a', 30), tick(300))).toEqual(all('withdrawn 45'))
    expect(closesOf(prices('a', 30), prices('a', 61))).toEqual(all('withdrawn 45'))
    expect(closesOf(prices('a', 50), tick(66))).toEqual(evenAt())
  })

  it('record what was suspended, and devig nothing that lacks an outcome', () => {
    const { rows } = play(prices('a', 50), prices('a', 55, even, { suspended: ['draw'] }), tick(61))
    expect(rows.map(({ noVig }) => noVig)).toEqual([null, null, null])
    expect(rows.find(({ selectionType }) => selectionType === 'draw')).toMatchObject({
      missing: 'suspended',
      missingSince: noon + 55 * minute,
    })
  })

  it('record what was only ever listed suspended', () => {
    expect(closesOf(prices('a', 50, { ...even, draw: null }), tick(61))).toEqual({
      ...evenAt(),
      'a draw': 'never_priced 50',
    })
    expect(closesOf(prices('a', 50, { ...even, draw: null }), prices('a', 55), tick(61))).toEqual(
      evenAt(),
    )
    // A price in play does not count.
    expect(
      closesOf(prices('a', 50, { ...even, draw: null }), prices('a', 61, even, { isLive: true })),
    ).toEqual({ ...evenAt(), 'a draw': 'never_priced 50' })
  })

  it('record what was first listed after the start, though not in play', () => {
    const two = { home: 2.5, away: 2.9 }
    expect(closesOf(prices('a', 55, two), tick(61), prices('a', 62), tick(63))).toEqual({
      'a home': 2.5,
      'a away': 2.9,
      'a draw': 'late_listing 62',
    })
    expect(closesOf(prices('a', 62), prices('b', 50), tick(63))).toEqual({
      ...all('late_listing 62'),
      ...evenAt('b'),
    })
    const unpriced = prices('a', 50, { ...even, draw: null })
    expect(closesOf(unpriced, tick(61), prices('a', 62), tick(63))).toEqual({
      ...evenAt(),
      'a draw': 'late_listing 62',
    })
  })

  it('remain when a price is withdrawn, and listed again, after the start', () => {
    expect(
      closesOf(prices('a', 55), tick(61), prices('a', 62, {}), prices('a', 63), tick(64)),
    ).toEqual(evenAt())
  })

  describe('when the start moves', () => {
    const later = { start: 90 }

    it('are captured at the new one', () => {
      expect(closesOf(prices('a', 50), prices('a', 55, even, later), tick(61), tick(62))).toEqual(
        {},
      )
      const last = prices('a', 80, { ...even, home: 2 }, later)
      expect(closesOf(prices('a', 50), last, tick(91))).toEqual({ ...evenAt(), 'a home': 2 })
      const { rows } = play(prices('a', 50), last, tick(91))
      expect(rows[0]?.startsAt).toBe(noon + 90 * minute)
    })

    it('are taken back for a later one, stated after the first has passed', () => {
      const moved = prices('a', 65, { home: 2.4, away: 2.9 }, later)
      expect(closesOf(prices('a', 50), tick(61), moved)).toEqual({ 'a draw': 'withdrawn 65' })
      const last = prices('a', 80, { home: 2.3, away: 2.9 }, later)
      expect(closesOf(prices('a', 50), tick(61), moved, last, tick(91))).toEqual({
        'a home': 2.3,
        'a away': 2.9,
        'a draw': 'withdrawn 65',
      })
    })

    it('remain for a later one that has passed too', () => {
      expect(
        closesOf(
          prices('a', 50),
          tick(61),
          prices('a', 70, { home: 2.4 }, { start: 65 }),
          tick(71),
        ),
      ).toEqual(evenAt())
    })

    it('remain once the game has begun, whatever start is stated then', () => {
      const inPlay = prices('b', 61, { home: 1.5 }, { isLive: true })
      const records = [prices('a', 50), prices('b', 50), inPlay, tick(62)]
      const moved = ['a', 'b'].map((book) => prices(book, 70, { home: 7 }, { start: 1_500 }))
      expect(closesOf(...records, ...moved, tick(1_501))).toEqual({
        ...evenAt(),
        ...evenAt('b'),
      })
    })

    describe('of a game that was played', () => {
      const begun = [prices('a', 50), prices('a', 61, { home: 1.5 }, { isLive: true })]
      const last = { home: 7, draw: 5, away: 1.3 }
      const again = (at: number, of = 1_500) => prices('a', at, last, { start: of })

      it.each([
        ['given up without a word', [prices('a', 120, {}, { isLive: true }), tick(200), tick(900)]],
        ['postponed, and on again', [status('a', 120, 'postponed'), status('a', 130, 'upcoming')]],
        ['ended too early', [status('a', 120, 'final'), status('a', 130, 'upcoming')]],
        ['listed with another start already', [again(120, 1_400)]],
      ])('remain when it is resumed at another: %s', (_, stopped) => {
        const resumed = [again(901), again(1_490), tick(1_501)]
        expect(closesOf(...begun, ...stopped, ...resumed)).toEqual(evenAt())
        const moved = [again(901), again(902, 1_600), again(1_590, 1_600), tick(1_601)]
        expect(closesOf(...begun, ...stopped, ...moved)).toEqual(evenAt())
      })

      it('are taken back where play was told by mistake', () => {
        const denied = prices('a', 62, even)
        expect(closesOf(...begun, denied, again(901), again(1_490), tick(1_501))).toEqual({
          'a away': 1.3,
          'a draw': 5,
          'a home': 7,
        })
      })
    })

    it('are captured at an earlier one that is still to come', () => {
      const moved = prices('a', 50, even, { start: 55 })
      expect(closesOf(prices('a', 45), moved, tick(56))).toEqual(evenAt())
    })

    it('exclude prices after an earlier one that has passed', () => {
      const moved = prices('a', 50, { ...even, home: 2.4 }, { start: 40 })
      expect(closesOf(prices('a', 30), prices('a', 45, { ...even, away: 2.8 }), moved)).toEqual({
        'a draw': 3.2,
        'a home': 'start_corrected 50',
        'a away': 'start_corrected 50',
      })
      expect(closesOf(prices('a', 30), prices('a', 45, {}), moved)).toEqual(
        all('start_corrected 50'),
      )
    })
  })

  describe('of a postponed game', () => {
    const off = (at: number, of: EventStatus = 'postponed') => status('a', at, of)

    it.each(['postponed', 'cancelled'] as const)('say so: %s before the start', (of) => {
      expect(closesOf(prices('a', 50), off(55, of), tick(61))).toEqual(all('postponed 55'))
    })

    it.each(['postponed', 'cancelled'] as const)('say so: %s after it, before play', (of) => {
      expect(closesOf(prices('a', 50), tick(61), off(65, of))).toEqual(all('postponed 65'))
    })

    it('remain if it had begun', () => {
      const inPlay = prices('a', 61, { home: 1.5 }, { isLive: true })
      expect(closesOf(prices('a', 50), inPlay, off(70), tick(71))).toEqual(evenAt())
      const resumed = prices('a', 80, { home: 4 }, { start: 1_500 })
      expect(closesOf(prices('a', 50), inPlay, off(70), resumed, tick(1_501))).toEqual(evenAt())
    })

    it('are captured anew at the new start', () => {
      const again = prices('a', 80, { home: 2, away: 3 }, { start: 1_500 })
      const last = prices('a', 1_490, { home: 2.1, away: 3 }, { start: 1_500 })
      const expected = { 'a home': 2.1, 'a away': 3 }
      expect(closesOf(prices('a', 50), off(55), tick(61), again, last, tick(1_501))).toEqual({
        ...expected,
        'a draw': expect.stringMatching(/^withdrawn/),
      })
    })

    it('are of the old start for a sportsbook that denies its beginning', () => {
      expect(
        closesOf(
          prices('a', 50),
          prices('b', 50),
          tick(61),
          off(62),
          status('b', 62, 'postponed'),
          prices('b', 63, even, { isLive: true }),
          prices('a', 63, { ...even, home: 2.2 }),
          tick(64),
        ),
      ).toMatchObject(evenAt())
    })

    it('are captured where it begins, without a new start', () => {
      const inPlay = prices('a', 75, { home: 1.5 }, { isLive: true })
      const before = prices('a', 70, { ...even, home: 2.2 })
      expect(
        closesOf(
          prices('a', 50),
          prices('b', 62),
          off(55),
          status('b', 63, 'postponed'),
          tick(64),
          before,
          inPlay,
        ),
      ).toEqual({ ...evenAt(), 'a home': 2.2, ...evenAt('b') })
    })

    it('are also of prices that were first listed while it waited', () => {
      const waiting = [
        ...[prices('a', 50), prices('b', 50), off(55), status('b', 55, 'postponed'), tick(61)],
        prices('c', 70),
      ]
      expect(closesOf(...waiting)).toMatchObject(all('postponed 70', 'c'))
      const inPlay = prices('a', 75, { home: 1.5 }, { isLive: true })
      expect(closesOf(...waiting, inPlay)).toMatchObject(evenAt('c'))
    })

    it('are those of the day it is resumed, of a sportsbook that had none', () => {
      const inPlay = prices('a', 61, { home: 1.5 }, { isLive: true })
      const resumed = prices('a', 80, { home: 4 }, { start: 1_500 })
      const other = prices('b', 90, even, { start: 1_500 })
      expect(closesOf(prices('a', 50), inPlay, off(70), resumed, other, tick(1_501))).toEqual({
        ...evenAt(),
        ...all('withdrawn 105', 'b'),
      })
      const last = prices('b', 1_490, even, { start: 1_500 })
      const said = [prices('a', 50), inPlay, off(70), resumed, other, last, tick(1_501)]
      expect(closesOf(...said)).toEqual({ ...evenAt(), ...evenAt('b') })
    })
  })

  describe('of a sportsbook that corrects itself', () => {
    const swapped: Said = { sides: ['Brentford', 'Leeds United'] }

    it('keep their sides when it reverses them', () => {
      const turned = prices('b', 50, { home: 2.9, draw: 3.2, away: 2.5 }, swapped)
      expect(closesOf(prices('a', 50), turned, tick(61))).toEqual({ ...evenAt(), ...evenAt('b') })
    })

    it('are of the corrected sides before the start, and of none after it', () => {
      const wrong = prices(
        'b',
        50,
        { home: 2.5, draw: 3.2, away: 2.9 },
        { ...swapped, externalId: '7' },
      )
      const right = (at: number) => prices('b', at, even, { externalId: '7' })
      expect(closesOf(prices('a', 50), wrong, right(55), tick(61))).toEqual({
        ...evenAt(),
        ...evenAt('b'),
      })
      expect(closesOf(prices('a', 50), wrong, tick(61), right(62), tick(63))).toEqual({
        ...evenAt(),
        ...all('misplaced 62', 'b'),
      })
    })

    it('go on under another id of the game', () => {
      const renumbered = prices('a', 55, { home: 2.4, away: 2.9 }, { externalId: '8' })
      expect(closesOf(prices('a', 50), renumbered, tick(61))).toEqual({
        'a home': 2.4,
        'a away': 2.9,
        'a draw': 'withdrawn 55',
      })
    })

    it('leave a game that it has given to another', () => {
      const other = prices('a', 55, even, {
        sides: ['Everton', 'Arsenal'],
        externalId: 'a Brentford,Leeds United',
      })
      const { rows } = play(prices('a', 50), other, tick(61))
      const told = rows.map(({ eventId, missing }) => `${eventId.split('_')[4]} ${missing}`)
      expect(told.sort()).toEqual([
        ...Array(3).fill('arsenal null'),
        ...Array(3).fill('brentford withdrawn'),
      ])
    })
  })

  describe('when clocks go wrong', () => {
    it('mend themselves after a tick from the future', () => {
      expect(
        closesOf(
          prices('a', 30),
          tick(90),
          tick(31),
          prices('a', 32),
          prices('a', 50, { ...even, home: 2.1 }),
          tick(61),
        ),
      ).toEqual({ ...evenAt(), 'a home': 2.1 })
    })

    it('accept a price from before the start that comes after it', () => {
      expect(
        closesOf(prices('a', 50), tick(61), prices('a', 59, { home: 2.1, away: 3 }), tick(62)),
      ).toEqual({ 'a home': 2.1, 'a away': 3, 'a draw': 'withdrawn 59' })
    })

    it('remain at a second capture, which is only of prices listed after 48 hours', () => {
      const day = 24 * 60
      const suspended = prices('a', 10, { home: 1.5, away: 2.9 }, { suspended: ['home'] })
      const inPlay = prices('a', 20, {}, { isLive: true })
      const late = prices('a', 4 * day, { draw: 3 })
      expect(closesOf(suspended, inPlay, late, status('a', 2 * day, 'final'))).toEqual({
        'a home': 'suspended 10',
        'a away': 2.9,
        'a draw': 'start_corrected 60',
      })
    })

    it('ignore a statement that is older than the last', () => {
      expect(closesOf(prices('a', 55), prices('a', 50, { home: 9 }), tick(61))).toEqual(evenAt())
    })
  })

  it('are gone 48 hours after the start', () => {
    const inPlay = prices('a', 61, { home: 1.5 }, { isLive: true })
    const { board, rows } = play(prices('a', 50), prices('b', 50), inPlay, tick(62))
    expect(rows).toHaveLength(6)
    board.take([tick(60 + 48 * 60)])
    expect(board.tableOf(topics.closingLines).size).toBe(6)
    board.take([tick(61 + 48 * 60)])
    expect(board.tableOf(topics.closingLines).size).toBe(0)
    expect(board.tables.events.size).toBe(0)
  })

  it('are captured of a game that stays on the board for days, and is on again', () => {
    const days = 3 * 24 * 60
    const { board } = play(
      prices('a', 50),
      status('a', 55, 'postponed'),
      ...Array.from({ length: days / 10 }, (_, i) => [
        prices('a', 60 + 10 * i),
        tick(61 + 10 * i),
      ]).flat(),
      prices('a', days, even, { start: days + 60 }),
      prices('a', days + 50, { ...even, home: 2 }, { start: days + 60 }),
      tick(days + 61),
    )
    const told = [...board.tableOf(topics.closingLines).values()].map(({ price }) => price)
    expect(told.sort()).toEqual([2, 2.9, 3.2])
  })
})
