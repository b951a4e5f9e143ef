/**
 * The worth of the sportsbooks' consensus, by results and by Pinnacle's close: the figures behind `fair-market.ts` and
 * the guide. The rules were chosen with both halves in view. How alike the halves are shows how much is chance.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { devig } from '../../pipeline/rules/odds/devig.ts'
import {
  consensusOf,
  type FairMarket,
  leastConsensusValue,
} from '../../pipeline/rules/odds/fair-market.ts'
import { leastOthers } from '../../pipeline/rules/odds/median-market.ts'
import { isValue } from '../../pipeline/rules/odds/value.ts'

const seasons = new URL('../../../shared/data/football-data/', import.meta.url)
const books = ['B365', 'BW', 'IW', 'WH', 'VC', 'BF', 'BFD', '1XB', 'LB', 'BV', 'CL', 'BMGM']

interface Match {
  /** Index of the actual outcome: home, draw, away. */
  readonly result: number
  readonly pinnacle: FairMarket
  /** Decimal odds and the fair market of each other sportsbook. */
  readonly others: readonly { readonly prices: readonly number[]; readonly market: FairMarket }[]
}

/** Reads matches with Pinnacle's close and those of at least four others. */
function readMatches(): Match[] {
  const matches: Match[] = []
  for (const name of readdirSync(seasons)) {
    if (!/_\d{4}.*\.csv$/.test(name)) continue
    const [head = '', ...lines] = readFileSync(new URL(name, seasons), 'utf8').split(/\r?\n/)
    const columns = head.replace(/^\uFEFF/, '').split(',')
    for (const line of lines) {
      const cells = line.split(',')
      const closesOf = (book: string) => {
        const prices = ['H', 'D', 'A'].map((of) => Number(cells[columns.indexOf(`${book}C${of}`)]))
        const market = devig(prices)
        return market ? [{ prices, market }] : []
      }
      const [pinnacle] = closesOf('PS')
      const others = books.flatMap(closesOf)
      const result = ['H', 'D', 'A'].indexOf(cells[columns.indexOf('FTR')] ?? '')
      if (!pinnacle || result < 0 || others.length <= leastOthers) continue
      matches.push({ result, pinnacle: pinnacle.market, others })
    }
  }
  return matches
}

/** Returns by how much a forecast's mean log score is worse than Pinnacle's. */
function loss(matches: readonly Match[], forecast: (match: Match) => FairMarket): number {
  const total = matches.reduce((sum, match) => {
    const { result, pinnacle } = match
    const ours = forecast(match).probabilities[result]!
    return sum + Math.log(pinnacle.probabilities[result]! / ours)
  }, 0)
  return total / matches.length
}

/** Returns the mean worth by Pinnacle of bets whose EV by the others' consensus is from `least` to `most`. */
function worthByPinnacle(matches: readonly Match[], least: number, most: number): number {
  const worth: number[] = []
  for (const { others, pinnacle } of matches) {
    for (const one of others) {
      const rest = others.filter((other) => other !== one).map(({ market }) => market)
      const { probabilities } = consensusOf(rest)
      for (const [outcome, price] of one.prices.entries()) {
        const ev = probabilities[outcome]! * price - 1
        if (!isValue(ev) || ev < least || ev >= most) continue
        worth.push(pinnacle.probabilities[outcome]! * price - 1)
      }
    }
  }
  return worth.reduce((sum, one) => sum + one, 0) / worth.length
}

const meanOf = ({ others }: Match): FairMarket => {
  const probabilities = [0, 1, 2].map(
    (at) => others.reduce((sum, { market }) => sum + market.probabilities[at]!, 0) / others.length,
  )
  return { probabilities, overround: 0 }
}

describe.skipIf(!existsSync(seasons))('the consensus at the close (needs ../shared)', () => {
  const matches = existsSync(seasons) ? readMatches() : []

  it.each([
    ['of even number', 0],
    ['of odd number', 1],
  ])('of matches %s', (_, half) => {
    const some = matches.filter((__, at) => at % 2 === half)
    expect(some.length).toBeGreaterThan(6_000)
    const figures = {
      consensus: loss(some, ({ others }) => consensusOf(others.map(({ market }) => market))),
      mean: loss(some, meanOf),
      one: loss(
        some.flatMap((match) => match.others.map((other) => ({ ...match, others: [other] }))),
        ({ others }) => others[0]!.market,
      ),
      below: worthByPinnacle(some, 0, leastConsensusValue),
      above: worthByPinnacle(some, leastConsensusValue, 0.05),
      far: worthByPinnacle(some, 0.05, 1),
    }
    console.info(some.length, figures)
    // The consensus forecasts nearly as well as Pinnacle, better than one sportsbook, and as well as the mean.
    expect(figures.consensus).toBeLessThan(0.0008)
    expect(figures.consensus).toBeLessThan(figures.one)
    expect(Math.abs(figures.consensus - figures.mean)).toBeLessThan(0.0003)
    // For this reason it is listed from 2 % on.
    expect(figures.below).toBeLessThan(0)
    expect(figures.above).toBeGreaterThan(0.005)
    expect(figures.far).toBeGreaterThan(0.04)
  })
})
