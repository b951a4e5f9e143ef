/**
 * What summaries say of many items: counts by name, averages and extremes. A summary of some items and one
 * of others add up to one of all.
 */

import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import type { Item, Priced, SummaryShape } from './kind.ts'
import { rounded } from './quotes.ts'

export interface Summary {
  count: number
  sum: number
  /** NaN for no items. */
  extreme: number
  /** In the order of the shape. */
  readonly counts: readonly Map<string, number>[]
}

export const emptySummary = ({ counts }: SummaryShape): Summary => ({
  count: 0,
  sum: 0,
  extreme: Number.NaN,
  counts: Object.keys(counts).map(() => new Map()),
})

export function summaryOf<Figures extends object>(
  shape: SummaryShape<Figures>,
  items: readonly Item<Figures>[],
): Summary {
  const { figure, counts } = shape
  const summary = emptySummary(shape as SummaryShape)
  const keysOf = Object.values(counts)
  summary.count = items.length
  for (const item of items) {
    if (figure) {
      const value = figure.of(item.figures)
      summary.sum += value
      summary.extreme = moreExtreme(summary.extreme, value, figure.isLeast)
    }
    for (let i = 0; i < keysOf.length; i++) count(summary.counts[i]!, keysOf[i]!(item), 1)
  }
  return summary
}

export function addSummary({ figure }: SummaryShape, to: Summary, other: Summary) {
  to.count += other.count
  to.sum += other.sum
  if (figure) to.extreme = moreExtreme(to.extreme, other.extreme, figure.isLeast)
  for (let i = 0; i < to.counts.length; i++) {
    for (const [key, times] of other.counts[i]!) count(to.counts[i]!, key, times)
  }
}

/** As `meta.summary` has it. */
export function shownSummary({ figure, counts }: SummaryShape, summary: Summary): object {
  return {
    count: summary.count,
    ...(figure && {
      [figure.average]: rounded(summary.count === 0 ? 0 : summary.sum / summary.count, 2),
      [figure.extreme]: summary.count === 0 ? 0 : summary.extreme,
    }),
    ...Object.fromEntries(Object.keys(counts).map((name, i) => [name, byName(summary.counts[i]!)])),
  }
}

function moreExtreme(known: number, value: number, isLeast: boolean): number {
  if (Number.isNaN(value)) return known
  return Number.isNaN(known) || (isLeast ? value < known : value > known) ? value : known
}

function count(counts: Map<string, number>, key: string, times: number) {
  counts.set(key, (counts.get(key) ?? 0) + times)
}

const byName = (counts: ReadonlyMap<string, number>) =>
  Object.fromEntries([...counts].sort(([a], [b]) => compareTexts(a, b)))

/** How many items there are of each, by name. */
export function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string) {
  const counts = new Map<string, number>()
  for (const item of items) count(counts, keyOf(item), 1)
  return byName(counts)
}

export const sportOf = ({ event }: Priced) => event.row.sport
export const marketOf = ({ legs }: Priced) => legs[0]!.marketType
export const bookOf = ({ legs }: Priced) => legs[0]!.sportsbook

export const averageOf = (values: readonly number[]) =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
