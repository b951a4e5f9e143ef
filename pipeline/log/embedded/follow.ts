/** Reads topics of the embedded log: first their content, then every commit as it comes. */

import type { Topic } from '../../../schemas/topics.ts'
import type { Chunk, Position } from '../log.ts'
import type { CommitSignal } from './commit-signal.ts'
import type { Store } from './store.ts'
import type { TableReader } from './table-reader.ts'
import { chunkRecords, createTopicCursor, type TopicCursor, takeCommits } from './topic-cursor.ts'

export interface Followed {
  readonly store: Store
  readonly commits: CommitSignal
  readonly tables: TableReader
  readonly isEnded: () => boolean
  readonly signal: AbortSignal
}

/** @param from the position to continue from; ignored if the log no longer has everything after it */
export async function* follow(
  { store, commits, tables, isEnded, signal }: Followed,
  topics: readonly Topic[],
  from: Position | undefined,
): AsyncGenerator<Chunk, void> {
  if (isEnded()) return
  let cursors = from ? resume(store, topics, from) : null
  /** The end offsets that the reader must reach to have caught up; undefined once it has. */
  let target = cursors?.map((cursor) => cursor.renew().end)
  for (;;) {
    if (!cursors) {
      // A reader that stops before the snapshot is complete must begin again, so these chunks have
      // the position 0.
      const start = positionAt(store, topics, () => 0)
      const ends = new Map<string, number>()
      let reset = true
      for await (const records of tables.read(topics, { isEnded, ends, newestOnly: false })) {
        yield { reset, records, position: start, caughtUp: false }
        reset = false
        if (isEnded()) return
      }
      const endOf = ({ name }: Topic) => ends.get(name) ?? 0
      cursors = topics.map((topic) => createTopicCursor(store, topic, endOf(topic)))
      target = undefined
      yield { reset, records: [], position: positionAt(store, topics, endOf), caughtUp: true }
    }

    while (!isEnded()) {
      store.renew()
      if (!cursors.every((cursor) => cursor.renew().complete)) break
      const records = takeCommits(cursors, chunkRecords, true)
      const caughtUp = target?.every((end, index) => cursors![index]!.offset() >= end) ?? true
      if (records.length === 0 && !(target && caughtUp)) {
        await commits.next(signal)
        continue
      }
      if (caughtUp) target = undefined
      yield { reset: false, records, position: positionOf(store, cursors), caughtUp }
    }
    if (isEnded()) return
    cursors = null
  }
}

/** Returns cursors at a position, or null if there would be a gap. */
function resume(store: Store, topics: readonly Topic[], from: Position): TopicCursor[] | null {
  if (from.epoch !== store.epoch) return null
  store.renew()
  const cursors: TopicCursor[] = []
  for (const topic of topics) {
    const offsets = from.offsets[topic.name]
    if (offsets?.length !== 1 || !Number.isSafeInteger(offsets[0])) return null
    const cursor = createTopicCursor(store, topic, offsets[0]!)
    if (offsets[0]! < 0 || !cursor.renew().complete) return null
    cursors.push(cursor)
  }
  return cursors
}

const positionAt = (
  { epoch }: Store,
  topics: readonly Topic[],
  offset: (topic: Topic) => number,
): Position => ({
  epoch,
  offsets: Object.fromEntries(topics.map((topic) => [topic.name, [offset(topic)]])),
})

const positionOf = ({ epoch }: Store, cursors: readonly TopicCursor[]): Position => ({
  epoch,
  offsets: Object.fromEntries(cursors.map((cursor) => [cursor.topic.name, [cursor.offset()]])),
})
