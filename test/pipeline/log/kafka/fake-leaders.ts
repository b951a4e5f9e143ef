/** Metadata of a cluster in memory. */

import type { Cluster } from 'kafkajs'
import type { PartitionMetadata } from '../../../../pipeline/log/kafka/metadata.ts'

const partitions = 8

/** The part of a cluster that says who leads, and which topics its brokers refuse. */
type Leaders = Pick<Cluster, 'findTopicPartitionMetadata'> & {
  readonly targetTopics: ReadonlySet<string>
  readonly brokerPool: { metadata: { refusals: { readonly topic: string }[] } }
}

/** @param leaderOf returns the id of the broker that leads a partition of any topic now, -1 for none */
export const ledBy = (leaderOf: (partition: number) => number) =>
  toldBy((partitionId) => ({ partitionErrorCode: 0, partitionId, leader: leaderOf(partitionId) }))

/** @param tell returns what the cluster's metadata have of a partition of any topic now */
export const toldBy = (tell: (partition: number) => PartitionMetadata): Leaders => ({
  targetTopics: new Set(['odds']),
  brokerPool: { metadata: { refusals: [] } },
  findTopicPartitionMetadata: () =>
    Array.from({ length: partitions }, (_, partition) => ({
      ...tell(partition),
      replicas: [],
      isr: [],
    })),
})
