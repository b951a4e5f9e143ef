/** Prometheus metrics of a pipeline: commits, left-out records, partitions, lag. */

import { Counter, Gauge, type Registry } from 'prom-client'
import type { Log } from '../log/log.ts'
import { serviceProcessor } from '../processors/service-processor.ts'
import type { PipelineWatcher } from '../run/pipeline-watcher.ts'
import { createPolledFigure, type PolledFigure } from './polled-figure.ts'
import { addDeletedUnread, addReadEach, addUndecodable } from './registry.ts'

type OpenedLog = Pick<Log, 'deletedUnread' | 'lagByPartition' | 'takeovers' | 'undecodable'>

export interface PipelineMetrics extends Partial<PipelineWatcher> {
  opened(log: OpenedLog): void
}

/** @param monotonic ms */
export function createPipelineMetrics(
  registry: Registry,
  monotonic: () => number,
): PipelineMetrics {
  const registers = [registry]
  const { inputs, name: group } = serviceProcessor([])
  let openedLog: OpenedLog | null = null
  let lag: PolledFigure<readonly number[]> | null = null

  const counter = (name: string, help: string) => new Counter({ name, help, registers })
  const records = counter(
    'overround_pipeline_records_total',
    'Records of feeds that were committed.',
  )
  const changes = counter(
    'overround_pipeline_changes_total',
    'Rows of tables that commits changed.',
  )
  const commits = counter('overround_pipeline_commits_total', 'Batches that were committed.')
  const ticks = counter(
    'overround_pipeline_ticks_total',
    'Ticks of the clock that this pipeline appended.',
  )
  const assigned = counter(
    'overround_pipeline_partitions_assigned_total',
    'Partitions that came to this pipeline.',
  )
  const restored = counter('overround_pipeline_rows_restored_total', 'Rows that were restored.')
  const restoring = counter(
    'overround_pipeline_restore_seconds_total',
    'How long restoring took, of all partitions together.',
  )
  const outages = counter(
    'overround_pipeline_log_failures_total',
    'Times that work ended because the log did not answer.',
  )
  const strangers = counter(
    'overround_pipeline_strangers_total',
    'Processes of other deployments that tried to start on this log.',
  )
  new Counter({
    name: 'overround_pipeline_takeovers_total',
    help: 'Times that another process took over what this pipeline still held: it was too slow for its group.',
    registers,
    collect() {
      this.reset()
      this.inc(takenBefore + (openedLog?.takeovers() ?? 0))
    },
  })
  const partitions = new Gauge({
    name: 'overround_pipeline_partitions',
    help: 'Partitions that this pipeline has.',
    registers,
  })
  let counts: ReadonlyMap<string, number> = new Map()
  /** Sums of counts before outages of the log: after an outage, counts start at 0 again. */
  const before = new Map<string, number>()
  new Counter({
    name: 'overround_pipeline_decisions_total',
    help: 'Counts of decisions, by code: left-out records by reason, opportunities that came and went.',
    labelNames: ['code'],
    registers,
    collect() {
      this.reset()
      for (const [code, count] of [...before, ...counts]) this.inc({ code }, count)
    },
  })
  new Gauge({
    name: 'overround_pipeline_lag_records',
    help: 'Records of feeds that no pipeline has committed, of the whole group.',
    registers,
    collect() {
      const records = lag?.last()
      this.set(records ? records.reduce((sum, more) => sum + more, 0) : Number.NaN)
    },
  })
  addReadEach(registry, {
    name: 'overround_pipeline_partition_lag_records',
    help: 'Records of feeds that no pipeline has committed, by partition.',
    label: 'partition',
    read: () =>
      (lag?.last() ?? []).map((records, partition) => [String(partition), records] as const),
  })
  addUndecodable(registry, 'pipeline', () => openedLog)
  addDeletedUnread(registry, 'pipeline', () => openedLog)
  let owned = 0
  /** The takeovers counted by earlier logs of this process. */
  let takenBefore = 0

  return {
    opened(log) {
      takenBefore += openedLog?.takeovers() ?? 0
      openedLog = log
      lag = createPolledFigure(() => log.lagByPartition(inputs, group), monotonic)
    },
    ticked: () => ticks.inc(),
    logAway: () => outages.inc(),
    strangerCame: () => strangers.inc(),
    assigned() {
      assigned.inc()
      partitions.set(++owned)
    },
    released() {
      partitions.set(--owned)
    },
    restored({ rows, durationMs }) {
      restored.inc(rows)
      restoring.inc(durationMs / 1_000)
    },
    committed(batch) {
      records.inc(batch.records)
      changes.inc(batch.changes)
      commits.inc()
      if (batch.counts === counts) return
      for (const [code, count] of counts) before.set(code, (before.get(code) ?? 0) + count)
      counts = batch.counts
    },
  }
}
