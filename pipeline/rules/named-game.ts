/**
 * Which game a person means, who names its sides and its start, or only the day. Names and times are
 * judged by `matching.ts`, as listings of sportsbooks are; this file says which games are compared, and
 * tells a game that nobody has from one that could be two.
 */

import { leagueById } from '../../schemas/reference/leagues.ts'
import { easternOffsetMs } from './event-id.ts'
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

/** The days whose games `findNamedGame` looks at. */
export const daysOf = ({ startsAt }: Pick<StatedGame, 'startsAt'>) =>
  daysAround.map((apart) => dayOf(startsAt) + apart)

export function findNamedGame(
  stated: StatedGame,
  games: KnownGames,
  spellings: Spellings,
): NamedGameFound {
  const byLeague = new Map<string, KnownGame[]>()
  for (const day of daysOf(stated)) {
    for (const game of games.on(day, stated)) {
      const before = byLeague.get(game.league)
      if (before) before.push(game)
      else byLeague.set(game.league, [game])
    }
  }
  const found = new Map<KnownGame, boolean>()
  for (const [league, candidates] of byLeague) {
    for (const { candidate, swapped } of matchesIn(stated, league, candidates, spellings)) {
      found.set(candidate, swapped)
    }
  }
  if (found.size > 1) return 'several_events'
  for (const [game, swapped] of found) return { game, swapped }
  return 'no_such_event'
}

/** The game of one league that is meant; several where it could be each of them. */
function matchesIn(
  stated: StatedGame,
  league: string,
  candidates: readonly KnownGame[],
  spellings: Spellings,
): readonly Match<KnownGame>[] {
  const { sport, sportsbook } = stated
  const options = sideOptionsOf(sport, league)
  const home = spellings.read(stated.home, league, sportsbook)
  const away = spellings.read(stated.away, league, sportsbook)
  const isForbidden = ({ candidate, swapped }: Match<KnownGame>) => {
    const [first, second] = swapped ? [stated.away, stated.home] : [stated.home, stated.away]
    return (
      spellings.areForbidden(league, sportsbook, first, candidate.home) ||
      spellings.areForbidden(league, sportsbook, second, candidate.away)
    )
  }
  const matchAt = (startsAt: number, among: readonly KnownGame[]) => {
    const found = findAllowedMatch(
      { home, away, startsAt, sportsbook },
      among,
      options,
      isForbidden,
    )
    return found ? [found] : []
  }
  if (stated.isDay) {
    const ofDay = candidates.filter(
      ({ startsAt }) => localDay(startsAt, league) === dayOf(stated.startsAt),
    )
    return ofDay.flatMap(({ startsAt }) => matchAt(startsAt, ofDay))
  }
  const best = matchAt(stated.startsAt, candidates)
  if (best.length > 0) return best
  // Each would do alone: together they cannot be told apart.
  const alone = candidates.flatMap((candidate) => matchAt(stated.startsAt, [candidate]))
  return alone.length > 1 ? alone : []
}

/** The date of an instant by the clock of a league, as days since 1970-01-01. */
function localDay(at: number, league: string): number {
  const isEastern = leagueById(league)?.clock === 'us_eastern'
  return dayOf(isEastern ? at + easternOffsetMs(at) : at)
}
