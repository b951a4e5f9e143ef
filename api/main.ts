/**
 * The process: reads the settings, opens the log, runs its role, and reports to the terminal. A failure it cannot
 * handle ends the process, and a restart recovers.
 */

import type { Registry } from 'prom-client'
import { type Log, LogCorruptError, LogLockedError, LogSetupError } from '../pipeline/log/log.ts'
import { openLog, repairAdvice } from '../pipeline/log/open-log.ts'
import { createPipelineMetrics } from '../pipeline/metrics/pipeline-metrics.ts'
import { addLogReads, addRead, createRegistry } from '../pipeline/metrics/registry.ts'
import { createClock, warnOfStep } from '../pipeline/process/clock.ts'
import {
  createPipelineHealth,
  healthRoutes,
  type PipelineHealth,
} from '../pipeline/process/health.ts'
import { openHealthPort, type PortRoute } from '../pipeline/process/health-port.ts'
import { createLogger, toggleLogLevel } from '../pipeline/process/logger.ts'
import { createStopSignals } from '../pipeline/process/stop-signals.ts'
import { holdersGroup } from '../pipeline/run/roles.ts'
import { runWithArchive } from '../pipeline/run-with-archive.ts'
import {
  type Config,
  ConfigError,
  hasDeadLinks,
  readConfig,
  StartError,
} from '../pipeline/settings/config.ts'
import { describeSettings } from '../pipeline/settings/settings.ts'
import { sandboxKeys } from './access/keys.ts'
import type { App } from './app.ts'
import { misspeltBooks } from './ask/misspelt-books.ts'
import { withoutOwn } from './command-line/own-variables.ts'
import { serve } from './serve.ts'
import { countText } from './web/count.ts'

const [argument] = process.argv.slice(2)
if (argument === '--help' || argument === '-h') {
  console.log(`overround takes its settings from the environment:\n${describeSettings()}`)
  process.exit(0)
}
if (argument !== undefined) {
  console.error(
    `overround takes no argument ${argument}: settings are in the environment, --help lists them.`,
  )
  process.exit(2)
}

/** Names of start errors. Names, because an error of the worker arrives as a copy. */
const startErrors: ReadonlySet<string> = new Set([
  StartError.name,
  ConfigError.name,
  LogLockedError.name,
  LogCorruptError.name,
])

const config = readSettings()
const logger = createLogger(config, config.role)
for (const { setting, name, meant } of misspeltBooks(config)) {
  logger.warn({ setting, name, meant }, 'a sportsbook of the settings may be misspelt')
}
if (hasDeadLinks(config)) {
  logger.warn({ host: config.host }, 'links in alerts lead nowhere: set OVERROUND_PUBLIC_URL')
}
const clock = createClock({ onStep: warnOfStep(logger) })
const stop = new AbortController()
const readSignal = createStopSignals(() => performance.now())
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    const order = readSignal()
    if (order === 'same') return
    logger.info({ signal: name }, order === 'end' ? 'ending at once' : 'stopping')
    if (order === 'end') process.exit(1)
    stop.abort()
  })
}
process.on('SIGUSR2', () => toggleLogLevel(logger, config.logLevel))

try {
  if (config.role === 'pipeline') await runPipelineAlone()
  else await serve(config, logger, clock, stop.signal, greet)
} catch (error) {
  // Start errors are for the person at the terminal, so there is no stack trace.
  const { name, message } = error as Error
  // Damage may be found long after the log was opened.
  const next = name === LogCorruptError.name ? `. ${repairAdvice}` : ''
  if (startErrors.has(name)) console.error(`overround cannot start: ${message}${next}`)
  // Wrong rights and clocks may be found at any time.
  else if (name === LogSetupError.name) console.error(`overround cannot go on: ${message}`)
  else logger.fatal({ err: error }, 'ended')
  process.exit(name === ConfigError.name ? 2 : 1)
}
process.exit(0)

/** Runs the pipeline, the archiver and the health port. If one fails, all end. */
async function runPipelineAlone() {
  const health = createPipelineHealth({
    monotonic: () => performance.now(),
    clockAheadMs: clock.aheadMs,
  })
  stop.signal.addEventListener('abort', health.stop, { once: true })
  const registry = createRegistry(config.role)
  const metrics = createPipelineMetrics(registry, () => performance.now())
  let openedLog: Log | null = null
  addLogReads(registry, () => openedLog)
  addRead(registry, {
    name: 'overround_ready',
    help: '1 while the log takes records and the tables of all partitions here are restored.',
    read: () => (health.state === 'ready' ? 1 : 0),
  })
  const port =
    config.healthPort === null ? null : await openPort(config.healthPort, health, registry)
  try {
    const log = await openLog(config, logger, clock, {
      signal: stop.signal,
      onWaiting: health.waitsFor,
      comparesClockIn: holdersGroup,
    })
    if (!log) return
    openedLog = log
    health.opened(log)
    metrics.opened(log)
    try {
      await runWithArchive(config, log, logger, clock, stop.signal, [health, metrics])
    } finally {
      await log.close()
    }
  } finally {
    await port?.close()
  }
}

async function openPort(port: number, health: PipelineHealth, registry: Registry) {
  const opened = await openHealthPort({
    host: config.host,
    port,
    setting: 'OVERROUND_HEALTH_PORT',
    routes: [...healthRoutes(health, clock.now), metricsRoute(registry)],
    onFailure: (err, path) => logger.error({ err, path }, 'health check failed'),
  })
  logger.info({ host: config.host, port: opened.port }, 'health port listening')
  return opened
}

/** Needs no token, because only the operator can reach the health port. */
function metricsRoute(registry: Registry): PortRoute {
  const { contentType } = registry
  return {
    path: '/metrics',
    answer: async () => ({ status: 200, contentType, body: await registry.metrics() }),
  }
}

function readSettings(): Config {
  // At a terminal a person reads the greeting, which lines of JSON would push out of sight.
  const usual = process.stderr.isTTY ? { OVERROUND_LOG_LEVEL: 'warn' } : {}
  try {
    return readConfig({ ...usual, ...withoutOwn(process.env) })
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error(`overround cannot start:\n${error.message}`)
    process.exit(2)
  }
}

/** Prints addresses, keys and a first request to the terminal. */
function greet(port: number, { boards: { live } }: App) {
  const { host, sandbox } = config
  const root = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const address = `${root}/api/v1`
  const key = 'sk_test_sandbox_sharp'
  const board = `${countText(live.rows.size, 'price')} on ${countText(live.eventCount, 'event')}`
  const lines = ['', `overround is at ${address}`, `  board   ${board}`]
  if (config.web) lines.push(`  odds    ${root}/ in a browser`)
  if (sandbox) {
    lines.push(`  keys    ${Object.keys(sandboxKeys).join('  ')}`)
    lines.push(`  try     curl -H 'X-API-Key: ${key}' '${address}/odds?limit=2'`)
  } else {
    lines.push('  keys    the sandbox keys are off (OVERROUND_SANDBOX)')
  }
  console.log(`${lines.join('\n')}\n`)
}
