/**
 * The one spelling of a US college's name, for all its abbreviations: "N. Carolina St." and "North Carolina State",
 * "SE Louisiana" and "Southeastern Louisiana", "UNC-Wilmington".
 */
import { readDataFile, recordOf, row, text, texts } from '../data-file.ts'
import wordRows from './college-words.json' with { type: 'json' }
import { foldAccents } from './normalise-name.ts'

const words = readDataFile(
  'schemas/reference/college-words.json',
  row({
    /** Other spellings of a word that have no other meaning anywhere. */
    spellings: recordOf(texts),
    dropped: texts,
    /** The kind of a school, if it distinguishes two of them. */
    kinds: recordOf(text),
    saints: texts,
  }),
  wordRows,
)
const oneWord = new Map(
  Object.entries(words.spellings).flatMap(([word, others]) => others.map((other) => [other, word])),
)
const dropped = new Set(words.dropped)
const kinds = new Map(Object.entries(words.kinds))
const saints = new Set(words.saints)
/** Places whose colleges are told apart by the kind. */
const needsKind = new Set(['boston'])
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

/** Returns letters and digits only, in one spelling; '' for a name without either. */
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
  // "NC AT" is A&T, "U. at Albany" is just Albany.
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

/** Expands short forms at the end of a name: "Southern La", and a "St" cut to "S". */
function endOf(word: string, index: number, count: number): string | undefined {
  if (index > 0 && word === 'la') return 'louisiana'
  return index > 1 && index === count - 1 && word === 's' ? word : undefined
}

const isSaint = (words: readonly string[], at: number) => saints.has(words[at + 1] ?? '')
