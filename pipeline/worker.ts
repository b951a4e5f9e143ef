/**
 * The pipeline in a thread of its own, so that neither it nor the API delays the other. Any message
 * stops it; it sends one when it has started.
 */

import { parentPort, workerData } from 'node:worker_threads'
import { createClock, warnOfStep } from './clock.ts'
import type { Config } from './config.ts'
import { createLogger } from './logger.ts'
import { runPipeline } from './main.ts'
import { openLog } from './open-log.ts'

const config = workerData as Config
const logger = createLogger(config, 'pipeline')
const stop = new AbortController()
parentPort?.once('message', () => stop.abort())

const clock = createClock({ onStep: warnOfStep(logger) })
const log = await openLog(config, logger, clock, { signal: stop.signal })
try {
  const started = () => parentPort?.postMessage('started')
  if (log) await runPipeline(config, log, logger, clock, stop.signal, { started })
} finally {
  await log?.close()
  parentPort?.close()
}
// A start that was given up may still be trying to connect.
if (!log) process.exit(0)
