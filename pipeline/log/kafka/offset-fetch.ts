/** The request for a group's committed offsets, and its response. */

import { flexibleBody, flexibleReader } from './flexible.ts'
import { errorOfCode, type Request } from './internals.ts'
import { groupByTopic, type TopicPartition } from './partition-offsets.ts'

export interface OffsetFetchAnswer {
  /** Whether a transaction is about to change some of them. */
  readonly unstable: boolean
  readonly responses: { topic: string; partitions: { partition: number; offset: number }[] }[]
  readonly clientSideThrottleTime: number
}

const unstableOffsetCommit = 88

/**
 * OffsetFetch 7, the first that can wait for transactions whose offsets are written but not yet in force. kafkajs
 * stops at version 4, whose response can lag behind a commit that the previous owner of a partition has just
 * finished: its batch would be processed twice.
 * @param isStable reports such transactions in `unstable`
 */
export function offsetFetch(
  group: string,
  partitions: readonly TopicPartition[],
  isStable: boolean,
): Request<OffsetFetchAnswer> {
  const body = flexibleBody(({ text, array, int8, int32, noTags }) => {
    text(group)
    array(groupByTopic(partitions), ([topic, places]) => {
      text(topic)
      array(places, ({ partition }) => int32(partition))
      noTags()
    })
    int8(Number(isStable)) // require_stable
  })
  return { apiKey: 9, apiVersion: 7, apiName: 'OffsetFetch', body, decode }
}

function decode(payload: Buffer): OffsetFetchAnswer {
  const { int16, int32, int64, text, array, skipTags } = flexibleReader(payload)
  const errors: number[] = []
  const clientSideThrottleTime = int32()
  const responses = array(() => {
    const topic = text()
    const partitions = array(() => {
      const partition = int32()
      const offset = int64()
      int32() // leader epoch
      text() // metadata
      errors.push(int16())
      skipTags()
      return { partition, offset }
    })
    skipTags()
    return { topic, partitions }
  })
  errors.push(int16())
  const fatal = errors.find((code) => code !== 0 && code !== unstableOffsetCommit)
  if (fatal !== undefined) throw errorOfCode(fatal)
  return { clientSideThrottleTime, responses, unstable: errors.includes(unstableOffsetCommit) }
}
