import { beforeEach, expect, it } from 'vitest'
import { createSendsByHand } from '../../../api/alerts/sends-by-hand.ts'
import { delivery, openBookInMemory } from './book-in-memory.ts'

const hourMs = 3_600_000
let now: number
const clock = () => now
let memory: ReturnType<typeof openBookInMemory>
beforeEach(() => {
  now = 10 * hourMs
  memory = openBookInMemory(clock)
})

let count = 0
const next = () => `${count++}`

const testOf = (alertId: string) =>
  delivery(alertId, {
    ...{ id: next(), revision: next(), type: 'test', decidedAt: now, isRetried: false },
  })
/** The same message sent again. */
const again = (alertId: string) =>
  delivery(alertId, {
    ...{ id: 'told', revision: next(), isRetried: false, deliveredAt: 1, attemptedAt: 1 },
  })

/** Returns how many of 100 are let through before any of them is written. */
function letThrough(rowOf: () => ReturnType<typeof delivery>, byHand = byHandHere()): number {
  let through = 0
  for (let i = 0; i < 100; i++) {
    try {
      byHand.count(rowOf())
      through++
    } catch (error) {
      expect(error).toMatchObject({ code: 'rate_limited', details: { retryAfter: 3_600 } })
    }
  }
  return through
}

const byHandHere = () => createSendsByHand(memory.book, clock)

it('bounds those that come at once, for each alert, and again after an hour', () => {
  const byHand = byHandHere()
  expect(letThrough(() => testOf('a'), byHand)).toBe(10)
  expect(letThrough(() => again('a'), byHand)).toBe(60)
  expect(letThrough(() => testOf('b'), byHand)).toBe(10)
  now += hourMs
  expect(letThrough(() => testOf('a'), byHand)).toBe(10)
  expect(letThrough(() => again('a'), byHand)).toBe(60)
})

it('counts those of other processes by their deliveries, and its own once', async () => {
  const byHand = byHandHere()
  for (let i = 0; i < 4; i++) {
    const row = testOf('a')
    byHand.count(row)
    await memory.book.addDelivery(row)
  }
  // Its attempts may be those of the service, so it counts once.
  const sentAgain = { ...again('b'), state: 'delivered' as const, attemptedAt: now, attempts: 9 }
  await memory.book.addDelivery(sentAgain)
  // What is retried until it arrives was not sent by hand.
  await memory.book.addDelivery(delivery('b', { id: 'other', attemptedAt: now, isRetried: true }))
  expect(letThrough(() => testOf('a'), byHand)).toBe(6)
  expect(letThrough(() => testOf('a'))).toBe(6)
  expect(letThrough(() => again('b'))).toBe(59)
})

it('counts none that was taken back', () => {
  const byHand = byHandHere()
  for (let i = 0; i < 20; i++) byHand.count(testOf('a'))()
  expect(letThrough(() => testOf('a'), byHand)).toBe(10)
})
