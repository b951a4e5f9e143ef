/**
 * The seed of a test run. Everything random in tests follows from it: cases of properties, made-up prices, times of
 * kills. It is the first of `seeds.json`, so a run depends on the change under test alone; `npm run test:soak` sets
 * others.
 */

import seeds from './seeds.json' with { type: 'json' }

const given = process.env.OVERROUND_TEST_SEED

export const testSeed: number = given === undefined ? seeds[0]! : Number(given)
if (!Number.isSafeInteger(testSeed) || testSeed < 1) {
  throw new Error(`OVERROUND_TEST_SEED must be a whole number above 0, not ${given}`)
}

/** Returns the cases of a slow property: a third in CI's one round, all in each round of the soak. */
export const costlyRuns = (all: number) => (given === undefined ? Math.ceil(all / 3) : all)
