/** The course of one price for a chart. A price holds until it changes; there is a gap while it is suspended. */

export interface Course {
  /** Name of its colour in the style sheets. */
  readonly stroke: string
  readonly style: 'solid' | 'dashed' | 'dotted'
  /** Ascending times (s), each with the price from then on (decimal odds); null for a gap. */
  readonly times: readonly number[]
  readonly prices: readonly (number | null)[]
  readonly isReference: boolean
}

export interface CoursePoint {
  readonly at: string
  readonly odds_decimal: number | null
}

/** Least distance of two points (s), because the chart needs ascending times. */
const leastStep = 0.001

/**
 * @param now epoch ms: the last price holds until then
 */
export function timesAndPrices(
  points: readonly CoursePoint[],
  now: number,
): Pick<Course, 'times' | 'prices'> {
  const times: number[] = []
  const prices: (number | null)[] = []
  let held: number | null = null
  const add = (at: number, price: number | null) => {
    // Clocks of two sources may differ, so times never go back.
    const last = times.at(-1)
    times.push(last === undefined ? at : Math.max(at, last + leastStep))
    prices.push(price)
  }
  for (const { at, odds_decimal: price } of points) {
    const time = Date.parse(at) / 1_000
    // Draws the held price up to the gap.
    if (price === null && held !== null) add(time - leastStep, held)
    add(time, price)
    held = price
  }
  if (held !== null) add(now / 1_000, held)
  return { times, prices }
}

/** Returns the price at each time of `all`; null before the first price and in gaps. */
export function heldAt(
  { times, prices }: Pick<Course, 'times' | 'prices'>,
  all: readonly number[],
): (number | null)[] {
  let at = -1
  return all.map((time) => {
    while (at + 1 < times.length && times[at + 1]! <= time) at++
    return at < 0 ? null : prices[at]!
  })
}
