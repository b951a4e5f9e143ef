/**
 * Records as Kafka stores them (message format 2), written in one pass into one buffer. kafkajs makes an
 * object and several buffers of every record, which took as long as all decisions together.
 */

import type { ProducerIdentity } from './kafka-internals.ts'

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
  /** Epoch ms, of all records. */
  readonly timestamp: number
}

/** What a record takes besides key and value, at most: six lengths and numbers of five bytes. */
const recordOverhead = 30
const headerBytes = 61
/** Where the length begins to count, and the checksum. */
const lengthFrom = 12
const checkedFrom = 21

/** The most bytes that a record takes in a batch. */
export const recordBytesMax = ({ key, value }: RecordBytes) =>
  recordOverhead + 3 * key.length + (value?.length ?? 0)

/** One uncompressed batch of a transaction. @param records at least one */
export function encodeRecordBatch(
  records: readonly RecordBytes[],
  { producerId, producerEpoch, firstSequence, timestamp }: BatchOptions,
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

  batch.writeBigInt64BE(0n, 0) // first offset: the broker's to say
  batch.writeInt32BE(at - lengthFrom, 8)
  batch.writeInt32BE(0, 12) // epoch of the leader: the broker's to say
  batch[16] = 2 // format
  batch.writeInt16BE(inTransaction, checkedFrom)
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

/** The sequence behind `count` further records: after 2^31 - 1 comes 0. */
export const sequenceAfter = (sequence: number, count: number) => (sequence + count) % 2 ** 31

/** Bytes of a number as a zigzag varint. */
function varintBytes(value: number): number {
  const zigzag = ((value << 1) ^ (value >> 31)) >>> 0
  if (zigzag < 1 << 7) return 1
  if (zigzag < 1 << 14) return 2
  if (zigzag < 1 << 21) return 3
  return zigzag < 1 << 28 ? 4 : 5
}

/** For each byte, and for it with one to seven zeros behind: eight bytes then take one round. */
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

/** CRC-32C (Castagnoli) of the bytes from `from` to before `to`; unsigned. */
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
