/**
 * An archive filled by the archiver from a processor's changelog, in its own engine, and that
 * changelog to compare with.
 */

import { join } from 'node:path'
import type { Archive } from '../../../pipeline/archive/archive.ts'
import { archivedTopics, runArchiver } from '../../../pipeline/archive/archiver.ts'
import { openEmbeddedLog } from '../../../pipeline/log/embedded/embedded-log.ts'
import type { Append, LogRecord } from '../../../pipeline/log/log.ts'
import { serviceProcessor } from '../../../pipeline/processors/service-processor.ts'
import { sharpChain } from '../../../pipeline/rules/odds/sharp-books.ts'
import type { BoardRecord } from '../../../schemas/feed-record.ts'
import type { PriceChange } from '../../../schemas/price-change.ts'
import { type Topic, topics } from '../../../schemas/topics.ts'
import { startEngineArchive } from './engine-archive.ts'

export interface FilledArchive {
  readonly archive: Archive
  close(): Promise<void>
}

/** Returns a processor's changelog for these records, with its history. */
export function changelogOf(records: readonly BoardRecord[]): Append[] {
  const state = serviceProcessor(sharpChain('pinnacle'), { keepsHistory: true }).create()
  return records.flatMap((value, offset) => {
    const topic = topics.feedOdds as Topic
    const record: LogRecord = { topic, partition: 0, offset, key: 'k', value }
    return [...state.decide([record])]
  })
}

export const changesIn = (changelog: readonly Append[]) =>
  changelog
    .filter(({ topic }) => topic.name === topics.priceChanges.name)
    .map(({ value }) => value as PriceChange)

const isArchived = ({ topic, value }: Append) =>
  value !== null && archivedTopics.some(({ name }) => name === topic.name)

export async function fillArchive(changelog: readonly Append[]): Promise<FilledArchive> {
  const engine = await startEngineArchive()
  const { archive, directory } = engine
  const log = await openEmbeddedLog({ path: join(directory, 'log') })
  for (let from = 0; from < changelog.length; from += 5_000) {
    await log.append(changelog.slice(from, from + 5_000))
  }
  const stop = new AbortController()
  let left = changelog.filter((append) => isArchived(append)).length
  await runArchiver(log, archive, {
    signal: stop.signal,
    fillMs: 1,
    onInserted(rows) {
      left -= rows
      if (left === 0) stop.abort()
    },
  })
  await log.close()
  return { archive, close: engine.close }
}
