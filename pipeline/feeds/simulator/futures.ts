/**
 * The winner of a league at the simulated sportsbooks: one market per league for its current or
 * next season, in each sportsbook's own words. Chances drift over days; a sportsbook sends all of
 * its prices every two minutes. Time and seed decide everything, so equal times give equal records.
 */

import type { FeedFutureSelection, FuturesRecord } from '../../../schemas/feed-record.ts'
import { leagueById } from '../../../schemas/reference/leagues.ts'
import { type Team, teams } from '../../../schemas/reference/teams.ts'
import { americanToDecimal, decimalToAmerican } from '../../rules/odds/odds.ts'
import { offered, unstatedFuture } from '../kit/futures-records.ts'
import { type BookProfile, bookProfiles } from './books.ts'
import { trait } from './random.ts'

interface SimulatedFuturesOptions {
  readonly seed: number
  /** Sportsbook ids; all by default. */
  readonly books?: readonly string[] | undefined
  /** League ids; all by default. */
  readonly leagues?: readonly string[] | undefined
}

/** The day on which each league is decided. */
const deciders: Readonly<Record<string, readonly [month: number, day: number]>> = {
  nba: [6, 20],
  nhl: [6, 21],
  nfl: [2, 14],
  mlb: [11, 1],
  wnba: [10, 15],
  'england_-_premier_league': [5, 24],
  'spain_-_la_liga': [5, 24],
  'italy_-_serie_a': [5, 24],
  'germany_-_bundesliga': [5, 17],
  'france_-_ligue_1': [5, 17],
  afl: [9, 26],
}

const everyMs = 120_000
const day = 86_400_000
/** The share of sportsbooks that offer the market of a league. */
const coverage = 0.4

interface Listing {
  readonly book: BookProfile
  readonly league: string
  /** When, within the two minutes, the sportsbook sends. */
  readonly turnMs: number
}

export function createSimulatedFutures(options: SimulatedFuturesOptions) {
  const { seed, books, leagues } = options
  const listings = Object.keys(deciders)
    .filter((league) => leagues?.includes(league) ?? true)
    .flatMap((league) =>
      bookProfiles
        .filter(({ id }) => books?.includes(id) ?? true)
        .filter(({ id }) => trait(`${id}|${league}`, seed) < coverage)
        .map((book): Listing => {
          const turnMs = Math.floor(trait(`${book.id}|${league}`, seed + 1) * everyMs)
          return { book, league, turnMs }
        }),
    )
  let before: number | null = null
  return {
    /** Returns the records since the last step; `now` never goes back (epoch ms). */
    step(now: number): readonly FuturesRecord[] {
      const since = before
      before = now
      const due = listings.filter(({ turnMs }) => {
        const turn = (at: number) => Math.floor((at - turnMs) / everyMs)
        return since === null || turn(now) > turn(since)
      })
      return due.map((listing) => recordOf(listing, now, seed))
    },
  }
}

function recordOf({ book, league, turnMs }: Listing, now: number, seed: number): FuturesRecord {
  const { sport = '', name = league } = leagueById(league) ?? {}
  const settlesAt = decidedAt(league, now)
  const end = new Date(settlesAt).getUTCFullYear()
  const wordings = [`${name} Champion`, `${name} Winner`, 'Outright Winner', 'To Win Outright']
  const wording = wordings[turnMs % wordings.length] as string
  // Some sportsbooks name the season, others the time when it is decided.
  const isNamed = turnMs % 2 === 0
  return {
    type: 'futures',
    sportsbook: book.id,
    mode: 'snapshot',
    observedAt: now,
    future: {
      ...unstatedFuture,
      sport,
      league,
      name: wording,
      futureType: 'TEAM',
      ...(isNamed ? { season: `${end - 1}-${String(end).slice(2)}` } : { settlesAt }),
    },
    prices: pricesOf(book, league, end, now, seed),
  }
}

/** Returns the next decision that is not before tomorrow (epoch ms). */
function decidedAt(league: string, now: number): number {
  const [month, date] = deciders[league] as readonly [number, number]
  const year = new Date(now).getUTCFullYear()
  const at = Date.UTC(year, month - 1, date)
  return at > now + day ? at : Date.UTC(year + 1, month - 1, date)
}

function pricesOf(
  book: BookProfile,
  league: string,
  season: number,
  now: number,
  seed: number,
): FeedFutureSelection[] {
  const field = teams.filter((team) => team.leagues.includes(league))
  const weights = field.map((team) => Math.exp(strengthOf(team, season, now - book.lagMs, seed)))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const booksum = 1 + futureMarginTimes * book.margin
  return field.map((team, at) => {
    const own = 0.94 + 0.12 * trait(`${book.id}|${team.id}|${season}`, seed)
    const chance = Math.min(0.97, ((weights[at] as number) / sum) * booksum * own)
    return offered(spellingOf(team, book), priceOf(chance))
  })
}

/** A market on a season has several times the margin of a game's. */
const futureMarginTimes = 3.5
const longestAmerican = 50_000

/** Returns the log of a team's weight: constant within a season, plus two slow waves. */
function strengthOf({ id }: Team, season: number, at: number, seed: number): number {
  const fixed = 4.6 * trait(`${id}|${season}`, seed)
  const wave = (days: number, salt: number) =>
    Math.sin(2 * Math.PI * (at / (days * day) + trait(id, seed + salt)))
  return fixed + 0.15 * wave(9, 2) + 0.05 * wave(1.3, 3)
}

/** Returns a price rounded as sportsbooks round futures: the longer, the coarser. */
function priceOf(chance: number): number {
  const american = Math.min(longestAmerican, decimalToAmerican(1 / chance))
  const size = Math.abs(american)
  const step = size < 300 ? 5 : size < 1_000 ? 25 : size < 5_000 ? 100 : 1_000
  return americanToDecimal(Math.sign(american) * Math.max(100, Math.round(size / step) * step))
}

function spellingOf({ name, aliases, id }: Team, book: BookProfile): string {
  const long = aliases.filter((alias) => alias.length > 3)
  const chosen = Math.floor(trait(`${book.id}|${id}`, 5) * 2 * (long.length + 1))
  return long[chosen] ?? name
}
