/** The request that carries record batches to the leader of their partitions, and its answer. */

import type { Request } from './internals.ts'
import { groupByTopic, type TopicPartition } from './partition-offsets.ts'

/** A record batch and where it goes. */
export interface PartitionBatch extends TopicPartition {
  readonly bytes: Buffer
}

/** The result for a partition's batch: Kafka's error code, 0 for none. */
export interface ProduceOutcome extends TopicPartition {
  readonly errorCode: number
}

const inSyncReplicas = -1
/** How long the leader waits for the other copies. */
const replicationTimeoutMs = 30_000

/** Produce 7, of a transaction. @param batches each of another partition: the broker takes one of each */
export function produceRequest(
  transactionalId: string,
  batches: readonly PartitionBatch[],
): Request<ProduceOutcome[]> {
  const byTopic = groupByTopic(batches)
  const parts: Buffer[] = []
  const int16 = (value: number) => {
    const bytes = Buffer.allocUnsafe(2)
    bytes.writeInt16BE(value)
    parts.push(bytes)
  }
  const int32 = (value: number) => {
    const bytes = Buffer.allocUnsafe(4)
    bytes.writeInt32BE(value)
    parts.push(bytes)
  }
  const text = (value: string) => {
    const bytes = Buffer.from(value)
    int16(bytes.length)
    parts.push(bytes)
  }
  text(transactionalId)
  int16(inSyncReplicas)
  int32(replicationTimeoutMs)
  int32(byTopic.length)
  for (const [topic, some] of byTopic) {
    text(topic)
    int32(some.length)
    for (const { partition, bytes } of some) {
      int32(partition)
      int32(bytes.length)
      parts.push(bytes)
    }
  }
  return {
    ...{ apiKey: 0, apiVersion: 7, apiName: 'Produce' },
    body: Buffer.concat(parts),
    decode: decodeProduce,
  }
}

function decodeProduce(payload: Buffer): ProduceOutcome[] {
  let at = 0
  const skip = (bytes: number) => {
    at += bytes
    return at - bytes
  }
  const int16 = () => payload.readInt16BE(skip(2))
  const int32 = () => payload.readInt32BE(skip(4))
  const outcomes: ProduceOutcome[] = []
  for (let topics = int32(); topics > 0; topics--) {
    const length = int16()
    const topic = payload.toString('utf8', skip(length), at)
    for (let partitions = int32(); partitions > 0; partitions--) {
      outcomes.push({ topic, partition: int32(), errorCode: int16() })
      skip(24) // first offset, time of appending, the log's first offset
    }
  }
  return outcomes
}
