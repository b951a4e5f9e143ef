/** Reads the content coding a client accepts from `Accept-Encoding` (RFC 9110, 12.5.3). */

export type Coding = 'br' | 'gzip'

export interface Accepted {
  /** Coding of the response; null for the plain form. */
  readonly coding: Coding | null
  /** Whether the plain form is refused, even for small bodies. Only set together with a coding. */
  readonly isPlainRefused: boolean
  /** Whether gzip is accepted. Streams offer only gzip. */
  readonly takesGzip: boolean
}

export const plain: Accepted = { coding: null, isPlainRefused: false, takesGzip: false }

/** Headers already read. Clients send only a few texts; the bound is for those that vary them. */
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

/** Most codings read from a header: more than any client has. The rest is ignored. */
const mostItems = 32

function readHeader(header: string): Accepted {
  const weights = new Map<string, number>()
  for (const item of header.toLowerCase().split(',', mostItems)) {
    const [, name, weight = '1'] = itemForm.exec(item) ?? []
    if (name !== undefined) weights.set(name === 'x-gzip' ? 'gzip' : name, Number(weight))
  }
  const others = weights.get('*')
  // `*` does not count for Brotli, which old clients do not know.
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

/** A coding and its weight, 0 to 1 with at most three decimals. Items of another form are skipped. */
const itemForm =
  /^[ \t]*([!#$%&'*+.^_`|~\w-]+)[ \t]*(?:;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*)?$/
