/** The rows that a store keeps beside the entries, about the log, each topic and each consumer group. */

import { randomBytes, randomUUID } from 'node:crypto'
import type { Database } from 'lmdb'

/** The version of the store and of its rows, which have no schema of their own. */
export const formatVersion = 2

/** The row of a topic. Offsets count the topic's records from 0. */
export interface TopicState {
  readonly id: number
  /** The next offset. */
  end: number
  /** A reader that resumes below this offset may miss records that compaction or age removed. */
  resumable: number
  /** The offset below which there is at most one record per key and no tombstone. */
  clean: number
  /** The number of records stored. */
  records: number
  /** Total size of its entries. */
  bytes: number
  /** The schemas its values were written in, as JSON; a schema's id is its index. */
  readonly schemas: string[]
  /** When the oldest entry was written (epoch ms), for topics kept by age. */
  oldestAt: number
  compaction: { readonly token: string; renewedAt: number } | null
}

export type GroupOffsets = Readonly<Record<string, number>>

export interface LogState {
  readonly format: number
  readonly epoch: string
  /**
   * Earlier epochs, the oldest first: of the logs that this is a copy of, or its own before it lost
   * its last commits.
   */
  readonly continues?: readonly string[]
  /** By epoch, the end of each topic when the copy was made or the commits were lost. */
  readonly copiedTo?: Readonly<Record<string, Readonly<Record<string, number>>>>
  secret?: string
  /** The first commit whose entries have a checksum. */
  checkedFrom?: number
}

export const newSecret = () => randomBytes(32).toString('base64url')

export function newLogState(): LogState {
  return { format: formatVersion, epoch: randomUUID(), checkedFrom: 0, secret: newSecret() }
}

/**
 * Returns the log's row with a new epoch, for a log that lacks records which readers may have. So
 * they cannot resume from positions of the former epoch.
 * @param state the rows of the log
 */
export function withNewEpoch(log: LogState, state: Database): LogState {
  const ends: Record<string, number> = {}
  for (const { key, value } of state.getRange({ start: ['topic'], end: ['topic', '\uffff'] })) {
    ends[(key as [string, string])[1]] = (value as TopicState).end
  }
  return {
    ...log,
    epoch: randomUUID(),
    continues: [...(log.continues ?? []), log.epoch],
    copiedTo: { ...log.copiedTo, [log.epoch]: ends },
  }
}
