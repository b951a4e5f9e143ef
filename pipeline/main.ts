/**
 * The pipeline: feeds into the log, the processor over it, and the clock as records. Several pipelines
 * share the feeds and the clock as they share the partitions: each has one holder, and moves when that one
 * goes. It runs in a process of its own (`OVERROUND_ROLE=pipeline`) or, standalone, in a thread beside
 * the API.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { ServiceClock } from './clock.ts'
import type { Config } from './config.ts'
import type { Feed, FeedSink } from './feeds/feed.ts'
import { openFeeds } from './feeds/open-feeds.ts'
import { type CountingSink, createSink } from './feeds/sink.ts'
import { type Holding, type Log, LogFullError, LogUnavailableError } from './log/log.ts'
import { outlast } from './outlast.ts'
import { ownProcess } from './own-process.ts'
import type { Processor } from './processors/processor.ts'
import { serviceProcessor } from './processors/service-processor.ts'
import { holdersGroup } from './roles.ts'
import { sharpChain } from './rules/odds/sharp-books.ts'
import { type Assigned, type Committed, type Restored, run } from './run.ts'
import { runEach } from './run-each.ts'
import { aborted } from './signals.ts'
import { createSources, type Sources } from './sources.ts'
import { waitForRoom } from './wait-for-room.ts'

const tickEveryMs = 1_000
const reportEveryMs = 60_000
/** Held as feeds are: ticks of several pipelines would be as many passes over the board. */
const clockName = 'clock'

/** Is told what happens, for health and metrics. Each is called inside the work: it has to be quick. */
export interface PipelineWatcher {
  /** The feeds are open and the log is ours: it has taken a first record, or would have if it were not full. */
  started(): void
  /** The log has taken the time. */
  ticked(): void
  /** Work on the log ended because it did not answer, and begins again. */
  logAway(reason: string): void
  /** Another pipeline tells the time from now on. */
  clockReleased(): void
  /** The tables of this partition are about to be restored. */
  assigned(assigned: Assigned): void
  restored(restored: Restored): void
  /** A batch was committed; `counts` are what was left out since the start, by code. */
  committed(batch: Committed): void
  /** The partition has gone to another pipeline, or the log is away. */
  released(assigned: Assigned): void
}

const events = [
  'started',
  'ticked',
  'logAway',
  'clockReleased',
  'assigned',
  'restored',
  'released',
  'committed',
] as const satisfies readonly (keyof PipelineWatcher)[]

/** Tells all of them. */
function toldTo(watchers: readonly Partial<PipelineWatcher>[]): PipelineWatcher {
  const tell = (name: (typeof events)[number]) => (what: never) => {
    for (const watcher of watchers) watcher[name]?.(what)
  }
  return Object.fromEntries(events.map((name) => [name, tell(name)])) as unknown as PipelineWatcher
}

/** Runs until `signal` aborts, through outages of the log. Rejects when it is damaged or an invariant of ours broke. */
export async function runPipeline(
  config: Config,
  openedLog: Log,
  logger: Logger,
  clock: ServiceClock,
  signal: AbortSignal,
  watchers: readonly Partial<PipelineWatcher>[] = [],
): Promise<void> {
  const watcher = toldTo(watchers)
  const processor = serviceProcessor(sharpChain(config.sharpBook), {
    fees: config.fees,
    keepsHistory: config.archive !== null,
  })
  const log = waitForRoom(openedLog, { signal, logger })
  const feeds = openFeeds(config, logger, clock.now)
  const sources = createSources({ log, logger, self: ownProcess, clock: clock.now })
  // Opening may take long; by now it may have been told to stop.
  if (signal.aborted) return
  // A recording brings its own time: under our clock all it says would be out of date at once.
  const isTicking = feeds.length === 0 || feeds.some(({ isRecorded }) => !isRecorded)
  if (isTicking) await Promise.race([publishFirstTick(openedLog, clock.now), aborted(signal)])
  if (signal.aborted) return
  watcher.started()
  const names = [...new Set(feeds.map(({ name }) => name)), ...(isTicking ? [clockName] : [])]
  await runTogether(signal, [
    (whileRunning) =>
      outlast(
        processor.name,
        () => runProcessor(processor, log, logger, clock.now, whileRunning, watcher),
        { signal: whileRunning, logger, onAway: watcher.logAway },
      ),
    (whileRunning) =>
      outlast(
        holdersGroup,
        () =>
          runEach(
            (whileAll) => log.hold(names, { group: holdersGroup, signal: whileAll }),
            runHeld,
            whileRunning,
          ),
        { signal: whileRunning, logger, onAway: watcher.logAway },
      ),
    ...(feeds.some(({ source }) => source) ? [sources.keep] : []),
  ])

  /** Runs what goes by a name while this process holds it. */
  async function runHeld(holding: Holding, whileAll: AbortSignal) {
    const { append, ended, name } = holding
    const sink = createSink({ append, partitionCount: log.partitionCount }, clock.now)
    const whileHeld = AbortSignal.any([whileAll, ended])
    try {
      if (name === clockName) await tick(sink, clock.now, whileHeld, watcher)
      const held = feeds.filter((feed) => feed.name === name)
      await Promise.all(
        held.map((feed) => runFeed(feed, sources, { append, sink }, logger, whileHeld)),
      )
    } catch (error) {
      // What it had on its way when it was taken over is refused.
      if (!ended.aborted) throw error
    }
    if (name === clockName) watcher.clockReleased()
    if (ended.aborted && !whileAll.aborted) logger.info({ name }, 'name given up')
  }
}

/** Runs tasks until `signal` aborts. One that fails ends the others: starting again is recovering. */
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
    // Told to stop, nobody waits for a log that is away.
    if (!(error instanceof LogUnavailableError && signal.aborted)) throw error
  } finally {
    failed.abort()
    await Promise.allSettled(running)
  }
}

/** Rejects only when the log takes or gives nothing: a feed that fails by itself ends alone. */
async function runFeed(
  feed: Feed,
  sources: Sources,
  { append, sink }: { append: Holding['append']; sink: CountingSink },
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

/** The clock as records. */
async function tick(
  sink: FeedSink,
  now: () => number,
  signal: AbortSignal,
  { ticked }: PipelineWatcher,
) {
  while (!signal.aborted) {
    await delay(tickEveryMs, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    await publishTick(sink, now())
    ticked()
  }
}

/** A log that is full takes no tick now, and the others wait for it; one of another process never will. */
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
    // A decision that fails is our mistake: without the record all goes on, but somebody must look.
    onLeftOut: (err) => logger.error({ processor: name, err }, 'record left out'),
    onDecided({ partition, traces, tookMs }) {
      for (const push of traces.pushes) logger.debug({ ...push, partition, tookMs }, 'push decided')
    },
    onLeft({ partition, traces, records }) {
      for (const push of traces?.pushes ?? []) logger.debug({ ...push, partition }, 'push left')
      logger.debug({ processor: name, partition, records }, 'batch left')
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
