/**
 * A real Kafka broker and schema registry on a developer's machine, without Docker.
 *
 * As a command (`start`, `stop`, `status`) it leaves both running under `.run/`, detached, until
 * told to stop. As functions it gives a test run its own pair, which ends with it: `resolveKafka`
 * decides between brokers named in the environment, containers and local Java.
 * How a process is started and which settings it gets is in broker.ts and registry.ts.
 */

import { execFile } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { brokerAnswers, startBroker } from './broker.ts'
import { findJava, jarsAreFetched, requireMaven, resolveJars, ToolMissingError } from './jars.ts'
import {
  endProcess,
  findFreePort,
  isOurProcess,
  type Jvm,
  killProcess,
  portAccepts,
} from './jvm.ts'
import type { LocalKafka } from './local-kafka.ts'
import { kafkaLocalDirectory } from './project.ts'
import { confluentApiUrl, registryAnswers, startRegistry } from './registry.ts'

const run = promisify(execFile)

const defaultBrokerPort = 19092
const defaultRegistryPort = 18081

export type LocalKafkaOptions = {
  /** Kept by `stop`. Without it the data is in a temporary directory that `stop` removes. */
  dataDir?: string
  /** Without one, any free port. */
  brokerPort?: number
  registryPort?: number
  /** Receives progress, a line at a time. */
  report?: (line: string) => void
}

export type KafkaSource =
  | { kind: 'environment' | 'containers' | 'java'; start(): Promise<LocalKafka> }
  | { kind: 'none'; reason: string }

/**
 * A broker and a registry of the caller's own, as child processes.
 * @returns when both answer
 * @throws ToolMissingError when Java or Maven is missing; Error with the log's end otherwise
 */
export async function startLocalKafka(options: LocalKafkaOptions = {}): Promise<LocalKafka> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'overround-kafka-')))
  const removeTemporaryData = async () => {
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true })
  }
  const brokerPort = options.brokerPort || (await findFreePort())
  const registryPort = options.registryPort || (await findFreePort())
  const report = options.report ?? (() => {})
  const pair = { dataDir, brokerPort, registryPort, detached: false, report }
  const started = await startPair(pair).catch(async (error) => {
    await removeTemporaryData()
    throw error
  })
  const { registry, startBrokerAgain } = started
  let broker: Jvm | null = started.broker
  return {
    ...addresses({ brokerPort, registryPort }),
    async stop() {
      await Promise.all([broker && endProcess(broker.pid), endProcess(registry.pid)])
      await removeTemporaryData()
    },
    async killBroker() {
      if (broker) await killProcess(broker.pid)
      broker = null
    },
    async restartBroker() {
      broker ??= await startBrokerAgain()
    },
  }
}

/**
 * Where a broker can come from here, first that applies: the addresses in OVERROUND_KAFKA_BROKERS
 * and OVERROUND_SCHEMA_REGISTRY_URL, a Docker engine that answers, Java on this machine.
 * @throws Error when brokers are named without a registry: starting another pair would surprise
 */
export async function resolveKafka(): Promise<KafkaSource> {
  const { OVERROUND_KAFKA_BROKERS: brokers, OVERROUND_SCHEMA_REGISTRY_URL: registryUrl } =
    process.env
  if (brokers) {
    if (!registryUrl) {
      throw new Error('OVERROUND_KAFKA_BROKERS is set without OVERROUND_SCHEMA_REGISTRY_URL')
    }
    return {
      kind: 'environment',
      start: async () => ({ brokers, registryUrl, stop: async () => {} }),
    }
  }
  if (await dockerAnswers()) {
    const start = async () => (await import('./containers.ts')).startContainers()
    return { kind: 'containers', start }
  }
  try {
    await findJava()
    if (!(await jarsAreFetched())) await requireMaven()
  } catch (error) {
    if (error instanceof ToolMissingError) return { kind: 'none', reason: error.message }
    throw error
  }
  return { kind: 'java', start: () => startLocalKafka({ report: print }) }
}

type PairOptions = {
  dataDir: string
  brokerPort: number
  registryPort: number
  detached: boolean
  report: (line: string) => void
}

async function startPair(options: PairOptions) {
  const { dataDir, brokerPort, registryPort, detached, report } = options
  const java = await findJava()
  for (const port of [brokerPort, registryPort]) {
    if (await portAccepts(port))
      throw new Error(`port ${port} is taken by another process: choose another`)
  }
  const { brokerClasspath, registryJar } = await resolveJars(report)
  await mkdir(dataDir, { recursive: true })
  const startBrokerAgain = () =>
    startBroker({ java, classpath: brokerClasspath, dataDir, port: brokerPort, detached })
  const [broker, registry] = await Promise.allSettled([
    startBrokerAgain(),
    startRegistry({ java, jar: registryJar, dataDir, port: registryPort, detached }),
  ])
  if (broker.status === 'fulfilled' && registry.status === 'fulfilled') {
    return { broker: broker.value, registry: registry.value, startBrokerAgain }
  }
  // One without the other is of no use, and whoever asked only learns of the failure.
  const reasons = []
  for (const outcome of [broker, registry]) {
    if (outcome.status === 'fulfilled') await endProcess(outcome.value.pid)
    else reasons.push(outcome.reason)
  }
  throw reasons[0]
}

async function dockerAnswers(): Promise<boolean> {
  return run('docker', ['info'], { timeout: 5000 }).then(
    () => true,
    () => false,
  )
}

/** What `start` leaves behind for `status` and `stop`, in `.run/state.json`. */
type RunState = {
  brokerPid: number
  registryPid: number
  brokers: string
  registryUrl: string
  startedAt: string
}

const usage = `usage: kafka-local start [--broker-port n] [--registry-port n]
       kafka-local stop [--purge]
       kafka-local status
Ports also from KAFKA_LOCAL_BROKER_PORT (${defaultBrokerPort}) and KAFKA_LOCAL_REGISTRY_PORT (${defaultRegistryPort}); 0 is any free one.
--purge also removes all topics and schemas.`

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'broker-port': { type: 'string' },
      'registry-port': { type: 'string' },
      purge: { type: 'boolean', default: false },
    },
  })
  const { KAFKA_LOCAL_BROKER_PORT, KAFKA_LOCAL_REGISTRY_PORT } = process.env
  switch (positionals.join(' ')) {
    case 'start':
      return start(
        parsePort(values['broker-port'] ?? KAFKA_LOCAL_BROKER_PORT, defaultBrokerPort),
        parsePort(values['registry-port'] ?? KAFKA_LOCAL_REGISTRY_PORT, defaultRegistryPort),
      )
    case 'stop':
      return stop(values.purge)
    case 'status':
      return status()
    default:
      process.stderr.write(`${usage}\n`)
      return 2
  }
}

async function start(brokerPort: number, registryPort: number): Promise<number> {
  const { dataDir } = runPaths()
  const left = await readState()
  if (left !== null) {
    const running = await ourPids(left)
    if (running.length === 2) {
      print('already running')
      printAddresses(left)
      return 0
    }
    await Promise.all(running.map((pid) => endProcess(pid)))
  }
  const startedAt = Date.now()
  const ports = {
    brokerPort: brokerPort || (await findFreePort()),
    registryPort: registryPort || (await findFreePort()),
  }
  // An exit takes along what has been started but not yet been written down.
  process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143))
  print('starting a Kafka broker and a schema registry')
  const { broker, registry } = await startPair({ dataDir, ...ports, detached: true, report: print })
  const state: RunState = {
    brokerPid: broker.pid,
    registryPid: registry.pid,
    ...addresses(ports),
    startedAt: new Date(startedAt).toISOString(),
  }
  await writeState(state)
  broker.release()
  registry.release()
  print(`both answer after ${((Date.now() - startedAt) / 1000).toFixed(1)} s; data in ${dataDir}`)
  printAddresses(state)
  return 0
}

async function stop(purge: boolean): Promise<number> {
  const { dataDir, stateFile } = runPaths()
  const state = await readState()
  const running = state === null ? [] : await ourPids(state)
  await Promise.all(running.map((pid) => endProcess(pid)))
  await rm(stateFile, { force: true })
  print(running.length === 0 ? 'nothing was running' : 'stopped')
  if (purge) {
    await rm(dataDir, { recursive: true, force: true })
    print(`removed ${dataDir}`)
  }
  return 0
}

async function status(): Promise<number> {
  const state = await readState()
  if (state === null || (await ourPids(state)).length === 0) {
    print('not running')
    return 1
  }
  const brokerIsUp = await brokerAnswers(state.brokers)
  const registryIsUp = await registryAnswers(state.registryUrl)
  print(`broker: pid ${state.brokerPid}, ${brokerIsUp ? 'answers' : 'does not answer'}`)
  print(`registry: pid ${state.registryPid}, ${registryIsUp ? 'answers' : 'does not answer'}`)
  print(`started ${state.startedAt}`)
  printAddresses(state)
  return brokerIsUp && registryIsUp ? 0 : 1
}

function runPaths() {
  const directory = join(kafkaLocalDirectory(), '.run')
  return { dataDir: join(directory, 'data'), stateFile: join(directory, 'state.json') }
}

async function readState(): Promise<RunState | null> {
  const text = await readFile(runPaths().stateFile, 'utf8').catch(() => null)
  return text === null ? null : (JSON.parse(text) as RunState)
}

async function writeState(state: RunState) {
  const { stateFile } = runPaths()
  await writeFile(`${stateFile}.new`, `${JSON.stringify(state, null, 2)}\n`)
  await rename(`${stateFile}.new`, stateFile)
}

async function ourPids({ brokerPid, registryPid }: RunState): Promise<number[]> {
  const { dataDir } = runPaths()
  const pids = [brokerPid, registryPid]
  const ours = await Promise.all(pids.map((pid) => isOurProcess(pid, dataDir)))
  return pids.filter((_, index) => ours[index])
}

function addresses({ brokerPort, registryPort }: { brokerPort: number; registryPort: number }) {
  return {
    brokers: `127.0.0.1:${brokerPort}`,
    registryUrl: confluentApiUrl('127.0.0.1', registryPort),
  }
}

function printAddresses({ brokers, registryUrl }: RunState) {
  print(`OVERROUND_KAFKA_BROKERS=${brokers} OVERROUND_SCHEMA_REGISTRY_URL=${registryUrl}`)
}

function parsePort(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new RangeError(`${text} is not a port`)
}

function print(line: string) {
  process.stdout.write(`${line}\n`)
}

const [, command] = process.argv
if (
  command !== undefined &&
  existsSync(command) &&
  realpathSync(command) === fileURLToPath(import.meta.url)
) {
  main().then(
    (code) => {
      process.exitCode = code
    },
    (error: Error) => {
      process.stderr.write(`${error.message}\n`)
      process.exitCode = 1
    },
  )
}
