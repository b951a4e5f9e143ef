/**
 * Whether two names of teams are one team. They are compared word by word, by spelling rules that hold in any league.
 * When in doubt the verdict is the weaker one.
 */
import {
  buildTeam,
  isPlainForm,
  leading,
  littleWords,
  states,
  telling,
  wordsMax,
} from './club-names.ts'
import {
  atMost,
  foldLetters,
  foldSet,
  numbersAgree,
  signsAgree,
  stronger,
  type TeamName,
  type Verdict,
  type Word,
} from './parsed-name.ts'
import { areSpeltApart } from './spelt-apart.ts'
import { areOfTwoCountries, countryOfMark } from './team-countries.ts'
import { sharedCities } from './team-words.ts'
import { type Alignment, align, areConfusable, isPiece, stems } from './word-alignment.ts'

const cities = foldSet(sharedCities)

export function compareTeams(a: TeamName, b: TeamName): Verdict {
  if (a.key === '' || b.key === '') return 'different'
  if (a.qualifiers !== b.qualifiers) return 'different'
  if (!numbersAgree(a, b) || !signsAgree(a, b)) return 'different'
  if (areOfTwoCountries(a.from, b.from)) return 'different'
  // Only one name says which of several teams it is, or both do in other words: (SE), (SdE).
  if (a.tag !== b.tag) {
    if (a.tag === '' || b.tag === '') return atMost('possible', compareWords(a, b))
    return a.tag[0] === b.tag[0] ? atMost('possible', compareWritings(a, b)) : 'different'
  }
  return compareWritings(a, b)
}

/** Compares the names as written, then with abbreviations written out as in the other name. */
function compareWritings(a: TeamName, b: TeamName): Verdict {
  const plain = compareKeys(a, b)
  if (plain === 'same' || plain === 'likely') return plain
  const full = spellOut(a, b)
  const other = spellOut(b, full)
  if (full !== a || other !== b) return stronger(plain, atMost('likely', compareKeys(full, other)))
  if (isCutShort(a, b) || isCutShort(b, a)) return 'likely'
  // If both say which of several towns they mean, that counts.
  if (saysWhere(a) === saysWhere(b)) return plain
  return stronger(plain, atMost('likely', compareKeys(townOf(a), townOf(b))))
}

const saysWhere = ({ written }: TeamName) => written !== undefined && written.townLength > 0

/**
 * Returns the name without the words that say where its town lies, which are optional:
 * "Chalon-sur-Saône" is Chalon, "Stratford upon Avon" Stratford.
 */
const townOf = (name: TeamName) =>
  name.written && saysWhere(name)
    ? buildTeam({
        ...name.written,
        tokens: name.written.tokens.slice(0, name.written.townLength),
        townLength: 0,
      })
    : name

function compareKeys(a: TeamName, b: TeamName): Verdict {
  if (areSpeltApart(a, b)) return 'possible'
  if (a.letters === b.letters) return 'same'
  if (a.parts.length === wordsMax || b.parts.length === wordsMax) return 'different'
  if (areConfusable(a.ownName, b.ownName)) return 'different'
  if (a.country !== undefined && b.country !== undefined)
    return a.country === b.country ? 'same' : 'different'
  if (isCodeOf(a.country, b) || isCodeOf(b.country, a)) return 'likely'
  return compareWords(a, b)
}

/**
 * Returns whether a name is a country's three letters: "IND" beside India. By themselves they may
 * be a club's.
 */
const isCodeOf = (country: string | undefined, { code }: TeamName) =>
  country !== undefined && code !== undefined && countryOfMark(code, undefined) === country

/**
 * Writes out the short parts of a name as in the other: "Hap. Haifa" beside Hapoel Haifa, "Preston
 * N. End" beside Preston North End. The names must share a word, because letters alone are no name.
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

/**
 * Returns whether a name is the other cut off within a word, after enough letters: "Northern Arizo", "Melbourne Vic".
 */
function isCutShort({ spelt: cut }: TeamName, { spelt: whole }: TeamName): boolean {
  if (cut.length < shortestCut || !whole.startsWith(cut)) return false
  const blank = cut.lastIndexOf(' ')
  return (
    blank > 0 && cut.length - blank > 2 && whole.length > cut.length && whole[cut.length] !== ' '
  )
}

/**
 * Returns whether one name contains the other, and no word tells them apart: "FC Salzburg" and Red
 * Bull Salzburg. This is less than `possible`, because the extra word may make it another club. It
 * counts only if the opponent and the start are exactly the same.
 * @param cityAlone whether a city that several clubs share may mean one of them
 */
export function areRelated(a: TeamName, b: TeamName, cityAlone: boolean): boolean {
  if (a.kind !== 'team' || a.qualifiers !== b.qualifiers || a.tag !== b.tag) return false
  if (areOfTwoCountries(a.from, b.from)) return false
  if (!numbersAgree(a, b) || !signsAgree(a, b) || a.country || b.country) return false
  if (areConfusable(a.ownName, b.ownName) || !nested(a.shared, b.shared)) return false
  const { restA, restB, grades, initialsCount } = align(a.words, b.words)
  if (grades.length === 0 || initialsCount > 0 || Math.min(...grades) < 2) return false
  if (restA.length > 0 === restB.length > 0) return false
  const [short, long, rest] = restA.length > 0 ? [b, a, restA] : [a, b, restB]
  if (!nestedIn(short.shared, long.shared)) return false
  if (
    rest.some(({ text }) => telling.has(text)) ||
    (short.words.every(isLittleTelling) && !isSharedCity(short))
  )
    return false
  return cityAlone || !isSharedCity(short)
}

/**
 * Returns whether names that are `different` contradict each other, and do not merely have too little in common:
 * marks, numbers, signs, brackets or a qualifying word tell them apart, or they share only a city
 * or a word of many clubs.
 */
export function contradicts(a: TeamName, b: TeamName): boolean {
  if (a.qualifiers !== b.qualifiers || (a.tag !== '' && b.tag !== '' && a.tag !== b.tag))
    return true
  if (areOfTwoCountries(a.from, b.from)) return true
  if (a.country !== undefined && b.country !== undefined) return true
  if (!numbersAgree(a, b) || !signsAgree(a, b) || !nested(a.shared, b.shared)) return true
  if (areConfusable(a.ownName, b.ownName)) return true
  const { restA, restB, grades } = align(a.words, b.words)
  if (grades.length === 0) return a.shared.some((word) => b.shared.includes(word))
  if ([...restA, ...restB].some(({ text }) => telling.has(text))) return true
  const long = restA.length > 0 ? a : b
  if (restA.length > 0 !== restB.length > 0 && !nestedIn((long === a ? b : a).shared, long.shared))
    return true
  const common = a.words.filter((word) => !restA.includes(word))
  return common.every(isLittleTelling) || isSharedCity({ ...a, words: common })
}

const isLittleTelling = ({ text }: Word) => text.length < 4 || telling.has(text) || states.has(text)

function compareWords(a: TeamName, b: TeamName): Verdict {
  if (a.joinedWords === b.joinedWords && a.words.length > 0)
    return sharedVerdict(a, b, 'same', { grades: [3], isFirm: true })
  if (isInitials(a, b) || isInitials(b, a)) return 'likely'
  if (isSpeltCode(a, b) || isSpeltCode(b, a)) return 'likely'
  if (isNumberedCode(a, b) || isNumberedCode(b, a)) return 'likely'
  if (a.words.length === 0 || b.words.length === 0) return compareShared(a, b)
  const found = align(a.words, b.words)
  if (found.grades.length === 0) return 'different'
  const aLeft = found.restA.length > 0
  const bLeft = found.restB.length > 0
  if (aLeft && bLeft) return restsAgree(found, a) ? 'possible' : 'different'
  // "SP" means St Pauli only if all other words agree.
  const areInitials = found.initialsCount === found.grades.length
  if (areInitials && (aLeft || bLeft || a.shared.length + b.shared.length === 0)) return 'different'
  const exactly = Math.min(...found.grades) === 3
  const country = a.country ?? b.country
  if (country !== undefined && !exactly) return 'different'
  // "Netherlands Antilles", "England Lions" are other teams; but Georgia is also a college.
  if (country !== undefined && country !== 'GE' && (aLeft || bLeft)) return 'different'
  if (!aLeft && !bLeft) return sharedVerdict(a, b, exactly ? 'same' : 'likely', found)
  return aLeft ? compareLonger(a, b, found.restA, found) : compareLonger(b, a, found.restB, found)
}

const restsAgree = ({ restA, restB, grades, initialsCount }: Alignment, name: TeamName) =>
  Math.min(...grades) === 3 &&
  initialsCount === 0 &&
  !isSharedCity({ ...name, words: name.words.filter((word) => !restA.includes(word)) }) &&
  (isShortRest(restA, restB) || isShortRest(restB, restA))

/**
 * Returns whether letters abbreviate the words at their place in the other name: "Rodez AF" and
 * Rodez Aveyron.
 */
function isShortRest(letters: readonly Word[], full: readonly Word[]): boolean {
  const [code] = letters
  const [first] = full
  if (!code || !first || letters.length > 1 || telling.has(code.text)) return false
  return code.text.length < 4 && first.text.length > 4 && code.text[0] === first.text[0]
}

/** Returns the verdict by the shared words (United, City), if all other words agree. */
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
    if (supported || areAllShortened(a.words, b.words)) return 'likely'
    return grades.length > 1 || (isLongOrDotted(a) && isLongOrDotted(b)) ? 'possible' : 'different'
  }
  if (equal) return best
  // "Dundee" is a club, and so is "Dundee United".
  const bare = a.shared.length === 0 ? a : b
  if (bare.shared.length === 0 && isSharedCity(bare)) return 'different'
  return 'likely'
}

/**
 * Returns whether every word is cut short, but long enough: "Sheff Wed", "W. Bromwich" beside "West
 * Brom".
 */
function areAllShortened(a: readonly Word[], b: readonly Word[]): boolean {
  if (a.length < 2 || a.length !== b.length) return false
  let left = 0
  for (const [at, { text }] of a.entries()) {
    const other = (b[at] as Word).text
    if (!text.startsWith(other) && !other.startsWith(text)) return false
    left += Math.min(text.length, other.length)
  }
  return left >= 5
}

/**
 * Returns whether a name is long or dotted: "Braga" and "Bragantino" are two, "Peterboro" is Peterborough, "Viit."
 * may be Viitorul.
 */
const isLongOrDotted = ({ words, shortParts }: TeamName) =>
  words.every(
    ({ text, contraction }) =>
      text.length > 5 || contraction || (text.length > 1 && shortParts.has(text)),
  )

const isSharedCity = (name: TeamName) =>
  name.words.length > 0 &&
  name.words.every((word) => stems(word.text).some((stem) => cities.has(stem)))

function nested(a: readonly string[], b: readonly string[]): boolean {
  const [few, many] = a.length <= b.length ? [a, b] : [b, a]
  return nestedIn(few, many)
}

export const nestedIn = (few: readonly string[], many: readonly string[]) =>
  few.every((word) => many.includes(word))

/** Compares a name with one that has all its words and more: a full name and a short one, or two teams. */
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
  // Central Michigan, Southeastern Louisiana: the school with the bare name of the state is another one.
  if (!startsAlike && short.words.every((word) => states.has(word.text))) return 'different'
  // "OB Odense" names Odense BK twice.
  if (extra.length === 1 && first && isPieces(first.text, short.parts)) return 'likely'
  // "FC Basel" is not short for "Old Boys Basel", though "Verona" is for "Hellas Verona".
  if (short.hasForm && !startsAlike && short.words.length === 1) return 'different'
  if (!startsAlike && short.words.every((word) => telling.has(word.text))) return 'different'
  return 'likely'
}

/** Compares a name of shared words only ("Real", "Racing Club") with any other. */
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

/** Returns whether a one-word name is the initials of the other: PSG, QPR, AGF, HLE. */
function isInitials(code: TeamName, full: TeamName): boolean {
  const least = code.kind === 'esports' ? 2 : 3
  if (code.outline.codeLength < least || full.parts.length < 2) return false
  const [word = ''] = code.parts
  if (code.country !== undefined) return false
  // "Odds" is a word, "Psg" and "QPR" are letters.
  if (/^\p{Lu}\p{Ll}{3,}$/u.test(code.raw)) return false
  const own = full.parts.filter((part) => !littleWords.has(part))
  for (const parts of [full.parts, own])
    if (word === parts.map((part) => part[0]).join('')) return true
  return isInCapitals(code.raw) && (isPieces(word, own) || isPieces(word, full.parts))
}

/**
 * Returns whether a code is the initials of the other name, whose club form is left out or written
 * in full: "FTC" of Ferencvarosi TC, "PSG Handball" of Paris Saint-Germain.
 */
function isSpeltCode({ code }: TeamName, full: TeamName): boolean {
  if (code === undefined) return false
  const own = full.parts.filter((part) => !isPlainForm(part))
  const pieces = full.parts.map((part) => (isPlainForm(part) ? part : part[0]))
  return [own.map((part) => part[0]), pieces].some(
    (letters) => letters.length > 1 && foldLetters(letters.join('')) === foldLetters(code),
  )
}

/** Returns whether a name is a number and initials, in computer games: "100T" of 100 Thieves. */
function isNumberedCode(code: TeamName, full: TeamName): boolean {
  if (code.kind !== 'esports' || code.parts.length !== 1 || full.parts.length < 2) return false
  const [, number, letters] = /^(\d+)(\p{L}+)$/u.exec(code.parts[0] ?? '') ?? []
  const [first, ...rest] = full.parts
  return (
    number !== undefined && number === first && letters === rest.map((part) => part[0]).join('')
  )
}

const isInCapitals = (raw: string) => raw === raw.toUpperCase()

/**
 * Returns whether a code has the first letters of every word (two of one word at most): "jdg" for
 * JD Gaming.
 */
export const isPieces = (code: string, parts: readonly string[]) =>
  parts.length > 1 && code.length <= Math.min(5, parts.length + 1) && ownPieces(code, parts)

function ownPieces(code: string, parts: readonly string[]): boolean {
  if (parts.length === 0) return code === ''
  const [part = '', ...rest] = parts
  for (let taken = 1; taken <= Math.min(2, part.length, code.length); taken++)
    if (isPiece(code.slice(0, taken), part) && ownPieces(code.slice(taken), rest)) return true
  return false
}
