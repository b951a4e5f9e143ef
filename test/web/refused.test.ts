/** Which failures another try may mend, and when it is due. */

import { expect, it } from 'vitest'
import {
  isFinal,
  isRefusedWith,
  RefusedError,
  retryMs,
  secondsIn,
} from '../../api/web/client/data/refused.ts'

it('a lost network and a busy service are worth another try, a refusal is not', () => {
  const lost = new TypeError('Failed to fetch')
  const at = (status: number) => new RefusedError(status, { error: { code: 'a_code' } }, null)
  expect([lost, at(429), at(503), at(401), at(403), at(404)].map(isFinal)).toEqual([
    ...[false, false, false],
    ...[true, true, true],
  ])
})

it('a page of a proxy is no refusal of the service, whatever its status', () => {
  const pages = [null, 'Not found', { error: 'Not found' }, { error: { type: 'about:blank' } }]
  for (const status of [401, 403, 404, 501, 522]) {
    for (const body of pages) {
      const error = new RefusedError(status, body, null)
      expect([isFinal(error), error.isOfKey, isRefusedWith(error, status)]).toEqual([
        ...[false, false, false],
      ])
    }
  }
})

it('a key is forgotten if the service does not know it, not for a right that it lacks', () => {
  const by = (status: number, code: string) => new RefusedError(status, { error: { code } }, null)
  const keys = ['missing', 'invalid', 'expired', 'disabled'].map((word) => `${word}_api_key`)
  expect(keys.map((code) => by(401, code).isOfKey)).toEqual([true, true, true, true])
  expect(by(403, 'tier_restricted').isOfKey).toBe(false)
  expect(isRefusedWith(by(403, 'tier_restricted'), 401, 403)).toBe(true)
  expect(isRefusedWith(by(404, 'not_found'), 401, 403)).toBe(false)
})

it('another try waits for what the service states', () => {
  const at = (seconds: number | null) => new RefusedError(429, null, seconds)
  const errors = [new TypeError('Failed to fetch'), at(null), at(1), at(30)]
  expect(errors.map((error) => retryMs(error, 2_000))).toEqual([2_000, 2_000, 2_000, 30_000])
})

it('Retry-After is read in seconds, a date as none', () => {
  const headers = ['30', '0', 'Fri, 27 Nov 2026 19:00:00 GMT', '', null]
  expect(headers.map(secondsIn)).toEqual([30, 0, null, null, null])
})
