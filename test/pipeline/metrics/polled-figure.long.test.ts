import { expect, it } from 'vitest'
import { createPolledFigure } from '../../../pipeline/metrics/polled-figure.ts'

it('a look gets the current figure, and a scrape the last one without waiting', async () => {
  let now = 0
  let waiting = 3
  const figure = createPolledFigure(
    async () => waiting,
    () => now,
  )
  expect(figure.last()).toBe(null)
  expect(await figure.now()).toBe(3)
  now = 67_000
  waiting = 16
  expect(await figure.now()).toBe(16)
  expect(figure.last()).toBe(16)
})

it('looks within a second share a response, and waiting ones a query', async () => {
  let now = 0
  let askedCount = 0
  const figure = createPolledFigure(
    async () => ++askedCount,
    () => now,
  )
  expect(await Promise.all([figure.now(), figure.now()])).toEqual([1, 1])
  now = 999
  expect(await figure.now()).toBe(1)
  now = 1_000
  expect(await figure.now()).toBe(2)
})

it('a look gets unknown if there is no response, or none in time', async () => {
  let answer: Promise<number> = Promise.reject(new Error('away'))
  let now = 0
  const figure = createPolledFigure(
    () => answer,
    () => now,
  )
  expect(await figure.now()).toBe(null)
  now = 1_000
  answer = Promise.resolve(1)
  expect(await figure.now()).toBe(1)
  now = 2_000
  answer = new Promise(() => {})
  const since = performance.now()
  expect(await figure.now()).toBe(null)
  expect(performance.now() - since).toBeLessThan(5_000)
})

it('a scrape gets unknown once a query has hung for ten seconds, and not the last response', async () => {
  let now = 0
  let answer = (_: number) => {}
  const figure = createPolledFigure(
    () =>
      new Promise<number>((resolve) => {
        answer = resolve
      }),
    () => now,
  )
  const answered = async (number: number) => {
    answer(number)
    await new Promise(setImmediate)
  }
  figure.last()
  await answered(3)
  // With a minute between scrapes, the last response is always old.
  now = 60_000
  expect(figure.last()).toBe(3)
  now = 69_999
  expect(figure.last()).toBe(3)
  now = 70_000
  expect(figure.last()).toBe(null)
  await answered(4)
  expect(figure.last()).toBe(4)
})
