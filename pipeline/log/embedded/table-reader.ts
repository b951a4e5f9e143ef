/** Reads tables as of one moment while others go on writing. */

import type { Topic } from '../../../schemas/topics.ts'
import type { LogRecord } from '../log.ts'
import type { Snapshot, Store } from './store.ts'
import { createTopicCursor } from './topic-cursor.ts'

export interface TableReadOptions {
  readonly isEnded: () => boolean
  /** Whether to return only the newest record of each key, without tombstones. */
  readonly newestOnly: boolean
  /** Receives the end of each topic, by name. */
  readonly ends?: Map<string, number>
}

export interface TableReader {
  read(
    topics: readonly Topic[],
    options: TableReadOptions,
  ): AsyncGenerator<readonly LogRecord[], void>
  /** Releases the snapshots of reads in progress. */
  close(): void
}

export function createTableReader(store: Store): TableReader {
  const snapshots = new Set<{ done(): void }>()

  /** Returns the newest offset of each key in the tail, where keys are not unique yet. */
  function newestInTail(topic: Topic, snapshot: Snapshot): Map<string, number> {
    const newest = new Map<string, number>()
    const clean = store.findTopic(topic.name, snapshot)?.clean ?? 0
    const cursor = createTopicCursor(store, topic, clean, snapshot)
    cursor.renew()
    for (;;) {
      const records = cursor.takeChunk()
      if (records.length === 0) return newest
      for (const { key, offset } of records) newest.set(key, offset)
    }
  }

  return {
    async *read(topics, { isEnded, newestOnly, ends }) {
      const transaction = store.snapshot()
      snapshots.add(transaction)
      try {
        for (const topic of topics) {
          const isTable = topic.retention === 'compacted'
          const newest = newestOnly && isTable ? newestInTail(topic, { transaction }) : null
          const cursor = createTopicCursor(store, topic, 0, { transaction })
          const { end } = cursor.renew()
          ends?.set(topic.name, end)
          for (;;) {
            const records = cursor.takeChunk()
            if (records.length === 0) break
            yield newest ? records.filter((record) => isNewest(record, newest)) : records
            if (isEnded()) return
          }
        }
      } finally {
        if (snapshots.delete(transaction)) transaction.done()
      }
    },
    close() {
      for (const snapshot of snapshots) snapshot.done()
      snapshots.clear()
    },
  }
}

const isNewest = ({ key, value, offset }: LogRecord, newest: ReadonlyMap<string, number>) =>
  value !== null && (newest.get(key) ?? offset) === offset
