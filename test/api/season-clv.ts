/**
 * Closing-line value of a season straight from its file, the slow way and independent of the
 * service: own columns, own times, own devig.
 */

import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'

/** A close compared with that of a sharp book. */
export interface Sample {
  readonly match: string
  /** Start of the match, epoch ms. */
  readonly startsAt: number
  readonly sportsbook: string
  readonly market: string
  readonly reference: string
  /** The closing line value, in percent. */
  readonly value: number
}

/** The sharp books among those of the files, in order of preference. */
const sharpBooks = ['pinnacle', 'betfair', 'onexbet']

const books: readonly (readonly [prefix: string, sportsbook: string])[] = [
  ['B365', 'bet365'],
  ['BW', 'bwin'],
  ['IW', 'interwetten'],
  ['PS', 'pinnacle'],
  ['P', 'pinnacle'],
  ['WH', 'williamhill'],
  ['VC', 'betvictor'],
  ['BV', 'betvictor'],
  ['1XB', 'onexbet'],
  ['BF', 'betfair_sportsbook'],
  ['BFE', 'betfair'],
  ['BFD', 'betfred'],
  ['BMGM', 'betmgm'],
  ['CL', 'coral'],
  ['LB', 'ladbrokes'],
]

const markets: readonly (readonly [market: string, suffixes: readonly string[]])[] = [
  ['moneyline', ['CH', 'CD', 'CA']],
  ['total_goals', ['C>2.5', 'C<2.5']],
  ['asian_handicap', ['CAHH', 'CAHA']],
]

export interface Season {
  /** Starts in rising order. */
  readonly starts: readonly number[]
  readonly samples: readonly Sample[]
}

/** @param marketOf returns the service's name of a market */
export function readSeason(path: string, marketOf: (market: string) => string): Season {
  const rows: Record<string, string>[] = parse(readFileSync(path), { columns: true, bom: true })
  const samples: Sample[] = []
  const starts: number[] = []
  for (const cells of rows) {
    const startsAt = londonInstant(cells.Date!, cells.Time!)
    const match = `${cells.HomeTeam} - ${cells.AwayTeam}`
    starts.push(startsAt)
    for (const [market, suffixes] of markets) {
      const closes = new Map<string, readonly number[]>()
      for (const [prefix, sportsbook] of books) {
        const prices = suffixes.map((suffix) => Number(cells[`${prefix}${suffix}`] || Number.NaN))
        const hasLine = market !== 'asian_handicap' || (cells.AHCh ?? '') !== ''
        if (hasLine && prices.every((price) => price > 1)) closes.set(sportsbook, powerOf(prices))
      }
      const reference = sharpBooks.find((sportsbook) => closes.has(sportsbook))
      if (reference === undefined) continue
      for (const [sportsbook, own] of closes) {
        if (sportsbook === reference) continue
        for (const [i, sharp] of closes.get(reference)!.entries()) {
          const value = ((sharp - own[i]!) / own[i]!) * 100
          samples.push({ match, startsAt, sportsbook, market: marketOf(market), reference, value })
        }
      }
    }
  }
  return { starts: starts.sort((a, b) => a - b), samples }
}

/** Computes no-vig probabilities by the power method: the exponent by bisection, to the last digit. */
function powerOf(prices: readonly number[]): number[] {
  let low = 0.01
  let high = 100
  for (let i = 0; i < 200; i++) {
    const middle = (low + high) / 2
    const sum = prices.reduce((total, price) => total + price ** -middle, 0)
    if (sum > 1) low = middle
    else high = middle
  }
  return prices.map((price) => price ** -low)
}

const london = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** Converts a London local time to epoch ms. */
function londonInstant(date: string, time: string): number {
  const [day, month, year] = date.split('/')
  const asUtc = Date.parse(`${year}-${month}-${day}T${time}:00Z`)
  return london.format(asUtc) === time ? asUtc : asUtc - 3_600_000
}
