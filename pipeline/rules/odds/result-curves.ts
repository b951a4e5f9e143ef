/**
 * The chances of whole results for an expected line: the curves of results.ts. A curve takes the expected line and
 * returns the chance of one result at a time.
 */

import { memoise } from '../../../schemas/memoise.ts'
import type { MeasuredResults } from '../../../schemas/reference/measured-results.ts'

/** Returns the chance of each whole result for an expected line; null for an impossible line. */
export type Results = (expected: number) => ((result: number) => number) | null

/** A normal curve whose variance grows with the expected line. @param variance per point of the line */
export const scattered =
  (variance: number): Results =>
  (expected) =>
    expected > 0 ? normal(Math.sqrt(variance * expected))(expected) : null

/** A player's small count varies a little more than a Poisson count of the same mean. */
export const smallCount = scattered(1.2)

/**
 * A count that may end with the same chance at each step. Half of all results are below the
 * expected line.
 */
export const geometric: Results = (expected) => {
  if (!(expected > 0)) return null
  const goesOn = 0.5 ** (1 / (expected + 0.5))
  return (result) => (result < 0 ? 0 : (1 - goesOn) * goesOn ** result)
}

/** A normal curve around the expected line, cut halfway between whole results. */
export function normal(deviation: number): Results {
  return (expected) => {
    const below = (value: number) => standardNormalBelow((value - expected) / deviation)
    return (result) => below(result + 0.5) - below(result - 0.5)
  }
}

/** A count whose mean is the expected line. */
export const poisson: Results = (expected) =>
  expected > 0 ? (result) => poissonProbability(result, expected) : null

/**
 * The margin if several points are scored at once: a normal curve. If a level game goes on, a point
 * or a few baskets decide it. So the chance that 0 loses goes to all other results in proportion.
 * @param level the part of its chance that 0 keeps (0 to 1): level games that stay level
 */
export function pointMargin(deviation: number, level: number): Results {
  const about = normal(deviation)
  return (expected) => {
    const margin = about(expected)!
    const chanceOfLevel = margin(0)
    const others = (1 - level * chanceOfLevel) / (1 - chanceOfLevel)
    return (result) => (result === 0 ? level * chanceOfLevel : others * margin(result))
  }
}

/**
 * The margin of two independent counts (Skellam): their means differ by the expected line and sum to `sum`, or more
 * for a very large line, up to `mostAhead`. If a level game goes on, it ends when one side leads,
 * nearly always by 1. So the chance that 0 loses goes to 1 and -1 in equal parts.
 * @param level the part of its chance that 0 keeps, 0 to 1
 */
export function difference(sum: number, level: number): Results {
  return (expected) => {
    if (!(Math.abs(expected) <= mostAhead(sum))) return null
    const [stronger, weaker] = meansOf(Math.abs(expected), sum)
    // A margin of one side is the negative margin of the other; the sum over the weaker side is
    // shorter.
    const sign = expected < 0 ? -1 : 1
    const margin = (result: number) => skellamProbability(sign * result, stronger, weaker)
    return (result) => {
      if (result === 0) return level * margin(0)
      return Math.abs(result) === 1
        ? margin(result) + ((1 - level) * margin(0)) / 2
        : margin(result)
    }
  }
}

/** Returns the largest possible line. */
const mostAhead = (sum: number) => Math.max(5 * sum, 15)

/** The least share of the sum for the weaker side. */
const weakestShare = 0.1

function meansOf(expected: number, sum: number): readonly [home: number, away: number] {
  const ahead = Math.abs(expected)
  const weaker = Math.max((sum - ahead) / 2, weakestShare * sum)
  return expected < 0 ? [weaker, weaker + ahead] : [weaker + ahead, weaker]
}

// ---- measured

/**
 * A curve with a weight for each result, measured on how games ended: a result's chance is the
 * curve's, times its weight. The curve is centred so that a bet at the expected line is even, as at
 * the sportsbooks' close.
 */
export function measured(of: Omit<MeasuredResults, 'sport' | 'from'>): Results {
  const { least, most } = of
  const table = tables[of.curve]
  const weightOf = (result: number) => {
    const at = of.counts === 'margin' ? Math.abs(result) : result
    return of.weights[at - of.firstWeight] ?? 1
  }
  const weights = Float64Array.from({ length: most - least + 1 }, (_, at) => weightOf(least + at))

  const chancesAt = memoise((expected: number): Float64Array => {
    const size = of.size + of.growth * Math.abs(expected)
    const reach = of.curve === 'normal' ? size : Math.sqrt(size)
    let lowest = expected - reach
    let highest = expected + reach
    let chances: Float64Array = weights
    for (let step = 0; step < steps; step++) {
      const middle = (lowest + highest) / 2
      chances = table(middle, size, of)
      let ahead = 0
      for (let at = 0; at < chances.length; at++) {
        chances[at] = chances[at]! * weights[at]!
        ahead += chances[at]! * wonAt(expected, least + at)
      }
      if (ahead > 0) highest = middle
      else lowest = middle
    }
    const whole = chances.reduce((sum, chance) => sum + chance, 0)
    return chances.map((chance) => chance / whole)
  }, linesAtOnce)

  return (expected) => {
    if (!(expected > least && expected < most)) return null
    // A margin of one side is the negative margin of the other.
    const sign = of.counts === 'margin' && expected < 0 ? -1 : 1
    const chances = chancesAt(sign * expected)
    return (result) => chances[sign * result - least] ?? 0
  }
}

/**
 * The number of halvings that centre the curve. Lines come from outside, so only few curves are
 * cached.
 */
const steps = 30
const linesAtOnce = 1_024

/**
 * Returns the win or loss of a bet on more at any line; between two half points, a part at each.
 */
function wonAt(line: number, result: number): number {
  const below = Math.floor(2 * line) / 2
  const part = 2 * (line - below)
  return (1 - part) * Math.sign(result - below) + part * Math.sign(result - below - 0.5)
}

/** Returns the curve around a mean, from the lowest result to the highest; it need not sum to 1. */
type Table = (
  mean: number,
  size: number,
  range: Pick<MeasuredResults, 'least' | 'most'>,
) => Float64Array

const tables: Readonly<Record<MeasuredResults['curve'], Table>> = {
  normal: (mean, size, { least, most }) =>
    Float64Array.from({ length: most - least + 1 }, (_, at) =>
      Math.exp(-((least + at - mean) ** 2) / (2 * size * size)),
    ),
  poisson: (mean, _, { most }) => countsUpTo(most, Math.max(mean, smallestMean)),
  skellam(mean, size, { least, most }) {
    const [home, away] = meansOf(mean, size).map((of) => countsUpTo(most, of)) as [
      Float64Array,
      Float64Array,
    ]
    const chances = new Float64Array(most - least + 1)
    for (let scored = 0; scored <= most; scored++) {
      for (let conceded = 0; conceded <= most; conceded++) {
        const at = scored - conceded - least
        if (at >= 0 && at < chances.length) {
          chances[at] = chances[at]! + home[scored]! * away[conceded]!
        }
      }
    }
    return chances
  },
}

const smallestMean = 0.01

const countsUpTo = (most: number, mean: number) =>
  Float64Array.from({ length: most + 1 }, (_, count) => poissonProbability(count, mean))

// ---- the curves

/** Returns the chance that a standard normal value is below x, to about 1e-15 (Marsaglia 2004). */
function standardNormalBelow(x: number): number {
  if (Math.abs(x) > 8) return x > 0 ? 1 : 0
  let term = x
  let sum = x
  for (let i = 3; sum + term !== sum; i += 2) {
    term *= (x * x) / i
    sum += term
  }
  return 0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI)
}

function poissonProbability(count: number, mean: number): number {
  return count < 0 ? 0 : Math.exp(count * Math.log(mean) - mean - logFactorial(count))
}

/** Returns log n!: summed for small n, else by Stirling's series, which is exact to 1e-12 there. */
function logFactorial(n: number): number {
  if (n >= logFactorials.length) {
    const series = 1 / (12 * n) - 1 / (360 * n ** 3)
    return (n + 0.5) * Math.log(n) - n + Math.log(2 * Math.PI) / 2 + series
  }
  return logFactorials[n] as number
}

const logFactorials: readonly number[] = (() => {
  const logs = [0]
  for (let n = 1; n < 256; n++) logs.push((logs[n - 1] as number) + Math.log(n))
  return logs
})()

/** Returns the chance that a count of mean `mean1` exceeds another of mean `mean2` by exactly `by`. */
function skellamProbability(by: number, mean1: number, mean2: number): number {
  // The second count is never above this, so the sum ends here.
  const farthest = mean2 + 12 * Math.sqrt(mean2) + 20
  let sum = 0
  for (let second = Math.max(0, -by); second <= farthest; second++) {
    sum += poissonProbability(second + by, mean1) * poissonProbability(second, mean2)
  }
  return sum
}
