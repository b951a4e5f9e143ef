/**
 * The log port over Kafka; `log.ts` has its promises. Rows are Avro with a schema registry
 * (`codec.ts`), readers keep their own offsets (`reader.ts`), and members of a group share its
 * partitions and names (`shares.ts`). One Kafka transaction commits a batch (`transactions.ts`).
 *
 * Kafka adds to the port's promises:
 * - Each partition number and each name has one transactional id. So a replaced member cannot
 *   commit, and a former holder cannot append.
 * - A commit that comes after its partition has moved writes nothing and resolves; `batches` then
 *   ends. The new owner reads the batch again.
 * - The topics of one commit become visible partition by partition, and a follower may get it in several chunks
 *   (`follow.ts`).
 * - A record that cannot be decoded would stop every reader at every start. So everywhere it is
 *   reported to `onPoison`, counted and skipped. A group's offset moves past it.
 * - `lag` counts offsets, so transaction markers and compacted records may count as well until the group has passed
 *   them.
 * - The epoch, the secret and the number of partitions are kept in the topic `meta`: a single topic recreated under old
 *   positions would not be noticed. A start makes none anew that was there (`topics.ts`).
 */

import { setMaxListeners } from 'node:events'
import { join as joinPath } from 'node:path'
import { topics as ourTopics, type Topic } from '../../../schemas/topics.ts'
import { either } from '../../async/abort-signals.ts'
import { type TopicPolicy, topicPolicyOf } from '../../settings/kafka-settings.ts'
import {
  type Append,
  type Assignment,
  type Chunk,
  type GroupPlace,
  type Lease,
  type Log,
  type LogRecord,
  LogUnavailableError,
  type Position,
} from '../log.ts'
import { createMissedCount } from '../missed.ts'
import { createAppender } from './appender.ts'
import { openAssignment } from './assignments.ts'
import { createBrokerClock } from './broker-clock.ts'
import { requireVersions } from './broker-versions.ts'
import { createCertificates } from './certificates.ts'
import { openCodecs, createPartitioner as partitionerOf } from './codec.ts'
import {
  connectionsTo,
  type KafkaConnection,
  type KafkaLogger,
  silent,
  userOf,
} from './connection.ts'
import { followTopics } from './follow.ts'
import { type GroupOptions, joinGroup } from './group.ts'
import { readIdentity } from './identity.ts'
import { clusterOf } from './internals.ts'
import { openLease } from './leases.ts'
import { createOutageWatch } from './outage-watch.ts'
import { partitionsOf } from './partition-offsets.ts'
import { openReader } from './reader.ts'
import type { OutgoingRecord } from './record-batch.ts'
import { createRefusedWrites } from './refused-writes.ts'
import { watchRegistry } from './registry-watch.ts'
import { createRows, type PoisonRecord } from './rows.ts'
import { openSchemaCache } from './schema-cache.ts'
import { subjectOf } from './schema-registration.ts'
import { openRegistry, type RegistryAccess } from './schema-registry.ts'
import { type Closeable, openShares, type ShareLease } from './share-leases.ts'
import { createStuckWatch } from './stuck-partitions.ts'
import { replayTables } from './tables.ts'
import { metaTopicName } from './topic-plan.ts'
import { watchTopics } from './topic-watch.ts'
import { differencesNow, setUpTopics } from './topics.ts'
import { createTraffic } from './traffic.ts'

export interface KafkaLogConfig extends KafkaConnection, RegistryAccess, Partial<TopicPolicy> {
  /** Directory for the registry's responses; without it, a start needs the registry. */
  readonly schemaDirectory?: string
  /** A prefix of the names of topics, groups and transactional ids, to share a cluster; default none. */
  readonly topicPrefix?: string
  /** How missing topics and schemas are handled: `create` by default; `check` throws an error that lists them. */
  readonly setup?: 'create' | 'check'
  /** Whether a log that keeps no number of partitions yet takes that of these settings; default yes. */
  readonly notesPartitions?: boolean
  /** The topics to be used, default all of `schemas/topics.ts`. */
  readonly topics?: readonly Topic[]
  /**
   * How long a member that died keeps its partitions, and the longest that one piece of work may
   * hold up the event loop; default 4 seconds, or 6 where the brokers allow no less.
   */
  readonly sessionTimeoutMs?: number
  /**
   * The time after which an append that has not been accepted fails, so that a request gets its response. Default: it
   * waits as long as an outage lasts.
   */
  readonly appendWithinMs?: number
  /**
   * The time without progress after which a partition whose transaction does not end counts as stuck; default a
   * minute.
   */
  readonly stuckAfterMs?: number
  /** How often the topics are looked at, for one that was deleted or changed; default a minute. */
  readonly topicsEveryMs?: number
  /**
   * The service's clock (epoch ms), to be compared with the brokers' clocks, and a group that this
   * process joins, whose rights the comparison uses. Default: the clock is not compared.
   */
  readonly compared?: { readonly clock: () => number; readonly group: string }
  /** Called for each undecodable record, as often as it is read; default: a warning. */
  readonly onPoison?: (record: PoisonRecord, error: Error) => void
}

/**
 * Opens the log on a cluster, creating the topics and registering the schemas that are missing.
 * @throws LogUnavailableError when brokers or registry do not respond; LogSetupError when topics or schemas cannot be
 * used as they are, or a broker is too old
 */
export async function openKafkaLog(config: KafkaLogConfig): Promise<Log> {
  const prefix = config.topicPrefix ?? ''
  const topics = config.topics ?? Object.values(ourTopics)
  const sessionTimeoutMs = config.sessionTimeoutMs ?? 4_000
  const { logger = silent, setup = 'create' } = config
  const policy = { ...topicPolicyOf(config), prefix }
  const partitionCount = policy.partitions
  const everyPartition = Array.from({ length: partitionCount }, (_, partition) => partition)
  const onPoison = config.onPoison ?? warnOfPoison(logger)
  const topicName = ({ name }: Pick<Topic, 'name'>) => `${prefix}${name}`
  const metaTopic = `${prefix}${metaTopicName}`
  const closing = new AbortController()
  setMaxListeners(0, closing.signal) // one a reader

  const certificates = createCertificates(config.tls ?? null)
  const connect = connectionsTo(config, certificates)
  const kafka = connect(promptMs)
  /** For requests that take long by design: a member waits for the others of its group, a topic for its copies. */
  const unhurried = connect()
  const registry = openRegistry(config)
  const planning = { policy, namedBrokers: config.brokers.length }
  const { tombstonesKeptMs } = await setUpTopics(unhurried, topics, {
    ...{ ...planning, setup, logger },
    isRegistered: (topic) => registry.isKnown(subjectOf(topic)),
    requireVersions: () => requireVersions(unhurried),
  })
  const outages = createOutageWatch({ logger })
  const refusedWrites = createRefusedWrites(logger)
  const tables = new Set(topics.filter(({ retention }) => retention === 'compacted').map(topicName))
  const appender = createAppender({
    ...{ kafka, outages, refusedWrites },
    withinMs: config.appendWithinMs ?? Number.POSITIVE_INFINITY,
    queueOf: (topic) => (tables.has(topic) ? topic : 'feeds'),
  })
  // These connections are already open when a partition comes, to take it over and restore it.
  const shared = clusterOf(kafka)
  const written = topics.map(topicName)
  const control = await openReader(kafka, [metaTopic, ...written], { cluster: shared })
  const { epoch, secret, codecOf } = await openRows().catch(async (error) => {
    await Promise.all([control.close(), appender.close()])
    throw error
  })

  async function openRows() {
    const { schemaDirectory, notesPartitions } = config
    const { epoch, secret } = await readIdentity(
      control,
      appender,
      metaTopic,
      partitionCount,
      notesPartitions,
    )
    const path = schemaDirectory === undefined ? null : joinPath(schemaDirectory, `${epoch}.json`)
    const codecOf = await openCodecs(topics, {
      registry,
      cache: openSchemaCache(path, logger),
      ...{ topicName, setup, logger, holdsRecords },
    })
    return { epoch, secret, codecOf }
  }

  async function holdsRecords(topic: string) {
    const places = partitionsOf([topic], everyPartition)
    const starts = await control.offsets(places, 'start')
    const ends = await control.offsets(places, 'written')
    return ends.some((end, index) => (end ?? 0) > (starts[index] ?? 0))
  }

  const rows = createRows({
    ...{ codecOf, onPoison },
    registry: outages.asker('ask the schema registry'),
    patientUntil: closing.signal,
  })
  const partitionOf = partitionerOf(partitionCount)
  const open = new Set<() => Promise<unknown>>()
  /** Groups that this process has joined. */
  const joinedGroups = new Set<string>()
  const deletedUnread = createMissedCount()
  let takeovers = 0
  const noteTakeover = () => {
    takeovers++
  }
  const stuck = createStuckWatch({
    ...{ cluster: shared, brokers: config.brokers, user: userOf(kafka), logger },
    reader: control.beside(),
    partitions: partitionsOf(written, everyPartition),
    isOurs: (id) => [...joinedGroups].some((group) => id.startsWith(`${group}-`)),
    afterMs: config.stuckAfterMs ?? 60_000,
  })
  void stuck.run(closing.signal)
  const look = () => differencesNow(unhurried, topics, planning)
  const topicFaults = watchTopics(look, logger, closing.signal, config.topicsEveryMs)
  const brokerClock = config.compared
    ? createBrokerClock({
        ...{ cluster: shared, logger, clock: config.compared.clock },
        group: `${prefix}${config.compared.group}`,
      })
    : null
  void brokerClock?.run(closing.signal)
  const [{ name, schema }] = topics as [Topic, ...Topic[]]
  // Needs no right to write.
  const ask = () => registry.find(subjectOf(topicName({ name })), schema as object)
  const registryOutage = watchRegistry(ask, logger, closing.signal)

  /** Closes an object when it is released, or when the log closes. */
  async function using<T extends { close(): Promise<unknown> }>(opening: Promise<T>) {
    const resource = await opening
    const close = () => resource.close()
    open.add(close)
    return {
      resource,
      async release() {
        open.delete(close)
        await close()
      },
    }
  }

  function encode(append: Append): OutgoingRecord {
    const { topic, partitionKey, key, value } = append
    const codec = codecOf(topic)
    if (value === null && topic.retention !== 'compacted') {
      throw new Error(`${topic.name} is not compacted: a tombstone there frees nothing`)
    }
    const encoded = value === null ? null : codec.encode(value)
    const partition = partitionOf(partitionKey)
    return { topic: topicName(topic), partition, key, value: encoded }
  }

  /** Joins `group` as a member, until `signal` aborts or the log closes. */
  async function* asMember<Thing extends Closeable>(
    membership: Omit<GroupOptions, 'kafka' | 'shared' | 'logger' | 'sessionTimeoutMs'>,
    open: (lease: ShareLease) => Promise<Thing>,
    signal: AbortSignal,
  ): AsyncGenerator<Thing, void> {
    const stop = either(signal, closing.signal)
    if (stop.signal.aborted) return stop.forget()
    void control.warm()
    joinedGroups.add(membership.group)
    const joining = joinGroup({
      ...{ kafka: unhurried, shared, logger, sessionTimeoutMs },
      ...membership,
    })
    const member = await using(joining.then((joined) => ({ ...joined, close: joined.leave })))
    try {
      yield* openShares(member.resource, open, stop.signal)
    } finally {
      await member.release()
      stop.forget()
    }
  }

  function join(
    joined: readonly Topic[],
    options: { group: string; signal: AbortSignal; maxRecords?: number },
  ): AsyncGenerator<Assignment, void> {
    const group = `${prefix}${options.group}`
    const { signal, maxRecords = 1_000 } = options
    const reading = {
      ...{
        kafka,
        logger,
        group,
        topics: joined,
        topicName,
        maxRecords,
        encode,
        decode: rows.decode,
        takenOver: noteTakeover,
        deletedUnread: ({ name }: Topic, records: number) => deletedUnread.add(name, records),
      },
      ...{ control, shared, written },
    }
    const takes = everyPartition.map(String)
    const open = (lease: ShareLease) => openAssignment(reading, lease)
    const names = joined.map(topicName)
    const traffic = createTraffic({
      reader: control.beside(),
      partitions: partitionsOf(names, everyPartition),
    })
    void traffic.run(AbortSignal.any([signal, closing.signal]))
    return asMember(
      {
        ...{ group, topics: names, kind: 'partition', takes, traffic: traffic.now },
        takenForDead: noteTakeover,
      },
      open,
      signal,
    )
  }

  function lease(
    names: readonly string[],
    options: { group: string; signal: AbortSignal },
  ): AsyncGenerator<Lease, void> {
    const group = `${prefix}${options.group}`
    const open = (lease: ShareLease) =>
      openLease({ kafka, logger, group, shared, written, encode }, lease)
    return asMember(
      { group, topics: [metaTopic], kind: 'name', takes: names, traffic: () => null },
      open,
      options.signal,
    )
  }

  async function* replay(
    replayed: readonly Topic[],
    { partitions, signal }: { partitions: readonly number[]; signal: AbortSignal },
  ): AsyncGenerator<readonly LogRecord[]> {
    const stop = either(signal, closing.signal)
    if (stop.signal.aborted || replayed.length === 0 || partitions.length === 0) {
      return stop.forget()
    }
    const reader = control.beside()
    const options = { topics: replayed, partitions, topicName, rows, signal: stop.signal }
    try {
      yield* replayTables(reader, options)
    } finally {
      await reader.close()
      stop.forget()
    }
  }

  async function* follow(
    followed: readonly Topic[],
    { signal, from }: { signal: AbortSignal; from?: Position },
  ): AsyncGenerator<Chunk> {
    const stop = either(signal, closing.signal)
    if (stop.signal.aborted) return stop.forget()
    let release = async () => {}
    try {
      const asker = outages.asker(`read ${followed.map(({ name }) => name).join(', ')}`)
      const opened = await using(
        openReader(kafka, followed.map(topicName), { asker, patientUntil: stop.signal }),
      )
      release = opened.release
      const options = {
        topics: followed,
        topicName,
        partitionCount,
        epoch,
        tombstonesKeptMs,
        rows,
        logger,
      }
      yield* followTopics(opened.resource, from, options, stop.signal)
    } catch (error) {
      // A stop during an outage makes the reader fail.
      if (!stop.signal.aborted) throw error
    } finally {
      await release()
      stop.forget()
    }
  }

  async function groupPlaces(
    some: readonly Topic[],
    group: string,
    partitions: readonly number[],
  ): Promise<GroupPlace[]> {
    const places = partitionsOf(some.map(topicName), partitions)
    const committed = await control.committedNow(`${prefix}${group}`, places)
    const starts = await control.offsets(places, 'start')
    // Records of an open transaction count as waiting, however long it takes.
    const ends = await control.offsets(places, 'written')
    const topicOf = new Map(some.map((topic) => [topicName(topic), topic]))
    return places.map(({ topic, partition }, index) => ({
      ...{ topic: topicOf.get(topic)!, partition },
      ...{ oldest: starts[index]!, committed: committed[index] ?? null, end: ends[index]! },
    }))
  }

  /** Returns, by partition, the first offset that waits for a group, and the end. */
  async function waitingIn(some: readonly Topic[], group: string) {
    requireAnswering()
    const places = await groupPlaces(some, group, everyPartition)
    return places.map(({ topic, partition, oldest, committed, end }) => {
      return { topic: topicName(topic), partition, offset: Math.max(committed ?? 0, oldest), end }
    })
  }

  async function lagByPartition(some: readonly Topic[], group: string): Promise<readonly number[]> {
    const waiting = await waitingIn(some, group)
    return byPartition(waiting, (index) => waiting[index]!.end - waiting[index]!.offset)
  }

  async function waitingSince(some: readonly Topic[], group: string): Promise<number | null> {
    let since: number | null = null
    for (const { end, ...place } of await waitingIn(some, group)) {
      if (place.offset >= end) continue
      // One partition at a time, because a response for several is cut at its size limit.
      const writtenAt = await control.writtenAt(place)
      if (writtenAt !== null) since = Math.min(since ?? writtenAt, writtenAt)
    }
    return since
  }

  /** Refuses a query during an outage instead of waiting. @throws LogUnavailableError */
  function requireAnswering() {
    const out = outages.outage()
    if (out) throw new LogUnavailableError(out.reason)
  }

  /** Returns sums by partition; negative differences count as 0. */
  function byPartition(
    places: readonly { readonly partition: number }[],
    recordsOf: (index: number) => number,
  ): readonly number[] {
    const sums = everyPartition.map(() => 0)
    places.forEach(({ partition }, index) => {
      sums[partition]! += Math.max(0, recordsOf(index))
    })
    return sums
  }

  return {
    epoch,
    continues: [],
    secret,
    partitionCount,
    async append(records) {
      if (closing.signal.aborted) throw new LogUnavailableError('the log is closed')
      await appender.append(records.map(encode))
    },
    join,
    lease,
    replay,
    follow,
    async lag(some, group) {
      return (await lagByPartition(some, group)).reduce((sum, records) => sum + records, 0)
    },
    lagByPartition,
    waitingSince,
    places: (some, group, partition) => groupPlaces(some, group, [partition]),
    async committed(some, group) {
      requireAnswering()
      const places = partitionsOf(some.map(topicName), everyPartition)
      const offsets = await control.committedNow(`${prefix}${group}`, places)
      return byPartition(places, (index) => offsets[index] ?? 0)
    },
    async behind({ offsets }) {
      requireAnswering()
      const places = Object.entries(offsets).flatMap(([name, ofPartitions]) =>
        ofPartitions.map((offset, partition) => ({
          topic: topicName({ name }),
          partition,
          offset,
        })),
      )
      const ends = await control.offsets(places, 'written')
      return byPartition(places, (index) => ends[index]! - places[index]!.offset)
    },
    // Brokers manage their own disks.
    isFull: () => false,
    outage: outages.outage,
    stuck: stuck.now,
    topicFaults,
    takeovers: () => takeovers,
    registryOutage,
    refusedWrites: refusedWrites.longest,
    clockDifferenceMs: () => brokerClock?.differenceMs() ?? null,
    certificates: certificates.ends,
    undecodable: rows.undecodable,
    deletedUnread: deletedUnread.told,
    async close() {
      closing.abort()
      await appender.close()
      await Promise.all([...open].map((close) => close()))
      await control.close()
    },
  }
}

/**
 * How long a broker may take to answer a read or a write (ms). It answers a fetch within half a second, with no records
 * if there are none, and a write as soon as the other copies have it. After this time the leaders are looked up anew,
 * because another broker may have taken over from one that hangs; a write that is sent twice is
 * stored once.
 */
const promptMs = 8_000

const warnOfPoison =
  (logger: KafkaLogger) =>
  ({ topic, partition, offset, key }: PoisonRecord, err: Error) =>
    logger.warn({ topic: topic.name, partition, offset, key, err }, 'undecodable record skipped')
