import { expect, it } from 'vitest'
import { shortAnswer } from '../../api/mcp/short-answer.ts'

const ids = Array.from({ length: 200 }, (_, i) => `id-${i}`)
const body = { success: true, data: [{ id: 'a' }, { id: 'b' }], removed: ids, others: ids }

it('shortens lists beside the items and reports it, except those that must be whole', () => {
  const shape = { items: ['data'], whole: ['removed'] }
  const { text } = shortAnswer(body, shape, { bytes: 100_000, skip: 0 }, () => null)
  expect(JSON.parse(text)).toEqual({
    data: [{ id: 'a' }, { id: 'b' }],
    removed: ids,
    others: ids.slice(0, 50),
    others_left_out: 150,
  })
})

it('shows at least one item, so that paging goes on', () => {
  const more = (next: number, left: number) => ({ offset: next, left })
  const shape = { items: ['data'], whole: ['removed'] }
  const answer = shortAnswer(body, shape, { bytes: 100, skip: 0 }, more)
  expect(answer.shown).toBe(1)
  expect(JSON.parse(answer.text)).toMatchObject({ removed: ids, more: { offset: 1, left: 1 } })
})
