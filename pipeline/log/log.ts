/**
 * The log port: keyed records on partitioned topics, tables kept as compacted topics, and a processor's outputs
 * committed together with the offsets that caused them. Two adapters implement it, `embedded/embedded-log.ts` (one
 * machine, a directory) and `kafka/kafka-log.ts` (brokers); `test/contracts/log.ts` is the suite that both pass.
 *
 * Its promises:
 * - `append` resolves once the records survive a crash of this process; they keep their order within a partition.
 * - A record's partition depends only on its `partitionKey`, alike on every topic, so all data of one league is in
 *   one partition number.
 * - `Batch.commit` writes outputs and offsets in one atomic step: after a crash either both are there or neither, and
 *   readers never see the outputs of an unfinished commit.
 * - A compacted topic holds, besides a bounded tail, at most one record a key; a null value is a tombstone and frees
 *   its key.
 * - A `Position` is a place in the topics it covers. It carries the log's epoch: for a position of
 *   another log, or one whose records are gone, the reader gets a fresh replay (`reset`), never a
 *   silent gap.
 */

import type { Topic } from '../../schemas/topics.ts'

/** A record to be written. `value: null` is a tombstone (compacted topics only). */
export interface Append<Row = unknown> {
  readonly topic: Topic<Row>
  /** The key that decides the partition (the league, for everything about an event), or the partition itself. */
  readonly partitionKey: string | number
  readonly key: string
  readonly value: Row | null
}

/** A record as read. */
export interface LogRecord<Row = unknown> {
  readonly topic: Topic<Row>
  readonly partition: number
  readonly offset: number
  readonly key: string
  readonly value: Row | null
}

/** A reader's place: the next offset of every partition by topic, and the log's epoch. */
export interface Position {
  readonly epoch: string
  readonly offsets: Readonly<Record<string, readonly number[]>>
}

/** Records of one partition in log order, for one commit. Never empty. */
export interface Batch {
  readonly records: readonly LogRecord[]
  /**
   * Appends `outputs` and moves the group past `records`, atomically. To be called once per batch,
   * in order; a commit that failed with LogFullError must be tried again.
   * @returns false when the partition has moved meanwhile: its new holder reads the records
   */
  commit(outputs: readonly Append[]): Promise<boolean>
}

/** A partition that a group member owns until it moves; `batches` ends when it does. */
export interface Assignment {
  readonly partition: number
  /**
   * Aborts when the partition moves. The partition may come back, as another assignment, before
   * work on this one has ended.
   */
  readonly ended: AbortSignal
  readonly batches: AsyncIterable<Batch>
  /**
   * Lets `batches` begin at these offsets (by topic) instead of the group's, if those are larger.
   * So a member whose outputs were lost reads their records again, and its commits move the group
   * back. To be called before the first batch is requested.
   */
  readAgain(from: ReadonlyMap<string, number>): void
}

/** A name that this process alone holds until it moves. */
export interface Lease {
  readonly name: string
  /** Aborts when the name moves. */
  readonly ended: AbortSignal
  /**
   * Appends as `Log.append`, for the holder alone: once another process holds the name, nothing is appended.
   * @throws NotHolderError too
   */
  append(records: readonly Append[]): Promise<void>
}

/** Changes of the followed topics, and the reader's position after them. */
export interface Chunk {
  /** True on the first chunk of a fresh replay: the reader first empties its tables. */
  readonly reset: boolean
  readonly records: readonly LogRecord[]
  readonly position: Position
  /** True once the reader has seen everything that was there when it began to follow. */
  readonly caughtUp: boolean
}

/** A partition of a topic, and where a group is in it. */
export interface GroupPlace {
  readonly topic: Topic
  readonly partition: number
  /** The oldest offset that may have a record. */
  readonly oldest: number
  /** The group's next offset; null if it has committed none. */
  readonly committed: number | null
  /** The offset of the next record to be written. */
  readonly end: number
}

/** An outage of a remote log that does not respond. */
export interface LogOutage {
  /** How long something has been waiting for it. */
  readonly forMs: number
  readonly reason: string
}

/** When a certificate of the connections to a remote log ends. */
export interface CertificateEnd {
  /** Our own, or the broker's that ends first. */
  readonly whose: 'own' | 'broker'
  /** Epoch ms. */
  readonly endsAt: number
}

/** A partition whose readers wait for a transaction that does not end. Other partitions go on. */
export interface StuckPartition {
  /** The topic's name at the brokers. */
  readonly topic: string
  readonly partition: number
  readonly forMs: number
}

/** A topic that was deleted or changed, so that records are lost, or none can be written. */
export interface TopicFault {
  /** The topic's name at the brokers. */
  readonly topic: string
  /** The setting that differs, such as `cleanup.policy`. */
  readonly setting: string
  readonly why: string
}

/** How much a restored log has of the log that its backup was made of. */
export interface FormerLog {
  readonly epoch: string
  /**
   * The end of each topic in the copy. Records that the former log wrote later are not in this log,
   * which has others at their offsets. Null where an earlier version made the copy without noting
   * it.
   */
  readonly ends: Readonly<Record<string, number>> | null
}

/** Records that readers of this process did not get since the log was opened. */
export interface Missed {
  /** The number by topic; a record that is missed twice counts twice. */
  readonly counts: ReadonlyMap<string, number>
  /** The last one; null if there was none. */
  readonly last: { readonly topic: string; readonly agoMs: number } | null
}

export interface Log {
  readonly epoch: string
  /**
   * Logs that this one continues with the same offsets, because it was restored from their backup.
   * The oldest first.
   */
  readonly continues: readonly FormerLog[]
  /**
   * A random secret, made with the log. All processes sign and seal tokens with it, so that each
   * accepts the others'. The epoch is no secret: positions show it to clients.
   */
  readonly secret: string
  /** Partitions of every topic, >= 1. */
  readonly partitionCount: number
  /** @throws LogFullError, LogUnavailableError, LogSetupError */
  append(records: readonly Append[]): Promise<void>
  /**
   * Joins `group` on `topics`: yields an assignment each time this member gets a partition,
   * starting after the group's committed offsets (a new group: at the oldest record kept). The
   * members share the partitions evenly; a member that comes or goes moves only its own.
   * Assignments run concurrently, so all of them have to be read (`pipeline/async/run-each.ts`).
   * @param options.maxRecords largest batch, default 1,000
   */
  join(
    topics: readonly Topic[],
    options: { group: string; signal: AbortSignal; maxRecords?: number },
  ): AsyncIterable<Assignment>
  /**
   * Takes part in `group`, whose members share the names that they pass: yields a lease each time this process gets a
   * name.
   */
  lease(
    names: readonly string[],
    options: { group: string; signal: AbortSignal },
  ): AsyncIterable<Lease>
  /**
   * Yields the tables of compacted topics in the given partitions, as of the call: the newest record of each key,
   * once, and no tombstones. Topics come one after the other.
   */
  replay(
    topics: readonly Topic[],
    options: { partitions: readonly number[]; signal: AbortSignal },
  ): AsyncIterable<readonly LogRecord[]>
  /**
   * Yields all partitions of compacted topics: their content, then every change as it is committed, until `signal`
   * aborts. With `from`, only later changes. Within a commit of one process, records keep the order of `topics` and
   * then of their writing. An outage of the log does not end it: it waits, and continues where it was.
   */
  follow(
    topics: readonly Topic[],
    options: { signal: AbortSignal; from?: Position },
  ): AsyncIterable<Chunk>
  /**
   * Returns the number of records on `topics` that `group` has not committed yet. This and the
   * queries below do not wait for commits in progress: one that has just resolved may count a
   * moment later.
   */
  lag(topics: readonly Topic[], group: string): Promise<number>
  /** Returns the same, by partition. */
  lagByPartition(topics: readonly Topic[], group: string): Promise<readonly number[]>
  /**
   * Returns when the oldest of the records that `lag` counts was written, by the clock of its writer (epoch ms); null
   * when there are none.
   */
  waitingSince(topics: readonly Topic[], group: string): Promise<number | null>
  /** Returns the sum of `group`'s committed offsets by partition: it grows while a member works. */
  committed(topics: readonly Topic[], group: string): Promise<readonly number[]>
  /** Returns where `group` is in one partition of the topics, whether or not the others respond. */
  places(topics: readonly Topic[], group: string, partition: number): Promise<readonly GroupPlace[]>
  /**
   * Returns how many records, by partition, a reader at this position has not read yet. On brokers
   * the end of a transaction counts as a record.
   */
  behind(position: Position): Promise<readonly number[]>
  /** Returns whether writes fail with LogFullError now. */
  isFull(): boolean
  /** Returns since when and why the log has not responded; null while it does. */
  outage(): LogOutage | null
  /** Returns partitions without progress for a minute and longer. */
  stuck(): readonly StuckPartition[]
  /**
   * Returns topics that were deleted or changed since it was opened; noticed within two minutes.
   */
  topicFaults(): readonly TopicFault[]
  /**
   * Returns how often, since the log was opened, another process took over a partition of this
   * process without notice. The group had taken this process for dead.
   */
  takeovers(): number
  /**
   * Returns since when and why the schema registry has not responded; null while it does, or where there is none.
   * Reads and writes need it only for schemas that are new to this process.
   */
  registryOutage(): LogOutage | null
  /**
   * Returns since when and why writes to a topic fail with LogSetupError; null once one was
   * accepted again, or ten minutes after the last failure.
   */
  refusedWrites(): LogOutage | null
  /**
   * Returns how far the service's clock is ahead of the log's (ms), below 0 behind; null if the log
   * has no clock of its own, or did not tell.
   */
  clockDifferenceMs(): number | null
  /** Returns when the certificates of its connections end; empty without TLS. */
  certificates(): readonly CertificateEnd[]
  /**
   * Returns the records that could not be decoded, and were left out: their keys keep their earlier
   * values. A log that leaves out no records fails with LogCorruptError instead.
   */
  undecodable(): Missed
  /**
   * Returns the records that were deleted, by the age or size that their topic keeps, before a group
   * had read them. On brokers the ends of transactions count too.
   */
  deletedUnread(): Missed
  close(): Promise<void>
}

/** Thrown when the log cannot take or return records now. Consumers restart from the last commit. */
export class LogUnavailableError extends Error {
  override readonly name = 'LogUnavailableError'
}

/**
 * Thrown when the log has no room for more records. Nothing of the write is kept, reads go on, and the same write
 * succeeds once there is room: `pipeline/run/wait-for-room.ts` waits for it.
 */
export class LogFullError extends Error {
  override readonly name = 'LogFullError'
}

/** Thrown when another process holds the name: nothing of the append was written. */
export class NotHolderError extends Error {
  override readonly name = 'NotHolderError'
}

/** Thrown when the log's bytes have changed since they were written: restore a copy, or start a new log. */
export class LogCorruptError extends Error {
  override readonly name = 'LogCorruptError'
}

/**
 * Thrown when topics, schemas or rights are not as the log needs them. Waiting does not help: an
 * operator has to act, and the message says how.
 */
export class LogSetupError extends Error {
  override readonly name = 'LogSetupError'
}

/** Thrown when another process holds the log for writing tables. */
export class LogLockedError extends Error {
  override readonly name = 'LogLockedError'
}

/** A kind of process, with the topics and groups that it needs rights to. */
export interface Role {
  readonly name: string
  readonly reads: readonly Topic[]
  readonly writes: readonly Topic[]
  /** The groups it joins and commits for. */
  readonly joins: readonly string[]
  /** The groups whose progress it reads. */
  readonly watches: readonly string[]
}
