/**
 * Labels of contests other than the game: "1H Miami Heat", "Lakers 2K25", "Rangers SOG". No list
 * can have them all, so the place of a word decides. A word in both names of a listing is part of
 * neither side; if the other listing's names lack it, it is another contest. Words that two sides
 * may share (club forms, cities, United) are no labels. A word in only one name is a label if it
 * can be nothing else: a period, a statistic, the name of another contest, or a word beside a
 * complete name in a league whose teams are all known.
 */

import { memoise } from '../../../schemas/memoise.ts'
import { clubsOfSport, isCollegeLeague } from '../../../schemas/reference/known-sides.ts'
import { leagueById } from '../../../schemas/reference/leagues.ts'
import { hasOwnTeams, wordsOfTeams } from '../../../schemas/reference/teams.ts'
import { commonWords, countryInBrackets, isPlainForm, leading, littleWords } from './club-names.ts'
import { contestWords } from './contest-words.ts'
import { foldSet, foldWord, type NameKind, type TeamName } from './parsed-name.ts'
import { givenNameOf, personParticles } from './person-names.ts'
import { areOfTwoCountries, guestsOf } from './team-countries.ts'
import { isCounted } from './team-marks.ts'
import { sharedCities } from './team-words.ts'
import {
  type BracketedSide,
  type Brackets,
  fitOf,
  foldJoined,
  isCode,
  plainText,
  sameGameWords,
  textsInBrackets,
  withoutBrackets,
} from './text-in-brackets.ts'

export const cityWords = foldSet(sharedCities.flatMap((city) => city.split('-')))
const statisticsLikeForms = foldSet(contestWords.statisticsLikeForms)
const statisticsBehind = foldSet(contestWords.statisticsBehind)
const formsOfSports = new Map(
  Object.entries(contestWords.formsOfSports).map(([sport, forms]) => [sport, foldSet(forms)]),
)
const countriesOfForms = new Map(
  Object.entries(contestWords.formsOfCountries).flatMap(([country, forms]) =>
    forms.map((form) => [foldWord(form), country] as const),
  ),
)
const periodsAndStatistics = foldSet([...contestWords.periods, ...contestWords.statistics])

const conjunctions = foldSet(['and', 'und', 'y', 'et', 'e', 'of', 'in'])

const isParticle = (word: string) => littleWords.has(word) && !conjunctions.has(word)

/** The words of a name that may include a label. */
export interface LabelWords {
  readonly words: readonly string[]
  /**
   * The text in brackets as one word; a well-known name drops it if it is a club form: "Juventus
   * (E)".
   */
  readonly tag: string
  /** The texts in brackets, and whether they fit the side. */
  readonly brackets: Brackets
  /** The country in brackets. */
  readonly from: string | undefined
  /** Words that are a label even if only this name has them. */
  readonly alone: readonly string[]
}

/** A side's name in the other listing, and in the table. */
export interface Called {
  readonly parsed: TeamName
  readonly full: TeamName
}

const noWords: readonly string[] = []

/**
 * @param brackets the texts in brackets, and whether they fit the side
 * @param isKnown true when the table has the name, apart from the brackets
 * @param besideTeam the words that are no part of a team's name (`labelBesideTeam`)
 */
export const labelWords = (
  name: TeamName,
  brackets: Brackets,
  isKnown: boolean,
  besideTeam: readonly string[],
): LabelWords => ({
  words: isKnown ? noWords : name.kind === 'person' ? wordsOfPerson(name) : name.partsWithForms,
  tag: name.written?.tag ?? name.tag,
  brackets,
  from: name.written?.from,
  alone: name.kind === 'esports' ? partInEsports(name.raw) : [...phraseIn(name.raw), ...besideTeam],
})

const phrases = contestWords.phrases.map(plainText).map((phrase) => ({
  phrase,
  atEnd: ` ${phrase}`,
  atStart: `${phrase} `,
  words: phrase.split(' ').map(foldWord),
}))

/**
 * "To win", "to reach the final", "race to 10": the word is only in a few names of players, and
 * then in both spellings.
 */
const purpose = /(?:^| )to /

/**
 * Returns a pattern of a numbered part: "Set 1", "2nd Set", "1. Halbzeit", "Primer Tiempo", "1:a perioden", "HZ1".
 * @param words the words for a part
 */
function countedOf(words: readonly string[]): string {
  const noun = anyOf(words)
  const number = `(?:[1-9]\\p{L}{0,4}(?: \\p{L})?|${anyOf(contestWords.partOrdinals)})`
  return `${number} ${noun}s?|${noun}s? ?[1-9]|[1-9]${noun}`
}

const anyOf = (words: readonly string[]) => `(?:${words.map(plainText).join('|')})`

const anywhere = (pattern: string) => new RegExp(`(?:^| )(?:${pattern})(?= |$)`, 'u')

/** Matches a numbered part, "G2", "2K25" or "FC 26", anywhere in a name. */
const counted = anywhere(
  `${countedOf(contestWords.partNouns)}|g[1-7]|(?:nba )?2k\\d{0,2}|(?:fc|nhl|ufc) 2\\d`,
)

/**
 * Matches a numbered map, or a statistic, anywhere in the name of an esports team (G2 is such a
 * team).
 */
const countedInEsports = anywhere(
  `${countedOf(contestWords.partNounsOfEsports)}|${anyOf(contestWords.statisticsOfEsports)}`,
)

/**
 * Returns the words of a phrase for another contest at either end of a name, or of a numbered part
 * anywhere in it. At the front, HT belongs to a club, as in HT München.
 */
function phraseIn(raw: string): readonly string[] {
  const text = plainText(raw)
  const found = phrases.find(
    ({ phrase, atEnd, atStart }) =>
      text.endsWith(atEnd) || (phrase !== 'ht' && text.startsWith(atStart)),
  )
  if (found) return found.words
  if (purpose.test(text)) return toWin
  return foundBeside(counted, text)
}

/** Returns the words that a pattern finds in a text, if they are not all of it. */
function foundBeside(pattern: RegExp, text: string): readonly string[] {
  const [found] = pattern.exec(text) ?? []
  return found === undefined || found.length === text.length
    ? noWords
    : found.trim().split(' ').map(foldWord)
}

/**
 * Returns the words of a part or a statistic beside an esports team, with numbers joined to the
 * word before.
 */
const partInEsports = (raw: string) =>
  foundBeside(countedInEsports, plainText(raw))
    .join(' ')
    .replace(/ (?=\d$)/, '')
    .split(' ')
    .filter(Boolean)

const toWin: readonly string[] = ['to']

const contests = contestWords.contests.map((contest) => ({
  contest,
  words: contest.split(' ').map(foldWord),
}))
const contestsLikePersons = new Set(contestWords.contestsLikePersons)

/**
 * A word of at most this many letters may be part of a club's name or, in brackets, its country's
 * code.
 */
const longestCode = 2

/** The first words of the names of a sport's clubs. */
const firstWordsIn = memoise(
  (sport) =>
    new Set(
      clubsOfSport(sport).flatMap(({ name, otherNames }) =>
        [name, ...otherNames].map((text) => foldWord(text.split(' ')[0] ?? '')),
      ),
    ),
  64,
)

/**
 * Returns whether a word is a club form of one country, of which no clubs play in the league. The
 * league is of another country, or of several, in a sport for which the tables have no such club.
 */
function isForeignForm(word: string, sport: string, league: string): boolean {
  const countryOfForm = countriesOfForms.get(word)
  if (countryOfForm === undefined) return false
  const country = countryInBrackets(leagueById(league)?.country ?? '')
  return country === undefined ? !firstWordsIn(sport).has(word) : country !== countryOfForm
}

/**
 * Returns the words of another contest at either end of a team's name, which need not be in a
 * table, unless the league's teams have these words. At the front it may be a club form of another
 * country, unless the league is unknown.
 * @param isTeam returns whether a text names a known team
 */
export function contestBeside(
  raw: string,
  sport: string,
  league: string,
  isTeam: (text: string) => boolean,
): readonly string[] {
  const whole = plainText(raw)
  const outside = plainText(withoutBrackets(raw))
  const own = wordsOfTeams(league)
  const first = foldWord(whole.split(' ', 1)[0] ?? '')
  if (leagueById(league) && isForeignForm(first, sport, league)) return [first]
  for (const { contest, words } of contests) {
    const isCode = contest.length <= longestCode
    const text = isCode ? outside : whole
    const isBehind = text.endsWith(` ${contest}`)
    if (!isBehind && !text.startsWith(`${contest} `)) continue
    if (sport === 'baseball' && contestsLikePersons.has(contest)) continue
    if (own && contest.split(' ').every((word) => own.has(word))) continue
    const rest = isBehind ? text.slice(0, -contest.length - 1) : text.slice(contest.length + 1)
    if (!isCode || isTeam(rest)) return words
  }
  return noWords
}

const glued =
  /(\p{Ll}{2})(\p{Lu}{2,}\d*|\p{Lu}\d+|\d{1,2}\p{L}{1,2})(?![\p{L}\p{N}])|(\p{Lu}{3})(\d{1,2}\p{Lu}{1,2})(?![\p{L}\p{N}])/gu

/**
 * Puts a blank before a label that is joined to a word: "Lakers1H", "BruinsSOG", "PiratesF5". Names
 * such as "Schalke04" and "UnicornsSE" also get a blank, which does not change them.
 */
export const withLabelsApart = (name: string): string => name.replace(glued, '$1$3 $2$4')

/** Returns whether a word has letters and digits, which no name of a person or town has. */
export const isMixed = (word: string) => /\p{L}/u.test(word) && /\d/.test(word)

/** The most words of a label beside a team's name. */
const longestLabel = 4

/**
 * Returns the codes in brackets beside a known team's name that mean another contest: codes that do
 * so beside any team, and all foreign codes in a league with a table of its teams. In baseball they
 * may name the pitcher, and in soccer the club's region.
 */
export function foreignCodes(
  side: BracketedSide,
  sport: string,
  league: string,
): readonly string[] {
  const isAnyForeign = hasOwnTeams(league) && sport !== 'baseball' && sport !== 'soccer'
  return textsInBrackets(side.name)
    .filter(
      (inside) =>
        (contestWords.contests.includes(plainText(inside)) || (isAnyForeign && isCode(inside))) &&
        fitOf(inside, side) === 'foreign',
    )
    .map((inside) => foldJoined(plainText(inside)))
}

/**
 * Returns the words before or after a team's complete name, in a league with a table of its teams,
 * that are no part of the name. They are part of it if all are words of the league's names, club
 * forms, or another name of the team. Numbers count as its rank, and text in brackets as its
 * record, pitcher or city.
 * @param teamOf returns the key of the team that a text names, its words joined by dashes
 */
export function labelBesideTeam(
  raw: string,
  league: string,
  teamOf: (text: string) => string | undefined,
): readonly string[] {
  const own = wordsOfLeague(league)
  if (!own) return noWords
  const mayBelong = (word: string) =>
    own.has(word) ||
    cityWords.has(word) ||
    sameGameWords.has(word) ||
    isParticle(word) ||
    (isPlainForm(word) && !statisticsLikeForms.has(word))
  const words = plainText(withoutBrackets(raw)).split(' ')
  for (let count = 1; count <= Math.min(longestLabel, words.length - 1); count++) {
    for (const [name, beside] of [
      [words.slice(0, -count), words.slice(-count)],
      [words.slice(count), words.slice(0, count)],
    ] as const) {
      const key = teamOf(name.join(' '))
      if (key === undefined) continue
      const other = teamOf(beside.join(' '))
      // "TB Giants" names two teams: one of them is a label.
      if (other !== undefined) return other === key ? noWords : words.map(foldWord)
      const full = [...name, ...key.split('-')]
      const initials = name.map((word) => word[0]).join('')
      const isShort = (word: string) =>
        (word.length > 1 && initials.includes(word)) ||
        (word.length > 2 && full.some((part) => part.startsWith(word)))
      const isOfTeam =
        !(beside.length === 1 && conjunctions.has(beside[0]!)) &&
        beside.every((word) => /^\d+$/.test(word) || isShort(word) || mayBelong(foldWord(word)))
      return isOfTeam ? noWords : beside.map(foldWord)
    }
  }
  return noWords
}

/** Returns the words as written, because "SOG" would be parsed as three initials. */
const wordsOfPerson = ({ raw }: TeamName): readonly string[] =>
  raw
    .replace(/\([^)]*\)/g, ' ')
    .match(/[\p{L}\p{N}]+/gu)
    ?.map(foldWord) ?? noWords

export const saysNothing: LabelWords = {
  words: noWords,
  tag: '',
  brackets: { fit: 'own', others: noWords },
  from: undefined,
  alone: noWords,
}

/** Returns the labels in the names of a game, if the other listing's names lack them. */
export type FindLabels = (home: LabelWords, away: LabelWords) => readonly string[]

/**
 * Creates the finder of labels in a league of a sport, by id or name; '' for an unknown league.
 * Text in brackets after both names is a label if it is the same, or does not fit the sides, such
 * as two computer players: "Lakers (HOLLYWOOD) v Bulls (LEO)". In baseball it may be the two
 * pitchers.
 */
export function createFindLabels(kind: NameKind, sport: string, league: string): FindLabels {
  const mayNamePlayers = (home: LabelWords, away: LabelWords) => {
    const [one, other] = [home.brackets, away.brackets]
    if (home.tag === away.tag) return true
    if (one.others.some((text) => /\p{L}/u.test(text) && other.others.includes(text))) return true
    if (sport === 'baseball') return false
    return (
      one.fit === 'foreign' ||
      other.fit === 'foreign' ||
      (one.fit === 'unknown' && other.fit === 'unknown')
    )
  }
  const isShared = kind === 'person' ? isSharedByPersons : sharedByTeams(sport, league)
  const yearsIn = kind === 'team' ? yearsOfContest(league) : () => noWords
  const isForeign = foreignTo(leagueById(league)?.country ?? '')
  return (home, away) => {
    const alone = home.alone.length + away.alone.length > 0
    const isPlain = home.tag === '' && home.from === undefined
    if (!alone && isPlain && home.words.length + away.words.length === 0) return noWords
    const labels = alone ? [...home.alone, ...away.alone] : []
    labels.push(
      ...home.words.filter(
        (word, at) =>
          away.words.includes(word) &&
          !isShared(word, placeIn(home.words, at, away.words, away.words.indexOf(word))),
      ),
    )
    if (home.tag !== '' && away.tag !== '' && mayNamePlayers(home, away))
      labels.push(home.tag, away.tag)
    if (home.from !== undefined && home.from === away.from && isForeign(home.from))
      labels.push(home.from)
    const years = [yearsIn(home), yearsIn(away)]
    if (years.every((side) => side.length > 0)) labels.push(...years.flat())
    if (kind !== 'esports')
      for (const { words, tag, brackets } of [home, away]) {
        if (brackets.others.some((text) => periodsAndStatistics.has(text))) labels.push(tag)
        for (const [at, word] of words.entries())
          if (periodsAndStatistics.has(word) || isCounted(words, at)) labels.push(word)
      }
    return labels.length === 0 ? noWords : labels
  }
}

/** Where two names have a word: last in both, first or last in each, or within one. */
type Place = 'behind' | 'edge' | 'within'

function placeIn(
  one: readonly string[],
  atOne: number,
  other: readonly string[],
  atOther: number,
): Place {
  const isBehindOne = atOne === one.length - 1
  const isBehindOther = atOther === other.length - 1
  if (isBehindOne && isBehindOther) return 'behind'
  return (isBehindOne || atOne === 0) && (isBehindOther || atOther === 0) ? 'edge' : 'within'
}

/** Returns whether two names may share a word that other spellings leave out. */
type IsShared = (word: string, place: Place) => boolean

/** Returns the folded words of a league's teams; undefined for a league without a table of them. */
const wordsOfLeague = memoise((league) => {
  const known = wordsOfTeams(league)
  return known && foldSet([...known])
}, 512)

function sharedByTeams(sport: string, league: string): IsShared {
  const ownForms = formsOfSports.get(sport)
  const own = wordsOfLeague(league)
  const haveForms = !isCollegeLeague(league)
  // Without a table of the teams, behind both names these are a statistic, although they may be a form too.
  const isForm = (word: string, place: Place) =>
    isPlainForm(word) && (place !== 'behind' || !statisticsBehind.has(word))
  const mayHaveParticles = !own || [...own].some(isParticle)
  return (word, place) => {
    // Such words belong to the word after them, as in New Jersey.
    if (place === 'behind' && leading.has(word)) return false
    if (cityWords.has(word)) return true
    // "Et" (and) stands between words; at an edge, "ET" is extra time.
    if (isParticle(word)) return mayHaveParticles
    if (littleWords.has(word)) return place === 'within'
    if (ownForms?.has(word)) return true
    if (statisticsLikeForms.has(word)) return false
    if (countriesOfForms.has(word)) return place !== 'behind' && !isForeignForm(word, sport, league)
    // A table of the league's teams has all words that they share: "Rangers SA" and "Rangers FT" are not of the NHL.
    if (own) return own.has(word)
    return commonWords.has(word) || leading.has(word) || (haveForms && isForm(word, place))
  }
}

/**
 * Returns the years beside a name that no team of the league has: "Lakers 1996 v Bulls 1998" is a game of the past.
 * Without a table of teams, it may be the year of a club's foundation.
 */
function yearsOfContest(league: string): (name: LabelWords) => readonly string[] {
  const own = wordsOfLeague(league)
  if (!own) return () => noWords
  return ({ words, tag }) =>
    [...words, tag].filter(
      (word) => /^(?:1[89]|20)\d\d$/.test(word) && !own.has(word) && !own.has(word.slice(2)),
    )
}

/** Returns whether a country is not the league's, and has no clubs that play in it. */
function foreignTo(country: string): (other: string) => boolean {
  const home = countryInBrackets(country)
  return (other) =>
    home !== undefined && areOfTwoCountries(home, other) && !guestsOf(home).includes(other)
}

/** Suffixes that two players are unlikely to share: "Sinner II v Alcaraz II" is another contest. */
const generations = new Set(['sr', 'ii', 'iii', 'iv'])

/** Treats a letter beside a player's name as an initial. */
const isSharedByPersons: IsShared = (word) =>
  word.length === 1
    ? /\p{L}/u.test(word)
    : (personParticles.has(word) && !generations.has(word)) || givenNameOf(word) !== undefined

/** Returns whether the names of a game contain a word, in full or abbreviated. */
export function carry(sides: readonly Called[], label: string): boolean {
  const some = (test: (name: TeamName) => boolean) => (side: Called) =>
    test(side.parsed) || test(side.full)
  return (
    sides.some(some((name) => carries(name, label))) ||
    // "TB" is Tampa Bay, but after both names it means total bases. A single letter proves nothing:
    // "Bruins" begins with B.
    (label.length > 1 &&
      sides.every(some(({ words }) => words.some((word) => word.initials === label)))) ||
    // "Sheff Wed" and "Sheff Utd" abbreviate a word that both names of the other listing have in full.
    sides.every(({ full }) => full.parts.some((part) => isShortFor(label, part)))
  )
}

function carries(name: TeamName, label: string): boolean {
  if (name.tag === label || name.partsWithForms.includes(label)) return true
  if (name.kind === 'person') return wordsOfPerson(name).includes(label)
  return (
    name.words.some(({ text }) => text === label) ||
    name.parts.some((part) => isShortFor(part, label))
  )
}

const isShortFor = (part: string, word: string) =>
  part.length > 2 && word.length > part.length + 1 && word.startsWith(part)
