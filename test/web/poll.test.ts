/** Polled values of pages that are hidden, shown again, and begin while the service does not respond. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openPoll } from '../../api/web/client/data/poll.ts'
import { RefusedError } from '../../api/web/client/data/refused.ts'

let isHidden = false
let reads = 0
let failure: Error | null = null
let told: string[] = []
/** Until when a read waits for its answer. */
let answered: Promise<void> | null = null

beforeEach(() => {
  isHidden = false
  reads = 0
  failure = null
  told = []
  answered = null
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const open = () =>
  openPoll({
    async read() {
      reads++
      const read = reads
      await answered
      if (failure) throw failure
      return read
    },
    everyMs: 30_000,
    isHidden: () => isHidden,
    onValue: (value) => told.push(`value ${value}`),
    onFailed: (error) => told.push(error.message),
    onOld: () => told.push('old'),
  })

it('a page opened in the background reads at once when it is shown', async () => {
  isHidden = true
  const poll = open()
  await vi.advanceTimersByTimeAsync(100_000)
  expect(reads).toBe(0)
  isHidden = false
  poll.noteVisibility()
  await vi.advanceTimersByTimeAsync(0)
  expect(told).toEqual(['value 1'])
  poll.close()
})

it('a page that is shown again says that its value is old, and reads at once if it is', async () => {
  const poll = open()
  await vi.advanceTimersByTimeAsync(0)
  const turn = (to: boolean) => {
    isHidden = to
    poll.noteVisibility()
  }
  turn(true)
  await vi.advanceTimersByTimeAsync(10_000)
  turn(false)
  await vi.advanceTimersByTimeAsync(0)
  expect(told).toEqual(['value 1'])
  turn(true)
  await vi.advanceTimersByTimeAsync(100_000)
  turn(false)
  await vi.advanceTimersByTimeAsync(0)
  expect(told).toEqual(['value 1', 'old', 'value 2'])
  // Then at its pace again.
  await vi.advanceTimersByTimeAsync(30_000)
  expect(reads).toBe(3)
  poll.close()
})

it('a value is old once its next reading takes five seconds', async () => {
  const poll = open()
  await vi.advanceTimersByTimeAsync(0)
  let answer = () => {}
  answered = new Promise((resolve) => {
    answer = resolve
  })
  await vi.advanceTimersByTimeAsync(34_900)
  expect(told).toEqual(['value 1'])
  await vi.advanceTimersByTimeAsync(100)
  expect(told).toEqual(['value 1', 'old'])
  answer()
  await vi.advanceTimersByTimeAsync(0)
  expect(told).toEqual(['value 1', 'old', 'value 2'])
  poll.close()
})

it('a first read that failed is repeated soon, a later one at the pace', async () => {
  failure = new TypeError('lost')
  const poll = open()
  await vi.advanceTimersByTimeAsync(2_500)
  expect(told).toEqual(['lost', 'lost', 'lost'])
  failure = new RefusedError(503, null, 5)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(reads).toBe(4)
  failure = null
  await vi.advanceTimersByTimeAsync(3_000)
  expect(told.at(-1)).toBe('value 5')
  failure = new TypeError('lost')
  await vi.advanceTimersByTimeAsync(50_000)
  expect(reads).toBe(6)
  poll.close()
})

it('what is refused for good is not read soon, and a right that is missing never', async () => {
  failure = new RefusedError(404, { error: { code: 'not_found', message: 'gone' } }, null)
  const poll = open()
  await vi.advanceTimersByTimeAsync(29_000)
  expect(reads).toBe(1)
  failure = new RefusedError(403, { error: { code: 'tier_restricted', message: 'no' } }, null)
  await vi.advanceTimersByTimeAsync(100_000)
  expect(told).toEqual(['gone', 'no'])
  poll.close()
})

it('a read that another has overtaken, or that ends after the poll, is not told', async () => {
  const poll = open()
  poll.readNow()
  await vi.advanceTimersByTimeAsync(0)
  expect(told).toEqual(['value 2'])
  poll.readNow()
  poll.close()
  await vi.advanceTimersByTimeAsync(100_000)
  expect(told).toEqual(['value 2'])
})
