/**
 * The process: reads the settings, opens the log, and runs what its role says. Standalone is the
 * API on the main thread and the pipeline in a worker. Whatever fails beyond repair ends the
 * process; starting again is recovering.
 */

import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import {
  type Config,
  ConfigError,
  describeSettings,
  readConfig,
  StartError,
} from '../pipeline/config.ts'
import { createSink } from '../pipeline/feeds/sink.ts'
import { type Log, LogLockedError } from '../pipeline/log/log.ts'
import { createLogger } from '../pipeline/logger.ts'
import { runPipeline } from '../pipeline/main.ts'
import { openLog } from '../pipeline/open-log.ts'
import { sharpChain } from '../pipeline/rules/sharp-books.ts'
import { openAccounts } from './access/accounts.ts'
import { sandboxKeys } from './access/keys.ts'
import { createCursors, cursorSecret } from './ask/cursor.ts'
import { type Boards, createBoards } from './boards.ts'
import { createRoutes } from './routes/all-routes.ts'
import { openServer } from './server/server.ts'
import { createStreams } from './stream/streams.ts'

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

/** By name, because an error of the worker arrives as a copy. */
const startErrors: ReadonlySet<string> = new Set([
  StartError.name,
  ConfigError.name,
  LogLockedError.name,
])

/** In the api role the pipeline runs in other processes. */
const elsewhere: RunningPipeline = {
  started: Promise.resolve(),
  ended: new Promise<never>(() => {}),
}
const config = readSettings()
const logger = createLogger(config, config.role)
const stop = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.once(name, () => {
    logger.info({ signal: name }, 'stopping')
    stop.abort()
  })
}

try {
  const log = await openLog(config, logger)
  try {
    if (config.role === 'pipeline') await runPipeline(config, log, logger, stop.signal)
    else await serve(config, log, logger)
  } finally {
    await log.close()
  }
} catch (error) {
  // What keeps it from starting is for the person at the terminal; where it was thrown is not.
  const { name, message } = error as Error
  if (startErrors.has(name)) console.error(`overround cannot start: ${message}`)
  else logger.fatal({ err: error }, 'ended')
  process.exit(name === ConfigError.name ? 2 : 1)
}
process.exit(0)

function readSettings(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error(`overround cannot start:\n${error.message}`)
    process.exit(2)
  }
}

async function serve(config: Config, log: Log, logger: Logger): Promise<void> {
  const clock = Date.now
  const boards = createBoards(log, clock)
  const accounts = openAccounts(log, { sandbox: config.sandbox, clock })
  const ended = new AbortController()
  const whileServing = AbortSignal.any([stop.signal, ended.signal])
  const following = Promise.all([boards.follow(whileServing), accounts.follow(whileServing)])
  const pipeline = config.role === 'standalone' ? startPipeline(config, whileServing) : elsewhere
  const failing = Promise.race([following, pipeline.ended])
  await Promise.race([pipeline.started, failing])
  const chain = sharpChain(config.sharpBook)
  const isDisplacing = config.streamDisplacement
  const streams = createStreams({ boards, log, accounts, chain, clock, logger, isDisplacing })
  const server = await openServer({
    host: config.host,
    port: config.port,
    logger,
    boards,
    keyring: accounts.keyring,
    usage: accounts.usage,
    streams,
    tokens: { admin: config.adminToken, ingest: config.ingestToken },
    clock,
    routes: createRoutes({
      boards,
      accounts,
      sink: createSink(log, clock),
      cursors: createCursors(cursorSecret(log.epoch, config)),
      clock,
      chain,
      streams,
      linkHosts: config.linkHosts,
    }),
  })
  try {
    await Promise.race([Promise.all([boards.ready, accounts.ready]), failing])
    await Promise.race([firstPrices(config, boards), failing])
    greet(config, server.port, boards.live.eventCount, boards.live.rows.size)
    await failing
  } finally {
    await server.close()
    ended.abort()
    await Promise.allSettled([following, pipeline === elsewhere ? undefined : pipeline.ended])
    await accounts.close()
  }
}

interface RunningPipeline {
  /** Resolves when its feeds are open and the log is ours. */
  readonly started: Promise<void>
  /** Resolves when it has stopped on the signal, rejects when it ends otherwise. */
  readonly ended: Promise<void>
}

function startPipeline(config: Config, signal: AbortSignal): RunningPipeline {
  const worker = new Worker(new URL('../pipeline/worker.js', import.meta.url), {
    workerData: config,
  })
  const tellToStop = () => worker.postMessage('stop')
  if (signal.aborted) tellToStop()
  else signal.addEventListener('abort', tellToStop, { once: true })
  return {
    started: new Promise((resolve) => worker.once('message', () => resolve())),
    ended: new Promise((resolve, reject) => {
      worker.once('error', reject)
      worker.once('exit', (code) => {
        if (signal.aborted) resolve()
        else reject(new Error(`The pipeline ended by itself (exit code ${code}).`))
      })
    }),
  }
}

/** A fresh install waits for its first board, so that the first request shows something. */
async function firstPrices({ feeds }: Config, { live }: Boards): Promise<void> {
  const deadline = performance.now() + 10_000
  const expected = feeds.includes('simulator')
  while (expected && live.rows.size === 0 && performance.now() < deadline) await delay(50)
}

/** For the person at the terminal: what to try first. */
function greet({ host, sandbox }: Config, port: number, events: number, odds: number) {
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}/api/v1`
  const key = 'sk_test_sandbox_sharp'
  const lines = [
    '',
    `overround is at ${address}`,
    `  board   ${odds.toLocaleString('en')} prices on ${events.toLocaleString('en')} events`,
  ]
  if (sandbox) {
    lines.push(`  keys    ${Object.keys(sandboxKeys).join('  ')}`)
    lines.push(`  try     curl -H 'X-API-Key: ${key}' '${address}/odds?limit=2'`)
  } else {
    lines.push('  keys    the sandbox keys are off (OVERROUND_SANDBOX)')
  }
  console.log(`${lines.join('\n')}\n`)
}
