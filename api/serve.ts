/**
 * Serves the API until a signal stops it, with the pipeline in other processes (role `api`) or in a thread of this one
 * (`standalone`).
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type ArchiveAddress, openArchive } from '../pipeline/archive/archive.ts'
import { requireOriginAtStart } from '../pipeline/archive/archive-origin.ts'
import { createArchiveWatch } from '../pipeline/archive/archive-watch.ts'
import { requireOwnArchive } from '../pipeline/archive/missing-archive.ts'
import { startArchive } from '../pipeline/archive/start-archive.ts'
import { aborted } from '../pipeline/async/abort-signals.ts'
import type { Log } from '../pipeline/log/log.ts'
import { openLog } from '../pipeline/log/open-log.ts'
import { createRegistry } from '../pipeline/metrics/registry.ts'
import type { ServiceClock } from '../pipeline/process/clock.ts'
import { requireListening } from '../pipeline/process/listen-failure.ts'
import { startPipelineThread } from '../pipeline/process/pipeline-thread.ts'
import { joinDeployment, originOf } from '../pipeline/run/deployment.ts'
import { alertsGroup } from '../pipeline/run/roles.ts'
import { type Config, openSandbox } from '../pipeline/settings/config.ts'
import type { PriceOrigin } from '../schemas/deployment.ts'
import { sandboxKeys } from './access/keys.ts'
import { type App, openApp } from './app.ts'
import { openArchiveAccess } from './archive-access.ts'
import { openStartingPort, type StartingPort } from './starting-port.ts'
import { openPages, openStatusPage } from './web/pages.ts'
import type { PageSettings } from './web/static-file.ts'

/** Key of the pages. It sees everything and may stream. */
const sandboxKey = Object.keys(sandboxKeys).at(-1)!

/** A new simulator has its first prices well within this time, even on a busy machine. */
const firstPricesMs = 60_000

/**
 * Longest time for the log to accept a write, so that a failing write has its response within two
 * seconds.
 */
const appendWithinMs = 1_500

/** Time after which an API process listens even without its boards, so that it can report why it is not ready. */
const listenAfterMs = 10_000

/**
 * Serves until stopped, through outages. Rejects if the log or the pipeline fails for good, or the address is taken.
 * @param onServing called when the boards are loaded and requests are served
 */
export async function serve(
  config: Config,
  logger: Logger,
  clock: ServiceClock,
  signal: AbortSignal,
  onServing: (port: number, app: App) => void,
): Promise<void> {
  // If the port is taken, fails before the pipeline writes anything.
  if (config.role === 'standalone') await requireListening(config.host, config.port)
  const opened = await openWaitedLog(config, logger, clock, signal)
  if (!opened) return
  const { log, port } = opened
  try {
    await requireOwnArchive(config, log)
    if (config.role === 'standalone') await requireOriginAtStart(config, log)
    const prices =
      config.role === 'api'
        ? await joinDeployment(config, log, { logger, clock: clock.now, signal })
        : originOf(config)
    await serveFrom(log, { ...config, port }, prices, logger, clock, signal, onServing)
  } finally {
    await log.close()
  }
}

/**
 * Opens the log. While it waits for the log, the service's port reports that.
 * @returns the log and the port, which may have been chosen; nothing if stopped
 */
async function openWaitedLog(
  config: Config,
  logger: Logger,
  clock: ServiceClock,
  signal: AbortSignal,
) {
  let waiting: Promise<StartingPort> | undefined
  const failed = new AbortController()
  const onWaiting = (reason: string) => {
    waiting ??= openStartingPort(config, reason, clock.now, logger)
    waiting.then(
      (port) => port.waitsFor(reason),
      () => failed.abort(),
    )
  }
  const log = await openLog(config, logger, clock, {
    signal: AbortSignal.any([signal, failed.signal]),
    onWaiting,
    appendWithinMs,
    comparesClockIn: alertsGroup,
  })
  const port = await waiting
  await port?.close()
  return log && { log, port: port?.port ?? config.port }
}

async function serveFrom(
  log: Log,
  config: Config,
  prices: PriceOrigin | null,
  logger: Logger,
  clock: ServiceClock,
  signal: AbortSignal,
  onServing: (port: number, app: App) => void,
): Promise<void> {
  const stop = new AbortController()
  const whileServing = AbortSignal.any([signal, stop.signal])
  const isAlone = config.role === 'standalone'
  // The archive starts after the first page, because its engine takes one core for a second.
  let startArchiving = () => {}
  const serving = new Promise<void>((resolve) => {
    startArchiving = resolve
  })
  const archive = isAlone ? startArchive(config, logger, whileServing, serving) : null
  const access = openArchiveAccess(config.archive, archive)
  const watch = openWatch()
  const pages = config.web ? await openPages(pageSettings(config)) : []
  if (!pages) logger.warn('the pages are not built: run npm run build')
  const statusPage = config.web && pages ? await openStatusPage() : null
  const thread = isAlone ? startPipelineThread(config, logger, whileServing) : undefined
  const app = openApp({
    log,
    logger,
    registry: createRegistry(config.role),
    ...(thread && { pipelineMetrics: thread.metrics }),
    settings: config,
    clock: clock.now,
    clockAheadMs: clock.aheadMs,
    archive: access,
    archiveHealth: () => watch?.health() ?? null,
    pages: pages ?? [],
    statusPage,
    prices,
    ...(config.feeds.includes('simulator') && { firstPricesMs }),
  })
  const watching = watch?.run(whileServing)
  const ending = Promise.race([
    aborted(signal),
    app.following,
    ...(thread ? [thread.ended] : []),
    ...(archive ? [archive.ended] : []),
  ])
  try {
    await Promise.race([thread?.started, ending])
    // A load balancer tries the next process if nothing listens here, but passes on a 503.
    if (!isAlone)
      await Promise.race([app.ready, ending, delay(listenAfterMs, null, { ref: false })])
    if (signal.aborted) return
    const port = await app.listen()
    await Promise.race([app.ready, ending])
    if (signal.aborted) return
    const reason = openSandbox(config)
    if (reason !== null) logger.warn({ reason }, sandboxIsOpen)
    onServing(port, app)
    startArchiving()
    await ending
  } finally {
    await app.close()
    await access.close()
    stop.abort()
    await Promise.allSettled([thread?.ended, archive?.ended, watching])
    await watch?.close()
    await archive?.close()
  }

  function openWatch() {
    const { archive: archiveConfig } = config
    if (!archiveConfig) return null
    const address = archive?.address ?? (archiveConfig.at as ArchiveAddress)
    const watched = openArchive(address, archiveConfig.database)
    const options = { log, archive: watched, engine: archive?.engine, clock: clock.now, logger }
    return { ...createArchiveWatch(options), close: watched.close }
  }
}

const pageSettings = (config: Config): Omit<PageSettings, 'isSimulated'> => ({
  sandboxKey: config.sandbox ? sandboxKey : null,
  sharpBook: config.sharpBook,
  hasConsensus: config.consensus,
  ...(config.anchors.size > 0 && { anchors: [...config.anchors] }),
  hasAdmin: config.adminToken !== null,
})

const sandboxIsOpen =
  'everybody who reaches this address can use the sandbox keys: set OVERROUND_SANDBOX=false'
