import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  confidenceScore,
  evWarnings,
  freshness,
  isPossiblyStale,
  isVeryStale,
  lowHoldConfidence,
  referenceWeight,
} from '../../../../pipeline/rules/odds/confidence.ts'

const best = { bookCount: 8, ageMs: 0, isLive: false, width: 0, referenceWeight: 1 }

describe('the confidence in a +EV row', () => {
  // Computed by hand from the formula of the interface supplement 5.6.
  test.each([
    ['all of the best', best, 100],
    ['half the books', { bookCount: 4 }, 83], // 82.5
    ['one book', { bookCount: 1 }, 69], // 69.375
    ['65 s before the start, half way', { ageMs: 65_000 }, 88], // 87.5
    ['20 s live, half way', { ageMs: 20_000, isLive: true }, 88],
    ['too old', { ageMs: 3_600_000 }, 75],
    ['a width of 4 %', { width: 0.04 }, 90],
    ['a width of 8 % and of more', { width: 0.08 }, 80],
    ['a width of half the money', { width: 0.5 }, 80],
    ['a second book of the chain', { referenceWeight: 0.8 }, 96],
    ['a last book of the chain', { referenceWeight: 0.6 }, 92],
    // 35 * 6/8 + 25 + 20 * (1 - 2.21/8) + 20
    ['an example', { bookCount: 6, ageMs: 7_400, width: 0.0221 }, 86], // 85.725
    // 35 * 3/8 + 0 + 20 * (1 - 3.96/8) + 20
    ['a stale one', { bookCount: 3, ageMs: 64_200, isLive: true, width: 0.0396 }, 43], // 43.225
  ])('%s', (_, given, score) => {
    expect(confidenceScore({ ...best, ...given })).toBe(score)
  })

  test('more books than eight, a clock ahead and a negative width add nothing', () => {
    expect(confidenceScore({ ...best, bookCount: 30, ageMs: -5_000, width: -0.1 })).toBe(100)
  })
})

describe('the confidence in a low hold', () => {
  test.each([
    ['a full arbitrage', { bookCount: 12, ageMs: 1_000, isLive: false, hold: -0.02 }, 96],
    ['a hold of 2 %', { bookCount: 4, ageMs: 10_000, isLive: true, hold: 0.02 }, 74], // 73.5
    ['a wide old one', { bookCount: 2, ageMs: 30_000, isLive: true, hold: 0.09 }, 25], // 24.75
  ])('%s', (_, given, score) => {
    expect(lowHoldConfidence(given)).toBe(score)
  })
})

describe('the reference book', () => {
  test.each([
    [0, 1],
    [1, 0.8],
    [2, 0.8],
    [3, 0.6],
    [6, 0.6],
    [99, 0.6],
    [-1, 0.6],
  ])('at place %i of the chain weighs %s', (position, weight) => {
    expect(referenceWeight(position)).toBe(weight)
  })
})

describe('the age of a price', () => {
  test.each([
    [0, 1, 1],
    [10_000, 1, 1],
    [15_000, 0.75, 105 / 110],
    [20_000, 0.5, 100 / 110],
    [30_000, 0, 90 / 110],
    [65_000, 0, 0.5],
    [120_000, 0, 0],
    [600_000, 0, 0],
  ])('of %i ms leaves a freshness of %s live, %s before the start', (ageMs, live, preMatch) => {
    expect(freshness(ageMs, true)).toBeCloseTo(live, 12)
    expect(freshness(ageMs, false)).toBeCloseTo(preMatch, 12)
  })

  test.each([
    [true, 30_000, 120_000],
    [false, 120_000, 600_000],
  ])('live %s: possibly stale past %i ms, very stale past %i ms', (isLive, possibly, very) => {
    expect(isPossiblyStale(possibly, isLive)).toBe(false)
    expect(isPossiblyStale(possibly + 1, isLive)).toBe(true)
    expect(isVeryStale(very, isLive)).toBe(false)
    expect(isVeryStale(very + 1, isLive)).toBe(true)
  })
})

describe('the warnings of a +EV row', () => {
  const quiet = { ageMs: 5_000, isLive: false, sharpBookCount: 2, isOfConsensus: false }

  test.each([
    ['nothing to say', {}, []],
    ['stale live', { ageMs: 64_200, isLive: true }, ['LIVE_STALE_ODDS', 'POTENTIALLY_STALE_ODDS']],
    ['the same age before the start', { ageMs: 64_200 }, []],
    [
      'stale before the start',
      { ageMs: 121_000 },
      ['POTENTIALLY_STALE_ODDS', 'STALE_PREMATCH_ODDS'],
    ],
    ['one sharp book', { sharpBookCount: 1 }, ['SINGLE_SHARP_REF']],
    ['no sharp book, the reference being another', { sharpBookCount: 0 }, []],
    [
      'no sharp book but a consensus',
      { sharpBookCount: 0, isOfConsensus: true },
      ['CONSENSUS_REF'],
    ],
    [
      'one sharp book, stale',
      { ageMs: 121_000, sharpBookCount: 1 },
      ['POTENTIALLY_STALE_ODDS', 'SINGLE_SHARP_REF', 'STALE_PREMATCH_ODDS'],
    ],
  ])('%s', (_, given, warnings) => {
    expect(evWarnings({ ...quiet, ...given })).toEqual(warnings)
  })
})

describe('whatever the row', () => {
  const anyRow = fc.record({
    bookCount: fc.integer({ min: 1, max: 40 }),
    ageMs: fc.integer({ min: -300_000, max: 1_000_000 }),
    isLive: fc.boolean(),
    width: fc.double({ min: -0.5, max: 1, noNaN: true }),
    referenceWeight: fc.integer({ min: -1, max: 9 }).map(referenceWeight),
  })

  test('the score is a whole number from 0 to 100, and never better for anything worse', () => {
    fc.assert(
      fc.property(anyRow, fc.nat({ max: 100_000 }), (row, more) => {
        const score = confidenceScore(row)
        const notBelow = [
          { ...row, bookCount: row.bookCount - 1 },
          { ...row, ageMs: row.ageMs + more },
          { ...row, width: row.width + more / 1e6 },
          { ...row, referenceWeight: 0.6 },
          { ...row, isLive: true },
        ]
        return (
          Number.isInteger(score) &&
          score >= 0 &&
          score <= 100 &&
          notBelow.every((worse) => confidenceScore(worse) <= score)
        )
      }),
      { numRuns: 5_000 },
    )
  })

  test('a low hold scores as a +EV row of that width at a second sharp book', () => {
    fc.assert(
      fc.property(anyRow, ({ bookCount, ageMs, isLive, width }) => {
        const row = { bookCount, ageMs, isLive, width, referenceWeight: 0.8 }
        const score = lowHoldConfidence({ bookCount, ageMs, isLive, hold: width })
        return score === confidenceScore(row) && score <= 96
      }),
      { numRuns: 5_000 },
    )
  })

  test('what is very stale is possibly stale, and possibly stale is no longer fresh', () => {
    fc.assert(
      fc.property(anyRow, ({ ageMs, isLive }) => {
        const possibly = isPossiblyStale(ageMs, isLive)
        const warned = evWarnings({ ageMs, isLive, sharpBookCount: 2, isOfConsensus: false })
        return (
          (possibly || !isVeryStale(ageMs, isLive)) &&
          (!possibly || freshness(ageMs, isLive) === 0) &&
          warned.length === (possibly ? 2 : 0)
        )
      }),
      { numRuns: 5_000 },
    )
  })
})
