import { describe, expect, it } from 'vitest'
import { consensusOf, fairMarket } from '../../../../pipeline/rules/odds/fair-market.ts'

describe('the consensus', () => {
  // Without margins each probability is one divided by the price.
  const three = [
    [2, 4, 4],
    [2.5, 2.5, 5],
    [4, 2, 4],
  ]
  const market = (prices: readonly number[]) => ({
    probabilities: prices.map((price) => 1 / price),
    overround: prices.length / 100,
  })

  it('of three is the median of each outcome, scaled to sum to 1', () => {
    // The medians are 0.4, 0.4 and 0.25: 8, 8 and 5 of 21 parts.
    const { probabilities, overround } = consensusOf(three.map(market))
    const parts = probabilities.map((probability) => 21 * probability)
    for (const [at, part] of [8, 8, 5].entries()) expect(parts[at]).toBeCloseTo(part, 12)
    expect(overround).toBeCloseTo(0.03, 12)
    expect(fairMarket(three.flat(), 3, null)!.probabilities[2]).toBeCloseTo(5 / 21, 9)
  })

  it('of four lies half way between the two in the middle', () => {
    // Medians of 0.25, 0.4, 0.5, 0.8 and 0.1, 0.25, 0.4, 0.5 and 0.1, 0.2, 0.25, 0.25: 0.45, 0.325 and 0.225.
    const four = [...three.map(market), { probabilities: [0.8, 0.1, 0.1], overround: 0 }]
    const { probabilities } = consensusOf(four)
    for (const [at, middle] of [0.45, 0.325, 0.225].entries()) {
      expect(probabilities[at]).toBeCloseTo(middle, 12)
    }
  })

  it('is absent if the prices of one are no market', () => {
    expect(fairMarket([2, 2, 1.9, 0.5], 2, null)).toBeNull()
  })
})
