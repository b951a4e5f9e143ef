/** The request for a group's committed offsets, and its response. */

import { errorOfCode, type Request } from './internals.ts'
import type { PartitionOffset, TopicPartition } from './partition-offsets.ts'
import { flexibleBody, flexibleReader } from './wire.ts'

export interface OffsetFetchAnswer {
  /** Whether a transaction is about to change some of them. */
  readonly unstable: boolean
  /** -1 for a partition without a committed offset. */
  readonly offsets: readonly PartitionOffset[]
  readonly clientSideThrottleTime: number
}

const unstableOffsetCommit = 88

/**
 * OffsetFetch 7, the first that can wait for transactions whose offsets are written but not yet
 * committed. kafkajs knows versions up to 4, whose response may miss a commit that the previous
 * owner of a partition has just finished. Then its batch would be processed twice.
 * @param isStable whether to report such transactions in `unstable`
 */
export function offsetFetch(
  group: string,
  partitions: readonly TopicPartition[],
  isStable: boolean,
): Request<OffsetFetchAnswer> {
  const body = flexibleBody((to) => {
    to.text(group)
    to.partitions(partitions)
    to.int8(Number(isStable)) // require_stable
  })
  return { apiKey: 9, apiVersion: 7, apiName: 'OffsetFetch', body, decode }
}

function decode(payload: Buffer): OffsetFetchAnswer {
  const { int16, int32, int64, text, partitions } = flexibleReader(payload)
  const errors: number[] = []
  const clientSideThrottleTime = int32()
  const offsets = partitions((place) => {
    const offset = int64()
    int32() // leader epoch
    text() // metadata
    errors.push(int16())
    return { ...place, offset }
  })
  errors.push(int16())
  const fatal = errors.find((code) => code !== 0 && code !== unstableOffsetCommit)
  if (fatal !== undefined) throw errorOfCode(fatal)
  return { clientSideThrottleTime, offsets, unstable: errors.includes(unstableOffsetCommit) }
}
