/**
 * Text that punctuation sets apart from a name: "Luke Humphries - Most 180s", "Set 1: Judd Trump", "Sinner (Set
 * Betting)". Names have hyphens, but no dash, colon or bar between blanks, and no phrase in
 * brackets. So one part is the name, and the others mean another contest, unless the other
 * listing's names have them too, or they are about the same game. Those are: a city, a country, a
 * league, home and away, how the side qualified or its place, a player's nickname, and in baseball
 * the pitcher.
 */
import { memoise } from '../../../schemas/memoise.ts'
import { findLeague, leagueById } from '../../../schemas/reference/leagues.ts'
import { countryInBrackets, foldAll, isCountry, littleWords, pitcher } from './club-names.ts'
import { type Called, carry, cityWords } from './contest-labels.ts'
import { contestWords, isEntry, isStanding } from './contest-words.ts'
import { foldSet, isNumber, type TeamName } from './parsed-name.ts'
import { marksOfLeague } from './side-marks.ts'
import { numberOfGame } from './team-marks.ts'
import { parseTeamName } from './team-names.ts'
import { nickname, sameGameWords } from './text-in-brackets.ts'

/** The words of each part of a name with several parts, if they concern the contest. */
export type PartsApart = readonly (readonly string[])[]

const brackets = /[([]([^)\]]*)[)\]]/gu
const separators = /\s+[-–—|]+\s+|:\s+|\s*\|\s*/u

const onePart: PartsApart = []

const partsOfTies = foldSet(contestWords.partsOfTies)

const wordsOfLeague = memoise(
  (league) =>
    new Set(
      [league, leagueById(league)?.name ?? ''].flatMap((text) =>
        foldAll(text.replace(/[^\p{L}\p{N}]+/gu, ' ')),
      ),
    ),
  512,
)

/** Returns the parts of a name; none if it is one part. */
export function partsApart(name: TeamName, sport: string, league: string): PartsApart {
  const { kind } = name
  if (name.members.length > 0 || !/[([:|]|\s[-–—]+\s/u.test(name.raw)) return onePart
  const raw = kind === 'team' ? numberOfGame(name.raw).rest : name.raw
  const inBrackets =
    sport === 'baseball' ? [] : [...raw.matchAll(brackets)].map(([, inside = '']) => inside)
  const parts = [
    ...raw.replace(brackets, ' ').split(separators),
    ...inBrackets.filter((inside) => isPhrase(inside, name)),
  ].filter((part) => /[\p{L}\p{N}]/u.test(part))
  if (parts.length < 2) return onePart
  const ofLeague = wordsOfLeague(league)
  return parts.map((part) => {
    const text = part.trim()
    if (sport === 'baseball' && pitcher.test(text)) return []
    if (countryInBrackets(text.toLowerCase()) !== undefined) return []
    if (isEntry(text) || isStanding(text) || (kind === 'team' && isLeague(text, sport))) return []
    return parseTeamName(text, kind).bare.parts.filter(
      (word) =>
        !isNumber(word) &&
        !littleWords.has(word) &&
        !sameGameWords.has(word) &&
        !cityWords.has(word) &&
        !(kind === 'team' && isCountry([word])) &&
        !ofLeague.has(word) &&
        // A leg is one game of a tie; in darts it is a part of a game.
        !(kind === 'team' && partsOfTies.has(word)),
    )
  })
}

/** Returns whether a text names a men's league: in a soccer cup, that of the club. */
function isLeague(text: string, sport: string): boolean {
  const league = sport === 'soccer' ? findLeague(text, sport) : undefined
  if (!league) return false
  const { women, young } = marksOfLeague(league.id)
  return !women && !young
}

/** English particles: in brackets, "the" does not begin the name of a place. */
const english = new Set(['the', 'and', 'of', 'in'])

/**
 * Returns whether brackets have more than a mark or a code. A single word beside a team may be its sponsor, and a
 * particle belongs to a place: (Santiago del Estero).
 */
function isPhrase(inside: string, { kind }: TeamName): boolean {
  const words = inside.match(/[\p{L}\p{N}]+/gu) ?? []
  if (kind === 'person')
    return !nickname.test(inside) && words.some((word) => /\p{L}{4}/u.test(word))
  const written = foldAll(inside.trim())
  return words.length > 1 && !written.some((word) => littleWords.has(word) && !english.has(word))
}

/**
 * Returns the parts of both names of a game, if they have several. In baseball, different names
 * after both are the pitchers: "Yankees - Gerrit Cole v Red Sox - Brayan Bello".
 */
export function apartInGame(
  home: PartsApart,
  away: PartsApart,
  sport: string,
): readonly PartsApart[] {
  if (sport === 'baseball' && namePitchers(home, away)) return []
  return [home, away].filter((parts) => parts.length > 0)
}

function namePitchers([, ours = [], ...more]: PartsApart, [, theirs = [], ...others]: PartsApart) {
  const areNames = [ours, theirs].every(({ length }) => length === 1 || length === 2)
  return (
    areNames && more.length + others.length === 0 && !ours.some((word) => theirs.includes(word))
  )
}

/** Returns whether all parts of a name except one are also in the other listing. */
export function isOneName(
  parts: PartsApart,
  theirs: readonly Called[],
  theirParts: readonly PartsApart[],
): boolean {
  if (parts.length === 0) return true
  const isTheirs = (word: string) =>
    carry(theirs, word) || theirParts.some((name) => name.some((part) => part.includes(word)))
  const found = parts.map((words) => words.filter(isTheirs))
  const letters = found.map((words) => words.join('').length)
  const own = letters.indexOf(Math.max(...letters))
  return parts.every((words, at) => at === own || found[at]?.length === words.length)
}
