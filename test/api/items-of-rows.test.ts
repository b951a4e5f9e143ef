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

it('takes nothing for a field that is null in the route', () => {
  const row = { id: '310778204665018', at: '2027-01-14T20:12:31.004Z', line: -4.5 }
  expect(itemOfRow(contract, row, { line: null, course: [] })).toEqual({
    ...row,
    line: null,
    course: [],
  })
})
