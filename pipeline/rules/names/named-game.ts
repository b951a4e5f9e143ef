/**
 * Finds the game that a person means by its sides and its start (or only the day). `matching.ts`
 * judges names and times, as for sportsbooks' listings. This file chooses the games to compare, and
 * distinguishes "no such game" from "could be two".
 *
 * Many games are looked up together, mostly with the same names. So a spelling is compared with the
 * games of a day once, and results for the same words are cached.
 */

import { addTo, groupBy } from '../../../schemas/grouping.ts'
import { leagueById } from '../../../schemas/reference/leagues.ts'
import { easternOffsetMs } from './event-id.ts'
import { mayBeOne, readName, readSides, type SideOptions } from './game-sides.ts'
import { type Candidate, findAllowedMatch, type Match } from './matching.ts'
import { sideOptionsOf } from './side-options.ts'

/** A game that may be meant; `home` and `away` in the frame of its rows. */
export interface KnownGame extends Candidate {
  readonly sport: string
  readonly league: string
  /** Whether it is shown with its sides swapped. */
  readonly flipped: boolean
}

export interface StatedSides {
  readonly home: string
  readonly away: string
  readonly sport: string
  /** The league; null for any league of the sport. */
  readonly league: string | null
  /** The sportsbook that may spell names this way. */
  readonly sportsbook: string
}

interface StatedStart {
  /** Epoch ms; for a day, midnight UTC of its date. */
  readonly startsAt: number
  /** Whether only the date was stated, in the league's own time: US Eastern, or UTC. */
  readonly isDay: boolean
}

export interface StatedGame extends StatedSides, StatedStart {}

/** Known spellings of names. */
export interface Spellings {
  /** Returns the side that a spelling means; the spelling itself if none is known. */
  read(name: string, league: string, sportsbook: string): string
  /** Returns whether an operator has ruled out that a spelling means a side. */
  areForbidden(league: string, sportsbook: string, spelling: string, side: string): boolean
}

export interface KnownGames {
  find(id: string): KnownGame | undefined
  /** Returns the games that start on a day (UTC, days since 1970-01-01), of a league or of a sport. */
  on(day: number, of: Pick<StatedGame, 'sport' | 'league'>): readonly KnownGame[]
}

export type NamedGameFound =
  | {
      readonly game: KnownGame
      /** Whether the person has home and away swapped against the game's frame. */
      readonly swapped: boolean
    }
  | 'no_such_event'
  | 'several_events'

export const dayMs = 86_400_000

export const dayOf = (at: number) => Math.floor(at / dayMs)

/** Offsets, in days, from the stated start's day to the days whose games may be meant. */
const daysAround = [-1, 0, 1]

/** Returns the days whose games are compared. */
export const daysOf = ({ startsAt }: Pick<StatedGame, 'startsAt'>) =>
  daysAround.map((apart) => dayOf(startsAt) + apart)

export type FindNamedGame = (stated: StatedGame) => NamedGameFound

/**
 * Creates the look-up of games.
 * @param games all games; later additions are ignored
 */
export function createGameFinder(games: KnownGames, spellings: Spellings): FindNamedGame {
  const index = createNameIndex(games)
  const known = new Map<string, NamedGameFound>()
  return (stated) => {
    const { home, away, startsAt, isDay, sport, league, sportsbook } = stated
    const key = JSON.stringify([home, away, startsAt, isDay, sport, league, sportsbook])
    let found = known.get(key)
    if (found === undefined) {
      found = findNamedGame(stated, index, spellings)
      known.set(key, found)
    }
    return found
  }
}

function findNamedGame(stated: StatedGame, index: NameIndex, spellings: Spellings): NamedGameFound {
  const found = new Map<KnownGame, boolean>()
  for (const [league, days] of index.daysOf(stated)) {
    for (const { candidate, swapped } of matchesIn(stated, stated, league, days, spellings)) {
      found.set(candidate, swapped)
    }
    if (found.size > 1) return 'several_events'
  }
  for (const [game, swapped] of found) return { game, swapped }
  return 'no_such_event'
}

/**
 * Returns the only one of these games that has the stated sides, whenever it starts. Null if there
 * is none or more than one.
 * @param games of one or several leagues
 */
export function findGameOfSides(
  stated: StatedSides,
  games: readonly KnownGame[],
  spellings: Spellings,
): KnownGame | null {
  const [found, ...others] = [...byLeague(games)].flatMap(([league, ofLeague]) =>
    matchesIn(stated, null, league, [ofLeague], spellings),
  )
  return found && others.length === 0 ? found.candidate : null
}

// ---- the games that a name may belong to

interface NameIndex {
  /** Returns the games of the days around a stated start, by league. */
  daysOf(stated: StatedGame): ReadonlyMap<string, readonly LeagueDay[]>
}

/** The games of one league that start on one day (UTC). */
interface LeagueDay {
  readonly games: readonly KnownGame[]
  /** The number of characters of the longest name of a side. */
  readonly longestName: number
  /** The games with a side that the name may be, by the name. */
  readonly byName: Map<string, readonly KnownGame[]>
}

function createNameIndex(games: KnownGames): NameIndex {
  const days = new Map<string, ReadonlyMap<string, LeagueDay>>()

  function leaguesOn(day: number, { sport, league }: StatedGame): ReadonlyMap<string, LeagueDay> {
    const key = `${day} ${sport} ${league ?? ''}`
    let leagues = days.get(key)
    if (!leagues) {
      leagues = byLeague(games.on(day, { sport, league }))
      days.set(key, leagues)
    }
    return leagues
  }

  return {
    daysOf(stated) {
      const around = new Map<string, LeagueDay[]>()
      for (const day of daysOf(stated)) {
        for (const [league, ofLeague] of leaguesOn(day, stated)) addTo(around, league, ofLeague)
      }
      return around
    },
  }
}

function byLeague(games: readonly KnownGame[]): ReadonlyMap<string, LeagueDay> {
  const leagues = new Map<string, LeagueDay>()
  for (const [league, ofLeague] of groupBy(games, (game) => game.league)) {
    const lengths = ofLeague.map(({ home, away }) => Math.max(home.length, away.length))
    leagues.set(league, { games: ofLeague, longestName: Math.max(...lengths), byName: new Map() })
  }
  return leagues
}

/**
 * Returns the games that one of two names may belong to: these are what `matching.ts` has to
 * compare. Returns none if one of the names fits no game, because the game must have both.
 */
function gamesNamed(
  days: readonly LeagueDay[],
  home: string,
  away: string,
  options: SideOptions,
): readonly KnownGame[] {
  const ofHome = days.flatMap((day) => gamesOfName(day, home, options))
  if (ofHome.length === 0) return []
  const ofAway = days.flatMap((day) => gamesOfName(day, away, options))
  return ofAway.length === 0 ? [] : [...new Set([...ofHome, ...ofAway])]
}

/**
 * A longer name is not compared, unless a side of the day has a longer one. No name in the tables
 * of teams has more than 50 characters.
 */
const mostCharacters = 80

function gamesOfName(day: LeagueDay, name: string, options: SideOptions): readonly KnownGame[] {
  if (name.length > Math.max(mostCharacters, day.longestName)) return []
  let games = day.byName.get(name)
  if (games === undefined) {
    const side = readName(name, options)
    games = day.games.filter((game) => {
      const { home, away } = readSides(game, options)
      return mayBeOne(side, home) || mayBeOne(side, away)
    })
    day.byName.set(name, games)
  }
  return games
}

// ---- in one league

/** If more games of a day fit the names, the date cannot tell them apart. */
const mostOfDay = 8

/**
 * Returns the game of one league that is meant; several if it could be any of them. @param start
 * null for any
 */
function matchesIn(
  stated: StatedSides,
  start: StatedStart | null,
  league: string,
  days: readonly LeagueDay[],
  spellings: Spellings,
): readonly Match<KnownGame>[] {
  const { sport, sportsbook } = stated
  const options = sideOptionsOf(sport, league)
  const home = spellings.read(stated.home, league, sportsbook)
  const away = spellings.read(stated.away, league, sportsbook)
  const candidates = gamesNamed(days, home, away, options)
  if (candidates.length === 0) return []
  const isForbidden = ({ candidate, swapped }: Match<KnownGame>) => {
    const [first, second] = swapped ? [stated.away, stated.home] : [stated.home, stated.away]
    return (
      spellings.areForbidden(league, sportsbook, first, candidate.home) ||
      spellings.areForbidden(league, sportsbook, second, candidate.away)
    )
  }
  const matchAt = (startsAt: number, among: readonly KnownGame[]) =>
    findAllowedMatch({ home, away, startsAt, sportsbook }, among, options, isForbidden)

  /** Returns the first games, up to a number, that would each match alone. */
  function fitsAlone(
    games: readonly KnownGame[],
    most: number,
    startOf: (game: KnownGame) => number,
  ): readonly Match<KnownGame>[] {
    const fits: Match<KnownGame>[] = []
    for (const game of games) {
      const fit = matchAt(startOf(game), [game])
      if (fit) fits.push(fit)
      if (fits.length === most) break
    }
    return fits
  }

  if (start === null) return fitsAlone(candidates, 2, ownStart)
  if (start.isDay) {
    const ofDay = candidates.filter(
      ({ startsAt }) => localDay(startsAt, league) === dayOf(start.startsAt),
    )
    const fits = fitsAlone(ofDay, mostOfDay + 1, ownStart)
    if (fits.length > mostOfDay) return fits
    return fits.flatMap(({ candidate }) => matchAt(candidate.startsAt, ofDay) ?? [])
  }
  const best = matchAt(start.startsAt, candidates)
  if (best) return [best]
  // Each of them would match alone; together they cannot be told apart.
  const alone = fitsAlone(candidates, 2, () => start.startsAt)
  return alone.length > 1 ? alone : []
}

const ownStart = ({ startsAt }: KnownGame) => startsAt

/** Returns the date of a time in a league's own time (null: UTC), as days since 1970-01-01. */
export function localDay(at: number, league: string | null): number {
  const isEastern = league !== null && leagueById(league)?.clock === 'us_eastern'
  return dayOf(isEastern ? at + easternOffsetMs(at) : at)
}
