/**
 * Remembers what was computed plainly, for as long as all that it follows from is the same. The slow ones look at a
 * whole board after every batch, of which most did not change: a row that changes is another object.
 */

/** Computes a result, or returns the one known by the key if it was computed from the same values. */
export type Memory<Result> = (
  key: string,
  from: readonly unknown[],
  compute: () => Result,
) => Result

export function createMemory<Result>(): Memory<Result> {
  const known = new Map<string, { readonly from: readonly unknown[]; readonly result: Result }>()
  return (key, from, compute) => {
    const before = known.get(key)
    if (before && isSame(before.from, from)) return before.result
    const result = compute()
    known.set(key, { from, result })
    return result
  }
}

/** Returns the function with its results kept by row; what it returns may depend on the row alone. */
export function byRow<Row extends object, Result>(compute: (row: Row) => Result) {
  const known = new WeakMap<Row, Result>()
  return (row: Row): Result => {
    const before = known.get(row)
    if (before !== undefined) return before
    const result = compute(row)
    known.set(row, result)
    return result
  }
}

const isSame = (one: readonly unknown[], other: readonly unknown[]) =>
  one.length === other.length && one.every((value, at) => value === other[at])
