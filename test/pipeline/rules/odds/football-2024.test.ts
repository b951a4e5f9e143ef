/** A season of Italian football against figures computed independently of this code. */
import { existsSync, readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  arbitrageProfit,
  hold,
  impliedTotal,
  isSureProfit,
  shownShares,
  stakeShares,
} from '../../../../pipeline/rules/odds/arbitrage.ts'
import { devig } from '../../../../pipeline/rules/odds/devig.ts'
import { expectedValue, kellyFraction } from '../../../../pipeline/rules/odds/value.ts'

const shared = new URL('../../../../../shared/data/', import.meta.url)
const matchesFile = new URL('football-data/I1_2425.csv', shared)
const expectedFile = new URL('opportunities/football_I1_2425.json', shared)
const isHere = existsSync(matchesFile) && existsSync(expectedFile)

const reference = 'PS'
/** The exchange is no candidate, because its prices are before commission. */
const exchange = 'BFE'
const selections = ['home', 'draw', 'away'] as const
const suffixes = ['H', 'D', 'A'] as const

interface ArbitrageFigures {
  readonly matches: number
  readonly arbs: number
  readonly arbs_at_least_0_5: number
  readonly sum_profit: number
  readonly min_hold_percentage: number
  readonly mean_hold_percentage: number
  readonly list: readonly {
    readonly date: string
    readonly home: string
    readonly implied_total: number
    readonly profit_percent: number
    readonly excluded_over_10: boolean
    readonly legs: readonly {
      readonly selection: string
      readonly odds_decimal: number
      readonly books_at_best: readonly string[]
      readonly stake_percent: number
    }[]
  }[]
}

interface Expected {
  readonly rows: number
  readonly books_prematch: readonly string[]
  readonly ev: {
    readonly candidates: number
    readonly positive: number
    readonly by_book: Record<
      string,
      { readonly candidates: number; readonly positive: number; readonly sum_positive_ev: number }
    >
    readonly top: readonly {
      readonly date: string
      readonly home: string
      readonly selection: string
      readonly book: string
      readonly odds_decimal: number
      readonly fair_probability: number
      readonly ev_percentage: number
      readonly kelly_percent: number
    }[]
  }
  readonly arbitrage_3way_prematch: ArbitrageFigures
  readonly arbitrage_3way_closing: ArbitrageFigures
}

type Match = Record<string, string>

/** Returns home, draw and away of one sportsbook; null unless it has all three. */
function quoted(match: Match, columns: string): [number, number, number] | null {
  const texts = suffixes.map((suffix) => match[columns + suffix] ?? '')
  if (texts.includes('')) return null
  const [home = 0, draw = 0, away = 0] = texts.map(Number)
  return [home, draw, away]
}

describe.skipIf(!isHere)('the Serie A season 2024/25 (needs ../shared)', () => {
  let expected: Expected
  let matches: Match[]

  beforeAll(() => {
    expected = JSON.parse(readFileSync(expectedFile, 'utf8'))
    matches = parse(readFileSync(matchesFile), { columns: true, bom: true })
  })

  const books = () => expected.books_prematch.filter((book) => book !== exchange)

  test('has as many bets with a positive expected value, and the same best ones', () => {
    expect(matches.length).toBe(expected.rows)
    const candidates = matches.flatMap((match) => {
      const fair = devig(quoted(match, reference) ?? [])?.probabilities
      if (!fair) return []
      return books()
        .filter((book) => book !== reference)
        .flatMap((book) =>
          (quoted(match, book) ?? []).map((price, at) => ({
            match,
            book,
            selection: selections[at],
            price,
            fair: fair[at] ?? 0,
            ev: expectedValue(fair[at] ?? 0, price),
          })),
        )
    })
    expect(candidates.length).toBe(expected.ev.candidates)
    const positive = candidates.filter(({ ev }) => ev > 0)
    expect(positive.length).toBe(expected.ev.positive)
    for (const [book, figures] of Object.entries(expected.ev.by_book)) {
      expect(candidates.filter((each) => each.book === book).length).toBe(figures.candidates)
      const its = positive.filter((each) => each.book === book)
      expect(its.length).toBe(figures.positive)
      expect(100 * its.reduce((sum, { ev }) => sum + ev, 0)).toBeCloseTo(figures.sum_positive_ev, 5)
    }
    const ranked = positive.toSorted((a, b) => b.ev - a.ev)
    for (const [at, row] of expected.ev.top.entries()) {
      const { match, book, selection, price, fair, ev } = ranked[at] as (typeof ranked)[number]
      const { date, home } = row
      expect({
        date: match.Date,
        home: match.HomeTeam,
        selection,
        book,
        odds_decimal: price,
      }).toEqual({
        date,
        home,
        selection: row.selection,
        book: row.book,
        odds_decimal: row.odds_decimal,
      })
      expect(fair).toBeCloseTo(row.fair_probability, 8)
      expect(100 * ev).toBeCloseTo(row.ev_percentage, 5)
      expect(100 * kellyFraction(fair, price)).toBeCloseTo(row.kelly_percent, 5)
    }
  })

  test.each([
    ['before the match', '', 'arbitrage_3way_prematch'],
    ['at the close', 'C', 'arbitrage_3way_closing'],
  ] as const)('has the same three-way arbitrage %s', (_, closing, key) => {
    const figures = expected[key]
    const found = matches.map((match) => {
      const quotes = books().flatMap((book) => {
        const prices = quoted(match, book + closing)
        return prices ? [{ book, prices }] : []
      })
      const legs = selections.map((selection, at) => {
        const price = Math.max(...quotes.map(({ prices }) => prices[at] as number))
        const atBest = quotes.filter(({ prices }) => prices[at] === price)
        return { selection, price, books: atBest.map(({ book }) => book) }
      })
      const prices = legs.map(({ price }) => price)
      return { match, legs, prices, total: impliedTotal(prices) }
    })
    expect(found.length).toBe(figures.matches)
    const holds = found.map(({ prices }) => 100 * hold(prices))
    expect(Math.min(...holds)).toBeCloseTo(figures.min_hold_percentage, 7)
    expect(holds.reduce((a, b) => a + b) / holds.length).toBeCloseTo(
      figures.mean_hold_percentage,
      7,
    )

    const arbitrages = found.filter(({ total }) => total < 1).toSorted((a, b) => a.total - b.total)
    const profits = arbitrages.map(({ total }) => 100 * arbitrageProfit(total))
    expect(profits.length).toBe(figures.arbs)
    expect(profits.filter((profit) => profit >= 0.5).length).toBe(figures.arbs_at_least_0_5)
    expect(profits.reduce((a, b) => a + b)).toBeCloseTo(figures.sum_profit, 5)
    for (const [at, row] of figures.list.entries()) {
      const { match, legs, prices, total } = arbitrages[at] as (typeof arbitrages)[number]
      expect([match.Date, match.HomeTeam]).toEqual([row.date, row.home])
      expect(100 * total).toBeCloseTo(row.implied_total, 7)
      expect(profits[at]).toBeCloseTo(row.profit_percent, 7)
      expect(isSureProfit(arbitrageProfit(total))).toBe(!row.excluded_over_10)
      const shares = stakeShares(prices)
      const shown = shownShares(shares)
      for (const [side, leg] of row.legs.entries()) {
        expect(legs[side]).toMatchObject({
          selection: leg.selection,
          price: leg.odds_decimal,
          books: leg.books_at_best,
        })
        expect(100 * (shares[side] ?? 0)).toBeCloseTo(leg.stake_percent, 7)
        expect(Math.abs((shown[side] ?? 0) - leg.stake_percent)).toBeLessThan(0.01)
      }
    }
  })
})
