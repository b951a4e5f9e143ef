/**
 * Responses of reads from the views. Each query is checked and planned once. Its body is cached until the
 * data behind it changes. Where possible its tag is computed without the body. Each route and tier has its
 * own store, so a response for one tier cannot reach another.
 *
 * A body is compressed once for each coding and cached in that form. Each form has its own strong tag, and a
 * client may revalidate with either.
 */

import { createHash } from 'node:crypto'
import { createPageBuffer } from '../../pipeline/text/page-buffer.ts'
import type { Prepared } from '../route.ts'
import type { Accepted, Coding } from './codings.ts'
import { type Compressor, leastCompressedBytes } from './compressor.ts'

export interface ReadAnswer {
  /** `"<tier>-<hash>"`, including the quotes; for a compressed body `"<tier>-<hash>-<coding>"`. */
  readonly etag: string
  /**
   * Null if the client's copy is still valid. Plain bytes are valid until the next read; a promise resolves
   * to compressed bytes.
   */
  readonly body: Uint8Array | Promise<Uint8Array> | null
  /** Coding of the body; null for the plain form. */
  readonly coding: Coding | null
  /**
   * Whether the last response to the same query was the same. It does not say whether the body was cached:
   * that would reveal changes the tier does not see.
   */
  readonly isKept: boolean
  /** Headers of a response that is not JSON. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface ReadStore {
  /**
   * Returns the plan of a query, made on first use.
   * @param key text of the query as the client wrote it; null: do not cache
   */
  plan(key: string | null, prepare: () => Prepared): Plan
  /** Returns work to do before the response (see `Prepared.ahead`), or null if there is none. */
  ahead(plan: Plan, now: number): Iterator<void> | null
  /** @param ifNoneMatch text of the header; empty for none */
  answer(plan: Plan, ifNoneMatch: string, now: number, accepted: Accepted): ReadAnswer
}

/** A planned query. */
export interface Plan {
  readonly prepared: Prepared
}

export interface Reads {
  /** Opens the store of one route and tier. */
  openStore(tier: string): ReadStore
}

interface Kept extends Plan {
  readonly isToBeKept: boolean
  version: number
  etag: string
  body: Buffer | null
  /** The compressed bodies, by coding; null if not cached. */
  readonly coded: Record<Coding, Uint8Array | Promise<Uint8Array> | null>
  expiresAt: number
  headers: Readonly<Record<string, string>> | undefined
  /** Tag of the last response. */
  sentEtag: string
  /** Whether this version, and the one before, was requested more than once. */
  isRepeated: boolean
  wasRepeated: boolean
}

interface Generations {
  young: Map<string, Kept>
  old: Map<string, Kept>
}

/** Most plans of one generation. Beyond that the older generation is dropped. */
const maxPlans = 4_000

export interface ReadsOptions {
  /** Most memory for bodies, plain and compressed, in bytes; 0 caches plans only. */
  readonly bodyBytes: number
  readonly compressor: Compressor
}

export function createReads({ bodyBytes, compressor }: ReadsOptions): Reads {
  const stores: Generations[] = []
  // All bodies share one buffer, because a response is sent before the next request is handled.
  const page = createPageBuffer()
  let youngBytes = 0
  let youngPlans = 0

  /** Drops everything not requested since the last turn. */
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

  /** Returns the response, compressed if the client accepts a coding and it is worthwhile. */
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
    // The next read overwrites the page, so the bytes are copied unless they are cached already.
    const bytes = kept.body ?? Buffer.from(body)
    const making = compressor.compress(coding, bytes, isNeeded)
    if (!making || !isToBeKept) return making
    const { coded } = kept
    // Requests that arrive meanwhile wait for the same promise.
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
              sentEtag: '',
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
          // Only `plan` creates plans.
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
            if (etag) return { etag, body: null, coding: null, isKept: recordSent(kept) }
          }
          const { coding } = accepted
          const coded = coding && kept.coded[coding]
          if (coded) {
            const { etag, headers } = kept
            const isKept = recordSent(kept)
            return { etag: codedTag(etag, coding), body: coded, coding, isKept, headers }
          }
          if (kept.body) return show(kept, kept.body, recordSent(kept), isToBeKept, accepted)
          page.length = 0
          const { tag, expiresAt, headers } = prepared.write(page)
          kept.headers = headers
          const body = page.bytes.subarray(0, page.length)
          kept.etag = etagOf(tag ?? contentHash(body))
          kept.expiresAt = expiresAt ?? Number.POSITIVE_INFINITY
          // A body that is cheap to write is cached only if it is requested repeatedly.
          const isWanted = kept.isRepeated || kept.wasRepeated || !prepared.tag
          if (isToBeKept && isWanted) {
            makeRoom(body.length)
            kept.body = Buffer.from(body)
          }
          const isKept = recordSent(kept)
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

/** Returns whether the last response is still valid. */
const stands = (kept: Kept, version: number, now: number) =>
  now < kept.expiresAt &&
  (kept.version === version || (kept.etag !== '' && kept.prepared.stillHolds?.() === true))

/** Records the tag of this response. @returns whether the last response had the same one */
function recordSent(kept: Kept): boolean {
  const isSame = kept.etag === kept.sentEtag
  kept.sentEtag = kept.etag
  return isSame
}

const contentHash = (bytes: Uint8Array) =>
  createHash('sha256').update(bytes).digest('base64url').slice(0, 22)

/** Returns the tag of a compressed body from the tag of the plain one. */
export const codedTag = (etag: string, coding: Coding) => `${etag.slice(0, -1)}-${coding}"`

const bytesOf = ({ body, coded }: Kept) =>
  (body?.length ?? 0) + codedBytes(coded.br) + codedBytes(coded.gzip)

const codedBytes = (coded: Uint8Array | Promise<Uint8Array> | null) =>
  coded instanceof Uint8Array ? coded.length : 0

/**
 * Returns whether `If-None-Match` has the tag of any form of the body: `*`, or a list that contains it. A
 * weak prefix is ignored.
 * @returns the tag of the client's form; null if the client has another body
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
