/**
 * The log port over Kafka; the promises are in `log.ts`. Rows are Avro through a schema registry
 * (`kafka-codec.ts`), reading goes by offsets of our own (`kafka-reader.ts`), members of a group share
 * its partitions and names (`kafka-shares.ts`), and a batch is settled by one Kafka transaction
 * (`kafka-transactions.ts`).
 *
 * What Kafka adds to the port's words:
 * - One transaction has one transactional id, of one partition number or one name that is held, and that
 *   is what keeps a replaced member from committing and a former holder from appending.
 * - A commit that comes too late, its partition having moved, resolves without having written
 *   anything; `batches` then ends. The new owner reads the batch again.
 * - `follow` keeps the order of a partition. The topics of one commit become visible partition by
 *   partition: what is fetched together is given in the order of `topics`, and a commit may be
 *   spread over several chunks.
 * - A record that cannot be decoded is reported to `onPoison` and skipped, everywhere alike: it
 *   would stop every reader at every start. A group's offset moves past it.
 * - `lag` counts offsets, so transaction markers and compacted records may count as well until the
 *   group has passed them.
 * - The epoch and the secret are kept in the topic `meta`, so the topics are to be deleted all together or not at
 *   all: a single one recreated under old positions would not be noticed.
 */

import { setMaxListeners } from 'node:events'
import { join as joinPath } from 'node:path'
import { topics as ourTopics, type Topic } from '../../schemas/topics.ts'
import { type RegistryAuth, type Tls, type TopicPolicy, topicPolicyOf } from '../kafka-config.ts'
import { createAppender } from './kafka-appender.ts'
import { openAssignment } from './kafka-assignments.ts'
import { type Codec, openCodecs, createPartitioner as partitionerOf } from './kafka-codec.ts'
import { connectionTo, type KafkaConnection, type KafkaLogger, silent } from './kafka-connection.ts'
import { createCursor } from './kafka-cursor.ts'
import { type GroupOptions, joinGroup } from './kafka-group.ts'
import { openHolding } from './kafka-holdings.ts'
import { readIdentity } from './kafka-identity.ts'
import { clusterOf } from './kafka-internals.ts'
import { byPlace, type Place, placeKey, type TopicPartition } from './kafka-places.ts'
import { OffsetOutOfRangeError, openReader, type Reader } from './kafka-reader.ts'
import type { OutgoingRecord, StoredRecord } from './kafka-record-batch.ts'
import { type Closeable, type Tenure, tenuresOf } from './kafka-tenures.ts'
import { metaTopicName, setUpTopics } from './kafka-topics.ts'
import {
  type Append,
  type Assignment,
  type Chunk,
  type Holding,
  type Log,
  type LogRecord,
  LogUnavailableError,
  type Position,
} from './log.ts'
import { createOutageWatch } from './outage-watch.ts'
import { openSchemaCache } from './schema-cache.ts'
import { openRegistry } from './schema-registry.ts'
import { either, unlessAborted, untilAborted } from './signals.ts'

/** Where a record lies that cannot be decoded. */
export interface PoisonRecord {
  readonly topic: Topic
  readonly partition: number
  readonly offset: number
  readonly key: string
  readonly value: Buffer
}

export interface KafkaLogConfig extends KafkaConnection, Partial<TopicPolicy> {
  /** Base address of a registry that speaks Confluent's API. */
  readonly registryUrl: string
  readonly registryAuth?: RegistryAuth | null
  readonly registryTls?: Tls | null
  /** Where to keep what the registry has said; without one a start needs the registry. */
  readonly schemaDirectory?: string
  /** Before the names of topics, groups and transactional ids, to share a cluster; default none. */
  readonly topicPrefix?: string
  /** What to do about topics and schemas that are missing: default create; `check` says so and throws. */
  readonly setup?: 'create' | 'check'
  /** The topics to be used, default all of `schemas/topics.ts`. */
  readonly topics?: readonly Topic[]
  /**
   * How long a member that died keeps its partitions, and the longest that one piece of work may
   * hold up the event loop; default 4 seconds, or 6 where the brokers allow no less.
   */
  readonly sessionTimeoutMs?: number
  /**
   * An append that has not been taken after so long fails: for those who have to answer somebody. Default:
   * it waits as long as an outage lasts.
   */
  readonly appendWithinMs?: number
  /** Called for each undecodable record, as often as it is read; default: a warning. */
  readonly onPoison?: (record: PoisonRecord, error: Error) => void
}

/**
 * Opens the log on a cluster, creating the topics and registering the schemas that are missing.
 * @throws LogUnavailableError when brokers or registry do not answer; LogSetupError when topics or schemas
 *   cannot be used as they are
 */
export async function openKafkaLog(config: KafkaLogConfig): Promise<Log> {
  const prefix = config.topicPrefix ?? ''
  const topics = config.topics ?? Object.values(ourTopics)
  const sessionTimeoutMs = config.sessionTimeoutMs ?? 4_000
  const { logger = silent, setup = 'create' } = config
  const policy = { ...topicPolicyOf(config), prefix }
  const partitionCount = policy.partitions
  const onPoison = config.onPoison ?? warnOfPoison(logger)
  const topicName = ({ name }: Pick<Topic, 'name'>) => `${prefix}${name}`
  const metaTopic = `${prefix}${metaTopicName}`
  const closing = new AbortController()
  setMaxListeners(0, closing.signal) // one a reader

  const kafka = connectionTo(config)
  const reading = connectionTo({ ...config, requestTimeoutMs: readTimeoutMs })
  const { tombstonesKeptMs } = await setUpTopics(kafka, topics, {
    ...{ policy, setup, logger },
    namedBrokers: config.brokers.length,
  })
  const outages = createOutageWatch({ logger })
  const registry = outages.asker('ask the schema registry')
  const tables = new Set(topics.filter(({ retention }) => retention === 'compacted').map(topicName))
  const appender = createAppender({
    kafka,
    outages,
    withinMs: config.appendWithinMs ?? Number.POSITIVE_INFINITY,
    queueOf: (topic) => (tables.has(topic) ? topic : 'feeds'),
  })
  // Its connections are there when a partition comes, which is taken over and restored by them.
  const shared = clusterOf(kafka)
  const written = topics.map(topicName)
  const control = await openReader(kafka, [metaTopic, ...written], { cluster: shared })
  const { epoch, secret, codecOf } = await openRows().catch(async (error) => {
    await Promise.all([control.close(), appender.close()])
    throw error
  })

  async function openRows() {
    const { epoch, secret } = await readIdentity(control, appender, metaTopic)
    const { registryUrl: url, registryAuth: auth = null, registryTls: tls = null } = config
    const { schemaDirectory } = config
    const path = schemaDirectory === undefined ? null : joinPath(schemaDirectory, `${epoch}.json`)
    const codecOf = await openCodecs(topics, {
      registry: openRegistry({ url, auth, tls }),
      cache: openSchemaCache(path, logger),
      ...{ topicName, setup, logger },
    })
    return { epoch, secret, codecOf }
  }

  const partitionOf = partitionerOf(partitionCount)
  const everyPartition = Array.from({ length: partitionCount }, (_, partition) => partition)
  const open = new Set<() => Promise<unknown>>()

  /** Aborts when the log closes, if not before. */
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

  const placesOf = (some: readonly Topic[], partitions: readonly number[]): TopicPartition[] =>
    partitions.flatMap((partition) => some.map((topic) => ({ topic: topicName(topic), partition })))

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

  /** The registry is asked for schemas that this process has not met yet, and then it is waited for. */
  async function preparePatiently(codec: Codec, raw: readonly StoredRecord[]) {
    for (;;) {
      try {
        await codec.prepare(raw.map(({ value }) => value))
        return registry.answered()
      } catch (error) {
        if (!(error instanceof LogUnavailableError) || closing.signal.aborted) throw error
        registry.failed(error)
        await untilAborted(closing.signal, registryPauseMs)
      }
    }
  }

  /** The rows of raw records; what cannot be decoded is reported and left out. */
  async function decode(topic: Topic, partition: number, raw: readonly StoredRecord[]) {
    const codec: Codec = codecOf(topic)
    await preparePatiently(codec, raw)
    const records: LogRecord[] = []
    for (const { offset, key, value } of raw) {
      try {
        const row = value === null ? null : codec.decode(value)
        records.push({ topic, partition, offset, key, value: row })
      } catch (error) {
        onPoison({ topic, partition, offset, key, value: value! }, error as Error)
      }
    }
    return records
  }

  /** A member of `group`, until `signal` aborts or the log closes. */
  async function* asMember<Thing extends Closeable>(
    membership: Omit<GroupOptions, 'kafka' | 'sessionTimeoutMs'>,
    open: (tenure: Tenure) => Promise<Thing>,
    signal: AbortSignal,
  ): AsyncGenerator<Thing, void> {
    const stop = either(signal, closing.signal)
    if (stop.signal.aborted) return stop.forget()
    void control.warm()
    const joining = joinGroup({ kafka, sessionTimeoutMs, ...membership })
    const member = await using(joining.then((joined) => ({ ...joined, close: joined.leave })))
    try {
      yield* tenuresOf(member.resource, open, stop.signal)
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
      ...{ kafka, logger, group, topics: joined, topicName, maxRecords, encode, decode },
      ...{ control, shared, written },
    }
    const takes = everyPartition.map(String)
    const open = (tenure: Tenure) => openAssignment(reading, tenure)
    return asMember(
      { group, topics: joined.map(topicName), kind: 'partition', takes },
      open,
      signal,
    )
  }

  function hold(
    names: readonly string[],
    options: { group: string; signal: AbortSignal },
  ): AsyncGenerator<Holding, void> {
    const group = `${prefix}${options.group}`
    const open = (tenure: Tenure) =>
      openHolding({ kafka, logger, group, shared, written, encode }, tenure)
    return asMember(
      { group, topics: [metaTopic], kind: 'name', takes: names },
      open,
      options.signal,
    )
  }

  async function* replay(
    replayed: readonly Topic[],
    { partitions, signal }: { partitions: readonly number[]; signal: AbortSignal },
  ): AsyncGenerator<readonly LogRecord[]> {
    const stop = either(signal, closing.signal)
    const all = placesOf(replayed, partitions)
    if (stop.signal.aborted || all.length === 0) return stop.forget()
    const reader = control.beside()
    try {
      await reader.renew()
      const [starts, ended] = await Promise.all([
        reader.offsets(all, 'start'),
        reader.endsAtOnce(all, stop.signal),
      ])
      if (ended === null) return
      const ends = byPlace(all, ended)
      const wanted = all
        .map((place, index) => ({ ...place, offset: starts[index]! }))
        .filter((place) => place.offset < ends.get(placeKey(place))!)
      for (const partition of partitions) {
        const newest = await newestOf(
          reader,
          wanted.filter((place) => place.partition === partition),
          ends,
          stop.signal,
        )
        if (newest === null) return
        for (const topic of replayed) {
          const rows = newest.get(topicName(topic)) ?? []
          yield* inChunks(topic, partition, rows, stop.signal)
          if (stop.signal.aborted) return
        }
      }
    } finally {
      await reader.close()
      stop.forget()
    }
  }

  /**
   * The newest of each key from `places` on to before `ends`, without tombstones, by topic. Nothing is decoded
   * yet: most of a long tail is superseded. Null when `signal` has aborted.
   */
  async function newestOf(
    reader: Reader,
    places: readonly Place[],
    ends: ReadonlyMap<string, number | null>,
    signal: AbortSignal,
  ): Promise<Map<string, StoredRecord[]> | null> {
    const cursor = createCursor(places)
    const newest = new Map<string, Map<string, KeptRecord>>()
    for (const { topic } of places) newest.set(topic, new Map())
    for (;;) {
      const behind = cursor.places().filter((place) => place.offset < ends.get(placeKey(place))!)
      if (behind.length === 0) break
      const fetched = await unlessAborted(reader.fetch(behind, 100), signal)
      if (fetched === null) return null
      for (const { records, ...place } of cursor.take(fetched)) {
        const rows = newest.get(place.topic)!
        const end = ends.get(placeKey(place))!
        for (const { offset, key, value } of records) {
          if (offset >= end) break
          if (value === null) {
            rows.delete(key)
            continue
          }
          // A copy, since one record would keep the whole response in memory; over the former where it fits.
          const former = rows.get(key)
          if (former?.value.length === value.length) {
            former.offset = offset
            value.copy(former.value)
          } else {
            rows.set(key, {
              offset,
              key,
              value: Buffer.from(value),
            })
          }
        }
      }
    }
    const byOffset = (a: StoredRecord, b: StoredRecord) => a.offset - b.offset
    return new Map([...newest].map(([topic, rows]) => [topic, [...rows.values()].sort(byOffset)]))
  }

  /** Decoded rows of one partition; ends early when `signal` aborts. */
  async function* inChunks(
    topic: Topic,
    partition: number,
    rows: readonly StoredRecord[],
    signal: AbortSignal,
  ): AsyncGenerator<readonly LogRecord[]> {
    for (let from = 0; from < rows.length; from += chunkRecords) {
      const some = rows.slice(from, from + chunkRecords)
      const records = await unlessAborted(decode(topic, partition, some), signal)
      if (records === null || signal.aborted) return
      if (records.length > 0) yield records
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
        openReader(reading, followed.map(topicName), { asker, patientUntil: stop.signal }),
      )
      const { resource: reader } = opened
      release = opened.release
      let places = from ? await resume(reader, followed, from) : null
      for (;;) {
        try {
          return yield* followFrom(reader, followed, places, stop.signal)
        } catch (error) {
          if (!(error instanceof OffsetOutOfRangeError)) throw error
          logger.warn({ err: error }, 'followed records are gone; reading everything again')
          places = null
        }
      }
    } catch (error) {
      // Told to stop in the middle of an outage, the reader has given up.
      if (!stop.signal.aborted) throw error
    } finally {
      await release()
      stop.forget()
    }
  }

  /** @param resumed where to go on; null: from the beginning, with a reset */
  async function* followFrom(
    reader: Reader,
    followed: readonly Topic[],
    resumed: readonly Place[] | null,
    signal: AbortSignal,
  ): AsyncGenerator<Chunk> {
    const tables = resumed
      ? { places: resumed, records: [], reset: false }
      : yield* tablesOf(reader, followed, signal)
    if (tables === null) return
    const { places } = tables
    const cursor = createCursor(places)
    const ends = resumed && byPlace(places, await reader.offsets(places, 'end'))
    const given = byPlace(
      places,
      places.map(({ offset }) => offset),
    )
    const position = () =>
      positionOf(
        followed,
        places.map((place) => ({ ...place, offset: given.get(placeKey(place))! })),
      )
    let told = false
    let { reset, records }: { reset: boolean; records: readonly LogRecord[] } = tables
    for (;;) {
      const behind = new Set(
        cursor
          .places()
          .filter((place) => place.offset < (ends?.get(placeKey(place)) ?? 0))
          .map(({ topic }) => topic),
      )
      const caughtUp = behind.size === 0
      if (records.length > 0 || caughtUp !== told) {
        yield { reset, records, position: position(), caughtUp }
        reset = false
        told = caughtUp
      }
      if (signal.aborted) return
      // Until caught up, a topic at a time, so that rows come before those that speak of them.
      const first = caughtUp ? undefined : followed.map(topicName).find((name) => behind.has(name))
      const wanted = cursor.places().filter(({ topic }) => first === undefined || topic === first)
      const fetched = await unlessAborted(reader.fetch(wanted, caughtUp ? 500 : 50), signal)
      if (fetched === null) return
      const taken = cursor.take(fetched)
      let changes: LogRecord[] = []
      for (const topic of followed) {
        for (const { records: raw, next, ...place } of taken) {
          if (place.topic !== topicName(topic)) continue
          // Whoever follows has others to serve between chunks.
          for (let from = 0; from < raw.length; from += chunkRecords) {
            const some = raw.slice(from, from + chunkRecords)
            const decoded = await unlessAborted(decode(topic, place.partition, some), signal)
            if (decoded === null) return
            for (const record of decoded) changes.push(record)
            given.set(placeKey(place), some.at(-1)!.offset + 1)
            if (changes.length < chunkRecords) continue
            yield { reset: false, records: changes, position: position(), caughtUp: told }
            changes = []
          }
          given.set(placeKey(place), next)
        }
      }
      records = changes
    }
  }

  /**
   * What is there now, a topic at a time, so that rows come before those that speak of them; the newest of each
   * key only. A partition at a time, so that only its rows are held twice.
   * @returns where to go on and the last rows, which are not given yet; null when `signal` has aborted
   */
  async function* tablesOf(
    reader: Reader,
    followed: readonly Topic[],
    signal: AbortSignal,
  ): AsyncGenerator<Chunk, Tables | null> {
    const all = placesOf(followed, everyPartition)
    const ends = byPlace(all, await reader.offsets(all, 'end'))
    const starts = await reader.offsets(all, 'start')
    const from = all.map((place, index) => ({ ...place, offset: starts[index]! }))
    // Tables that are not whole yet have nowhere to go on from but the beginning.
    const position = positionOf(followed, from)
    let last: readonly LogRecord[] = []
    let reset = true
    for (const topic of followed) {
      for (const place of from.filter(({ topic: name }) => name === topicName(topic))) {
        const newest = await newestOf(reader, [place], ends, signal)
        if (newest === null) return null
        for await (const records of inChunks(
          topic,
          place.partition,
          newest.get(place.topic)!,
          signal,
        )) {
          if (last.length > 0) {
            yield { reset, records: last, position, caughtUp: false }
            reset = false
          }
          last = records
        }
        if (signal.aborted) return null
      }
    }
    const places = from.map((place) => ({ ...place, offset: ends.get(placeKey(place))! }))
    return { places, records: last, reset }
  }

  /** @param places of all partitions, in the order of `placesOf`: ascending, the topics within each */
  function positionOf(followed: readonly Topic[], places: readonly Place[]): Position {
    const offsets: Record<string, number[]> = {}
    for (const topic of followed) offsets[topic.name] = []
    places.forEach(({ offset }, index) => {
      offsets[followed[index % followed.length]!.name]!.push(offset)
    })
    return { epoch, offsets }
  }

  /** The places of a position, or null when going on from there could miss something. */
  async function resume(reader: Reader, followed: readonly Topic[], from: Position) {
    if (from.epoch !== epoch) return null
    if (followed.some(({ name }) => from.offsets[name]?.length !== partitionCount)) return null
    const places = placesOf(followed, everyPartition).map((place, index) => ({
      ...place,
      offset: from.offsets[followed[index % followed.length]!.name]![place.partition]!,
    }))
    const starts = await reader.offsets(places, 'start')
    const ends = await reader.offsets(places, 'end')
    // Of what is older than this, tombstones may be gone, and with them the news of a removal.
    const time = Date.now() - tombstonesKeptMs
    const youngs = await reader.offsets(places, { time })
    const whole = places.every(({ offset }, index) => {
      const [start, end] = [starts[index]!, ends[index]!]
      const young = Math.min(youngs[index] ?? end, end)
      return Number.isInteger(offset) && offset >= start && offset <= end && offset >= young
    })
    return whole ? places : null
  }

  async function lagByPartition(some: readonly Topic[], group: string): Promise<readonly number[]> {
    requireAnswering()
    const places = placesOf(some, everyPartition)
    const committed = await control.committed(`${prefix}${group}`, places)
    const starts = await control.offsets(places, 'start')
    const ends = await control.offsets(places, 'end')
    return byPartition(
      places,
      (index) => ends[index]! - Math.max(committed[index] ?? 0, starts[index]!),
    )
  }

  /** @throws LogUnavailableError during an outage, which a question would wait for */
  function requireAnswering() {
    const out = outages.outage()
    if (out) throw new LogUnavailableError(out.reason)
  }

  /** Sums by partition; what is below 0 counts as 0. */
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
    hold,
    replay,
    follow,
    async lag(some, group) {
      return (await lagByPartition(some, group)).reduce((sum, records) => sum + records, 0)
    },
    lagByPartition,
    async behind({ offsets }) {
      requireAnswering()
      const places = Object.entries(offsets).flatMap(([name, ofPartitions]) =>
        ofPartitions.map((offset, partition) => ({
          topic: topicName({ name }),
          partition,
          offset,
        })),
      )
      const ends = await control.offsets(places, 'end')
      return byPartition(places, (index) => ends[index]! - places[index]!.offset)
    },
    // Brokers look after their own disks.
    isFull: () => false,
    outage: outages.outage,
    async close() {
      closing.abort()
      await appender.close()
      await Promise.all([...open].map((close) => close()))
      await control.close()
    },
  }
}

/** Rows of a table, or changes, that are decoded and given at once. */
const chunkRecords = 2_000
const registryPauseMs = 1_000
/** A broker that is asked for records answers within half a second, with none if there are none. */
const readTimeoutMs = 10_000

/** The newest record of a key so far. */
interface KeptRecord extends StoredRecord {
  offset: number
  readonly value: Buffer
}

interface Tables {
  readonly places: readonly Place[]
  readonly records: readonly LogRecord[]
  /** Whether nothing of them has been given yet. */
  readonly reset: boolean
}

const warnOfPoison =
  (logger: KafkaLogger) =>
  ({ topic, partition, offset, key }: PoisonRecord, err: Error) =>
    logger.warn({ topic: topic.name, partition, offset, key, err }, 'undecodable record skipped')
