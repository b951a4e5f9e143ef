/**
 * The prices that a sportsbook can show, as an ascending ladder, and how a probability becomes one
 * of its steps. Sportsbooks differ in their grids: American fives, American ones, decimal ticks.
 */

export interface PriceGrid {
  /** Decimal odds, ascending. */
  readonly prices: Float64Array
  /** 1 / price of the same step. */
  readonly implied: Float64Array
  /** The step nearest to an implied probability, given in 1/resolution. */
  readonly stepOf: Uint16Array
}

export const gridNames = [
  'american_5',
  'american_1',
  'decimal_fine',
  'decimal_ticks',
  'cents',
] as const
export type GridName = (typeof gridNames)[number]

const resolution = 8192

/**
 * Returns decimal odds by one division, so that +114 is exactly 2.14 and not 1 + 1.14 with its
 * rounding error.
 */
function decimalOf(american: number): number {
  return american > 0 ? (american + 100) / 100 : (100 - american) / -american
}

/** Returns American prices up to 10000, in steps that grow with the price. */
function american(step: number): number[] {
  const prices: number[] = []
  const widths = [
    [100, 200, step],
    [200, 400, Math.max(step, 2)],
    [400, 1000, Math.max(step, 10)],
    [1000, 2000, 50],
    [2000, 5000, 250],
    [5000, 10001, 1000],
  ] as const
  for (const [from, to, width] of widths) {
    for (let odds = from; odds < to; odds += width) {
      prices.push(decimalOf(odds))
      // +100 and -100 are one price.
      if (odds > 100) prices.push(decimalOf(-odds))
    }
  }
  return prices
}

/** Returns decimal prices from 1.01 in these widths, each up to the next bound. */
function decimal(widths: readonly (readonly [upTo: number, cents: number])[]): number[] {
  const prices: number[] = []
  let cents = 101
  for (const [upTo, width] of widths) {
    for (; cents < upTo * 100; cents += width) prices.push(cents / 100)
  }
  return prices
}

/** Returns prices of contract exchanges, in cents for a contract that pays a dollar on yes. */
function contractCents(): number[] {
  const prices: number[] = []
  for (let cents = 1; cents < 100; cents++) prices.push(Math.round(100_000 / cents) / 1000)
  return prices
}

function createGrid(unsorted: readonly number[]): PriceGrid {
  const prices = Float64Array.from(unsorted).sort()
  const implied = prices.map((price) => 1 / price)
  const stepOf = new Uint16Array(resolution + 1)
  // Implied probability falls as the price rises: walk both from the short end.
  let step = 0
  for (let i = resolution; i >= 0; i--) {
    const wanted = i / resolution
    while (
      step + 1 < prices.length &&
      Math.abs(implied[step + 1]! - wanted) <= Math.abs(implied[step]! - wanted)
    ) {
      step++
    }
    stepOf[i] = step
  }
  return { prices, implied, stepOf }
}

export const priceGrids: Readonly<Record<GridName, PriceGrid>> = {
  american_5: createGrid(american(5)),
  american_1: createGrid(american(1)),
  decimal_fine: createGrid(
    decimal([
      [3, 1],
      [5, 5],
      [10, 10],
      [20, 50],
      [101, 100],
    ]),
  ),
  decimal_ticks: createGrid(
    decimal([
      [2, 1],
      [3, 2],
      [4, 5],
      [6, 10],
      [10, 20],
      [20, 50],
      [101, 100],
    ]),
  ),
  cents: createGrid(contractCents()),
}

/** Returns the step with the nearest implied probability; probabilities outside (0, 1) give an end. */
export function nearestStep(grid: PriceGrid, implied: number): number {
  const at = implied <= 0 ? 0 : implied >= 1 ? resolution : (implied * resolution + 0.5) | 0
  return grid.stepOf[at]!
}
