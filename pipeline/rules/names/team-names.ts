/**
 * Whether two names mean the same team or person.
 *
 * A name is cut into words. Words that only name the kind of club are dropped, words that many clubs share (United,
 * Real) are kept apart, and marks of who plays (women, under 21, second team) must be equal. The rest is compared
 * word by word. When in doubt the verdict is the weaker one: showing one game as two is a smaller
 * error than showing two games as one. `matching.ts` decides which games are one; teams are read in
 * `club-names.ts` and compared in `club-comparison.ts`, players in `person-names.ts`.
 */
import { compareTeams } from './club-comparison.ts'
import { parseSquad, parseTeam } from './club-names.ts'
import { type NameKind, remembered, type TeamName, type Verdict } from './parsed-name.ts'
import { comparePersons, parsePerson } from './person-names.ts'

const sportsOfPersons = new Set([
  ...['tennis', 'table_tennis', 'mma', 'boxing', 'darts', 'snooker', 'golf', 'badminton', 'squash'],
  ...['padel', 'pool', 'fencing', 'judo', 'wrestling'],
])

/** Returns the kind of names in a sport: teams, unless the sport is one of single players. */
export function nameKindOf(sport: string): NameKind {
  return sport === 'esports' ? 'esports' : sportsOfPersons.has(sport) ? 'person' : 'team'
}

/** Cuts a name into its words. Cached: the same text gives the same object. */
export function parseTeamName(name: string, kind: NameKind = 'team'): TeamName {
  return parsers[kind](name)
}

/**
 * Returns whether two names are one team (or person). Symmetric. A name is the `same` as itself
 * unless it has no letters.
 */
export function compareTeamNames(a: string, b: string, kind: NameKind = 'team'): Verdict {
  return compareNames(parseTeamName(a, kind), parseTeamName(b, kind))
}

/** Compares names already parsed, of one kind. */
export const compareNames = (a: TeamName, b: TeamName): Verdict =>
  remembered(a, b, a.kind === 'person' ? comparePersons : compareTeams)

const parsers = { team: parseTeam, esports: parseSquad, person: parsePerson }
