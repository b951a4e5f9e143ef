/** The countries of leagues, as the codes that names of clubs have in brackets. */
import { memoise } from '../../../schemas/memoise.ts'
import { leagueById } from '../../../schemas/reference/leagues.ts'
import { countryInBrackets } from './club-names.ts'

/** Returns the code of a league's country; undefined for a league of several, or an unknown one. */
export const countryOfLeague = memoise((league: string) => {
  const country = leagueById(league)?.country ?? undefined
  return country === undefined ? undefined : countryInBrackets(country)
}, 512)
