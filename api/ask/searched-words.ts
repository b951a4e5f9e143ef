/** The words of a query `q`, and the names that they are looked for in. */

import { findLeague } from '../../schemas/reference/leagues.ts'
import { normaliseName } from '../../schemas/reference/normalise-name.ts'
import { findTeam } from '../../schemas/reference/teams.ts'

/** Words between the teams of a game; `@` and `-` are missing, because normalised names do not have them. */
const joiningWords: ReadonlySet<string> = new Set(['vs', 'v', 'at'])

/** Returns the words of a query, without those between teams, unless there are no other words. */
function wordsOf(q: string): readonly string[] {
  const words = normaliseName(q).split(' ')
  const others = words.filter((word) => !joiningWords.has(word))
  return others.length > 0 ? others : words
}

/** Returns whether a text, of normalised names, has all words of a query. */
export function hasWords(q: string): (text: string) => boolean {
  const words = wordsOf(q)
  return (text) => words.every((word) => word !== '' && text.includes(word))
}

/** Returns all known names of a team. */
export function teamNames(name: string, league: string): string[] {
  const team = findTeam(name, league)
  if (!team) return [name]
  return [name, team.name, team.abbreviation ?? '', ...team.aliases]
}

export const leagueNames = (league: string): string[] => [league, findLeague(league)?.name ?? '']

/** Returns names, normalised, one per line. */
export const lines = (names: readonly string[]): string => names.map(normaliseName).join('\n')
