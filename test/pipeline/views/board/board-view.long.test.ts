import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LogRecord } from '../../../../pipeline/log/log.ts'
import { countLevel, eventListKey } from '../../../../pipeline/views/board/board-index.ts'
import { type BoardView, createBoardView } from '../../../../pipeline/views/board/board-view.ts'
import type { OddsFilter } from '../../../../pipeline/views/query/odds-filter.ts'
import { topics } from '../../../../schemas/topics.ts'
import {
  announcements,
  anyFilter,
  anyOp,
  baseTime,
  changelog,
  eventId,
  eventRow,
  type Op,
  oddsRow,
  position,
  recordOf,
} from '../histories.ts'
import {
  createNaiveBoard,
  logRecord,
  type NaiveBoard,
  readPage,
  rendered,
  walk,
} from '../naive-board.ts'

const page = { limit: 200, offset: 0 }

function expectPage(
  view: BoardView,
  naive: NaiveBoard,
  filter: OddsFilter,
  range: { limit: number; offset: number },
) {
  const all = naive.matching(filter)
  const expected = all.slice(range.offset, range.offset + range.limit)
  const actual = readPage(view, filter, range)
  expect(actual.rows).toEqual(expected.map(rendered))
  expect(actual.total).toBe(all.length)
  expect(actual.count).toBe(expected.length)
  expect(actual.hasMore).toBe(range.offset + expected.length < all.length)
  expect(actual.books).toEqual(new Set(expected.map(({ odds }) => odds.sportsbook)))
  expect(actual.updatedAt).toBe(Math.max(0, ...expected.map(({ lastSeenAt }) => lastSeenAt)))
  expect(actual.last === null).toBe(expected.length === 0)
}

function expectSame(view: BoardView, naive: NaiveBoard) {
  const rows = naive.rows()
  expect(walk(view, {}, 200)).toEqual(rows.map(rendered))
  expect(view.rows.size).toBe(rows.length)
  expect(view.total(countLevel.all, undefined, undefined)).toBe(rows.length)
  const listed = [...new Set(rows.map(({ event }) => event.id))]
  expect(view.events(eventListKey.all).map(({ id }) => id)).toEqual(listed)
  expect(view.eventCount).toBe(listed.length)
  expect(view.events(eventListKey.live).map(({ id }) => id)).toEqual([
    ...new Set(rows.filter(({ odds }) => odds.isLive).map(({ event }) => event.id)),
  ])
  expect(new Set(view.leagues().map(({ league }) => league))).toEqual(
    new Set(rows.map(({ event }) => event.league)),
  )
  expect(new Set(view.marketTypes())).toEqual(new Set(rows.map(({ odds }) => odds.marketType)))
  for (const sportsbook of new Set(rows.map(({ odds }) => odds.sportsbook))) {
    const offered = rows.filter(({ odds }) => odds.sportsbook === sportsbook)
    expect(view.events(eventListKey.book(sportsbook)).map(({ id }) => id)).toEqual([
      ...new Set(offered.map(({ event }) => event.id)),
    ])
  }
  for (const { odds, event } of rows) {
    const row = view.rows.find(odds.id)
    expect(view.rows.parse(row)).toMatchObject({
      id: String(odds.id),
      market_type: odds.marketType,
    })
    expect(view.rows.price(row)).toBe(odds.price)
    expect(view.rows.changedAt(row)).toBe(odds.changedAt)
    expect(view.rows.isActive(row)).toBe(odds.isActive)
    const offer = view.find(event.id)?.offers.get(odds.sportsbook)
    expect(offer?.externalId).toBe(naive.externalId(event.id, odds.sportsbook))
  }
}

const steps = fc.array(
  fc.record({
    ops: fc.array(anyOp(), { minLength: 1, maxLength: 12 }),
    reset: fc.nat(40).map((n) => n === 0),
    filter: anyFilter,
    limit: fc.integer({ min: 1, max: 30 }),
    offset: fc.nat(20),
  }),
  { maxLength: 25 },
)

describe('the board view against a naive one', () => {
  it.each([
    ['all sportsbooks', undefined],
    ['two sportsbooks', new Set(['draftkings', 'fanduel'])],
  ])('serves the same pages after every step, with %s', (_name, books) => {
    fc.assert(
      fc.property(fc.boolean(), steps, (announced, history) => {
        const view = createBoardView(books ? { books } : {})
        const naive = createNaiveBoard(books)
        const start = announced ? announcements() : []
        view.apply(start, position, 0)
        naive.applyAll(start)
        for (const { ops, reset, filter, limit, offset } of history) {
          if (reset) {
            view.reset(0)
            naive.clear()
          }
          const records = changelog(ops, naive)
          view.apply(records, position, 0)
          naive.applyAll(records)
          expectPage(view, naive, {}, page)
          expectPage(view, naive, filter, { limit, offset })
          expect(walk(view, filter, limit)).toEqual(naive.matching(filter).map(rendered))
        }
        expectSame(view, naive)
      }),
      { numRuns: 50 },
    )
  })

  it('neither repeats nor loses rows that stay while a walk goes on', () => {
    fc.assert(
      fc.property(
        fc.array(anyOp(0), { minLength: 40, maxLength: 160 }),
        fc.array(fc.array(anyOp(0), { maxLength: 8 }), { maxLength: 60 }),
        anyFilter,
        fc.integer({ min: 1, max: 7 }),
        (before, between, filter, limit) => {
          const view = createBoardView()
          const naive = createNaiveBoard()
          const take = (records: readonly LogRecord[]) => {
            view.apply(records, position, 0)
            naive.applyAll(records)
          }
          take(announcements())
          take(changelog(before, naive))
          const stay = new Set(naive.matching(filter).map(({ odds }) => String(odds.id)))
          const everThere = new Set(stay)
          const walked: string[] = []
          let after: ReturnType<typeof readPage>['last'] = null
          for (let turn = 0; ; turn++) {
            const next = readPage(view, filter, { limit, offset: 0, ...(after && { after }) })
            walked.push(...next.rows.map(({ id }) => String(id)))
            if (!next.hasMore) break
            if (turn > 1_000) throw new Error('the walk goes round')
            after = next.last
            for (const record of changelog(between[turn] ?? [], naive)) {
              take([record])
              const now = new Set(naive.matching(filter).map(({ odds }) => String(odds.id)))
              for (const id of stay) if (!now.has(id)) stay.delete(id)
              for (const id of now) everThere.add(id)
            }
          }
          expect(new Set(walked).size).toBe(walked.length)
          expect([...stay].filter((id) => !walked.includes(id))).toEqual([])
          expect(walked.filter((id) => !everThere.has(id))).toEqual([])
        },
      ),
      { numRuns: 60 },
    )
  })
})

type OddsOp = Extract<Op, { op: 'odds' }>
const price: OddsOp = {
  op: 'odds',
  fixture: 0,
  book: 0,
  answer: 0,
  price: 2.5,
  changed: false,
  isLive: false,
  isActive: true,
  at: 0,
}
const oddsRecord = (row: ReturnType<typeof oddsRow>) => logRecord(topics.odds, String(row.id), row)

function boards() {
  const view = createBoardView()
  const naive = createNaiveBoard()
  return {
    view,
    naive,
    take(records: readonly LogRecord[]) {
      view.apply(records, position, 0)
      naive.applyAll(records)
    },
  }
}

describe('the board view', () => {
  it('takes up the current label and category of a row', () => {
    const { view, naive, take } = boards()
    take(announcements())
    const row = { ...oddsRow({ ...price, answer: 12 }), statCategory: 'a' }
    take([oddsRecord(row)])
    take([oddsRecord({ ...row, selection: 'Leeds United or Draw', statCategory: 'b' })])
    expectSame(view, naive)
  })

  it('shows the category of each sportsbook on its own row', () => {
    const { view, naive, take } = boards()
    take(announcements())
    take([
      oddsRecord({ ...oddsRow({ ...price, answer: 9, book: 0 }), statCategory: 'points' }),
      oddsRecord({ ...oddsRow({ ...price, answer: 9, book: 1 }), statCategory: null }),
    ])
    expectSame(view, naive)
    const [block] = view.find(eventId(0))!.blocks
    expect(block!.selections).toHaveLength(1)
    take([
      recordOf({ op: 'event', fixture: 0, day: 1, flipped: true, rename: true, isLive: false }),
    ])
    expectSame(view, naive)
  })

  it('tells selections apart whatever characters their names have', () => {
    const { view, naive, take } = boards()
    take(announcements())
    const row = oddsRow({ ...price, answer: 9 })
    take([
      oddsRecord({ ...row, id: 5e14, playerName: 'A|1|over', line: null, selection: 'L' }),
      oddsRecord({ ...row, id: 6e14, playerName: 'A', line: 1, selection: '|over|L' }),
    ])
    expectSame(view, naive)
  })

  it('keeps no row that was withdrawn before its event arrived', () => {
    const { view, naive, take } = boards()
    take([recordOf(price)])
    take([recordOf({ ...price, op: 'oddsGone' } as Op)])
    take(announcements())
    expect(naive.rows()).toEqual([])
    expectSame(view, naive)
  })

  it('keeps nothing waiting for an event that has arrived', () => {
    const { view, naive, take } = boards()
    take([recordOf(price)])
    take(announcements())
    take([recordOf({ op: 'eventGone', fixture: 0 }), recordOf({ ...price, price: 3 })])
    take([recordOf({ ...price, op: 'oddsGone' } as Op), ...announcements()])
    expectSame(view, naive)
  })

  it('keeps the prices of an event that is recreated before its tombstone has come', () => {
    const { view, naive, take } = boards()
    take([...announcements(), recordOf(price)])
    take([recordOf({ op: 'eventGone', fixture: 0 })])
    expect(view.rows.size).toBe(1)
    take(announcements())
    expectSame(view, naive)
    take([recordOf({ op: 'eventGone', fixture: 0 }), recordOf({ ...price, op: 'oddsGone' } as Op)])
    expect(view.find(eventId(0))).toBe(undefined)
    expectSame(view, naive)
  })

  it('forgets rows waiting for an event that is gone', () => {
    const { view, naive, take } = boards()
    take([recordOf(price)])
    take([recordOf({ op: 'eventGone', fixture: 0 })])
    take(announcements())
    expectSame(view, naive)
  })

  it('counts a league by sport where two sports have a league of one name', () => {
    const { view, naive, take } = boards()
    const event = eventRow({
      op: 'event',
      fixture: 0,
      day: 0,
      flipped: false,
      rename: false,
      isLive: false,
    })
    const row = oddsRow(price)
    take([
      logRecord(topics.events, 'a', { ...event, id: 'a', league: 'friendlies', sport: 'soccer' }),
      logRecord(topics.events, 'b', { ...event, id: 'b', league: 'friendlies', sport: 'hockey' }),
      oddsRecord({ ...row, id: 5e14, eventId: 'a' }),
      oddsRecord({ ...row, id: 6e14, eventId: 'b', sportsbook: 'pinnacle' }),
      oddsRecord({ ...row, id: 7e14, eventId: 'b', sportsbook: 'fanduel' }),
    ])
    for (const sport of ['soccer', 'hockey']) {
      expectPage(view, naive, { sports: [sport] }, page)
      expectPage(view, naive, { sports: [sport], leagues: ['friendlies'] }, page)
      expectPage(view, naive, { sports: [sport], marketTypes: ['moneyline'] }, page)
    }
  })

  it('pages by offset to the last row and no further', () => {
    const { view, naive, take } = boards()
    take(announcements())
    for (let i = 0; i < 30; i++) {
      take([recordOf({ ...price, fixture: i % 5, answer: i % 9, book: i % 4, isLive: i > 27 })])
    }
    for (const live of [undefined, true, false]) {
      const { length } = naive.matching({ live })
      for (let offset = 0; offset <= length + 1; offset++) {
        expectPage(view, naive, { live }, { limit: 7, offset })
      }
    }
  })

  it.each([1.000001, 1e15, 1e21, 1e300, 1e307, Number.MAX_VALUE])(
    'writes JSON whatever the price is: %s',
    (value) => {
      const { view, take } = boards()
      take(announcements())
      take([recordOf(price), recordOf({ ...price, price: value, answer: 1 })])
      const [, row] = readPage(view, {}, page).rows
      expect(row?.odds_decimal).toEqual(expect.any(Number))
      expect(row?.odds_american).toEqual(expect.any(Number))
    },
  )

  it('reports that it is empty after a reset', () => {
    const { view, take } = boards()
    take([...announcements(), recordOf(price)])
    expect(view.updatedAt).toBe(baseTime)
    view.reset(0)
    expect(view.rows.size).toBe(0)
    expect(view.position).toBe(null)
    expect(view.leagues()).toEqual([])
    expect(view.marketTypes()).toEqual([])
    expect(view.updatedAt).toBe(0)
  })

  it('knows its position', () => {
    const view = createBoardView()
    const upTo = { epoch: 'e', offsets: { odds: [3] } }
    view.apply([], upTo, 0)
    expect(view.position).toEqual(upTo)
  })

  it('holds many rows, and takes the room of removed ones again', () => {
    const { view, naive, take } = boards()
    take(announcements())
    const line = (i: number) => ({
      ...oddsRow({ ...price, fixture: i % 5, book: i % 4, answer: 7, price: 1.5 + (i % 40) / 10 }),
      id: 2e14 + i,
      line: i,
    })
    const count = 5_000
    // Not in page order, so that rows are inserted between others.
    const order = Array.from({ length: count }, (_, i) => (i * 7_919) % count)
    take(order.map((i) => oddsRecord(line(i))))
    expect(view.rows.size).toBe(count)
    expect(walk(view, {}, 200)).toEqual(naive.rows().map(rendered))
    const held = view.rows.heldTextBytes
    for (let round = 0; round < 3; round++) {
      const some = order.filter((i) => i % 3 !== round)
      take(some.map((i) => logRecord(topics.odds, String(2e14 + i), null)))
      expect(view.rows.size).toBe(count - some.length)
      take(some.map((i) => oddsRecord({ ...line(i), changedAt: baseTime })))
    }
    expect(view.rows.size).toBe(count)
    expect(view.rows.heldTextBytes).toBeLessThan(2.5 * held)
    expect(walk(view, {}, 200)).toEqual(naive.rows().map(rendered))
    take(order.map((i) => logRecord(topics.odds, String(2e14 + i), null)))
    expect(view.rows.size).toBe(0)
    expect(view.eventCount).toBe(0)
    expectSame(view, naive)
  })
})
