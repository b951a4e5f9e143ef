/** Display rules of leagues and their games. */

import type { Game, League } from '../../wire.ts'

export interface NamedLeague extends League {
  /** `Premier League` for `England - Premier League`; the whole name where another league has the same short one. */
  readonly shortName: string
}

/** Names leagues for a page: one with games beside the others with games, one without beside all. */
export function nameLeagues(leagues: readonly League[]): NamedLeague[] {
  const shortNames = leagues.map(({ name }) => name.split(' - ').at(-1)!)
  return leagues.map((league, i) => {
    const shortName = shortNames[i]!
    const isShared = leagues.some(
      (other, j) =>
        j !== i &&
        shortNames[j] === shortName &&
        (other.event_count > 0 || league.event_count === 0),
    )
    return { ...league, shortName: isShared ? league.name : shortName }
  })
}

export interface Leagues {
  /** Leagues with games. */
  readonly leagues: readonly NamedLeague[]
  /** All leagues, the main ones first. */
  readonly leaguesById: ReadonlyMap<string, NamedLeague>
}

/** @param all leagues as the service lists them, those without games too */
export function sortLeagues(all: readonly League[]): Leagues {
  const named = nameLeagues(all)
  return {
    leagues: named.filter((league) => league.event_count > 0),
    leaguesById: new Map(named.map((league) => [league.id, league])),
  }
}

/**
 * Returns whether the home side is named first: everywhere except in North America.
 * @param league undefined for one that the reference data do not list, which has no country
 */
export const isHomeFirst = (league: League | undefined) =>
  league?.country !== 'usa' && league?.country !== 'canada'

/** Returns a title such as `Nets @ Knicks` or `Arsenal v Chelsea`. */
export const titleOf = ({ home_team: home, away_team: away }: Game, league: League | undefined) =>
  isHomeFirst(league) ? `${home} v ${away}` : `${away} @ ${home}`
