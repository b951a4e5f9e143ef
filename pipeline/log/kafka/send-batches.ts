/**
 * Record batches on their way to the leaders of their partitions: how records are cut into batches, and one attempt to
 * send some. The caller sends failed batches again unchanged, so that the broker recognises them by
 * their sequence numbers. Acknowledged batches are not sent again.
 */

import type { Cluster } from 'kafkajs'
import { errorAbout } from './failures.ts'
import { brokerOf, exchange, type KafkaError } from './internals.ts'
import { groupByLeader, noLeader } from './leaders.ts'
import { partitionId, type TopicPartition } from './partition-offsets.ts'
import { type PartitionBatch, produceRequest } from './produce.ts'
import {
  encodeRecordBatch,
  type OutgoingRecord,
  recordBytesMax,
  sequenceAfter,
} from './record-batch.ts'

/** The most bytes for one partition in one request; brokers accept batches of ten times that. */
const batchBytesMax = 768 * 1024

/** The records of one batch. */
export interface PartitionRecords extends TopicPartition {
  readonly records: readonly OutgoingRecord[]
}

/**
 * Groups records by partition, in their order, cut where a batch would be too large.
 * @returns requests to be sent one after the other, each with at most one batch per partition; the
 * first has all partitions
 */
export function inRequests(records: readonly OutgoingRecord[]): PartitionRecords[][] {
  interface Outgoing extends TopicPartition {
    readonly parts: OutgoingRecord[][]
    bytes: number
  }
  const byTopic = new Map<string, Map<number, Outgoing>>()
  for (const record of records) {
    const { topic, partition } = record
    let byPartition = byTopic.get(topic)
    if (!byPartition) {
      byPartition = new Map()
      byTopic.set(topic, byPartition)
    }
    let outgoing = byPartition.get(partition)
    if (!outgoing) {
      outgoing = { topic, partition, parts: [[]], bytes: 0 }
      byPartition.set(partition, outgoing)
    }
    const bytes = recordBytesMax(record)
    if (outgoing.bytes > 0 && outgoing.bytes + bytes > batchBytesMax) {
      outgoing.parts.push([])
      outgoing.bytes = 0
    }
    outgoing.parts.at(-1)!.push(record)
    outgoing.bytes += bytes
  }
  const requests: PartitionRecords[][] = []
  for (const byPartition of byTopic.values()) {
    for (const { topic, partition, parts } of byPartition.values()) {
      parts.forEach((records, index) => {
        const part = { topic, partition, records }
        const request = requests[index]
        if (request) request.push(part)
        else requests.push([part])
      })
    }
  }
  return requests
}

/** Identifies a producer to the brokers. */
interface Producer {
  /** A decimal string. */
  readonly producerId: string
  readonly producerEpoch: number
  /** Null: a producer without transactions. */
  readonly transactionalId: string | null
}

export type BatchEncoder = (part: PartitionRecords) => PartitionBatch

/** Numbers the records of one producer. Batches have to be sent in the order in which they are encoded. */
export function createBatchEncoder(producer: Producer): BatchEncoder {
  const { producerId, producerEpoch, transactionalId } = producer
  const isInTransaction = transactionalId !== null
  const sequences = new Map<string, number>()
  return ({ topic, partition, records }) => {
    const key = partitionId({ topic, partition })
    const firstSequence = sequences.get(key) ?? 0
    sequences.set(key, sequenceAfter(firstSequence, records.length))
    const options = { producerId, producerEpoch, firstSequence, isInTransaction }
    return {
      topic,
      partition,
      bytes: encodeRecordBatch(records, { ...options, timestamp: Date.now() }),
    }
  }
}

export interface FailedBatch<Batch> {
  readonly batch: Batch
  readonly error: KafkaError
}

/**
 * Sends each batch to the leader of its partition, all leaders at once.
 * @param batches at most one per partition
 * @returns those that were not acknowledged, once every leader has answered or failed
 */
export async function sendBatches<Batch extends PartitionBatch>(
  cluster: Cluster,
  transactionalId: string | null,
  batches: readonly Batch[],
): Promise<FailedBatch<Batch>[]> {
  await cluster.addMultipleTargetTopics([...new Set(batches.map(({ topic }) => topic))])
  const { led, leaderless } = groupByLeader(cluster, batches)
  const failures = await Promise.all(
    [...led].map(([leader, some]) => sendTo(cluster, leader, transactionalId, some)),
  )
  return [...leaderless.map((batch) => ({ batch, error: noLeader(batch) })), ...failures.flat()]
}

async function sendTo<Batch extends PartitionBatch>(
  cluster: Cluster,
  leader: string,
  transactionalId: string | null,
  batches: readonly Batch[],
): Promise<FailedBatch<Batch>[]> {
  try {
    const broker = await brokerOf(cluster, leader)
    const outcomes = await exchange(broker, produceRequest(transactionalId, batches))
    const codes = new Map(outcomes.map((outcome) => [partitionId(outcome), outcome.errorCode]))
    return batches.flatMap((batch) => {
      const code = codes.get(partitionId(batch))
      if (code === 0 || code === duplicateSequence) return []
      return [
        { batch, error: code === undefined ? noAnswer(batch) : errorAbout(code, batch.topic) },
      ]
    })
  } catch (error) {
    return batches.map((batch) => ({ batch, error: error as KafkaError }))
  }
}

/** The broker has the batch already, from an attempt whose response was lost. */
const duplicateSequence = 46

const noAnswer = (batch: TopicPartition): KafkaError =>
  new Error(`nothing was answered for ${partitionId(batch)}`)
