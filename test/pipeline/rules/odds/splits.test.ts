import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { areShares, sharesFrom, turnedSplits } from '../../../../pipeline/rules/odds/splits.ts'

describe('shares', () => {
  it.each([
    ['fractions', [0.44, 0.56], [0.44, 0.56]],
    ['percent', [44, 56], [0.44, 0.56]],
    ['percent with decimals', [52.87, 47.13], [0.5287, 0.4713]],
    ['percent with one below 1', [0.7, 99.3], [0.007, 0.993]],
    ['all on one side, as a fraction', [1, 0], [1, 0]],
    ['all on one side, in percent', [100, 0], [1, 0]],
    ['not known', [0, 0], null],
  ] as const)('from %s', (_, stated, shares) => {
    expect(sharesFrom(stated)).toEqual(shares)
  })

  it('from percent with up to four decimals have exactly their digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10_001, max: 1_000_000 }), (tenThousandths) => {
        const [share] = sharesFrom([tenThousandths / 10_000, 0])!
        expect(share).toBe(Number(`${tenThousandths}e-6`))
      }),
    )
  })

  it.each([
    [[0.44, 0.56], true, true],
    // Sources round each share by itself.
    [[0.51, 0.51], true, true],
    [[0.49, 0.49], true, true],
    [[0.5, 0.45], true, false],
    [[0.6, 0.6], true, false],
    // The third outcome is a draw.
    [[0.5, 0.25], false, true],
    [[0.6, 0.6], false, false],
    [[0, 0], false, false],
    [[-0.1, 1.1], true, false],
    [[Number.NaN, 0.5], true, false],
    [[Number.NaN, 0.5], false, false],
  ] as const)('%j, complete: %s, are shares: %s', (shares, isWhole, are) => {
    expect(areShares(shares, isWhole)).toBe(are)
  })

  it('turned twice are unchanged', () => {
    const splits = {
      moneyline: { handle: [0.2, 0.8], bets: null, awayPrice: 3, homePrice: 1.4 },
      spread: { handle: null, bets: [0.3, 0.7], awayLine: 4.5, homeLine: -4.5 },
      total: { handle: [0.4, 0.6], bets: null, line: 220 },
    } as const
    const turned = turnedSplits(splits)
    expect(turned).toEqual({
      moneyline: { handle: [0.8, 0.2], bets: null, awayPrice: 1.4, homePrice: 3 },
      spread: { handle: null, bets: [0.7, 0.3], awayLine: -4.5, homeLine: 4.5 },
      total: splits.total,
    })
    expect(turnedSplits(turned)).toEqual(splits)
  })
})
