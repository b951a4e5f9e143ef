/** The countries of leagues, as the codes that clubs' names have in brackets. */
import { memoise } from '../../../schemas/memoise.ts'
import { leagueById } from '../../../schemas/reference/leagues.ts'
import { countryInBrackets } from './club-names.ts'

/**
 * Returns the code of a league's country; undefined for an unknown league, or one of several
 * countries.
 */
export const countryOfLeague = memoise((league: string) => {
  const country = leagueById(league)?.country ?? undefined
  return country === undefined ? undefined : countryInBrackets(country)
}, 512)
