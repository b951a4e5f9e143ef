/** What a correction of a bet sends. */

import { expect, it, test } from 'vitest'
import { type Corrected, correctionOf } from '../../api/web/client/data/bet-correction.ts'

const before = {
  ...{ odds_decimal: 1.909_090_909, stake: 50, free_bet: false, sportsbook: 'fanduel' },
  placed_at: '2026-11-20T12:00:30.000Z',
}
const at = Date.parse(before.placed_at)
const left: Corrected = {
  ...{ price: before.odds_decimal, stake: 50, isFree: false, sportsbook: 'fanduel', at },
}

test.each<[Partial<Corrected>, object]>([
  [{ price: 1.91 }, { odds_decimal: 1.91 }],
  [{ stake: 40 }, { stake: 40 }],
  [{ isFree: true }, { free_bet: true }],
  [{ sportsbook: 'betmgm' }, { sportsbook: 'betmgm' }],
  [{ at: at + 60_000 }, { placed_at: '2026-11-20T12:01:30.000Z' }],
  [
    { price: 2, stake: 40 },
    { odds_decimal: 2, stake: 40 },
  ],
  [{}, {}],
])('of %j is %j alone', (changed, sent) => {
  expect(correctionOf(before, { ...left, ...changed })).toEqual(sent)
})

it('of different fields by two readers has all of them, in either order', () => {
  const [one, other] = [{ price: 2 }, { stake: 40, isFree: true }].map((changed) =>
    correctionOf(before, { ...left, ...changed }),
  )
  const both = { ...before, odds_decimal: 2, stake: 40, free_bet: true }
  expect([
    { ...before, ...one, ...other },
    { ...before, ...other, ...one },
  ]).toEqual([both, both])
})
