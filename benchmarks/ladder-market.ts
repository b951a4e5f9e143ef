/**
 * A simulated market of ladders, to vary the numbers of sportsbooks and lines: games with a moneyline, and a spread and
 * a total of several lines. All sportsbooks price around one drifting opinion. A sportsbook reprices all lines of one
 * ladder at a time.
 */

import { createRandom } from '../pipeline/feeds/simulator/random.ts'
import type { FeedMarket, FeedSelection, OddsRecord } from '../schemas/feed-record.ts'
import { sportsbooks } from '../schemas/reference/sportsbooks.ts'

export interface LadderMarket {
  /** Returns every price once. */
  opening(at: number): OddsRecord[]
  /** Returns repricings of single ladders with at least this many prices in total. */
  moves(prices: number, at: number): { readonly records: OddsRecord[]; readonly prices: number }
}

export function createLadderMarket(size: {
  readonly games: number
  readonly books: number
  readonly rungs: number
}): LadderMarket {
  const random = createRandom(7)
  const books = bookIds(size.books)
  const games = Array.from({ length: size.games }, (_, number) => ({
    number,
    margin: 10 * random.next() - 5,
    total: 215 + 20 * random.next(),
  }))

  function record(
    sportsbook: string,
    number: number,
    markets: FeedMarket[],
    mode: OddsRecord['mode'],
    at: number,
  ): OddsRecord {
    return {
      type: 'odds',
      sportsbook,
      mode,
      observedAt: at,
      event: {
        externalId: `ladder-${number}`,
        sport: 'basketball',
        league: `ladder_league_${number}`,
        homeTeam: 'Alphaville',
        awayTeam: 'Betaburg',
        startsAt: at - (at % 86_400_000) + 2 * 86_400_000,
        isLive: false,
      },
      markets,
    }
  }

  /** Returns a price with the sportsbook's margin and a small deviation. */
  function price(probability: number, sportsbook: number): number {
    const margin = sportsbook === 0 ? 0.01 : 0.015 + 0.02 * ((sportsbook % 7) / 7)
    const opinion = probability * (1 + 0.02 * (random.next() - 0.5))
    return Math.max(1.01, Math.round(100 / Math.min(0.99, opinion + margin)) / 100)
  }

  function ladder(kind: 'margin' | 'total', number: number, book: number): FeedMarket {
    const game = games[number]!
    const middle = Math.round(kind === 'margin' ? -game.margin : game.total) + 0.5
    const selections: FeedSelection[] = []
    for (let rung = 0; rung < size.rungs; rung++) {
      const line = middle + rung - Math.floor(size.rungs / 2)
      const first =
        kind === 'margin'
          ? 1 - normal((-line - game.margin) / 12.5)
          : 1 - normal((line - game.total) / 18)
      const types = kind === 'margin' ? (['home', 'away'] as const) : (['over', 'under'] as const)
      const labels = kind === 'margin' ? ['Alphaville', 'Betaburg'] : ['Over', 'Under']
      types.forEach((selectionType, side) => {
        selections.push({
          ...plain,
          selection: labels[side]!,
          selectionType,
          line: kind === 'margin' && side === 1 ? -line : line,
          price: price(side === 0 ? first : 1 - first, book),
        })
      })
    }
    return market(kind === 'margin' ? 'point_spread' : 'total_points', selections)
  }

  function moneyline(number: number, book: number): FeedMarket {
    const home = 1 - normal(-games[number]!.margin / 12.5)
    return market('moneyline', [
      { ...plain, selection: 'Alphaville', selectionType: 'home', price: price(home, book) },
      { ...plain, selection: 'Betaburg', selectionType: 'away', price: price(1 - home, book) },
    ])
  }

  return {
    opening: (at) =>
      games.flatMap(({ number }) =>
        books.map((sportsbook, book) => {
          const all = [moneyline(number, book), ladder('margin', number, book)]
          return record(sportsbook, number, [...all, ladder('total', number, book)], 'snapshot', at)
        }),
      ),
    moves(prices, at) {
      const records: OddsRecord[] = []
      let count = 0
      while (count < prices) {
        const number = Math.floor(random.next() * games.length)
        const game = games[number]!
        const book = Math.floor(random.next() * books.length)
        // The opinion moves by a fraction of a point; sportsbooks follow one by one.
        game.margin += 0.05 * (random.next() - 0.5)
        game.total += 0.05 * (random.next() - 0.5)
        const turn = Math.floor(random.next() * 5)
        const repriced =
          turn === 0
            ? moneyline(number, book)
            : ladder(turn % 2 === 0 ? 'margin' : 'total', number, book)
        records.push(record(books[book]!, number, [repriced], 'delta', at))
        count += repriced.selections.length
      }
      return { records, prices: count }
    },
  }
}

/** Returns ids of sportsbooks, Pinnacle first. */
const bookIds = (count: number) =>
  ['pinnacle', 'draftkings', 'fanduel', 'betmgm', 'bet365', 'circa', 'novig', 'kalshi']
    .concat(sportsbooks.map(({ id }) => id))
    .filter((id, i, all) => all.indexOf(id) === i)
    .slice(0, count)

const plain = {
  line: null,
  externalId: null,
  removed: false,
  suspended: false,
  maxBet: null,
  changedAt: null,
  publicBetPct: null,
  deepLink: null,
} as const

const market = (marketType: string, selections: FeedSelection[]): FeedMarket => ({
  marketType,
  line: null,
  playerName: null,
  statCategory: null,
  externalId: null,
  maxBet: null,
  suspended: false,
  selections,
})

/** A logistic approximation of the standard normal distribution, exact enough here. */
const normal = (z: number) => 1 / (1 + Math.exp(-1.702 * z))
