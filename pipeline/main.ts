/**
 * The pipeline: feeds into the log, the processor over it, and the clock as records. If several
 * pipelines run, each feed, the clock and each partition has one holder; another pipeline takes
 * over when it stops. It runs in its own process (`OVERROUND_ROLE=pipeline`) or, standalone, in a
 * thread beside the API.
 */

import type { Logger } from 'pino'
import { aborted, sleep } from './async/abort-signals.ts'
import { runEach } from './async/run-each.ts'
import type { Feed, FeedSink } from './feeds/feed.ts'
import { findLiveSource } from './feeds/live-sources.ts'
import { checkFeeds, openFeeds, openLive } from './feeds/open-feeds.ts'
import { type CountingSink, createSink } from './feeds/sink.ts'
import { type Lease, type Log, LogFullError, LogUnavailableError } from './log/log.ts'
import type { ServiceClock } from './process/clock.ts'
import { processName } from './process/process-name.ts'
import type { Processor } from './processors/processor.ts'
import { serviceProcessor } from './processors/service-processor.ts'
import { chainsOf } from './rules/odds/chains.ts'
import { addedSourcesName, runAddedSources } from './run/added-sources.ts'
import { joinDeployment, watchDeployment } from './run/deployment.ts'
import { type PipelineWatcher, watcherOf } from './run/pipeline-watcher.ts'
import { retryWhileAway } from './run/retry-while-away.ts'
import { holdersGroup } from './run/roles.ts'
import { run } from './run/run.ts'
import { createSources, type Sources } from './run/sources.ts'
import { waitForRoom } from './run/wait-for-room.ts'
import type { Config } from './settings/config.ts'

const tickEveryMs = 1_000
const reportEveryMs = 60_000
/** The lease of the clock: ticks of several pipelines would each make a pass over the board. */
const clockName = 'clock'

const offsetsGone =
  'the group has no offsets, although its tables have rows: it was deleted, or nobody ran it for as long as the brokers keep offsets. Every record that is left is decided again'

/**
 * Runs until `signal` aborts, through outages of the log. Rejects when the log is damaged or an invariant broke, when an
 * operator has to act, and when another deployment has taken the log over.
 */
export async function runPipeline(
  config: Config,
  openedLog: Log,
  logger: Logger,
  clock: ServiceClock,
  signal: AbortSignal,
  watchers: readonly Partial<PipelineWatcher>[] = [],
): Promise<void> {
  const watcher = watcherOf(watchers)
  const processor = serviceProcessor(chainsOf(config), {
    fees: config.fees,
    keepsHistory: config.archive !== null,
    references: config.references,
  })
  await joinDeployment(config, openedLog, { logger, clock: clock.now, signal })
  if (signal.aborted) return
  const log = waitForRoom(openedLog, { signal, logger })
  const feeds = openFeeds(config, logger, clock.now)
  await checkFeeds(feeds, config)
  const sources = createSources({ log, logger, self: processName, clock: clock.now })
  // The stop may have come while the feeds were checked.
  if (signal.aborted) return
  // A recording brings its own ticks: by our clock its records would be outdated at once.
  const isTicking = feeds.length === 0 || feeds.some(({ isRecorded }) => !isRecorded)
  if (isTicking) await Promise.race([publishFirstTick(openedLog, clock.now), aborted(signal)])
  if (signal.aborted) return
  watcher.started()
  // Invented and recorded prices are not mixed with real ones.
  const maySourcesBeAdded = feeds.every(({ source }) => source)
  const names = [
    ...new Set(feeds.map(({ name }) => name)),
    ...(isTicking ? [clockName] : []),
    ...(maySourcesBeAdded ? [addedSourcesName] : []),
  ]
  await runTogether(signal, [
    (whileRunning) =>
      retryWhileAway(
        processor.name,
        () => runProcessor(processor, log, logger, clock.now, whileRunning, watcher),
        { signal: whileRunning, logger, onAway: watcher.logAway },
      ),
    (whileRunning) =>
      retryWhileAway(
        holdersGroup,
        () =>
          runEach(
            (whileAll) => log.lease(names, { group: holdersGroup, signal: whileAll }),
            runLeased,
            whileRunning,
          ),
        { signal: whileRunning, logger, onAway: watcher.logAway },
      ),
    (whileRunning) =>
      new Promise<void>((resolve, reject) => {
        watchDeployment(config, log, {
          ...{ logger, signal: whileRunning, onStranger: watcher.strangerCame },
          onTakenOver: reject,
        }).then(resolve, reject)
      }),
    ...(maySourcesBeAdded || feeds.some(({ source }) => source) ? [sources.keep] : []),
  ])

  /** Runs the feeds of a name, or the clock, while this process holds the lease. */
  async function runLeased(lease: Lease, whileAll: AbortSignal) {
    const { append, ended, name } = lease
    const openSink = () => createSink({ append, partitionCount: log.partitionCount }, clock.now)
    const whileHeld = AbortSignal.any([whileAll, ended])
    const runHere = (feed: Feed, signal: AbortSignal) =>
      runFeed(feed, sources, { append, sink: openSink() }, logger, signal)
    try {
      if (name === clockName) await tick(openSink(), clock.now, whileHeld, watcher)
      else if (name === addedSourcesName) {
        const { remove } = sources
        await runAddedSources({ log, logger, open: openAdded, run: runHere, remove }, whileHeld)
      } else {
        const held = feeds.filter((feed) => feed.name === name)
        await Promise.all(held.map((feed) => runHere(feed, whileHeld)))
      }
    } catch (error) {
      // Writes in progress when the lease moved are refused.
      if (!ended.aborted) throw error
    }
    if (name === clockName) watcher.clockReleased()
    if (ended.aborted && !whileAll.aborted) logger.info({ name }, 'name given up')
  }

  /** Opens a source that the operator added, unless the settings of this process name it. */
  async function openAdded(name: string, settings: unknown): Promise<Feed | null> {
    const source = findLiveSource(name)
    if (!source || feeds.some((feed) => feed.name === name)) return null
    const { references } = config
    return openLive(source, settings, { logger, now: clock.now, references })
  }
}

/** Runs tasks until `signal` aborts. One that fails ends the others, because recovery is a restart. */
async function runTogether(
  signal: AbortSignal,
  tasks: readonly ((whileRunning: AbortSignal) => Promise<void>)[],
): Promise<void> {
  const failed = new AbortController()
  const whileRunning = AbortSignal.any([signal, failed.signal])
  const running = tasks.map((task) => task(whileRunning))
  try {
    await Promise.all(running)
  } catch (error) {
    // A stop does not wait for a log that is away.
    if (!(error instanceof LogUnavailableError && signal.aborted)) throw error
  } finally {
    failed.abort()
    await Promise.allSettled(running)
  }
}

/**
 * Runs a feed. Rejects only if the log does not take or return records. A feed with another failure
 * ends alone.
 */
async function runFeed(
  feed: Feed,
  sources: Sources,
  { append, sink }: { append: Lease['append']; sink: CountingSink },
  logger: Logger,
  signal: AbortSignal,
) {
  const { name } = feed
  let refused: unknown
  const guarded: FeedSink = {
    skipped: sink.skipped,
    async publish(records) {
      try {
        await sink.publish(records)
      } catch (error) {
        refused = error
        throw error
      }
    },
  }
  logger.info({ feed: name }, 'feed started')
  try {
    if (feed.source) await sources.run(feed, { append, sink: guarded }, signal)
    else await feed.run(guarded, signal)
    logger.info({ feed: name, counts: Object.fromEntries(sink.counts) }, 'feed ended')
  } catch (err) {
    if (refused !== undefined || err instanceof LogUnavailableError) throw err
    logger.error({ feed: name, err }, 'feed failed')
  }
}

/** Writes the clock as records. */
async function tick(
  sink: FeedSink,
  now: () => number,
  signal: AbortSignal,
  { ticked }: PipelineWatcher,
) {
  while (!signal.aborted) {
    await sleep(tickEveryMs, signal)
    if (signal.aborted) return
    await publishTick(sink, now())
    ticked()
  }
}

/**
 * Publishes the first tick. If the log is full, this tick is dropped, and later ones wait for room.
 * A log that another process holds rejects the start.
 */
async function publishFirstTick(log: Log, now: () => number) {
  try {
    await publishTick(createSink(log, now), now())
  } catch (error) {
    if (!(error instanceof LogFullError)) throw error
  }
}

const publishTick = (sink: FeedSink, now: number) =>
  sink.publish([{ type: 'tick', observedAt: now }])

async function runProcessor(
  processor: Processor,
  log: Log,
  logger: Logger,
  clock: () => number,
  signal: AbortSignal,
  watcher: PipelineWatcher,
): Promise<void> {
  const { name } = processor
  let records = 0
  let changes = 0
  let reportAt = 0
  await run(processor, log, {
    signal,
    clock,
    onAssigned: watcher.assigned,
    onRestored(restored) {
      const { assigned, rows, durationMs } = restored
      const { partition } = assigned
      logger.info({ processor: name, partition, rows, durationMs }, 'tables restored')
      watcher.restored(restored)
    },
    onReleased: watcher.released,
    onOffsetsGone: (gone) => logger.warn({ processor: name, ...gone }, offsetsGone),
    // A decision that throws is a bug: the pipeline goes on without the record, and an operator should report it.
    onLeftOut: (err) => logger.error({ processor: name, err }, 'record left out'),
    onDecided({ partition, traces, tookMs }) {
      for (const push of traces.pushes) logger.debug({ ...push, partition, tookMs }, 'push decided')
    },
    onLeft({ partition, traces, records }) {
      for (const push of traces?.pushes ?? []) logger.debug({ ...push, partition }, 'push left')
      logger.debug({ processor: name, partition, records }, 'batch left to new owner')
    },
    onCommit(batch) {
      watcher.committed(batch)
      for (const push of batch.traces?.pushes ?? []) {
        logger.debug({ ...push, partition: batch.partition }, 'push committed')
      }
      logger.debug(
        { processor: name, records: batch.records, changes: batch.changes },
        'batch committed',
      )
      records += batch.records
      changes += batch.changes
      if (performance.now() < reportAt) return
      reportAt = performance.now() + reportEveryMs
      const counts = Object.fromEntries(batch.counts)
      logger.info({ processor: name, records, changes, counts }, 'processor running')
    },
  })
}
