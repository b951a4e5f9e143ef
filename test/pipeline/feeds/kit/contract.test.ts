import { expect, it } from 'vitest'
import { bestAsk } from '../../../../pipeline/feeds/kit/contract.ts'

it.each([
  [
    'the lowest cost',
    [
      [0.5, 10],
      [0.4, 20],
      [0.6, 30],
    ],
    [0.4, 20],
  ],
  [
    'the sum of orders at one cost, in whole cents',
    [
      [0.4, 1.006],
      [0.4, 2.006],
    ],
    [0.4, 3.01],
  ],
  [
    'not one at which less than 1 can be staked',
    [
      [0.4, 0.99],
      [0.41, 205],
    ],
    [0.41, 205],
  ],
  [
    'several for less at one cost that add up to 1',
    [
      [0.4, 0.5],
      [0.4, 0.5],
      [0.41, 205],
    ],
    [0.4, 1],
  ],
  [
    'a size that is not stated',
    [
      [0.4, null],
      [0.41, 205],
    ],
    [0.4, null],
  ],
  ['nothing of less alone', [[0.4, 0.99]], null],
  ['nothing of no levels', [], null],
] as const)('has %s', (_, levels, best) => {
  const ask = bestAsk(levels.map(([cost, stake]) => ({ cost, stake })))
  expect(ask && [ask.cost, ask.stake]).toEqual(best)
})
