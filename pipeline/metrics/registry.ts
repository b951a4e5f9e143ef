/** Prometheus metrics that all processes have, and helpers to register figures that are read when scraped. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { projectRoot } from '../../schemas/project-root.ts'
import type { Log, Missed } from '../log/log.ts'

/** A figure that is read when it is scraped. */
export interface Read {
  readonly name: string
  readonly help: string
  /** NaN when it is unknown. */
  readonly read: () => number
}

/** Figures by the value of one label, read when they are scraped. */
export interface ReadEach {
  readonly name: string
  readonly help: string
  readonly label: string
  readonly read: () => Iterable<readonly [value: string, figure: number]>
}

/** Gauges of the library that are named like counters; they are left out. */
const misnamed = ['handles', 'requests', 'resources'].map((of) => `nodejs_active_${of}_total`)

/**
 * Creates a registry with the metrics of the process: event loop, garbage collection, memory. @param role as in
 * `OVERROUND_ROLE`
 */
export function createRegistry(role: string): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of misnamed) registry.removeSingleMetric(name)
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
  new Gauge({
    name: 'overround_build_info',
    help: 'Always 1; the labels say what runs.',
    labelNames: ['version', 'role'],
    registers: [registry],
  }).set({ version, role }, 1)
  return registry
}

export function addRead(registry: Registry, { name, help, read }: Read) {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read())
    },
  })
}

export function addReadEach(registry: Registry, { name, help, label, read }: ReadEach) {
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset()
      for (const [value, figure] of read()) this.set({ [label]: value }, figure)
    },
  })
}

/** Creates a registry for a pipeline in a thread beside an API; the API's registry has the metrics of the process. */
export function createThreadRegistry(): Registry {
  const registry = new Registry()
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  addRead(registry, {
    name: 'overround_pipeline_thread_delay_p99_seconds',
    help: 'As nodejs_eventloop_lag_p99_seconds, which is that of the API, for the thread of the pipeline.',
    read() {
      const seconds = delay.percentile(99) / 1e9
      delay.reset()
      return seconds
    },
  })
  return registry
}

/** The members of a log that metrics read. */
export type ReadLog = Pick<
  Log,
  | 'certificates'
  | 'clockDifferenceMs'
  | 'isFull'
  | 'outage'
  | 'refusedWrites'
  | 'registryOutage'
  | 'stuck'
  | 'topicFaults'
>

/** Adds metrics of the log for both roles. @param log null before it is opened */
export function addLogReads(registry: Registry, log: () => ReadLog | null) {
  addRead(registry, {
    name: 'overround_log_outage_seconds',
    help: 'For how long the log has not answered; 0 while it does.',
    read() {
      const outage = log()?.outage()
      return outage ? outage.forMs / 1_000 : 0
    },
  })
  addRead(registry, {
    name: 'overround_log_full',
    help: '1 while the log has no room, and writes are refused.',
    read: () => (log()?.isFull() ? 1 : 0),
  })
  addRead(registry, {
    name: 'overround_log_registry_outage_seconds',
    help: 'For how long the schema registry has not answered; 0 while it does.',
    read: () => (log()?.registryOutage()?.forMs ?? 0) / 1_000,
  })
  addRead(registry, {
    name: 'overround_log_refused_seconds',
    help: 'For how long the log has refused writes to a topic: a right is missing, or our clock is wrong; 0 while it does not.',
    read: () => (log()?.refusedWrites()?.forMs ?? 0) / 1_000,
  })
  addRead(registry, {
    name: 'overround_log_clock_ahead_seconds',
    help: 'How far the clock of the service is ahead of the brokers, below 0 behind; NaN while unknown.',
    read: () => (log()?.clockDifferenceMs() ?? Number.NaN) / 1_000,
  })
  addReadEach(registry, {
    name: 'overround_log_certificate_seconds',
    help: 'Time until a certificate of the connections to the brokers ends: our own, and the first of the brokers.',
    label: 'whose',
    read: () =>
      (log()?.certificates() ?? []).map(
        ({ whose, endsAt }) => [whose, (endsAt - Date.now()) / 1_000] as const,
      ),
  })
  new Gauge({
    name: 'overround_log_stuck_seconds',
    help: 'For how long a transaction that does not end has held up a partition; absent where none does for a minute.',
    labelNames: ['topic', 'partition'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { topic, partition, forMs } of log()?.stuck() ?? []) {
        this.set({ topic, partition }, forMs / 1_000)
      }
    },
  })
  new Gauge({
    name: 'overround_log_topic_faults',
    help: '1 for what of a topic was deleted or changed since the log was opened, so that records are lost or none can be written.',
    labelNames: ['topic', 'setting'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { topic, setting } of log()?.topicFaults() ?? []) this.set({ topic, setting }, 1)
    },
  })
}

/**
 * Adds the number of the log's records that this part of a process could not decode.
 * @param log null before it is opened
 */
export function addUndecodable(
  registry: Registry,
  side: 'api' | 'pipeline',
  log: () => Pick<Log, 'undecodable'> | null,
) {
  addMissed(registry, {
    name: `overround_${side}_undecodable`,
    help: 'Records of the log that were left out because they could not be decoded, each time they were read, by topic.',
    ageHelp: 'Time since the last undecodable record was read; NaN without one.',
    missed: () => log()?.undecodable(),
  })
}

/**
 * Adds the number of the log's records that were deleted before the groups of this part of a process had read them.
 * @param log null before it is opened
 */
export function addDeletedUnread(
  registry: Registry,
  side: 'api' | 'pipeline',
  log: () => Pick<Log, 'deletedUnread'> | null,
) {
  addMissed(registry, {
    name: `overround_${side}_deleted_unread`,
    help: 'Records of the log that were deleted before the pipelines or the archiver had read them, by topic.',
    ageHelp: 'Time since such records were found; NaN without any.',
    missed: () => log()?.deletedUnread(),
  })
}

interface MissedRecords {
  /** The names of both metrics begin with it. */
  readonly name: string
  readonly help: string
  readonly ageHelp: string
  readonly missed: () => Missed | undefined
}

function addMissed(registry: Registry, { name, help, ageHelp, missed }: MissedRecords) {
  new Counter({
    name: `${name}_records_total`,
    help,
    labelNames: ['topic'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [topic, count] of missed()?.counts ?? []) this.inc({ topic }, count)
    },
  })
  // The counter starts at 0, because one that starts higher shows no increase: faults found at the
  // start would raise no alert.
  addRead(registry, {
    name: `${name}_age_seconds`,
    help: ageHelp,
    read: () => (missed()?.last?.agoMs ?? Number.NaN) / 1e3,
  })
}
