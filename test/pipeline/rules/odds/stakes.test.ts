import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { priceAfterFee } from '../../../../pipeline/rules/odds/fees.ts'
import {
  equalStakes,
  kellyStake,
  type StakeLeg,
  stakesBeside,
} from '../../../../pipeline/rules/odds/stakes.ts'

const leg = (net: number, maxBet: number | null = null): StakeLeg => ({ net, maxBet })

const worstOf = (legs: readonly StakeLeg[], way: readonly number[]) =>
  Math.min(...way.map((stake, i) => stake * legs[i]!.net)) -
  way.reduce((one, other) => one + other, 0)

describe('stakes on all legs', () => {
  it('are those of the textbook', () => {
    // 2.10 and 2.10: half each, 5 % at any result.
    expect(equalStakes([leg(2.1), leg(2.1)], 100, 0.01)).toEqual({
      stakes: [50, 50],
      total: 100,
      profits: [5, 5],
      worst: 5,
      all: 110,
      limitedBy: null,
    })
    // 3.00 against 1.60: 1/3 + 5/8 = 23/24, so 34.78 and 65.22 of 100 return 104.35. The last cent of the second
    // would only be lost if the first wins.
    const { stakes, worst } = equalStakes([leg(3), leg(1.6)], 100, 0.01)
    expect(stakes).toEqual([34.78, 65.21])
    expect(worst).toBe(4.34)
  })

  it('have profits to eight places where the unit is finer than a cent', () => {
    // 0.0247 at 2.1 and 0.0253 at 2.05, of 0.05 in all.
    const plan = equalStakes([leg(2.1), leg(2.05)], 0.05, 0.0001)
    expect(plan).toMatchObject({ stakes: [0.0247, 0.0253], profits: [0.001_87, 0.001_865] })
    expect(plan).toMatchObject({ worst: 0.001_865, all: 0.053_735 })
    // Two cents by chance are no cents.
    expect(equalStakes([leg(2.03), leg(2.03)], 0.02, 0.0001).profits).toEqual([0.0003, 0.0003])
    expect(equalStakes([leg(2), leg(2)], 0.05, 0.0001)).toMatchObject({ worst: 0, profits: [0, 0] })
    // Beside 0.0247 at 2.1: with 0.03 at 2.05, 0.05187 of 0.0547 return; with 0.02, 0.041 of 0.0447.
    expect(stakesBeside([leg(2.1), leg(2.05)], new Map([[0, 0.0247]]), 0.01).worst).toBe(-0.002_83)
    expect(kellyStake(leg(2.1), 0.5, 0.5, 0.25, 0.0001)).toMatchObject({
      ...{ stake: 0.0056, profit: 0.006_16, expected: 0.000_28 },
    })
  })

  it('count the commission of an exchange', () => {
    // 2.10 at a sportsbook, 2.02 at an exchange that keeps 5 % of winnings: 2.96 % before the fee, 1.62 % after it.
    const exchange = priceAfterFee(2.02, { on: 'net_winnings', rate: 0.05 })
    const { stakes, total, worst } = equalStakes([leg(2.1), leg(exchange)], 1_000, 1)
    const [atBook, atExchange] = stakes as [number, number]
    const ifBook = atBook * 2.1 - total
    const ifExchange = atExchange * (1 + 1.02 * 0.95) - total
    expect(worst).toBeCloseTo(Math.floor(100 * Math.min(ifBook, ifExchange)) / 100, 6)
    // Whole units of all 1,000 would gain 16.
    expect([total, worst]).toEqual([994, 16.09])
    // Stakes by the offered prices promise at least 29, but return only 4 if the exchange pays.
    const gross = equalStakes([leg(2.1), leg(2.02)], 1_000, 1)
    expect(gross.worst).toBeGreaterThan(29)
    expect(gross.stakes[1]! * exchange - 1_000).toBeLessThan(5)
  })

  it('stay below the limit of each leg, all in the same proportion', () => {
    // 490 of 1,000 would go on the first, whose limit is 80.
    const legs = [leg(2.12, 80), leg(2.04, 500)]
    const { stakes, total, worst, limitedBy } = equalStakes(legs, 1_000, 1)
    expect(stakes).toEqual([80, 83])
    expect([total, limitedBy]).toEqual([163, 0])
    expect(worst).toBe(6.32)
    // A limit that is not reached does not count.
    expect(equalStakes([leg(2.12, 500), leg(2.04)], 1_000, 1).limitedBy).toBeNull()
  })

  it('are nothing where a leg would be left open', () => {
    expect(equalStakes([leg(20), leg(1.1)], 9, 5)).toMatchObject({ stakes: [0, 0], worst: 0 })
    expect(equalStakes([leg(2.1, 0), leg(2.1)], 1_000, 1)).toMatchObject({
      ...{ stakes: [0, 0], total: 0, worst: 0, limitedBy: 0 },
    })
  })

  test.each([
    // Half of the limit's last unit would leave 5 more on the other leg than it can return.
    [[leg(2.05, 54.9), leg(2)], 1_000, 5, [50, 50], 0],
    [[leg(2.2, 99), leg(1.9)], 1_000, 50, [50, 50], -5],
    [[leg(3.25, 119), leg(1.47)], 1_000, 5, [115, 255], 3.75],
    [[leg(2.12, 84.99), leg(2.04)], 1_000, 5, [80, 85], 4.6],
  ] as const)(
    'count a limit in whole units: %j, %d in steps of %d',
    (legs, total, unit, stakes, worst) => {
      expect(equalStakes(legs, total, unit)).toMatchObject({ stakes, worst, limitedBy: 0 })
    },
  )

  it('are less than wanted where those of the wanted total would lose, and lose least where all do', () => {
    // 60 and 40 would return 96 at worst, and 50 and 30 return 80.
    expect(equalStakes([leg(1.6), leg(2.75)], 100, 10)).toMatchObject({
      ...{ stakes: [50, 30], worst: 0 },
    })
    // 15 and 25 would lose 1.25.
    expect(equalStakes([leg(2.9), leg(1.55)], 40, 5)).toMatchObject({
      ...{ stakes: [5, 10], worst: -0.5 },
    })
    // Prices that are no sure profit keep the best rounding of the wanted total.
    expect(equalStakes([leg(1.95), leg(2.04)], 40, 5)).toMatchObject({ stakes: [20, 20] })
  })

  /** Yields all stakes of whole units, at least one on each leg, within limits and total. */
  function* allWays(legs: readonly StakeLeg[], total: number, unit: number): Generator<number[]> {
    const [first, ...others] = legs
    if (!first) return yield []
    for (let stake = unit; stake <= Math.min(total, first.maxBet ?? total); stake += unit) {
      for (const rest of allWays(others, total - stake, unit)) yield [stake, ...rest]
    }
  }

  it('are less than wanted where that gains more in the worst case', () => {
    // 20 and 120 would return 140.16 at worst.
    expect(equalStakes([leg(8.221), leg(1.168)], 141, 10)).toMatchObject({
      ...{ stakes: [10, 70], worst: 1.76 },
    })
  })

  /** Draws prices that gain up to 5 % whatever happens. */
  const sureLegs = fc
    .record({
      shares: fc.array(fc.integer({ min: 10, max: 100 }), { minLength: 2, maxLength: 3 }),
      profit: fc.double({ min: 0.001, max: 0.05, noNaN: true }),
      limits: fc.tuple(
        ...[1, 2, 3].map(() => fc.option(fc.double({ min: 1, max: 90, noNaN: true }))),
      ),
    })
    .map(({ shares, profit, limits }) => {
      const sum = shares.reduce((one, other) => one + other, 0)
      return shares.map((share, i) => leg(((1 + profit) * sum) / share, limits[i] ?? null))
    })

  it('never lose on a sure profit where other whole stakes would not, and else lose least', () => {
    let [won, lost] = [0, 0]
    fc.assert(
      fc.property(
        sureLegs,
        fc.constantFrom(1, 2, 5),
        fc.integer({ min: 10, max: 60 }),
        (legs, unit, units) => {
          const total = units * unit
          const plan = equalStakes(legs, total, unit)
          let best = Number.NEGATIVE_INFINITY
          for (const way of allWays(legs, total, unit)) best = Math.max(best, worstOf(legs, way))
          if (plan.total === 0) {
            expect(best).toBeLessThan(1e-6)
            return
          }
          const worst = worstOf(legs, plan.stakes)
          expect(worst).toBeGreaterThanOrEqual(Math.min(best, 0) - 1e-6)
          for (const way of allWays(legs, plan.total, unit)) {
            expect(worstOf(legs, way)).toBeLessThanOrEqual(worst + 1e-6)
          }
          if (worst >= -1e-6) won++
          else lost++
        },
      ),
      { numRuns: 400 },
    )
    expect(Math.min(won, lost)).toBeGreaterThan(10)
  })

  /** Returns the stakes without rounding, for the largest return that total and limits allow, by bisection. */
  function exactStakes(limited: readonly StakeLeg[], total: number, unit: number): number[] {
    // A limit counts in whole units.
    const legs = limited.map(({ net, maxBet }) =>
      leg(net, maxBet === null ? null : maxBet - (maxBet % unit)),
    )
    const isPossible = (paid: number) =>
      legs.reduce((sum, { net }) => sum + paid / net, 0) <= total &&
      legs.every(({ net, maxBet }) => maxBet === null || paid / net <= maxBet)
    let [low, high] = [0, 1e6]
    for (let i = 0; i < 100; i++) {
      const middle = (low + high) / 2
      if (isPossible(middle)) low = middle
      else high = middle
    }
    return legs.map(({ net }) => low / net)
  }

  /** Yields every choice of whole units next to the exact stakes. */
  function* waysNear(exact: readonly number[], unit: number): Generator<number[]> {
    const [first, ...others] = exact
    if (first === undefined) return yield []
    for (let units = 0; units * unit < first + unit - 1e-6; units++) {
      if (units * unit <= first - unit + 1e-6) continue
      for (const rest of waysNear(others, unit)) yield [units * unit, ...rest]
    }
  }

  it('are found where the unit is finer than a number of that size can be', () => {
    const legs = [leg(2.1), leg(2.05)]
    // The widest that a profile allows. What each leg gets is the share of the other price.
    const { stakes, worst } = equalStakes(legs, 1e12, 1e-6)
    expect(stakes[0]! / 1e12).toBeCloseTo(2.05 / 4.15, 12)
    expect(stakes[1]! / 1e12).toBeCloseTo(2.1 / 4.15, 12)
    expect(worst / 1e12).toBeCloseTo((2.1 * 2.05) / 4.15 - 1, 12)
    expect(stakesBeside(legs, new Map([[0, 1e12]]), 1e-6).stakes[1]! / 1e12).toBeCloseTo(
      2.1 / 2.05,
      12,
    )
  })

  it('are the best of all ways to round them, within limits and total', () => {
    const net = fc.double({ min: 1.05, max: 30, noNaN: true })
    const maxBet = fc.option(fc.integer({ min: 0, max: 60 }))
    const anyLeg = fc.record({ net, maxBet })
    fc.assert(
      fc.property(
        fc.array(anyLeg, { minLength: 2, maxLength: 3 }),
        fc.constantFrom(1, 5, 10),
        fc.integer({ min: 0, max: 90 }),
        (legs, unit, total) => {
          const plan = equalStakes(legs, total, unit)
          const { stakes, profits, worst } = plan
          const sum = stakes.reduce((one, other) => one + other, 0)
          expect(plan.total).toBeCloseTo(sum, 6)
          expect(sum).toBeLessThanOrEqual(total)
          for (const [i, stake] of stakes.entries()) {
            expect(stake % unit).toBe(0)
            expect(stake).toBeLessThanOrEqual(legs[i]!.maxBet ?? total)
            const profit = stake * legs[i]!.net - sum
            // Rounded to the cent, never up.
            expect(profits[i]! - profit).toBeLessThan(1e-6)
            expect(profit - profits[i]!).toBeLessThan(0.01 + 1e-6)
          }
          expect(worst).toBe(Math.min(...profits))
          const returned = (way: readonly number[]) =>
            Math.min(...way.map((stake, i) => stake * legs[i]!.net)) /
            way.reduce((one, other) => one + other, 0)
          const exact = exactStakes(legs, total, unit)
          const isLimited = exact.reduce((one, other) => one + other, 0) < total - 1e-6
          expect(plan.limitedBy !== null).toBe(isLimited)
          const ways = [...waysNear(exact, unit)].filter(
            (way) =>
              way.reduce((one, other) => one + other, 0) <= total &&
              way.every((stake, i) => stake > 0 && stake <= (legs[i]!.maxBet ?? total)),
          )
          const isSure = legs.reduce((implied, { net }) => implied + 1 / net, 0) < 1
          const isKept = !isSure || ways.some((way) => worstOf(legs, way) >= 0)
          // Of the others, the largest profit in the worst case is wanted.
          for (const way of ways) {
            if (isKept) expect(returned(stakes)).toBeGreaterThanOrEqual(returned(way) - 1e-9)
            else expect(worstOf(legs, stakes)).toBeGreaterThanOrEqual(worstOf(legs, way) - 1e-9)
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('stakes beside an existing one', () => {
  it('return what a limited leg returns, and no more', () => {
    const plan = stakesBeside([leg(3), leg(3, 50), leg(3)], new Map([[0, 100]]), 1)
    expect(plan).toMatchObject({ stakes: [100, 50, 50], worst: -50, limitedBy: 1 })
    // Two legs that cost more than they return get no stake.
    expect(stakesBeside([leg(2), leg(1.5), leg(2.5)], new Map([[0, 100]]), 1)).toMatchObject({
      stakes: [100, 0, 0],
      worst: -100,
    })
  })

  it('are the best whole stakes of all, up to a cent', () => {
    const net = fc.double({ min: 1.3, max: 5.3, noNaN: true })
    const maxBet = fc.option(fc.integer({ min: 0, max: 120 }))
    fc.assert(
      fc.property(
        fc.array(fc.record({ net, maxBet }), { minLength: 2, maxLength: 3 }),
        fc.constantFrom(0, 1),
        fc.integer({ min: 1, max: 60 }),
        (legs, made, stake) => {
          const unit = 5
          const plan = stakesBeside(legs, new Map([[made, stake]]), unit)
          const mostOf = (i: number) => Math.min(legs[i]?.maxBet ?? 350, legs[i] ? 350 : 0)
          const [one, two] = [0, 1, 2].filter((i) => i !== made) as [number, number]
          let best = Number.NEGATIVE_INFINITY
          for (let first = 0; first <= mostOf(one); first += unit) {
            for (let second = 0; second <= mostOf(two); second += unit) {
              const way = legs.map((_, i) => (i === made ? stake : i === one ? first : second))
              best = Math.max(best, worstOf(legs, way))
            }
          }
          expect(plan.worst).toBeGreaterThanOrEqual(best - 0.01)
          expect(plan.worst).toBeLessThanOrEqual(best + 1e-6)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('are the best beside two, and none beside all', () => {
    const net = fc.double({ min: 2, max: 5, noNaN: true })
    const stake = fc.integer({ min: 1, max: 60 })
    fc.assert(
      fc.property(fc.tuple(net, net, net), stake, stake, (nets, first, second) => {
        const legs = nets.map((net) => leg(net))
        const made = new Map([
          [0, first],
          [2, second],
        ])
        const plan = stakesBeside(legs, made, 1)
        const ways = Array.from({ length: 350 }, (_, own) => worstOf(legs, [first, own, second]))
        expect(plan.stakes[0]).toBe(first)
        expect(plan.stakes[2]).toBe(second)
        expect(plan.worst).toBeCloseTo(Math.max(...ways), 1)
      }),
      { numRuns: 300 },
    )
    const all = stakesBeside(
      [leg(2), leg(2.01)],
      new Map([
        [0, 900],
        [1, 1_000],
      ]),
      1,
    )
    expect(all).toMatchObject({ stakes: [900, 1_000], profits: [-100, 110], worst: -100 })
  })

  it('lose no more in the worst case than any other whole stakes', () => {
    const anyLeg = fc.record({
      net: fc.double({ min: 1.2, max: 6, noNaN: true }),
      maxBet: fc.option(fc.integer({ min: 0, max: 25 })),
    })
    fc.assert(
      fc.property(
        fc.array(anyLeg, { minLength: 2, maxLength: 3 }),
        fc.integer({ min: 1, max: 12 }),
        (legs, stake) => {
          const { worst, stakes } = stakesBeside(legs, new Map([[0, stake]]), 1)
          for (const [i, each] of stakes.entries())
            if (i > 0) expect(each).toBeLessThanOrEqual(legs[i]!.maxBet ?? 100)
          const most = legs.map(({ maxBet }) => Math.min(maxBet ?? 100, 70))
          for (let one = 0; one <= most[1]!; one++) {
            for (let two = 0; two <= (most[2] ?? 0); two++) {
              const way = [stake, one, two].slice(0, legs.length)
              const total = way.reduce((sum, each) => sum + each, 0)
              const least = Math.min(...way.map((each, i) => each * legs[i]!.net)) - total
              // Stakes far from the exact ones may fit the units by chance, but gain at most half a unit a leg.
              expect(least).toBeLessThanOrEqual(worst + 0.01 + legs.length - 2)
            }
          }
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe("Kelly's stake", () => {
  it('is p - q / b of the bankroll, and nothing without an edge', () => {
    // At evens with 55 %: 0.55 - 0.45 = 10 %, which gain a tenth of themselves on average.
    expect(kellyStake(leg(2), 0.55, 1_000, 1, 1)).toEqual({
      ...{ stake: 100, profit: 100, expected: 10, isLimited: false },
    })
    expect(kellyStake(leg(2), 0.55, 1_000, 0.25, 1).stake).toBe(25)
    expect(kellyStake(leg(2), 0.45, 1_000, 1, 1).stake).toBe(0)
    expect(kellyStake(leg(2, 80), 0.55, 1_000, 1, 1)).toMatchObject({ stake: 80, isLimited: true })
    expect(kellyStake(leg(2, 83), 0.55, 1_000, 1, 5)).toMatchObject({ stake: 80, isLimited: true })
  })

  it('makes the bankroll grow fastest, of all stakes that the limit leaves', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1.1, max: 10, noNaN: true }),
        fc.double({ min: 0.05, max: 0.95, noNaN: true }),
        fc.option(fc.integer({ min: 0, max: 300 })),
        (net, fair, maxBet) => {
          const bankroll = 500
          const growth = (stake: number) =>
            fair * Math.log(bankroll + stake * (net - 1)) + (1 - fair) * Math.log(bankroll - stake)
          let best = 0
          for (let stake = 1; stake < bankroll && stake <= (maxBet ?? bankroll); stake++) {
            if (growth(stake) > growth(best)) best = stake
          }
          const { stake } = kellyStake({ net, maxBet }, fair, bankroll, 1, 1)
          // The stake is rounded down, and the best whole stake may be one above.
          expect(best - stake === 0 || best - stake === 1).toBe(true)
        },
      ),
      { numRuns: 300 },
    )
  })
})
