/** The course of one price as a chart draws it: held until it changes, and open where no bet was taken. */

export interface Course {
  readonly name: string
  /** Seconds, rising, and the price from then on (decimal odds); null where there is none. */
  readonly times: readonly number[]
  readonly prices: readonly (number | null)[]
  readonly isReference: boolean
}

export interface CoursePoint {
  readonly at: string
  readonly odds_decimal: number | null
}

/** The least that a time is before another in the chart (s). */
const leastStep = 0.001

/**
 * @param now epoch ms: a price that is offered holds until then
 */
export function timesAndPrices(
  points: readonly CoursePoint[],
  now: number,
): Pick<Course, 'times' | 'prices'> {
  const times: number[] = []
  const prices: (number | null)[] = []
  let held: number | null = null
  const add = (at: number, price: number | null) => {
    // Of two sources' clocks one may be behind: the line goes on, and never back.
    const last = times.at(-1)
    times.push(last === undefined ? at : Math.max(at, last + leastStep))
    prices.push(price)
  }
  for (const { at, odds_decimal: price } of points) {
    const time = Date.parse(at) / 1_000
    // Up to the end: the line would stop at the change before it.
    if (price === null && held !== null) add(time - leastStep, held)
    add(time, price)
    held = price
  }
  if (held !== null) add(now / 1_000, held)
  return { times, prices }
}

/** The prices at each of the times: a price holds until the next; null before the first, and where there is none. */
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
