/** Walks over the pages of a list, against made-up answers. */

import { expect, it } from 'vitest'
import { createRest } from '../../api/clients/typescript/src/rest.ts'

/** Answers each request with the next page, and collects the queries. */
function walk(pages: readonly object[]) {
  const queries: string[] = []
  const rest = createRest({
    base: 'http://x/api/v1',
    key: 'k',
    retries: 0,
    timeoutMs: 30_000,
    async fetch(input) {
      queries.push(new URL(String(input)).search)
      // A walk that never ends must not hang the test.
      const page = pages[queries.length - 1] ?? { has_more: false }
      return Response.json({ data: [queries.length], pagination: page })
    },
  })
  const items = rest.items('/opportunities/arbitrage', { query: { limit: 1, offset: 0 } })
  return { queries, items }
}

it('goes by cursors before offsets, to the page that has no more', async () => {
  const { queries, items } = walk([
    { has_more: true, next_offset: 1 },
    { has_more: true, next_offset: 2, next_cursor: 'a' },
    { has_more: false, next_offset: null, next_cursor: null },
  ])
  const taken: unknown[] = []
  for await (const item of items) taken.push(item)
  expect(taken).toEqual([1, 2, 3])
  expect(queries).toEqual(['?limit=1&offset=0', '?limit=1&offset=1', '?limit=1&cursor=a'])
})

it.each([{ next_offset: null }, { next_offset: null, next_cursor: null }, {}])(
  'ends with an error where there is more than its pages reach: %j',
  async (unreachable) => {
    const { queries, items } = walk([
      { has_more: true, next_offset: 1 },
      { has_more: true, ...unreachable },
    ])
    const taken: unknown[] = []
    const taking = async () => {
      for await (const item of items) taken.push(item)
    }
    await expect(taking()).rejects.toMatchObject({
      code: 'too_many_to_page',
      status: 200,
      message: expect.stringContaining('narrow the filters'),
    })
    expect(taken).toEqual([1, 2])
    expect(queries).toHaveLength(2)
  },
)

it.each<[string, object, boolean]>([
  ['is full and has the newest of three', { limit: 1, count: 1 }, true],
  ['has more than its limit, of one time', { limit: 1, count: 2 }, true],
  ['has all three', { limit: 3, count: 3 }, false],
  ['is the last of several', { limit: 1, offset: 2, count: 1 }, false],
  ['is the last by cursor', { limit: 1, count: 1, next_cursor: null }, false],
  ['lost items while it was written', { limit: 3, count: 2 }, false],
])('a page that no other follows and that %s: %j', async (_, page, isError) => {
  const { items } = walk([{ offset: 0, total: 3, has_more: false, next_offset: null, ...page }])
  const taking = async () => {
    for await (const _ of items);
  }
  const error = await taking().catch((thrown: unknown) => thrown)
  expect(error).toEqual(isError ? expect.objectContaining({ code: 'too_many_to_page' }) : undefined)
})
