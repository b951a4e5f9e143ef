/**
 * Which game a person means, who names its sides and its start, or only the day. Names and times are
 * judged by `matching.ts`, as listings of sportsbooks are; this file says which games are compared, and
 * tells a game that nobody has from one that could be two.
 *
 * Many are looked up at a time, most of them among the same games and by the same names. So a spelling
 * is held against the games of a day once, and what was found for the same words is not looked for again.
 */

import { leagueById } from '../../../schemas/reference/leagues.ts'
import { easternOffsetMs } from './event-id.ts'
import { mayBeOne, readGame, readSides, type Side, type SideOptions } from './game-sides.ts'
import { type Candidate, findAllowedMatch, type Match } from './matching.ts'
import { sideOptionsOf } from './side-options.ts'

/** A game that may be meant; `home` and `away` in the frame of its rows. */
export interface KnownGame extends Candidate {
  readonly sport: string
  readonly league: string
  /** Whether it is shown with its sides the other way round. */
  readonly flipped: boolean
}

export interface StatedGame {
  readonly home: string
  readonly away: string
  /** Epoch ms; of a day, midnight UTC of its date. */
  readonly startsAt: number
  /** Only the date was stated, by the league's own clock: US Eastern time, or UTC. */
  readonly isDay: boolean
  readonly sport: string
  /** Null for any of the sport. */
  readonly league: string | null
  /** Whose spelling of names it may be. */
  readonly sportsbook: string
}

/** What is known of spellings beyond the names themselves. */
export interface Spellings {
  /** The side that a spelling stands for; the spelling itself where nothing is said of it. */
  read(name: string, league: string, sportsbook: string): string
  /** Whether somebody has said that a spelling never stands for a side. */
  areForbidden(league: string, sportsbook: string, spelling: string, side: string): boolean
}

export interface KnownGames {
  find(id: string): KnownGame | undefined
  /** Those that start on a day (UTC, days since 1970-01-01), of a league or of a sport. */
  on(day: number, of: Pick<StatedGame, 'sport' | 'league'>): readonly KnownGame[]
}

export type NamedGameFound =
  | {
      readonly game: KnownGame
      /** The person has home and away the other way round than the game's frame. */
      readonly swapped: boolean
    }
  | 'no_such_event'
  | 'several_events'

export const dayMs = 86_400_000

export const dayOf = (at: number) => Math.floor(at / dayMs)

/** Games that start further from the stated start, in days, are never the one that is meant. */
const daysAround = [-1, 0, 1]

/** The days whose games are looked at. */
export const daysOf = ({ startsAt }: Pick<StatedGame, 'startsAt'>) =>
  daysAround.map((apart) => dayOf(startsAt) + apart)

export type FindNamedGame = (stated: StatedGame) => NamedGameFound

/**
 * Looks games up among those there are.
 * @param games all of them: what comes later is not seen
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
    for (const { candidate, swapped } of matchesIn(stated, league, days, spellings)) {
      found.set(candidate, swapped)
    }
    if (found.size > 1) return 'several_events'
  }
  for (const [game, swapped] of found) return { game, swapped }
  return 'no_such_event'
}

// ---- the games that a name may be of

interface NameIndex {
  /** The games of the days around a stated start, by league. */
  daysOf(stated: StatedGame): ReadonlyMap<string, readonly LeagueDay[]>
}

/** The games of one league that start on one day (UTC). */
interface LeagueDay {
  readonly games: readonly KnownGame[]
  /** Those with a side that the name may be, by the name. */
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
        for (const [league, ofLeague] of leaguesOn(day, stated)) {
          const before = around.get(league)
          if (before) before.push(ofLeague)
          else around.set(league, [ofLeague])
        }
      }
      return around
    },
  }
}

function byLeague(games: readonly KnownGame[]): ReadonlyMap<string, LeagueDay> {
  const leagues = new Map<string, { games: KnownGame[]; byName: LeagueDay['byName'] }>()
  for (const game of games) {
    const before = leagues.get(game.league)
    if (before) before.games.push(game)
    else leagues.set(game.league, { games: [game], byName: new Map() })
  }
  return leagues
}

/** The games of a day that one of two names may be of: all that `matching.ts` has to see. */
function gamesNamed(
  day: LeagueDay,
  home: string,
  away: string,
  options: SideOptions,
): readonly KnownGame[] {
  let ofHome = day.byName.get(home)
  let ofAway = day.byName.get(away)
  if (ofHome === undefined || ofAway === undefined) {
    const sides = readGame(home, away, options)
    ofHome ??= gamesOfSide(day, sides.home, options)
    ofAway ??= gamesOfSide(day, sides.away, options)
    day.byName.set(home, ofHome)
    day.byName.set(away, ofAway)
  }
  if (ofHome.length === 0) return ofAway
  if (ofAway.length === 0) return ofHome
  return [...new Set([...ofHome, ...ofAway])]
}

const gamesOfSide = (day: LeagueDay, side: Side, options: SideOptions): readonly KnownGame[] =>
  day.games.filter((game) => {
    const { home, away } = readSides(game, options)
    return mayBeOne(side, home) || mayBeOne(side, away)
  })

// ---- in one league

/** So many games of a day that the names fit cannot be told apart by its date. */
const mostOfDay = 8

/** The game of one league that is meant; several where it could be each of them. */
function matchesIn(
  stated: StatedGame,
  league: string,
  days: readonly LeagueDay[],
  spellings: Spellings,
): readonly Match<KnownGame>[] {
  const { sport, sportsbook } = stated
  const options = sideOptionsOf(sport, league)
  const home = spellings.read(stated.home, league, sportsbook)
  const away = spellings.read(stated.away, league, sportsbook)
  const candidates = days.flatMap((day) => gamesNamed(day, home, away, options))
  const isForbidden = ({ candidate, swapped }: Match<KnownGame>) => {
    const [first, second] = swapped ? [stated.away, stated.home] : [stated.home, stated.away]
    return (
      spellings.areForbidden(league, sportsbook, first, candidate.home) ||
      spellings.areForbidden(league, sportsbook, second, candidate.away)
    )
  }
  const matchAt = (startsAt: number, among: readonly KnownGame[]) =>
    findAllowedMatch({ home, away, startsAt, sportsbook }, among, options, isForbidden)

  /** The first games, up to a number, that would each do alone. */
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

  if (stated.isDay) {
    const ofDay = candidates.filter(
      ({ startsAt }) => localDay(startsAt, league) === dayOf(stated.startsAt),
    )
    const fits = fitsAlone(ofDay, mostOfDay + 1, ({ startsAt }) => startsAt)
    if (fits.length > mostOfDay) return fits
    return fits.flatMap(({ candidate }) => matchAt(candidate.startsAt, ofDay) ?? [])
  }
  const best = matchAt(stated.startsAt, candidates)
  if (best) return [best]
  // Each would do alone: together they cannot be told apart.
  const alone = fitsAlone(candidates, 2, () => stated.startsAt)
  return alone.length > 1 ? alone : []
}

/** The date of an instant by the clock of a league, as days since 1970-01-01. */
function localDay(at: number, league: string): number {
  const isEastern = leagueById(league)?.clock === 'us_eastern'
  return dayOf(isEastern ? at + easternOffsetMs(at) : at)
}
