/**
 * The lines of a whole year at every kind of sportsbook: within reach, still undecided, and with neighbours in the
 * order of their prices. The number of pairs is enough to show a fault of one in thousands.
 */

import { describe, expect, it } from 'vitest'
import { type BookProfile, bookProfiles } from '../../../../pipeline/feeds/simulator/books.ts'
import {
  type SimulatedLeague,
  simulatedLeagues,
} from '../../../../pipeline/feeds/simulator/catalogue.ts'
import { type Game, playOn, wander } from '../../../../pipeline/feeds/simulator/game.ts'
import {
  createListing,
  type Family,
  type Listing,
  openFamilies,
  setLive,
} from '../../../../pipeline/feeds/simulator/listing.ts'
import { createPricer } from '../../../../pipeline/feeds/simulator/pricing.ts'
import { createRandom } from '../../../../pipeline/feeds/simulator/random.ts'
import { testSeed } from '../../../seed.ts'
import { seasonGames } from './season-games.ts'

/** The largest margin, in the unit of the handicap, and the least and largest total of a match. */
const limits: Readonly<
  Record<string, { readonly margin?: number; readonly total: readonly [number, number] }>
> = {
  tennis: { margin: 2, total: [12, 39] },
  esports: { margin: 2, total: [2, 3] },
  snooker: { margin: 9, total: [9, 17] },
  darts: { margin: 10, total: [10, 19] },
  mma: { total: [0, 3] },
  boxing: { total: [0, 10] },
}

const minute = 60_000
const gamesOfLeague = 60
const booksOfGame = 3
const newsOfGame = 12
const looksInPlay = 8
const movesBetween = 40

const pricer = createPricer()
const random = createRandom(testSeed)

interface Seen {
  lines: number
  pairs: number
  readonly faults: string[]
}

function priceOf({ book }: Listing, family: Family, rung: number, side: number): number {
  return book.grid.prices[family.steps[rung * family.sides.length + side]!]!
}

function look(listing: Listing, game: Game, seen: Seen) {
  const { sport } = game.league
  const where = (family: Family, rung: number) =>
    `${game.league.id} ${game.number} ${listing.book.id} ${family.marketType} ${family.lines[rung]}`
  for (const family of listing.families) {
    const { kind, lines, share } = family
    if (!['spread', 'total', 'team_total'].includes(kind)) continue
    const last = family.sides.length - 1
    for (const [rung, line] of lines.entries()) {
      seen.lines++
      if (share === 1 && !isOpen(sport, kind, line, game)) seen.faults.push(where(family, rung))
      if (rung === 0) continue
      seen.pairs++
      const sign = kind === 'spread' ? -1 : 1
      const first = priceOf(listing, family, rung, 0) - priceOf(listing, family, rung - 1, 0)
      const other = priceOf(listing, family, rung, last) - priceOf(listing, family, rung - 1, last)
      if (sign * first < 0 || sign * other > 0 || line <= lines[rung - 1]!)
        seen.faults.push(`order: ${where(family, rung)}`)
    }
  }
}

/** Returns whether the match can still end on either side of the line. */
function isOpen(sport: string, kind: string, line: number, game: Game): boolean {
  const {
    margin = Number.POSITIVE_INFINITY,
    total: [least, most] = [0, Number.POSITIVE_INFINITY],
  } = limits[sport] ?? {}
  if (kind === 'spread') return Math.abs(line) < margin
  const scored = kind === 'total' && game.stage === 'live' ? game.homeScore + game.awayScore : 0
  return line > Math.max(least, scored) && line < most
}

function priceAll(listing: Listing, game: Game, at: number) {
  for (const family of listing.families) {
    pricer.reprice(listing, family, game.version - 1, at, null)
  }
}

function moveSome(listing: Listing, at: number) {
  for (let move = 0; move < movesBetween; move++) {
    const family = random.pick(listing.families)
    pricer.nudge(listing, family, random.below(family.rungs), at, random, null)
  }
}

function followGame(game: Game, book: BookProfile, depth: number, seen: Seen) {
  const listing = createListing(game, book, bookProfiles.indexOf(book))
  openFamilies(listing, game.stage === 'live', depth, random)
  setLive(listing, game.stage === 'live')
  return (at: number) => {
    priceAll(listing, game, at)
    look(listing, game, seen)
    moveSome(listing, at)
    look(listing, game, seen)
  }
}

function playSeason(league: SimulatedLeague): Seen {
  const seen: Seen = { lines: 0, pairs: 0, faults: [] }
  for (const [i, game] of seasonGames(league, gamesOfLeague, testSeed).entries()) {
    // News may move a total this far, and within a year it does.
    if (i % 3 > 0) game.total = league.model.total * (i % 3 === 1 ? 0.75 : 1.25)
    const books = Array.from({ length: booksOfGame }, () => random.pick(bookProfiles))
    const follow = () => books.map((book, at) => followGame(game, book, at === 0 ? 6 : 1, seen))
    const before = follow()
    const hours = league.listedHours / newsOfGame
    for (let news = 1; news <= newsOfGame; news++) {
      const at = game.startsAt + (news - newsOfGame) * hours * 60 * minute
      wander(game, at, random.chance(0.2), random)
      for (const step of before) step(at)
    }
    game.stage = 'live'
    playOn(game, game.startsAt + minute)
    const inPlay = follow()
    for (let of = 1; of < looksInPlay; of++) {
      const at = game.startsAt + ((game.endsAt - game.startsAt) * of) / looksInPlay
      playOn(game, at)
      for (const step of inPlay) step(at)
    }
  }
  return seen
}

describe('a year of', () => {
  let pairs = 0
  it.each(simulatedLeagues.map((league) => [league.id, league] as const))(
    '%s has lines that the games can reach, in their order',
    (_, league) => {
      const seen = playSeason(league)
      expect(seen.faults.slice(0, 10)).toEqual([])
      if (league.model.totalStep !== null) expect(seen.lines).toBeGreaterThan(500)
      pairs += seen.pairs
    },
  )

  it('all leagues has neighbours enough to find one fault in five thousand', () => {
    expect(pairs).toBeGreaterThan(500_000)
  })
})
