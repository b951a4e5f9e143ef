/** Lists that are longer than a page of the service's. */

import { expect, it } from 'vitest'
import type { Kind, WireOf } from '../../api/web/client/data/kinds.ts'
import { readListQuery } from '../../api/web/client/data/list-query.ts'
import { readOpportunities } from '../../api/web/client/data/opportunity-list.ts'
import { readPages } from '../../api/web/client/data/pages.ts'
import type { Page } from '../../api/web/wire.ts'

const items = (count: number) => Array.from({ length: count }, (_, i) => `item ${i}`)

/** Reads pages of 200 of a list, which `grow` may change between them. */
async function pagesOf(list: string[], most?: number, grow = () => {}) {
  const offsets: number[] = []
  const { items: read, total } = await readPages(
    async (offset) => {
      offsets.push(offset)
      const page = { items: list.slice(offset, offset + 200), total: list.length }
      grow()
      return page
    },
    (item) => item,
    most,
  )
  return { offsets, read, total }
}

it('reads a list to its end', async () => {
  for (const count of [0, 1, 200, 201, 600]) {
    const list = items(count)
    expect(await pagesOf(list)).toMatchObject({ read: list, total: count })
  }
  expect((await pagesOf(items(400))).offsets).toEqual([0, 200])
})

it('reads as many pages as are wanted, with the length of the whole list', async () => {
  const { offsets, read, total } = await pagesOf(items(1_000), 400)
  expect([offsets, read.length, total]).toEqual([[0, 200], 400, 1_000])
})

it('lists an item once that moves to the next page while they are read', async () => {
  const list = items(300)
  const { read } = await pagesOf(list, undefined, () => list.unshift(`new ${list.length}`))
  expect(new Set(read).size).toBe(read.length)
  expect(read).toEqual(expect.arrayContaining(items(300)))
})

it('opportunities say that there are more, after hidden leagues too', async () => {
  const query = { ...readListQuery(new URLSearchParams('kind=ev')), limit: 2, books: [] }
  const leagues = ['nba', 'nba', 'nfl', 'nba', 'nfl', 'nfl']
  const asked: (string | null)[] = []
  const read = (hidden: string) =>
    readOpportunities({ ...query, hidden: new Set([hidden]) }, async (path) => {
      const offset = Number(new URLSearchParams(path.split('?')[1]).get('offset') ?? 0)
      asked.push(path)
      const data = leagues.slice(offset, offset + 2).map((league) => ({ league, warnings: [] }))
      const pagination = { has_more: offset + 2 < leagues.length, total: leagues.length }
      return { data, pagination, meta: {} } as unknown as Page<WireOf[Kind]>
    })
  expect(await read('none')).toMatchObject({ opportunities: [{}, {}], hasMore: true })
  expect(asked).toEqual(['/opportunities/ev?limit=2&sort=-ev'])
  expect(await read('nba')).toMatchObject({ opportunities: [{}, {}, {}], hasMore: false })
})
