import { expect, it } from 'vitest'
import { dataCheck } from '../../api/routes/health.ts'

const hour = 3_600_000
const check = (ageMs: number, ...states: Parameters<typeof dataCheck>[1]) =>
  dataCheck({ live: { rows: { size: 1 }, updatedAt: hour } }, states, hour + ageMs)

it('is down when no price counts any more, whatever the sources say, and tells of both', () => {
  const old = 'The newest price is 10800 s old: none counts any more.'
  expect(check(3 * hour)).toEqual({ status: 'down', message: old })
  const message = `${old} Live sources do not answer.`
  expect(check(3 * hour, 'down', 'up')).toEqual({ status: 'down', message })
  expect(check(3 * hour, 'paused')).toEqual({ status: 'down', message: old })
})

it('is degraded while sources fail or prices in play are too old', () => {
  expect(check(1_000, 'down')).toEqual({
    status: 'degraded',
    message: 'Live sources do not answer.',
  })
  expect(check(100_000, 'needs_key')).toEqual({
    status: 'degraded',
    message:
      'The newest price is 100 s old: no price of a live game counts any more. Live sources do not answer.',
  })
  expect(check(1_000, 'up', 'paused')).toEqual({ status: 'ok', message: 'Prices are fresh.' })
})
