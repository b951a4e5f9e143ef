/**
 * The log port over a directory of one machine (`store.ts`): one partition, any number of threads and handles of one
 * writing process, and other processes that only read. Between threads a commit is announced on a BroadcastChannel;
 * other processes check every 20 ms.
 *
 * **Durability.** `append` and `Batch.commit` resolve once the storage transaction is committed: a
 * kill of the process after that loses nothing, and a kill before it leaves nothing of the write. A
 * failed write leaves nothing either, and makes no other write fail. The disk is flushed
 * afterwards, continuously: a power cut or a crash of the operating system may lose the last
 * commits. Each is lost as a whole, the newest first; the log itself is never lost. With `flush:
 * 'disk'` both resolve only after the flush.
 *
 * **A full disk** refuses writes with `LogFullError`, and reads go on. It counts as full while some
 * bytes are left, which are reserved for other files. Writes are accepted again as soon as there is
 * room.
 *
 * Values are stored in the topic's Avro schema at that time. If the schema has changed since, they
 * are read through schema resolution. A reader can resume from a position in the tail that
 * compaction does not touch; the tail has at least `tailRecords`.
 *
 * Topics kept by age drop records that are too old, and the oldest ones above `longestBytes`. Each
 * write drops a few entries, so a lowered limit is reached after some writes. The space is reused;
 * the files do not shrink.
 *
 * A group that has fallen behind that tail gets the rest of a compacted topic: the newest record of every key, in
 * order, without tombstones. A second member of a group in one thread is refused at once; in two
 * threads, the first commit of the slower one fails.
 */

import type { Topic } from '../../../schemas/topics.ts'
import {
  type Append,
  type Assignment,
  type Batch,
  type Lease,
  type Log,
  LogFullError,
  type Missed,
} from '../log.ts'
import { createMissedCount } from '../missed.ts'
import { createCommitSignal } from './commit-signal.ts'
import { createDiskRoom } from './disk-room.ts'
import { createRunEncoder } from './encoded-runs.ts'
import { follow } from './follow.ts'
import { openStore } from './store.ts'
import { createTableReader } from './table-reader.ts'
import { createTopicCursor, takeCommits } from './topic-cursor.ts'
import { createWriter, type OffsetMove } from './writer.ts'

export interface EmbeddedLogOptions {
  /** The log's directory, created if missing. */
  readonly path: string
  /** Whether commits wait for the disk (see above); default `commit`: they do not. */
  readonly flush?: 'commit' | 'disk'
  /** Records at the end of a compacted topic that are not compacted, default 131,072. */
  readonly tailRecords?: number
  /** Upper limit of the age of topics kept by age (ms); default: none. */
  readonly longestAgeMs?: number
  /** How often to check for commits of other processes; threads of this one notify each other. */
  readonly pollMs?: number
  /** The most bytes of each topic kept by age, default 2 GiB. */
  readonly longestBytes?: number
  /** The disk counts as full when it has less than this free (bytes), default 16 MiB. */
  readonly reserveBytes?: number
  readonly clock?: () => number
  /** Called with a failure that loses no data: of a compaction, or of the notes about topics. */
  readonly onFault?: (fault: Error) => void
  /** Called when records of a topic kept by age were dropped before a group had read them. */
  readonly onDeletedUnread?: (deleted: DeletedUnread) => void
}

export interface DeletedUnread {
  readonly group: string
  readonly topic: string
  /** The group's next offset, and the oldest one that is left. */
  readonly offset: number
  readonly start: number
  readonly records: number
}

/** The most bytes that a topic kept by age keeps by default. */
export const longestTopicBytes = 2 * 1_024 ** 3

export interface EmbeddedLog extends Log {
  /** When its newest record was written (epoch ms), by the clock of its writer; 0 for an empty log. */
  readonly lastWrittenAt: number
}

const nothingLeftOut: Missed = { counts: new Map(), last: null }

/** Groups joined in this thread, by directory: a second member would read everything twice. */
const joinedGroups = new Set<string>()

/** Opens the log in a directory, and creates it where it is missing. */
export async function openEmbeddedLog(options: EmbeddedLogOptions): Promise<EmbeddedLog> {
  const { path, flush = 'commit', tailRecords = 131_072, pollMs = 20, clock = Date.now } = options
  const { longestAgeMs = Number.POSITIVE_INFINITY, longestBytes = longestTopicBytes } = options
  const { reserveBytes = 16 * 1_024 ** 2 } = options
  const { onFault = () => {}, onDeletedUnread = () => {} } = options
  const store = await openStore(path, reserveBytes, onFault)
  const commits = createCommitSignal(store, pollMs)
  const room = createDiskRoom(path, reserveBytes)
  const tables = createTableReader(store)
  const encode = createRunEncoder()
  const deletedUnread = createMissedCount()
  const writer = createWriter(store, commits, room, {
    path,
    isFlushed: flush === 'disk',
    tailRecords,
    longestAgeMs,
    longestBytes,
    clock,
    onFault,
  })
  let closing: Promise<void> | undefined

  const isOver = (signal: AbortSignal) => signal.aborted || closing !== undefined

  /**
   * Reports records that a group did not get because they were too old. Only offsets below the
   * oldest one left count: a repaired log has another gap, which never had records. Compacted
   * topics have gaps by design.
   */
  function noteDeleted(topic: Topic, group: string, offset: number, nextRead: number) {
    if (topic.retention === 'compacted') return
    const start = Math.min(nextRead, store.findTopic(topic.name)?.resumable ?? 0)
    if (start <= offset) return
    deletedUnread.add(topic.name, start - offset)
    onDeletedUnread({ group, topic: topic.name, offset, start, records: start - offset })
  }

  async function* batchesOf(
    topics: readonly Topic[],
    group: string,
    maxRecords: number,
    againFrom: () => ReadonlyMap<string, number>,
    isEnded: () => boolean,
    signal: AbortSignal,
  ): AsyncGenerator<Batch, void> {
    store.renew()
    const committed = new Map(Object.entries(store.groupOffsets(group)))
    const cursors = topics.map((topic) => {
      const offset = committed.get(topic.name) ?? 0
      return createTopicCursor(
        store,
        topic,
        Math.min(offset, againFrom().get(topic.name) ?? offset),
      )
    })
    while (!isEnded()) {
      store.renew()
      for (const cursor of cursors) cursor.renew()
      const records = takeCommits(cursors, maxRecords, false)
      if (records.length === 0) {
        await commits.next(signal)
        continue
      }
      const offsets = new Map<string, OffsetMove>()
      for (const { topic, offset } of records) {
        const moved = offsets.get(topic.name)
        const from = moved ? moved.from : committed.get(topic.name)
        const next = moved?.to ?? from
        if (next !== undefined && offset > next) noteDeleted(topic, group, next, offset)
        offsets.set(topic.name, { from, to: offset + 1 })
      }
      for (const [name, { to }] of offsets) committed.set(name, to)
      let isCommitted = false
      yield {
        records,
        async commit(outputs) {
          if (isCommitted) throw new Error(`a batch of ${group} was committed twice`)
          isCommitted = true
          try {
            await writer.write(encode(outputs), { group, offsets })
            return true
          } catch (error) {
            isCommitted = !(error instanceof LogFullError)
            throw error
          }
        },
      }
    }
  }

  /** Returns a group's place in each topic, with the state of the topics that exist. */
  function placesOf(topics: readonly Topic[], group: string) {
    store.renew()
    const offsets = store.groupOffsets(group)
    return topics.map((topic) => {
      const state = store.findTopic(topic.name)
      const oldest = topic.retention === 'compacted' ? 0 : (state?.resumable ?? 0)
      const committed = offsets[topic.name] ?? null
      return { topic, partition: 0, oldest, committed, end: state?.end ?? 0, state }
    })
  }

  /** Returns the existing topics, each with the offset from which its records wait for a group. */
  const waitingIn = (topics: readonly Topic[], group: string) =>
    placesOf(topics, group).flatMap(({ state, committed, oldest }) =>
      state ? { state, from: Math.max(committed ?? 0, oldest) } : [],
    )

  async function lag(topics: readonly Topic[], group: string): Promise<number> {
    return waitingIn(topics, group).reduce((total, { state, from }) => total + state.end - from, 0)
  }

  async function append(records: readonly Append[]) {
    if (records.length > 0) await writer.write(encode(records))
  }

  return {
    epoch: store.epoch,
    continues: store.continues,
    secret: store.secret,
    partitionCount: 1,
    lastWrittenAt: store.lastWrittenAt(),
    append,

    async *join(topics, { group, signal, maxRecords = 1_000 }): AsyncGenerator<Assignment, void> {
      if (isOver(signal)) return
      const membership = `${store.epoch}/${group}`
      if (joinedGroups.has(membership)) {
        throw new Error(`group ${group} already has a member in this thread`)
      }
      joinedGroups.add(membership)
      let hasLeft = false
      try {
        await writer.claim()
        const isEnded = () => hasLeft || isOver(signal)
        if (isEnded()) return
        let againFrom: ReadonlyMap<string, number> = new Map()
        yield {
          partition: 0,
          ended: signal,
          batches: batchesOf(topics, group, maxRecords, () => againFrom, isEnded, signal),
          readAgain(from) {
            againFrom = from
          },
        }
        // The only partition never moves, so there is no second assignment.
        while (!isOver(signal)) await commits.next(signal)
      } finally {
        hasLeft = true
        joinedGroups.delete(membership)
      }
    },

    // Only one process writes here, so it holds every name.
    async *lease(names, { signal }): AsyncGenerator<Lease, void> {
      for (const name of names) {
        if (isOver(signal)) return
        yield { name, ended: signal, append }
      }
      while (!isOver(signal)) await commits.next(signal)
    },

    async *replay(topics, { partitions, signal }) {
      const isEnded = () => isOver(signal)
      if (!partitions.includes(0) || isEnded()) return
      yield* tables.read(topics, { isEnded, newestOnly: true })
    },

    follow: (topics, { signal, from }) =>
      follow({ store, commits, tables, isEnded: () => isOver(signal), signal }, topics, from),

    lag,
    lagByPartition: async (topics, group) => [await lag(topics, group)],
    async waitingSince(topics, group) {
      const times = waitingIn(topics, group).flatMap(
        ({ state, from }) => store.writtenAt(state, from) ?? [],
      )
      return times.length > 0 ? Math.min(...times) : null
    },
    async committed(topics, group) {
      store.renew()
      const offsets = store.groupOffsets(group)
      return [topics.reduce((sum, { name }) => sum + (offsets[name] ?? 0), 0)]
    },

    places: async (topics, group) => placesOf(topics, group).map(({ state: _, ...place }) => place),

    async behind({ offsets }) {
      store.renew()
      let total = 0
      for (const [name, [offset = 0]] of Object.entries(offsets)) {
        total += Math.max(0, (store.findTopic(name)?.end ?? 0) - offset)
      }
      return [total]
    },

    isFull: room.isFull,
    // The log is on this machine: it works, or the process ends.
    outage: () => null,
    stuck: () => [],
    topicFaults: () => [],
    takeovers: () => 0,
    registryOutage: () => null,
    refusedWrites: () => null,
    clockDifferenceMs: () => null,
    certificates: () => [],
    undecodable: () => nothingLeftOut,
    deletedUnread: deletedUnread.told,

    close() {
      closing ??= (async () => {
        commits.end()
        await writer.close()
        commits.close()
        tables.close()
        await store.flushed()
        await store.close()
      })()
      return closing
    },
  }
}
