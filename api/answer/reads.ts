/**
 * Answers to reads of the views. Each query is checked and planned once, and its body is kept until
 * what it shows changes. Where possible its tag is worked out without the body. Each route and tier has
 * a store of its own, so that an answer for one tier cannot reach another.
 */

import { createHash } from 'node:crypto'
import { createPageBuffer } from '../../pipeline/text/page-buffer.ts'
import type { Prepared } from '../routes/route.ts'

export interface ReadAnswer {
  /** `"<tier>-<hash>"`, quotes included. */
  readonly etag: string
  /** Null: the client's copy still stands. Else valid until the next read. */
  readonly body: Uint8Array | null
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
   * @param key what the query said, in the client's own spelling; null: not to be kept
   * @param ifNoneMatch the header's text; empty for none
   */
  answer(key: string | null, prepare: () => Prepared, ifNoneMatch: string, now: number): ReadAnswer
}

export interface Reads {
  /** A store of its own for one route and tier. */
  openStore(tier: string): ReadStore
}

interface Kept {
  readonly prepared: Prepared
  version: number
  etag: string
  body: Buffer | null
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

/** @param options.bodyBytes most memory for bodies; 0 keeps plans only */
export function createReads({ bodyBytes }: { readonly bodyBytes: number }): Reads {
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
    youngBytes += kept.body?.length ?? 0
    store.young.set(key, kept)
  }

  function keepBody(kept: Kept, body: Buffer) {
    youngBytes += body.length
    if (2 * youngBytes > bodyBytes) turn()
    kept.body = body
  }

  return {
    openStore(tier) {
      const store: Generations = { young: new Map(), old: new Map() }
      stores.push(store)
      const etagOf = (tag: string) => `"${tier}-${tag}"`
      return {
        answer(key, prepare, ifNoneMatch, now) {
          let kept = key === null ? undefined : find(store, key)
          if (!kept) {
            kept = {
              prepared: prepare(),
              version: -1,
              etag: '',
              body: null,
              expiresAt: 0,
              headers: undefined,
              toldEtag: '',
              isRepeated: false,
              wasRepeated: false,
            }
            if (key !== null) keep(store, key, kept)
          }
          const { prepared } = kept
          const version = prepared.version()
          const stands =
            now < kept.expiresAt &&
            (kept.version === version || (kept.etag !== '' && prepared.stillHolds?.() === true))
          if (stands) {
            kept.version = version
            kept.isRepeated = true
          } else {
            kept.version = version
            kept.wasRepeated = kept.isRepeated
            kept.isRepeated = false
            kept.etag = ''
            kept.body = null
            kept.expiresAt = Number.POSITIVE_INFINITY
          }
          if (ifNoneMatch !== '') {
            if (kept.etag === '' && prepared.tag) kept.etag = etagOf(prepared.tag())
            if (kept.etag !== '' && isMatch(ifNoneMatch, kept.etag)) {
              return { etag: kept.etag, body: null, isKept: told(kept) }
            }
          }
          if (kept.body) {
            return { etag: kept.etag, body: kept.body, isKept: told(kept), headers: kept.headers }
          }
          page.length = 0
          const { tag, expiresAt, headers } = prepared.write(page)
          kept.headers = headers
          const body = page.bytes.subarray(0, page.length)
          kept.etag = etagOf(tag ?? contentHash(body))
          kept.expiresAt = expiresAt ?? Number.POSITIVE_INFINITY
          // A body that is quickly made is copied only when it is asked for again and again.
          const isWanted = kept.isRepeated || kept.wasRepeated || !prepared.tag
          if (key !== null && bodyBytes > 0 && isWanted) keepBody(kept, Buffer.from(body))
          const isKept = told(kept)
          if (ifNoneMatch !== '' && isMatch(ifNoneMatch, kept.etag)) {
            return { etag: kept.etag, body: null, isKept }
          }
          return { etag: kept.etag, body, isKept, headers }
        },
      }
    },
  }
}

/** @returns whether the same was answered last */
function told(kept: Kept): boolean {
  const isSame = kept.etag === kept.toldEtag
  kept.toldEtag = kept.etag
  return isSame
}

const contentHash = (bytes: Uint8Array) =>
  createHash('sha256').update(bytes).digest('base64url').slice(0, 22)

/** Whether an `If-None-Match` names the tag: `*`, or a list with it; a weak prefix does not matter here. */
function isMatch(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag) return true
  return ifNoneMatch.split(',').some((part) => {
    const named = part.trim()
    return named === '*' || named === etag || named === `W/${etag}`
  })
}
