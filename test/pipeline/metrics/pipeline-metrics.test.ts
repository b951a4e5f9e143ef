import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import type { Missed } from '../../../pipeline/log/log.ts'
import { createPipelineMetrics } from '../../../pipeline/metrics/pipeline-metrics.ts'

const none = (): Missed => ({ counts: new Map(), last: null })
/** What metrics read of a log that has worked for nobody. */
const idle = {
  lagByPartition: async () => [],
  takeovers: () => 0,
  undecodable: none,
  deletedUnread: none,
}

it('has the lag of partitions, and no figure while it is unknown', async () => {
  const registry = new Registry()
  let now = 0
  let answer: Promise<readonly number[]> = Promise.resolve([3, 0, 4])
  const metrics = createPipelineMetrics(registry, () => now)
  const scraped = async () => {
    // A scrape returns the response requested by the scrape before.
    await registry.metrics()
    await answer.catch(() => {})
    const lines = (await registry.metrics()).split('\n')
    return lines.filter((line) => /^overround_pipeline_\w*lag_records/.test(line))
  }
  expect(await scraped()).toEqual(['overround_pipeline_lag_records Nan'])
  let askedCount = 0
  metrics.opened({
    lagByPartition() {
      askedCount++
      return answer
    },
    takeovers: () => 0,
    undecodable: none,
    deletedUnread: none,
  })
  expect(await scraped()).toEqual([
    'overround_pipeline_lag_records 7',
    'overround_pipeline_partition_lag_records{partition="0"} 3',
    'overround_pipeline_partition_lag_records{partition="1"} 0',
    'overround_pipeline_partition_lag_records{partition="2"} 4',
  ])
  expect(askedCount).toBe(1)
  now = 5_000
  answer = Promise.reject(new Error('away'))
  expect(await scraped()).toEqual(['overround_pipeline_lag_records Nan'])
  expect(askedCount).toBe(2)
})

it.each([
  ['undecodable', 'undecodable'],
  ['deletedUnread', 'deleted_unread'],
] as const)('has the records of %s, and the time of the last', async (member, name) => {
  const registry = new Registry()
  const metrics = createPipelineMetrics(registry, () => 0)
  const scraped = async () =>
    (await registry.metrics())
      .split('\n')
      .filter((line) => line.startsWith(`overround_pipeline_${name}_`))
  const counts = new Map<string, number>()
  let last: { topic: string; agoMs: number } | null = null
  expect(await scraped()).toEqual([`overround_pipeline_${name}_age_seconds Nan`])
  metrics.opened({ ...idle, [member]: () => ({ counts, last }) })
  expect(await scraped()).toEqual([`overround_pipeline_${name}_age_seconds Nan`])
  counts.set('odds', 3)
  last = { topic: 'odds', agoMs: 1_500 }
  expect(await scraped()).toEqual([
    `overround_pipeline_${name}_records_total{topic="odds"} 3`,
    `overround_pipeline_${name}_age_seconds 1.5`,
  ])
})

it('counts takeovers of every log that it has opened', async () => {
  const registry = new Registry()
  const metrics = createPipelineMetrics(registry, () => 0)
  const scraped = async () =>
    (await registry.metrics())
      .split('\n')
      .filter((line) => line.startsWith('overround_pipeline_takeovers_total'))
  const open = (takeovers: number) => metrics.opened({ ...idle, takeovers: () => takeovers })
  expect(await scraped()).toEqual(['overround_pipeline_takeovers_total 0'])
  open(3)
  expect(await scraped()).toEqual(['overround_pipeline_takeovers_total 3'])
  // Another log after an outage counts from nothing.
  open(2)
  expect(await scraped()).toEqual(['overround_pipeline_takeovers_total 5'])
})

it('continues its count after an outage, where the work restarts its own', async () => {
  const registry = new Registry()
  const metrics = createPipelineMetrics(registry, () => 0)
  const commit = (counts: ReadonlyMap<string, number>) =>
    metrics.committed!({ partition: 0, records: 1, changes: 1, traces: null, counts })
  const scraped = async () => {
    const text = await registry.getSingleMetricAsString('overround_pipeline_decisions_total')
    return text.split('\n').filter((line) => !line.startsWith('#'))
  }
  const first = new Map([['too_old', 2]])
  commit(first)
  first.set('too_old', 3)
  commit(first)
  expect(await scraped()).toEqual(['overround_pipeline_decisions_total{code="too_old"} 3'])
  commit(new Map([['too_old', 1]]))
  commit(new Map([['unknown', 4]]))
  expect(await scraped()).toEqual([
    'overround_pipeline_decisions_total{code="too_old"} 4',
    'overround_pipeline_decisions_total{code="unknown"} 4',
  ])
})
