/** Partitions of topics, and offsets in them. */

import { groupBy } from '../../../schemas/grouping.ts'

export interface TopicPartition {
  readonly topic: string
  readonly partition: number
}

/** A place to read from: the next offset wanted. */
export interface PartitionOffset extends TopicPartition {
  readonly offset: number
}

export function groupByTopic<P extends TopicPartition>(partitions: readonly P[]): [string, P[]][] {
  return [...groupBy(partitions, ({ topic }) => topic)]
}

export const partitionId = ({ topic, partition }: TopicPartition) => `${topic}/${partition}`

/** Returns the items of `of`, each by the id of the place at its index. */
export const byPartition = <Of>(places: readonly TopicPartition[], of: readonly Of[]) =>
  new Map(places.map((place, index) => [partitionId(place), of[index]!]))

/** Returns all partitions of all topics, ordered by partition and then by topic. */
export const partitionsOf = (
  topics: readonly string[],
  partitions: readonly number[],
): TopicPartition[] =>
  partitions.flatMap((partition) => topics.map((topic) => ({ topic, partition })))
