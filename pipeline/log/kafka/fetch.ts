/**
 * The request that fetches record batches of partitions from their leader, and its response.
 *
 * Version 10 is the last that only a leader answers. From version 11 on a follower answers too,
 * with the records that it has. A reader with outdated metadata could then wait for ever, without
 * an error, at a follower that has stopped copying.
 */

import type { Request } from './internals.ts'
import type { PartitionOffset, TopicPartition } from './partition-offsets.ts'
import { wireBody, wireReader } from './wire.ts'

/** A leader's response for one partition. */
export interface PartitionFetch extends TopicPartition {
  /** Kafka's code of the error, 0 for none. */
  readonly errorCode: number
  /** The offset up to which no open transaction can abort records. */
  readonly lastStableOffset: number
  /** Aborted transactions with records here, in the order they began. */
  readonly aborted: readonly AbortedTransaction[]
  /** Record batches in order, beginning with the one that has the requested offset; the last may be cut off. */
  readonly batches: Buffer
}

/** A place to fetch from, and what is known of its leader. */
export interface FetchPlace extends PartitionOffset {
  /** A broker that knows another epoch refuses the request; -1: any. */
  readonly leaderEpoch: number
}

export interface AbortedTransaction {
  readonly producerId: number
  readonly firstOffset: number
}

export interface FetchAnswer {
  /** Kafka's code of an error of the whole request, 0 for none. */
  readonly errorCode: number
  readonly partitions: readonly PartitionFetch[]
  /** How long the broker accepts no further request from us (ms). */
  readonly clientSideThrottleTime: number
}

export interface FetchLimits {
  /** How long the leader waits for a first record. */
  readonly maxWaitMs: number
  /** The most bytes of the response and of each partition; a single larger batch comes whole. */
  readonly maxBytes: number
  readonly partitionBytes: number
}

const readCommitted = 1
const anyReplica = -1
const noSession = 0
const outsideSessions = -1
const unknownOffset = -1

/** Fetch 10, of committed records, outside any fetch session. */
export function fetchRequest(
  places: readonly FetchPlace[],
  { maxWaitMs, maxBytes, partitionBytes }: FetchLimits,
): Request<FetchAnswer> {
  const body = wireBody((to) => {
    to.int32(anyReplica)
    to.int32(maxWaitMs)
    to.int32(1) // least bytes
    to.int32(maxBytes)
    to.int8(readCommitted)
    to.int32(noSession)
    to.int32(outsideSessions)
    to.partitions(places, ({ offset, leaderEpoch }) => {
      to.int32(leaderEpoch)
      to.int64(offset)
      to.int64(unknownOffset) // start of a follower's own log
      to.int32(partitionBytes)
    })
    to.int32(0) // topics that a session forgets
  })
  return { apiKey: 1, apiVersion: 10, apiName: 'Fetch', body, decode: decodeFetch }
}

function decodeFetch(payload: Buffer): FetchAnswer {
  const { int16, int32, int64, bytes, array, partitions } = wireReader(payload)
  const clientSideThrottleTime = int32()
  const errorCode = int16()
  bytes(4) // session
  const fetched = partitions(({ topic, partition }) => {
    const errorCode = int16()
    bytes(8) // high watermark
    const lastStableOffset = int64()
    bytes(8) // start of the log
    const aborted = array(() => ({ producerId: int64(), firstOffset: int64() }))
    const batches = bytes(int32())
    return { topic, partition, errorCode, lastStableOffset, aborted, batches }
  })
  return { errorCode, partitions: fetched, clientSideThrottleTime }
}
