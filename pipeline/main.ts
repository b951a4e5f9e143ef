/**
 * The pipeline: feeds into the log, processors over it, and the clock as records. Runs in its own
 * process (`OVERROUND_ROLE=pipeline`) or, standalone, in a worker of the API's.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Feed, FeedSink } from './feeds/feed.ts'
import { openFeeds } from './feeds/open-feeds.ts'
import { createSink } from './feeds/sink.ts'
import type { Log } from './log/log.ts'
import type { Processor } from './processors/processor.ts'
import { serviceProcessor } from './processors/service-processor.ts'
import { sharpChain } from './rules/sharp-books.ts'
import { run } from './run.ts'

const tickEveryMs = 1_000
const reportEveryMs = 60_000

/**
 * Runs until `signal` aborts. Rejects when the log fails or an invariant of ours broke.
 * @param onStarted called when the feeds are open and the log has taken a first record
 */
export async function runPipeline(
  config: Config,
  log: Log,
  logger: Logger,
  signal: AbortSignal,
  onStarted: () => void = () => {},
): Promise<void> {
  const chain = sharpChain(config.sharpBook)
  const processors: readonly Processor[] = [serviceProcessor(chain)]
  const sink = createSink(log, Date.now)
  const feeds = openFeeds(config, logger)
  // The start may take long, and it may be over before it is done.
  if (signal.aborted) return
  // A recording brings its own time: under our clock all it says would be out of date at once.
  const isTicking = feeds.length === 0 || feeds.some(({ isRecorded }) => !isRecorded)
  if (isTicking) await publishTick()
  onStarted()
  const ended = new AbortController()
  const whileRunning = AbortSignal.any([signal, ended.signal])
  const tasks = [
    ...processors.map((processor) => runProcessor(processor, log, logger, whileRunning)),
    ...feeds.map((feed) => runFeed(feed)),
    ...(isTicking ? [tick()] : []),
  ]

  /** A feed that fails by itself ends alone; only when the log takes nothing does everything end. */
  async function runFeed(feed: Feed) {
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
      await feed.run(guarded, whileRunning)
      logger.info({ feed: name, counts: Object.fromEntries(sink.counts) }, 'feed ended')
    } catch (err) {
      if (refused !== undefined) throw err
      logger.error({ feed: name, err }, 'feed failed')
    }
  }

  function publishTick() {
    return sink.publish([{ type: 'tick', observedAt: Date.now() }])
  }

  async function tick() {
    while (!whileRunning.aborted) {
      await delay(tickEveryMs, undefined, { signal: whileRunning }).catch(() => {})
      if (!whileRunning.aborted) await publishTick()
    }
  }

  try {
    await Promise.all(tasks)
  } finally {
    // One that failed ends the others; starting again is recovering.
    ended.abort()
    await Promise.allSettled(tasks)
  }
}

async function runProcessor(
  processor: Processor,
  log: Log,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const { name } = processor
  let records = 0
  let changes = 0
  let reportAt = 0
  await run(processor, log, {
    signal,
    onRestored: (restored) => logger.info({ processor: name, ...restored }, 'tables restored'),
    // A decision that fails is our mistake: without the record all goes on, but somebody must look.
    onLeftOut: (err) => logger.error({ processor: name, err }, 'record left out'),
    onCommit(batch) {
      records += batch.records
      changes += batch.changes
      if (performance.now() < reportAt) return
      reportAt = performance.now() + reportEveryMs
      const counts = Object.fromEntries(batch.counts)
      logger.info({ processor: name, records, changes, counts }, 'processor running')
    },
  })
}
