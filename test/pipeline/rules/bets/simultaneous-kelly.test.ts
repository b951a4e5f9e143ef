import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import {
  type KellyBet,
  kellyUnits,
  outcomeCount,
  simultaneousKelly,
} from '../../../../pipeline/rules/bets/simultaneous-kelly.ts'

const bet = (net: number, probability: number, event: string): KellyBet => ({
  net,
  probability,
  event,
})

describe('several bets by the rule of Kelly', () => {
  test('one bet alone has the edge over the odds', () => {
    expect(simultaneousKelly([bet(2, 0.6, 'a')])[0]).toBeCloseTo(0.2, 8)
    expect(simultaneousKelly([bet(3, 0.5, 'a')])[0]).toBeCloseTo(0.25, 8)
    expect(simultaneousKelly([bet(2, 0.5, 'a')])[0]).toBe(0)
    expect(simultaneousKelly([])).toEqual([])
  })

  test('two alike at even money have (p² - q²) / 2(p² + q²) each', () => {
    const [first, second] = simultaneousKelly([bet(2, 0.6, 'a'), bet(2, 0.6, 'b')])
    expect(first).toBeCloseTo((0.36 - 0.16) / (2 * 0.52), 8)
    expect(second).toBeCloseTo(first!, 8)
  })

  test.each([
    // The third bet returns 0.95 of its price, which helps, or 0.5, which does not.
    ['one without an edge of its own as well', bet(3.8, 0.25, 'a'), 3],
    ['but not one that costs more than it saves', bet(2, 0.25, 'a'), 2],
  ])('outcomes of one event hedge each other, %s', (_, third, count) => {
    const bets = [bet(3.5, 0.4, 'a'), bet(3.6, 0.3, 'a'), third]
    const used = bets.slice(0, count)
    const sum = (of: (each: KellyBet) => number) =>
      used.reduce((total, each) => total + of(each), 0)
    // Smoczynski and Tomkins (2010): the reserve for each outcome without a bet.
    const reserve = (1 - sum((each) => each.probability)) / (1 - sum((each) => 1 / each.net))
    expect(third.probability * third.net > reserve).toBe(count === 3)
    const expected = used.map((each) => each.probability - reserve / each.net)
    const stakes = simultaneousKelly(bets)
    for (const [i, stake] of stakes.entries()) expect(stake).toBeCloseTo(expected[i] ?? 0, 6)
  })

  test('no other stakes near by grow faster', () => {
    fc.assert(
      fc.property(
        drawnBets(5),
        fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 5 }),
        (bets, step) => {
          const stakes = simultaneousKelly(bets)
          const best = growth(bets, stakes)
          for (const size of [1e-2, 1e-3]) {
            const other = stakes.map((stake, i) => Math.max(0, stake + size * step[i]!))
            expect(growth(bets, other)).toBeLessThanOrEqual(best + 1e-10)
          }
        },
      ),
    )
  })

  test('a bet at its limit is hedged by no more than it needs', () => {
    // One per cent on an arbitrage of 2.2 and 2.45: the other side returns as much with 0.9 per cent, and has no
    // edge of its own.
    const [limited, hedge] = simultaneousKelly([
      { ...bet(2.2, 0.6, 'a'), most: 0.01 },
      bet(2.45, 0.4, 'a'),
    ])
    expect(limited).toBe(0.01)
    expect(hedge).toBeLessThan(0.01)
    expect(growth([bet(2.2, 0.6, 'a'), bet(2.45, 0.4, 'a')], [limited!, hedge!])).toBeGreaterThan(0)
  })

  test('no other stakes within the limits grow faster', () => {
    fc.assert(
      fc.property(
        drawnBets(3),
        fc.array(fc.option(fc.double({ min: 0.001, max: 0.2, noNaN: true })), {
          minLength: 3,
          maxLength: 3,
        }),
        (bets, limits) => {
          const most = bets.map((_, i) => limits[i] ?? Number.POSITIVE_INFINITY)
          const stakes = simultaneousKelly(bets.map((each, i) => ({ ...each, most: most[i]! })))
          for (const [i, stake] of stakes.entries()) expect(stake).toBeLessThanOrEqual(most[i]!)
          const searched = searchedGrowth(bets, most)
          expect(growth(bets, stakes)).toBeGreaterThanOrEqual(searched - 1e-9)
        },
      ),
    )
  })

  test('in whole units, none loses, and none is better without one of its bets', () => {
    const unit = fc.constantFrom(0.0001, 0.01, 0.05, 0.2)
    fc.assert(
      fc.property(
        drawnBets(5),
        fc.option(fc.double({ min: 0.001, max: 0.2, noNaN: true })),
        unit,
        (bets, limit, unit) => {
          const most = limit ?? Number.POSITIVE_INFINITY
          const limited = bets.map((each, i) => (i === 0 ? { ...each, most } : each))
          const exact = simultaneousKelly(limited)
          const stakes = kellyUnits(bets, exact, unit).map((count) => count * unit)
          const whole = growth(bets, stakes)
          expect(whole).toBeGreaterThanOrEqual(0)
          for (const [i, stake] of stakes.entries()) {
            expect(stake).toBeLessThanOrEqual(exact[i]! + 1e-9)
            expect(growth(bets, stakes.with(i, 0))).toBeLessThanOrEqual(whole + 1e-9)
          }
        },
      ),
    )
  })

  test('many units are lowered with few evaluations', () => {
    const bets = [bet(1.0001, 0.9999, 'a'), bet(15_000, 0.0001, 'a')]
    const unit = 1 / 19_900
    const exact = simultaneousKelly(bets)
    const logs = vi.spyOn(Math, 'log')
    const units = kellyUnits(bets, exact, unit)
    const evaluations = logs.mock.calls.length / 3
    logs.mockRestore()
    expect(exact[0]! / unit - units[0]!).toBeGreaterThan(1_000)
    expect(evaluations).toBeLessThan(1_000)
    const whole = growth(
      bets,
      units.map((count) => count * unit),
    )
    expect(whole).toBeGreaterThanOrEqual(0)
  })

  /** A bankroll of 1e12 by 0.01. */
  const finest = 1e-14

  test('a hedge at a small limit leaves the other bets where they grow fastest', () => {
    const bets = [
      bet(1.26, 0.99, 'a'),
      bet(1_000_000, 0.005, 'a'),
      { ...bet(10, 0.0049, 'a'), most: 1e-12 },
    ]
    const stakes = simultaneousKelly(bets)
    expect(growth(bets, stakes)).toBeGreaterThanOrEqual(
      searchedGrowth(bets, mostOf(bets), 1e-9) - 1e-9,
    )
    expect(growth(bets, stakes)).toBeGreaterThan(0.2428)
    for (const [i, part] of [0.9708, 0.005, 0].entries()) expect(stakes[i]).toBeCloseTo(part, 4)
    expect(evaluationsOf(bets, stakes, finest)).toBeLessThan(100)
  })

  test('two events of which bets cover all outcomes are staked where they grow fastest', () => {
    const limited = (odds: number, chance: number, event: string, most: number) => ({
      ...bet(odds, chance, event),
      most,
    })
    const even = [bet(2.1, 0.5, 'a'), bet(2.1, 0.5, 'a')]
    const both = [...even, limited(2.2, 0.5, 'b', 0.05), bet(2, 0.5, 'b')]
    expect(growth(both, simultaneousKelly(both))).toBeGreaterThan(0.04974)
    const threeAndTwo = [
      limited(1.5312, 0.70064, 'a', 0.000465),
      limited(18.301, 0.056585, 'a', 0.0044),
      bet(4.7635, 0.24277, 'a'),
      bet(5.7814, 0.16224, 'b'),
      bet(1.4171, 0.83776, 'b'),
    ]
    expect(growth(threeAndTwo, simultaneousKelly(threeAndTwo))).toBeGreaterThan(0.132)
  })

  test.each([1e-8, 1e-7, 1e-5])(
    'without a hedge that is too small, the others are lowered with few evaluations: %d',
    (chance) => {
      const even = ['b', 'c', 'd', 'e'].map((event) => bet(2, 0.55, event))
      const bets = [
        bet(1 + 200 * chance, 1 - chance, 'a'),
        bet(0.01 / chance, chance, 'a'),
        ...even,
      ]
      const stakes = simultaneousKelly(bets)
      for (const unit of [finest, 1e-7, 1e-5]) {
        expect(evaluationsOf(bets, stakes, unit)).toBeLessThan(2_000)
      }
    },
  )

  test('no search finds better stakes on very high and very low odds', () => {
    fc.assert(
      fc.property(fc.array(unlikely, { minLength: 2, maxLength: 3 }), (drawn) => {
        const bets = drawn.map((each) => ({
          ...each,
          probability: each.probability / drawn.length,
        }))
        const searched = searchedGrowth(bets, mostOf(bets), 1e-9)
        expect(growth(bets, simultaneousKelly(bets))).toBeGreaterThanOrEqual(searched - 1e-7)
      }),
    )
  })

  test('bets that cover all outcomes of an event take the bankroll, and no more', () => {
    const both = [bet(2.1, 0.5, 'a'), bet(2.1, 0.5, 'a')]
    const stakes = simultaneousKelly(both)
    expect(stakes[0]! + stakes[1]!).toBeLessThanOrEqual(1)
    for (const stake of stakes) expect(stake).toBeCloseTo(0.5, 4)
  })

  test('probabilities that cannot be are refused', () => {
    expect(() => simultaneousKelly([bet(2, 0.6, 'a'), bet(2, 0.6, 'a')])).toThrow(
      /sum to more than 1/,
    )
    const many = Array.from({ length: 13 }, (_, i) => bet(2, 0.6, String(i)))
    expect(() => simultaneousKelly(many)).toThrow(/more than 4096 outcomes/)
  })
})

const mostOf = (bets: readonly KellyBet[]) =>
  bets.map(({ most = Number.POSITIVE_INFINITY }) => most)

/** Returns how many growths are evaluated to round these stakes. */
function evaluationsOf(bets: readonly KellyBet[], stakes: readonly number[], unit: number) {
  const logs = vi.spyOn(Math, 'log')
  kellyUnits(bets, stakes, unit)
  const evaluations = logs.mock.calls.length / outcomeCount(bets)
  logs.mockRestore()
  return evaluations
}

/** Draws a bet that wins hardly ever or nearly always, some with a small limit. */
const unlikely: fc.Arbitrary<KellyBet> = fc
  .record({
    chance: fc.double({ min: -6, max: -0.1, noNaN: true }).map((power) => 10 ** power),
    isLikely: fc.boolean(),
    edge: fc.double({ min: 0.9, max: 4, noNaN: true }),
    event: fc.constantFrom('a', 'b'),
    most: fc.option(fc.double({ min: -12, max: -1, noNaN: true }), { nil: undefined }),
  })
  .map(({ chance, isLikely, edge, event, most }) => {
    const probability = isLikely ? 1 - chance : chance
    const net = Math.max(1.000_001, edge / probability)
    return { ...bet(net, probability, event), ...(most !== undefined && { most: 10 ** most }) }
  })

/** Draws bets on a few events, with and without an edge. The probabilities of one event sum to at most 0.95. */
function drawnBets(maxLength: number): fc.Arbitrary<KellyBet[]> {
  const net = fc.double({ min: 1.2, max: 8, noNaN: true })
  const edge = fc.double({ min: 0.85, max: 1.25, noNaN: true })
  return fc
    .array(fc.tuple(net, edge, fc.constantFrom('a', 'b', 'c', 'd')), { minLength: 1, maxLength })
    .map((all) => all.map(([net, edge, event]) => bet(net, Math.min(0.9, edge / net), event)))
    .map((all) => {
      const sums = new Map<KellyBet['event'], number>()
      for (const { event, probability } of all)
        sums.set(event, (sums.get(event) ?? 0) + probability)
      return all.map((each) => ({
        ...each,
        probability: each.probability * Math.min(1, 0.95 / sums.get(each.event)!),
      }))
    })
}

/** Returns the highest growth that a search finds: by steps of one stake, or from one to another, ever smaller. */
function searchedGrowth(bets: readonly KellyBet[], most: readonly number[], finest = 1e-5): number {
  let stakes = bets.map(() => 0)
  let best = 0
  const stepped = (from: readonly number[], i: number, by: number) =>
    from.with(i, Math.min(most[i]!, Math.max(0, from[i]! + by)))
  for (let size = 0.1; size > finest; ) {
    const others = bets.flatMap((_, i) => [
      stepped(stakes, i, -size),
      ...bets
        .map((_, k) => (k === i ? stakes : stepped(stakes, k, -size)))
        .map((from) => stepped(from, i, size)),
    ])
    const next = others.find((other) => growth(bets, other) > best + 1e-13)
    if (!next) size /= 2
    else {
      stakes = next
      best = growth(bets, next)
    }
  }
  return best
}

/** Returns the expected logarithm of the bankroll over all outcomes, one event after another. */
function growth(bets: readonly KellyBet[], stakes: readonly number[]): number {
  const events = [...new Set(bets.map(({ event }) => event))]
  const spent = stakes.reduce((sum, stake) => sum + stake, 0)
  const from = (at: number, wealth: number): number => {
    if (at === events.length) return wealth > 0 ? Math.log(wealth) : Number.NEGATIVE_INFINITY
    const own = bets.flatMap((each, i) =>
      each.event === events[at] ? [{ ...each, stake: stakes[i]! }] : [],
    )
    const none = 1 - own.reduce((sum, { probability }) => sum + probability, 0)
    return own.reduce(
      (sum, { probability, net, stake }) => sum + probability * from(at + 1, wealth + net * stake),
      none * from(at + 1, wealth),
    )
  }
  return from(0, 1 - spent)
}
