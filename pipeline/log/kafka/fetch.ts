/** The request that asks a leader for record batches of its partitions, and its answer. */

import type { Request } from './internals.ts'
import { groupByTopic, type PartitionOffset, type TopicPartition } from './partition-offsets.ts'

/** A leader's response for one partition. */
export interface PartitionFetch extends TopicPartition {
  /** Kafka's code of the error, 0 for none. */
  readonly errorCode: number
  /** Behind the last offset that no open transaction can take back. */
  readonly lastStableOffset: number
  /** Transactions that did not come about and have records here, in the order they began. */
  readonly aborted: readonly AbortedTransaction[]
  /** Record batches in order, beginning with the one that has the requested offset; the last may be cut off. */
  readonly batches: Buffer
}

export interface AbortedTransaction {
  readonly producerId: number
  readonly firstOffset: number
}

export interface FetchAnswer {
  /** Kafka's code of an error of the whole request, 0 for none. */
  readonly errorCode: number
  readonly partitions: readonly PartitionFetch[]
  /** For how long the broker takes no more from us, ms. */
  readonly clientSideThrottleTime: number
}

export interface FetchLimits {
  /** How long the leader waits for a first record. */
  readonly maxWaitMs: number
  /** Of the answer, and of each partition in it. A single batch that is longer comes whole. */
  readonly maxBytes: number
  readonly partitionBytes: number
}

const readCommitted = 1
const anyReplica = -1
const noSession = 0
const outsideSessions = -1
const anyEpoch = -1
const unknownOffset = -1

/** Fetch 11, of committed records, outside any fetch session. */
export function fetchRequest(
  places: readonly PartitionOffset[],
  { maxWaitMs, maxBytes, partitionBytes }: FetchLimits,
): Request<FetchAnswer> {
  const byTopic = groupByTopic(places)
  const nameBytes = byTopic.reduce((sum, [topic]) => sum + Buffer.byteLength(topic), 0)
  const body = Buffer.alloc(35 + byTopic.length * 6 + nameBytes + places.length * 28)
  let at = 0
  const int8 = (value: number) => {
    at = body.writeInt8(value, at)
  }
  const int16 = (value: number) => {
    at = body.writeInt16BE(value, at)
  }
  const int32 = (value: number) => {
    at = body.writeInt32BE(value, at)
  }
  const int64 = (value: number) => {
    at = body.writeBigInt64BE(BigInt(value), at)
  }
  const text = (value: string) => {
    int16(Buffer.byteLength(value))
    at += body.write(value, at)
  }
  int32(anyReplica)
  int32(maxWaitMs)
  int32(1) // least bytes
  int32(maxBytes)
  int8(readCommitted)
  int32(noSession)
  int32(outsideSessions)
  int32(byTopic.length)
  for (const [topic, some] of byTopic) {
    text(topic)
    int32(some.length)
    for (const { partition, offset } of some) {
      int32(partition)
      int32(anyEpoch)
      int64(offset)
      int64(unknownOffset) // where a follower's own log starts
      int32(partitionBytes)
    }
  }
  int32(0) // topics to be forgotten by a session
  text('') // rack
  return { apiKey: 1, apiVersion: 11, apiName: 'Fetch', body, decode: decodeFetch }
}

function decodeFetch(payload: Buffer): FetchAnswer {
  let at = 0
  const skip = (bytes: number) => {
    at += bytes
    return at - bytes
  }
  const int16 = () => payload.readInt16BE(skip(2))
  const int32 = () => payload.readInt32BE(skip(4))
  const int64 = () => Number(payload.readBigInt64BE(skip(8)))
  const bytes = (length: number) => payload.subarray(skip(Math.max(length, 0)), at)
  const clientSideThrottleTime = int32()
  const errorCode = int16()
  skip(4) // session
  const partitions: PartitionFetch[] = []
  for (let topics = int32(); topics > 0; topics--) {
    const topic = bytes(int16()).toString()
    for (let some = int32(); some > 0; some--) {
      const partition = int32()
      const errorCode = int16()
      skip(8) // high watermark
      const lastStableOffset = int64()
      skip(8) // start of the log
      const aborted: AbortedTransaction[] = []
      for (let count = int32(); count > 0; count--) {
        aborted.push({ producerId: int64(), firstOffset: int64() })
      }
      skip(4) // preferred replica
      const batches = bytes(int32())
      partitions.push({ topic, partition, errorCode, lastStableOffset, aborted, batches })
    }
  }
  return { errorCode, partitions, clientSideThrottleTime }
}
