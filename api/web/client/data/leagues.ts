/** How games of a league are shown. */

import type { Game, League } from './wire.ts'

/** Whether the home side is named first: everywhere but in North America. */
export const isHomeFirst = (league: League | undefined) =>
  league !== undefined && league.country !== 'usa' && league.country !== 'canada'

/** `Nets at Knicks`, `Arsenal v Chelsea` */
export const titleOf = ({ home_team: home, away_team: away }: Game, league: League | undefined) =>
  isHomeFirst(league) ? `${home} v ${away}` : `${away} at ${home}`
