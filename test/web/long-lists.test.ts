/** Lists that are longer than a page of the service's. */

import { expect, it } from 'vitest'
import type { Kind, WireOf } from '../../api/web/client/data/kinds.ts'
import { readListQuery } from '../../api/web/client/data/list-query.ts'
import { readOpportunities } from '../../api/web/client/data/opportunity-list.ts'
import { firstPages, readPages } from '../../api/web/client/data/pages.ts'
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

it('reads only the first pages of a list without a stated length, and says whether that is all', async () => {
  const read = async (length: number, mostPages: number) => {
    const cursors: string[] = []
    const { items: found, isAll } = await firstPages(async (cursor) => {
      cursors.push(cursor)
      const end = 2 * cursors.length
      const pagination = { has_more: end < length, next_cursor: `to ${end}` }
      return { data: items(length).slice(end - 2, end), pagination } as unknown as Page<string>
    }, mostPages)
    return { cursors, count: found.length, isAll }
  }
  expect(await read(0, 3)).toEqual({ cursors: [''], count: 0, isAll: true })
  const all = ['', '&cursor=to%202', '&cursor=to%204']
  expect(await read(6, 3)).toEqual({ cursors: all, count: 6, isAll: true })
  expect(await read(7, 3)).toEqual({ cursors: all, count: 6, isAll: false })
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

it('an empty list has the bounds that the service applied', async () => {
  const query = { ...readListQuery(new URLSearchParams('kind=arbitrage')), books: [] }
  const meta = { filters: { sport: ['nba'], min_profit: 0.5, live: true, team: null } }
  const read = await readOpportunities({ ...query, hidden: new Set() }, async () => {
    return { data: [], pagination: { has_more: false }, meta } as Page<WireOf[Kind]>
  })
  expect(read.bounds).toEqual([['min_profit', 0.5]])
})
