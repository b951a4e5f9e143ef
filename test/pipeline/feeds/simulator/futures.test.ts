import { describe, expect, it } from 'vitest'
import { findDefect } from '../../../../pipeline/feeds/defect.ts'
import { createSimulatedFutures } from '../../../../pipeline/feeds/simulator/futures.ts'
import {
  identifyFuture,
  selectionKey,
  shownSelection,
} from '../../../../pipeline/rules/odds/futures.ts'
import type { FuturesRecord } from '../../../../schemas/feed-record.ts'

const minute = 60_000
const startAt = Date.UTC(2026, 10, 22, 18)

const marketOf = ({ future, sportsbook, observedAt }: FuturesRecord) =>
  identifyFuture(future, sportsbook, observedAt).marketId

describe('the simulated futures', () => {
  it('have one market per league, shared by all its sportsbooks', () => {
    for (let month = 0; month < 12; month++) {
      const records = createSimulatedFutures({ seed: 1 }).step(Date.UTC(2027, month, 5))
      const books = new Map<string, Set<string>>()
      for (const record of records) {
        expect(findDefect(record)).toBeNull()
        const id = marketOf(record)
        expect(id).toMatch(/^[a-z0-9_-]+_champion_20\d\d$/)
        books.set(id, new Set([...(books.get(id) ?? []), record.sportsbook]))
      }
      expect(books.size).toBe(11)
      for (const offering of books.values()) expect(offering.size).toBeGreaterThan(4)
    }
  })

  it('have prices of a market: each team once, and a booksum with a margin', () => {
    for (const { future, sportsbook, prices } of createSimulatedFutures({ seed: 1 }).step(
      startAt,
    )) {
      const keys = prices.map(({ selection }) => {
        const { futureType, league, sport } = future
        const of = { futureType, league, sport }
        return selectionKey(shownSelection(selection, of), of, sportsbook)
      })
      expect(new Set(keys).size).toBe(keys.length)
      const booksum = prices.reduce((sum, { price }) => sum + 1 / (price ?? Number.NaN), 0)
      expect(booksum).toBeGreaterThan(1)
      expect(booksum).toBeLessThan(1.5)
    }
  })

  it('are stated again every two minutes, and move slowly', () => {
    const futures = createSimulatedFutures({ seed: 3 })
    const first = futures.step(startAt)
    const later: FuturesRecord[] = []
    for (let at = startAt + 1_000; at <= startAt + 2 * minute; at += 1_000) {
      later.push(...futures.step(at))
    }
    const listing = ({ sportsbook, future }: FuturesRecord) => `${sportsbook} ${future.league}`
    expect(later.map(listing).sort()).toEqual(first.map(listing).sort())
    const priceIn = new Map(first.map((record) => [listing(record), JSON.stringify(record.prices)]))
    const moved = later.filter((one) => priceIn.get(listing(one)) !== JSON.stringify(one.prices))
    expect(moved.length).toBeLessThan(later.length / 2)
    const nextDay = JSON.stringify(
      createSimulatedFutures({ seed: 3 }).step(startAt + 24 * 60 * minute),
    )
    expect(nextDay).not.toBe(JSON.stringify(first))
  })

  it('are the same for the same seed and times, and only of the requested leagues', () => {
    const options = {
      seed: 9,
      books: ['draftkings', 'pinnacle', 'fanduel'],
      leagues: ['nba', 'nfl'],
    }
    const play = () => JSON.stringify(createSimulatedFutures(options).step(startAt))
    expect(play()).toBe(play())
    for (const { sportsbook, future } of createSimulatedFutures(options).step(startAt)) {
      expect([options.books.includes(sportsbook), options.leagues.includes(future.league)]).toEqual(
        [true, true],
      )
    }
  })
})
