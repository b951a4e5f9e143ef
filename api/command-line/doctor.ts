/**
 * `doctor`: checks whether the service can start here with these settings, and the health of a running one. Each check
 * reports what it found and what to do next. It changes nothing.
 */

import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ArchiveError, openArchive } from '../../pipeline/archive/archive.ts'
import { tryEngine } from '../../pipeline/archive/engine/try-engine.ts'
import { tryToListen } from '../../pipeline/process/listen-failure.ts'
import {
  type Config,
  ConfigError,
  type Environment,
  hasDeadLinks,
  openSandbox,
  readConfig,
  variableOf,
} from '../../pipeline/settings/config.ts'
import type { KafkaSettings } from '../../pipeline/settings/kafka-settings.ts'
import { causeText } from '../../pipeline/text/cause-text.ts'
import { misspeltBooks } from '../ask/misspelt-books.ts'
import { OverroundError } from '../clients/typescript/src/index.ts'
import { chooseListener } from '../server/listeners/choose-listener.ts'
import { type HealthBody, ownAddressOf, readHealth } from './service.ts'

export interface Check {
  readonly name: string
  /** The service runs despite a `warn`. */
  readonly state: 'ok' | 'warn' | 'fail'
  readonly found: string
  /** The next step; null if there is none. */
  readonly next: string | null
}

const gibibyte = 1_024 ** 3
/** A topic of the embedded log takes up to 2 GiB, and the archive about as much a week. */
const roomyBytes = 5 * gibibyte
/** The embedded log refuses to write with less free space. */
const leastBytes = 16 * 1_024 ** 2
const leastNode = [20, 19] as const
const longestClockStepMs = 5_000
const oneRow = { seconds: 5, resultRows: 1, readRows: 10, memoryBytes: 1e8 }

/** @param base of the running service, such as `http://127.0.0.1:3000/api/v1`; null when it has no known address */
export async function examine(
  environment: Environment,
  base: string | null,
): Promise<readonly Check[]> {
  const checks: Check[] = [nodeCheck()]
  const health = base === null ? null : await readHealth(base).catch((error: Error) => error)
  const readAt = Date.now()
  const config = settingsOf(environment, checks)
  if (config) {
    const { kafka, role } = config
    const isRunning = health !== null && !(health instanceof Error)
    checks.push(await portCheck(config, isRunning ? environment : null))
    checks.push(...(kafka ? await clusterChecks(kafka) : await diskChecks(config.dataDir)))
    // A pipeline has no clients.
    if (role !== 'pipeline') checks.push(await listenerCheck(config))
    checks.push(await engineCheck(config, environment))
    if (role !== 'pipeline') checks.push(sandboxCheck(config))
    if (hasDeadLinks(config)) {
      checks.push(
        warn(
          'links',
          `those in alerts lead to http://${config.host}`,
          'Set OVERROUND_PUBLIC_URL to the address that clients use.',
        ),
      )
    }
  }
  if (base !== null && health !== null) checks.push(...runningChecks(base, health, readAt))
  return checks
}

const ok = (name: string, found: string): Check => ({ name, state: 'ok', found, next: null })
const warn = (name: string, found: string, next: string): Check => ({
  name,
  state: 'warn',
  found,
  next,
})
const fail = (name: string, found: string, next: string): Check => ({
  name,
  state: 'fail',
  found,
  next,
})

function nodeCheck(): Check {
  const found = `Node ${process.versions.node} on ${process.platform} ${process.arch}`
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isOld = major < leastNode[0] || (major === leastNode[0] && minor < leastNode[1])
  return isOld
    ? fail('node', found, `Install Node ${leastNode.join('.')} or newer.`)
    : ok('node', found)
}

function settingsOf(environment: Environment, checks: Check[]): Config | null {
  try {
    const config = readConfig(environment)
    const count = Object.keys(environment).filter((name) => name.startsWith('OVERROUND_')).length
    checks.push(ok('settings', `${count} of the environment, all known`))
    for (const { setting, name, meant } of misspeltBooks(config)) {
      checks.push(
        warn(
          'settings',
          `${setting} names ${name}, which is no sportsbook we know`,
          `If it is not a name of your own, write ${meant}.`,
        ),
      )
    }
    return config
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const problem of error.message.split('\n')) {
      checks.push(
        fail('settings', problem, 'Correct it; overround start --help lists all settings.'),
      )
    }
    return null
  }
}

/**
 * @param running the environment of the running service, which then may be what uses the port; else
 *   null
 */
async function portCheck(config: Config, running: Environment | null): Promise<Check> {
  const { host, role } = config
  const isPipeline = role === 'pipeline'
  const setting = isPipeline ? 'OVERROUND_HEALTH_PORT' : 'OVERROUND_PORT'
  const port = isPipeline ? config.healthPort : config.port
  if (port === null) {
    return warn('port', 'none: this pipeline has no health checks', `Set ${setting}.`)
  }
  if (port === 0) return ok('port', 'a free one is taken')
  const code = await tryToListen(host, port)
  const place = `${host}:${port}`
  if (code === null) return ok('port', `${place} is free`)
  if (code === 'EADDRINUSE' && running && (await isOverround(ownAddressOf({}, running))))
    return ok('port', `overround listens on ${place}`)
  const next =
    code === 'EADDRINUSE'
      ? `Stop the program that uses it, or set ${setting}.`
      : code === 'EACCES'
        ? `Ports below 1024 need a privilege: set ${setting}, and put a proxy before it.`
        : 'Set OVERROUND_HOST to an address of this machine.'
  return fail('port', `${place} cannot be used (${code})`, next)
}

/** The service that runs may be another machine's, and the port here another program's. */
const isOverround = async (base: string | null) =>
  base !== null && (await readHealth(base).then(Boolean, () => false))

async function clusterChecks(kafka: KafkaSettings): Promise<readonly Check[]> {
  // Load the Kafka client only when it is needed.
  const { reachBrokers, reachRegistry } = await import('../../pipeline/log/kafka/setup.ts')
  const messageOf = ({ message }: Error) => message
  const [brokers, registry] = await Promise.all([
    reachBrokers(kafka).catch(messageOf),
    reachRegistry(kafka).catch(messageOf),
  ])
  const places = kafka.brokers.join(', ')
  // Leave out a user and password.
  const { origin, pathname } = new URL(kafka.registryUrl)
  const registryPlace = `${origin}${pathname}`
  return [
    typeof brokers === 'number'
      ? ok('brokers', `${brokers} at ${places}`)
      : fail(
          'brokers',
          `Kafka at ${places} cannot be used: ${brokers}`,
          'Start the brokers, or correct OVERROUND_KAFKA_BROKERS and the login: see docs/kafka.md.',
        ),
    registry === undefined
      ? ok('registry', `answers at ${registryPlace}`)
      : fail(
          'registry',
          `the schema registry at ${registryPlace} cannot be used: ${registry}`,
          'Start it, or correct OVERROUND_SCHEMA_REGISTRY_URL (that of Apicurio ends in /apis/ccompat/v7): a first start waits for it.',
        ),
  ]
}

/** @param statfs reads the file system that a directory is on, as Node does */
export async function diskChecks(
  dataDir: string,
  statfs: (path: string) => Readonly<Record<'bavail' | 'bsize' | 'type', number>> = statfsSync,
): Promise<readonly Check[]> {
  // Load the log's engine only when it is needed.
  const { riskOnFileSystem } = await import('../../pipeline/log/open-log.ts')
  const directory = resolve(dataDir)
  let existing = directory
  while (!existsSync(existing)) existing = dirname(existing)
  try {
    accessSync(existing, constants.W_OK)
  } catch {
    const next = 'Let this user write there, or set OVERROUND_DATA_DIR to another directory.'
    return [fail('disk', `${existing} cannot be written`, next)]
  }
  const { bavail, bsize, type } = statfs(existing)
  const checks = [roomCheck(directory, bavail * bsize)]
  const onOther = riskOnFileSystem(type)
  if (onOther !== null) {
    const { fileSystem, risk } = onOther
    const next = 'Set OVERROUND_DATA_DIR to a directory on a disk of this machine.'
    checks.push(warn('disk', `${directory} is on ${fileSystem}: ${risk}`, next))
  }
  return checks
}

function roomCheck(directory: string, free: number): Check {
  const found = `${(free / gibibyte).toFixed(1)} GiB free for ${directory}`
  if (free < leastBytes) return fail('disk', found, 'Free space: nothing can be written.')
  return free < roomyBytes
    ? warn('disk', found, 'Free space: each topic of the log may need 2 GiB, and history grows.')
    : ok('disk', found)
}

async function listenerCheck({ listener }: Config): Promise<Check> {
  try {
    const { server, better } = await chooseListener(listener)
    return better === null ? ok('listener', server) : warn('listener', server, better)
  } catch (error) {
    return fail('listener', (error as Error).message, 'Set OVERROUND_LISTENER=auto.')
  }
}

async function engineCheck({ archive, role }: Config, environment: Environment): Promise<Check> {
  if (!archive) {
    const isOff = environment.OVERROUND_ARCHIVE === 'off'
    // The embedded engine belongs to a single process.
    const urls = ['OVERROUND_CLICKHOUSE_URL', 'OVERROUND_CLICKHOUSE_URL_FILE']
    const lacksServer =
      role !== 'standalone' && urls.every((name) => variableOf(environment, name) === undefined)
    const steps = [
      ...(isOff ? ['unset OVERROUND_ARCHIVE'] : []),
      ...(lacksServer ? ['set OVERROUND_CLICKHOUSE_URL, in all processes'] : []),
    ].join(' and ')
    const found = isOff ? 'off: no history is kept' : `no history: the role ${role} needs a server`
    return warn('archive', found, `To keep it, ${steps}.`)
  }
  if ('url' in archive.at) {
    const { origin } = new URL(archive.at.url)
    // As a start does, before our database exists.
    const server = openArchive(archive.at, 'default', { graceMs: 0 })
    try {
      await server.query('SELECT 1', {}, oneRow)
      return ok('archive', `ClickHouse answers at ${origin}`)
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error
      return fail(
        'archive',
        `ClickHouse at ${origin} cannot be used: ${error.message}`,
        'Start it, or correct address, user and password in OVERROUND_CLICKHOUSE_URL.',
      )
    } finally {
      await server.close()
    }
  }
  const tried = await tryEngine()
  if (tried.runs) return ok('archive', `the embedded ClickHouse ${tried.version} runs`)
  const next =
    'Run npm install chdb, or set OVERROUND_CLICKHOUSE_URL. Everything else works without it.'
  return warn('archive', `no history: ${tried.reason}`, next)
}

function sandboxCheck(config: Config): Check {
  const why = openSandbox(config)
  return why === null
    ? ok('sandbox', config.sandbox ? 'test keys work on this machine only' : 'test keys are off')
    : warn('sandbox', `anybody may use the test keys: ${why}`, 'Set OVERROUND_SANDBOX=false.')
}

/** The guide for each check of `/health` and `/readyz`. */
const guides: Readonly<Record<string, string>> = {
  redis: 'monitoring.md#overroundnotready',
  tables: 'monitoring.md#overroundnotready',
  data: 'monitoring.md#overroundpricesstale',
  schema: 'monitoring.md#overroundundecodable',
  storage: 'operations.md#a-full-disk',
  log: 'monitoring.md#overroundlogaway',
  pipelines: 'monitoring.md#overroundpricesstale',
  clock: 'operations.md#a-clock-that-is-set',
  archive: 'monitoring.md#overroundarchivebehind',
}
const guideTo = (check: string) => `docs/${guides[check] ?? 'monitoring.md'}`

/**
 * The running service's own health, and its clock compared with this machine's.
 *
 * @param health or why it could not be read
 * @param readAt when the health was read, in milliseconds since 1970
 */
function runningChecks(base: string, health: HealthBody | Error, readAt: number): readonly Check[] {
  if (health instanceof OverroundError && health.code === 'not_overround') {
    const next = 'Stop it, or give the address of overround with --url.'
    return [fail('service', `another program answers at ${base}`, next)]
  }
  if (health instanceof Error) {
    const { cause = health } = health instanceof OverroundError ? health.details : {}
    const found = `no service responds at ${base}: ${causeText(cause)}`
    return [
      warn('service', found, 'Start it with overround start, or give its address with --url.'),
    ]
  }
  const answers = `answers at ${base}: ${health.status}`
  const checks = [
    health.status === 'down'
      ? fail('service', answers, 'See the checks below, or docs/monitoring.md.')
      : ok('service', answers),
  ]
  const stepMs = Math.abs(Date.parse(health.timestamp) - readAt)
  checks.push(
    stepMs <= longestClockStepMs
      ? ok('clock', 'the service and this machine agree')
      : warn(
          'clock',
          `the service is ${Math.round(stepMs / 1_000)} s from this machine`,
          'Set both by NTP.',
        ),
  )
  for (const [name, { status, message = '' }] of Object.entries(health.checks)) {
    const check = status === 'down' ? fail : warn
    if (status !== 'ok') checks.push(check(name, `${status}: ${message}`, `See ${guideTo(name)}.`))
  }
  if (health.role === 'pipeline') return checks
  const ill = Object.entries(health.sources ?? {}).filter(([state]) => state !== 'up')
  if (health.sources) {
    checks.push(
      ill.length === 0
        ? ok('sources', 'all are up')
        : warn(
            'sources',
            ill.map(([state, count]) => `${count} ${state}`).join(', '),
            'See overround sources.',
          ),
    )
  } else checks.push(ok('sources', 'no live sources'))
  return checks
}
