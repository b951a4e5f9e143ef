/** The consensus of several sportsbooks' no-vig probabilities. */

/** The least number of other sportsbooks for a consensus. */
export const leastOthers = 3

/**
 * Returns the median probability of each outcome, scaled to sum to 1. One wrong sportsbook moves a
 * median less than a mean; if none is wrong, both forecast equally well (Jose and Winkler (2008),
 * "Simple robust averages of forecasts", doi 10.1016/j.ijforecast.2007.06.001, and
 * `test/oracle/consensus.nightly.test.ts`).
 * @param markets one or more lists of probabilities of the same outcomes
 */
export function medianOf(markets: readonly (readonly number[])[]): number[] {
  const medians = markets[0]!.map((_, outcome) => median(markets.map((market) => market[outcome]!)))
  const sum = medians.reduce((total, one) => total + one, 0)
  return medians.map((one) => one / sum)
}

function median(values: number[]): number {
  values.sort((a, b) => a - b)
  const half = values.length >> 1
  return values.length % 2 === 1 ? values[half]! : (values[half - 1]! + values[half]!) / 2
}
