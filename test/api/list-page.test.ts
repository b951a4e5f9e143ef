import { expect, it } from 'vitest'
import { datedList } from '../../api/answer/list-page.ts'

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
