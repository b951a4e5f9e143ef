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

/** Creates calls by `get`, and remembers when the last response had arrived (epoch ms). */
export function createAsk(get: GetJson): { readonly ask: Ask; readonly receivedAt: () => number } {
  let receivedAt = 0
  return {
    async ask(url, schema, options) {
      const answer = await get(url, options)
      receivedAt = answer.receivedAt
      const read = schema.safeParse(answer.body)
      if (read.success) return read.data
      throw new FetchError('malformed', `${new URL(url).pathname}: ${issueOf(read.error)}`)
    },
    receivedAt: () => receivedAt,
  }
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
