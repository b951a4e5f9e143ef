/**
 * Reads over REST. Paths, parameters and responses are typed by the service's OpenAPI document
 * (`generated/routes.ts`).
 */

import {
  isPassing,
  lostBy,
  lostConnection,
  OverroundError,
  type Refusal,
  refusalOf,
} from './errors.ts'
import type { Routes } from './generated/routes.ts'
import { queryTexts } from './query-texts.ts'

export type { Routes } from './generated/routes.ts'

export type Path = keyof Routes
export type Answer<P extends Path> = Routes[P]['answer']
export type Query<P extends Path> = Routes[P]['query']

/** Paths whose responses are pages of items. */
export type ListPath = {
  [P in Path]: Answer<P> extends { data: readonly unknown[]; pagination: { has_more: boolean } }
    ? P
    : never
}[Path]
export type Item<P extends ListPath> =
  Answer<P> extends { data: readonly (infer Each)[] } ? Each : never

/** `path` is required when the path has `{parts}`. */
export type ReadOptions<P extends Path> = {
  readonly query?: Query<P>
  readonly signal?: AbortSignal
} & (keyof Routes[P]['path'] extends never ? object : { readonly path: Routes[P]['path'] })

/** Arguments of a read. Options may be omitted if none is required. */
export type ReadArguments<P extends Path> = keyof Routes[P]['path'] extends never
  ? [options?: ReadOptions<P>]
  : [options: ReadOptions<P>]

export interface Rest {
  /**
   * Reads a path. If the response has not changed, by its `ETag`, the previous object is returned.
   * @throws OverroundError when all tries have failed
   * @throws TypeError for an empty list or text in the query
   */
  get<P extends Path>(path: P, ...options: ReadArguments<P>): Promise<Answer<P>>
  /**
   * Yields the items of all pages in order. Each page is read when its first item is needed.
   * @throws OverroundError too_many_to_page after the last page that the service leads to, if it has more
   */
  items<P extends ListPath>(path: P, ...options: ReadArguments<P>): AsyncGenerator<Item<P>, void>
  /** Reads a path in another format, such as `format=csv`, and returns the response unread. */
  raw(
    path: string,
    query?: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): Promise<Response>
}

export interface RestOptions {
  /** Base address of the service, such as `http://127.0.0.1:3000/api/v1`. */
  readonly base: string
  readonly key: string
  readonly fetch: typeof fetch
  /** Retries of a read after a failure that may pass: see `isPassing`. */
  readonly retries: number
  /** Timeout of one try, including the body when it is read here (ms). */
  readonly timeoutMs: number
}

/** Most responses cached by URL, with their ETags. */
const mostRemembered = 100
const longestWaitMs = 60_000
const firstWaitMs = 250

export function createRest({ base, key, fetch, retries, timeoutMs }: RestOptions): Rest {
  const remembered = new Map<string, { readonly tag: string; readonly body: unknown }>()

  /** @param take reads the response; a failure in it counts as a failed try */
  async function request<T>(
    url: string,
    signal: AbortSignal | undefined,
    tag: string | undefined,
    take: (response: Response) => Promise<T>,
  ): Promise<T> {
    const headers: Record<string, string> = { 'X-API-Key': key }
    if (tag !== undefined) headers['If-None-Match'] = tag
    async function attempt(): Promise<{ readonly taken: T } | Refusal> {
      signal?.throwIfAborted()
      const late = new AbortController()
      const timer = setTimeout(
        () => late.abort(new Error(`no answer in ${timeoutMs} ms`)),
        timeoutMs,
      )
      // The signal also covers a body that the caller reads later.
      const stop = signal ? AbortSignal.any([signal, late.signal]) : late.signal
      try {
        const response = await fetch(url, { headers, redirect: 'manual', signal: stop })
        if (!response.ok && response.status !== 304) return await refusalOf(response)
        return { taken: await take(response) }
      } catch (cause) {
        if (signal?.aborted) throw signal.reason
        if (cause instanceof OverroundError) throw cause
        return lostBy(cause)
      } finally {
        clearTimeout(timer)
      }
    }
    for (let tried = 0; ; tried++) {
      const outcome = await attempt()
      if ('taken' in outcome) return outcome.taken
      const waitMs = outcome.retryAfterMs ?? firstWaitMs * 2 ** tried
      if (!isPassing(outcome) || tried >= retries || waitMs > longestWaitMs)
        throw new OverroundError(outcome)
      // Spreads retries of clients that were refused together.
      await wait(waitMs * (1 + 0.25 * Math.random()), signal)
    }
  }

  function read(url: string, signal: AbortSignal | undefined): Promise<unknown> {
    const known = remembered.get(url)
    return request(url, signal, known?.tag, async (response) => {
      if (response.status === 304 && known) {
        await response.body?.cancel()
        return known.body
      }
      const body = parsed(await response.text(), response.status)
      const tag = response.headers.get('etag')
      remembered.delete(url)
      if (tag !== null) remembered.set(url, { tag, body })
      if (remembered.size > mostRemembered) remembered.delete(remembered.keys().next().value!)
      return body
    })
  }

  const get: Rest['get'] = async (path, ...[options]) =>
    read(base + addressOf(path, options), options?.signal) as Promise<never>

  return {
    get,
    async *items(path, ...[options]) {
      let query = (options?.query ?? {}) as Readonly<Record<string, unknown>>
      for (;;) {
        const page = (await get(path, { ...options, query } as never)) as Page
        yield* page.data as never[]
        const next = nextPage(page.pagination)
        if (!next) return
        const { cursor: _, offset: __, ...others } = query
        query = { ...others, ...next }
      }
    },
    raw: async (path, query = {}, signal) =>
      request(base + path + searchOf(query), signal, undefined, async (response) => response),
  }
}

/** @throws OverroundError if the text is not JSON, such as a proxy's page */
function parsed(text: string, status: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const message = `no JSON: ${text.slice(0, 200)}`
    throw new OverroundError({ ...lostConnection, status, code: 'no_json', message })
  }
}

interface Page {
  readonly data: readonly unknown[]
  readonly pagination: Pagination
}

interface Pagination {
  readonly limit: number
  readonly offset: number
  readonly count: number
  readonly total: number
  readonly has_more: boolean
  readonly next_offset?: number | null
  readonly next_cursor?: string | null
}

/**
 * Returns the parameter that asks for the page after this one; null after the last.
 * @throws OverroundError too_many_to_page if there is more, but the service leads no further
 */
function nextPage(page: Pagination) {
  const { limit, offset, count, total, next_cursor, next_offset } = page
  // The newest entries of a history fill a page that no other follows, though there are older ones.
  const isCut = next_cursor === undefined && count >= limit && offset + count < total
  if (!page.has_more && !isCut) return null
  if (typeof next_cursor === 'string') return { cursor: next_cursor }
  if (typeof next_offset === 'number') return { offset: next_offset }
  const message = 'Too many to page through: narrow the filters.'
  throw new OverroundError({ ...lostConnection, status: 200, code: 'too_many_to_page', message })
}

interface Parts {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
}

function addressOf(path: string, options: Parts | undefined): string {
  const parts = options?.path ?? {}
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parts[name] ?? ''),
  )
  return filled + searchOf(options?.query ?? {})
}

function searchOf(query: Readonly<Record<string, unknown>>): string {
  const search = queryTexts(query)
  return search.size === 0 ? '' : `?${search}`
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    if (signal?.aborted) onAbort()
    else signal?.addEventListener('abort', onAbort, { once: true })
  })
}
