/** The request that adds partitions to a producer's transaction, and its response. */

import type { ProducerIdentity, Request } from './internals.ts'
import { groupByTopic, type TopicPartition } from './partition-offsets.ts'
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
  const body = wireBody(({ text, int16, int32, int64, array }) => {
    text(transactionalId)
    int64(producerId)
    int16(producerEpoch)
    array(groupByTopic(partitions), ([topic, some]) => {
      text(topic)
      array(some, ({ partition }) => int32(partition))
    })
  })
  const decode = (payload: Buffer) => {
    const { int16, int32, text, array } = wireReader(payload)
    const clientSideThrottleTime = int32()
    const codes = array(() => {
      text() // topic
      return array(() => {
        int32() // partition
        return int16()
      })
    })
    return { clientSideThrottleTime, errorCode: causeOf(codes.flat()) }
  }
  return { apiKey: 24, apiVersion: 1, apiName: 'AddPartitionsToTxn', body, decode }
}
