/** Amounts that a stated result can return. */

import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  correctedVerdict,
  faultSentence,
  profitFault,
  statedFault,
  verdictFault,
} from '../../api/bets/bet-verdict.ts'
import { returnOf } from '../../pipeline/rules/bets/settle-bet.ts'
import { type BetOutcome, betOutcomes } from '../../schemas/bet.ts'

const faultOf = (outcome: BetOutcome, returned: number | null, stake = 50, price = 1.91) =>
  verdictFault(
    { outcome, returned, ...(outcome === 'dead_heat' && { shared_by: 2 }) },
    { stake, price },
  )

describe('what a bet returned', () => {
  test.each([
    // A free bet, whose stake counts as returned, may have lost.
    ['won', [50, 50.01, 95.45, 5_000], [0, 45.45, 49.98]],
    ['half_won', [50.01, 72.73], [0, 22.73, 50]],
    ['refunded', [50], [0, 49.98, 50.02, 500]],
    ['half_lost', [0.01, 25, 50], [0, 50.02, 90]],
    ['lost', [0, 50], [50.01, 95.45]],
    ['dead_heat', [0.01, 25, 50, 125], [0]],
    ['cashed_out', [0, 25, 500], []],
  ] as const)('fits how it ended: %s', (outcome, possible, impossible) => {
    for (const returned of possible) expect([returned, faultOf(outcome, returned)][1]).toBeNull()
    for (const returned of impossible) {
      expect(faultOf(outcome, returned)).toContain(
        `returned ${returned} is impossible with the stake 50: `,
      )
    }
  })

  it('is refused in sentences that end once', () => {
    for (const fault of [faultOf('won', 0), faultOf('cashed_out', null)]) {
      expect(faultSentence(`${fault}`)).toMatch(/[^.]\.$/)
    }
  })

  it('may be rounded to the cent, unless the stake is that small', () => {
    expect(faultOf('refunded', 33.33, 33.333)).toBeNull()
    expect(faultOf('won', 33.33, 33.333)).toBeNull()
    expect(faultOf('refunded', 0, 0.001)).not.toBeNull()
    expect(faultOf('won', 0, 0.001)).not.toBeNull()
  })

  it('is possible as it follows from the price', () => {
    const cents = (most: number) => fc.integer({ min: 100, max: most }).map((each) => each / 100)
    fc.assert(
      fc.property(
        cents(100_000),
        cents(2_000),
        fc.constantFrom(...betOutcomes),
        (stake, over, outcome) => {
          const returned = returnOf({ price: 1 + over, stake }, outcome, 2)
          if (returned !== null) expect(faultOf(outcome, returned, stake, 1 + over)).toBeNull()
        },
      ),
    )
  })

  test.each([
    ['won', 75, 50, 2.5],
    ['won', 80, 20, 5],
    ['won', 50, 50, 2],
    // 11/8, which the file has with two places.
    ['won', 137.5, 100, 2.38],
    ['won', 46_899.72, 33.3, 1_409.4],
    ['half_won', 75, 50, 4],
    ['dead_heat', 75, 50, 5],
  ] as const)(
    'is not the winnings alone: %s, %d of %d at %d',
    (outcome, returned, stake, price) => {
      expect(faultOf(outcome, returned, stake, price)).toContain('without the stake: add it')
      expect(faultOf(outcome, returned + stake, stake, price)).toBeNull()
    },
  )

  test.each([
    ['won', 76, 50, 2.5],
    ['won', 74, 50, 2.5],
    ['won', 100, 50, 2.5],
    ['cashed_out', 75, 50, 2.5],
    ['refunded', 50, 50, 2],
    ['lost', 50, 50, 2],
    ['half_lost', 25, 50, 1.5],
  ] as const)(
    'may be another amount than its price gives: %s, %d of %d at %d',
    (outcome, returned, stake, price) => {
      expect(faultOf(outcome, returned, stake, price)).toBeNull()
    },
  )

  test.each([
    // A deduction of 25 p in the pound at 5.0, a commission of 5 % at 21.0, a boost of 20 %.
    ['won', 80, 20, 5],
    ['won', 2_000, 100, 21],
    ['half_won', 75, 50, 4],
    ['dead_heat', 75, 50, 5],
  ] as const)('is confirmed by a reason: %s, %d of %d at %d', (outcome, returned, stake, price) => {
    const bet = { stake, price }
    const sharedBy = outcome === 'dead_heat' ? 2 : null
    const stated = { outcome, returned, shared_by: sharedBy, reason: 'rule 4: 25 p' }
    expect(verdictFault(stated, bet)).toBeNull()
    expect(verdictFault({ ...stated, reason: null }, bet)).toContain('say why in result_reason')
    // What no result returns is not confirmed.
    expect(verdictFault({ ...stated, returned: 0 }, bet)).toContain('is impossible')
    const stored = { outcome, returned, sharedBy, reason: stated.reason, at: 0 }
    expect(statedFault(stored, bet)).toBeNull()
    expect(profitFault(returned + stake, outcome, bet, sharedBy, stated.reason)).toBeNull()
    expect(profitFault(returned + stake, outcome, bet, sharedBy, null)).toContain('result_reason')
  })

  const terms = { stake: 50, price: 2.1 }
  const correctedTo = (
    outcome: BetOutcome,
    returned: number | null,
    corrected: { readonly stake?: number; readonly price?: number },
    sharedBy: number | null = null,
  ) => {
    const verdict = { outcome, returned, sharedBy, reason: null, at: 0 }
    const result = correctedVerdict(verdict, terms, { ...terms, ...corrected })
    return typeof result === 'string' ? 'refused' : result.returned
  }

  test.each([
    // A payout that followed from the old odds and stake follows from the new ones.
    ['won', 105, { stake: 40 }, null],
    ['won', 105, { stake: 500 }, null],
    ['won', 105, { price: 1.91 }, null],
    // A deduction, or odds of which the sportsbook has more places than the file: nobody knows which.
    ['won', 104.9, { stake: 40 }, 'refused'],
    ['won', 104.995, { stake: 40 }, null],
    ['half_won', 77.5, { stake: 40 }, null],
    ['half_lost', 25, { stake: 40 }, null],
    ['lost', 0, { stake: 40 }, null],
    // Odds do not change it.
    ['refunded', 50, { price: 1.91 }, 50],
    ['lost', 50, { price: 1.91 }, 50],
    ['cashed_out', 30, { price: 1.91 }, 30],
    ['cashed_out', 30, { stake: 40 }, 30],
    // A free bet, whose stake counts as returned, may return more than its stake, or what its own half or share would.
    ['cashed_out', 55, { stake: 60 }, 'refused'],
    ['cashed_out', 50, { stake: 60 }, 'refused'],
    ['cashed_out', 55, { price: 3 }, 55],
    ['half_lost', 50, { stake: 100 }, 'refused'],
    ['half_lost', 50, { price: 3 }, 50],
    // It is that of the new odds already.
    ['won', 110, { price: 2.2 }, 110],
    ['won', 84, { stake: 40 }, 84],
    ['won', 120, { stake: 40 }, 'refused'],
    ['won', 120, { price: 2.2 }, 'refused'],
    ['lost', 50, { stake: 60 }, 'refused'],
    ['refunded', 50, { stake: 40 }, 'refused'],
    ['won', null, { stake: 40, price: 3 }, null],
    ['won', 120, {}, 120],
    ['won', 120, { price: 2.1, stake: 50 }, 120],
  ] as const)(
    'follows a correction: %s, %d of 50 at 2.1, to %o',
    (outcome, returned, to, wanted) => {
      expect(correctedTo(outcome, returned, to)).toBe(wanted)
    },
  )

  test.each([
    // Of 50 at 2.1, with what the bettor stated before the mark.
    ['lost', 0, null],
    ['lost', 50, 50],
    ['won', 105, null],
    ['won', 100, 'refused'],
    ['refunded', 50, 50],
    ['cashed_out', 62, 62],
    ['cashed_out', 12, 'refused'],
  ] as const)('follows the mark of a free bet: %s, %d', (outcome, returned, wanted) => {
    const verdict = { outcome, returned, sharedBy: null, reason: null, at: 0 }
    const marked = { ...terms, isFree: true }
    const result = correctedVerdict(verdict, { ...terms, isFree: false }, marked)
    expect(typeof result === 'string' ? 'refused' : result.returned).toBe(wanted)
    if (typeof result === 'string') return
    const back = correctedVerdict({ ...verdict, returned: 50 }, marked, { ...terms, isFree: false })
    if (outcome === 'lost') expect(back).toMatchObject({ returned: null })
  })

  it('that is held to the new stake is corrected once it is withdrawn', () => {
    const refund = {
      outcome: 'refunded',
      returned: 50,
      sharedBy: null,
      reason: null,
      at: 0,
    } as const
    const after = { ...terms, stake: 40 }
    expect(correctedVerdict(refund, terms, after)).toMatch(
      /returns its stake.*; withdraw the result, correct the bet, and state the result again$/,
    )
    expect(correctedVerdict({ ...refund, returned: null }, terms, after)).toEqual({
      ...refund,
      returned: null,
    })
  })

  it('with a reason never follows a correction', () => {
    const bet = { stake: 1000, price: 1.2 }
    const corrected = (returned: number, reason: string | null, to: Partial<typeof bet>) =>
      correctedVerdict({ outcome: 'won', returned, sharedBy: null, reason, at: 0 }, bet, {
        ...bet,
        ...to,
      })
    for (const to of [{ stake: 1010 }, { stake: 1000.5 }, { price: 1.21 }]) {
      expect(corrected(1196, '2% commission', to)).toContain('withdraw the result')
      expect(corrected(1200, 'as shown', to)).toContain('withdraw the result')
      expect(corrected(1196, null, to)).toContain('withdraw the result')
      expect(corrected(1200, null, to)).toMatchObject({ returned: null })
    }
    // It is what the odds after commission give.
    expect(corrected(1196, '2% commission', { price: 1.196 })).toMatchObject({ returned: 1196 })
    const lost = {
      outcome: 'lost',
      returned: 0,
      sharedBy: null,
      reason: 'ruled so',
      at: 0,
    } as const
    expect(correctedVerdict(lost, bet, { ...bet, stake: 900 })).toMatchObject({ returned: 0 })
  })

  it('follows a correction of a dead heat by those who share it', () => {
    expect(correctedTo('dead_heat', 52.5, { stake: 40 }, 2)).toBeNull()
    expect(correctedTo('dead_heat', 52.5, { stake: 40 })).toBe('refused')
    expect(correctedTo('dead_heat', 52.5, { price: 3 })).toBe('refused')
    // A free bet that two share pays 27.5 at 2.1, and 52.5 at 3.1, beside its stake of 50.
    expect(correctedTo('dead_heat', 77.5, { price: 3.1 }, 2)).toBe('refused')
  })

  test.each([
    // Of 50 at 3.0, with the stake, which is not lost.
    ['lost', null, 50, [0, 20]],
    ['half_lost', null, 50, [25]],
    ['refunded', null, 50, [0]],
    ['won', null, 150, [50, 100, 140]],
    ['half_won', null, 100, [50.01, 75]],
    ['dead_heat', 2, 100, [25, 75]],
  ] as const)('of a free bet has its stake: %s', (outcome, sharedBy, returned, others) => {
    const bet = { stake: 50, price: 3, isFree: true }
    const faultWith = (amount: number) =>
      verdictFault({ outcome, returned: amount, shared_by: sharedBy }, bet)
    expect([returnOf(bet, outcome, sharedBy), faultWith(returned)]).toEqual([returned, null])
    for (const amount of others) expect([amount, faultWith(amount)]).not.toEqual([amount, null])
  })

  it('may be left out where it follows', () => {
    expect(betOutcomes.filter((outcome) => faultOf(outcome, null) !== null)).toEqual(['cashed_out'])
    expect(verdictFault({ outcome: null, returned: 5 }, { stake: 50, price: 1.91 })).toBeNull()
  })
})
