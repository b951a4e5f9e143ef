/**
 * A row as a Kafka message: its partition and its bytes.
 *
 * The bytes are the schema registry's wire format: a zero, the schema's id (4 bytes, big-endian), the Avro value.
 * Only ids come from the registry. The topic itself encodes and decodes: several times faster, to
 * the same bytes. A record with another version of the schema is read by the registry's copy of
 * that version, resolved to ours.
 *
 * The registry's responses are kept on disk (`schema-cache.ts`), so the log needs it only for
 * records with a schema that is new to this machine.
 */

import avro from 'avsc'
import { memoise } from '../../../schemas/memoise.ts'
import type { Topic } from '../../../schemas/topics.ts'
import { LogSetupError, LogUnavailableError } from '../log.ts'
import type { KafkaLogger } from './connection.ts'
import type { SchemaCache } from './schema-cache.ts'
import { createSchemaReader, type SchemaReader, type SchemaReaderOptions } from './schema-reader.ts'
import {
  type HoldsRecords,
  registerSchemas,
  subjectOf,
  type TopicSchema,
} from './schema-registration.ts'
import { RegistryRefusedError, type SchemaRegistry, startPatienceMs } from './schema-registry.ts'

const headerBytes = 5

/** Thrown for a record whose value does not match its topic's schema. */
class UndecodableRecordError extends Error {
  override readonly name = 'UndecodableRecordError'
}

export interface Codec<Row = unknown> {
  encode(row: Row): Buffer
  /**
   * Fetches the writers' schemas of these values that are unknown, so that `decode` need not wait.
   * Waits some seconds for those that the registry does not have. @throws LogUnavailableError when
   * the registry does not respond
   */
  prepare(values: Iterable<Buffer | null>): Promise<void>
  /** @throws UndecodableRecordError */
  decode(value: Buffer): Row
}

export type CodecFor = (topic: Topic) => Codec

export interface CodecOptions extends Pick<SchemaReaderOptions, 'now' | 'pause'> {
  readonly registry: SchemaRegistry
  readonly cache: SchemaCache
  readonly topicName: (topic: Topic) => string
  /** `create` registers missing schemas; `check` reports them. */
  readonly setup: 'create' | 'check'
  readonly holdsRecords: HoldsRecords
  readonly logger: KafkaLogger
}

/**
 * Returns the codec of each topic. Registered schemas are only looked up, which needs no right to
 * write, and their compatibility policy is not changed.
 * @throws LogUnavailableError when the registry does not respond and the cache does not have a schema, or the brokers
 * do not respond; LogSetupError if the registry refuses a schema, lacks one that we must not
 * register, or has lost the schemas of stored records
 */
export async function openCodecs(
  topics: readonly Topic[],
  options: CodecOptions,
): Promise<CodecFor> {
  const { registry, cache, topicName, setup, holdsRecords, logger } = options
  const looked = await Promise.all(
    topics.map((topic) =>
      lookUp({ topic: topicName(topic), schema: topic.schema as object }, options),
    ),
  )
  const subjects = looked.map(({ topic }) => subjectOf(topic))
  const missing = looked.filter(({ id }) => id === null)
  if (missing.length > 0 && setup === 'check') {
    const names = missing.map(({ topic }) => subjectOf(topic)).join(', ')
    throw new LogSetupError(
      `these schemas are not registered (overround topics apply does that): ${names}`,
    )
  }
  // If it did not respond for some schemas and lacks others, it may have restarted without its
  // data.
  const unanswered = looked.find(({ away }) => away !== null)
  if (missing.length > 0 && unanswered) throw unanswered.away
  const registered = await registerSchemas(registry, missing, holdsRecords)
  const ids = looked.map(({ topic, id }) => id ?? registered.get(topic)!)
  for (const [index, { schema }] of looked.entries()) {
    cache.keepId(subjects[index]!, schema, ids[index]!)
  }
  await warnOfNoPolicy(registry, subjects, logger)
  const schemaOf = createSchemaReader(options)
  const codecs = new Map(
    topics.map((topic, index) => [topic, createCodec(topic, ids[index]!, schemaOf)]),
  )
  return (topic) => {
    const codec = codecs.get(topic)
    if (!codec) throw new Error(`topic ${topic.name} was not named when the log was opened`)
    return codec
  }
}

interface LookedUp extends TopicSchema {
  /** Null: the registry does not have it. */
  readonly id: number | null
  /** Why the id is from the cache; null if the registry has responded. */
  readonly away: LogUnavailableError | null
}

async function lookUp(
  { topic, schema }: TopicSchema,
  { registry, cache, logger }: Pick<CodecOptions, 'registry' | 'cache' | 'logger'>,
): Promise<LookedUp> {
  const subject = subjectOf(topic)
  try {
    const patienceMs = cache.idOf(subject, schema) === null ? startPatienceMs : undefined
    return { topic, schema, id: await registry.find(subject, schema, patienceMs), away: null }
  } catch (error) {
    if (error instanceof RegistryRefusedError) {
      throw new LogSetupError(`${subject}: ${error.message}`, { cause: error })
    }
    if (!(error instanceof LogUnavailableError)) throw error
    const id = cache.idOf(subject, schema)
    if (id === null) throw error
    logger.warn({ subject, id, err: error }, 'registry is away; its schema is known')
    return { topic, schema, id, away: error }
  }
}

/**
 * Warns of subjects without a compatibility policy: other programs' schemas can stop our readers.
 */
async function warnOfNoPolicy(
  registry: SchemaRegistry,
  subjects: readonly string[],
  logger: KafkaLogger,
) {
  // A failure is ignored: we may lack the right, and an outage is reported elsewhere.
  const takeAnything = await Promise.all(
    subjects.map((name) => registry.takesAnything(name).catch(() => false)),
  )
  const free = subjects.filter((_, index) => takeAnything[index])
  if (free.length > 0) {
    logger.warn({ subjects: free }, 'the registry checks no compatibility of these schemas (NONE)')
  }
}

function createCodec(topic: Topic, ownId: number, schemaOf: SchemaReader): Codec {
  const header = Buffer.alloc(headerBytes)
  header.writeUInt32BE(ownId, 1)
  const ours = avro.Type.forSchema(topic.schema)
  type Reading = { readonly resolver: object } | { readonly reason: string }
  const readings = new Map<number, Reading>()

  /** Returns null for a schema that the registry may have later. */
  async function readingOf(id: number): Promise<Reading | null> {
    // Valid ids are above 0. Others, which a poison record may contain, are not sent to the registry.
    if (id <= 0) return { reason: `schema ${id} is not in the registry` }
    const schema = await schemaOf(id)
    if (schema === null) return null
    try {
      const theirs = avro.Type.forSchema(schema as avro.Schema)
      return { resolver: ours.createResolver(theirs) }
    } catch (cause) {
      return { reason: `schema ${id} cannot be read as ours: ${(cause as Error).message}` }
    }
  }

  return {
    encode: (row) => Buffer.concat([header, topic.encode(row)]),
    async prepare(values) {
      for (const value of values) {
        if (value === null || value.length < headerBytes || value[0] !== 0) continue
        const id = value.readInt32BE(1)
        if (id === ownId || readings.has(id)) continue
        const reading = await readingOf(id)
        if (reading) readings.set(id, reading)
      }
    },
    decode(value) {
      if (value.length < headerBytes || value[0] !== 0) {
        throw new UndecodableRecordError('no schema id at the start')
      }
      const id = value.readInt32BE(1)
      try {
        if (id === ownId) return topic.decode(value, headerBytes)
        const body = value.subarray(headerBytes)
        const reading = readings.get(id)
        if (!reading) throw new Error(`schema ${id} is not in the registry`)
        if ('reason' in reading) throw new Error(reading.reason)
        return ours.fromBuffer(body, reading.resolver) as unknown
      } catch (cause) {
        throw new UndecodableRecordError((cause as Error).message, { cause })
      }
    },
  }
}

/**
 * Kafka's own hash of a key, as the Java client computes it: other clients that partition by the
 * same key then agree with us.
 * @returns a signed 32-bit integer
 * Source: org.apache.kafka.common.utils.Utils.murmur2
 */
export function murmur2(key: string): number {
  const data = Buffer.from(key)
  const m = 0x5bd1e995
  const whole = data.length & ~3
  let hash = 0x9747b28c ^ data.length
  for (let at = 0; at < whole; at += 4) {
    let k = Math.imul(data.readInt32LE(at), m)
    k = Math.imul(k ^ (k >>> 24), m)
    hash = Math.imul(hash, m) ^ k
  }
  if (data.length > whole) {
    for (let at = data.length - 1; at >= whole; at--) hash ^= data[at]! << (8 * (at - whole))
    hash = Math.imul(hash, m)
  }
  hash = Math.imul(hash ^ (hash >>> 13), m)
  return hash ^ (hash >>> 15)
}

/**
 * Creates the partitioner: it returns the partition of a partition key, or the number itself when given one. Few
 * distinct keys are expected, so results are cached. It throws RangeError for a partition that does not exist.
 */
export function createPartitioner(
  partitionCount: number,
): (partitionKey: string | number) => number {
  const partitionOf = memoise(
    (key: string) => (murmur2(key) & 0x7fffffff) % partitionCount,
    100_000,
  )
  return (partitionKey) => {
    if (typeof partitionKey === 'string') return partitionOf(partitionKey)
    if (Number.isInteger(partitionKey) && partitionKey >= 0 && partitionKey < partitionCount) {
      return partitionKey
    }
    throw new RangeError(`there is no partition ${partitionKey} among ${partitionCount}`)
  }
}
