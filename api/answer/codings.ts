/** In which coding a client takes an answer: `Accept-Encoding` (RFC 9110, 12.5.3). */

export type Coding = 'br' | 'gzip'

export interface Accepted {
  /** The one to answer in; null for the plain form. */
  readonly coding: Coding | null
  /** The plain form is refused, however small it is. Only with a coding. */
  readonly isPlainRefused: boolean
  /** Streams have gzip alone. */
  readonly takesGzip: boolean
}

export const plain: Accepted = { coding: null, isPlainRefused: false, takesGzip: false }

/** What clients send is one of a few texts: those seen are remembered, with a bound for those who vary. */
const read = new Map<string, Accepted>()
const mostRead = 200
const longestRead = 200

/** @param header the text of `Accept-Encoding`; empty for none */
export function acceptedCoding(header: string): Accepted {
  if (header === '') return plain
  const known = read.get(header)
  if (known) return known
  const accepted = readHeader(header)
  if (read.size < mostRead && header.length <= longestRead) read.set(header, accepted)
  return accepted
}

/** More codings than anybody has: the rest of a longer list is not read. */
const mostItems = 32

function readHeader(header: string): Accepted {
  const weights = new Map<string, number>()
  for (const item of header.toLowerCase().split(',', mostItems)) {
    const [, name, weight = '1'] = itemForm.exec(item) ?? []
    if (name !== undefined) weights.set(name === 'x-gzip' ? 'gzip' : name, Number(weight))
  }
  const others = weights.get('*')
  // Who takes anything has not said that it knows Brotli, which old clients do not.
  const gzip = weights.get('gzip') ?? others ?? 0
  const br = weights.get('br') ?? 0
  const identity = weights.get('identity')
  const best = Math.max(gzip, br)
  if (best === 0 || (identity !== undefined && identity > best)) return plain
  return {
    coding: br >= gzip ? 'br' : 'gzip',
    isPlainRefused: (identity ?? others) === 0,
    takesGzip: gzip > 0 && gzip >= (identity ?? 0),
  }
}

/** A coding and its weight, from 0 to 1 with three decimals at most. What is not of this form is skipped. */
const itemForm =
  /^[ \t]*([!#$%&'*+.^_`|~\w-]+)[ \t]*(?:;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*)?$/
