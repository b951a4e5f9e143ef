import { expect, it } from 'vitest'
import { deliveryRecord, type NewAlert } from '../../../api/alerts/alert-book.ts'
import { accountId, delivery, openBookInMemory } from './book-in-memory.ts'

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

const rule: NewAlert = {
  ...{ type: 'source', name: 'Books', query: '', improvement: 1, perHour: 60, quiet: null },
  target: { type: 'browser', url: 'browser:', secret: null, chatId: null },
}

/** Returns whether it has ended, once all that can run now has run. */
async function hasEnded(work: Promise<unknown>): Promise<boolean> {
  let isOver = false
  work.then(() => {
    isOver = true
  })
  await new Promise(setImmediate)
  return isOver
}

it('waits for nothing to be read back when following has ended', async () => {
  const { book } = openBookInMemory(() => 0)
  const alert = await book.add(accountId, rule, 1)
  const pausing = book.pauseUnchanged(alert, 'It is gone.', async () => {})
  const settling = book.whenNotPending(delivery(alert.id), 10_000)
  const both = Promise.all([pausing, settling])
  expect(await hasEnded(both)).toBe(false)
  for (const view of book.views) view.ended?.()
  expect(await hasEnded(both)).toBe(true)
  expect(await hasEnded(book.whenNotPending(delivery(alert.id), 10_000))).toBe(true)
})
