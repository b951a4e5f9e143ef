/** The request that carries record batches to the leader of their partitions, and its response. */

import type { Request } from './internals.ts'
import type { TopicPartition } from './partition-offsets.ts'
import { wireBody, wireReader } from './wire.ts'

/** A record batch and its destination. */
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

/**
 * Produce 7.
 * @param transactionalId null outside of transactions
 * @param batches at most one per partition: the broker accepts no more
 */
export function produceRequest(
  transactionalId: string | null,
  batches: readonly PartitionBatch[],
): Request<ProduceOutcome[]> {
  const body = wireBody((to) => {
    if (transactionalId === null) to.int16(-1)
    else to.text(transactionalId)
    to.int16(inSyncReplicas)
    to.int32(replicationTimeoutMs)
    to.partitions(batches, ({ bytes }) => {
      to.int32(bytes.length)
      to.bytes(bytes)
    })
  })
  return { apiKey: 0, apiVersion: 7, apiName: 'Produce', body, decode: decodeProduce }
}

function decodeProduce(payload: Buffer): ProduceOutcome[] {
  const { int16, bytes, partitions } = wireReader(payload)
  return partitions(({ topic, partition }) => {
    const errorCode = int16()
    bytes(24) // first offset, time of appending, the log's first offset
    return { topic, partition, errorCode }
  })
}
