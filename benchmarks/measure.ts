/** Medians, percentiles and results of all benchmarks. */

export interface Result {
  /** A description of the measurement. */
  readonly name: string
  readonly unit: string
  readonly value: number
  /** More figures, in display order. */
  readonly figures: Readonly<Record<string, number | string>>
  readonly goal: string
}

export function percentile(sorted: readonly number[], fraction: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(fraction * sorted.length))] ?? Number.NaN
}

export const ascending = (values: Iterable<number>) => [...values].sort((a, b) => a - b)

export const median = (values: Iterable<number>) => percentile(ascending(values), 0.5)

/** Prints the results as the last line, where `run.ts` reads them. */
export function printResults(results: readonly Result[]) {
  console.log(JSON.stringify(results))
}

export const range = (values: readonly number[]) =>
  `${rounded(Math.min(...values))}..${rounded(Math.max(...values))}`

export const rounded = (value: number, digits = 0) => Number(value.toFixed(digits))
