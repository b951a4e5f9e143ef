/**
 * The pipeline in its own thread, so that neither it nor the API delays the other. It takes the messages `stop`,
 * `metrics`, to which it replies with its metrics as text, and a log level; it sends `started`.
 */

import { parentPort, workerData } from 'node:worker_threads'
import { openLog } from '../log/open-log.ts'
import { runPipeline } from '../main.ts'
import { createPipelineMetrics } from '../metrics/pipeline-metrics.ts'
import { createThreadRegistry } from '../metrics/registry.ts'
import { holdersGroup } from '../run/roles.ts'
import type { Config } from '../settings/config.ts'
import { createClock, warnOfStep } from './clock.ts'
import { createLogger } from './logger.ts'
import type { FromPipeline, ToPipeline } from './pipeline-thread.ts'

const config = workerData as Config
const logger = createLogger(config, 'pipeline')
const stop = new AbortController()
const registry = createThreadRegistry()
const metrics = createPipelineMetrics(registry, () => performance.now())
parentPort?.on('message', async (message: ToPipeline) => {
  if (message === 'stop') stop.abort()
  else if (message !== 'metrics') logger.level = message.logLevel
  else parentPort?.postMessage({ metrics: await registry.metrics() } satisfies FromPipeline)
})

const clock = createClock({ onStep: warnOfStep(logger) })
const log = await openLog(config, logger, clock, {
  signal: stop.signal,
  comparesClockIn: holdersGroup,
})
try {
  const started = () => parentPort?.postMessage('started' satisfies FromPipeline)
  if (log) {
    metrics.opened(log)
    await runPipeline(config, log, logger, clock, stop.signal, [metrics, { started }])
  }
} finally {
  await log?.close()
  parentPort?.close()
}
// A stopped start may still be trying to connect.
if (!log) process.exit(0)
