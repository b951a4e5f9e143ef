import { describe, expect, test } from 'vitest'
import { convertFreeBet, hedgeBet, parlay } from '../../../../pipeline/rules/bets/conversions.ts'

describe('turning a bet into money', () => {
  test('a free bet at 5.0 beside the opposite at 1.25 keeps 80 percent', () => {
    const converted = convertFreeBet(
      { stake: 100, net: 5, isStakeReturned: false },
      { kind: 'back', net: 1.25 },
    )
    // The free bet wins 400 less the hedge of 320, or the hedge wins 80.
    expect(converted).toEqual({ hedgeStake: 320, atRisk: 320, profit: 80, rate: 0.8 })
  })

  test('a free bet laid at an exchange', () => {
    const converted = convertFreeBet(
      { stake: 20, net: 6, isStakeReturned: false },
      { kind: 'lay', odds: 6.2, commission: 0.02 },
    )
    // 100 / (6.2 - 0.02), by the usual formula (odds - 1) * stake / (lay odds - commission).
    expect(converted.hedgeStake).toBeCloseTo(100 / 6.18, 12)
    expect(converted.profit).toBeCloseTo((100 / 6.18) * 0.98, 12)
    expect(100 - converted.atRisk).toBeCloseTo(converted.profit, 12)
  })

  test('a free bet whose stake comes back is worth more', () => {
    const converted = convertFreeBet(
      { stake: 100, net: 5, isStakeReturned: true },
      { kind: 'back', net: 1.25 },
    )
    expect(converted.rate).toBeCloseTo(1, 12)
  })

  test('a boosted price is locked in by the rest of the market', () => {
    const { hedgeStake, profit } = hedgeBet({ stake: 50, net: 3 }, { kind: 'back', net: 2 })
    expect([hedgeStake, profit]).toEqual([75, 25])
  })

  test('an open bet may be worth less than it cost', () => {
    const { profit } = hedgeBet({ stake: 100, net: 2 }, { kind: 'back', net: 1.5 })
    expect(profit).toBeCloseTo(100 * 2 - 100 - 200 / 1.5, 12)
    expect(profit).toBeLessThan(0)
  })

  test.each([
    ['open legs multiply', [leg(2), leg(1.5)], 3, true],
    ['a refunded leg counts as 1', [leg(2, 1), leg(3, 0), leg(1.5)], 3, true],
    ['half a win is half of its profit', [leg(2, 0.5), leg(2, 1)], 3, false],
    ['half a loss is half of the stake', [leg(2, -0.5), leg(2, 1)], 1, false],
    ['a lost leg loses all', [leg(2, -1), leg(2)], 0, false],
  ])('%s', (_, legs, price, isOpen) => {
    expect(parlay(legs)).toMatchObject({ price, isOpen })
  })

  test('independent legs multiply their probabilities; an unknown one makes the whole unknown', () => {
    expect(parlay([leg(2, null, 0.5), leg(2, null, 0.4)]).probability).toBeCloseTo(0.2, 12)
    expect(parlay([leg(2, null, 0.5), leg(2)]).probability).toBeNull()
    expect(parlay([leg(2, 1), leg(2, null, 0.4)]).probability).toBe(0.4)
  })
})

function leg(
  price: number,
  result: 1 | 0.5 | 0 | -0.5 | -1 | null = null,
  probability: number | null = null,
) {
  return { price, result, probability }
}
