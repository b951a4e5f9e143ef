/**
 * A round: the calls whose records an appender sends together, and the outcome of each. A call
 * succeeds at the end of the round, when all of its records are written. It fails as soon as the
 * brokers refuse some of them. Its records in later batches are then left out, so a partition may
 * have the first of its records, without gaps.
 *
 * Brokers refuse a batch as a whole. If the reason may be one record, the calls of the batch are
 * split in halves again and again, until the call with that record is alone. Otherwise all calls of
 * the batch fail.
 */

import { groupBy } from '../../../schemas/grouping.ts'
import { hasType, isMistake, withCauses } from './internals.ts'
import type { OutgoingRecord } from './record-batch.ts'
import { inRequests, type PartitionRecords } from './send-batches.ts'

export interface Call {
  /** Record objects that no other call shares. */
  readonly records: readonly OutgoingRecord[]
  /** Without effect once the call has ended. */
  end(error?: Error): void
}

export type Round = ReturnType<typeof createRound>

/** @param failureOf returns the error that a call gets for an error of the brokers */
export function createRound(calls: readonly Call[], failureOf: (cause: unknown) => Error) {
  const refused = new Set<Call>()
  /** Null until a batch is refused. */
  let callByRecord: Map<OutgoingRecord, Call> | null = null

  function callOf(record: OutgoingRecord): Call {
    callByRecord ??= new Map(
      calls.flatMap((call) => call.records.map((record) => [record, call] as const)),
    )
    return callByRecord.get(record)!
  }

  return {
    /** Returns all records, in requests to be sent in turn. */
    requests: () => inRequests(calls.flatMap(({ records }) => records)),
    /** Leaves out the records of refused calls. */
    wanted(parts: readonly PartitionRecords[]): readonly PartitionRecords[] {
      if (refused.size === 0) return parts
      return parts
        .map(({ topic, partition, records }) => ({
          ...{ topic, partition },
          records: records.filter((record) => !refused.has(callOf(record))),
        }))
        .filter(({ records }) => records.length > 0)
    },
    /**
     * @returns the halves of the batch, to be sent one after the other; empty if all of its calls
     * have failed
     */
    refuse({ topic, partition, records }: PartitionRecords, error: unknown): PartitionRecords[] {
      const byCall = [...groupBy(records, callOf)]
      if (byCall.length > 1 && hasType(error, recordTypes)) {
        const half = byCall.length >> 1
        return [byCall.slice(0, half), byCall.slice(half)].map((some) => ({
          ...{ topic, partition },
          records: some.flatMap(([, records]) => records),
        }))
      }
      for (const [call] of byCall) {
        refused.add(call)
        call.end(failureOf(error))
      }
      return []
    },
    /** Ends the calls that have not failed. */
    end(cause?: unknown) {
      for (const call of calls) call.end(cause === undefined ? undefined : failureOf(cause))
    },
  }
}

/** Errors for a record, or for too many in a batch. */
const recordTypes = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD'])

/** Errors that concern every batch to a topic. */
const topicTypes = new Set([
  'INVALID_TIMESTAMP',
  'INVALID_TOPIC_EXCEPTION',
  'POLICY_VIOLATION',
  'TOPIC_AUTHORIZATION_FAILED',
  'CLUSTER_AUTHORIZATION_FAILED',
  'UNSUPPORTED_COMPRESSION_TYPE',
  'UNSUPPORTED_VERSION',
])

/** Returns whether another try is useless. */
export const isRefused = (error: unknown): boolean =>
  hasType(error, recordTypes) ||
  hasType(error, topicTypes) ||
  [...withCauses(error)].some(isMistake)
