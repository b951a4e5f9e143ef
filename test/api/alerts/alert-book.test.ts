import { expect, it } from 'vitest'
import { deliveryRecord } from '../../../api/alerts/alert-book.ts'
import { delivery, openBookInMemory } from './book-in-memory.ts'

it('messages that wait are in their order, also from a log that has only their last rows', async () => {
  const { book, append } = openBookInMemory(() => 0)
  const rows = [
    delivery('a', { id: 'second', decidedAt: 1 }),
    delivery('a', { id: 'third', decidedAt: 1 }),
    delivery('a', { id: 'fourth', decidedAt: 2 }),
    // It was decided with the second and third, as the best, and has been tried.
    delivery('a', { id: 'first', decidedAt: 1, attempts: 3, attemptedAt: 5 }),
  ]
  await append(rows.map(deliveryRecord))
  expect(book.pending().map(({ id }) => id)).toEqual(['first', 'second', 'third', 'fourth'])
})
