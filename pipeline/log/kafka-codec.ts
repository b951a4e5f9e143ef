/**
 * A row as a Kafka message: which partition it goes to and which bytes it is.
 *
 * The bytes are the schema registry's wire format: a zero, the schema's id (4 bytes, big-endian),
 * the Avro value. The registry is asked for ids only; the topic itself encodes and decodes, which
 * gives the same bytes several times faster. A record written with another version of the schema
 * is read through the registry's copy of that version, resolved to ours.
 */

import { COMPATIBILITY, SchemaRegistry, SchemaType } from '@kafkajs/confluent-schema-registry'
import avro from 'avsc'
import { memoise } from '../../schemas/memoise.ts'
import type { Topic } from '../../schemas/topics.ts'
import { LogUnavailableError } from './log.ts'

const headerBytes = 5

/** A record whose value is not what its topic's schema says. */
export class UndecodableRecordError extends Error {
  override readonly name = 'UndecodableRecordError'
}

export interface Codec<Row = unknown> {
  encode(row: Row): Buffer
  /**
   * Fetches the writers' schemas of these values, where not known yet, so that `decode` needs no
   * waiting. @throws LogUnavailableError when the registry does not answer
   */
  prepare(values: Iterable<Buffer | null>): Promise<void>
  /** @throws UndecodableRecordError */
  decode(value: Buffer): Row
}

export type CodecFor = (topic: Topic) => Codec

/**
 * Registers the schemas of `topics` under `<topic>-value`, each backward compatible, and returns
 * the codec of each.
 * @throws LogUnavailableError when the registry does not answer, or refuses a schema
 */
export async function openCodecs(
  topics: readonly Topic[],
  { registryUrl, topicName }: { registryUrl: string; topicName: (topic: Topic) => string },
): Promise<CodecFor> {
  const registry = new SchemaRegistry({
    host: registryUrl.replace(/\/$/, ''),
    retry: {
      maxRetryTimeInSecs: 5,
      initialRetryTimeInSecs: 0.1,
      factor: 0.2,
      multiplier: 2,
      retries: 5,
    },
  })
  const codecs = new Map<Topic, Codec>()
  for (const topic of topics) {
    const subject = `${topicName(topic)}-value`
    const id = await register(registry, topic, subject)
    codecs.set(topic, createCodec(topic, id, registry))
  }
  return (topic) => {
    const codec = codecs.get(topic)
    if (!codec) throw new Error(`topic ${topic.name} was not named when the log was opened`)
    return codec
  }
}

async function register(registry: SchemaRegistry, topic: Topic, subject: string): Promise<number> {
  const schema = JSON.stringify(topic.schema)
  for (let attempts = 0; ; attempts++) {
    try {
      const { id } = await registry.register(
        { type: SchemaType.AVRO, schema },
        { subject, compatibility: COMPATIBILITY.BACKWARD },
      )
      return id
    } catch (cause) {
      const { name, status, message } = cause as Error & { status?: number }
      // A conflict, or another compatibility than asked for, is either a mistake or another process
      // half-way through registering the same schema for the first time: the latter passes.
      const mayPass = status === 409 || name === 'ConfluentSchemaRegistryCompatibilityError'
      if (!mayPass || attempts === 4) {
        throw new LogUnavailableError(`schema registry: ${subject}: ${message}`, { cause })
      }
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}

function createCodec(topic: Topic, ownId: number, registry: SchemaRegistry): Codec {
  const header = Buffer.alloc(headerBytes)
  header.writeUInt32BE(ownId, 1)
  const ours = avro.Type.forSchema(topic.schema)
  type Reading = { readonly resolver: object } | { readonly reason: string }
  const readings = new Map<number, Reading>()

  async function readingOf(id: number): Promise<Reading> {
    try {
      const writer = (await registry.getSchema(id)) as avro.Type
      // The registry package brings an avsc of its own, whose types ours would not accept.
      const theirs = avro.Type.forSchema(JSON.parse(JSON.stringify(writer)) as avro.Schema)
      return { resolver: ours.createResolver(theirs) }
    } catch (cause) {
      const { status, message } = cause as { status?: number; message: string }
      if (status === 404) return { reason: `schema ${id} is not in the registry` }
      if (status === undefined) return { reason: `schema ${id} cannot be read as ours: ${message}` }
      throw new LogUnavailableError(`schema registry: schema ${id}`, { cause })
    }
  }

  return {
    encode(row) {
      const body = topic.encode(row)
      const value = Buffer.allocUnsafe(headerBytes + body.length)
      header.copy(value)
      body.copy(value, headerBytes)
      return value
    },
    async prepare(values) {
      for (const value of values) {
        if (value === null || value.length < headerBytes || value[0] !== 0) continue
        const id = value.readUInt32BE(1)
        if (id !== ownId && !readings.has(id)) readings.set(id, await readingOf(id))
      }
    },
    decode(value) {
      if (value.length < headerBytes || value[0] !== 0) {
        throw new UndecodableRecordError('no schema id at the start')
      }
      const id = value.readUInt32BE(1)
      try {
        const body = value.subarray(headerBytes)
        if (id === ownId) return topic.decode(body)
        const reading = readings.get(id)
        if (!reading) throw new Error(`schema ${id} was not prepared`)
        if ('reason' in reading) throw new Error(reading.reason)
        // Encoded and decoded once more, because the topic's own decoder decides what a row looks like.
        return topic.decode(ours.toBuffer(ours.fromBuffer(body, reading.resolver)))
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
 * The partition of a partition key, or of itself when given as a number. Few distinct keys are
 * expected, so answers are kept. The answer throws RangeError for a partition that does not exist.
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
