/**
 * The one spelling of a US college's name, whatever is abbreviated in it: "N. Carolina St." and "North
 * Carolina State", "SE Louisiana" and "Southeastern Louisiana", "UNC-Wilmington".
 */
import { foldAccents } from './normalise-name.ts'

const states = `
alabama ala al|alaska|arizona ariz az|arkansas ark ar|california calif ca|colorado colo co|connecticut conn ct
delaware del de|florida fla fl flor|georgia ga|hawaii|idaho|illinois ill il|indiana ind|iowa|kansas kan ks
kentucky ky|louisiana la lou|maine|maryland md|massachusetts mass ma|michigan mich mi|minnesota minn mn
mississippi miss ms|missouri mo|montana mont mt|nebraska neb|nevada nev nv|oklahoma okla ok|oregon ore
pennsylvania pa penna|tennessee tenn tn|texas tex tx|utah|vermont|virginia va vir|washington wash
wisconsin wisc wis wi|wyoming wyo`

/** Words of one meaning; those that stand for nothing else, wherever they stand. */
const oneWord = new Map<string, string>()
for (const row of states.trim().split(/[|\n]/)) {
  const [first = '', ...others] = row.split(' ')
  for (const other of others) oneWord.set(other, first)
}
const rows: readonly string[] = [
  'north n no nth northern',
  'south s so sth southern',
  'east e eastern',
  'west w western',
  'northeast ne northeastern',
  'northwest nw northwestern',
  'southeast se southeastern',
  'southwest sw southwestern',
  'central cent ctr ctrl c cen',
  'middle mid',
  'carolina car caro',
  'christian chr christ christi christn',
  'international intl internationa',
  'atlantic atl',
  'michigan michig',
  'dakota dak',
  'mexico mex',
  'mount mt',
  'saint',
  'fort ft',
  'polytechnic poly',
  'commonwealth comm',
  'baptist bapt',
  'valley val',
  'am',
]
for (const row of rows) {
  const [first = '', ...others] = row.split(' ')
  for (const other of others) oneWord.set(other, first)
}
oneWord.set('christi', 'christi').set('mt', 'mount').set('la', 'louisiana')

const dropped = new Set([
  'university',
  'univ',
  'unive',
  'college',
  'coll',
  'of',
  'the',
  'at',
  'and',
  'u',
])
/** There the word says which. */
const needsKind = new Set(['boston'])
const kinds = new Map([
  ['university', 'bu'],
  ['univ', 'bu'],
  ['u', 'bu'],
  ['college', 'bc'],
  ['coll', 'bc'],
])
const pairs: readonly (readonly [RegExp, string])[] = [
  [/^(?:nc|unc) /, 'north carolina '],
  [/^n c /, 'north carolina '],
  [/^sc /, 'south carolina '],
  [/^nd /, 'north dakota '],
  [/^sd /, 'south dakota '],
  [/^uw (?=.)/, 'wisconsin '],
  [/^ut (?=arl|chat|dal|el|mar|pan|per|rio|san|tyl)/, 'texas '],
  [/^texas (?=mart|chat)/, 'tennessee '],
  [/^uc /, 'california '],
  [/^(?:csu|cs|calstate|california state) /, 'cal state '],
  [/^cal st /, 'cal state '],
  [/^ul /, 'louisiana '],
  [/^(?:tamu|tam|texas a m|tx am) /, 'texas am '],
  [/^wv /, 'west virginia '],
]

/** Letters and digits only, in one spelling; '' for a name without either. */
export function collegeKey(name: string): string {
  const written = foldAccents(name)
    .replace(/['’‘`´.]/g, (mark) => (mark === '.' ? ' ' : ''))
    .replace(/\b([aws])\s*&\s*([tm])\b/g, (letters, one, two) =>
      letters === 'a&m' || (one === 'a' && two === 'm') ? 'am' : `${one}and${two}`,
    )
    .replace(/&/g, ' ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const tokens = written.map((word, index) => {
    if (word !== 'st' && word !== 'sta' && word !== 'stat' && word !== 'ste') return word
    return index === 0 || isSaint(written, index) ? 'saint' : 'state'
  })
  // "NC AT" is A&T, "U. at Albany" is no more than Albany.
  if (tokens.length > 1 && tokens.at(-1) === 'at') tokens[tokens.length - 1] = 'aandt'
  const named = tokens.map((word) =>
    needsKind.has(tokens[0] ?? '') ? (kinds.get(word) ?? word) : word,
  )
  let text = `${named.filter((word) => !dropped.has(word)).join(' ')} `
  for (const [from, to] of pairs) text = text.replace(from, to)
  const words = text.trim().split(' ')
  // "Miami (OH)", "Albany NY": a state's code at the end stays as it is.
  return words
    .map((word, index) => endOf(word, index, words.length) ?? oneWord.get(word) ?? word)
    .join('')
}

/** Short forms at the end of a name: "Southern La", and the "St" of which only "S" is left. */
function endOf(word: string, index: number, count: number): string | undefined {
  if (index > 0 && word === 'la') return 'louisiana'
  return index > 1 && index === count - 1 && word === 's' ? word : undefined
}

const saints = new Set([
  'marys',
  'mary',
  'johns',
  'peters',
  'josephs',
  'louis',
  'paul',
  'thomas',
  'francis',
])

const isSaint = (words: readonly string[], at: number) => saints.has(words[at + 1] ?? '')
