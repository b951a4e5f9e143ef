/** The hint beside stakes that lose. */

import { expect, it } from 'vitest'
import { losesByRounding } from '../../api/web/client/data/stakes.ts'
import { equalStakes } from '../../pipeline/rules/odds/stakes.ts'

const legs = (...nets: readonly number[]) => nets.map((net) => ({ net, maxBet: null }))

it('names the rounding only where it makes a sure profit a loss', () => {
  const sure = legs(2.1, 2.1)
  // The first stake comes back, and the second is lost.
  const tie = equalStakes(sure, 100, 1, [[0, -1]])
  expect(tie.worst).toBeLessThan(0)
  expect(losesByRounding(sure, tie)).toBe(false)
  const close = legs(1.62, 2.65)
  const rounded = equalStakes(close, 3, 1)
  expect(rounded.worst).toBeLessThan(0)
  expect(losesByRounding(close, rounded)).toBe(true)
  const none = legs(1.9, 1.9)
  expect(losesByRounding(none, equalStakes(none, 100, 1))).toBe(false)
})
