/** Display rules of a league's games. */

import type { Game, League } from '../../wire.ts'

/** Returns whether the home side is named first: everywhere except in North America. */
export const isHomeFirst = (league: League | undefined) =>
  league !== undefined && league.country !== 'usa' && league.country !== 'canada'

/** Returns a title such as `Nets at Knicks` or `Arsenal v Chelsea`. */
export const titleOf = ({ home_team: home, away_team: away }: Game, league: League | undefined) =>
  isHomeFirst(league) ? `${home} v ${away}` : `${away} at ${home}`
