/**
 * The sources that the operator added through the API: the table `added-sources`. The pipeline that holds their lease
 * runs all of them. A change of a source's settings ends its run and begins another; a removal ends it for good.
 */

import type { Logger } from 'pino'
import type { AddedSource } from '../../schemas/source.ts'
import { topics } from '../../schemas/topics.ts'
import type { Feed } from '../feeds/feed.ts'
import { SettingsError } from '../feeds/kit/source.ts'
import type { Log } from '../log/log.ts'

/** The lease of added sources. */
export const addedSourcesName = 'added-sources'

export interface AddedSourcesOptions {
  readonly log: Pick<Log, 'follow'>
  readonly logger: Pick<Logger, 'info' | 'error'>
  /**
   * @returns null for a name that this build or this process does not run
   * @throws SettingsError
   */
  readonly open: (name: string, settings: unknown) => Promise<Feed | null>
  /** Runs a feed until `signal` aborts; rejects when the log does not take its records. */
  readonly run: (feed: Feed, signal: AbortSignal) => Promise<void>
  /** Ends a source for good, while it still runs. */
  readonly remove: (name: string) => Promise<void>
}

interface Running {
  readonly stop: AbortController
  readonly done: Promise<void>
}

/** Runs until `signal` aborts. Rejects when the log is away, or does not take the records of a source. */
export async function runAddedSources(
  { log, logger, open, run, remove }: AddedSourcesOptions,
  signal: AbortSignal,
): Promise<void> {
  const failed = new AbortController()
  const whileAll = AbortSignal.any([signal, failed.signal])
  const running = new Map<string, Running>()
  const failures: unknown[] = []
  const fail = (error: unknown) => {
    failures.push(error)
    failed.abort()
  }

  async function start({ source, settings }: AddedSource) {
    const feed = await openOrLog(source, settings)
    if (!feed) return
    const stop = new AbortController()
    const done = run(feed, AbortSignal.any([whileAll, stop.signal])).catch(fail)
    running.set(source, { stop, done })
  }

  async function openOrLog(source: string, settings: string): Promise<Feed | null> {
    try {
      const feed = await open(source, JSON.parse(settings))
      if (!feed)
        logger.error(
          { source },
          'added source is not run: OVERROUND_FEEDS names it, or this build lacks it',
        )
      return feed
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error
      logger.error({ source, error: error.message }, 'added source is not run: change its settings')
      return null
    }
  }

  async function end(name: string) {
    const one = running.get(name)
    running.delete(name)
    one?.stop.abort()
    await one?.done
  }

  try {
    const changed = new Map<string, AddedSource | null>()
    for await (const batch of log.follow([topics.addedSources], { signal: whileAll })) {
      for (const { key, value } of batch.records) changed.set(key, value as AddedSource | null)
      if (!batch.caughtUp) continue
      for (const [name, row] of changed) {
        if (!row && running.has(name)) {
          await remove(name)
          logger.info({ source: name }, 'added source is removed')
        }
        await end(name)
        if (row && !whileAll.aborted) await start(row)
      }
      changed.clear()
    }
  } catch (error) {
    fail(error)
  }
  await Promise.all([...running.keys()].map(end))
  if (failures.length > 0) throw failures[0]
}
