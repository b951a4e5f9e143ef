/**
 * The reading of a team's name: which words distinguish it, which only name the kind of club, and
 * which are other forms of a word.
 */
import { memoise } from '../../../schemas/memoise.ts'
import { foldAccents } from '../../../schemas/reference/normalise-name.ts'
import { isEntry } from './contest-words.ts'
import { soundsOf } from './name-sounds.ts'
import {
  foldRows,
  foldSet,
  foldWord,
  isNumber,
  joined,
  type NameKind,
  signsOf,
  type TeamName,
  type Word,
  type Written,
  withBare,
} from './parsed-name.ts'
import { isSpeltAs } from './spelt-apart.ts'
import { countryCodes, countryOfMark } from './team-countries.ts'
import {
  bareAge,
  joinComputerSports,
  numberOfGame,
  spellMarks,
  spellTeamNumber,
  takeQualifiers,
} from './team-marks.ts'
import { outlineTeam } from './team-outline.ts'
import {
  bindingWords,
  exonyms,
  forms,
  homes,
  knownAs,
  particles,
  phrases,
  placing,
  sharedWords,
  sponsors,
  statePlaces,
  statesByName,
  synonyms,
  tellingWords,
} from './team-words.ts'

const fillers = foldSet(['and', 'the', 'of', 'y', 'et', 'und', 'e'])

const formWords = foldSet(forms)

export const littleWords = foldSet(particles)

export const commonWords = foldSet(sharedWords)

const sponsorWords = foldSet(sponsors)

export const leading = foldSet(bindingWords)

/** Words after a town that say where it lies. */
const liesAt = foldSet(placing)

export const telling = foldSet(tellingWords)

export const states = foldSet(statePlaces)

const usStates = foldSet(statesByName)

const readings = new Map([...foldRows(synonyms), ...foldRows(exonyms)])

const countries = countryCodes(foldName)

/** Readings by written words; the longest come first, to be tried first. */
const wordGroups = Object.entries(phrases)
  .map(([written, read]) => ({ written: foldAll(written), read: foldAll(read) }))
  .sort((a, b) => b.written.length - a.written.length)

const homelands = new Map(
  Object.entries(homes).flatMap(([country, names]) =>
    names.map((name) => [name.split(' ').map(foldWord).join(' '), { name, country }] as const),
  ),
)

/** Returns the country of the club that a name without a country means. */
function homeOf(key: string, raw: string): string | undefined {
  const home = homelands.get(key)
  return home && isSpeltAs(raw, home.name) ? home.country : undefined
}

/** Returns the country that brackets name, if any. */
export const countryInBrackets = (inside: string) =>
  countryOfMark(inside, countries.get(foldName(inside)))

export function foldAll(text: string): string[] {
  return text.split(' ').map((word) => readings.get(foldWord(word)) ?? foldWord(word))
}

function foldName(name: string): string {
  const folded = foldAccents(name)
    .replace(/['’‘`´.]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .map(foldWord)
  return folded.filter((word) => !fillers.has(word)).join('')
}

export const parseTeam = memoise((raw) => buildTeam(readWords(raw, 'team')))

export const parseSquad = memoise((raw) => buildTeam(readWords(raw, 'esports')))

/** Adds missing blanks: "SteauaBucarest", "Ajax2", "Hap.Tel Aviv". */
const withBlanks = (text: string) =>
  text
    .replace(/(?<=\p{Ll}{2})\p{Lu}(?=\p{Ll}{2})/gu, (letter, at: number) =>
      /(?:^|[^\p{L}])(?:Mc|Mac|De|Di|La|Le|Van)$/u.test(text.slice(0, at)) ? letter : ` ${letter}`,
    )
    .replace(/(?<=\p{L}{2})\(/gu, ' (')
    .replace(/(?<=\p{L}{2})(?=[23]\s*$)/u, ' ')

/** Matches the place between a word and a number: "Mainz05". Shorter words are codes: "NHL25". */
const endOfWord = /(?<=\p{L}{4})(?=\d{2,4}(?![\p{L}\p{N}]))/gu

/**
 * Matches the blank before a number: "Cloud 9", "G 2". A final 2 or 3 after a longer name counts
 * teams.
 */
const blankBeforeNumber = /(?<=\p{L})\s+(?=\d+(?![\p{L}\p{N}]))(?!(?<=\S.*\S\s+)[23]\s*$)/gu

/**
 * Writes a number after a word in one way. A club's number is mostly the year of its foundation,
 * which others leave out; in esports it is part of the name.
 */
const spaceNumbers = (text: string, kind: NameKind) =>
  kind === 'esports' ? text.replace(blankBeforeNumber, '') : text.replace(endOfWord, ' ')

/** "Yankees (G. Cole)": the pitcher is no part of a name that a table knows. */
export const pitcher = /^\p{L}(?:\.\s*|\s)\p{L}[\p{L}'’-]+$/u

function readWords(raw: string, kind: NameKind): Written {
  const tags: string[] = []
  const { number: gameNumber, rest: unnumbered } =
    kind === 'esports' ? { number: 0, rest: raw } : numberOfGame(raw)
  const named = kind === 'esports' ? unnumbered : spellTeamNumber(unnumbered)
  const text = joinComputerSports(
    spellMarks(foldAccents(spaceNumbers(withBlanks(named.replace(bareAge, ' u$1')), kind))),
  )
    .replace(/[’‘`´]/g, "'")
    .replace(/\b([atmfno])\s*&\s*([mtoj])\b/g, '$1$2')
    // "A.C.", "L.A." and "D.C." are one word each.
    .replace(
      /(?<!\p{L})(?:\p{L}\.)+\p{L}(?!\p{L})\.?/gu,
      (letters) => `${letters.replaceAll('.', '')} `,
    )
    .replace(/\b(?:under|sub)[\s.-]{0,2}(\d\d)s?\b/g, 'u$1')
    .replace(/\bu[\s.-]{1,2}(\d\d)s?\b/g, 'u$1')
    .replace(/\bthrow[\s-]?ins?\b/g, 'throwins')
    .replace(/(\p{L}{3}\s+)c\.\s*$/u, '$1city')
    .replace(/[([]([^)\]]*)[)\]]/g, (_, inside: string) => {
      tags.push(inside)
      return ' '
    })
  let written: readonly string[] = text.match(/[\p{L}\p{N}']+/gu) ?? []
  const qualifiers: string[] = []
  const texts: string[] = []
  let from: string | undefined
  for (const inside of tags) {
    const rest = takeQualifiers(
      inside.match(/[\p{L}\p{N}']+/gu) ?? [],
      qualifiers,
      kind,
      true,
      isCountry,
    )
    // Age groups, women and countries may be in brackets too; the rest in brackets distinguishes
    // teams.
    const named = rest.join(' ')
    const country = countryInBrackets(named)
    // Here a little word counts if it is all of the brackets: (E), (ET).
    if (country === undefined && !isEntry(named)) texts.push(named)
    else from = country
  }
  written = takeQualifiers(written, qualifiers, kind, false, isCountry)
  const contractions = new Map<string, [string, string]>()
  const sounds = new Map<string, readonly string[]>()
  const ends = (text.match(/\p{L}+\.?/gu) ?? []).filter((word) => word.endsWith('.'))
  const dotted = new Set(ends.map(foldWord))
  const tokens = written.map((word) => {
    const folded = foldWord(word)
    const at = word.indexOf("'")
    if (at > 0 && at < word.length - 1)
      contractions.set(folded, [foldWord(word.slice(0, at)), foldWord(word.slice(at + 1))])
    sounds.set(folded, soundsOf(word))
    return folded
  })
  const isMore =
    qualifiers.length > 0 ||
    gameNumber > 0 ||
    from !== undefined ||
    tags.some((inside) => pitcher.test(inside))
  const read = readTokens(tokens.filter((token) => token !== ''))
  return {
    raw,
    kind,
    tokens: read,
    townLength: lengthOfTown(raw, read),
    qualifiers,
    gameNumber,
    numbers: written.filter(isNumber),
    lead: isNumber(written[0] ?? '') ? leadOf(text) : undefined,
    tags: texts.filter((named) => named !== ''),
    tag: texts.map((named) => foldName(named) || named).join(''),
    from,
    plain: isMore ? written.join(' ') : '',
    contractions,
    sounds,
    shortParts: new Set(
      tokens.filter((token) => (dotted.has(token) || token.length === 1) && !readings.has(token)),
    ),
  }
}

const joinedPlace = /(?<=\p{L}-)(?:en|l[eè][sz])(?=-\p{L})/iu

/**
 * Returns how many words of a name come before those that say where its town lies; 0 if there are
 * none.
 */
function lengthOfTown(raw: string, tokens: readonly string[]): number {
  const joining = joinedPlace.exec(raw)
  const hyphened = joining && foldWord(joining[0])
  const length = tokens.findIndex((token) => liesAt.has(token) || token === hyphened)
  const isOwn = length > 0 && length < tokens.length - 1
  return isOwn && !tokens.slice(0, length).every(isPlainForm) ? length : 0
}

/** The most words of a name: words are compared pair by pair. */
export const wordsMax = 24

export function buildTeam(written: Written): TeamName {
  const { raw, kind, contractions, sounds, tag } = written
  let tokens = written.tokens
  const key = tokens.join(' ')
  const country = findCountry(tokens) ?? findCountry(tokens.filter((token) => !isPlainForm(token)))
  tokens = tokens.map((token) => readings.get(token) ?? token)
  const withTag = tag === '' ? tokens : [...tokens, tag]
  const partsWithForms = firstNames.get(withTag.join('')) ?? tokens.slice(0, wordsMax)
  tokens = [...(firstName(withTag) ?? partsWithForms)]
  const parts = tokens
  const units = bind(group(tokens))
  const words: Word[] = []
  const shared: string[] = []
  let hasForm = false
  for (const unit of units) {
    const text = unit.join('')
    const contraction = contractions.get(text)
    const word = {
      text,
      initials: unit.map((part) => part[0]).join(''),
      sounds: sounds.get(text) ?? soundsOf(text),
      ...(contraction && { contraction }),
    }
    if (unit.length > 1) words.push(word)
    else if (littleWords.has(text)) continue
    else if (formWords.has(text)) hasForm = true
    else if (isNumber(text) && !telling.has(text)) continue
    else if (sponsorWords.has(text) && units.length > 1) continue
    else if (commonWords.has(text)) shared.push(text)
    else words.push(word)
  }
  // "Sporting CP", "Racing 92", "AC": the remaining words must identify the name.
  if (words.length === 0 && shared.length === 0) {
    for (const token of tokens) words.push({ text: token, initials: token.slice(0, 1), sounds: [] })
  }
  const qualifiers = [...new Set(written.qualifiers)].sort().join(' ')
  const name = {
    raw,
    kind,
    key,
    letters: key.replaceAll(' ', ''),
    spelt: spell(raw),
    code: codeIn(raw, parts),
    words,
    joinedWords: joined(words),
    shared: shared.sort(),
    hasForm,
    parts,
    partsWithForms,
    ownName: parts.filter((part) => !isPlainForm(part)).join(' '),
    qualifiers,
    gameNumber: written.gameNumber,
    numbers: written.numbers,
    lead: written.lead,
    signs: signsOf(raw),
    tag: firstName([...tokens, tag]) ? '' : tag,
    from: written.from ?? homeOf(key, raw),
    shortParts: written.shortParts,
    country,
    members: [],
    verdicts: new Map(),
    written,
    plain: written.plain,
  }
  const byCode = name.code === undefined ? undefined : countryOfMark(name.code, undefined)
  const outlined = country === undefined && byCode ? { ...name, country: byCode } : name
  const outline = outlineTeam(outlined, (codeOf(parts) ?? name.code)?.length ?? 0, lettersOf(parts))
  return withBare({ ...name, outline }, () => buildTeam({ ...written, qualifiers: [] }))
}

/** Returns the capital letters, if the name has nothing else but club forms. */
function codeIn(raw: string, parts: readonly string[]): string | undefined {
  const own = parts.filter((part) => !isPlainForm(part))
  const code = own.length === 1 ? codeOf(own) : undefined
  if (code === undefined || code.length < 3) return undefined
  return raw.match(/\p{Lu}+/gu)?.some((word) => foldWord(word) === code) ? code : undefined
}

/** Returns the most letters that a name can have in its code. */
const lettersOf = (parts: readonly string[]) =>
  parts.reduce((count, part) => count + (isPlainForm(part) ? part.length : 1), 0)

/** Returns every word as it is written, without the characters between them. */
const spell = (raw: string) =>
  foldAccents(raw)
    .replace(/['’‘`´.]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && word !== 'and')
    .join(' ')

/** "1. FC", "1.FC" and "1 FC" begin with an ordinal. */
const leadOf = (text: string) =>
  /^\s*(?:\d{1,2}\.(?!\d)|1\s)/.test(text) ? ('ordinal' as const) : ('number' as const)

export const isPlainForm = (word: string) => formWords.has(word) || littleWords.has(word)

export const isCountry = (words: readonly string[]) =>
  findCountry(words.map(foldWord)) !== undefined

const findCountry = (tokens: readonly string[]) =>
  countries.get(tokens.filter((token) => !fillers.has(token)).join(''))

/** Returns the words of the best-known name of a team with several names. */
function firstName(tokens: readonly string[]): readonly string[] | undefined {
  return (
    firstNames.get(tokens.join('')) ??
    firstNames.get(tokens.filter((token) => !isPlainForm(token)).join(''))
  )
}

/** Reads "St" as State after words such as Michigan, anywhere else as Saint. */
function readSaints(tokens: readonly string[]): string[] {
  return tokens.map((token, index) => {
    const before = tokens[index - 1]
    if (token === 'stat' || token === 'sta') return before && index > 0 ? 'state' : token
    if (token !== 'st') return token
    const state = before !== undefined && (states.has(before) || index === tokens.length - 1)
    return state ? 'state' : 'saint'
  })
}

/** Maps all spellings of directions to one form. */
const compass = new Map<string, string>()

for (const one of ['north', 'south', 'east', 'west'])
  for (const other of ['', 'east', 'west'].filter((end) => end === '' || /h$/.test(one)))
    for (const form of [`${one}${other}`, `${one}${other}ern`, `${one[0]}${other.slice(0, 1)}`])
      compass.set(foldWord(form), foldWord(`${one}${other}`))

/** "SC State" is a southern state, where "SC" is no club form. */
const stateCodes = new Map([
  ['nc', foldAll('north carolina')],
  ['sc', foldAll('south carolina')],
  ['nd', foldAll('north dakota')],
  ['sd', foldAll('south dakota')],
])

/** Joins a direction with the state after it, in any spelling: "SE Louisiana", "E Michigan". */
function readStates(tokens: readonly string[]): string[] {
  const spelt = tokens.flatMap(
    (token, index) => (tokens[index + 1] === 'state' && stateCodes.get(token)) || [token],
  )
  return spelt.map((token, index) => {
    const next = spelt[index + 1]
    return (next !== undefined && usStates.has(next) && compass.get(token)) || token
  })
}

const readTokens = (tokens: readonly string[]) => readStates(readSaints(tokens))

/**
 * By well-known name without blanks, the words of the first name in its row: BetBoom is "bet boom".
 */
const firstNames = new Map(
  knownAs.flatMap((row) => {
    const [first = [], ...others] = row.map((name) => readTokens(foldAll(name)))
    return [first, ...others].map((other) => [other.join(''), first] as const)
  }),
)

/** Groups words that belong together into one unit of several parts. */
export function group(tokens: readonly string[]): string[][] {
  const units: string[][] = []
  for (let at = 0; at < tokens.length; ) {
    const found = wordGroups.find(({ written }) => written.every((w, i) => tokens[at + i] === w))
    units.push(found ? found.read : [tokens[at] ?? ''])
    at += found ? found.written.length : 1
  }
  return units
}

/** Joins directions and the like to the word after them, unless that is a shared word. */
function bind(units: readonly string[][]): string[][] {
  const bound: string[][] = []
  for (let at = units.length - 1; at >= 0; at--) {
    const unit = units[at] ?? []
    const next = bound.at(-1)
    const binds = unit.length === 1 && leading.has(unit[0] ?? '')
    const plain = next && !(next.length === 1 && isPlainWord(next[0] ?? ''))
    if (binds && next && plain) bound[bound.length - 1] = [...unit, ...next]
    else bound.push(unit)
  }
  return bound.reverse()
}

const isPlainWord = (word: string) =>
  commonWords.has(word) || formWords.has(word) || littleWords.has(word)

export function codeOf(parts: readonly string[]): string | undefined {
  if (parts.length !== 1) return undefined
  const word = parts[0] ?? ''
  return word.length <= 5 && !/\d/.test(word) ? word : undefined
}
