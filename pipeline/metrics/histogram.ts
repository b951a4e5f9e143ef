/**
 * A Prometheus histogram for hot paths: an observation costs a few nanoseconds, because it counts in an array per
 * label value. The library's own builds a text key for each observation.
 */

import type { Metric, Registry } from 'prom-client'

export interface Histogram {
  /** @param label the value of the only label @param seconds a value below 0 counts as 0 */
  observe(label: string, seconds: number): void
}

export interface HistogramOptions {
  /** The metric's name, which ends in `_seconds`. */
  readonly name: string
  readonly help: string
  readonly label: string
  /** Upper bounds of the buckets (seconds), ascending. */
  readonly bounds: readonly number[]
}

/**
 * The most series; further label values are counted together, so that input cannot make a scrape grow without bound.
 */
const mostSeries = 500
const others = 'others'

interface Series {
  /** Counts by bucket, not cumulative; the last is above all bounds. */
  readonly counts: Float64Array
  sum: number
}

export function createHistogram(
  registry: Registry,
  { name, help, label, bounds }: HistogramOptions,
): Histogram {
  const series = new Map<string, Series>()

  function seriesOf(value: string): Series {
    const known = series.get(value)
    if (known) return known
    const key = series.size < mostSeries ? value : others
    const made = series.get(key) ?? { counts: new Float64Array(bounds.length + 1), sum: 0 }
    series.set(key, made)
    return made
  }

  function* valuesOf(value: string, { counts, sum }: Series) {
    const labels = { [label]: value }
    let count = 0
    for (const [place, bucketCount] of counts.entries()) {
      count += bucketCount
      const le = place < bounds.length ? bounds[place]! : '+Inf'
      yield { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count }
    }
    yield { metricName: `${name}_sum`, labels, value: sum }
    yield { metricName: `${name}_count`, labels, value: count }
  }

  const metric = {
    name,
    get: async () => ({
      name,
      help,
      type: 'histogram',
      aggregator: 'sum',
      values: [...series].flatMap(([value, of]) => [...valuesOf(value, of)]),
    }),
    reset: () => series.clear(),
  }
  // The registry needs only `name` and `get`, though its types require more.
  registry.registerMetric(metric as unknown as Metric)
  return {
    observe(value, seconds) {
      const entry = seriesOf(value)
      let place = 0
      while (place < bounds.length && seconds > bounds[place]!) place++
      entry.counts[place]!++
      entry.sum += Math.max(0, seconds)
    },
  }
}
