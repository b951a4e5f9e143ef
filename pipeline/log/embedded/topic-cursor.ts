/** Reads one topic from an offset on, or several topics together in the order of their commits. */

import type { Topic } from '../../../schemas/topics.ts'
import type { LogRecord } from '../log.ts'
import type { TopicState } from './log-state.ts'
import { createRecordDecoder } from './record-decoder.ts'
import type { Snapshot, Store } from './store.ts'

/** The approximate number of records that a reader gets at once. */
export const chunkRecords = 1_024

export type TopicCursor = ReturnType<typeof createTopicCursor>

/**
 * Creates a cursor. `renew` reads the topic's end. The other calls return records before that end,
 * and must follow in the same turn.
 */
export function createTopicCursor(store: Store, topic: Topic, from: number, snapshot?: Snapshot) {
  const decode = createRecordDecoder(topic)
  let records: LogRecord[] = []
  let commits: number[] = []
  let index = 0
  let readTo = from
  let state: TopicState | undefined

  function fill() {
    records = []
    commits = []
    index = 0
    if (!state || readTo >= state.end) return
    for (const { first, entry } of store.readEntries(state.id, readTo, state.end, snapshot)) {
      decode(state, entry, first, readTo, records, commits)
      if (records.length >= chunkRecords) break
    }
    readTo = records.length > 0 ? records.at(-1)!.offset + 1 : state.end
  }

  return {
    topic,
    renew() {
      state = store.findTopic(topic.name, snapshot)
      return {
        end: state?.end ?? 0,
        /** False if records between here and the end may be gone. */
        complete: readTo >= (state?.resumable ?? 0) && readTo <= (state?.end ?? 0),
      }
    },
    /** Returns the commit of the next record, or Infinity. */
    nextCommit() {
      if (index === records.length) fill()
      return commits[index] ?? Number.POSITIVE_INFINITY
    },
    /** Adds records of `commit` to `into`, until that has `limit`. */
    take(commit: number, into: LogRecord[], limit: number) {
      while (into.length < limit && this.nextCommit() === commit) into.push(records[index++]!)
    },
    /** Returns the next records, as many as are decoded. */
    takeChunk() {
      if (index === records.length) fill()
      const taken = records.slice(index)
      index = records.length
      return taken
    },
    /** Returns the offset of the next record to be taken. */
    offset: () => (index < records.length ? records[index]!.offset : readTo),
  }
}

/**
 * Returns about `limit` records of all cursors in commit order. @param wholeCommits exceeds `limit` to end with a
 * whole commit
 */
export function takeCommits(
  cursors: readonly TopicCursor[],
  limit: number,
  wholeCommits: boolean,
): LogRecord[] {
  const records: LogRecord[] = []
  const room = wholeCommits ? Number.POSITIVE_INFINITY : limit
  while (records.length < limit) {
    const commit = Math.min(...cursors.map((cursor) => cursor.nextCommit()))
    if (commit === Number.POSITIVE_INFINITY) break
    for (const cursor of cursors) cursor.take(commit, records, room)
  }
  return records
}
