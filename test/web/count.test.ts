/** Counts on pages. */

import { expect, it } from 'vitest'
import { countText } from '../../api/web/count.ts'

it('one is no plural', () => {
  expect([0, 1, 2, 1_200].map((count) => countText(count, 'settled bet'))).toEqual([
    '0 settled bets',
    '1 settled bet',
    '2 settled bets',
    '1,200 settled bets',
  ])
})
