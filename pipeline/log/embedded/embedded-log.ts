/**
 * The log port over a directory of one machine (`store.ts`): one partition, any number of
 * threads and handles of one writing process, and other processes that only read. Between threads
 * a commit is announced on a BroadcastChannel; other processes look every 20 ms.
 *
 * **What survives.** `append` and `Batch.commit` resolve once the storage transaction is committed:
 * from then on a kill of the process at any moment loses nothing, and a kill before leaves nothing
 * of it. A write that fails, for whatever reason, leaves nothing either, and takes no other write
 * with it. The disk is flushed behind that, continuously: a power cut or a crash of the operating
 * system may take the last commits, newest first and each whole, never a part of one and never the
 * log. With `flush: 'disk'` both resolve only after the flush.
 *
 * **A full disk** refuses writes with `LogFullError`, and reads go on. It counts as full before its
 * last bytes are gone, so that those are left to what else has to be written; writes are taken again
 * as soon as there is room.
 *
 * Values are stored in the Avro schema of the topic as it was then, and read through schema
 * resolution when the topic's has changed since. Positions can be resumed from while they lie in
 * the tail that compaction leaves alone, at least `tailRecords` long.
 *
 * Topics kept by age lose their oldest records past their age, and past `longestBytes` whatever
 * their age: a few entries with every write, so a bound that was lowered is reached after some
 * writes. The space is used again; the files do not shrink.
 *
 * A group that has fallen behind that tail is given what a compacted topic still holds: the newest
 * record of every key, in order, without tombstones. Two members of one group in one thread are
 * refused at once; in two threads, the first commit of the slower one fails.
 */

import { BroadcastChannel } from 'node:worker_threads'
import avro from 'avsc'
import type { Topic } from '../../../schemas/topics.ts'
import {
  type Append,
  type Assignment,
  type Batch,
  type Chunk,
  type Holding,
  type Log,
  LogCorruptError,
  LogFullError,
  LogLockedError,
  type LogRecord,
  LogUnavailableError,
  type Position,
  type Undecodable,
} from '../log.ts'
import { createEntryBuilder, fullEntryBytes, readHeader, scanEntry, writeHeader } from './entry.ts'
import { freeBytes, noRoomCodes, openStore, type Snapshot, type TopicState } from './store.ts'

export interface EmbeddedLogOptions {
  /** The log's directory, made when it is not there. */
  readonly path: string
  /** What commits wait for, see above; default `commit`. */
  readonly flush?: 'commit' | 'disk'
  /** Records at the end of a compacted topic that stay as they were written, default 131,072. */
  readonly tailRecords?: number
  /** Topics kept by age keep nothing longer than this (ms), whatever they ask for; default: no limit. */
  readonly longestAgeMs?: number
  /** How often commits of other processes are looked for. Threads of this one tell each other. */
  readonly pollMs?: number
  /** Topics kept by age keep no more than this (bytes, each topic), default 2 GiB. */
  readonly longestBytes?: number
  /** The disk is full when it has less than this free (bytes), default 16 MiB. */
  readonly reserveBytes?: number
  readonly clock?: () => number
}

const chunkRecords = 1_024
const nothingLeftOut: Undecodable = { counts: new Map(), last: null }
/** How often it is looked whether the disk has room. */
const roomEveryMs = 250
/** Entries that a write may trim above those it adds. */
const trimmedEntries = 4

/** Part of a commit, encoded: the entries of one topic, without their headers. */
interface EncodedRun {
  readonly topic: Topic
  readonly schema: string
  readonly entries: readonly { readonly count: number; readonly bytes: Buffer }[]
}

interface Job {
  readonly runs: readonly EncodedRun[]
  /** The group's move, per topic: from what must be there to what will be. */
  readonly move?: { readonly group: string; readonly offsets: ReadonlyMap<string, OffsetMove> }
  resolve(): void
  reject(error: Error): void
}

interface OffsetMove {
  readonly from: number | undefined
  readonly to: number
}

/** Groups joined in this thread, by directory: a second member would read everything twice. */
const joinedGroups = new Set<string>()

const schemaTexts = new WeakMap<Topic, string>()

function schemaText(topic: Topic) {
  let text = schemaTexts.get(topic)
  if (text === undefined) {
    text = JSON.stringify(topic.schema)
    schemaTexts.set(topic, text)
  }
  return text
}

export interface EmbeddedLog extends Log {
  /** When its newest record was written (epoch ms), by the clock of its writer; 0 of an empty log. */
  readonly lastWrittenAt: number
}

/** Opens, and makes where it is missing, the log in a directory. */
export async function openEmbeddedLog(options: EmbeddedLogOptions): Promise<EmbeddedLog> {
  const { path, flush = 'commit', tailRecords = 131_072, pollMs = 20, clock = Date.now } = options
  const { longestAgeMs = Number.POSITIVE_INFINITY, longestBytes = 2 * 1_024 ** 3 } = options
  const { reserveBytes = 16 * 1_024 ** 2 } = options
  const store = await openStore(path, reserveBytes)
  const channel = new BroadcastChannel(`overround-log-${store.epoch}`)
  const waiting = new Set<() => void>()
  const snapshots = new Set<{ done(): void }>()
  const builder = createEntryBuilder()
  const jobs: Job[] = []
  const compactions = new Map<string, NonNullable<ReturnType<typeof store.startCompaction>>>()
  let announced = store.commitNumber()
  let polling: NodeJS.Timeout | undefined
  let claiming: Promise<unknown> | undefined
  let writing: Promise<void> | undefined
  let closing: Promise<void> | undefined
  /** Nobody waits for a compaction, so the next write tells of one that failed. */
  let compactionFailure: Error | undefined
  let isFull = false
  /** On the clock of `performance.now`. */
  let roomKnownUntil = 0

  channel.unref()
  channel.onmessage = wake

  const isOver = (signal: AbortSignal) => signal.aborted || closing !== undefined

  function wake() {
    for (const resolve of [...waiting]) resolve()
  }

  /** Until something was committed anywhere, `signal` aborts or the log closes. */
  function changed(signal: AbortSignal) {
    if (isOver(signal)) return Promise.resolve()
    return new Promise<void>((resolve) => {
      const end = () => {
        waiting.delete(end)
        signal.removeEventListener('abort', end)
        if (waiting.size === 0) {
          clearInterval(polling)
          polling = undefined
        }
        resolve()
      }
      waiting.add(end)
      signal.addEventListener('abort', end)
      polling ??= setInterval(poll, pollMs)
    })
  }

  function poll() {
    store.renew()
    const commit = store.commitNumber()
    if (commit === announced) return
    announced = commit
    wake()
  }

  function encode(appends: readonly Append[]): EncodedRun[] {
    const byTopic = new Map<string, { topic: Topic; appends: Append[] }>()
    for (const append of appends) {
      const run = byTopic.get(append.topic.name)
      if (run) run.appends.push(append)
      else byTopic.set(append.topic.name, { topic: append.topic, appends: [append] })
    }
    return [...byTopic.values()].map((run) => {
      const entries: { count: number; bytes: Buffer }[] = []
      builder.clear()
      let count = 0
      for (const { topic, key, partitionKey, value } of run.appends) {
        if (typeof partitionKey === 'number' && partitionKey !== 0) {
          throw new RangeError(`the embedded log has partition 0 only, not ${partitionKey}`)
        }
        if (value === null && topic.retention !== 'compacted') {
          throw new TypeError(`a tombstone on ${topic.name}, which is not compacted`)
        }
        if (builder.size >= fullEntryBytes) {
          entries.push({ count, bytes: builder.take() })
          count = 0
        }
        builder.add(
          count++,
          0,
          key,
          value === null ? null : (into, at) => topic.encodeInto(value, into, at),
        )
      }
      entries.push({ count, bytes: builder.take() })
      return { topic: run.topic, schema: schemaText(run.topic), entries }
    })
  }

  /** Where the group stands after its move. @throws LogUnavailableError when it is elsewhere */
  function movedOffsets({ group, offsets: moves }: NonNullable<Job['move']>) {
    const offsets = { ...store.groupOffsets(group) }
    for (const [name, { from, to }] of moves) {
      const at = offsets[name]
      if (at !== from) {
        throw new LogUnavailableError(
          `group ${group} stands at ${at ?? 'nothing'} on ${name}, not at ${from ?? 'nothing'}: a batch was left out, or another member has moved it`,
        )
      }
      offsets[name] = to
    }
    return offsets
  }

  /** Writes one job within a transaction that undoes it on a throw; the group's move is checked first. */
  function apply({ runs, move }: Job, commit: number) {
    const offsets = move && movedOffsets(move)
    const writtenAt = clock()
    for (const { topic, schema, entries } of runs) {
      const { topic: state, schemaId } = store.takeTopic(topic.name, schema)
      if (state.records === 0) state.oldestAt = writtenAt
      for (const { count, bytes } of entries) {
        writeHeader(bytes, { commit, writtenAt, schemaId }, state.id, state.end)
        store.putEntry(state.id, state.end, bytes)
        state.end += count
        state.records += count
        state.bytes += bytes.length
      }
      if (topic.retention !== 'compacted') {
        const before = writtenAt - Math.min(topic.retention.forMs, longestAgeMs)
        store.trim(state, before, longestBytes, trimmedEntries + entries.length)
      }
      store.putTopic(topic.name, state)
    }
    if (runs.length > 0) store.putCommitNumber(commit)
    if (offsets) store.putGroupOffsets(move.group, offsets)
  }

  const isShortOfRoom = () => freeBytes(path) < reserveBytes

  function noteRoom(full: boolean) {
    isFull = full
    roomKnownUntil = performance.now() + roomEveryMs
  }

  function hasNoRoom() {
    if (performance.now() >= roomKnownUntil) noteRoom(isShortOfRoom())
    return isFull
  }

  /** @throws LogFullError while the disk is full */
  function requireRoom() {
    if (hasNoRoom()) throw new LogFullError(`the disk of ${path} is full`)
  }

  /** A disk that is full fails writes in several ways, and not each says so. */
  function failureOf(action: string, cause: unknown): Error {
    if (cause instanceof LogUnavailableError || cause instanceof LogLockedError) return cause
    if (!noRoomCodes.has((cause as { code?: unknown }).code) && !isShortOfRoom()) {
      return new LogUnavailableError(`${action} ${path}`, { cause })
    }
    noteRoom(true)
    return new LogFullError(`the disk of ${path} is full`, { cause })
  }

  /** Writes every waiting job and settles it. */
  async function commitJobs() {
    const taken = jobs.splice(0)
    const written: Job[] = []
    let commit = announced
    try {
      const failures = await store.changeEach(
        taken.map((job) => () => {
          const next = store.commitNumber() + 1
          apply(job, next)
          if (job.runs.length > 0) commit = next
        }),
      )
      if (flush === 'disk') await store.flushed()
      for (const [index, job] of taken.entries()) {
        if (failures.has(index)) job.reject(failureOf('write to', failures.get(index)))
        else written.push(job)
      }
    } catch (cause) {
      const failure = failureOf('write to', cause)
      for (const job of taken) job.reject(failure)
    }
    for (const job of written) job.resolve()
    if (written.length === 0) return
    announced = commit
    wake()
    channel.postMessage(announced)
    const compacted = written.flatMap(({ runs }) =>
      runs.filter(({ topic }) => topic.retention === 'compacted').map(({ topic }) => topic.name),
    )
    for (const name of new Set(compacted)) startCompaction(name)
  }

  function startCompaction(name: string) {
    if (compactions.has(name)) return
    try {
      const compaction = store.startCompaction(name, tailRecords, clock)
      if (compaction) compactions.set(name, compaction)
    } catch (cause) {
      compactionFailed(name, cause)
    }
  }

  /** Nothing is lost by it, and a later compaction begins anew. */
  function compactionFailed(name: string, cause: unknown) {
    compactions.delete(name)
    const failure = failureOf(`compact ${name} in`, cause)
    if (!(failure instanceof LogFullError)) compactionFailure ??= failure
  }

  /** The only place that writes records: waiting jobs together, and between them compaction. */
  async function writeAll() {
    try {
      await claimWriter()
      while (jobs.length > 0 || compactions.size > 0) {
        if (jobs.length > 0) await commitJobs()
        for (const [name, compaction] of compactions) {
          try {
            const more = closing ? await compaction.abandon() : await compaction.step()
            if (!more) compactions.delete(name)
          } catch (cause) {
            compactionFailed(name, cause)
          }
        }
      }
    } catch (error) {
      for (const job of jobs.splice(0)) job.reject(error as Error)
    } finally {
      // At once after the last look at the jobs: one that came in between would wait for ever.
      writing = undefined
    }
  }

  async function write(runs: readonly EncodedRun[], move?: NonNullable<Job['move']>) {
    if (closing) throw new LogUnavailableError(`the log in ${path} is closed`)
    if (compactionFailure) {
      const failure = compactionFailure
      compactionFailure = undefined
      throw failure
    }
    requireRoom()
    const written = new Promise<void>((resolve, reject) => {
      jobs.push({ runs, ...(move && { move }), resolve, reject })
    })
    writing ??= writeAll()
    await written
  }

  function claimWriter() {
    claiming ??= store.claimWriter().catch((cause) => {
      claiming = undefined
      throw failureOf('write to', cause)
    })
    return claiming
  }

  /**
   * Reads one topic on from an offset. `renew` takes note of how far the topic goes now; what the
   * other calls give then lies within that, and they must follow without waiting in between.
   */
  function createCursor(topic: Topic, from: number, snapshot?: Snapshot) {
    const decode = createDecoder(topic)
    let records: LogRecord[] = []
    let commits: number[] = []
    let index = 0
    let readTo = from
    let state: TopicState | undefined

    const fill = () => {
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
          /** False when records between here and the end may be gone. */
          complete: readTo >= (state?.resumable ?? 0) && readTo <= (state?.end ?? 0),
        }
      },
      /** The commit of the next record, or Infinity. */
      nextCommit() {
        if (index === records.length) fill()
        return commits[index] ?? Number.POSITIVE_INFINITY
      },
      /** Adds records of `commit` to `into`, at most to its `limit`. */
      take(commit: number, into: LogRecord[], limit: number) {
        while (into.length < limit && this.nextCommit() === commit) into.push(records[index++]!)
      },
      /** Whatever comes next, as many as are at hand. */
      takeChunk() {
        if (index === records.length) fill()
        const taken = records.slice(index)
        index = records.length
        return taken
      },
      /** The offset of the next record to be taken. */
      offset: () => (index < records.length ? records[index]!.offset : readTo),
    }
  }

  /** Records in commit order over all cursors, each commit whole while there is room for it. */
  function takeCommits(cursors: readonly Cursor[], limit: number, wholeCommits: boolean) {
    const records: LogRecord[] = []
    while (records.length < limit) {
      const commit = Math.min(...cursors.map((cursor) => cursor.nextCommit()))
      if (commit === Number.POSITIVE_INFINITY) break
      const room = wholeCommits ? Number.POSITIVE_INFINITY : limit
      for (const cursor of cursors) cursor.take(commit, records, room)
    }
    return records
  }

  type Cursor = ReturnType<typeof createCursor>

  /** The newest offset of each key behind what compaction has made unique. */
  function newestInTail(topic: Topic, snapshot: Snapshot): Map<string, number> {
    const newest = new Map<string, number>()
    const cursor = createCursor(topic, store.findTopic(topic.name, snapshot)?.clean ?? 0, snapshot)
    cursor.renew()
    for (;;) {
      const records = cursor.takeChunk()
      if (records.length === 0) return newest
      for (const { key, offset } of records) newest.set(key, offset)
    }
  }

  async function* replaySnapshot(
    topics: readonly Topic[],
    isEnded: () => boolean,
    ends: Map<string, number>,
    newestOnly: boolean,
  ) {
    const transaction = store.snapshot()
    snapshots.add(transaction)
    try {
      for (const topic of topics) {
        const isTable = topic.retention === 'compacted'
        const newest = newestOnly && isTable ? newestInTail(topic, { transaction }) : null
        const cursor = createCursor(topic, 0, { transaction })
        ends.set(topic.name, cursor.renew().end)
        for (;;) {
          const records = cursor.takeChunk()
          if (records.length === 0) break
          yield newest
            ? records.filter(
                ({ key, value, offset }) =>
                  value !== null && (newest.get(key) ?? offset) === offset,
              )
            : records
          if (isEnded()) return
        }
      }
    } finally {
      if (snapshots.delete(transaction)) transaction.done()
    }
  }

  async function* batchesOf(
    topics: readonly Topic[],
    group: string,
    maxRecords: number,
    isEnded: () => boolean,
    signal: AbortSignal,
  ): AsyncGenerator<Batch, void> {
    store.renew()
    const committed = new Map(Object.entries(store.groupOffsets(group)))
    const cursors = topics.map((topic) => createCursor(topic, committed.get(topic.name) ?? 0))
    while (!isEnded()) {
      store.renew()
      for (const cursor of cursors) cursor.renew()
      const records = takeCommits(cursors, maxRecords, false)
      if (records.length === 0) {
        await changed(signal)
        continue
      }
      const offsets = new Map<string, OffsetMove>()
      for (const { topic, offset } of records) {
        const from = offsets.has(topic.name)
          ? offsets.get(topic.name)!.from
          : committed.get(topic.name)
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
            await write(encode(outputs), { group, offsets })
            return true
          } catch (error) {
            isCommitted = !(error instanceof LogFullError)
            throw error
          }
        },
      }
    }
  }

  /** The cursors of a position, or null where it cannot be resumed from without a gap. */
  function resume(topics: readonly Topic[], from: Position) {
    if (from.epoch !== store.epoch) return null
    store.renew()
    const cursors: Cursor[] = []
    for (const topic of topics) {
      const offsets = from.offsets[topic.name]
      if (offsets?.length !== 1 || !Number.isSafeInteger(offsets[0])) return null
      const cursor = createCursor(topic, offsets[0]!)
      if (offsets[0]! < 0 || !cursor.renew().complete) return null
      cursors.push(cursor)
    }
    return cursors
  }

  const positionAt = (topics: readonly Topic[], offset: (topic: Topic) => number): Position => ({
    epoch: store.epoch,
    offsets: Object.fromEntries(topics.map((topic) => [topic.name, [offset(topic)]])),
  })

  async function append(records: readonly Append[]) {
    if (records.length > 0) await write(encode(records))
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
      let left = false
      try {
        await claimWriter()
        const isEnded = () => left || isOver(signal)
        if (isEnded()) return
        yield {
          partition: 0,
          ended: signal,
          batches: batchesOf(topics, group, maxRecords, isEnded, signal),
        }
        // The one partition never moves: there is no second assignment.
        while (!isOver(signal)) await changed(signal)
      } finally {
        left = true
        joinedGroups.delete(membership)
      }
    },

    // Nobody else writes here, so this process holds every name.
    async *hold(names, { signal }): AsyncGenerator<Holding, void> {
      for (const name of names) {
        if (isOver(signal)) return
        yield { name, ended: signal, append }
      }
      while (!isOver(signal)) await changed(signal)
    },

    async *replay(topics, { partitions, signal }) {
      const isEnded = () => isOver(signal)
      if (!partitions.includes(0) || isEnded()) return
      yield* replaySnapshot(topics, isEnded, new Map(), true)
    },

    async *follow(topics, { signal, from }): AsyncGenerator<Chunk, void> {
      const isEnded = () => isOver(signal)
      if (isEnded()) return
      let cursors = from ? resume(topics, from) : null
      let target = cursors?.map((cursor) => cursor.renew().end)
      for (;;) {
        if (!cursors) {
          // A snapshot that is not whole yet has no offset to resume from but the beginning.
          const start = positionAt(topics, () => 0)
          const ends = new Map<string, number>()
          let reset = true
          for await (const records of replaySnapshot(topics, isEnded, ends, false)) {
            yield { reset, records, position: start, caughtUp: false }
            reset = false
            if (isEnded()) return
          }
          cursors = topics.map((topic) => createCursor(topic, ends.get(topic.name) ?? 0))
          target = undefined
          const position = positionAt(topics, (topic) => ends.get(topic.name) ?? 0)
          yield { reset, records: [], position, caughtUp: true }
        }

        while (!isEnded()) {
          store.renew()
          if (!cursors.every((cursor) => cursor.renew().complete)) break
          const records = takeCommits(cursors, chunkRecords, true)
          const caughtUp = target?.every((end, index) => cursors![index]!.offset() >= end) ?? true
          if (records.length === 0 && !(target && caughtUp)) {
            await changed(signal)
            continue
          }
          if (caughtUp) target = undefined
          const position = positionOf(cursors)
          yield { reset: false, records, position, caughtUp }
        }
        if (isEnded()) return
        cursors = null
      }
    },

    lag,
    lagByPartition: async (topics, group) => [await lag(topics, group)],
    async waitingSince(topics, group) {
      store.renew()
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

    async behind({ offsets }) {
      store.renew()
      let total = 0
      for (const [name, [offset = 0]] of Object.entries(offsets)) {
        total += Math.max(0, (store.findTopic(name)?.end ?? 0) - offset)
      }
      return [total]
    },

    isFull: hasNoRoom,
    // It is of this machine: it answers or the process ends.
    outage: () => null,
    undecodable: () => nothingLeftOut,

    close() {
      closing ??= (async () => {
        wake()
        await writing
        // On a full disk the mark of the writer stays; the next one sees that this process is gone.
        if (claiming) await claiming.then(store.releaseWriter).catch(() => {})
        channel.close()
        for (const snapshot of snapshots) snapshot.done()
        snapshots.clear()
        await store.flushed()
        await store.close()
      })()
      return closing
    },
  }

  async function lag(topics: readonly Topic[], group: string): Promise<number> {
    store.renew()
    return waitingIn(topics, group).reduce((total, { state, from }) => total + state.end - from, 0)
  }

  /** The topics that there are, and from where on their records wait for a group. */
  function waitingIn(topics: readonly Topic[], group: string) {
    const offsets = store.groupOffsets(group)
    return topics.flatMap((topic) => {
      const state = store.findTopic(topic.name)
      if (!state) return []
      const oldest = topic.retention === 'compacted' ? 0 : state.resumable
      return { state, from: Math.max(offsets[topic.name] ?? 0, oldest) }
    })
  }

  function positionOf(cursors: readonly Cursor[]): Position {
    return {
      epoch: store.epoch,
      offsets: Object.fromEntries(cursors.map((cursor) => [cursor.topic.name, [cursor.offset()]])),
    }
  }
}

type DecodeEntry = (
  state: TopicState,
  entry: Buffer,
  first: number,
  from: number,
  records: LogRecord[],
  commits: number[],
) => void

/** Decodes the records of an entry from offset `from` on, whatever schema they were written in. */
function createDecoder(topic: Topic): DecodeEntry {
  const decoders = new Map<number, ValueDecoder>()

  const decoderOf = (state: TopicState, schemaId: number) => {
    let decode = decoders.get(schemaId)
    if (!decode) {
      decode = createValueDecoder(topic, state.schemas[schemaId])
      decoders.set(schemaId, decode)
    }
    return decode
  }

  return (state, entry, first, from, records, commits) => {
    const decode = decoderOf(state, readHeader(entry).schemaId)
    scanEntry(entry, first, ({ offset, commit, keyStart, keyEnd, tombstone, valueEnd }) => {
      if (offset < from) return
      const key = entry.toString('utf8', keyStart, keyEnd)
      let value: unknown = null
      if (!tombstone) {
        try {
          value = decode(entry, keyEnd, valueEnd)
        } catch (cause) {
          throw new LogCorruptError(`${topic.name} offset ${offset} key ${key}`, { cause })
        }
      }
      records.push({ topic, partition: 0, offset, key, value })
      commits.push(commit)
    })
  }
}

type ValueDecoder = (entry: Buffer, from: number, to: number) => unknown

function createValueDecoder(topic: Topic, written: string | undefined): ValueDecoder {
  if (written === undefined) throw new LogCorruptError(`${topic.name} has a value of no schema`)
  if (written === schemaText(topic)) return topic.decode
  try {
    const reader = avro.Type.forSchema(topic.schema)
    const resolver = reader.createResolver(avro.Type.forSchema(JSON.parse(written) as avro.Schema))
    return (entry, from, to) => reader.fromBuffer(entry.subarray(from, to), resolver) as unknown
  } catch (cause) {
    throw new LogCorruptError(`${topic.name} has values its schema cannot read`, { cause })
  }
}
