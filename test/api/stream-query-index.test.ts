/** The index of the queries that a tick may concern. `odds-question.long.test.ts` shows that it leaves out none with news. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RequestedOdds } from '../../api/ask/odds-filter.ts'
import {
  createOddsNewsFinder,
  type OddsNews,
  type OddsNewsFinder,
} from '../../api/stream/channels/odds/odds-news.ts'
import { createQueryIndex } from '../../api/stream/channels/odds/query-index.ts'
import { oddsTick } from '../../api/stream/timeline/odds-tick.ts'
import type { OddsFilter } from '../../pipeline/views/query/odds-filter.ts'
import {
  announcements,
  anyFilter,
  anyOp,
  anyStep,
  createBoardPair,
  recordOf,
} from '../pipeline/views/histories.ts'
import { knicks, leeds } from './small-board.ts'
import { createStreamsByHand } from './streams-without-sockets.ts'

const nba = 'nba'
const soccer = 'england_-_premier_league'

/** Every query of these is concerned by the price below. */
const concerned: Readonly<Record<string, OddsFilter>> = {
  everything: {},
  'its league': { leagues: [soccer, nba] },
  'its sportsbook': { sportsbooks: ['betmgm', 'fanduel'] },
  'its market': { marketTypes: ['moneyline'] },
  'its league, sportsbook and market': {
    ...{ leagues: [nba], sportsbooks: ['fanduel'], marketTypes: ['moneyline'] },
  },
  'its event': { eventIds: ['game-0', 'game-3'] },
  'its event and market': { eventIds: ['game-3'], marketTypes: ['moneyline'] },
  'a price': { minAmerican: 500 },
  'a market that a growing alias names': {
    ...{ marketTypes: ['player_points'], isMarketNamed: () => true },
  },
  'more than the index takes': {
    leagues: [nba, ...Array.from({ length: 30 }, (_, i) => `league_${i}`)],
    sportsbooks: ['fanduel', ...Array.from({ length: 30 }, (_, i) => `book_${i}`)],
    marketTypes: ['moneyline', ...Array.from({ length: 30 }, (_, i) => `market_${i}`)],
  },
}

const unconcerned: Readonly<Record<string, OddsFilter>> = {
  'another league': { leagues: [soccer] },
  'another sportsbook': { leagues: [nba], sportsbooks: ['draftkings'] },
  'another market': { leagues: [nba], sportsbooks: ['fanduel'], marketTypes: ['point_spread'] },
  'another event': { eventIds: ['game-4'] },
  'its event at another sportsbook': { eventIds: ['game-3'], sportsbooks: ['pinnacle'] },
  'no league': { leagues: [] },
}

/** A board, and a tick in which one price of an NBA game comes. */
function boardWithTick() {
  const { view, take } = createBoardPair()
  take(announcements())
  const since = view.watermark
  take([
    recordOf({
      ...{ op: 'odds', fixture: 3, book: 1, answer: 0, price: 2, at: 0 },
      ...{ isLive: false, isActive: true, changed: true, attributes: {} },
    } as Parameters<typeof recordOf>[0]),
  ])
  return { view, tick: oddsTick(view, since)! }
}

describe('the index of queries', () => {
  it('finds those that name what changed or leave it open, and no others', () => {
    const { view, tick } = boardWithTick()
    const index = createQueryIndex<string>(view)
    for (const [name, filter] of Object.entries({ ...concerned, ...unconcerned })) {
      index.add(name, filter)
    }
    expect([...index.of(tick)].sort()).toEqual(Object.keys(concerned).sort())
  })

  it('finds each change that is news of a query, once and in order', () => {
    const placesIn = (news: OddsNews) =>
      Array.from(news, ([book, { changes, removed }]) => [
        book,
        changes.map(({ place }) => place),
        removed,
      ])
    const steps = fc.array(anyStep({ resets: false, op: anyOp() }), { minLength: 2, maxLength: 8 })
    const filters = fc.array(anyFilter, { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(steps, filters, (history, some) => {
        const { view, take, step } = createBoardPair()
        take(announcements())
        const index = createQueryIndex<OddsNewsFinder>(view)
        const finders = some.map((filter) => {
          const requested = { filter: () => filter, changesFilter: () => filter }
          const finder = createOddsNewsFinder(view, requested as unknown as RequestedOdds)
          index.add(finder, filter)
          return finder
        })
        for (const next of history) {
          const since = view.watermark
          step({ ...next, elapsedMs: Math.min(next.elapsedMs, 5_000) })
          const tick = oddsTick(view, since)!
          index.of(tick)
          for (const finder of finders) {
            const news = finder.take(tick, index.rangesOf(finder))
            expect(placesIn(news)).toEqual(placesIn(finder.take(tick, [0, tick.changes.length])))
          }
        }
      }),
      { numRuns: 100 },
    )
  })

  it('forgets a query that has gone, and keeps those with the same names', () => {
    const { view, tick } = boardWithTick()
    const index = createQueryIndex<string>(view)
    for (const [name, filter] of Object.entries(concerned)) {
      index.add(name, filter)
      index.add(`again ${name}`, filter)
    }
    for (const name of Object.keys(concerned)) index.delete(name)
    index.delete('never added')
    const others = Object.keys(concerned).map((name) => `again ${name}`)
    expect([...index.of(tick)].sort()).toEqual(others.sort())
    for (const name of others) index.delete(name)
    expect(index.of(tick).size).toBe(0)
  })
})

it('lets a slow client miss nothing of its own, whatever else changes meanwhile', async () => {
  const by = createStreamsByHand()
  const price = (id: string, value: number) => by.odds(id, { sportsbook: 'fanduel', price: value })
  try {
    for (const id of [knicks, leeds]) {
      by.event(id)
      price(id, 1.9)
    }
    const client = by.open('channels=odds&league=nba')
    await by.until('the snapshot', () => client.of('snapshot:complete').length > 0)
    client.state.isFull = true
    const moves: readonly [string, number][] = [
      [knicks, 1.95],
      [leeds, 2],
      [knicks, 2.05],
    ]
    for (const [id, value] of moves) {
      price(id, value)
      await by.pass(50)
    }
    expect(client.of('odds:update')).toHaveLength(1)
    client.state.isFull = false
    client.session.drained()
    await by.pass(100)
    price(leeds, 2.1)
    await by.pass(100)
    const updates = client.of('odds:update').map(({ data }) => data[0].odds_decimal)
    expect(updates).toEqual([1.95, 2.05])
  } finally {
    by.close()
  }
})
