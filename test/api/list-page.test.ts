import { expect, it } from 'vitest'
import { keepTail, listHead, listTail } from '../../api/answer/json.ts'
import { datedList, paginationOf } from '../../api/answer/list-page.ts'
import { createPageBuffer } from '../../pipeline/text/page-buffer.ts'

const page = { limit: 1, offset: 1 }
const show = ({ id }: { readonly id: string }) => ({ id })
const changedAt = (id: string, text: string) => ({ id, updatedAt: Date.parse(text) })

it('dates a list by its newest row, whichever page that is on', () => {
  const rows = [
    changedAt('a', '2026-11-20T12:00:00.500Z'),
    changedAt('b', '2026-11-20T12:00:00.123Z'),
  ]
  const { data, updated_at, meta } = JSON.parse(datedList(rows, page, show, { most: 2 }))
  expect(data).toEqual([{ id: 'b' }])
  expect(updated_at).toBe('2026-11-20T12:00:00.500Z')
  expect(meta).toMatchObject({ filters: {}, most: 2, updated_at, total: 2 })
})

it('has no date for a list without rows, and the filters that it is given', () => {
  const filters = { league: ['nba'] }
  const { updated_at, meta } = JSON.parse(datedList([], page, show, { filters }))
  expect(updated_at).toBeNull()
  expect(meta.filters).toEqual(filters)
})

it('ends in the same text when that is kept for another time', () => {
  const pagination = paginationOf(page, 1, 5)
  const ready = '"filters":{"q":"Łódź"},'
  const list = { pagination, updatedAt: 0, ready, meta: { most: 2 }, beside: { overflow: true } }
  const append = keepTail(list)
  for (const updatedAt of [0, Date.parse('2026-11-20T12:00:00.500Z'), Date.parse('2026-11-20')]) {
    const buffer = createPageBuffer()
    append(buffer, updatedAt)
    const tail = buffer.bytes.toString('utf8', 0, buffer.length)
    expect(tail).toBe(listTail({ ...list, updatedAt }))
    const { meta, updated_at } = JSON.parse(listHead + tail)
    expect([meta.updated_at, meta.updated]).toEqual([updated_at, updated_at])
    expect(updated_at).toBe(updatedAt === 0 ? null : new Date(updatedAt).toISOString())
  }
})
