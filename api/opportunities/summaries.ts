/** What summaries say of many items: counts by name, averages and extremes. */

import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import type { Priced } from './kind.ts'

/** How many items there are of each, by name. */
export function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string) {
  const counts = new Map<string, number>()
  for (const item of items) {
    const key = keyOf(item)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return Object.fromEntries([...counts].sort(([a], [b]) => compareTexts(a, b)))
}

export const sportOf = ({ event }: Priced) => event.row.sport
export const marketOf = ({ legs }: Priced) => legs[0]!.marketType
export const bookOf = ({ legs }: Priced) => legs[0]!.sportsbook

export const averageOf = (values: readonly number[]) =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

/** 0 for none. */
export const maxOf = (values: readonly number[]) =>
  values.reduce((most, value) => Math.max(most, value), values[0] ?? 0)
export const minOf = (values: readonly number[]) =>
  values.reduce((least, value) => Math.min(least, value), values[0] ?? 0)
