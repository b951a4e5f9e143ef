import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { createPipelineMetrics } from '../../../pipeline/metrics/pipeline-metrics.ts'

it('counts on behind an outage, where the work counts anew', async () => {
  const registry = new Registry()
  const metrics = createPipelineMetrics(registry, () => 0)
  const commit = (counts: ReadonlyMap<string, number>) =>
    metrics.committed!({ records: 1, changes: 1, counts })
  const said = async () => {
    const text = await registry.getSingleMetricAsString('overround_pipeline_decisions_total')
    return text.split('\n').filter((line) => !line.startsWith('#'))
  }
  const first = new Map([['too_old', 2]])
  commit(first)
  first.set('too_old', 3)
  commit(first)
  expect(await said()).toEqual(['overround_pipeline_decisions_total{code="too_old"} 3'])
  commit(new Map([['too_old', 1]]))
  commit(new Map([['unknown', 4]]))
  expect(await said()).toEqual([
    'overround_pipeline_decisions_total{code="too_old"} 4',
    'overround_pipeline_decisions_total{code="unknown"} 4',
  ])
})
