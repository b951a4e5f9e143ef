/**
 * The closing-line value of many closes: its mean and the mean's confidence interval.
 *
 * The samples of one event are not independent: its outcomes exclude each other, and news moves
 * them all. So the interval uses events as clusters.
 */

/** Sums of samples over their events: `n` samples of one event with the sum `s`. */
export interface SampleSums {
  readonly events: number
  /** Σ n */
  readonly samples: number
  /** Σ s */
  readonly total: number
  /** Σ s², Σ s n and Σ n² */
  readonly squares: number
  readonly products: number
  readonly sizes: number
}

export interface Mean {
  readonly mean: number
  /**
   * Half of the 95 % confidence interval; null for fewer than two events, or if the events do not
   * differ.
   */
  readonly margin: number | null
}

/**
 * Returns the mean of all samples, with the interval that clusters of events give: m ± t √V, where
 * V = G / (G - 1) Σ (s - m n)² / (Σ n)² over the G events, and t is Student's with G - 1 degrees.
 * If all samples are equal, such as bets that have all lost, the interval would have no width,
 * which is wrong: they have no interval.
 * @returns null for no samples
 * Source: Cameron and Miller (2015), "A practitioner's guide to cluster-robust inference",
 * doi 10.3368/jhr.50.2.317, of a regression on a constant alone; Brown, Cai and DasGupta (2001), "Interval estimation
 * for a binomial proportion", doi 10.1214/ss/1009213286, of samples that are all won or all lost
 */
export function clusteredMean(of: SampleSums): Mean | null {
  const { events, samples, total, squares, products, sizes } = of
  if (samples === 0) return null
  const mean = total / samples
  if (events < 2) return { mean, margin: null }
  // If all are equal, rounding may leave a sum of squares just below 0.
  const spread = Math.max(0, squares - 2 * mean * products + mean * mean * sizes)
  const deviation = Math.sqrt((events / (events - 1)) * spread) / samples
  const rounding = 2 * events * Number.EPSILON * (squares + mean * mean * sizes)
  const isEqual = spread <= rounding || deviation < leastDeviation
  return { mean, margin: isEqual ? null : studentT(events - 1) * deviation }
}

/** Fractions that differ by less count as equal. */
const leastDeviation = 1e-12

/** The 0.975 quantile of Student's t for 1 to 9 degrees. Source: NIST/SEMATECH e-Handbook, 1.3.6.7.2 */
const smallT = [12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.306, 2.2622]

/** The same quantile of the normal distribution. */
const normal = 1.959963984540054

/**
 * Returns the 0.975 quantile of Student's t, to 1e-4 or better.
 * Source: Abramowitz and Stegun 26.7.5, from ten degrees on
 */
export function studentT(degrees: number): number {
  const small = smallT[degrees - 1]
  if (small !== undefined) return small
  const z = normal
  const z2 = z * z
  const first = (z * (z2 + 1)) / 4
  const second = (z * (5 * z2 * z2 + 16 * z2 + 3)) / 96
  const third = (z * (3 * z2 ** 3 + 19 * z2 * z2 + 17 * z2 - 15)) / 384
  const fourth = (z * (79 * z2 ** 4 + 776 * z2 ** 3 + 1_482 * z2 * z2 - 1_920 * z2 - 945)) / 92_160
  return z + first / degrees + second / degrees ** 2 + third / degrees ** 3 + fourth / degrees ** 4
}
