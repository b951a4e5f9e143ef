/**
 * Labels of contests that are not the game: "1H Miami Heat", "Lakers 2K25", "Rangers SOG". No list can
 * have them all, so what counts is where a word stands. A word that both names of a listing carry names
 * neither side; where the names of the other listing lack it, it says that the contest is another. Words
 * that two sides may well share (forms of clubs, cities, United) are no labels. A word that only one name
 * carries is a label when it can be nothing else: a period or a statistic.
 */
import { wordsOfTeams } from '../../../schemas/reference/teams.ts'
import { commonWords, isPlainForm, leading, littleWords } from './club-names.ts'
import { contestWords } from './contest-words.ts'
import { foldSet, foldWord, type NameKind, type TeamName } from './parsed-name.ts'
import { givenNameOf, personParticles } from './person-names.ts'
import { isCounted } from './team-marks.ts'
import { sharedCities } from './team-words.ts'

const cityWords = foldSet(sharedCities.flatMap((city) => city.split('-')))
const statisticsLikeForms = foldSet(contestWords.statisticsLikeForms)
const periodsAndStatistics = foldSet([...contestWords.periods, ...contestWords.statistics])

const conjunctions = foldSet(['and', 'und', 'y', 'et', 'e', 'of', 'in'])

const isParticle = (word: string) => littleWords.has(word) && !conjunctions.has(word)

/** The words of a name among which a label may be. */
export interface LabelWords {
  readonly words: readonly string[]
  /** What stands in brackets, as one word. */
  readonly tag: string
}

/** A side's name as the other listing has it, and as the table has it. */
export interface Called {
  readonly parsed: TeamName
  readonly full: TeamName
}

const noWords: readonly string[] = []

/** @param isKnown the table has the name, but for what stands in brackets */
export const labelWords = (name: TeamName, isKnown: boolean): LabelWords => ({
  words: isKnown ? noWords : name.kind === 'person' ? wordsOfPerson(name) : name.parts,
  tag: name.tag,
})

/** As they are written: "SOG" reads as three initials. */
const wordsOfPerson = ({ raw }: TeamName): readonly string[] =>
  raw
    .replace(/\([^)]*\)/g, ' ')
    .match(/[\p{L}\p{N}]+/gu)
    ?.map(foldWord) ?? noWords

export const saysNothing: LabelWords = { words: noWords, tag: '' }

/** The labels that the names of a game carry, were they held against names that lack them. */
export type FindLabels = (home: LabelWords, away: LabelWords) => readonly string[]

/** How labels are told in a league, given as id or name; '' for not known. */
export function createFindLabels(kind: NameKind, league: string): FindLabels {
  const isShared = kind === 'person' ? isSharedByPersons : sharedByTeams(league)
  return (home, away) => {
    if (home.words.length + away.words.length === 0 && home.tag === '') return noWords
    const labels = home.words.filter(
      (word, at) =>
        away.words.includes(word) &&
        !isShared(word, isEdge(home.words, at) && isEdge(away.words, away.words.indexOf(word))),
    )
    if (home.tag !== '' && home.tag === away.tag) labels.push(home.tag)
    if (kind !== 'esports')
      for (const { words, tag } of [home, away]) {
        if (periodsAndStatistics.has(tag)) labels.push(tag)
        for (const [at, word] of words.entries())
          if (periodsAndStatistics.has(word) || isCounted(words, at)) labels.push(word)
      }
    return labels.length === 0 ? noWords : labels
  }
}

const isEdge = (words: readonly string[], at: number) => at === 0 || at === words.length - 1

/**
 * Whether two names may well carry a word, and be written without it.
 * @param isAtEdge nothing stands before it, or nothing behind it
 */
type IsShared = (word: string, isAtEdge: boolean) => boolean

function sharedByTeams(league: string): IsShared {
  const known = wordsOfTeams(league)
  const own = known && foldSet([...known])
  const mayHaveParticles = !own || [...own].some(isParticle)
  return (word, isAtEdge) => {
    if (cityWords.has(word) || foundingYear.test(word)) return true
    // "And" stands between words; elsewhere "ET" is extra time.
    if (isParticle(word)) return mayHaveParticles
    if (littleWords.has(word)) return !isAtEdge
    // Where a table has the teams, it has what they share: "Rangers SA" and "Rangers FT" are none of the NHL.
    if (own) return own.has(word)
    if (commonWords.has(word) || leading.has(word)) return true
    return isPlainForm(word) && !statisticsLikeForms.has(word)
  }
}

/** "Schalke 04", "Hannover 1896"; and not "FC 25". */
const foundingYear = /^(?:0\d|1[89]\d\d)$/

/** Two players are hardly both the second of their name: "Sinner II v Alcaraz II" is another contest. */
const generations = new Set(['sr', 'ii', 'iii', 'iv'])

/** A letter beside a player's name is read as an initial. */
const isSharedByPersons: IsShared = (word) =>
  word.length === 1
    ? /\p{L}/u.test(word)
    : (personParticles.has(word) && !generations.has(word)) || givenNameOf(word) !== undefined

/** Whether the names of a game carry a word, in full or short for it. */
export function carry(sides: readonly Called[], label: string): boolean {
  const some = (test: (name: TeamName) => boolean) => (side: Called) =>
    test(side.parsed) || test(side.full)
  return (
    sides.some(some((name) => carries(name, label))) ||
    // "TB" is Tampa Bay, and behind both names the total bases. A letter says less: "Bruins" begin with B.
    (label.length > 1 &&
      sides.every(some(({ words }) => words.some((word) => word.initials === label)))) ||
    // "Sheff Wed" and "Sheff Utd" abbreviate what both names of the other listing have in full.
    sides.every(({ full }) => full.parts.some((part) => isShortFor(label, part)))
  )
}

function carries(name: TeamName, label: string): boolean {
  if (name.tag === label || name.parts.includes(label)) return true
  if (name.kind === 'person') return wordsOfPerson(name).includes(label)
  return (
    name.words.some(({ text }) => text === label) ||
    name.parts.some((part) => isShortFor(part, label))
  )
}

const isShortFor = (part: string, word: string) =>
  part.length > 2 && word.length > part.length + 1 && word.startsWith(part)
