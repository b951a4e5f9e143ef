/**
 * Second teams with a name of their own: "T1 Rookies v Gen.G Scholars", "Las Palmas Atletico v
 * Tenerife Atletico". An added word may complete the name of the same team, or name its second
 * team. If both names of a listing are those of another listing plus such a word, they are two
 * games.
 */
import { findTeamInSport, hasOwnTeams } from '../../../schemas/reference/teams.ts'
import { isPieces, nestedIn } from './club-comparison.ts'
import { foldAll, isCountry, isPlainForm } from './club-names.ts'
import { foldSet, type TeamName } from './parsed-name.ts'
import { secondSquads } from './team-words.ts'
import { places, sameGameWords } from './text-in-brackets.ts'
import { align } from './word-alignment.ts'

const squadWords = foldSet(secondSquads)

/**
 * Returns whether a name has more words than another, and these are no part of the team's name.
 * Esports teams are often known by one word: "Karmine" of Karmine Corp, "Toronto" of Toronto Ultra.
 * So in esports only words for second teams, and countries, count. In other sports, added words
 * count only if a table has the name without them. In a league with a table of its own,
 * `contest-labels.ts` handles them.
 */
export function addsWords(
  long: TeamName,
  short: TeamName,
  { sport, league = '' }: { readonly sport: string; readonly league?: string },
): boolean {
  if (long.kind === 'person' || hasOwnTeams(league)) return false
  const added = addedWords(long, short).filter(
    (word) => !places.has(word) && !sameGameWords.has(word),
  )
  const first = long.parts.find((part) => !isPlainForm(part)) ?? ''
  // Sponsors and cities come first: "BNK FearX", "Atlanta FaZe".
  if (added.length === 0 || !short.parts.includes(first)) return false
  if (long.kind === 'esports')
    return added.some((word) => squadWords.has(word) || isCountry([word]))
  const team = findTeamInSport(short.raw, sport)
  if (!team || findTeamInSport(long.raw, sport)) return false
  const own = [team.name, team.city ?? '', ...team.aliases].flatMap((name) =>
    foldAll(name.replace(/[^\p{L}\p{N}]+/gu, ' ')),
  )
  return added.some((word) => !own.includes(word))
}

/**
 * Returns the words that a name has in addition to those of another: none if it lacks a word of the other. Words that
 * only abbreviate the name are left out.
 */
function addedWords(long: TeamName, short: TeamName): readonly string[] {
  const { restA, restB, grades } = align(long.words, short.words)
  if (grades.length === 0 || restB.length > 0 || !nestedIn(short.shared, long.shared)) return []
  return [
    ...restA.map(({ text }) => text).filter((word) => !isPieces(word, short.parts)),
    ...long.shared.filter((word) => !short.shared.includes(word)),
  ]
}
