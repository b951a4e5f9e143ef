/**
 * Whether the archive fits the log that it is filled from. If not, history would be lost without
 * any error: records would be skipped because the archive, or its group, seems to have them
 * already.
 */

import type { GroupPlace } from '../log/log.ts'
import { archivedTables } from './archived-tables.ts'
import { expiringTables } from './migrations.ts'

/** A fault of one partition of a topic. */
export interface ArchiveGap {
  /**
   * `ahead`: the archive has offsets that the partition has not reached. So it was filled from
   * another log with the same epoch, or the log has lost its end. New records at those offsets are
   * not archived. `empty`: the group has read records of the partition, but the archive has none of
   * them. `behind`: the group has read further than the archive has rows.
   */
  readonly kind: 'ahead' | 'empty' | 'behind'
  readonly topic: string
  readonly partition: number
  /** The next offset for the archive; 0 if it has no rows. */
  readonly archived: number
  /** The next offset of the group; null for a group that has committed none. */
  readonly committed: number | null
  readonly end: number
  /** Offsets that are not archived, or archived again. Ends of transactions count too. */
  readonly records: number
}

/**
 * A group's offset may be this much beyond the last row, because ends of transactions and
 * undecodable records have offsets too.
 */
const tolerated = 1_000

/** Topics whose rows the archive deletes by their age. */
const expiringTopics: ReadonlySet<string> = new Set(
  archivedTables.flatMap(({ topic, table }) => (table in expiringTables ? [topic.name] : [])),
)

/**
 * Returns whether a topic has no rows because all have expired: they were of an old recording, or
 * the topic has had no records for long. In contrast, a new archive, or one of another log, has no
 * rows of any topic.
 */
const isExpired = (topic: string, reached: ReadonlyMap<string, number>) =>
  reached.size > 0 && !reached.has(topic) && expiringTopics.has(topic)

/**
 * Returns the gaps of one partition.
 * @param places of the group in that partition, read after `reached`
 * @param reached the newest offset in the archive by topic; nothing for a topic without rows
 */
export function gapsOf(
  places: readonly GroupPlace[],
  reached: ReadonlyMap<string, number>,
): readonly ArchiveGap[] {
  return places.flatMap(({ topic, partition, oldest, committed, end }): ArchiveGap[] => {
    const archived = (reached.get(topic.name) ?? -1) + 1
    const at = { topic: topic.name, partition, archived, committed, end }
    if (archived > end) return [{ ...at, kind: 'ahead', records: archived - end }]
    const records = (committed ?? 0) - Math.max(archived, oldest)
    if (records <= 0 || isExpired(topic.name, reached)) return []
    if (reached.size === 0) return [{ ...at, kind: 'empty', records }]
    // A compacted topic may have any number of removals, which make no rows.
    const isBehind = topic.retention !== 'compacted' && records > tolerated
    return isBehind ? [{ ...at, kind: 'behind', records }] : []
  })
}

/**
 * Returns the offsets, by topic, from which records have to be read again because the archive lacks
 * them. After the last row of a compacted topic there may be only removals. So a long remainder of
 * it is read again only if another topic shows that the archive lacks records.
 * @param gaps the gaps of the same places
 */
export function lackingFrom(
  places: readonly GroupPlace[],
  reached: ReadonlyMap<string, number>,
  gaps: readonly ArchiveGap[],
): ReadonlyMap<string, number> {
  const isLacking = gaps.some(({ kind }) => kind !== 'ahead')
  return new Map(
    places.flatMap(({ topic, oldest, committed }): [string, number][] => {
      const from = Math.max((reached.get(topic.name) ?? -1) + 1, oldest)
      if (committed === null || from >= committed || isExpired(topic.name, reached)) return []
      // A short remainder may be the last closes, and costs little to read.
      const isLong = committed - from > tolerated
      return topic.retention === 'compacted' && isLong && !isLacking ? [] : [[topic.name, from]]
    }),
  )
}

/** The operator's warnings by kind, each with what to do. */
export const gapMessages: Readonly<Record<ArchiveGap['kind'], string>> = {
  ahead:
    'the archive has records of this log beyond its end, and new records at those offsets are not archived. If this log is a mirror of another one, stop all processes and delete its topic meta; docs/deployment.md, "A mirror is another log", has the command. After a power cut of the brokers only this number of records is concerned',
  empty:
    'the archive has nothing of this log, although records of it were archived: it is new, or another one than before. What the log still has is archived again; if it is the wrong ClickHouse, correct OVERROUND_CLICKHOUSE_URL',
  behind:
    'the archive lacks records that were archived before: it was restored, or is another one than before. What the log still has is archived again',
}
