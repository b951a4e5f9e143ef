/**
 * Records as Kafka stores them (message format 2), written in one pass into one buffer and read in one
 * pass from another. kafkajs makes an object and several buffers per record, which took as long as
 * all decisions together.
 */

import { decompressed } from './compression.ts'
import type { ProducerIdentity } from './internals.ts'

/** A record to be written; a null value is a tombstone. */
export interface RecordBytes {
  readonly key: string
  readonly value: Buffer | null
}

/** A record on its way to a partition. */
export interface OutgoingRecord extends RecordBytes {
  readonly topic: string
  readonly partition: number
}

export interface BatchOptions extends Pick<ProducerIdentity, 'producerId' | 'producerEpoch'> {
  /** The producer's count of records in this partition before the batch. */
  readonly firstSequence: number
  readonly isInTransaction: boolean
  /** Epoch ms, of all records. */
  readonly timestamp: number
}

/** The most bytes of a record besides key and value: six lengths and numbers of five bytes. */
const recordOverhead = 30
const headerBytes = 61
/** Where the bytes begin that the length counts, and that the checksum covers. */
const lengthFrom = 12
const checkedFrom = 21

/** Returns the most bytes that a record takes in a batch. */
export const recordBytesMax = ({ key, value }: RecordBytes) =>
  recordOverhead + 3 * key.length + (value?.length ?? 0)

/** Encodes one uncompressed batch. @param records at least one */
export function encodeRecordBatch(
  records: readonly RecordBytes[],
  { producerId, producerEpoch, firstSequence, isInTransaction, timestamp }: BatchOptions,
): Buffer {
  let most = headerBytes
  for (const record of records) most += recordBytesMax(record)
  const batch = Buffer.allocUnsafe(most)
  let at = headerBytes

  function varint(value: number) {
    // Zigzag: small numbers of either sign are short.
    let rest = ((value << 1) ^ (value >> 31)) >>> 0
    for (; rest > 0x7f; rest >>>= 7) batch[at++] = (rest & 0x7f) | 0x80
    batch[at++] = rest
  }

  records.forEach(({ key, value }, offsetDelta) => {
    const keyLength = Buffer.byteLength(key)
    const valueLength = value === null ? -1 : value.length
    varint(
      // attributes, timestamp and count of headers take a byte each
      3 +
        varintBytes(offsetDelta) +
        varintBytes(keyLength) +
        keyLength +
        varintBytes(valueLength) +
        (value?.length ?? 0),
    )
    batch[at++] = 0 // attributes
    batch[at++] = 0 // since the first timestamp
    varint(offsetDelta)
    varint(keyLength)
    at += batch.write(key, at)
    varint(valueLength)
    if (value !== null) at += value.copy(batch, at)
    batch[at++] = 0 // headers
  })

  batch.writeBigInt64BE(0n, 0) // first offset: set by the broker
  batch.writeInt32BE(at - lengthFrom, 8)
  batch.writeInt32BE(0, 12) // epoch of the leader: set by the broker
  batch[16] = 2 // format
  batch.writeInt16BE(isInTransaction ? inTransaction : 0, checkedFrom)
  batch.writeInt32BE(records.length - 1, 23)
  batch.writeBigInt64BE(BigInt(timestamp), 27)
  batch.writeBigInt64BE(BigInt(timestamp), 35)
  batch.writeBigInt64BE(BigInt(producerId), 43)
  batch.writeInt16BE(producerEpoch, 51)
  batch.writeInt32BE(firstSequence, 53)
  batch.writeInt32BE(records.length, 57)
  batch.writeUInt32BE(crc32c(batch, checkedFrom, at), 17)
  return batch.subarray(0, at)
}

const inTransaction = 0x10
const isControl = 0x20
const compressionBits = 0x07

/** The header of a batch. */
export interface StoredBatch {
  readonly firstOffset: number
  /** The last offset, even if compaction has removed its record. */
  readonly lastOffset: number
  /** When its first record was written, by the clock of its writer (epoch ms). */
  readonly writtenAt: number
  readonly producerId: number
  readonly isInTransaction: boolean
  /** Whether it ends a transaction, and has no records. */
  readonly isControl: boolean
  readonly count: number
  /** The records, compressed or not. */
  readonly bytes: Buffer
  /** Kafka's number of their compression. */
  readonly compression: number
}

/** A record as read; its value is a view of the bytes read. */
export interface StoredRecord {
  readonly offset: number
  /** Empty for one without a key. */
  readonly key: string
  readonly value: Buffer | null
}

/**
 * Yields adjacent batches, up to one that is cut off.
 * @throws Error for messages from before Kafka 0.11, which are no batches
 */
export function* storedBatches(bytes: Buffer): Generator<StoredBatch> {
  for (let from = 0; from + headerBytes <= bytes.length; ) {
    const end = from + lengthFrom + bytes.readInt32BE(from + 8)
    const format = bytes[from + 16]!
    if (format !== 2) throw new Error(`records are in format ${format} of Kafka, and not in 2`)
    if (end > bytes.length) return
    const firstOffset = int64(bytes, from)
    const attributes = bytes.readInt16BE(from + checkedFrom)
    yield {
      firstOffset,
      lastOffset: firstOffset + bytes.readInt32BE(from + 23),
      writtenAt: int64(bytes, from + 27),
      producerId: int64(bytes, from + 43),
      isInTransaction: (attributes & inTransaction) !== 0,
      isControl: (attributes & isControl) !== 0,
      count: bytes.readInt32BE(from + 57),
      bytes: bytes.subarray(from + headerBytes, end),
      compression: attributes & compressionBits,
    }
    from = end
  }
}

/**
 * Adds a batch's records from offset `from` on to `records`. @throws Error if the bytes contradict
 * the header
 */
export function readRecords(batch: StoredBatch, from: number, records: StoredRecord[]) {
  const bytes = decompressed(batch.bytes, batch.compression)
  let at = 0

  function varint(): number {
    let zigzag = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = bytes[at++]!
      zigzag |= (byte & 0x7f) << shift
      if (byte < 0x80) return (zigzag >>> 1) ^ -(zigzag & 1)
    }
    throw new Error('a record batch ends within a record')
  }

  for (let count = batch.count; count > 0; count--) {
    const end = varint() + at
    at++ // attributes
    while (bytes[at++]! >= 0x80); // since the first timestamp, which may be longer than 32 bits
    const offset = batch.firstOffset + varint()
    const keyLength = Math.max(varint(), 0)
    const key = bytes.toString('utf8', at, at + keyLength)
    at += keyLength
    const valueLength = varint()
    const value = valueLength < 0 ? null : bytes.subarray(at, at + valueLength)
    if (offset >= from) records.push({ offset, key, value })
    at = end // past the headers
  }
}

/**
 * Returns whether a batch that ends a transaction aborts it; false for one that compaction has
 * emptied, whose records are gone too.
 */
export function undoesTransaction({ bytes, count }: StoredBatch): boolean {
  if (count === 0) return false
  // One record: its length, attributes, time and offset take a byte each, then the length of its key, a version and a
  // type of two bytes each. Type 0 undoes.
  return bytes.readInt16BE(7) === 0
}

/** Returns the sequence number after `count` further records: after 2^31 - 1 comes 0. */
export const sequenceAfter = (sequence: number, count: number) => (sequence + count) % 2 ** 31

/** Reads a number of eight bytes; offsets and ids stay far below 2^53. */
const int64 = (bytes: Buffer, at: number) =>
  bytes.readInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4)

/** Returns the bytes of a number as a zigzag varint. */
function varintBytes(value: number): number {
  const zigzag = ((value << 1) ^ (value >> 31)) >>> 0
  if (zigzag < 1 << 7) return 1
  if (zigzag < 1 << 14) return 2
  if (zigzag < 1 << 21) return 3
  return zigzag < 1 << 28 ? 4 : 5
}

/** Tables for each byte, followed by no to seven zeros: so eight bytes take one round. */
const tables = Array.from({ length: 8 }, () => new Int32Array(256))
for (let byte = 0; byte < 256; byte++) {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1
  tables[0]![byte] = value
}
for (let zeros = 1; zeros < 8; zeros++) {
  for (let byte = 0; byte < 256; byte++) {
    const before = tables[zeros - 1]![byte]!
    tables[zeros]![byte] = (before >>> 8) ^ tables[0]![before & 0xff]!
  }
}
const [t0, t1, t2, t3, t4, t5, t6, t7] = tables as [
  ...[Int32Array, Int32Array, Int32Array, Int32Array],
  ...[Int32Array, Int32Array, Int32Array, Int32Array],
]

/** Returns the CRC-32C (Castagnoli) of the bytes from `from` to before `to`; unsigned. */
export function crc32c(bytes: Uint8Array, from: number, to: number): number {
  let crc = -1
  let at = from
  for (; at + 8 <= to; at += 8) {
    crc =
      t7[(crc ^ bytes[at]!) & 0xff]! ^
      t6[((crc >>> 8) ^ bytes[at + 1]!) & 0xff]! ^
      t5[((crc >>> 16) ^ bytes[at + 2]!) & 0xff]! ^
      t4[(crc >>> 24) ^ bytes[at + 3]!]! ^
      t3[bytes[at + 4]!]! ^
      t2[bytes[at + 5]!]! ^
      t1[bytes[at + 6]!]! ^
      t0[bytes[at + 7]!]!
  }
  for (; at < to; at++) crc = t0[(crc ^ bytes[at]!) & 0xff]! ^ (crc >>> 8)
  return ~crc >>> 0
}
