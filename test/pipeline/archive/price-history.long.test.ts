/**
 * The valid close of a price that the archive has twice after a correction, the course of prices in few
 * points, and prices of a past board that are unchanged since before the start.
 */

import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createArchiveAccess } from '../../../api/archive-access.ts'
import {
  always,
  type ChangesQuery,
  closesOf,
  type EventPrice,
  instantOf,
  pricesOfEvents,
} from '../../../pipeline/archive/price-history.ts'
import { shownPrice } from '../../../pipeline/rules/odds/odds.ts'
import { type InProcess, startInProcess } from '../../api/service-in-process.ts'
import { type EngineArchive, startEngineArchive } from './engine-archive.ts'

const limits = { seconds: 30, resultRows: 1e6, readRows: 1e8, memoryBytes: 1e9 }
const starts = '2027-01-14 20:00:00.000'
const listed = '2027-01-14 10:00:00.000'
const sportsbooks = { only: undefined, hidden: [] }
const all: ChangesQuery = {
  period: always,
  sportsbooks,
  eventIds: undefined,
  leagues: undefined,
  sports: undefined,
  marketTypes: undefined,
}

let engine: EngineArchive
let service: InProcess

/** Orders of arrival of two closes with equal times. The second on the log is right. */
const arrivals = [
  { odds_id: 1, offsets: [11, 12] },
  { odds_id: 2, offsets: [12, 11] },
]

beforeAll(async () => {
  engine = await startEngineArchive()
  const { archive } = engine
  service = await startInProcess({
    archive: createArchiveAccess(archive),
    startAt: Date.parse('2027-01-15T00:00:00Z'),
  })
  const of = { event_id: 'e', league: 'nba', log_epoch: 'log', log_partition: 0 }
  await archive.insert('event_changes', 'events', [
    {
      event_id: 'e',
      league: 'nba',
      sport: 'basketball',
      home_team: 'Knicks',
      away_team: 'Nets',
      starts_at: starts,
      updated_at: listed,
      log_epoch: 'log',
      log_offset: 1,
    },
  ])
  const price = { sportsbook: 'a', market_type: 'moneyline', selection: 'Knicks' }
  for (const { odds_id, offsets } of arrivals) {
    const named = { ...of, ...price, odds_id, selection_type: 'home', line: null }
    const { log_epoch: _, log_partition: __, ...listing } = named
    await archive.insert('prices', `prices ${odds_id}`, [{ ...listing, listed_at: listed }])
    await archive.insert('price_changes', `changes ${odds_id}`, [
      { ...of, odds_id, at: listed, price: 1.5, what: 1, is_active: true, log_offset: odds_id },
    ])
    for (const offset of offsets) {
      const close = { starts_at: starts, captured_at: starts, priced_at: listed }
      await archive.insert('closing_lines', `close ${odds_id} ${offset}`, [
        {
          ...{ ...named, ...close, sport: 'basketball', price: offset, log_offset: offset },
          // Only the right close is withheld.
          withheld: offset === 12 ? 'swapped' : null,
        },
      ])
    }
  }
})
afterAll(async () => {
  await service.close()
  await engine.close()
})

it('is the later on the log, of an event', async () => {
  const { statement, parameters } = pricesOfEvents({
    eventIds: ['e'],
    sportsbooks,
    marketTypes: undefined,
  })
  const rows = await engine.archive.query(statement, parameters, limits)
  expect(rows).toMatchObject([
    { close_price: 12, close_withheld: 'swapped' },
    { close_price: 12, close_withheld: 'swapped' },
  ])
})

it('is the later on the log, in a file of closes', async () => {
  const { statement, parameters } = closesOf(all, false)
  const rows = await engine.archive.query(statement, parameters, limits)
  expect(rows).toMatchObject([
    { odds_decimal: 12, withheld: 'swapped' },
    { odds_decimal: 12, withheld: 'swapped' },
  ])
})

it('is in one order, with each price on one page of it', async () => {
  const of = { event_id: 'o', league: 'nba', log_epoch: 'log' }
  await engine.archive.insert('event_changes', 'event of lines', [
    {
      ...{ ...of, sport: 'basketball', home_team: 'Bulls', away_team: 'Magic' },
      ...{ starts_at: starts, updated_at: listed, log_offset: 3 },
    },
  ])
  // A main line and alternates of the same side: some differ in the sign alone, or in nothing that is shown.
  const lines = [4.5, -4.5, 4.5, -4.5, 4.5, -4.5, -4.5, 4.5]
  const ids = lines.map((_, i) => 900 - i)
  await engine.archive.insert(
    'prices',
    'prices of lines',
    lines.map((line, i) => ({
      ...{ ...of, odds_id: ids[i], sportsbook: 'a', market_type: 'point_spread', line },
      ...{ selection: 'Bulls', selection_type: 'home', listed_at: listed, log_offset: 500 + i },
    })),
  )
  await engine.archive.insert(
    'price_changes',
    'changes of lines',
    ids.map((odds_id, i) => ({
      ...{ ...of, odds_id, at: listed, price: 1.9, what: 1, is_active: true },
      ...{ log_partition: 0, log_offset: 500 + i },
    })),
  )
  const wanted = [-4.5, 4.5].flatMap((line) => ids.filter((_, i) => lines[i] === line).sort())
  const { statement, parameters } = pricesOfEvents({
    ...{ eventIds: ['o'], sportsbooks, marketTypes: undefined },
  })
  const rows = await engine.archive.query<EventPrice>(statement, parameters, limits)
  expect(rows.map(({ id }) => Number(id))).toEqual(wanted)
  const paged: unknown[] = []
  for (const offset of lines.keys()) {
    const path = `/events/o/history?limit=1&offset=${offset}`
    paged.push(...(await service.get(path)).body.data.map(({ id }: { id: string }) => Number(id)))
  }
  expect(paged).toEqual(wanted)
})

it('has no line as an empty field, in a file of closes', async () => {
  const { statement, parameters } = closesOf(all, true)
  const file = await engine.archive.export(statement, parameters, 'csv', limits)
  const [head, ...lines] = (await text(file)).trimEnd().split('\n')
  const at = head!.split(',').indexOf('"line"')
  expect(at).toBeGreaterThan(0)
  expect(lines.map((line) => line.split(',')[at])).toEqual(['', ''])
})

describe('the course of a price in few points', () => {
  const began = Date.parse('2027-01-14T12:00:00Z')
  const [isListed, isMoved, isWithdrawn] = [1, 2, 32]
  let seed = 20_270_114
  const random = () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    return seed / 0x80000000
  }

  interface Change {
    readonly at: number
    readonly price: number
    readonly what: number
    readonly isActive: boolean
  }
  /** Returns moves some seconds apart, with an hour off the board and short times without bets, or neither. */
  function changesOf(count: number, hasGaps = true): Change[] {
    const changes: Change[] = []
    let at = began
    for (let i = 0; i < count; i++) {
      at += 1 + Math.floor(random() * 20_000)
      const price = 1.5 + Math.floor(random() * 900) / 100
      const before = changes.at(-1)
      const isGone = hasGaps && i === Math.floor(count / 2)
      if (isGone) changes.push({ at, price: before!.price, what: isWithdrawn, isActive: true })
      else {
        const what = i === 0 || (before!.what & isWithdrawn) !== 0 ? isListed : isMoved
        changes.push({ at, price, what, isActive: !hasGaps || i % 50 !== 49 })
      }
      if (isGone) at += 3_600_000
    }
    return changes
  }

  const shown = ({ price, what, isActive }: Change) =>
    isActive && (what & isWithdrawn) === 0 ? price : 0

  /** Counts the prices that differ from the one before, which may have been withdrawn since. */
  const movesOf = (changes: readonly Change[]) =>
    changes.filter(({ price }, i) => i > 0 && price !== changes[i - 1]!.price).length

  /** Samples by sorting every change into its part of the time. */
  function sampled(changes: readonly Change[], points: number): Change[] {
    if (changes.length <= points) return [...changes]
    const first = changes[0]!.at
    const isEdge = (one: Change, i: number) =>
      i > 0 && (shown(one) === 0) !== (shown(changes[i - 1]!) === 0)
    const edges = changes.filter(isEdge)
    const hasEdges = edges.length <= points / 2
    const parts = Math.floor(hasEdges ? (points - edges.length) / 4 : points / 7)
    const width = Math.floor((changes.at(-1)!.at - first) / parts) + 1
    const kept = new Set<Change>(hasEdges ? edges : [])
    for (let part = 0; part * width + first <= changes.at(-1)!.at; part++) {
      const within = changes.filter(({ at }) => Math.floor((at - first) / width) === part)
      if (within.length === 0) continue
      const extremes = new Set([within[0]!, within.at(-1)!])
      const offered = within.filter((one) => shown(one) > 0)
      const [lowest, highest] = [Math.min, Math.max].map((most) => most(...offered.map(shown)))
      const low = offered.find((one) => shown(one) === lowest)
      const high = offered.findLast((one) => shown(one) === highest)
      if (low) extremes.add(low)
      if (high) extremes.add(high)
      const inOrder = within.filter((one) => extremes.has(one))
      for (const one of inOrder) kept.add(one)
      if (hasEdges) continue
      for (const [i, after] of inOrder.slice(1).entries()) {
        const between = within.slice(within.indexOf(inOrder[i]!) + 1, within.indexOf(after))
        const gap = between.find((one) => shown(one) === 0)
        if (gap) kept.add(gap)
      }
    }
    return changes.filter((one) => kept.has(one))
  }

  const courses = [
    ...[3, 8, 60, 375, 1_200].map((count) => changesOf(count)),
    changesOf(375, false),
  ]

  beforeAll(async () => {
    const of = { event_id: 'c', league: 'nba', log_epoch: 'log' }
    await engine.archive.insert('event_changes', 'event of courses', [
      {
        ...{
          event_id: 'c',
          league: 'nba',
          sport: 'basketball',
          home_team: 'Heat',
          log_epoch: 'log',
        },
        ...{ away_team: 'Jazz', starts_at: starts, updated_at: listed, log_offset: 2 },
      },
    ])
    for (const [i, changes] of courses.entries()) {
      const market = i >= 4 ? 'total_points' : 'moneyline'
      await engine.archive.insert('prices', `prices of courses ${i}`, [
        {
          ...{ ...of, odds_id: 100 + i, sportsbook: `book${i}`, market_type: market },
          ...{ selection: 'Heat', selection_type: i >= 4 ? 'over' : 'home', line: null },
          ...{ listed_at: listed, log_offset: 10_000 * i },
        },
      ])
      const rows = changes.map(({ at, price, what, isActive }, k) => ({
        ...{ ...of, log_partition: 0, odds_id: 100 + i, price, what, is_active: isActive },
        at: new Date(at).toISOString().replace('T', ' ').replace('Z', ''),
        log_offset: 10_000 * i + k + 1,
      }))
      await engine.archive.insert('price_changes', `changes of courses ${i}`, rows)
    }
  })

  it.each([8, 40, 200, 1_000])(
    'has the extremes of each of its parts, of %i points',
    async (points) => {
      const { statement, parameters } = pricesOfEvents({
        ...{ eventIds: ['c'], sportsbooks, marketTypes: undefined, points },
      })
      const rows = await engine.archive.query<EventPrice>(statement, parameters, limits)
      expect(rows).toHaveLength(6)
      for (const row of rows) {
        const changes = courses[Number(row.id) - 100]!
        const wanted = sampled(changes, points).map((one) => [one.at, shown(one)])
        expect(row.course!.map(([at, price]) => [instantOf(at), price])).toEqual(wanted)
        expect(row.course!.length).toBeLessThanOrEqual(points)
        expect(row.moves).toEqual([])
        expect(row.move_count).toBe(movesOf(changes))
      }
    },
  )

  it.each([40, 200])(
    'is drawn for all but the times without bets, of %i points',
    async (points) => {
      const { statement, parameters } = pricesOfEvents({
        ...{ eventIds: ['c'], sportsbooks, marketTypes: undefined, points },
      })
      const timeDrawn = (course: readonly { readonly at: number; readonly price: number }[]) =>
        course
          .slice(1)
          .reduce((sum, { at }, i) => sum + (course[i]!.price > 0 ? at - course[i]!.at : 0), 0)
      const rows = await engine.archive.query<EventPrice>(statement, parameters, limits)
      for (const row of rows) {
        const changes = courses[Number(row.id) - 100]!
        const gaps = changes.filter((one) => shown(one) === 0).length
        // With more gaps it is drawn in part.
        if (4 * gaps > points) continue
        const course = row.course!.map(([at, price]) => ({ at: instantOf(at), price }))
        expect(timeDrawn(course)).toBe(
          timeDrawn(changes.map((one) => ({ at: one.at, price: shown(one) }))),
        )
      }
    },
  )

  it.each([8, 40, 200])('has no line over a time without bets, of %i points', async (points) => {
    const { statement, parameters } = pricesOfEvents({
      ...{ eventIds: ['c'], sportsbooks, marketTypes: undefined, points },
    })
    for (const row of await engine.archive.query<EventPrice>(statement, parameters, limits)) {
      const gaps = courses[Number(row.id) - 100]!.filter((one) => shown(one) === 0)
      const course = row.course!.map(([at, price]) => ({ at: instantOf(at), price }))
      for (const [i, { at, price }] of course.slice(0, -1).entries()) {
        if (price === 0) continue
        const next = course[i + 1]!
        expect(gaps.filter((gap) => gap.at > at && gap.at < next.at)).toEqual([])
      }
    }
  })

  it('is the same among the prices of several events', async () => {
    const one = await service.get('/events/c/history?market=moneyline&points=40')
    const path = '/historical/prices?event=c,e,unknown_1&market=moneyline&points=40'
    const { status, body } = await service.get(path)
    expect([status, body.pagination.total]).toEqual([200, 6])
    const prices = body.data as { event_id: string }[]
    expect(prices.map(({ event_id }) => event_id)).toEqual(['c', 'c', 'c', 'c', 'e', 'e'])
    expect(prices.slice(0, 4)).toEqual(one.body.data)
    const [second] = (await service.get(`${path}&limit=1&offset=1`)).body.data
    expect(second).toEqual(prices[1])
  })

  it('is required to name its events', async () => {
    const { status, body } = await service.get('/historical/prices?market=moneyline')
    expect([status, body.code, body.parameters ?? body.error?.parameters]).toEqual([
      ...[400, 'validation_error'],
      ['event'],
    ])
  })

  it('is returned with at most as many, and the count of all its moves', async () => {
    for (const points of [8, 40, 200]) {
      const path = `/events/c/history?market=moneyline&points=${points}`
      const { status, body } = await service.get(path)
      expect([status, body.data?.length, body.meta?.filters.points]).toEqual([200, 4, points])
      for (const { id, course, moves, move_count } of body.data) {
        const changes = courses[Number(id) - 100]!
        const wanted = sampled(changes, points).map((one) => [
          new Date(one.at).toISOString(),
          shown(one) > 0 ? shownPrice(shown(one)) : null,
        ])
        const told = course.map((point: { at: string; odds_decimal: number | null }) => [
          point.at,
          point.odds_decimal,
        ])
        expect(told).toEqual(wanted)
        expect(course.length).toBeLessThanOrEqual(points)
        expect(moves).toEqual([])
        expect(move_count).toBe(movesOf(changes))
      }
    }
  })
})

describe('a price of a past board', () => {
  const [isListed, isMoved, goesLive, isTaken, isWithdrawn] = [1, 2, 4, 8, 32]
  /** The kind of change, and whether the price was in play then. */
  type Step = readonly [what: number, isLive: boolean]
  const before: Step = [isListed, false]
  const begins: Step = [goesLive, true]
  const cases: readonly (readonly [name: string, isStale: boolean, steps: readonly Step[]])[] = [
    ['went into play as it was', true, [before, begins]],
    ['had moved before that', true, [before, [isMoved, false], begins, [isTaken, true]]],
    ['moved with the start', false, [before, [goesLive | isMoved, true]]],
    ['moved in play', false, [before, begins, [isMoved, true]]],
    ['is not in play', false, [before, [isMoved, false]]],
    ['is in play no more', false, [before, begins, [goesLive, false]]],
    ['is in play again', true, [before, begins, [isMoved, true], [goesLive, false], begins]],
    ['was listed in play', false, [[isListed, true]]],
    ['came back in play', false, [before, begins, [isWithdrawn, true], [isListed, true]]],
  ]
  const at = (step: number) => `2027-01-14 20:0${step}:00.000`

  beforeAll(async () => {
    const of = { event_id: 's', league: 'nba', log_epoch: 'log' }
    await engine.archive.insert('event_changes', 'event in play', [
      {
        ...of,
        ...{ sport: 'basketball', home_team: 'Bulls', away_team: 'Kings', starts_at: starts },
        ...{ updated_at: listed, log_offset: 3 },
      },
    ])
    for (const [i, [, , steps]] of cases.entries()) {
      const odds_id = `10000000000000${i}`
      await engine.archive.insert('prices', `price ${i} in play`, [
        {
          ...{ ...of, odds_id, sportsbook: `book${i}`, market_type: 'moneyline', line: null },
          ...{ selection: 'Bulls', selection_type: 'home', listed_at: at(0) },
        },
      ])
      const rows = steps.map(([what, is_live], step) => ({
        ...{ ...of, log_partition: 0, odds_id, what, is_live, is_active: true, at: at(step) },
        ...{ price: 1.9 + step / 10, log_offset: 100_000 + 100 * i + step },
      }))
      await engine.archive.insert('price_changes', `changes ${i} in play`, rows)
    }
  })

  it('is marked as one from before the start by the rule of the current board', async () => {
    const told = async (query: string) => {
      const path = `/odds?event=s&as_of=2027-01-14T21:00:00Z${query}`
      const { status, body } = await service.get(path)
      expect(status).toBe(200)
      return new Map<string, unknown>(
        body.data.map((row: { sportsbook: string; is_stale_pregame_price?: true }) => [
          row.sportsbook,
          row.is_stale_pregame_price,
        ]),
      )
    }
    const all = await told('')
    const flags = cases.map(([name], i) => [name, all.has(`book${i}`), all.get(`book${i}`)])
    expect(flags).toEqual(cases.map(([name, isStale]) => [name, true, isStale ? true : undefined]))
    const stale = cases.flatMap(([, isStale], i) => (isStale ? [`book${i}`] : []))
    expect([...(await told('&is_stale_pregame_price=true')).keys()].sort()).toEqual(stale)
  })
})
