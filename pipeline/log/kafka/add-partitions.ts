/** The request that adds partitions to a producer's transaction, and its response. */

import type { ProducerIdentity, Request } from './internals.ts'
import type { TopicPartition } from './partition-offsets.ts'
import { wireBody, wireReader } from './wire.ts'

/** The code of a partition that was not added because another was refused. */
const notAttempted = 55

/** Returns what the coordinator said of the partitions: why it refused one, before what followed from that. */
const causeOf = (codes: readonly number[]) =>
  codes.find((code) => code !== 0 && code !== notAttempted) ?? codes.find((code) => code !== 0) ?? 0

/**
 * AddPartitionsToTxn 1, for the coordinator of the transaction. kafkajs has it too, but gives the first error of the
 * response, which is mostly that of a partition that nothing is wrong with.
 */
export function addPartitions(
  { transactionalId, producerId, producerEpoch }: ProducerIdentity,
  partitions: readonly TopicPartition[],
): Request<{ readonly errorCode: number; readonly clientSideThrottleTime: number }> {
  const body = wireBody((to) => {
    to.text(transactionalId)
    to.int64(Number(producerId))
    to.int16(producerEpoch)
    to.partitions(partitions)
  })
  const decode = (payload: Buffer) => {
    const { int16, int32, partitions } = wireReader(payload)
    return { clientSideThrottleTime: int32(), errorCode: causeOf(partitions(int16)) }
  }
  return { apiKey: 24, apiVersion: 1, apiName: 'AddPartitionsToTxn', body, decode }
}
