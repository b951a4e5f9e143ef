/**
 * Whether two names mean the same team or person.
 *
 * A name is cut into words; words that only say what kind of club it is are dropped, words that
 * many clubs share (United, Real) are kept apart, and what says who plays (women, under 21, second
 * team) must be equal. The rest is compared word by word, by spelling rules that hold in any
 * league. When in doubt the verdict is the weaker one: one game shown as two is a smaller fault
 * than two games shown as one. Which games are one is decided in `matching.ts`.
 */

import { memoise } from '../../schemas/memoise.ts'
import { foldAccents } from '../../schemas/reference/normalise-name.ts'
import { soundAlike, soundsOf } from './name-sounds.ts'
import { countryCodes, countryOfMark } from './team-countries.ts'
import { type Outline, outlinePerson, outlineTeam } from './team-outline.ts'
import {
  bindingWords,
  countedInstead,
  exonyms,
  forms,
  givenNames,
  homes,
  knownAs,
  notTheSame,
  particles,
  phrases,
  reserves,
  reservesAtEnd,
  sharedCities,
  sharedWords,
  simulations,
  sponsors,
  statePlaces,
  statesByName,
  synonyms,
  tellingWords,
  women,
} from './team-words.ts'

/**
 * A side of a game is a team, or a person (two, in doubles). A team of a computer game is a kind of
 * its own, for there "Esports" is a club form and elsewhere another contest.
 */
export type NameKind = 'team' | 'person' | 'esports'

/**
 * How sure we are that two names are one side: `same` no reasonable doubt; `likely` a usual
 * shortening or respelling; `possible` only together with other evidence; `different`.
 */
export type Verdict = 'same' | 'likely' | 'possible' | 'different'

/** One word of a name that tells it apart; several written words when they belong together. */
interface Word {
  readonly text: string
  /** First letters of the written words: "nyc" for New York City. */
  readonly initials: string
  /** Set for "M'gladbach": what stands before and after the apostrophe. */
  readonly contraction?: readonly [head: string, tail: string]
  readonly sounds: readonly string[]
}

export interface TeamName {
  readonly raw: string
  readonly kind: NameKind
  /** Every word, folded and joined: equal keys are equal names. */
  readonly key: string
  readonly words: readonly Word[]
  readonly shared: readonly string[]
  readonly hasForm: boolean
  /** All words in written order, for names that are the initials of others. */
  readonly parts: readonly string[]
  /** Women, age group, second or third team, what is counted in its place; sorted and joined. */
  readonly qualifiers: string
  /** The same name without them. */
  readonly bare: TeamName
  /** Which game of the day the name says it is of; 0 for not said. */
  readonly gameNumber: number
  /** Words that are numbers, in written order. */
  readonly numbers: readonly string[]
  /** Whether it begins with a number, and with one that is left out at will, as the "1." of clubs. */
  readonly lead: 'number' | 'ordinal' | undefined
  /** The letters with vowel and voicing signs, which are no accents and yet not in the words. */
  readonly signs: string
  /** What stood in brackets: a region or a player, "oh" in Miami (OH). */
  readonly tag: string
  /** The country that stood in brackets behind a club: River Plate (URU). */
  readonly from: string | undefined
  /** Parts that are beginnings of words, for they end in a dot or are single letters. */
  readonly shortParts: ReadonlySet<string>
  readonly country: string | undefined
  /** In doubles, the two players. */
  readonly members: readonly TeamName[]
  /** For `mayAgree`, before the words are compared. */
  readonly outline: Outline
  /** What it was built from; a person's name is built once. */
  readonly written: Written | undefined
  /** The name as written without what it says beside it, for a table of names; '' where that is all. */
  readonly plain: string
  /** Verdicts against names it was compared with before. */
  readonly verdicts: Map<TeamName, Verdict>
}

const sportsOfPersons = new Set([
  ...['tennis', 'table_tennis', 'mma', 'boxing', 'darts', 'snooker', 'golf', 'badminton', 'squash'],
  ...['padel', 'pool', 'fencing', 'judo', 'wrestling'],
])

/** Who plays in a sport: teams, unless the sport is one of single players. */
export function nameKindOf(sport: string): NameKind {
  return sport === 'esports' ? 'esports' : sportsOfPersons.has(sport) ? 'person' : 'team'
}

/** The name cut into its words. Remembered, so that the same text gives the same object. */
export function parseTeamName(name: string, kind: NameKind = 'team'): TeamName {
  return parsers[kind](name)
}

/**
 * Whether two names are one team (or person). Symmetric; a name is `same` as itself unless it has
 * no letters at all.
 */
export function compareTeamNames(a: string, b: string, kind: NameKind = 'team'): Verdict {
  return compareNames(parseTeamName(a, kind), parseTeamName(b, kind))
}

/** The same for names already parsed, of one kind. */
export function compareNames(a: TeamName, b: TeamName): Verdict {
  if (a === b) return a.key === '' ? 'different' : 'same'
  const before = a.verdicts.get(b)
  if (before !== undefined) return before
  // Words are paired greedily: one order of the two names, so that the verdict has no direction.
  const [first, second] = a.raw < b.raw ? [a, b] : [b, a]
  const verdict = a.kind === 'person' ? comparePersons(first, second) : compareTeams(first, second)
  remember(a, b, verdict)
  remember(b, a, verdict)
  return verdict
}

const verdictsKept = 512

function remember(of: TeamName, other: TeamName, verdict: Verdict) {
  if (of.verdicts.size >= verdictsKept) of.verdicts.clear()
  of.verdicts.set(other, verdict)
}

// Folding: one spelling for the sounds that transliterations write differently.

const foldings: readonly (readonly [RegExp, string])[] = [
  [/kh/g, 'h'],
  [/sch/g, 'sh'],
  [/([aou])e/g, '$1'],
  // The first letter stays as it is written: initials are made of it.
  [/(?<=.)ph/g, 'f'],
  [/(?<=.)ou/g, 'u'],
  [/(?<=.)[cq]/g, 'k'],
  [/(?<=.)x/g, 'ks'],
  [/(?<=.)w/g, 'v'],
  [/(?<=.)y/g, 'i'],
  [/([a-z])\1+/g, '$1'],
]

/** A word as it is compared: "Dynamo" and "Dinamo", "Köln" and "Koeln", fold alike. */
function foldWord(word: string): string {
  let folded = foldAccents(word).replace(/[^\p{L}\p{N}]/gu, '')
  // Numbers and codes mean their letters: no sounds in "u21", "49ers", "II" or "OKC".
  if (/\d/.test(folded) || folded.length < 4) return folded
  for (const [sound, letter] of foldings) folded = folded.replace(sound, letter)
  return folded
}

/** The letters of a code, each as it is folded in the middle of a word. */
const foldLetters = (code: string) =>
  code.replace(/[cqyw]/g, (letter) => (letter === 'y' ? 'i' : letter === 'w' ? 'v' : 'k'))

const foldSet = (list: readonly string[]) =>
  new Set(list.map((word) => word.split('-').map(foldWord).join('')))

/** Every spelling to the first of its row. */
function foldRows(rows: readonly (readonly string[])[]) {
  const first = new Map<string, string>()
  for (const row of rows) for (const word of row) first.set(foldWord(word), foldWord(row[0] ?? ''))
  return first
}

const fillers = foldSet(['and', 'the', 'of', 'y', 'et', 'und', 'e'])
const formWords = foldSet(forms)
const littleWords = foldSet(particles)
const commonWords = foldSet(sharedWords)
const sponsorWords = foldSet(sponsors)
const leading = foldSet(bindingWords)
const telling = foldSet(tellingWords)
const cities = foldSet(sharedCities)
const states = foldSet(statePlaces)
const usStates = foldSet(statesByName)
const womenWords = foldSet(women)
const reserveWords = foldSet(reserves)
const simulationWords = foldSet(simulations)
const simulationsInFront = foldSet(['cyber', 'esports', 'esport', 'esoccer', 'virtual'])
const countedWords = foldSet(countedInstead)
const countedOfPersons = foldSet([...countedInstead, 'aces', 'total', 'double', 'tie', 'breaks'])
const calledNames = new Map(
  givenNames.flatMap((row) => row.map((name) => [foldWord(name), row[0]] as const)),
)
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
const readings = new Map([...foldRows(synonyms), ...foldRows(exonyms)])
const countries = countryCodes(foldName)
const confusable = new Set(
  notTheSame.flatMap((pair) => {
    const [a = '', b = ''] = pair.map((name) => foldAll(name).join(' '))
    return [`${a}|${b}`, `${b}|${a}`]
  }),
)
/** Written words to the words they stand for; the longest first, so that it is tried first. */
const wordGroups = phrases
  .map(([written, read]) => ({ written: foldAll(written), read: foldAll(read) }))
  .sort((a, b) => b.written.length - a.written.length)
const homelands = new Map(
  homes.flatMap(([country, ...names]) =>
    names.map((name) => [name.split(' ').map(foldWord).join(' '), country] as const),
  ),
)
const firstNames = new Map(
  knownAs.flatMap(([first = '', ...others]) =>
    [first, ...others].map((other) => [foldAll(other).join(' '), foldAll(first)] as const),
  ),
)

function foldAll(text: string): string[] {
  return text.split(' ').map((word) => readings.get(foldWord(word)) ?? foldWord(word))
}

function foldName(name: string): string {
  const folded = foldAccents(name)
    .replace(/['’‘`´.]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .map(foldWord)
  return folded.filter((word) => !fillers.has(word)).join('')
}

// Teams

/** A name in the words it is written in, before it is said what they mean. */
interface Written {
  readonly raw: string
  readonly kind: NameKind
  readonly tokens: readonly string[]
  readonly qualifiers: readonly string[]
  readonly gameNumber: number
  readonly numbers: readonly string[]
  readonly lead: TeamName['lead']
  readonly tag: string
  readonly from: string | undefined
  readonly plain: string
  readonly contractions: ReadonlyMap<string, readonly [head: string, tail: string]>
  readonly sounds: ReadonlyMap<string, readonly string[]>
  readonly shortParts: ReadonlySet<string>
}

const parseTeam = memoise((raw) => buildTeam(readWords(raw, 'team')))
const parseSquad = memoise((raw) => buildTeam(readWords(raw, 'esports')))

const gameOfTheDay = /[\s(-](?:game|gm|g)\s?#?([1-4])\)?\s*$/i
/** "Haiti-23", "Malte(21)", "Spain -21": who plays, where nobody says U. */
const bareAge = /\s*(?:[-–]\s?|\()(1[7-9]|2[0-3])\)?\s*$/

/** "SteauaBucarest", "Hap.Tel Aviv": what stands without a blank. */
const withBlanks = (text: string) =>
  text
    .replace(/(\p{Ll}{2})(\p{Lu}\p{Ll}+)/gu, (all, end: string, next: string, at: number) =>
      /(?:^|[^\p{L}])(?:Mc|Mac|De|Di|La|Le|Van)$/u.test(text.slice(0, at + 2))
        ? all
        : `${end} ${next}`,
    )
    .replace(/(?<=\p{L}{2})\(/gu, ' (')

function readWords(raw: string, kind: NameKind): Written {
  const tags: string[] = []
  const game = kind === 'esports' ? undefined : gameOfTheDay.exec(raw)
  const unnumbered = game && game.index > 0 ? raw.slice(0, game.index) : raw
  const text = foldAccents(withBlanks(unnumbered.replace(bareAge, ' u$1')))
    .replace(/[’‘`´]/g, "'")
    .replace(/\b([atmfno])\s*&\s*([mtoj])\b/g, '$1$2')
    // "A.C.", "L.A." and "D.C." are one word each.
    .replace(/\b(?:\p{L}\.){2,}/gu, (letters) => `${letters.replaceAll('.', '')} `)
    .replace(/\b(?:under|sub)[\s-]?(\d\d)\b/g, 'u$1')
    .replace(/\bu[\s-](\d\d)s?\b/g, 'u$1')
    .replace(/\bthrow[\s-]?ins?\b/g, 'throwins')
    .replace(/(\p{L}{3}\s+)c\.\s*$/u, '$1city')
    .replace(/[([]([^)\]]*)[)\]]/g, (_, inside: string) => {
      tags.push(inside)
      return ' '
    })
  let written: readonly string[] = text.match(/[\p{L}\p{N}']+/gu) ?? []
  const qualifiers: string[] = []
  let tag = ''
  let from: string | undefined
  for (const inside of tags) {
    const rest = takeQualifiers(inside.match(/[\p{L}\p{N}']+/gu) ?? [], qualifiers, kind, true)
    // Age groups and women are said in brackets too, and countries; what is left tells teams apart.
    const named = rest.join(' ')
    const country = countryOfMark(named, countries.get(foldName(named)))
    if (country === undefined) tag += foldName(named)
    else from = country
  }
  written = takeQualifiers(written, qualifiers, kind, false)
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
  return {
    raw,
    kind,
    tokens: readStates(readSaints(tokens.filter((token) => token !== ''))),
    qualifiers,
    gameNumber: Number(game?.[1] ?? 0),
    numbers: written.filter(isNumber),
    lead: isNumber(written[0] ?? '') ? leadOf(text) : undefined,
    tag,
    from,
    plain: qualifiers.length > 0 || game || from !== undefined ? written.join(' ') : '',
    contractions,
    sounds,
    shortParts: new Set(
      tokens.filter((token) => (dotted.has(token) || token.length === 1) && !readings.has(token)),
    ),
  }
}

/** Words are compared pair by pair; no name has more than these. */
const wordsMax = 24

function buildTeam(written: Written): TeamName {
  const { raw, kind, contractions, sounds, tag } = written
  let tokens = written.tokens
  const key = tokens.join(' ')
  const country = findCountry(tokens) ?? findCountry(tokens.filter((token) => !isPlainForm(token)))
  tokens = tokens.map((token) => readings.get(token) ?? token)
  tokens = firstName(tag === '' ? tokens : [...tokens, tag]) ?? tokens.slice(0, wordsMax)
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
  // "Sporting CP", "Racing 92", "AC": what is left must stand for the name.
  if (words.length === 0 && shared.length === 0) {
    for (const token of tokens) words.push({ text: token, initials: token.slice(0, 1), sounds: [] })
  }
  const qualifiers = [...new Set(written.qualifiers)].sort().join(' ')
  const name = {
    raw,
    kind,
    key,
    words,
    shared: shared.sort(),
    hasForm,
    parts,
    qualifiers,
    gameNumber: written.gameNumber,
    numbers: written.numbers,
    lead: written.lead,
    signs: signsOf(raw),
    tag: firstName([...tokens, tag]) ? '' : tag,
    from: written.from ?? homelands.get(key),
    shortParts: written.shortParts,
    country,
    members: [],
    verdicts: new Map(),
    written,
    plain: written.plain,
  }
  const outline = outlineTeam(name, codeOf(parts)?.length ?? 0)
  return withBare({ ...name, outline }, () => buildTeam({ ...written, qualifiers: [] }))
}

/** The name with itself, or what `strip` makes of it, as the name without qualifiers. */
function withBare(name: Omit<TeamName, 'bare'>, strip: () => TeamName): TeamName {
  const whole = name as TeamName & { bare: TeamName }
  whole.bare = name.qualifiers === '' ? whole : strip()
  return whole
}

const accentedScripts =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}]\p{M}*/gu

function signsOf(raw: string): string {
  const rest = raw.normalize('NFD').replace(accentedScripts, '')
  return rest.match(/[\p{L}\p{N}]\p{M}+/gu)?.join('') ?? ''
}

const isNumber = (word: string) => /^\d+$/.test(word)

/** "1. FC", "1.FC" and "1 FC" begin with an ordinal. */
const leadOf = (text: string) =>
  /^\s*(?:\d{1,2}\.(?!\d)|1\s)/.test(text) ? ('ordinal' as const) : ('number' as const)

const isPlainForm = (word: string) => formWords.has(word) || littleWords.has(word)

const findCountry = (tokens: readonly string[]) =>
  countries.get(tokens.filter((token) => !fillers.has(token)).join(''))

/** The best-known name of a team that goes under several. */
function firstName(tokens: readonly string[]): string[] | undefined {
  return (
    firstNames.get(tokens.join(' ')) ??
    firstNames.get(tokens.filter((token) => !isPlainForm(token) && token !== '').join(' '))
  )
}

/**
 * Moves the words that say who plays, or what is counted in place of the game, from the name or from
 * its brackets into `qualifiers`.
 */
function takeQualifiers(
  written: readonly string[],
  qualifiers: string[],
  kind: NameKind,
  inBrackets: boolean,
): string[] {
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
  const own = end > 0 && end < written.length ? written.slice(0, end) : written
  if (own === written && end < written.length) return []
  const first = foldWord(own[0] ?? '')
  const isSimulated = kind === 'team' && own.length > 1 && simulationsInFront.has(first)
  if (isSimulated) qualifiers.push(first)
  return own.filter((word, index) => {
    if (isSimulated && index === 0) return false
    const folded = foldWord(word)
    const last = index === own.length - 1
    const behind = index > 0 || inBrackets
    const age = /^u(1\d|2[0-3])s?$/.exec(folded)
    if (age) qualifiers.push(`u${age[1]}`)
    else if (womenWords.has(folded) && isWomen(folded, behind, last)) qualifiers.push('women')
    else if (behind && last && menWords.has(folded)) return false
    else if (behind && last && olympians.has(folded) && (inBrackets || folded !== 'ol'))
      qualifiers.push('u23')
    else if (behind && last && !inBrackets && espoirs.has(folded)) qualifiers.push('u21')
    else if (reserveWords.has(folded) || (last && index > 0 && reserveEndings.has(folded)))
      qualifiers.push(thirds.has(folded) ? 'third' : 'second')
    else return true
    return false
  })
}

/** "Cards" are Cardinals behind their cities. */
const isNickname = (written: readonly string[], at: number) =>
  foldWord(written[at] ?? '') === 'kards' && cardinals.has(foldWord(written[at - 1] ?? ''))

/** "W" stands behind the name, and LFC is a ladies' club behind one, else Liverpool. */
const isWomen = (word: string, behind: boolean, last: boolean) =>
  word === 'w' || word === 'f' ? last && behind : word !== 'lfc' || behind

/** "St" after Michigan is State, anywhere else Saint. */
function readSaints(tokens: readonly string[]): string[] {
  return tokens.map((token, index) => {
    const before = tokens[index - 1]
    if (token === 'stat' || token === 'sta') return before && index > 0 ? 'state' : token
    if (token !== 'st') return token
    const state = before !== undefined && (states.has(before) || index === tokens.length - 1)
    return state ? 'state' : 'saint'
  })
}

/** Directions, however they are written, to one form. */
const compass = new Map<string, string>()
for (const one of ['north', 'south', 'east', 'west'])
  for (const other of ['', 'east', 'west'].filter((end) => end === '' || /h$/.test(one)))
    for (const form of [`${one}${other}`, `${one}${other}ern`, `${one[0]}${other.slice(0, 1)}`])
      compass.set(foldWord(form), foldWord(`${one}${other}`))

/** "SC State" is a state of the south, in which "SC" is no club form. */
const stateCodes = new Map([
  ['nc', foldAll('north carolina')],
  ['sc', foldAll('south carolina')],
  ['nd', foldAll('north dakota')],
  ['sd', foldAll('south dakota')],
])

/** Directions before a state are one with it, however they are written: "SE Louisiana", "E Michigan". */
function readStates(tokens: readonly string[]): string[] {
  const spelt = tokens.flatMap(
    (token, index) => (tokens[index + 1] === 'state' && stateCodes.get(token)) || [token],
  )
  return spelt.map((token, index) => {
    const next = spelt[index + 1]
    return (next !== undefined && usStates.has(next) && compass.get(token)) || token
  })
}

/** Words that belong together, as one unit of several parts. */
function group(tokens: readonly string[]): string[][] {
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

function compareTeams(a: TeamName, b: TeamName): Verdict {
  if (a.key === '' || b.key === '') return 'different'
  if (a.qualifiers !== b.qualifiers) return 'different'
  if (!numbersAgree(a, b) || !signsAgree(a, b)) return 'different'
  if (a.from !== undefined && b.from !== undefined && a.from !== b.from) return 'different'
  // One says which of several teams of that name, or says so in other words: (SE), (SdE).
  if (a.tag !== b.tag) {
    if (a.tag === '' || b.tag === '') return atMost('possible', compareWords(a, b))
    return a.tag[0] === b.tag[0] ? atMost('possible', compareWritings(a, b)) : 'different'
  }
  return compareWritings(a, b)
}

/** As they are written; then, where one abbreviates, as the other spells it out. */
function compareWritings(a: TeamName, b: TeamName): Verdict {
  const plain = compareKeys(a, b)
  if (plain === 'same' || plain === 'likely') return plain
  const full = spellOut(a, b)
  const other = spellOut(b, full)
  if (full !== a || other !== b) return stronger(plain, atMost('likely', compareKeys(full, other)))
  return isCutShort(a, b) || isCutShort(b, a) ? 'likely' : plain
}

function compareKeys(a: TeamName, b: TeamName): Verdict {
  if (a.key.replaceAll(' ', '') === b.key.replaceAll(' ', '')) return 'same'
  if (a.parts.length === wordsMax || b.parts.length === wordsMax) return 'different'
  if (confusable.has(`${ownName(a)}|${ownName(b)}`)) return 'different'
  if (a.country !== undefined && b.country !== undefined)
    return a.country === b.country ? 'same' : 'different'
  return compareWords(a, b)
}

const stronger = (one: Verdict, other: Verdict) => (ranks[one] < ranks[other] ? other : one)

/**
 * "Hap. Haifa" beside Hapoel Haifa, "Preston N. End" beside Preston North End: short parts as the
 * other name has them in full. Only beside a word that both names have: letters alone are no name.
 */
function spellOut(name: TeamName, other: TeamName): TeamName {
  if (name.shortParts.size === 0 || !name.written) return name
  const { tokens } = name.written
  const left = other.parts.filter((part) => !tokens.includes(part))
  const backs = (token: string) =>
    token.length > 1 &&
    !isPlainForm(token) &&
    !leading.has(token) &&
    !telling.has(token) &&
    other.parts.includes(token)
  if (left.length === 0 || !tokens.some(backs)) return name
  const spelt = tokens.map((token) => {
    if (!name.shortParts.has(token)) return token
    const at = left.findIndex((part) => part.length > token.length && isPiece(token, part))
    return at < 0 ? token : (left.splice(at, 1)[0] as string)
  })
  if (spelt.every((token, i) => token === tokens[i])) return name
  return buildTeam({ ...name.written, tokens: spelt })
}

const shortestCut = 11

/** "Northern Arizo", "Melbourne Vic": the other name, cut off within a word after so many letters. */
function isCutShort(cut: TeamName, whole: TeamName): boolean {
  if (cut.key.length < shortestCut || !whole.key.startsWith(cut.key)) return false
  const blank = cut.key.lastIndexOf(' ')
  return blank > 0 && cut.key.length - blank > 2 && whole.key[cut.key.length] !== ' '
}

/**
 * Numbers are left out at will ("Schalke", "Schalke 04"), but "Team 1" is not "Team 2": when both
 * names carry numbers, all of the one must be in the other, in the same order.
 */
function numbersAgree(a: TeamName, b: TeamName): boolean {
  if (a.numbers.length === 0 || b.numbers.length === 0) return true
  const inA = a.lead === 'ordinal' && b.lead === undefined ? a.numbers.slice(1) : a.numbers
  const inB = b.lead === 'ordinal' && a.lead === undefined ? b.numbers.slice(1) : b.numbers
  const [few, many] = inA.length <= inB.length ? [inA, inB] : [inB, inA]
  let at = 0
  for (const number of many) if (at < few.length && isOneNumber(few[at] ?? '', number)) at++
  return at === few.length
}

/**
 * Whether one name is in the other and nothing tells them apart: "FC Salzburg" and Red Bull Salzburg.
 * Less than `possible`, for the other has a word in front that may be another club's; it counts only
 * beside an opponent and a start that are exactly the same.
 * @param cityAlone whether a city that several clubs share may stand for one of them
 */
export function areRelated(a: TeamName, b: TeamName, cityAlone: boolean): boolean {
  if (a.kind !== 'team' || a.qualifiers !== b.qualifiers || a.tag !== b.tag) return false
  if (a.from !== undefined && b.from !== undefined && a.from !== b.from) return false
  if (!numbersAgree(a, b) || !signsAgree(a, b) || a.country || b.country) return false
  if (confusable.has(`${ownName(a)}|${ownName(b)}`) || !nested(a.shared, b.shared)) return false
  const { restA, restB, grades, initialsCount } = align(a.words, b.words)
  if (grades.length === 0 || initialsCount > 0 || Math.min(...grades) < 3) return false
  if (restA.length > 0 === restB.length > 0) return false
  const [short, rest] = restA.length > 0 ? [b, restA] : [a, restB]
  if (rest.some(({ text }) => telling.has(text)) || short.words.every(isLittleTelling)) return false
  return cityAlone || !isSharedCity(short)
}

const isLittleTelling = ({ text }: Word) => text.length < 4 || telling.has(text) || states.has(text)

/** "04" is 4, and the year 1904. */
function isOneNumber(a: string, b: string): boolean {
  if (a.replace(/^0+/, '') === b.replace(/^0+/, '')) return true
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  return short.length === 2 && /^(?:18|19|20)\d\d$/.test(long) && long.endsWith(short)
}

/** Where marks are letters, a name is as written: all the same, or those of a shorter name in a longer. */
function signsAgree(a: TeamName, b: TeamName): boolean {
  if (a.key === b.key) return a.signs === b.signs
  return a.signs.includes(b.signs) || b.signs.includes(a.signs)
}

const ownName = (name: TeamName) => name.parts.filter((part) => !isPlainForm(part)).join(' ')

const ranks: Readonly<Record<Verdict, number>> = { different: 0, possible: 1, likely: 2, same: 3 }

/** 0 for different to 3 for same. */
export const rankOf = (verdict: Verdict) => ranks[verdict]

const atMost = (limit: Verdict, verdict: Verdict) =>
  ranks[verdict] < ranks[limit] ? verdict : limit

/** How well two words agree: 3 equal, 2 an inflected form, 1 shortened or misspelt, 0 not. */
type Grade = 0 | 1 | 2 | 3

interface Alignment {
  readonly restA: readonly Word[]
  readonly restB: readonly Word[]
  readonly grades: readonly Grade[]
  /** How many of the pairs are a word and its initials. */
  readonly initialsCount: number
  /** Whether one of the equal words is a name of its own: "State" is none. */
  readonly isFirm: boolean
}

function compareWords(a: TeamName, b: TeamName): Verdict {
  if (joined(a.words) === joined(b.words) && a.words.length > 0)
    return sharedVerdict(a, b, 'same', { grades: [3], isFirm: true })
  if (isInitials(a, b) || isInitials(b, a)) return 'likely'
  if (a.words.length === 0 || b.words.length === 0) return compareShared(a, b)
  const found = align(a.words, b.words)
  if (found.grades.length === 0) return 'different'
  const aLeft = found.restA.length > 0
  const bLeft = found.restB.length > 0
  if (aLeft && bLeft) return restsAgree(found, a) ? 'possible' : 'different'
  // "SP" is St Pauli where all else agrees, and not beside another word.
  const areInitials = found.initialsCount === found.grades.length
  if (areInitials && (aLeft || bLeft || a.shared.length + b.shared.length === 0)) return 'different'
  const exactly = Math.min(...found.grades) === 3
  const country = a.country ?? b.country
  if (country !== undefined && !exactly) return 'different'
  // "Netherlands Antilles", "England Lions"; but Georgia is a college too.
  if (country !== undefined && country !== 'GE' && (aLeft || bLeft)) return 'different'
  if (!aLeft && !bLeft) return sharedVerdict(a, b, exactly ? 'same' : 'likely', found)
  return aLeft ? compareLonger(a, b, found.restA, found) : compareLonger(b, a, found.restB, found)
}

const joined = (words: readonly Word[]) => words.map((word) => word.text).join('')

const restsAgree = ({ restA, restB, grades, initialsCount }: Alignment, name: TeamName) =>
  Math.min(...grades) === 3 &&
  initialsCount === 0 &&
  !isSharedCity({ ...name, words: name.words.filter((word) => !restA.includes(word)) }) &&
  (isShortRest(restA, restB) || isShortRest(restB, restA))

/** "Rodez AF" and Rodez Aveyron: letters stand for what the other name has in their place. */
function isShortRest(letters: readonly Word[], full: readonly Word[]): boolean {
  const [code] = letters
  const [first] = full
  if (!code || !first || letters.length > 1 || telling.has(code.text)) return false
  return code.text.length < 4 && first.text.length > 4 && code.text[0] === first.text[0]
}

/** All telling words agree; what do the shared words (United, City) say? */
function sharedVerdict(
  a: TeamName,
  b: TeamName,
  best: Verdict,
  { grades, isFirm }: Pick<Alignment, 'grades' | 'isFirm'>,
): Verdict {
  const equal = a.shared.join(' ') === b.shared.join(' ')
  if (!equal && !nested(a.shared, b.shared)) return 'different'
  const weakest = Math.min(...grades)
  if (weakest === 1) {
    const supported = isFirm || (equal && a.shared.length > 0)
    if (supported) return 'likely'
    return grades.length > 1 || (isLongOrDotted(a) && isLongOrDotted(b)) ? 'possible' : 'different'
  }
  if (equal) return best
  // "Dundee" is a club, and so is "Dundee United".
  const bare = a.shared.length === 0 ? a : b
  if (bare.shared.length === 0 && isSharedCity(bare)) return 'different'
  return 'likely'
}

/** "Braga" and "Bragantino" are two, "Peterboro" is Peterborough, "Viit." may be Viitorul. */
const isLongOrDotted = ({ words, shortParts }: TeamName) =>
  words.every(({ text, contraction }) => text.length > 5 || contraction || shortParts.has(text))

const isSharedCity = (name: TeamName) =>
  name.words.every((word) => stems(word.text).some((stem) => cities.has(stem)))

function nested(a: readonly string[], b: readonly string[]): boolean {
  const [few, many] = a.length <= b.length ? [a, b] : [b, a]
  return nestedIn(few, many)
}

const nestedIn = (few: readonly string[], many: readonly string[]) =>
  few.every((word) => many.includes(word))

/** One name has all words of the other and more: a full name and a short one, or two teams. */
function compareLonger(
  long: TeamName,
  short: TeamName,
  extra: readonly Word[],
  found: Alignment,
): Verdict {
  if (extra.some((word) => telling.has(word.text) && long.words.indexOf(word) > 0))
    return 'different'
  if (Math.min(...found.grades) < 3) {
    const backed = found.isFirm && nestedIn(short.shared, long.shared)
    return backed ? 'possible' : 'different'
  }
  if (!nestedIn(short.shared, long.shared)) return 'different'
  const first = extra[0]
  const startsAlike = first !== undefined && long.words.indexOf(first) >= short.words.length
  if (isSharedCity(short) && short.shared.length === 0)
    return short.hasForm || !startsAlike ? 'different' : 'possible'
  // Central Michigan, Southeastern Louisiana: a school is not short for its neighbour.
  if (!startsAlike && short.words.every((word) => states.has(word.text))) return 'different'
  // "OB Odense" says Odense BK twice.
  if (extra.length === 1 && first && isPieces(first.text, short.parts)) return 'likely'
  // "FC Basel" is not short for "Old Boys Basel", though "Verona" is for "Hellas Verona".
  if (short.hasForm && !startsAlike && short.words.length === 1) return 'different'
  if (!startsAlike && short.words.every((word) => telling.has(word.text))) return 'different'
  return 'likely'
}

/** A name of shared words only ("Real", "Racing Club") against any other. */
function compareShared(a: TeamName, b: TeamName): Verdict {
  if (a.words.length === 0 && b.words.length === 0) {
    const equal = a.shared.join(' ') === b.shared.join(' ')
    return equal ? 'same' : nested(a.shared, b.shared) ? 'possible' : 'different'
  }
  const [few, many] = a.words.length === 0 ? [a, b] : [b, a]
  // "Racing Club" may be "Racing Club Avellaneda", not "Racing Córdoba".
  if (few.hasForm && !many.hasForm) return 'different'
  return nestedIn(few.shared, many.shared) ? 'possible' : 'different'
}

/** Pairs the words of two names, the surest pairs first; a word may equal two that stand together. */
function align(a: readonly Word[], b: readonly Word[]): Alignment {
  const restA = [...a]
  const restB = [...b]
  const grades: Grade[] = []
  let initialsCount = 0
  let isFirm = false
  const joins = (one: Word[], two: Word[]) => {
    for (let i = 0; i < one.length; i++)
      for (let j = 0; j + 1 < two.length; j++) {
        const pair = [two[j] as Word, two[j + 1] as Word]
        const text = (one[i] as Word).text
        const initials = pair.map((word) => word.initials).join('')
        const equal = text === joined(pair)
        // Initials are no evidence of their own: "LG" Twins are no Lotte Giants.
        if (!equal && (text !== initials || !grades.includes(3))) continue
        one.splice(i, 1)
        two.splice(j, 2)
        grades.push(equal ? 3 : 2)
        if (equal) isFirm = true
        return true
      }
    return false
  }
  for (const wanted of [3, 2, 1] as const) {
    for (let i = 0; i < restA.length; i++) {
      const j = restB.findIndex((word) => gradeWords(restA[i] as Word, word) === wanted)
      if (j < 0) continue
      if (isInitialsOf(restA[i] as Word, restB[j] as Word)) initialsCount++
      if (wanted === 3 && !telling.has((restA[i] as Word).text)) isFirm = true
      restA.splice(i--, 1)
      restB.splice(j, 1)
      grades.push(wanted)
    }
    if (wanted === 3) while (joins(restA, restB) || joins(restB, restA));
  }
  return { restA, restB, grades, initialsCount, isFirm }
}

/** "NY" and New York, "SG" and Saint-Germain. */
const isInitialsOf = (a: Word, b: Word) =>
  (b.initials.length > 1 && a.text === b.initials) ||
  (a.initials.length > 1 && b.text === a.initials)

function gradeWords(a: Word, b: Word): Grade {
  if (a.text === b.text) return 3
  if (isInitialsOf(a, b)) return 3
  const heard = soundAlike(a.sounds, b.sounds)
  if (!heard && a.text[0] !== b.text[0]) return 0
  if (confusable.has(`${a.text}|${b.text}`)) return 0
  if (heard) return 2
  if (isPlural(a.text, b.text) || isPlural(b.text, a.text)) return 3
  if (sameStem(a.text, b.text)) return 2
  const [short, long] = a.text.length <= b.text.length ? [a, b] : [b, a]
  if (isContraction(a, b) || isContraction(b, a)) return 1
  // "Santo" is a word of its own in Santo André.
  if (long.initials.length <= short.initials.length && isShortening(short.text, long.text)) return 1
  if (!isMisspelling(a.text, b.text)) return 0
  return Math.min(a.text.length, b.text.length) > 8 ? 2 : 1
}

const isPlural = (many: string, one: string) => one.length > 4 && many === `${one}s`

const frenchEnding = /(?:ais|ois|ain)$/

/** Place and adjective, singular and plural: Rennes and Rennais, Truiden and Truidense. */
function sameStem(a: string, b: string): boolean {
  const least = frenchEnding.test(a) || frenchEnding.test(b) ? 3 : 4
  for (const stemA of stems(a))
    for (const stemB of stems(b))
      if (stemA === stemB && stemA.length >= least && (stemA !== a || stemB !== b)) return true
  return false
}

const inflections =
  'nais nois ais ois ain aise oise ense enne ienne iens ien ins in ano ana se es er s e i'.split(
    ' ',
  )

const stems = memoise((word: string): readonly string[] => [
  word,
  ...inflections.filter((end) => word.endsWith(end)).map((end) => word.slice(0, -end.length)),
])

/** "M'gladbach" starts and ends like Mönchengladbach. */
function isContraction(short: Word, long: Word): boolean {
  if (!short.contraction || long.text.length <= short.text.length) return false
  const [head, tail] = short.contraction
  return long.text.startsWith(head) && long.text.endsWith(tail)
}

/** "Man" for Manchester; a single letter too ("B. Dortmund"). */
function isShortening(short: string, long: string): boolean {
  if (/\d/.test(short) || /\d/.test(long)) return false
  if (short.length === 1) return long[0] === short
  if (short.length < 3 || long.length < short.length + 2) return false
  return long.startsWith(short)
}

const confusedLetters = new Set([
  'gh',
  'ij',
  'ei',
  'sz',
  'bv',
  'uv',
  'ou',
  'ks',
  'dt',
  'ae',
  'ao',
  'ai',
])

/** One letter more, less or swapped, or a letter that sounds alike; only in longer words. */
function isMisspelling(a: string, b: string): boolean {
  if (Math.min(a.length, b.length) < 6 || /\d/.test(a + b)) return false
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  const most = Math.min(a.length, b.length) - start
  while (end < most && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const inA = a.slice(start, a.length - end)
  const inB = b.slice(start, b.length - end)
  if (inA.length + inB.length === 1) {
    // Kuznetsov and Kuznetsova, Juventud and Juventude: a letter at the end is another word.
    return end > 0
  }
  if (inA.length === 1 && inB.length === 1) return confusedLetters.has([inA, inB].sort().join(''))
  return inA.length === 2 && inB.length === 2 && inA[0] === inB[1] && inA[1] === inB[0]
}

/** Whether a one-word name is the initials of the other: PSG, QPR, AGF, HLE. */
function isInitials(code: TeamName, full: TeamName): boolean {
  const word = codeOf(code.parts)
  const least = code.kind === 'esports' ? 2 : 3
  if (word === undefined || word.length < least || full.parts.length < 2) return false
  if (code.country !== undefined) return false
  const own = full.parts.filter((part) => !littleWords.has(part))
  for (const parts of [full.parts, own])
    if (word === parts.map((part) => part[0]).join('')) return true
  return isInCapitals(code.raw) && (isPieces(word, own) || isPieces(word, full.parts))
}

const isInCapitals = (raw: string) => raw === raw.toUpperCase()

/** A letter from the front of every word, of one word two: "jdg" for JD Gaming. */
const isPieces = (code: string, parts: readonly string[]) =>
  parts.length > 1 && code.length <= Math.min(5, parts.length + 1) && ownPieces(code, parts)

function ownPieces(code: string, parts: readonly string[]): boolean {
  if (parts.length === 0) return code === ''
  const [part = '', ...rest] = parts
  for (let taken = 1; taken <= Math.min(2, part.length, code.length); taken++)
    if (isPiece(code.slice(0, taken), part) && ownPieces(code.slice(taken), rest)) return true
  return false
}

/** Whether a word starts so; codes of more than three letters are folded, their first letters not. */
const isPiece = (piece: string, part: string): boolean =>
  piece[0] === part[0] && foldLetters(part.slice(1)).startsWith(foldLetters(piece.slice(1)))

function codeOf(parts: readonly string[]): string | undefined {
  if (parts.length !== 1) return undefined
  const word = parts[0] ?? ''
  return word.length <= 5 && !/\d/.test(word) ? word : undefined
}

// Persons

const personParticles = new Set([
  'jr',
  'sr',
  'ii',
  'iii',
  'iv',
  'de',
  'da',
  'dos',
  'van',
  'von',
  'der',
])

const parsePerson = memoise((raw: string): TeamName => buildPerson(raw, true))

/** "JP.Varillas", "Xun FY": two or three initials written as one word, unless they read as a name. */
const initialsApart = (raw: string) =>
  /\p{Ll}/u.test(raw)
    ? raw.replace(/(?<!\p{L})(\p{Lu}{2,3})(\.?)(?!\p{L}*\p{Ll})(?!\p{L})/gu, (all, group, dot) =>
        dot === '' && /^(?:[^AEIOU]+[AEIOU]+N?G?|AN|OU)$/.test(group)
          ? all
          : `${[...group].join('. ')}. `,
      )
    : raw

/** Two players with a hyphen between them: "J.Peers-M.Venus", "H.Kontinen-J-L.Struff". */
const playersApart = /(?<=\p{L}{2}\s*)-\s*(?=(?:\p{L}{1,2}[.-]\s*)*\p{L}{1,2}\.)/u

function buildPerson(raw: string, mayBePair: boolean): TeamName {
  const qualifiers: string[] = []
  const text = foldAccents(initialsApart(raw))
    .replace(/[’‘`´']/g, '')
    .replace(/\(([^)]*)\)/g, (_, inside: string) => {
      const counted = inside.match(/\p{L}+/gu)?.map(foldWord) ?? []
      if (counted.length > 0 && counted.every((word) => countedOfPersons.has(word)))
        qualifiers.push(...counted)
      return ' '
    })
  const pair = mayBePair ? playersOf(text) : []
  const members = pair.length > 1 ? pair.map((name) => buildPerson(name, false)) : []
  // "Cerundolo J.M." and "J.M. Cerundolo": every letter before a dot is a name of its own.
  const written = text.replace(/\b(\p{L}{1,2})\./gu, '$1 ').match(/[\p{L}\p{N}]+/gu) ?? []
  const tokens = written.map(foldWord)
  while (tokens.length > 1 && countedOfPersons.has(tokens.at(-1) ?? ''))
    qualifiers.push(tokens.pop() ?? '')
  const own = tokens.filter((token) => !personParticles.has(token))
  const words = (own.length > 0 ? own : tokens).map((token) => ({
    text: token,
    initials: token[0] ?? '',
    sounds: soundsOf(token),
  }))
  const halves = /(\p{L}+)-(\p{L}+)/u.exec(text)?.slice(1).map(foldWord) ?? []
  const name = {
    raw,
    kind: 'person' as const,
    key: tokens.join(' '),
    words,
    shared: halves,
    hasForm: false,
    parts: tokens,
    qualifiers: [...new Set(qualifiers)].sort().join(' '),
    gameNumber: 0,
    numbers: tokens.filter(isNumber),
    lead: undefined,
    signs: signsOf(raw),
    tag: '',
    from: undefined,
    shortParts: new Set<string>(),
    country: undefined,
    members,
    verdicts: new Map(),
    written: undefined,
    plain: '',
  }
  const outline = outlinePerson(name)
  return withBare({ ...name, outline }, () => {
    const bare = { ...name, qualifiers: '', verdicts: new Map() }
    return withBare({ ...bare, outline: outlinePerson(bare) }, () => bare as never)
  })
}

/** The names of a pair; of one player, or of none that can be told apart, one or none. */
function playersOf(text: string): string[] {
  const named = (names: readonly string[]) => names.filter((name) => name.trim() !== '')
  const apart = named(text.split(/\s*[/&+]\s*|\s+and\s+/))
  return apart.length > 1 ? apart : named(text.split(playersApart))
}

function comparePersons(a: TeamName, b: TeamName): Verdict {
  if (a.key === '' || b.key === '' || a.qualifiers !== b.qualifiers) return 'different'
  if (a.key === b.key) return signsAgree(a, b) ? 'same' : 'different'
  if (a.members.length !== b.members.length) {
    const [one, pair] = a.members.length === 0 ? [a, b] : [b, a]
    return pair.members.length === 2 ? compareHyphenated(one, pair) : 'different'
  }
  if (a.members.length > 0) return comparePairs(a.members, b.members)
  if (!numbersAgree(a, b) || !signsAgree(a, b)) return 'different'
  if (joined(a.words) === joined(b.words)) return 'same'
  const verdict = compareSingles(a, b)
  return verdict === 'different' || (isWhole(a, b) && isWhole(b, a)) ? verdict : 'different'
}

function compareSingles(a: TeamName, b: TeamName): Verdict {
  const [few, many] = a.words.length <= b.words.length ? [a.words, b.words] : [b.words, a.words]
  const left = [...many]
  let surnames = 0
  let doubts = 0
  // Full names first: an initial must not take a name that another word equals.
  for (const word of [...few].sort((x, y) => y.text.length - x.text.length)) {
    const equal = left.findIndex((other) => other.text === word.text)
    const joint = equal < 0 ? findJoint(left, word) : -1
    if (equal >= 0) {
      left.splice(equal, 1)
      if (word.text.length > 1) surnames++
    } else if (joint >= 0) {
      left.splice(joint, 2)
      surnames++
    } else {
      const near = left.findIndex((other) => isSameGivenName(word.text, other.text, surnames))
      const heard = near < 0 ? left.findIndex((other) => isHeardAs(word, other)) : -1
      if (near < 0 && heard < 0) return 'different'
      left.splice(near < 0 ? heard : near, 1)
      if (heard >= 0) surnames++
      doubts++
    }
  }
  if (surnames === 0) return 'different'
  return doubts === 0 && left.length === 0 ? 'same' : 'likely'
}

const isHeardAs = (a: Word, b: Word) =>
  (Math.min(a.text.length, b.text.length) > 4 &&
    a.sounds.some((sound) => b.sounds.includes(sound))) ||
  isCutName(a.text, b.text) ||
  isCutName(b.text, a.text)

/** "Grammatikopou": so many letters of a name are no other name. */
const isCutName = (cut: string, whole: string) =>
  cut.length > 8 && whole.length > cut.length + 1 && whole.startsWith(cut)

/**
 * Whether a name with a hyphen is not two players: "Gaston-Humbert" is not H. Gaston, "Parrizas-Diaz
 * N." is N. Parrizas. Both halves are in the other name, or something else is.
 */
function isWhole(name: TeamName, other: TeamName): boolean {
  const halves = name.shared
  if (halves.length === 0) return true
  const others = other.words.map(({ text }) => text)
  if (halves.every((half) => others.includes(half)) || others.includes(halves.join(''))) return true
  return name.words.some(
    ({ text }) =>
      !halves.includes(text) &&
      others.some((word) => word[0] === text[0] && isShortFor(text, word)),
  )
}

const isShortFor = (a: string, b: string) => a.startsWith(b) || b.startsWith(a)

/** Two surnames with a hyphen between them against a pair. */
function compareHyphenated(one: TeamName, pair: TeamName): Verdict {
  if (one.shared.length === 0 || one.words.some(({ text }) => text.length === 1)) return 'different'
  const [first = '', second = ''] = one.raw.split('-')
  return comparePairs([parsePerson(first), parsePerson(second)], pair.members)
}

function findJoint(names: readonly Word[], word: Word): number {
  return names.findIndex((name, i) => {
    const next = names[i + 1]
    if (next === undefined) return false
    return name.text + next.text === word.text || next.text + name.text === word.text
  })
}

/** An initial, a short form (Alex, Alexander; Coco, Cori) or a slip of the pen. */
function isSameGivenName(a: string, b: string, surnames: number): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (short.length <= 2 || long.length >= short.length + 2) {
    if (long.startsWith(short)) return true
  } else if (isMisspelling(a, b) || (surnames > 1 && long.startsWith(short))) return true
  const called = calledNames.get(a)
  return called !== undefined && called === calledNames.get(b)
}

function comparePairs(a: readonly TeamName[], b: readonly TeamName[]): Verdict {
  const [a1, a2] = a
  const [b1, b2] = b
  if (!a1 || !a2 || !b1 || !b2 || a.length > 2 || b.length > 2) return 'different'
  const straight = Math.min(rankOfPlayer(a1, b1), rankOfPlayer(a2, b2))
  const crossed = Math.min(rankOfPlayer(a1, b2), rankOfPlayer(a2, b1))
  const rank = Math.max(straight, crossed)
  return rank === 3 ? 'same' : rank === 2 ? 'likely' : rank === 1 ? 'possible' : 'different'
}

/** In a pair surnames are cut short: "Kontin/Struff". */
function rankOfPlayer(a: TeamName, b: TeamName): number {
  const rank = rankOf(compareNames(a, b))
  return rank === 0 && (isCutPlayer(a, b) || isCutPlayer(b, a)) ? 2 : rank
}

function isCutPlayer(cut: TeamName, whole: TeamName): boolean {
  const [word, letter] = cut.parts
  if (word === undefined || cut.parts.length > 2 || (letter ?? '').length > 1) return false
  const at = whole.parts.findIndex((part) => part.length > word.length && part.startsWith(word))
  if (at < 0 || word.length < 4) return word !== undefined && isCutPhrase(cut, whole)
  return letter === undefined || whole.parts.some((part, i) => i !== at && part.startsWith(letter))
}

/** "Van Uyt", "Vega H": cut off within its second word. */
const isCutPhrase = (cut: TeamName, whole: TeamName) =>
  cut.parts.length === 2 && cut.key.length > 5 && whole.key.includes(cut.key)

const parsers = { team: parseTeam, esports: parseSquad, person: parsePerson }
