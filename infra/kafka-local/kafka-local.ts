/**
 * Kafka brokers, one or several, and a schema registry on a developer's machine, without Docker.
 *
 * As a command (`start`, `stop`, `status`, `fetch`) it leaves them running, with their state under `.run/`. As functions
 * it gives a test run its own, which end with it: `resolveKafka` chooses between brokers named in the environment,
 * containers and local Java. broker.ts and registry.ts have the settings.
 */

import { execFile } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import {
  brokerAnswers,
  clusterIdOf,
  type Node,
  type SecuredListener,
  startBroker,
} from './broker.ts'
import { findJava, jarsAreFetched, requireMaven, resolveJars, ToolMissingError } from './jars.ts'
import {
  endProcess,
  findFreePort,
  isOurProcess,
  type Jvm,
  killProcess,
  pauseProcess,
  portAccepts,
  resumeProcess,
} from './jvm.ts'
import type { LocalKafka, LocalProcess } from './local-kafka.ts'
import { kafkaLocalDirectory } from './project.ts'
import { confluentApiUrl, registryAnswers, startRegistry } from './registry.ts'

const run = promisify(execFile)

const defaultBrokerPort = 19092
const defaultRegistryPort = 18081

export type LocalKafkaOptions = {
  /** Data directory, which `stop` keeps. Default: a temporary directory, which `stop` removes. */
  dataDir?: string
  /** Brokers, each a controller too; default 1. */
  nodeCount?: number
  /** Port of the first broker; the others use the next ports. Default: any free ports. */
  brokerPort?: number
  registryPort?: number
  /** Override the brokers' usual settings. */
  settings?: Readonly<Record<string, string>>
  /**
   * Starts a proxy before a broker's port, and returns the proxy's port, which clients and the other brokers then use.
   */
  advertise?: (port: number) => Promise<number>
  /**
   * Starts a proxy before a port where a node listens for the others, which then do not use that of `advertise`; returns
   * its port.
   */
  amongNodes?: (node: number, port: number) => Promise<number>
  /** A second listener; only for a single broker. */
  securedListener?: SecuredListener
  /** JVM options of each broker. */
  jvmOptions?: readonly string[]
  /** Receives progress, line by line. */
  report?: (line: string) => void
}

export type KafkaSource =
  | { kind: 'environment' | 'containers' | 'java'; start(): Promise<LocalKafka> }
  | { kind: 'none'; reason: string }

/**
 * Starts brokers and a registry as child processes. Resolves when all respond.
 * @throws ToolMissingError if Java or Maven is missing; otherwise Error with the end of the log
 */
export async function startLocalKafka(
  options: LocalKafkaOptions = {},
): Promise<LocalKafka & Required<Pick<LocalKafka, 'nodes' | 'registry'>>> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'overround-kafka-')))
  const isTemporary = options.dataDir === undefined
  const removeTemporaryData = async () => {
    if (isTemporary) await rm(dataDir, { recursive: true, force: true })
  }
  const { nodeCount = 1, settings, securedListener, jvmOptions, report = () => {} } = options
  const nodes = await placeNodes(nodeCount, options)
  const registryPort = options.registryPort || (await findFreePort())
  const extras = {
    ...(settings && { settings }),
    ...(securedListener && { securedListener }),
    ...(jvmOptions && { jvmOptions }),
  }
  const { brokers, registry } = await startAll({
    ...{ dataDir, nodes, registryPort, detached: false, report },
    ...extras,
  }).catch(async (error) => {
    await removeTemporaryData()
    throw error
  })
  return {
    ...addresses({ nodes, registryPort }),
    nodes: brokers,
    registry,
    async stop() {
      // Temporary data needs no orderly shutdown.
      await Promise.all(
        [...brokers, registry].map((each) => (isTemporary ? each.kill() : each.end())),
      )
      await removeTemporaryData()
    },
  }
}

/**
 * Chooses the first available source of a broker: the addresses in OVERROUND_KAFKA_BROKERS and
 * OVERROUND_SCHEMA_REGISTRY_URL, a Docker engine, Java on this machine.
 * @param jvmOptions of brokers that it starts by Java
 * @throws Error if brokers are named without a registry
 */
export async function resolveKafka(jvmOptions: readonly string[] = []): Promise<KafkaSource> {
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
  return { kind: 'java', start: () => startLocalKafka({ report: print, jvmOptions }) }
}

async function placeNodes(
  count: number,
  { brokerPort = 0, advertise, amongNodes }: LocalKafkaOptions,
): Promise<Node[]> {
  const nodes: Node[] = []
  for (let id = 1; id <= count; id++) {
    const port = brokerPort === 0 ? await findFreePort() : brokerPort + id - 1
    const advertisedPort = (await advertise?.(port)) ?? port
    nodes.push({ id, port, advertisedPort, controllerPort: await findFreePort() })
  }
  if (!amongNodes) return nodes
  return Promise.all(
    nodes.map(async (node) => {
      const port = await findFreePort()
      const advertisedPort = await amongNodes(node.id, port)
      const controllerPort = await amongNodes(node.id, node.controllerPort)
      return { ...node, among: { port, advertisedPort, controllerPort } }
    }),
  )
}

type StartOptions = Pick<LocalKafkaOptions, 'settings' | 'securedListener' | 'jvmOptions'> & {
  dataDir: string
  nodes: readonly Node[]
  registryPort: number
  detached: boolean
  report: (line: string) => void
}

async function startAll(options: StartOptions) {
  const { dataDir, nodes, registryPort, detached, report, ...extras } = options
  const java = await findJava()
  for (const port of [...nodes.map(({ port }) => port), registryPort]) {
    if (await portAccepts(port))
      throw new Error(`port ${port} is taken by another process: choose another`)
  }
  const { brokerClasspath, registryJar } = await resolveJars(report)
  await mkdir(dataDir, { recursive: true })
  const clusterId = await clusterIdOf(dataDir, nodes.length)
  const ours = { java, dataDir, detached }
  const brokers = nodes.map((node) =>
    processOf(`127.0.0.1:${node.port}`, () =>
      startBroker({ ...ours, ...extras, classpath: brokerClasspath, node, nodes, clusterId }),
    ),
  )
  const registry = processOf(confluentApiUrl('127.0.0.1', registryPort), () =>
    startRegistry({ ...ours, jar: registryJar, port: registryPort }),
  )
  const all = [...brokers, registry]
  const started = await Promise.allSettled(all.map((each) => each.start()))
  const failure = started.find((outcome) => outcome.status === 'rejected')
  if (failure) {
    // Ends those that have started, because the caller gets only the failure.
    await Promise.all(all.map((each) => each.kill()))
    throw failure.reason
  }
  return { brokers, registry }
}

/** @param run starts the process and waits until it responds */
function processOf(address: string, run: () => Promise<Jvm>): LocalProcess & { release(): void } {
  let jvm: Jvm | null = null
  /** Forgets the process when it is ended or killed. */
  const take = () => {
    const taken = jvm
    jvm = null
    return taken
  }
  return {
    address,
    pid: () => jvm?.pid ?? null,
    async start() {
      jvm ??= await run()
    },
    async end() {
      const ending = take()
      if (ending) await endProcess(ending.pid)
    },
    async kill() {
      const killed = take()
      if (killed) await killProcess(killed.pid)
    },
    pause() {
      if (jvm) pauseProcess(jvm.pid)
    },
    resume() {
      if (jvm) resumeProcess(jvm.pid)
    },
    release: () => jvm?.release(),
  }
}

async function dockerAnswers(): Promise<boolean> {
  return run('docker', ['info'], { timeout: 5000 }).then(
    () => true,
    () => false,
  )
}

/** The state that `start` writes to `.run/state.json` for `status` and `stop`. */
type RunState = {
  brokerPids: number[]
  registryPid: number
  brokers: string
  registryUrl: string
  startedAt: string
}

const usage = `usage: kafka-local start [--brokers n] [--broker-port n] [--registry-port n]
       kafka-local stop [--purge]
       kafka-local status
       kafka-local fetch
Ports also from KAFKA_LOCAL_BROKER_PORT (${defaultBrokerPort}) and KAFKA_LOCAL_REGISTRY_PORT (${defaultRegistryPort}); 0 is any free one.
--brokers 3 starts a cluster of three, on the next ports. --purge also removes all topics and schemas. fetch brings what a first start would, and starts nothing.`

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      brokers: { type: 'string', default: '1' },
      'broker-port': { type: 'string' },
      'registry-port': { type: 'string' },
      purge: { type: 'boolean', default: false },
    },
  })
  const { KAFKA_LOCAL_BROKER_PORT, KAFKA_LOCAL_REGISTRY_PORT } = process.env
  switch (positionals.join(' ')) {
    case 'start':
      return start(
        parseNodeCount(values.brokers),
        parsePort(values['broker-port'] ?? KAFKA_LOCAL_BROKER_PORT, defaultBrokerPort),
        parsePort(values['registry-port'] ?? KAFKA_LOCAL_REGISTRY_PORT, defaultRegistryPort),
      )
    case 'stop':
      return stop(values.purge)
    case 'status':
      return status()
    case 'fetch':
      await resolveJars(print)
      return 0
    default:
      process.stderr.write(`${usage}\n`)
      return 2
  }
}

async function start(nodeCount: number, brokerPort: number, registryPort: number): Promise<number> {
  const { dataDir } = runPaths()
  const left = await readState()
  if (left !== null) {
    const running = await ourPids(left)
    if (running.length === nodeCount + 1 && left.brokerPids.length === nodeCount) {
      print('already running')
      printAddresses(left)
      return 0
    }
    await Promise.all(running.map((pid) => endProcess(pid)))
  }
  const startedAt = Date.now()
  const nodes = await placeNodes(nodeCount, { brokerPort })
  const ports = { nodes, registryPort: registryPort || (await findFreePort()) }
  // Exits on signals, which kills processes that are not recorded yet.
  process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143))
  print(
    `starting ${nodeCount === 1 ? 'a Kafka broker' : `${nodeCount} Kafka brokers`} and a registry`,
  )
  const started = await startAll({ dataDir, ...ports, detached: true, report: print })
  const { brokers, registry } = started
  const state: RunState = {
    brokerPids: brokers.map((broker) => broker.pid()!),
    registryPid: registry.pid()!,
    ...addresses(ports),
    startedAt: new Date(startedAt).toISOString(),
  }
  await writeState(state)
  for (const each of [...brokers, registry]) each.release()
  print(`all answer after ${((Date.now() - startedAt) / 1000).toFixed(1)} s; data in ${dataDir}`)
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
  const addressesOfBrokers = state.brokers.split(',')
  const brokersUp = await Promise.all(addressesOfBrokers.map((address) => brokerAnswers(address)))
  const registryIsUp = await registryAnswers(state.registryUrl)
  const line = (what: string, pid: number | undefined, isUp: boolean | undefined) =>
    print(`${what}: pid ${pid}, ${isUp ? 'answers' : 'does not answer'}`)
  for (const [index, address] of addressesOfBrokers.entries()) {
    line(`broker ${address}`, state.brokerPids[index], brokersUp[index])
  }
  line('registry', state.registryPid, registryIsUp)
  print(`started ${state.startedAt}`)
  printAddresses(state)
  return brokersUp.every(Boolean) && registryIsUp ? 0 : 1
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

async function ourPids({ brokerPids, registryPid }: RunState): Promise<number[]> {
  const { dataDir } = runPaths()
  const pids = [...brokerPids, registryPid]
  const ours = await Promise.all(pids.map((pid) => isOurProcess(pid, dataDir)))
  return pids.filter((_, index) => ours[index])
}

function addresses({ nodes, registryPort }: Pick<StartOptions, 'nodes' | 'registryPort'>) {
  return {
    brokers: nodes.map(({ advertisedPort }) => `127.0.0.1:${advertisedPort}`).join(','),
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

function parseNodeCount(text: string): number {
  const count = Number(text)
  if (/^[1-9]$/.test(text)) return count
  throw new RangeError(`${text} is not a number of brokers from 1 to 9`)
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
