/** The free tier learns a minute late which lines are main lines, of its own sportsbooks alone. */

import { afterEach, beforeEach, expect, it } from 'vitest'
import { delayedBoard } from '../../api/boards.ts'
import type { LogRecord } from '../../pipeline/log/log.ts'
import { createBoardView } from '../../pipeline/views/board/board-view.ts'
import { setBit } from '../../pipeline/views/board/main-line-bits.ts'
import { mainShift } from '../../pipeline/views/board/row-table.ts'
import type { MainLineRow } from '../../schemas/main-line.ts'
import { tierBooks } from '../../schemas/reference/tier-books.ts'
import { type Topic, topics } from '../../schemas/topics.ts'
import { knicks, push, spread } from './hand-made-market.ts'
import { type SimulatedService, startSimulated } from './simulated-service.ts'
import { game, knicks as knicksId, quote } from './small-board.ts'

const [first, second] = [...tierBooks.free!] as [string, string]
const delayMs = 60_000

let service: SimulatedService
let sharp: string
let free: string
beforeEach(async () => {
  service = await startSimulated(null)
  sharp = await service.key('sharp')
  free = await service.key('free')
})
afterEach(() => service.close())

/** Returns the lines of the rows that a filter takes, with what they say of themselves. */
async function lines(key: string, filter: string) {
  const fields = 'fields=sportsbook,line,is_main_line,is_alternate_line'
  const { body } = await service.get(`/odds?${filter}&${fields}&limit=200`, key)
  return body.data.map((row: object) => Object.values(row))
}

const filters = ['is_main_line=true', 'is_main_line=false', 'market=point_spread']
const seenBy = (key: string) => Promise.all(filters.map((filter) => lines(key, filter)))

/** Returns a ladder whose price is even at one of its lines. */
const ladder = (mainLine: number) =>
  [-3.5, -4.5, -5.5].map((line) => {
    const off = 0.12 * (mainLine - line)
    return spread(line, 1.91 + off, 1.91 - off)
  })

it('through the filters and members of the list', async () => {
  const seen: unknown[][][] = []
  for (const mainLine of [-4.5, -3.5, -5.5, -5.5]) {
    push(service, knicks, { [first]: ladder(mainLine), [second]: ladder(mainLine) })
    seen.push(await seenBy(sharp))
    service.step(delayMs / 2)
    const minuteAgo = seen.at(-2)
    if (minuteAgo) expect(await seenBy(free)).toEqual(minuteAgo)
  }
  for (const [mains, others] of seen) expect([mains!.length, others!.length]).toEqual([4, 8])
  for (const later of [1, 2]) expect(seen[later]).not.toEqual(seen[later - 1])
})

it('and nothing of the other sportsbooks', async () => {
  push(service, knicks, { [first]: ladder(-4.5), [second]: ladder(-4.5) })
  service.step(delayMs)
  const before = await seenBy(free)
  const stamp = service.boards.delayed.changeStamp({})
  push(service, knicks, { pinnacle: ladder(-3.5), bet365: ladder(-3.5), caesars: ladder(-3.5) })
  expect(await lines(sharp, 'is_main_line=true')).toContainEqual([first, -3.5, true, false])
  service.step(delayMs)
  expect(await seenBy(free)).toEqual(before)
  expect(service.boards.delayed.changeStamp({})).toBe(stamp)
})

it('after a start, each in its newest version alone', () => {
  const now = service.clock()
  const position = { epoch: 'e', offsets: {} }
  const applied: LogRecord[] = []
  const view = createBoardView({ books: tierBooks.free! })
  const line = delayedBoard({
    ...view,
    apply(records, ...at) {
      applied.push(...records.filter(({ topic }) => topic.name === topics.mainLines.name))
      view.apply(records, ...at)
    },
  })
  const record = (marketType: string, mainLine: number | null): LogRecord => {
    const value: MainLineRow = {
      ...{ eventId: knicksId, league: 'nba', marketType, team: null, playerName: null },
      ...{ isLive: false, lines: new Array(5).fill(mainLine), own: [] },
    }
    return {
      ...{ topic: topics.mainLines as Topic, partition: 0, offset: 0 },
      ...{ key: `${knicksId}|${marketType}|pre||`, value: mainLine === null ? null : value },
    }
  }
  const young = quote(knicksId, {
    ...{ marketType: '1st_half_point_spread', line: -2.5, sportsbook: first, price: 1.9 },
    observedAt: now - 1,
  })
  line.reset(now)
  const event = game(knicksId, { updatedAt: now - delayMs })
  const old = { partition: 0, offset: 0 }
  line.apply(
    [
      { ...old, topic: topics.events as Topic, key: knicksId, value: event },
      { ...old, topic: topics.odds as Topic, key: String(young.id), value: young },
    ],
    ...([position, now] as const),
  )
  for (const mainLine of [-2.5, -3.5, -4.5]) {
    for (const marketType of ['point_spread', '1st_half_point_spread']) {
      line.apply([record(marketType, mainLine)], position, now)
    }
    line.apply([record('total_points', mainLine)], position, now)
  }
  line.apply([record('total_points', null)], position, now)
  line.caughtUp(now)
  const shown = () =>
    applied.map(({ key, value }) => [key.split('|')[1], (value as MainLineRow | null)?.lines[0]])
  expect(shown()).toEqual([
    ['point_spread', -4.5],
    ['total_points', undefined],
  ])
  line.advance(now + delayMs)
  expect(shown().slice(2)).toEqual([['1st_half_point_spread', -4.5]])
})

it('after a start, at once where its prices are old and with them where one is young', () => {
  const now = service.clock()
  const rows = (observedAt: number, marketType: string) =>
    [-2.5, -4.5].map((line) =>
      quote(knicksId, { marketType, line, sportsbook: first, price: 1.9, observedAt }),
    )
  const mainLines = (marketType: string): MainLineRow => ({
    ...{ eventId: knicksId, league: 'nba', marketType, team: null, playerName: null },
    ...{ isLive: false, lines: [-4.5, -4.5, -4.5, -4.5, -4.5], own: [] },
  })
  const old = rows(now - delayMs, 'point_spread')
  const [young, ...others] = rows(now - delayMs, '1st_half_point_spread')
  const moved = { ...young!, observedAt: now - 1 }
  const view = createBoardView({ books: tierBooks.free! })
  const line = delayedBoard(view)
  const position = { epoch: 'e', offsets: {} }
  const record = <Row>(topic: Topic<Row>, key: string, value: Row): LogRecord => ({
    ...{ topic: topic as Topic, partition: 0, offset: 0, key, value },
  })
  line.reset(now)
  // On brokers the tables come in any order.
  line.apply(
    ['point_spread', '1st_half_point_spread'].map((marketType) =>
      record(topics.mainLines, `${knicksId}|${marketType}|pre||`, mainLines(marketType)),
    ),
    ...([position, now] as const),
  )
  const event = game(knicksId, { updatedAt: now - delayMs })
  line.apply([record(topics.events, knicksId, event)], position, now)
  const prices = [...old, moved, ...others]
  line.apply(
    prices.map((row) => record(topics.odds, String(row.id), row)),
    ...([position, now] as const),
  )
  line.caughtUp(now)
  const isMain = ({ id }: { id: number }) => {
    const row = view.rows.find(id)
    return row < 0 ? null : (view.rows.state(row) & (setBit(0) << mainShift)) !== 0
  }
  expect(old.map(isMain)).toEqual([false, true])
  expect([moved, ...others].map(isMain)).toEqual([null, true])
  line.advance(now + delayMs)
  expect([moved, ...others].map(isMain)).toEqual([false, true])
})
