/**
 * `doctor`: whether the service can start here with these settings, and how it is where it runs already. Each
 * check says what it found and, where that is no good, what to do next. It changes nothing.
 */

import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, resolve } from 'node:path'
import { tryEngine } from '../../pipeline/archive/engine/try-engine.ts'
import { type Config, ConfigError, openSandbox, readConfig } from '../../pipeline/config.ts'
import { chooseListener } from '../server/listeners/choose-listener.ts'
import { readHealth } from './service.ts'

export interface Check {
  readonly name: string
  /** `warn` does not keep the service from running. */
  readonly state: 'ok' | 'warn' | 'fail'
  readonly found: string
  /** What to do next; null where nothing needs doing. */
  readonly next: string | null
}

type Environment = Readonly<Record<string, string | undefined>>

const gibibyte = 1_024 ** 3
/** The embedded log takes up to 2 GiB of the newest prices, the archive about as much a week. */
const roomyBytes = 5 * gibibyte
/** Below this the embedded log refuses to write. */
const leastBytes = 16 * 1_024 ** 2
const leastNode = [20, 19] as const
const longestClockStepMs = 5_000

/** @param base of the running service, such as `http://127.0.0.1:3000/api/v1` */
export async function examine(environment: Environment, base: string): Promise<readonly Check[]> {
  const checks: Check[] = [nodeCheck()]
  const health = await readHealth(base).catch(() => null)
  const config = settingsOf(environment, checks)
  if (config) {
    checks.push(await portCheck(config, health !== null))
    checks.push(diskCheck(config))
    checks.push(await listenerCheck(config))
    checks.push(await engineCheck(config))
    checks.push(sandboxCheck(config))
  }
  checks.push(...runningChecks(base, health))
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
    return config
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const problem of error.message.split('\n')) {
      checks.push(fail('settings', problem, 'Correct it; overround start --help has all settings.'))
    }
    return null
  }
}

async function portCheck({ host, port }: Config, isRunning: boolean): Promise<Check> {
  if (port === 0) return ok('port', 'a free one is taken')
  const code = await new Promise<string | undefined>((done) => {
    const server = createServer()
    server.once('error', ({ code }: NodeJS.ErrnoException) => done(code ?? 'unknown'))
    server.listen({ host, port, exclusive: true }, () => server.close(() => done(undefined)))
  })
  const place = `${host}:${port}`
  if (code === undefined) return ok('port', `${place} is free`)
  if (code === 'EADDRINUSE' && isRunning) return ok('port', `overround listens on ${place}`)
  const next =
    code === 'EADDRINUSE'
      ? 'End what listens there, or set OVERROUND_PORT.'
      : code === 'EACCES'
        ? 'Ports below 1024 need a privilege: set OVERROUND_PORT, and put a proxy before it.'
        : 'Set OVERROUND_HOST to an address of this machine.'
  return fail('port', `${place} cannot be listened on (${code})`, next)
}

function diskCheck({ dataDir, kafka }: Config): Check {
  if (kafka) return ok('disk', 'the log is on Kafka')
  const directory = resolve(dataDir)
  let existing = directory
  while (!existsSync(existing)) existing = dirname(existing)
  try {
    accessSync(existing, constants.W_OK)
  } catch {
    const next = 'Give this user the right to write there, or set OVERROUND_DATA_DIR.'
    return fail('disk', `${existing} cannot be written`, next)
  }
  const { bavail, bsize } = statfsSync(existing)
  const free = bavail * bsize
  const found = `${(free / gibibyte).toFixed(1)} GiB free for ${directory}`
  if (free < leastBytes) return fail('disk', found, 'Make room: nothing can be written.')
  return free < roomyBytes
    ? warn('disk', found, 'Make room: the log may take 2 GiB, and history grows.')
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

async function engineCheck({ archive }: Config): Promise<Check> {
  if (!archive)
    return warn('archive', 'off: no history is kept', 'Unset OVERROUND_ARCHIVE to keep it.')
  if ('url' in archive.at) {
    const { origin } = new URL(archive.at.url)
    const answer = await fetch(`${origin}/ping`, { signal: AbortSignal.timeout(5_000) }).catch(
      () => null,
    )
    return answer?.ok
      ? ok('archive', `ClickHouse answers at ${origin}`)
      : fail(
          'archive',
          `no ClickHouse answers at ${origin}`,
          'Start it, or correct OVERROUND_CLICKHOUSE_URL.',
        )
  }
  const tried = await tryEngine()
  if (tried.runs) return ok('archive', `the embedded ClickHouse ${tried.version} runs`)
  const next = 'npm install chdb, or set OVERROUND_CLICKHOUSE_URL; the rest runs without it.'
  return warn('archive', `no history: ${tried.reason}`, next)
}

function sandboxCheck(config: Config): Check {
  const why = openSandbox(config)
  return why === null
    ? ok('sandbox', config.sandbox ? 'test keys work on this machine only' : 'test keys are off')
    : warn('sandbox', `anybody may use the test keys: ${why}`, 'Set OVERROUND_SANDBOX=false.')
}

interface Health {
  readonly status?: string
  readonly timestamp?: string
  readonly checks?: Readonly<Record<string, { readonly status: string; readonly message?: string }>>
  readonly sources?: Readonly<Record<string, number>>
}

/** What the service says of itself, and its clock beside that of this machine. */
function runningChecks(base: string, health: Health | null): readonly Check[] {
  if (!health) {
    return [warn('service', `none answers at ${base}`, 'Start it with overround start.')]
  }
  const checks = [ok('service', `answers at ${base}: ${health.status}`)]
  const stepMs = Math.abs(Date.parse(health.timestamp ?? '') - Date.now())
  checks.push(
    stepMs <= longestClockStepMs
      ? ok('clock', 'the service and this machine agree')
      : warn(
          'clock',
          `the service is ${Math.round(stepMs / 1_000)} s from this machine`,
          'Set both by NTP.',
        ),
  )
  for (const [name, { status, message = '' }] of Object.entries(health.checks ?? {})) {
    if (status !== 'ok') checks.push(warn(name, `${status}: ${message}`, 'See docs/operations.md.'))
  }
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
