/** The free tier learns a minute late that the sources of a sportsbook are down, as its board does. */

import { afterEach, beforeEach, expect, it } from 'vitest'
import { delayedBoard } from '../../api/boards.ts'
import { createBoardView } from '../../pipeline/views/board/board-view.ts'
import { tierBooks } from '../../schemas/reference/tier-books.ts'
import { topics } from '../../schemas/topics.ts'
import { noon, selection, statement } from '../oracle/moneylines.ts'
import { createRealBoard } from '../oracle/real-board.ts'
import { knicks, moneyline, push, pushStatus } from './hand-made-market.ts'
import { type SimulatedService, startSimulated } from './simulated-service.ts'

const [book] = tierBooks.free!
const delayMs = 60_000

let service: SimulatedService
let paid: string
let free: string
beforeEach(async () => {
  service = await startSimulated(null)
  paid = await service.key('enterprise')
  free = await service.key('free')
  push(service, knicks, { [book!]: [moneyline(1.9, 1.9)] })
  pushStatus(service, book!, 'up')
  service.step(2 * delayMs)
})
afterEach(() => service.close())

/** Returns what the list and the sportsbook itself say, which must be the same. */
async function said(key: string) {
  const { body } = await service.get('/sportsbooks', key)
  const one = (await service.get(`/sportsbooks/${book}`, key)).body.data
  const listed = body.data.find(({ id }: { id: string }) => id === book)
  const of = (item: typeof one) => [item.status, item.active, item.source_status, item.source_since]
  expect(of(one)).toEqual(of(listed))
  return of(one)
}

it('with a key or without one', async () => {
  const before = await said(free)
  expect(before.slice(0, 3)).toEqual(['active', true, 'up'])
  service.step(1_000)
  pushStatus(service, book!, 'down')
  // Outages count once they have lasted a while.
  for (let s = 0; (await said(paid))[2] === 'up'; s++) {
    expect(s).toBeLessThan(300)
    service.step(1_000)
  }
  const down = await said(paid)
  expect(down.slice(0, 3)).toEqual(['limited', false, 'down'])
  service.wait(delayMs - 1)
  for (const key of [free, '']) expect(await said(key)).toEqual(before)
  service.wait(1)
  for (const key of [free, '']) expect(await said(key)).toEqual(down)
})

it('and is shown no wrong price of it as a right one when an API starts meanwhile', () => {
  const [wrong, ...others] = [...tierBooks.free!]
  const pipeline = createRealBoard({ sharpChain: ['pinnacle'] })
  const said = (sportsbook: string, home: number) =>
    statement(sportsbook, 'Leeds United', 'Brentford', [
      ...[selection('home', home), selection('away', 4), selection('draw', 3.5)],
    ])
  pipeline.take([{ type: 'tick', observedAt: noon }, ...others.map((one) => said(one, 2))])
  pipeline.take([said(wrong!, 200)])
  const downAt = noon + delayMs
  const down = { type: 'book_status', sportsbook: wrong!, status: 'down' } as const
  pipeline.take([{ ...down, observedAt: downAt }])

  const view = createBoardView()
  const line = delayedBoard(view)
  const position = { epoch: 'e', offsets: {} }
  const now = downAt + 1_000
  line.reset(now)
  for (const topic of view.tables) {
    const rows = [...pipeline.tableOf(topic)]
    const records = rows.map(([key, value], offset) => ({
      ...{ topic, partition: 0, offset, key, value },
    }))
    line.apply(records as never, position, now)
  }
  line.caughtUp?.(now)
  const prices = [...pipeline.tables.odds.values()].filter(({ sportsbook }) => sportsbook === wrong)
  const shown = () =>
    prices.map(({ id }) => {
      const row = view.rows.find(id)
      return [view.rows.isActive(row), view.rows.withheld(row) !== null]
    })
  // Its sportsbook is still up there.
  expect(shown()).toEqual(prices.map(() => [true, true]))
  line.advance?.(now + delayMs)
  expect(shown()).toEqual(prices.map(() => [false, true]))
  expect(pipeline.tableOf(topics.withheldPrices).size).toBe(prices.length)
})
