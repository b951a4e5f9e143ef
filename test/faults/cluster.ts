/**
 * A whole deployment of real processes: brokers, a schema registry, pipelines and APIs, each of which can be
 * stopped and restarted by itself.
 */

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Kafka, logLevel } from 'kafkajs'
import { findFreePort, shortLived } from '../../infra/kafka-local/jvm.ts'
import { startLocalKafka } from '../../infra/kafka-local/kafka-local.ts'
import type { LocalProcess } from '../../infra/kafka-local/local-kafka.ts'
import { type LiveSource, openLiveSource } from '../live-source.ts'
import { type Service, startService } from '../service.ts'
import { type ClickHouse, startClickHouse } from './clickhouse.ts'
import { type Disk, openDisk } from './disk.ts'
import { createNodePaths, openWay, type Way } from './network.ts'

export const adminToken = 'admin-token-12345'
export const ingestToken = 'ingest-token-12345'
export const topicPrefix = 'faults.'
export const partitionCount = Number(process.env.OVERROUND_TEST_PARTITIONS ?? 4)

export interface ClusterOptions {
  readonly directory: string
  readonly brokers: number
  readonly pipelines: number
  readonly apis: number
}

export interface Member {
  readonly name: string
  /** Base URL of an API: `http://127.0.0.1:<port>/api/v1`. */
  readonly base: string
  /** Starts it and waits until it is ready. @param root root of another build; default: this one */
  start(root?: string): Promise<void>
  /** Sends SIGTERM. @returns the exit code */
  stop(): Promise<number | null>
  kill(): Promise<void>
  pause(): void
  resume(): void
  state(): Promise<string>
}

export interface Cluster {
  readonly brokers: readonly LocalProcess[]
  /** The network path to each broker. */
  readonly ways: readonly Way[]
  /** The disk of each broker; null where none can be mounted. */
  readonly disks: readonly (Disk | null)[]
  /** Cuts a broker, by id, off from the others, not from its clients. @returns what restores its paths */
  isolate(broker: number): () => void
  readonly brokerAddresses: string
  readonly registry: LocalProcess
  readonly registryUrl: string
  /** Null if its engine is not installed. */
  readonly clickhouse: ClickHouse | null
  readonly pipelines: readonly Member[]
  readonly apis: readonly Member[]
  /** A pipeline outside `pipelines` until it is started. */
  readonly further: Member
  /** The live source that one of the pipelines polls. */
  readonly source: LiveSource
  /** Unexpected ends of members, with their last output. */
  readonly exits: readonly string[]
  /** Returns each member's health and last output, and the unusable topics. */
  states(): Promise<string[]>
  stop(): Promise<void>
}

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { directory } = options
  const ways: Way[] = []
  const paths = createNodePaths()
  const dataDir = join(directory, 'kafka')
  const disks = numbers(options.brokers).map((id) => openDisk(join(dataDir, `broker-${id}`)))
  const closeDisks = () => {
    for (const disk of disks) disk?.close()
  }
  const kafka = await startLocalKafka({
    dataDir,
    nodeCount: options.brokers,
    async advertise(port) {
      const way = await openWay(port)
      ways.push(way)
      return way.port
    },
    amongNodes: paths.open,
    jvmOptions: ['-Xmx320m', ...shortLived],
  }).catch((error) => {
    closeDisks()
    throw error
  })
  const clickhouse = await startClickHouse(directory)
  const source = await openLiveSource(directory)
  const exits: string[] = []
  const env = {
    OVERROUND_KAFKA_BROKERS: kafka.brokers,
    OVERROUND_SCHEMA_REGISTRY_URL: kafka.registryUrl,
    OVERROUND_KAFKA_TOPIC_PREFIX: topicPrefix,
    OVERROUND_KAFKA_PARTITIONS: String(partitionCount),
    OVERROUND_FEEDS: 'none',
  }
  const pipeline = async (number: number) => {
    const name = `pipeline ${number}`
    const port = await findFreePort()
    const own = {
      OVERROUND_ROLE: 'pipeline',
      OVERROUND_HEALTH_PORT: String(port),
      OVERROUND_FEEDS: source.name,
      OVERROUND_FEEDS_FILE: source.file,
      OVERROUND_DATA_DIR: join(directory, name),
      ...(clickhouse ? { OVERROUND_CLICKHOUSE_URL: clickhouse.url } : { OVERROUND_ARCHIVE: 'off' }),
    }
    return createMember(name, `http://127.0.0.1:${port}`, { ...env, ...own }, exits)
  }
  const api = async (number: number) => {
    const name = `API ${number}`
    const port = await findFreePort()
    const own = {
      OVERROUND_ROLE: 'api',
      OVERROUND_ARCHIVE: 'off',
      OVERROUND_PORT: String(port),
      OVERROUND_DATA_DIR: join(directory, name),
      OVERROUND_ADMIN_TOKEN: adminToken,
      OVERROUND_INGEST_TOKEN: ingestToken,
    }
    return createMember(name, `http://127.0.0.1:${port}`, { ...env, ...own }, exits)
  }
  const pipelines = await Promise.all(numbers(options.pipelines).map(pipeline))
  const further = await pipeline(options.pipelines + 1)
  const apis = await Promise.all(numbers(options.apis).map(api))
  const members = [...pipelines, ...apis]
  const stop = async () => {
    await Promise.all([...members, further].map((member) => member.kill()))
    await kafka.stop()
    await clickhouse?.close()
    await source.close()
    await Promise.all([paths, ...ways].map((path) => path.close()))
    closeDisks()
    await rm(directory, { recursive: true, force: true })
  }
  try {
    await Promise.all(members.map((member) => member.start()))
  } catch (error) {
    await stop()
    throw error
  }
  const { nodes: brokers, registry } = kafka
  const { brokers: brokerAddresses, registryUrl } = kafka
  return {
    ...{
      brokers,
      ways,
      disks,
      isolate: paths.isolate,
      brokerAddresses,
      registry,
      registryUrl,
      clickhouse,
      pipelines,
      apis,
      further,
      source,
    },
    ...{ exits, stop },
    states: async () => [
      ...(await Promise.all([...members, further].map((member) => member.state()))),
      ...(await topicStates(brokerAddresses)),
    ],
  }
}

/** Returns topics with a fault, such as a partition without a leader. */
async function topicStates(brokers: string): Promise<string[]> {
  const admin = new Kafka({
    brokers: brokers.split(','),
    logLevel: logLevel.NOTHING,
    retry: { retries: 1 },
  }).admin()
  const failed = (what: string) => (error: Error) => [`${what}: ${error.message}`]
  try {
    await admin.connect()
    const topics = await admin.listTopics()
    const states = topics.map((topic) =>
      admin.fetchTopicMetadata({ topics: [topic] }).then(() => [], failed(`topic ${topic}`)),
    )
    return (await Promise.all(states)).flat()
  } catch (error) {
    return failed('brokers')(error as Error)
  } finally {
    await admin.disconnect().catch(() => {})
  }
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1)

function createMember(
  name: string,
  origin: string,
  env: Readonly<Record<string, string>>,
  exits: string[],
): Member {
  let service: Service | null = null
  /** Whether its end was requested. */
  let isLeaving = false

  async function end(how: 'kill' | 'stop') {
    const ending = service
    if (!ending) return null
    isLeaving = true
    // A stopped process handles only this signal and SIGKILL.
    process.kill(ending.pid, 'SIGCONT')
    const code = await ending[how]()
    service = null
    return code ?? null
  }

  return {
    name,
    base: `${origin}/api/v1`,
    async start(root) {
      isLeaving = false
      const started = await startService({ env, early: true, ...(root && { root }) })
      service = started
      started.ended.then((code) => {
        if (isLeaving || service !== started) return
        service = null
        exits.push(`${name} ended by itself (${code}): ${started.output().slice(-2_000)}`)
      })
      while (service === started && !(await isReady(origin))) await delay(50)
    },
    stop: () => end('stop'),
    async kill() {
      await end('kill')
    },
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    async state() {
      if (!service) return `${name} does not run`
      const health = await healthOf(origin)
      const figures = await partitionFigures(origin)
      return `${name}: ${health}\n${figures}\n${service.output().slice(-3_000)}`
    },
  }

  function signal(name: NodeJS.Signals) {
    if (service) process.kill(service.pid, name)
  }
}

const healthOf = (origin: string) =>
  fetch(`${origin}/health`, { signal: AbortSignal.timeout(2_000) }).then(
    (answer) => answer.text(),
    (error: Error) => error.message,
  )

/** Returns how far each partition is behind, as a pipeline knows it. */
async function partitionFigures(origin: string) {
  const read = () =>
    fetch(`${origin}/metrics`, { signal: AbortSignal.timeout(2_000) }).then(
      (response) => response.text(),
      (error: Error) => error.message,
    )
  // The first scrape begins the query whose result the next one shows.
  await read()
  await delay(2_000)
  return (await read()).match(/^overround_pipeline_partition_lag_\w+\{.*$/gm)?.join('\n') ?? ''
}

const isReady = (origin: string) =>
  fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(1_000) }).then(
    ({ ok }) => ok,
    () => false,
  )
