/** Runs the pipeline and the archiver in one process. */

import type { Logger } from 'pino'
import { requireOriginAtStart } from './archive/archive-origin.ts'
import { startArchive } from './archive/start-archive.ts'
import type { Log } from './log/log.ts'
import { runPipeline } from './main.ts'
import type { ServiceClock } from './process/clock.ts'
import type { PipelineWatcher } from './run/pipeline-watcher.ts'
import type { Config } from './settings/config.ts'

/**
 * Runs both until `signal` aborts. If one fails, both end. The archiver starts once the log has accepted the pipeline: a
 * refused one changes no archive.
 */
export async function runWithArchive(
  config: Config,
  log: Log,
  logger: Logger,
  clock: ServiceClock,
  signal: AbortSignal,
  watchers: readonly Partial<PipelineWatcher>[],
): Promise<void> {
  await requireOriginAtStart(config, log)
  const failed = new AbortController()
  const whileRunning = AbortSignal.any([signal, failed.signal])
  let accepted = () => {}
  const whenAccepted = new Promise<void>((resolve) => {
    accepted = resolve
  })
  const archive = startArchive(config, logger, whileRunning, whenAccepted)
  const running = [
    runPipeline(config, log, logger, clock, whileRunning, [...watchers, { started: accepted }]),
    ...(archive ? [archive.ended] : []),
  ]
  try {
    await Promise.all(running)
  } finally {
    failed.abort()
    await Promise.allSettled(running)
    await archive?.close()
  }
}
