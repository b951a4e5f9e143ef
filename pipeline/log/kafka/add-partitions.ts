/** The request that adds partitions to a producer's transaction, and its response. */

import type { ProducerIdentity, Request } from './internals.ts'
import type { TopicPartition } from './partition-offsets.ts'
import { wireBody, wireReader } from './wire.ts'

/** The code of a partition that was not added because another was refused. */
const notAttempted = 55

interface Outcome {
  readonly errorCode: number
  /** The topic that was refused. */
  readonly topic?: string
}

/**
 * Returns the coordinator's decisive result: the refusal of one partition before the refusals that
 * follow from it.
 */
const causeOf = (outcomes: readonly Outcome[]): Outcome =>
  outcomes.find(({ errorCode }) => errorCode !== 0 && errorCode !== notAttempted) ??
  outcomes.find(({ errorCode }) => errorCode !== 0) ?? { errorCode: 0 }

/**
 * AddPartitionsToTxn 1, for the coordinator of the transaction. kafkajs has this request too, but
 * throws the first error in the response, which is mostly about a partition without a fault.
 */
export function addPartitions(
  { transactionalId, producerId, producerEpoch }: ProducerIdentity,
  partitions: readonly TopicPartition[],
): Request<Outcome & { readonly clientSideThrottleTime: number }> {
  const body = wireBody((to) => {
    to.text(transactionalId)
    to.int64(Number(producerId))
    to.int16(producerEpoch)
    to.partitions(partitions)
  })
  const decode = (payload: Buffer) => {
    const { int16, int32, partitions } = wireReader(payload)
    const clientSideThrottleTime = int32()
    const outcomes = partitions(({ topic }) => ({ errorCode: int16(), topic }))
    return { clientSideThrottleTime, ...causeOf(outcomes) }
  }
  return { apiKey: 24, apiVersion: 1, apiName: 'AddPartitionsToTxn', body, decode }
}
