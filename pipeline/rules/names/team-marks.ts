/**
 * Marks beside a team's name: women, an age group, a second team, a statistic counted in place of the game, the
 * number of the game of the day or of a playoff series. Names with different marks are of two
 * games, even if all else agrees; `side-marks.ts` derives the marks of a game.
 */
import { foldAccents } from '../../../schemas/reference/normalise-name.ts'
import { sports } from '../../../schemas/reference/sports.ts'
import { foldSet, foldWord, isNumber, type NameKind } from './parsed-name.ts'
import {
  computerContests,
  countedGames,
  countedInstead,
  countedTeams,
  marksInBrackets,
  namesWithMarks,
  reserveKinds,
  reserves,
  reservesAtEnd,
  simulations,
  simulationsInFront,
  women,
} from './team-words.ts'

const womenWords = foldSet(women)

const bracketMarks = new Map(
  Object.entries(marksInBrackets).flatMap(([mark, words]) =>
    words.map((word) => [foldWord(word), mark] as const),
  ),
)

/** Matches nicknames of colleges' women: Ladyjacks, Minutewomen. */
const ofWomen = /^lady\p{L}|\p{L}women$/u

const kindWords = foldSet(reserveKinds)

const reserveWords = foldSet([...reserves, ...reserveKinds])

/**
 * Names of sports that follow an E if they are played on a computer. Shorter ones would match
 * names: Emma.
 */
const sportsBehindE = sports.map(({ id }) => id).filter((id) => id.length > 3 && id !== 'esports')

const computerSports = sportsBehindE.map((sport) => `e${sport}`)

const simulationWords = foldSet([...simulations, ...computerSports])

const frontWords = foldSet([...simulationsInFront, ...computerSports])

/** Matches the E of a sport played on a computer, written apart: "E-Sports", "e-Hockey". */
const apartFromSport = new RegExp(
  `(?<![\\p{L}\\p{N}])e\\s?-\\s?(?=(?:sports?|${sportsBehindE.join('|')})(?![\\p{L}\\p{N}]))`,
  'gu',
)

/** Matches the number of a second or third team before the rest of its name: "Dynamo-2 Kyiv". */
const numberOfTeam = /(?<=\p{L}{3})-([23])(?=\s+\p{L})/gu

/** Returns a text with the number of a second or third team as a word. */
export const spellTeamNumber = (text: string) =>
  text.replace(numberOfTeam, (_, number) => (number === '2' ? ' ii' : ' iii'))

/**
 * Matches names with marks, by their reading. In Chinese characters and Hangul, a mark follows a
 * name without a blank.
 */
const markedNames = Object.entries(namesWithMarks).map(([read, names]) => {
  const texts = names.map((name) => {
    const text = foldAccents(name).replace('-', '[\\s-]?')
    return /[a-z]/.test(text) ? `(?<![\\p{L}\\p{N}])${text}(?![\\p{L}\\p{N}])` : text
  })
  return { read, pattern: new RegExp(texts.join('|'), 'gu') }
})

/**
 * Returns a text (in lower case, without accents) with marks separated from the words that they are
 * part of.
 */
export const spellMarks = (text: string) =>
  markedNames.reduce((spelt, { read, pattern }) => spelt.replace(pattern, ` ${read} `), text)

const marksOfReserves = markedNames.filter(({ read }) => reserveWords.has(read))

/**
 * Returns whether a text, in lower case and without accents, has a word for a kind of second or youth teams. A number
 * or a letter in the name of a league is a division.
 */
export const namesReserves = (text: string): boolean =>
  marksOfReserves.some(({ pattern }) => text.search(pattern) >= 0) ||
  text.split(/[^\p{L}\p{N}]+/u).some((word) => kindWords.has(foldWord(word)))

/** Returns a text, in lower case, with the sports played on a computer as one word each. */
export const joinComputerSports = (text: string) => text.replace(apartFromSport, 'e')

/** Matches the words of a sport or league that is played on a computer: "e soccer", "8 mins play", "NBA 2K", "FIFA 23". */
const ofComputer = new RegExp(
  [
    `\\be ?(?:${sportsBehindE.map((sport) => sport.replace('_', ' ')).join('|')})\\b`,
    `\\b(?:${computerContests.join('|')})\\b`,
    '\\b\\d+ ?(?:x ?\\d+ ?)?min(?:s|ute|utes)?\\b',
    '(?<!\\d)2k(?:\\d\\d)?\\b',
    '\\b(?:fifa|fc|nhl|nfl|nba|mlb) ?2\\d(?! ?\\d)\\b',
  ].join('|'),
)

/**
 * Returns whether a game of a sport is played on a computer, by the words of its sport and league as `normaliseName`
 * writes them. In the sport `esports`, the word esports says nothing.
 */
export const isOfComputer = (words: string, sport: string): boolean =>
  ofComputer.test(words) || (sport !== 'esports' && /\be ?sports?\b/.test(words))

const countedWords = foldSet(countedInstead)

export const countedOfPersons = foldSet([
  ...countedInstead,
  'aces',
  'total',
  'double',
  'tie',
  'breaks',
])

const menWords = foldSet(['m', 'men', 'mens', 'man', 'hommes'])

const olympians = foldSet(['ol', 'olympic', 'olympics', 'olympique', 'olimpico'])

const espoirs = foldSet(['esp', 'espoirs'])

const ordinals = foldSet([
  'yellow',
  'red',
  'goal',
  'free',
  '1st',
  '2nd',
  '3rd',
  '4th',
  'first',
  'second',
  'third',
  'fourth',
  'on',
])

const cardinals = foldSet(['louis', 'stl', 'arizona', 'ari', 'az', 'louisville', 'stanford'])

const reserveEndings = new Set(reservesAtEnd)

const thirds = new Set(['iii', 'c', '3'])

const cardinalNumbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven']
const ordinalNumbers = [
  ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh'],
  ['primer', 'segundo', 'tercer', 'cuarto', 'quinto', 'sexto', 'séptimo'],
]

const numerals = new Map(
  [cardinalNumbers, ...ordinalNumbers].flatMap((row) =>
    row.map((word, at) => [word, at + 1] as const),
  ),
)

const games = countedGames.join('|')
const gameWords = `${games}|dh|double[\\s-]?header`

/** "#2", "No. 2". */
const numberSign = '(?:\\bno(?:\\.\\s?|\\s)|#\\s?)'

/** The signs between a word and its number. */
const between = '[.:]?\\s?[-–]?\\s?'

/** "Game 2", "Gm. #2", "Game: #2", "DH2", "DH Game Two", "2nd Game", "2. Spiel", "Segundo Juego", "#2 Game". */
const numbered = `(?:dh\\s?)?(?:${gameWords})${between}${numberSign}?([1-7]|${cardinalNumbers.join('|')})|(?:([1-7](?:st|nd|rd|th|er|do|[.ºª°])|${ordinalNumbers.flat().join('|')})|${numberSign}([1-7]))\\s(?:${games})`
const numberBehind = new RegExp(`[\\s([:|-](?:${numbered})[)\\]]?\\s*$`, 'iu')
const numberBefore = new RegExp(`^\\s*[([]?(?:${numbered})[\\s)\\]:|-]+(?=\\p{L})`, 'iu')

/** Returns the number of a game in a name, 0 for none, and the rest of the name. */
export function numberOfGame(raw: string): { readonly number: number; readonly rest: string } {
  const behind = numberBehind.exec(raw)
  const found = behind && behind.index > 0 ? behind : numberBefore.exec(raw)
  if (!found) return { number: 0, rest: raw }
  const numeral = found.slice(1).find((group) => group !== undefined) ?? ''
  const rest = found === behind ? raw.slice(0, found.index) : raw.slice(found[0].length)
  return { number: numerals.get(numeral.toLowerCase()) ?? Number.parseInt(numeral, 10), rest }
}

const teamWords = countedTeams.join('|')

const counted = `(?:${teamWords}|${gameWords})`

/**
 * Matches the text before the number of a game or a second team: "Game #2 LSU", "LSU (Team: #2)".
 */
const countsNext = new RegExp(`\\b${counted}${between}[([]?$`, 'iu')

/**
 * Matches the text after such a number: "#2 Team LSU"; in "#2 Game 1" the word has its own number.
 */
const isCountedNext = new RegExp(`^\\s?${counted}\\b(?!\\.?\\s?#?\\d)`, 'iu')

/**
 * Returns a number beside a college unchanged if it counts a game or a second team; a blank for a
 * rank.
 */
const withoutRank = (number: string, at: number, name: string) =>
  countsNext.test(name.slice(0, at)) || isCountedNext.test(name.slice(at + number.length))
    ? number
    : ' '

/** Matches the number of a second team or a further one beside a college: "Team #2", "JV (2)", "#2 Team". */
const numberedTeam = new RegExp(
  `\\b(?:${teamWords})${between}[([]?(?:${numberSign})?([2-9])[)\\]]?(?![\\p{L}\\p{N}])|${numberSign}([2-9])\\s(?:${teamWords})\\b`,
  'giu',
)

/** Matches a number alone in brackets before or behind a name. */
const aloneInBrackets = /^\s*[([]\d{1,2}[)\]]|[([]\d{1,2}[)\]]\s*$/g

/** Matches the number of a game alone in brackets, of the day or of a series. */
const gameInBrackets = /^\s*[([][1-7][)\]]|[([][1-7][)\]]\s*$/g

/** Matches the short code of a game: "G2", "(G2)". */
const codeOfGame = /(?<![\p{L}\p{N}])g\.?\s?#?(?=[1-7](?![\p{L}\p{N}]))/giu

/**
 * Matches the number of a game of the day after a college's name: a rank usually comes before the
 * name.
 */
const gameBehindCollege = /[([][12][)\]]\s*$/

/** Matches "(1st)": in baseball, beside only one name, it is the first game of the day. */
const firstInBrackets = /[([]1st[)\]]/i

/**
 * Returns the names of a game. "(1st)" beside both is a part of the game: it is changed to the
 * first inning.
 */
export function withPartNamed(
  sport: string,
  home: string,
  away: string,
): readonly [string, string] {
  if (sport !== 'baseball' || !firstInBrackets.test(home) || !firstInBrackets.test(away))
    return [home, away]
  const named = (name: string) => name.replace(firstInBrackets, '(1st inning)')
  return [named(home), named(away)]
}

/**
 * Matches a game of the day in baseball that lacks the word "game": "(2nd)" (in other sports a
 * place in the table), "第2試合", "Nightcap".
 */
const gameOfDay =
  /[([](1st|2nd)[)\]]|[([]?第([12])(?:試合|戦|场|場)[)\]]?|[([]?(?:\b(?:dh|doubleheader)\s)?\bnightcap\b[)\]]?/gi

/** Matches the code of a second team in soccer (elsewhere it is a division): "Galatasaray A2". */
const codeOfReserves = /(?<=\p{L}\s)[([]?a2[)\]]?\s*$/iu

/** Matches the hand with which the pitcher throws: "(R)", "(LHP)". */
const handOfPitcher = /[([][lr](?:hp)?[)\]]/gi

/** Matches a college's record: "(11-1)", "(11-1, 7-1)". */
const record = /[([]\s*\d{1,2}(?:\s?[-–,]\s?\d{1,2})+\s*[)\]]/g

/** Matches a number that may be a college's rank: "No. 2", "(#2)". */
const rank = new RegExp(`[([]${numberSign}\\d{1,2}[)\\]]|${numberSign}\\d{1,2}(?!\\d)`, 'giu')

/**
 * Reads numbers beside a name whose meaning depends on the sport. In baseball "(2)", "(2nd)" and
 * "G2" are the second game of the day. In other sports "(2)" beside a college is its rank or seed,
 * and "G2" marks another contest. In soccer "A2" is a second team. In college baseball a number
 * after the name is the game; before the name, or from 3 up, it is the rank. A college's record and
 * rank are left out.
 */
export function readNumbers(name: string, sport: string, isOfCollege: boolean): string {
  const game = isOfCollege ? gameBehindCollege : gameInBrackets
  const text =
    sport === 'baseball'
      ? name
          .replace(
            gameOfDay,
            (_, place?: string, count?: string) => ` (Game ${(place ?? count ?? '2')[0]}) `,
          )
          .replace(game, (bracketed) => ` (Game ${bracketed.replace(/\D/g, '')}) `)
          .replace(codeOfGame, 'Game ')
          .replace(handOfPitcher, ' ')
      : sport === 'soccer'
        ? name.replace(codeOfReserves, 'ii')
        : name
  return isOfCollege ? readCollege(text) : text
}

/** Leaves out the record and the rank beside a college, and writes the number of its second team as its mark. */
const readCollege = (name: string) =>
  name
    .replace(record, ' ')
    .replace(aloneInBrackets, withoutRank)
    .replace(rank, withoutRank)
    .replace(numberedTeam, (_, behind?: string, before?: string) =>
      (behind ?? before) === '2' ? ' ii ' : ' iii ',
    )

/**
 * Matches an age without the U that is not the losses of a record: "Haiti-23", "Malte(21)", "Spain
 * -21".
 */
export const bareAge = /\s*(?<!\d|\b(?:u|sub|under))(?:[-–]\s?|\()(1[7-9]|2[0-3])\)?\s*$/i

/**
 * Moves words that say who plays, or that name a statistic counted in place of the game, from the
 * name or its brackets into `qualifiers`.
 */
export function takeQualifiers(
  written: readonly string[],
  qualifiers: string[],
  kind: NameKind,
  inBrackets: boolean,
  isCountry: (words: readonly string[]) => boolean,
): string[] {
  const alone =
    inBrackets && written.length === 1 ? bracketMarks.get(foldWord(written[0]!)) : undefined
  if (alone !== undefined) {
    qualifiers.push(alone)
    return []
  }
  const least = inBrackets ? 0 : 1
  let end = written.length
  for (; end > least; end--) {
    const word = written[end - 1] ?? ''
    const folded = foldWord(word)
    const isContest =
      (simulationWords.has(folded) && kind !== 'esports') ||
      (countedWords.has(folded) && !isNickname(written, end - 1)) ||
      (ordinals.has(folded) && end < written.length)
    if (!isContest) break
    qualifiers.push(folded)
  }
  // "Brazil Olympic" is a team of the Games, Castres Olympique a club.
  const isOlympic = (word: string) =>
    word !== 'ol' && isCountry(own.slice(0, -1).filter((one) => !womenWords.has(foldWord(one))))
  const own = end > 0 && end < written.length ? written.slice(0, end) : written
  if (own === written && end < written.length) return []
  const first = foldWord(own[0] ?? '')
  const isSimulated = kind === 'team' && own.length > 1 && frontWords.has(first)
  if (isSimulated) qualifiers.push(first)
  return own.filter((word, index) => {
    if (isSimulated && index === 0) return false
    const folded = foldWord(word)
    const last = index === own.length - 1
    const behind = index > 0 || inBrackets
    const age = /^[ujκ](1\d|2[0-3])s?$/.exec(folded)
    if (age) qualifiers.push(`u${age[1]}`)
    else if (isWomen(word, behind, last)) qualifiers.push('women')
    else if (behind && last && menWords.has(folded)) return false
    else if (behind && last && olympians.has(folded) && (inBrackets || isOlympic(folded)))
      qualifiers.push('u23')
    else if (behind && last && !inBrackets && espoirs.has(folded)) qualifiers.push('u21')
    else if (
      reserveWords.has(folded) ||
      (last && (index > 0 || isNumber(folded)) && reserveEndings.has(folded))
    )
      qualifiers.push(thirds.has(folded) ? 'third' : 'second')
    else return true
    return false
  })
}

/** Returns whether a word of a name, at any place, is a statistic counted in place of the game. */
export const isCounted = (words: readonly string[], at: number) =>
  words.length > 1 && countedWords.has(words[at] ?? '') && !isNickname(words, at)

/** Returns whether "Cards" is the nickname Cardinals, because it follows a city of theirs. */
const isNickname = (written: readonly string[], at: number) =>
  foldWord(written[at] ?? '') === 'kards' && cardinals.has(foldWord(written[at - 1] ?? ''))

/**
 * Returns whether a word marks women: "W" after the name; also LFC after a name (by itself it is
 * Liverpool).
 */
function isWomen(written: string, behind: boolean, last: boolean): boolean {
  const word = foldWord(written)
  if (!womenWords.has(word)) return ofWomen.test(written)
  return word === 'w' || word === 'f' ? last && behind : word !== 'lfc' || behind
}
