/** Calls to a source: for one response of a known shape, or for a list that comes page by page. */

import type { z } from 'zod'
import { FetchError, type GetJson, type RequestOptions } from './http-source.ts'
import { issueOf } from './payload-issue.ts'

/** @throws FetchError `malformed` for a response of another shape */
export type Ask = <Body>(
  url: string,
  schema: z.ZodType<Body>,
  options?: RequestOptions,
) => Promise<Body>

/** Calls whose responses together are one reading. */
export interface Asking {
  /** Asks for prices. */
  readonly ask: Ask
  /** Asks for what has no prices, such as a list of events: its age is not that of the prices. */
  readonly askList: Ask
  /** Returns when the first response with prices had arrived, else the last response (epoch ms). */
  readonly receivedAt: () => number
}

/**
 * Creates calls by `get`. A reading is as old as the first of its prices: a source may let us wait between two pages
 * for a minute.
 */
export function createAsk(get: GetJson): Asking {
  let pricesAt: number | null = null
  let lastAt = 0
  const askTimed =
    (hasPrices: boolean): Ask =>
    async (url, schema, options) => {
      const { body, receivedAt } = await get(url, options)
      lastAt = receivedAt
      if (hasPrices) pricesAt = Math.min(pricesAt ?? receivedAt, receivedAt)
      const read = schema.safeParse(body)
      if (read.success) return read.data
      throw new FetchError('malformed', `${new URL(url).pathname}: ${issueOf(read.error)}`)
    }
  return { ask: askTimed(true), askList: askTimed(false), receivedAt: () => pricesAt ?? lastAt }
}

/** The most pages of a list; one that never ends is invalid. */
const mostPages = 50

/**
 * Returns all pages of a list, in order.
 * @param ask requests the page from a position; from null, the first
 * @param nextOf returns where the page after the last of these begins; null at the end
 * @throws FetchError `malformed` for a list that does not end
 */
export async function readPages<Page, From>(
  what: string,
  ask: (from: From | null) => Promise<Page>,
  nextOf: (last: Page, pages: readonly Page[]) => From | null,
): Promise<Page[]> {
  const pages: Page[] = []
  for (let from: From | null = null; pages.length < mostPages; ) {
    const page = await ask(from)
    pages.push(page)
    from = nextOf(page, pages)
    if (from === null) return pages
  }
  throw new FetchError('malformed', `${what}: more than ${mostPages} pages`)
}

/** Splits items into groups that one request can name. */
export const inGroups = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )
