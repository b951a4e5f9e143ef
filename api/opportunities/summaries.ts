/** Summaries of many opportunities: counts by name, averages and extremes. */

import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import type { Valued } from '../../pipeline/views/opportunities/priced.ts'
import type { SummaryShape } from './kind.ts'

export interface Summary {
  readonly count: number
  add(one: Valued, by: 1 | -1): void
  /** Returns `meta.summary`. @param extreme the greatest or least figure; undefined for no items */
  shown(extreme: number | undefined): object
}

export function createSummary<Figures extends object>({
  figure,
  counts,
}: SummaryShape<Figures>): Summary {
  const members = Object.entries(counts).map(([name, countedBy]) => ({
    name,
    countedBy,
    times: new Map<string, number>(),
  }))
  let count = 0
  /** In hundredths, because whole numbers have the same sum in any order. */
  let sum = 0
  return {
    get count() {
      return count
    },
    add(one, by) {
      count += by
      if (figure) sum += by * Math.round(100 * figure.of(one.figures as Figures))
      for (const { countedBy, times } of members) countOf(times, one[countedBy], by)
    },
    shown: (extreme) => ({
      count,
      ...(figure && {
        [figure.average]: count === 0 ? 0 : Math.round(sum / count) / 100,
        [figure.extreme]: extreme ?? 0,
      }),
      ...Object.fromEntries(members.map(({ name, times }) => [name, byName(times)])),
    }),
  }
}

function countOf(counts: Map<string, number>, key: string, by: number) {
  const times = (counts.get(key) ?? 0) + by
  if (times === 0) counts.delete(key)
  else counts.set(key, times)
}

const byName = (counts: ReadonlyMap<string, number>) =>
  Object.fromEntries([...counts].sort(([a], [b]) => compareTexts(a, b)))

/** Counts the items of each key, sorted by key. */
export function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string) {
  const counts = new Map<string, number>()
  for (const item of items) countOf(counts, keyOf(item), 1)
  return byName(counts)
}

export const averageOf = (values: readonly number[]) =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
