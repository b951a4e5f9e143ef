import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createOutcomeGuard, isTooLong } from '../../../../pipeline/rules/odds/outcome-guard.ts'

const judgeOutcome = createOutcomeGuard()

/** Returns the prices that are too long. */
function tooLong(prices: readonly number[], isLive = false): number[] {
  const marks = new Uint8Array(prices.length).fill(7)
  const isFound = judgeOutcome(Float64Array.from(prices), prices.length, isLive, marks)
  const found = prices.filter((_, at) => marks[at] === 1)
  expect([...marks].filter((mark) => mark > 1)).toEqual([])
  expect(isFound).toBe(found.length > 0)
  return found
}

describe('the outcome guard', () => {
  it.each([
    ['a lost decimal point', [1.3, 1.32, 13.3, 1.33], [13.3]],
    ['two lost places of a long price', [9, 950, 9.5, 10], [950]],
    ['two of five', [900, 9, 950, 9.5, 10], [900, 950]],
    ['two beside two, for a price too short costs nobody money', [90, 95, 9, 9.5], [90, 95]],
    ['a longshot with two digits too many', [34, 41, 4_100], [4_100]],
    ['one beside one other', [2.4, 250], [250]],
    ['one beside one other, in any order', [900, 0, 9.5], [900]],
  ])('withholds %s', (_, prices, expected) => {
    expect(tooLong(prices)).toEqual(expected)
  })

  it.each([
    ['none', []],
    ['one price', [950]],
    ['equal prices', [2, 2, 2]],
    ['five times the others', [10, 2, 2]],
    ['a long score', [51, 60.24, 61, 101, 901]],
    ['a pair within ten times', [2, 20]],
    ['too short a price', [1.01, 9, 9.5]],
    ['prices that are not quoted', [0, 0, 3, 0]],
  ])('leaves %s', (_, prices) => {
    expect(tooLong(prices)).toEqual([])
  })

  it('allows more in play, where a score moves one before the others', () => {
    expect(tooLong([12, 2, 2])).toEqual([12])
    expect(tooLong([12, 2, 2], true)).toEqual([])
    expect(tooLong([22, 2, 2], true)).toEqual([22])
  })

  it('compares each with the middle one of the others, the longer of two', () => {
    const price = fc.oneof(fc.constant(0), fc.double({ min: 1.01, max: 1_000, noNaN: true }))
    fc.assert(
      fc.property(fc.array(price, { maxLength: 80 }), fc.boolean(), (prices, isLive) => {
        const expected = prices.filter((own, at) => {
          const others = prices.filter((other, i) => i !== at && other > 0).sort((a, b) => b - a)
          const middle = others[(others.length - 1) >> 1]
          return own > 0 && middle !== undefined && isTooLong(own, middle, others.length, isLive)
        })
        expect(tooLong(prices, isLive)).toEqual(expected)
      }),
    )
  })
})
