/**
 * Counts of skips by source, reason and the source's own label: the markets of a source that its parser does not
 * support yet. Labels come from outside, so each reason keeps its first labels and counts the
 * others together.
 */

import type { Skip } from './feed.ts'

export interface SkipCount {
  readonly reason: string
  readonly count: number
  /**
   * The most frequent first; the label null counts skips without a label, and labels beyond
   * `maxLabels`.
   */
  readonly labels: readonly { readonly label: string | null; readonly count: number }[]
}

export type SkipCounts = ReturnType<typeof createSkipCounts>

/** The most labels of one reason at one source. */
const maxLabels = 50
const maxLabelLength = 100
/** The most sources, and reasons; push ingest may name any sportsbook. */
const maxSources = 500
const maxReasons = 100

export function createSkipCounts() {
  const bySource = new Map<string, Map<string, Map<string | null, number>>>()
  return {
    add(source: string, { reason, label }: Skip) {
      const reasons = memberOf(bySource, source, maxSources)
      const labels = reasons && memberOf(reasons, reason, maxReasons)
      if (!labels) return
      const named = label === undefined ? null : label.slice(0, maxLabelLength)
      const key = labels.has(named) || labels.size < maxLabels ? named : null
      labels.set(key, (labels.get(key) ?? 0) + 1)
    },
    /** Returns the counts since the start, the most frequent reason first; empty for a source that skipped nothing. */
    of: (source: string): readonly SkipCount[] =>
      [...(bySource.get(source) ?? [])].map(countOf).sort((a, b) => b.count - a.count),
    /** Returns the sources that skipped anything. */
    sources: (): readonly string[] => [...bySource.keys()],
  }
}

/** Returns the map under a key; creates it if there is room for one more. */
function memberOf<Key, Value>(maps: Map<string, Map<Key, Value>>, key: string, max: number) {
  const known = maps.get(key)
  if (known || maps.size >= max) return known
  const made = new Map<Key, Value>()
  maps.set(key, made)
  return made
}

function countOf([reason, labels]: [string, ReadonlyMap<string | null, number>]): SkipCount {
  const counted = [...labels].map(([label, count]) => ({ label, count }))
  const count = counted.reduce((sum, one) => sum + one.count, 0)
  return { reason, count, labels: counted.sort((a, b) => b.count - a.count) }
}
