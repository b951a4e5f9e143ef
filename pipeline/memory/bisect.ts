/**
 * Returns the first index in `low` to `high - 1` for which `isBefore` is false; `high` if there is none. The items must
 * be in order: `isBefore` is true up to some index and false from there on.
 */
export function bisect(low: number, high: number, isBefore: (index: number) => boolean): number {
  let from = low
  let to = high
  while (from < to) {
    const middle = (from + to) >>> 1
    if (isBefore(middle)) from = middle + 1
    else to = middle
  }
  return from
}
