/** Display rules of leagues and their games. */

import type { Game, League } from '../../wire.ts'

export interface NamedLeague extends League {
  /** `Premier League` for `England - Premier League`; the whole name where another league has the same short one. */
  readonly shortName: string
}

/** @param leagues all that a page shows beside each other */
export function nameLeagues(leagues: readonly League[]): NamedLeague[] {
  const shortNames = leagues.map(({ name }) => name.split(' - ').at(-1)!)
  const isShared = (shortName: string) =>
    shortNames.indexOf(shortName) !== shortNames.lastIndexOf(shortName)
  return leagues.map((league, i) => {
    const shortName = shortNames[i]!
    return { ...league, shortName: isShared(shortName) ? league.name : shortName }
  })
}

/** Returns whether the home side is named first: everywhere except in North America. */
export const isHomeFirst = (league: League | undefined) =>
  league !== undefined && league.country !== 'usa' && league.country !== 'canada'

/** Returns a title such as `Nets at Knicks` or `Arsenal v Chelsea`. */
export const titleOf = ({ home_team: home, away_team: away }: Game, league: League | undefined) =>
  isHomeFirst(league) ? `${home} v ${away}` : `${away} at ${home}`
