/**
 * Answers to reads of the views. Each query is checked and planned once, and its body is kept until
 * what it shows changes. Where possible its tag is worked out without the body. Each route and tier has
 * a store of its own, so that an answer for one tier cannot reach another.
 *
 * For clients that take a coding, a body is compressed once, and kept in that form. Each form has a
 * strong tag of its own; either is good for asking whether what it says still stands.
 */

import { createHash } from 'node:crypto'
import { createPageBuffer } from '../../pipeline/text/page-buffer.ts'
import type { Prepared } from '../route.ts'
import type { Accepted, Coding } from './codings.ts'
import { type Compressor, leastCompressedBytes } from './compressor.ts'

export interface ReadAnswer {
  /** `"<tier>-<hash>"`, quotes included; of a body in a coding `"<tier>-<hash>-<coding>"`. */
  readonly etag: string
  /**
   * Null: the client's copy still stands. Plain bytes are valid until the next read; what is being
   * compressed comes later.
   */
  readonly body: Uint8Array | Promise<Uint8Array> | null
  /** Of the body; null for the plain form. */
  readonly coding: Coding | null
  /**
   * Whether it is what was answered last to the same query. Not whether the body was at hand: that would tell of
   * changes which the tier does not see.
   */
  readonly isKept: boolean
  /** Of an answer that is not JSON. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface ReadStore {
  /**
   * The plan of a query, made at its first time.
   * @param key what the query said, in the client's own spelling; null: not to be kept
   */
  plan(key: string | null, prepare: () => Prepared): Plan
  /** What can be done ahead of the answer, see `Prepared.ahead`; null where nothing is to be done. */
  ahead(plan: Plan, now: number): Iterator<void> | null
  /** @param ifNoneMatch the header's text; empty for none */
  answer(plan: Plan, ifNoneMatch: string, now: number, accepted: Accepted): ReadAnswer
}

/** A query, planned. */
export interface Plan {
  readonly prepared: Prepared
}

export interface Reads {
  /** A store of its own for one route and tier. */
  openStore(tier: string): ReadStore
}

interface Kept extends Plan {
  readonly isToBeKept: boolean
  version: number
  etag: string
  body: Buffer | null
  /** The same in its codings; null where it is not there. */
  readonly coded: Record<Coding, Uint8Array | Promise<Uint8Array> | null>
  expiresAt: number
  headers: Readonly<Record<string, string>> | undefined
  /** The tag of what was answered last. */
  toldEtag: string
  /** Whether this version was asked for more than once, and whether the one before was. */
  isRepeated: boolean
  wasRepeated: boolean
}

interface Generations {
  young: Map<string, Kept>
  old: Map<string, Kept>
}

/** Plans of one generation, beyond which the older ones are forgotten. */
const maxPlans = 4_000

export interface ReadsOptions {
  /** Most memory for bodies, plain and compressed; 0 keeps plans only. */
  readonly bodyBytes: number
  readonly compressor: Compressor
}

export function createReads({ bodyBytes, compressor }: ReadsOptions): Reads {
  const stores: Generations[] = []
  // One buffer for every body: an answer is sent before the next request is handled.
  const page = createPageBuffer()
  let youngBytes = 0
  let youngPlans = 0

  /** What was not asked for since the last turn is forgotten. */
  function turn() {
    for (const store of stores) {
      store.old = store.young
      store.young = new Map()
    }
    youngBytes = 0
    youngPlans = 0
  }

  function find(store: Generations, key: string): Kept | undefined {
    const kept = store.young.get(key)
    if (kept) return kept
    const older = store.old.get(key)
    if (older) keep(store, key, older)
    return older
  }

  function keep(store: Generations, key: string, kept: Kept) {
    if (youngPlans >= maxPlans) turn()
    youngPlans++
    youngBytes += bytesOf(kept)
    store.young.set(key, kept)
  }

  function makeRoom(bytes: number) {
    youngBytes += bytes
    if (2 * youngBytes > bodyBytes) turn()
  }

  /** What was made, in the coding that is accepted where that is worth it. */
  function show(
    kept: Kept,
    body: Uint8Array,
    isKept: boolean,
    isToBeKept: boolean,
    { coding, isPlainRefused }: Accepted,
  ): ReadAnswer {
    const { etag, headers } = kept
    const isWorthIt = body.length >= leastCompressedBytes || isPlainRefused
    if (!coding || !isWorthIt) return { etag, body, coding: null, isKept, headers }
    const coded = compress(kept, coding, body, isToBeKept, isPlainRefused)
    if (!coded) return { etag, body, coding: null, isKept, headers }
    return { etag: codedTag(etag, coding), body: coded, coding, isKept, headers }
  }

  function compress(
    kept: Kept,
    coding: Coding,
    body: Uint8Array,
    isToBeKept: boolean,
    isNeeded: boolean,
  ): Promise<Uint8Array> | null {
    // The page is written anew by the next read; what is kept stays as it is.
    const bytes = kept.body ?? Buffer.from(body)
    const making = compressor.compress(coding, bytes, isNeeded)
    if (!making || !isToBeKept) return making
    const { coded } = kept
    // Whoever asks meanwhile waits for the same.
    coded[coding] = making
    making.then(
      (made) => {
        if (coded[coding] !== making) return
        makeRoom(made.length)
        coded[coding] = made
      },
      () => {
        if (coded[coding] === making) coded[coding] = null
      },
    )
    return making
  }

  return {
    openStore(tier) {
      const store: Generations = { young: new Map(), old: new Map() }
      stores.push(store)
      const etagOf = (tag: string) => `"${tier}-${tag}"`
      return {
        plan(key, prepare) {
          let kept = key === null ? undefined : find(store, key)
          if (!kept) {
            kept = {
              prepared: prepare(),
              isToBeKept: key !== null && bodyBytes > 0,
              version: -1,
              etag: '',
              body: null,
              coded: { br: null, gzip: null },
              expiresAt: 0,
              headers: undefined,
              toldEtag: '',
              isRepeated: false,
              wasRepeated: false,
            }
            if (key !== null) keep(store, key, kept)
          }
          return kept
        },
        ahead(plan, now) {
          const { prepared } = plan
          if (!prepared.ahead || stands(plan as Kept, prepared.version(), now)) return null
          return prepared.ahead()
        },
        answer(plan, ifNoneMatch, now, accepted) {
          // Plans are made here alone.
          const kept = plan as Kept
          const { prepared, isToBeKept } = kept
          const version = prepared.version()
          if (stands(kept, version, now)) {
            kept.version = version
            kept.isRepeated = true
          } else {
            kept.version = version
            kept.wasRepeated = kept.isRepeated
            kept.isRepeated = false
            kept.etag = ''
            kept.body = null
            kept.coded.br = null
            kept.coded.gzip = null
            kept.expiresAt = Number.POSITIVE_INFINITY
          }
          if (ifNoneMatch !== '') {
            if (kept.etag === '' && prepared.tag) kept.etag = etagOf(prepared.tag())
            const etag = kept.etag === '' ? null : matching(ifNoneMatch, kept.etag)
            if (etag) return { etag, body: null, coding: null, isKept: told(kept) }
          }
          const { coding } = accepted
          const coded = coding && kept.coded[coding]
          if (coded) {
            const { etag, headers } = kept
            const isKept = told(kept)
            return { etag: codedTag(etag, coding), body: coded, coding, isKept, headers }
          }
          if (kept.body) return show(kept, kept.body, told(kept), isToBeKept, accepted)
          page.length = 0
          const { tag, expiresAt, headers } = prepared.write(page)
          kept.headers = headers
          const body = page.bytes.subarray(0, page.length)
          kept.etag = etagOf(tag ?? contentHash(body))
          kept.expiresAt = expiresAt ?? Number.POSITIVE_INFINITY
          // A body that is quickly made is copied only when it is asked for again and again.
          const isWanted = kept.isRepeated || kept.wasRepeated || !prepared.tag
          if (isToBeKept && isWanted) {
            makeRoom(body.length)
            kept.body = Buffer.from(body)
          }
          const isKept = told(kept)
          if (ifNoneMatch !== '') {
            const etag = matching(ifNoneMatch, kept.etag)
            if (etag) return { etag, body: null, coding: null, isKept }
          }
          return show(kept, body, isKept, isToBeKept, accepted)
        },
      }
    },
  }
}

/** Whether what was answered last is the answer still. */
const stands = (kept: Kept, version: number, now: number) =>
  now < kept.expiresAt &&
  (kept.version === version || (kept.etag !== '' && kept.prepared.stillHolds?.() === true))

/** @returns whether the same was answered last */
function told(kept: Kept): boolean {
  const isSame = kept.etag === kept.toldEtag
  kept.toldEtag = kept.etag
  return isSame
}

const contentHash = (bytes: Uint8Array) =>
  createHash('sha256').update(bytes).digest('base64url').slice(0, 22)

/** The tag of a body in a coding, by that of the plain one. */
export const codedTag = (etag: string, coding: Coding) => `${etag.slice(0, -1)}-${coding}"`

const bytesOf = ({ body, coded }: Kept) =>
  (body?.length ?? 0) + codedBytes(coded.br) + codedBytes(coded.gzip)

const codedBytes = (coded: Uint8Array | Promise<Uint8Array> | null) =>
  coded instanceof Uint8Array ? coded.length : 0

/**
 * Whether an `If-None-Match` names the tag, of any form of the body: `*`, or a list with it; a weak
 * prefix does not matter here.
 * @returns the tag of the form that the client has; null when it has another body
 */
function matching(ifNoneMatch: string, etag: string): string | null {
  if (ifNoneMatch === etag) return etag
  for (const part of ifNoneMatch.split(',')) {
    const named = part.trim().replace(/^W\//, '')
    if (named === '*' || named === etag) return etag
    if (named === codedTag(etag, 'gzip') || named === codedTag(etag, 'br')) return named
  }
  return null
}
