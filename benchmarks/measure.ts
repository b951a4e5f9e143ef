/** What benchmarks share: medians, percentiles, and the form of a result. */

export interface Result {
  /** What was measured, in words. */
  readonly name: string
  readonly unit: string
  readonly value: number
  /** Further figures, in the order they are shown. */
  readonly figures: Readonly<Record<string, number | string>>
  readonly goal: string
}

export function percentile(sorted: readonly number[], fraction: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(fraction * sorted.length))] ?? Number.NaN
}

export const ascending = (values: Iterable<number>) => [...values].sort((a, b) => a - b)

export const median = (values: Iterable<number>) => percentile(ascending(values), 0.5)

/** A benchmark file runs in a process of its own and prints its results as the last line. */
export function printResults(results: readonly Result[]) {
  console.log(JSON.stringify(results))
}

export const range = (values: readonly number[]) =>
  `${rounded(Math.min(...values))}..${rounded(Math.max(...values))}`

export const rounded = (value: number, digits = 0) => Number(value.toFixed(digits))
