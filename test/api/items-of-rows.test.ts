import { expect, it } from 'vitest'
import { z } from 'zod'
import { itemOfRow } from '../../api/answer/items.ts'

const contract = z.object({
  id: z.string(),
  at: z.string(),
  line: z.number().nullable(),
  course: z.array(z.number()).optional(),
})

it('has the fields of the contract in its order, those of the route before those of the row', () => {
  const row = { total: 2, line: null, at: '2027-01-14 20:12:31.004', id: '310778204665018' }
  const item = itemOfRow(contract, row, { at: '2027-01-14T20:12:31.004Z' })
  expect(JSON.stringify(item)).toBe(
    '{"id":"310778204665018","at":"2027-01-14T20:12:31.004Z","line":null}',
  )
})

it('has fields that the row has under the same name in camel case', () => {
  const item = z.object({ start_time: z.string(), is_live: z.boolean(), odds_id: z.string() })
  const row = { startTime: '20:12', isLive: true, oddsId: 310778204665018 }
  expect(itemOfRow(item, row, { odds_id: String(row.oddsId) })).toEqual({
    start_time: '20:12',
    is_live: true,
    odds_id: '310778204665018',
  })
})

it('takes nothing for a field that is null in the route', () => {
  const row = { id: '310778204665018', at: '2027-01-14T20:12:31.004Z', line: -4.5 }
  expect(itemOfRow(contract, row, { line: null, course: [] })).toEqual({
    ...row,
    line: null,
    course: [],
  })
})
