/** Movements when prices go into play, as the archive finds them: the change from before the game is no move. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { type MovementMove, movements } from '../../../pipeline/archive/movements.ts'
import { priceChange } from '../../../schemas/price-change.ts'
import { type EngineArchive, startEngineArchive } from './engine-archive.ts'

const limits = { seconds: 30, resultRows: 1e6, readRows: 1e8, memoryBytes: 1e9 }
const { listed, price, live, active } = priceChange

let engine: EngineArchive
beforeAll(async () => {
  engine = await startEngineArchive()
})
afterAll(() => engine.close())

interface Change {
  readonly price: number
  readonly what: number
  readonly isLive: boolean
  readonly isActive?: boolean
}

const day = '2027-01-14 '
const sportsbooks = ['a', 'b']

/** One event for each course, whose changes come at two sportsbooks, ten seconds apart. */
const courses: Readonly<Record<string, readonly Change[]>> = {
  before: [
    { what: listed, price: 2.5, isLive: false },
    { what: price, price: 2.2, isLive: false },
  ],
  turning: [
    { what: listed, price: 2.5, isLive: false },
    { what: price | live, price: 1.5, isLive: true },
    { what: price, price: 1.35, isLive: true },
  ],
  'turning closed': [
    { what: listed, price: 2.5, isLive: false },
    { what: live | active, price: 2.5, isLive: true, isActive: false },
    { what: price | active, price: 1.5, isLive: true },
    { what: active, price: 1.5, isLive: true, isActive: false },
    { what: price | active, price: 1.35, isLive: true },
  ],
  'listed closed': [
    { what: listed, price: 2.5, isLive: true, isActive: false },
    { what: price | active, price: 2.2, isLive: true },
  ],
  'left behind': [
    { what: listed, price: 2.5, isLive: false },
    { what: price, price: 2.2, isLive: false },
    { what: price, price: 1.9, isLive: false },
  ],
  'put off': [
    { what: listed, price: 2.5, isLive: false },
    { what: price, price: 2.2, isLive: false },
    { what: price, price: 1.9, isLive: false },
  ],
}

/** When events go into play, and are taken back, or are said to be of another status. */
const turns: Readonly<Record<string, readonly [string, boolean, string?][]>> = {
  turning: [['20:00:20.000', true]],
  'left behind': [
    ['20:00:05.000', true],
    ['20:00:25.000', false],
    ['20:00:35.000', true],
  ],
  'put off': [
    ['20:00:15.000', false, 'postponed'],
    ['20:00:25.000', false, 'upcoming'],
  ],
}

/** Returns the moves of the movements in a period of the day, of two sportsbooks within a minute. */
async function movesIn(from: string, to: string) {
  const { statement, parameters } = movements(
    {
      period: { from: Date.parse(`${day}${from}Z`), to: Date.parse(`${day}${to}Z`) },
      ...{ leastSportsbooks: 2, seconds: 60, leastMove: 0.01 },
      sportsbooks: { only: undefined, hidden: [] },
      ...{ eventIds: undefined, leagues: undefined, sports: undefined, marketTypes: undefined },
      isLive: undefined,
    },
    false,
  )
  return engine.archive.query<MovementMove>(statement, parameters, limits)
}

it('a price that goes into play, open or closed, makes no move', async () => {
  const { archive } = engine
  let offset = 1
  let oddsId = 1
  const changes: Readonly<Record<string, unknown>>[] = []
  for (const [eventId, course] of Object.entries(courses)) {
    const of = { event_id: eventId, league: 'nba' }
    const event = { sport: 'basketball', home_team: 'Knicks', away_team: 'Nets' }
    const times = { starts_at: `${day}20:00:00.000`, updated_at: `${day}10:00:00.000` }
    await archive.insert('event_changes', eventId, [
      { ...of, ...event, ...times, log_epoch: 'log', log_offset: offset++ },
      ...(turns[eventId] ?? []).map(([at, is_live, status = 'upcoming']) => ({
        ...{ ...of, ...event, ...times, updated_at: day + at, is_live, status },
        ...{ log_epoch: 'log', log_offset: offset++ },
      })),
    ])
    for (const sportsbook of sportsbooks) {
      const odds_id = oddsId++
      const selection = { market_type: 'moneyline', selection: 'Knicks', selection_type: 'home' }
      await archive.insert('prices', `${odds_id}`, [
        { ...of, ...selection, odds_id, sportsbook, line: null, listed_at: `${day}10:00:00.000` },
      ])
      for (const [i, { isLive, isActive = true, ...change }] of course.entries()) {
        changes.push({
          ...{
            ...of,
            ...change,
            odds_id,
            at: `${day}20:00:${10 * (i + 1)}.${sportsbook === 'a' ? '000' : '500'}`,
          },
          ...{ is_live: isLive, is_active: isActive },
          ...{ log_epoch: 'log', log_partition: 0, log_offset: offset++ },
        })
      }
    }
  }
  await archive.insert('price_changes', 'changes', changes)

  const moves = await movesIn('20:00:00', '21:00:00')
  const found = Object.keys(courses).map((eventId) => [
    eventId,
    moves
      .filter(({ event_id }) => event_id === eventId)
      .map(({ odds_decimal, move_count }) => [odds_decimal, move_count]),
  ])
  const two = (decimal: number) => [
    [decimal, 2],
    [decimal, 2],
  ]
  expect(Object.fromEntries(found)).toEqual({
    before: two(2.2),
    turning: two(1.35),
    'turning closed': two(1.35),
    'listed closed': two(2.2),
    // Only the change at half of a minute, while it was not in play.
    'left behind': two(1.9),
    // That at half of a minute, when it was on again.
    'put off': two(1.9),
  })

  // A movement is in the period in which it began, wherever the border is.
  const names = (some: readonly MovementMove[]) =>
    some.map(({ event_id, id, at, began_at }) => [event_id, id, at, began_at].join()).sort()
  for (const border of ['20:00:15', '20:00:20', '20:00:20.250', '20:00:30.250', '20:00:35']) {
    const [before, after] = [await movesIn('20:00:00', border), await movesIn(border, '21:00:00')]
    expect(names([...before, ...after]), border).toEqual(names(moves))
  }
})

it('a movement is in the period in which it began, up to a window after the period', async () => {
  const { archive } = engine
  const of = { event_id: 'long', league: 'nba' }
  await archive.insert('event_changes', 'long', [
    {
      ...{ ...of, sport: 'basketball', home_team: 'Heat', away_team: 'Bulls' },
      ...{ starts_at: `${day}23:00:00.000`, updated_at: `${day}10:00:00.000` },
      ...{ log_epoch: 'log', log_offset: 1_000 },
    },
  ])
  const ids = [1_001, 1_002]
  const selection = { market_type: 'moneyline', selection: 'Heat', selection_type: 'home' }
  await archive.insert(
    'prices',
    'long',
    ids.map((odds_id, i) => ({
      ...{ ...of, ...selection, odds_id, sportsbook: sportsbooks[i], line: null },
      listed_at: `${day}10:00:00.000`,
    })),
  )
  // The two sportsbooks shorten in turn, one every 50 seconds.
  const minutes = ['22:00:00', '22:00:50', '22:01:40', '22:02:30', '22:03:20', '22:04:10']
  const change = (odds_id: number, what: number, at: string, price: number, offset: number) => ({
    ...{ ...of, odds_id, what, at: `${day}${at}.000`, price, is_live: false, is_active: true },
    ...{ log_epoch: 'log', log_partition: 0, log_offset: 2_000 + offset },
  })
  await archive.insert('price_changes', 'long', [
    ...ids.map((id, i) => change(id, listed, '12:00:00', 2.5, i)),
    ...minutes.map((at, i) => change(ids[i % 2]!, price, at, 2.4 - 0.1 * i, 10 + i)),
  ])

  const timesIn = async (from: string, to: string) =>
    (await movesIn(from, to)).map(({ at }) => at.slice(11, 19))
  expect(await timesIn('22:00:00', '23:00:00')).toEqual(minutes)
  // The window after 22:01:20 ends at 22:02:20.
  expect(await timesIn('22:00:00', '22:01:20')).toEqual(minutes.slice(0, 3))
  for (const border of ['22:00:01', '22:00:50', '22:01:20', '22:02:31', '22:04:10']) {
    expect(await timesIn(border, '23:00:00'), border).toEqual([])
    const [first] = await movesIn('22:00:00', border)
    expect(first?.began_at, border).toContain(minutes[0])
  }
})
