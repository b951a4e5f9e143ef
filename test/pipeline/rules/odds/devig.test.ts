import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { devig, overround } from '../../../../pipeline/rules/odds/devig.ts'
import { type DevigMethod, devigMethods } from '../../../../schemas/fair-measure.ts'

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

/** Returns the largest difference between two lists of one length. */
function furthest(some: readonly number[], others: readonly number[]): number {
  expect(some).toHaveLength(others.length)
  return Math.max(...some.map((number, at) => Math.abs(number - (others[at] as number))))
}

function devigged(prices: ArrayLike<number>, method?: DevigMethod) {
  const result = devig(prices, method)
  if (result === null) throw new Error(`no ${method} of ${Array.from(prices)}`)
  return result
}

describe('figures published by others', () => {
  // penaltyblog 1.x, documentation page "Implied Odds", eight digits.
  test.each([
    ['power', [0.3591711, 0.42373075, 0.21709815], 1.0309132393169356],
    ['multiplicative', [0.35873804, 0.42112726, 0.2201347], null],
    ['additive', [0.3595618, 0.42397404, 0.21646416], null],
    ['shin', [0.35934392, 0.42324385, 0.21741223], undefined],
    ['odds_ratio', [0.35881036, 0.42256142, 0.21862822], 1.05116912729218],
  ] as const)('%s of 2.70, 2.30 and 4.40', (method, published, parameter) => {
    const { probabilities, ...rest } = devigged([2.7, 2.3, 4.4], method)
    expect(furthest(probabilities, published)).toBeLessThan(1e-8)
    expect(rest.overround).toBeCloseTo(0.03242570633874986, 12)
    if (parameter === null) expect(rest.parameter).toBeNull()
    if (parameter) expect(rest.parameter).toBeCloseTo(parameter, 11)
  })

  test("Shin's z of 2.60, 2.40 and 4.30, from the tests of the package shin", () => {
    const { probabilities, parameter } = devigged([2.6, 2.4, 4.3], 'shin')
    expect(furthest(probabilities, [0.3729941, 0.4047794, 0.2222265])).toBeLessThan(1e-7)
    expect(parameter).toBeCloseTo(0.01694251, 8)
  })

  test('the additive method has no result for the long shot that the package implied flags', () => {
    expect(devig([1.15, 5, 10, 25], 'additive')).toBeNull()
    for (const method of ['power', 'multiplicative', 'shin', 'odds_ratio'] as const) {
      expect(devig([1.15, 5, 10, 25], method)).not.toBeNull()
    }
  })

  test('the check of the interface supplement 5.4, where its rounded figures allow it', () => {
    const { probabilities, parameter } = devigged([1 / 0.535, 1 / 0.488])
    expect(parameter).toBeCloseTo(1.03397421188, 10)
    expect(furthest(probabilities, [0.523750940521, 0.476249059479])).toBeLessThan(1e-11)
    // The supplement says "about" 1.036, 0.522 and 0.478, but these probabilities do not follow from its k.
    expect(Math.abs((parameter ?? 0) - 1.036)).toBeLessThan(0.0025)
    expect(furthest(probabilities, [0.522, 0.478])).toBeLessThan(0.002)
    const { probabilities: scaled } = devigged([1 / 0.535, 1 / 0.488], 'multiplicative')
    expect(furthest(scaled, [0.523, 0.477])).toBeLessThan(0.0005)
  })
})

const casesFile = new URL('../../../../../shared/data/devig/power_cases.json', import.meta.url)

describe.skipIf(!existsSync(casesFile))('the collected power cases (needs ../shared)', () => {
  interface Case {
    id: string
    decimal_odds: number[]
    k: number
    power_probabilities: number[]
    implied_sum?: number
    multiplicative_probabilities_for_contrast?: number[]
    reference_power_probabilities?: number[]
    reference_inverse_exponent_n?: number
    published_power_probabilities?: number[]
    published_k?: number
    published_tolerance?: number
    published_additive?: number[]
    published_shin?: number[]
    published_shin_probabilities?: number[]
    published_shin_z?: number
  }

  // Read here, not above, because the body of a skipped suite still runs, without the file.
  const cases: Case[] = existsSync(casesFile)
    ? JSON.parse(readFileSync(casesFile, 'utf8')).cases
    : []

  test('their number is unchanged', () => {
    expect(cases).toHaveLength(19)
  })

  test.each(cases.map((one) => [one.id, one] as const))('%s', (_, one) => {
    const power = devigged(one.decimal_odds)
    expect(furthest(power.probabilities, one.power_probabilities)).toBeLessThan(1e-9)
    expect(Math.abs((power.parameter ?? 0) - one.k)).toBeLessThan(1e-9)
    if (one.implied_sum) expect(Math.abs(power.overround + 1 - one.implied_sum)).toBeLessThan(1e-9)

    const agrees = (method: DevigMethod, wanted: number[] | undefined, tolerance: number) => {
      if (!wanted) return
      const { probabilities } = devigged(one.decimal_odds, method)
      expect(furthest(probabilities, wanted)).toBeLessThan(tolerance)
    }
    const published = one.published_tolerance ?? 5e-8
    agrees('multiplicative', one.multiplicative_probabilities_for_contrast, 1e-9)
    agrees('power', one.reference_power_probabilities, 1e-9)
    agrees('power', one.published_power_probabilities, published)
    agrees('additive', one.published_additive, published)
    agrees('shin', one.published_shin, published)
    agrees('shin', one.published_shin_probabilities, 1e-7)
    if (one.published_k) expect(power.parameter).toBeCloseTo(one.published_k, 11)
    if (one.reference_inverse_exponent_n) {
      expect(1 / (power.parameter ?? 0)).toBeCloseTo(one.reference_inverse_exponent_n, 9)
    }
    if (one.published_shin_z) {
      const { parameter } = devigged(one.decimal_odds, 'shin')
      expect(parameter).toBeCloseTo(one.published_shin_z, 8)
    }
  })
})

describe('a market that cannot be devigged', () => {
  test.each([
    ['no outcome', []],
    ['one outcome', [1.9]],
    ['a price of 1', [1, 3]],
    ['a price below 1', [0.5, 3]],
    ['a negative price', [-2, 3]],
    ['a price of 0', [2, 0]],
    ['a price that is no number', [2, Number.NaN]],
    ['a price without end', [2, Number.POSITIVE_INFINITY]],
    ['a hole', [2, undefined as unknown as number, 3]],
  ])('%s has no result by any method', (_, prices) => {
    for (const method of devigMethods) expect(devig(prices, method)).toBeNull()
  })
})

describe('the exponent of the power method', () => {
  test.each([
    ['without margin is 1', [2, 4, 4], 1],
    ['below a booksum of 1 is below 1', [2.1, 2.05], 0.9497513506],
    [
      'of two equal near-certainties is ln 2 / ln price',
      [1.0001, 1.0001],
      Math.LN2 / Math.log(1.0001),
    ],
    ['of two equal dreams is that too', [1e6, 1e6], Math.LN2 / Math.log(1e6)],
    [
      'of three hundred equal outcomes is ln 300 / ln price',
      Array<number>(300).fill(1.01),
      Math.log(300) / Math.log(1.01),
    ],
  ])('%s', (_, prices, exponent) => {
    expect((devigged(prices).parameter ?? 0) / exponent).toBeCloseTo(1, 9)
  })

  test('is found where Newton is slow: near certainty, and where it steps below 0', () => {
    const hard = [
      [1.0001, 1e6],
      [1.000001, 2],
      [1 + 1e-9, 3, 1e6],
      [1 + 1e-12, 2],
      [1e6, 1e6, 1e6],
      [1.5, 1e6, 1e6, 1 + 1e-7],
    ]
    for (const prices of hard) {
      const { probabilities } = devigged(prices)
      expect(Math.abs(sum(probabilities) - 1)).toBeLessThan(1e-11)
      expect(furthest(probabilities, slowPower(prices))).toBeLessThan(1e-9)
    }
  })
})

describe("Shin's z", () => {
  test('is 0 without margin, and the outcomes keep or share what there is', () => {
    expect(devigged([2, 4, 4], 'shin')).toEqual({
      probabilities: [0.5, 0.25, 0.25],
      parameter: 0,
      overround: 0,
    })
    const under = devigged([2.1, 2.05], 'shin')
    expect(under.parameter).toBe(0)
    expect(under.probabilities).toEqual(devigged([2.1, 2.05], 'multiplicative').probabilities)
  })

  test('vanishes with the margin, so that the rule changes without a jump', () => {
    const { probabilities, parameter } = devigged([2 - 1e-9, 4, 4], 'shin')
    expect(parameter).toBeLessThan(1e-8)
    expect(furthest(probabilities, [0.5, 0.25, 0.25])).toBeLessThan(1e-8)
  })
})

/** Computes p = r^k by bisection over k, without regard to speed: the fast way must agree with it. */
function slowPower(prices: readonly number[]): number[] {
  const at = (k: number) => prices.map((price) => (1 / price) ** k)
  let low = 0
  let high = 1e15
  for (let halvings = 0; halvings < 200; halvings++) {
    const middle = halvings < 60 && low > 0 ? Math.sqrt(low * high) : (low + high) / 2
    if (sum(at(middle)) > 1) low = middle
    else high = middle
  }
  return at((low + high) / 2)
}

describe('whatever the prices', () => {
  /** Prices from 1.0001 to a million, as many short ones as long ones. */
  const anyPrice = fc
    .double({ min: Math.log(1e-4), max: Math.log(1e6 - 1), noNaN: true })
    .map((logarithm) => 1 + Math.exp(logarithm))
  const anyMarket = fc.array(anyPrice, { minLength: 2, maxLength: 5 })
  const anyOutright = fc.array(anyPrice, { minLength: 6, maxLength: 80 })
  /** A realistic market: probabilities of every size, and a margin of -5 to 15 %. */
  const realMarket = fc
    .tuple(
      fc.array(fc.double({ min: 0.02, max: 1, noNaN: true }), { minLength: 2, maxLength: 4 }),
      fc.double({ min: 0.95, max: 1.15, noNaN: true }),
    )
    .map(([weights, booksum]) => weights.map((weight) => sum(weights) / weight / booksum))
    .filter((prices) => prices.every((price) => price > 1.0001))
  const eachMethod = devigMethods.map((method) => [method] as const)

  /** Runs per method and kind of market: over four hundred thousand in all. */
  const plenty = { numRuns: 4_000 }

  function check(prices: readonly number[], method: DevigMethod) {
    const result = devig(prices, method)
    if (result === null) return
    const { probabilities } = result
    if (!(Math.abs(sum(probabilities) - 1) < 1e-9)) throw new Error(`sum ${sum(probabilities)}`)
    if (Math.abs(result.overround - overround(prices)) > 1e-12) throw new Error('overround')
    const byPrice = prices
      .map((price, at) => ({ price, probability: probabilities[at] as number }))
      .sort((a, b) => a.price - b.price)
    for (let at = 1; at < byPrice.length; at++) {
      const [shorter, longer] = byPrice.slice(at - 1, at + 1) as [
        (typeof byPrice)[0],
        (typeof byPrice)[0],
      ]
      if (shorter.price === longer.price && shorter.probability !== longer.probability) {
        throw new Error('equal prices, unequal probabilities')
      }
      // Prices that differ only in their last digit may come out in either order.
      if (shorter.probability < longer.probability * (1 - 1e-12)) {
        throw new Error('longer price, more probable')
      }
      if (longer.price > 1.01 * shorter.price && shorter.probability === longer.probability) {
        throw new Error('unequal prices, equal probabilities')
      }
    }
    const turned = devig([...prices].reverse(), method)
    const back = turned?.probabilities.toReversed() ?? []
    if (furthestOf(back, probabilities) > 1e-10) throw new Error('order matters')
  }

  /** Returns the same as `furthest`, without an assertion per case. */
  const furthestOf = (some: readonly number[], others: readonly number[]) =>
    some.length === others.length
      ? some.reduce((most, one, at) => Math.max(most, Math.abs(one - (others[at] ?? 9))), 0)
      : Number.POSITIVE_INFINITY

  test.each(eachMethod)('%s: sum 1, order of prices, not of outcomes', (method) => {
    fc.assert(
      fc.property(anyMarket, (prices) => check(prices, method)),
      plenty,
    )
    fc.assert(
      fc.property(realMarket, (prices) => check(prices, method)),
      plenty,
    )
    fc.assert(
      fc.property(anyOutright, (prices) => check(prices, method)),
      { numRuns: 1_000 },
    )
  })

  test.each(eachMethod)('%s: equal prices share alike', (method) => {
    fc.assert(
      fc.property(anyPrice, fc.integer({ min: 2, max: 40 }), (price, outcomeCount) => {
        const result = devig(Array<number>(outcomeCount).fill(price), method)
        return result?.probabilities.every((p) => Math.abs(p * outcomeCount - 1) < 1e-9) ?? false
      }),
      { numRuns: 10_000 },
    )
  })

  test('only the additive method may lack a result for a realistic market', () => {
    fc.assert(
      fc.property(realMarket, fc.constantFrom(...devigMethods), (prices, method) => {
        return method === 'additive' || devig(prices, method) !== null
      }),
      plenty,
    )
  })

  test('Newton agrees with slow bisection', () => {
    const agree = (prices: readonly number[]) => {
      const quick = devig(prices)
      return quick === null || furthestOf(quick.probabilities, slowPower(prices)) < 1e-9
    }
    fc.assert(fc.property(realMarket, agree), { numRuns: 1_000 })
    fc.assert(fc.property(anyMarket, agree), { numRuns: 1_000 })
  })

  test('the power and the odds ratio are above 1 exactly where the booksum is', () => {
    fc.assert(
      fc.property(anyMarket, fc.constantFrom('power', 'odds_ratio'), (prices, method) => {
        const result = devig(prices, method as DevigMethod)
        if (result === null || Math.abs(result.overround) < 1e-9) return true
        return (result.parameter ?? 0) > 1 === result.overround > 0
      }),
      plenty,
    )
  })

  test('each method’s parameter is the same for every outcome', () => {
    const near = (a: number, b: number) => Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(b))
    fc.assert(
      fc.property(realMarket, (prices) => {
        const power = devigged(prices)
        const ratio = devigged(prices, 'odds_ratio')
        return prices.every((price, at) => {
          const k = Math.log(power.probabilities[at] as number) / -Math.log(price)
          const p = ratio.probabilities[at] as number
          const c = 1 / (price - 1) / (p / (1 - p))
          return near(k, power.parameter ?? 0) && near(c, ratio.parameter ?? 0)
        })
      }),
      plenty,
    )
  })

  test("Shin's method with two outcomes and a margin is the additive one", () => {
    const pair = fc.tuple(anyPrice, anyPrice).filter((prices) => overround(prices) > 1e-6)
    fc.assert(
      fc.property(pair, (prices) => {
        const additive = devig(prices, 'additive')
        const shin = devig(prices, 'shin')
        if (additive === null || shin === null) return additive === shin
        return furthestOf(shin.probabilities, additive.probabilities) < 1e-9
      }),
      plenty,
    )
  })
})
