/** Which failures another try may mend, and when it is due. */

import { expect, it } from 'vitest'
import { isFinal, RefusedError, retryMs } from '../../api/web/client/data/refused.ts'

it('a lost network and a busy service are worth another try, a refusal is not', () => {
  const lost = new TypeError('Failed to fetch')
  const at = (status: number) => new RefusedError(status, null, null)
  expect([lost, at(429), at(503), at(401), at(403), at(404)].map(isFinal)).toEqual([
    ...[false, false, false],
    ...[true, true, true],
  ])
})

it('another try waits for what the service states', () => {
  const at = (seconds: number | null) => new RefusedError(429, null, seconds)
  const errors = [new TypeError('Failed to fetch'), at(null), at(1), at(30)]
  expect(errors.map((error) => retryMs(error, 2_000))).toEqual([2_000, 2_000, 2_000, 30_000])
})
