import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  feesWith,
  noFees,
  orderFee,
  priceAfterFee,
  priceBeforeFee,
} from '../../../../pipeline/rules/odds/fees.ts'
import { standardFees } from '../../../../schemas/reference/fees.ts'
import { findSportsbook } from '../../../../schemas/reference/sportsbooks.ts'

const of = (sportsbook: string) => standardFees.get(sportsbook)!

describe('fees', () => {
  it.each([
    // Kalshi's fee schedule, general trading fees: price, fee of 1 contract, fee of 100.
    [0.01, 0.01, 0.07],
    [0.05, 0.01, 0.34],
    [0.1, 0.01, 0.63],
    [0.25, 0.02, 1.32],
    [0.5, 0.02, 1.75],
    [0.75, 0.02, 1.32],
    [0.9, 0.01, 0.63],
    [0.95, 0.01, 0.34],
    [0.99, 0.01, 0.07],
  ])('of Kalshi at %f are %f for a contract and %f for a hundred', (price, one, hundred) => {
    expect(orderFee(of('kalshi'), 1, price)).toBeCloseTo(one, 9)
    expect(orderFee(of('kalshi'), 100, price)).toBeCloseTo(hundred, 9)
  })

  it.each([
    // Polymarket's documentation: C x rate x p (1 - p), here sports at 3 %, to 0.00001.
    [100, 0.5, 0.75],
    [100, 0.3, 0.63],
    [10, 0.65, 0.06825],
  ])('of Polymarket for %i shares at %f are %f', (shares, price, fee) => {
    expect(orderFee(of('polymarket'), shares, price)).toBeCloseTo(fee, 9)
  })

  it.each([
    // help.smarkets.com: 100 at 5.50 returns 541, at 1.20 119.60; 5 % elsewhere returns 527.50.
    ['smarkets', 5.5, 5.41],
    ['smarkets', 1.2, 1.196],
    ['betfair', 5.5, 5.275],
    ['matchbook', 2, 1.96],
    // 50 cents and a fee of 1.75 cents buy a dollar.
    ['kalshi', 2, 1 / 0.5175],
    ['polymarket', 2, 1 / 0.5075],
  ])('leave of %s %f %f', (sportsbook, price, net) => {
    expect(priceAfterFee(price, of(sportsbook))).toBeCloseTo(net, 9)
  })

  it('leave nothing where no bet is taken', () => {
    for (const fee of standardFees.values()) expect(priceAfterFee(0, fee)).toBe(0)
  })

  it('only ever make a price shorter, and can be taken back', () => {
    const price = fc.double({ min: 1.005, max: 500, noNaN: true })
    fc.assert(
      fc.property(price, fc.constantFrom(...standardFees.values()), (offered, fee) => {
        const net = priceAfterFee(offered, fee)
        expect(net).toBeLessThan(offered)
        expect(net).toBeGreaterThan(1 / 1.02)
        expect(Math.abs(1 / priceBeforeFee(net, fee) - 1 / offered)).toBeLessThan(2e-4)
      }),
    )
  })

  it.each(['betfair', 'kalshi', 'polymarket'])(
    'of 0 at %s leave a price as it is, both ways',
    (sportsbook) => {
      const fee = feesWith(true, { [sportsbook]: 0 }).get(sportsbook)!
      expect(priceAfterFee(1.9, fee)).toBeCloseTo(1.9, 12)
      expect(priceBeforeFee(1.9, fee)).toBeCloseTo(1.9, 12)
    },
  )

  it.each([
    // Worked out by hand: 0.5 + 0.07 x 0.25 and 0.8 + 0.03 x 0.16.
    ['kalshi', 0.5175, 2],
    ['polymarket', 0.8048, 1.25],
  ])('of %s are taken back: an outlay of %f is a price of %f', (sportsbook, outlay, offered) => {
    expect(priceBeforeFee(1 / outlay, of(sportsbook))).toBeCloseTo(offered, 12)
  })

  it('are the published ones, or the operator’s, each of its own kind', () => {
    expect(noFees.size).toBe(0)
    expect(feesWith(true, {})).toEqual(standardFees)
    expect(feesWith(false, { betfair: 0.02, kalshi: 0.035, prophetx: 0.01 })).toEqual(
      new Map([
        ['betfair', { on: 'net_winnings', rate: 0.02 }],
        ['kalshi', { on: 'contract', rate: 0.035, roundedUpTo: 0.01 }],
        ['prophetx', { on: 'net_winnings', rate: 0.01 }],
      ]),
    )
    for (const sportsbook of standardFees.keys()) {
      expect(findSportsbook(sportsbook)?.id).toBe(sportsbook)
    }
  })
})
