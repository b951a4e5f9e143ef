/** Names of players: how to read them, and whether two are one player, or one pair in doubles. */
import { memoise } from '../../../schemas/memoise.ts'
import { foldAccents } from '../../../schemas/reference/normalise-name.ts'
import { countryInBrackets } from './club-names.ts'
import { contestWords, isEntry, isStanding } from './contest-words.ts'
import { soundsOf } from './name-sounds.ts'
import {
  foldWord,
  isMisspelling,
  isNumber,
  joined,
  numbersAgree,
  rankOf,
  remembered,
  signsAgree,
  signsOf,
  type TeamName,
  type Verdict,
  type Word,
  withBare,
} from './parsed-name.ts'
import { countedOfPersons } from './team-marks.ts'
import { outlinePerson } from './team-outline.ts'
import { givenNames } from './team-words.ts'

const calledNames = new Map(
  givenNames.flatMap((row) => row.map((name) => [foldWord(name), row[0]] as const)),
)

/** Returns the tag of a player in brackets, if it is neither a country nor a place in the draw or the fight. */
const tagOfPerson = (inside: string) =>
  countryInBrackets(inside) === undefined && !draws.has(inside) ? inside : ''

/** How a player entered a draw or a fight: by a wild card, as its champion. Two champions may meet. */
const draws = new Set(contestWords.draws)

export const personParticles = new Set([
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

/** Returns the main name that a given name is a form of. */
export const givenNameOf = (name: string) => calledNames.get(name)

export const parsePerson = memoise((raw: string): TeamName => buildPerson(raw, true))

/** Splits two or three initials written as one word, unless they read as a name: "JP.Varillas", "Xun FY". */
const initialsApart = (raw: string) =>
  /\p{Ll}/u.test(raw)
    ? raw.replace(/(?<!\p{L})(\p{Lu}{2,3})(\.?)(?!\p{L}*\p{Ll})(?!\p{L})/gu, (all, group, dot) =>
        dot === '' && /^(?:[^AEIOU]+[AEIOU]+N?G?|AN|OU)$/.test(group)
          ? all
          : `${[...group].join('. ')}. `,
      )
    : raw

/** Matches the hyphen between two players: "J.Peers-M.Venus", "H.Kontinen-J-L.Struff". */
const playersApart = /(?<=\p{L}{2}\s*)-\s*(?=(?:\p{L}{1,2}[.-]\s*)*\p{L}{1,2}\.)/u

function buildPerson(raw: string, mayBePair: boolean): TeamName {
  const qualifiers: string[] = []
  let tag = ''
  const text = foldAccents(initialsApart(raw))
    .replace(/[’‘`´']/g, '')
    .replace(/\(([^)]*)\)/g, (_, inside: string) => {
      const counted = inside.match(/\p{L}+/gu)?.map(foldWord) ?? []
      if (counted.length > 0 && counted.every((word) => countedOfPersons.has(word)))
        qualifiers.push(...counted)
      else if (counted.length > 0 && !isEntry(inside) && !isStanding(inside))
        tag += tagOfPerson(foldWord(inside))
      // A plain number is a seed.
      else if (/[+-]/.test(inside)) tag += inside.trim()
      return ' '
    })
  const pair = mayBePair ? playersOf(text) : []
  const members = pair.length > 1 ? pair.map((name) => buildPerson(name, false)) : []
  // "Cerundolo J.M." and "J.M. Cerundolo": every letter before a dot is a name by itself.
  const written = text.replace(/\b(\p{L}{1,2})\./gu, '$1 ').match(/[\p{L}\p{N}]+/gu) ?? []
  const tokens = written.map(foldWord)
  while (tokens.length > 1 && countedOfPersons.has(tokens.at(-1) ?? ''))
    qualifiers.push(tokens.pop() ?? '')
  const all = tokens.map((token, at) => ({
    text: token,
    // The initial is taken from the written name: Khamzat folds to "hamzat".
    initials: written[at]?.[0] ?? '',
    sounds: soundsOf(token),
  }))
  const own = all.filter(({ text: token }) => !personParticles.has(token))
  const words = own.length > 0 ? own : all
  const halves = /(\p{L}+)-(\p{L}+)/u.exec(text)?.slice(1).map(foldWord) ?? []
  const name = {
    raw,
    kind: 'person' as const,
    key: tokens.join(' '),
    letters: tokens.join(''),
    spelt: tokens.join(' '),
    code: undefined,
    words,
    joinedWords: joined(words),
    shared: halves,
    hasForm: false,
    parts: tokens,
    partsWithForms: tokens,
    ownName: tokens.join(' '),
    qualifiers: [...new Set(qualifiers)].sort().join(' '),
    gameNumber: 0,
    numbers: tokens.filter(isNumber),
    lead: undefined,
    signs: signsOf(raw),
    tag,
    from: undefined,
    shortParts: new Set<string>(),
    country: undefined,
    members,
    verdicts: new Map(),
    written: undefined,
    plain: '',
  }
  const wholes =
    members.length > 0 ? [] : [...jointsIn(words.map(({ text }) => text)), ...jointsIn(tokens)]
  const outline = outlinePerson(name, wholes)
  return withBare({ ...name, outline }, () => {
    const bare = { ...name, qualifiers: '', verdicts: new Map() }
    return withBare({ ...bare, outline: outlinePerson(bare, wholes) }, () => bare as never)
  })
}

/**
 * Returns the two names of a pair; one or none for a single player, or names that cannot be
 * separated.
 */
function playersOf(text: string): string[] {
  const named = (names: readonly string[]) => names.filter((name) => name.trim() !== '')
  const apart = named(text.split(/\s*[/&+]\s*|\s+and\s+/))
  return apart.length > 1 ? apart : named(text.split(playersApart))
}

export function comparePersons(a: TeamName, b: TeamName): Verdict {
  if (a.key === '' || b.key === '' || a.qualifiers !== b.qualifiers) return 'different'
  if (a.key === b.key) return signsAgree(a, b) ? 'same' : 'different'
  if (a.members.length !== b.members.length) {
    const [one, pair] = a.members.length === 0 ? [a, b] : [b, a]
    return pair.members.length === 2 ? compareHyphenated(one, pair) : 'different'
  }
  if (a.members.length > 0) return comparePairs(a.members, b.members)
  if (!numbersAgree(a, b) || !signsAgree(a, b)) return 'different'
  if (a.joinedWords === b.joinedWords) return 'same'
  if (isInOneWord(a, b) || isInOneWord(b, a)) return 'likely'
  const verdict = compareSingles(a, b)
  return verdict === 'different' || (isWhole(a, b) && isWhole(b, a)) ? verdict : 'different'
}

/**
 * Returns whether one name is the other written as one word, which folds differently: "Aori
 * Qileng", "Aoriqileng".
 */
const isInOneWord = (one: TeamName, two: TeamName) =>
  one.words.length === 1 && inOneWord(two.words).includes(one.words[0]?.text ?? '')

function inOneWord(words: readonly Word[]): readonly string[] {
  const [first, second] = words
  if (!first || !second || words.length > 2) return []
  if (Math.min(first.text.length, second.text.length) < 3) return []
  return jointsOf(first.text, second.text)
}

function compareSingles(a: TeamName, b: TeamName): Verdict {
  const [ours, theirs] = [wordsBeside(a, b), wordsBeside(b, a)]
  const [few, many] = ours.length <= theirs.length ? [ours, theirs] : [theirs, ours]
  const left = [...many]
  let surnames = 0
  let doubts = 0
  // Full names first: an initial must not take a name that equals another word.
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
      const near = left.findIndex(
        (other) =>
          isInitial(word, other) ||
          isInitial(other, word) ||
          isSameGivenName(word.text, other.text, surnames),
      )
      const heard = near < 0 ? left.findIndex((other) => isHeardAs(word, other)) : -1
      if (near < 0 && heard < 0) return 'different'
      const [found] = left.splice(near < 0 ? heard : near, 1)
      if (heard >= 0 || isCutName(word.text, found?.text ?? '')) surnames++
      doubts++
    }
  }
  if (surnames === 0) return 'different'
  return doubts === 0 && left.length === 0 ? 'same' : 'likely'
}

/**
 * Returns the words of a name, with a particle joined to its word if the other name does so: "De
 * Minaur", "Deminaur".
 */
function wordsBeside({ parts, words }: TeamName, other: TeamName): readonly Word[] {
  if (words.length === parts.length) return words
  return words.map((word) => {
    const before = parts[parts.indexOf(word.text) - 1]
    if (before === undefined || !personParticles.has(before)) return word
    const whole = foldWord(before + word.text)
    return other.words.find(({ text }) => text === whole) ?? word
  })
}

const isHeardAs = (a: Word, b: Word) =>
  (Math.min(a.text.length, b.text.length) > 4 &&
    a.sounds.some((sound) => b.sounds.includes(sound))) ||
  isCutName(a.text, b.text) ||
  isCutName(b.text, a.text)

const isInitial = (letter: Word, name: Word) => letter.text === name.initials

/** Returns whether a name is cut off, but long enough to be unambiguous: "Grammatikopou". */
const isCutName = (cut: string, whole: string) =>
  cut.length > 8 && whole.length > cut.length + 1 && whole.startsWith(cut)

/**
 * Returns whether a hyphenated name is not two players: "Gaston-Humbert" is not H. Gaston, "Parrizas-Diaz N." is N.
 * Parrizas. The other name has both halves, or another word of it.
 */
function isWhole(name: TeamName, other: TeamName): boolean {
  const halves = name.shared
  if (halves.length === 0) return true
  const others = other.words.map(({ text }) => text)
  const areIn = halves.every((half) =>
    others.some((word) => word === half || areSaints(word, half)),
  )
  if (areIn || others.includes(foldWord(halves.join('')))) return true
  return name.words.some(
    ({ text }) =>
      !halves.includes(text) &&
      others.some((word) => word[0] === text[0] && isShortFor(text, word)),
  )
}

const saints = new Set(['st', 'saint'])

const areSaints = (a: string, b: string) => saints.has(a) && saints.has(b)

const isShortFor = (a: string, b: string) => a.startsWith(b) || b.startsWith(a)

/** Compares two hyphenated surnames with a pair. */
function compareHyphenated(one: TeamName, pair: TeamName): Verdict {
  if (one.shared.length === 0 || one.words.some(({ text }) => text.length === 1)) return 'different'
  const [first = '', second = ''] = one.raw.split('-')
  return comparePairs([parsePerson(first), parsePerson(second)], pair.members)
}

function findJoint(names: readonly Word[], word: Word): number {
  return names.findIndex((name, i) => {
    const next = names[i + 1]
    if (next === undefined) return false
    return jointsOf(name.text, next.text).includes(word.text)
  })
}

/** Returns two words as one, in either order: "Dooho" folds differently from "Doo" and "Ho". */
const jointsOf = (one: string, two: string) => [foldWord(one + two), foldWord(two + one)]

const jointsIn = (texts: readonly string[]) =>
  texts.slice(1).flatMap((text, at) => jointsOf(texts[at] as string, text))

/** "Yaco" of Yacoub: a name that is cut within a sound folds differently. */
const isBeginningOf = (short: string, long: string) =>
  long.startsWith(short) ||
  (short.length > 3 && short.endsWith('o') && long.startsWith(`${short.slice(0, -1)}u`))

/**
 * Returns whether two given names agree: as an initial, a short form (Alex, Alexander; Coco, Cori)
 * or with a typing error.
 */
function isSameGivenName(a: string, b: string, surnames: number): boolean {
  if (areSaints(a, b)) return true
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (short.length <= 2 || long.length >= short.length + 2) {
    if (isBeginningOf(short, long)) return true
  } else if (isMisspelling(a, b) || (surnames > 1 && long.startsWith(short))) return true
  const called = givenNameOf(a)
  return called !== undefined && called === givenNameOf(b)
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

/**
 * Compares players of a pair, whose surnames may be cut short: "Kontin/Struff", and "Mattek" of
 * Mattek-Sands.
 */
function rankOfPlayer(a: TeamName, b: TeamName): number {
  const rank = rankOf(remembered(a, b, comparePersons))
  return rank === 0 && (isCutPlayer(a, b) || isCutPlayer(b, a)) ? 2 : rank
}

function isCutPlayer(cut: TeamName, whole: TeamName): boolean {
  const [word, letter] = cut.parts
  if (word === undefined || cut.parts.length > 2 || (letter ?? '').length > 1) return false
  const at = whole.parts.findIndex(
    (part) => part.startsWith(word) && (part.length > word.length || part === whole.shared[0]),
  )
  if (at < 0 || lettersOf(cut.raw) < (cut.raw.endsWith('.') ? 3 : 4)) return isCutPhrase(cut, whole)
  return letter === undefined || whole.parts.some((part, i) => i !== at && part.startsWith(letter))
}

const lettersOf = (text: string) => text.match(/\p{L}/gu)?.length ?? 0

/** Returns whether a name is cut off within its second word: "Van Uyt", "Vega H". */
const isCutPhrase = (cut: TeamName, whole: TeamName) =>
  cut.parts.length === 2 && cut.key.length > 5 && whole.key.includes(cut.key)
