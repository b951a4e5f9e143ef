/** A season of 14 sportsbooks against counts and figures computed independently of this code. */
import { existsSync, readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  arbitrageProfit,
  highestArbitrageProfit,
  hold,
  impliedTotal,
} from '../../../../pipeline/rules/odds/arbitrage.ts'
import { americanToDecimal } from '../../../../pipeline/rules/odds/odds.ts'
import { middleOutlook } from '../../../../pipeline/rules/odds/results.ts'

const shared = new URL('../../../../../shared/data/', import.meta.url)
const gamesFile = new URL('us-odds/nfl-multibook/nfl_2023.csv', shared)
const expectedFile = new URL('opportunities/nfl_2023.json', shared)
const isHere = existsSync(gamesFile) && existsSync(expectedFile)

interface Best {
  readonly value: number
  readonly books: readonly number[]
}

interface Game {
  readonly id: string
  readonly home: Record<string, string>
  readonly away: Record<string, string>
}

interface Leg {
  readonly odds_decimal: number
  readonly books: readonly number[]
}

interface Expected {
  readonly games: number
  readonly book_ids: readonly number[]
  readonly moneyline_arbitrage: {
    readonly arbs: number
    readonly arbs_0_5_to_10: number
    readonly list: readonly {
      readonly game_id: string
      readonly implied_total: number
      readonly profit_percent: number
      readonly home_leg: Leg
      readonly away_leg: Leg
    }[]
  }
  readonly moneyline_hold: { readonly games: number; readonly min: number; readonly mean: number }
  readonly spread_middles: {
    readonly games_with_middle: number
    readonly list: readonly {
      readonly game_id: string
      readonly home_line: number
      readonly home_books: readonly number[]
      readonly away_line: number
      readonly away_books: readonly number[]
      readonly middle_size: number
      readonly middle_numbers_home_margin: readonly number[]
    }[]
  }
}

describe.skipIf(!isHere)('the NFL season 2023 (needs ../shared)', () => {
  let expected: Expected
  let games: Game[]

  beforeAll(() => {
    expected = JSON.parse(readFileSync(expectedFile, 'utf8'))
    const byGame = new Map<string, Record<string, string>[]>()
    const rows: Record<string, string>[] = parse(readFileSync(gamesFile), { columns: true })
    for (const row of rows) {
      const id = row.game_id ?? ''
      byGame.set(id, [...(byGame.get(id) ?? []), row])
    }
    games = [...byGame].map(([id, sides]) => {
      // The visitor has the lower rotation number.
      const [away = {}, home = {}] = sides.toSorted(
        (a, b) => Number(a.rotation) - Number(b.rotation),
      )
      return { id, home, away }
    })
  })

  /** Returns the highest number of a column over all sportsbooks, and the sportsbooks that have it. */
  function best(
    row: Record<string, string>,
    column: string,
    read: (text: string) => number = Number,
  ): Best {
    const found = expected.book_ids
      .map((book) => ({ book, text: row[`${book}_${column}`] ?? '' }))
      .filter(({ text }) => text !== '')
      .map(({ book, text }) => ({ book, value: read(text) }))
    const value = Math.max(...found.map((each) => each.value))
    return { value, books: found.filter((each) => each.value === value).map(({ book }) => book) }
  }

  const outlook = (low: number, high: number) =>
    middleOutlook({ sport: 'football', league: 'nfl', marketType: 'point_spread', low, high })
  const price = (text: string) => americanToDecimal(Number(text))
  const moneylines = () =>
    games.map(({ id, home, away }) => {
      const [homeLeg, awayLeg] = [best(home, 'moneyline', price), best(away, 'moneyline', price)]
      const prices = [homeLeg.value, awayLeg.value]
      return { id, homeLeg, awayLeg, prices, total: impliedTotal(prices) }
    })

  const middles = () =>
    games
      .map(({ id, home, away }) => {
        const [homeBest, awayBest] = [best(home, 'spread'), best(away, 'spread')]
        const [low, high] = [-homeBest.value, awayBest.value]
        return { id, homeBest, awayBest, low, high, size: high - low }
      })
      .filter(({ size }) => size > 0)

  test('has as many moneyline arbitrages, with the same legs and profits', () => {
    const { arbs, arbs_0_5_to_10, list } = expected.moneyline_arbitrage
    const found = moneylines().filter(({ total }) => total < 1)
    expect(games.length).toBe(expected.games)
    expect(found.length).toBe(arbs)
    const listed = found.filter(({ total }) => {
      const profit = arbitrageProfit(total)
      return profit >= 0.005 && profit <= highestArbitrageProfit
    })
    expect(listed.length).toBe(arbs_0_5_to_10)
    const ranked = listed.toSorted((a, b) => a.total - b.total)
    expect(ranked.slice(0, list.length).map(({ id }) => id)).toEqual(list.map((row) => row.game_id))
    for (const [at, row] of list.entries()) {
      const { homeLeg, awayLeg, total } = ranked[at] as (typeof ranked)[number]
      expect(100 * total).toBeCloseTo(row.implied_total, 7)
      expect(100 * arbitrageProfit(total)).toBeCloseTo(row.profit_percent, 7)
      expect(homeLeg.value).toBeCloseTo(row.home_leg.odds_decimal, 7)
      expect(homeLeg.books).toEqual(row.home_leg.books)
      expect(awayLeg.value).toBeCloseTo(row.away_leg.odds_decimal, 7)
      expect(awayLeg.books).toEqual(row.away_leg.books)
    }
  })

  test('has the same lowest and mean hold of the best moneylines', () => {
    const holds = moneylines().map(({ prices }) => 100 * hold(prices))
    expect(holds.length).toBe(expected.moneyline_hold.games)
    expect(Math.min(...holds)).toBeCloseTo(expected.moneyline_hold.min, 7)
    const mean = holds.reduce((a, b) => a + b) / holds.length
    expect(mean).toBeCloseTo(expected.moneyline_hold.mean, 7)
  })

  test('has as many games with a spread middle, on the same results', () => {
    const { games_with_middle, list } = expected.spread_middles
    const found = middles()
    expect(found.length).toBe(games_with_middle)
    expect(
      found
        .map(({ size }) => size)
        .toSorted((a, b) => b - a)
        .slice(0, list.length),
    ).toEqual(list.map((row) => row.middle_size))
    for (const row of list) {
      const middle = found.find(({ id }) => id === row.game_id)
      expect(middle?.homeBest).toEqual({ value: row.home_line, books: row.home_books })
      expect(middle?.awayBest).toEqual({ value: row.away_line, books: row.away_books })
      expect(middle?.size).toBe(row.middle_size)
      const { low = 0, high = 0 } = middle ?? {}
      expect(outlook(low, high)?.numbers).toEqual(row.middle_numbers_home_margin)
    }
  })

  test('gives every middle a probability below 1 in 2 of a game', () => {
    for (const { low, high } of middles()) {
      const found = outlook(low, high)
      expect(found).not.toBeNull()
      expect(found?.probability).toBeLessThan(0.5)
      expect((found?.probability ?? 0) > 0).toBe(found!.numbers.length > 0)
    }
  })
})
