/**
 * Which broker leads each partition: of all brokers' answers, the one with the newest leader epoch.
 *
 * A broker that is cut off from the others, but not from us, still takes itself for the leader of
 * its partitions, and returns its old data. So all brokers are asked, and the newest answer counts.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster } from 'kafkajs'
import { addTo } from '../../../schemas/grouping.ts'
import { brokerOf, type KafkaError, knownTopics } from './internals.ts'
import type { PartitionMetadata } from './metadata.ts'
import type { TopicPartition } from './partition-offsets.ts'

interface TopicLeaders {
  /** The metadata of the cluster that were seen last. */
  seen: readonly PartitionMetadata[] | null
  readonly newest: Map<number, PartitionMetadata>
}

const leadersOf = new WeakMap<Cluster, Map<string, TopicLeaders>>()

function topicLeaders(cluster: Cluster, topic: string): TopicLeaders {
  const byTopic = leadersOf.get(cluster) ?? new Map<string, TopicLeaders>()
  leadersOf.set(cluster, byTopic)
  const leaders = byTopic.get(topic) ?? { seen: null, newest: new Map() }
  byTopic.set(topic, leaders)
  return leaders
}

function keepNewest({ newest }: TopicLeaders, told: readonly PartitionMetadata[]) {
  for (const one of told) {
    const known = newest.get(one.partitionId)
    if (!known || !isOlder(one, known)) newest.set(one.partitionId, one)
  }
}

/**
 * If a topic is deleted and created again, its epochs begin anew. So without the topic's id, no
 * answer counts as older.
 */
const isOlder = (one: PartitionMetadata, known: PartitionMetadata) =>
  one.topicId !== undefined &&
  one.topicId === known.topicId &&
  one.leaderEpoch! < known.leaderEpoch!

function metadataOf(cluster: Cluster, { topic, partition }: TopicPartition) {
  const leaders = topicLeaders(cluster, topic)
  const told = cluster.findTopicPartitionMetadata(topic)
  if (told !== leaders.seen) {
    keepNewest(leaders, told)
    leaders.seen = told
  }
  return leaders.newest.get(partition)
}

/** Returns the leader epoch of a partition (-1: unknown). A broker with another one refuses it. */
export const leaderEpoch = (cluster: Cluster, place: TopicPartition): number =>
  metadataOf(cluster, place)?.leaderEpoch ?? -1

/** Returns the partitions that each broker leads, by its id, and those that have no leader now. */
export function groupByLeader<P extends TopicPartition>(
  cluster: Cluster,
  places: readonly P[],
): { readonly led: Map<string, P[]>; readonly leaderless: P[] } {
  const led = new Map<string, P[]>()
  const leaderless: P[] = []
  for (const place of places) {
    const leader = metadataOf(cluster, place)?.leader ?? noBroker
    if (leader === noBroker) leaderless.push(place)
    else addTo(led, String(leader), place)
  }
  return { led, leaderless }
}

/** Stands for the leader in the metadata of a partition without one. */
const noBroker = -1

/** Returns the same for a caller that needs all of them. @throws Error when a partition has no leader now */
export function byLeader<P extends TopicPartition>(
  cluster: Cluster,
  places: readonly P[],
): Map<string, P[]> {
  const { led, leaderless } = groupByLeader(cluster, places)
  if (leaderless[0]) throw noLeader(leaderless[0])
  return led
}

export const noLeader = ({ topic, partition }: TopicPartition): KafkaError =>
  new Error(`${topic}-${partition} has no leader`)

/** How long to wait for a broker's answer about the leaders; a later answer still counts. */
const askingMs = 500

/** Looks the leaders up anew, at every broker. @throws Error when the one that kafkajs asks fails */
export async function lookUpLeaders(cluster: Cluster): Promise<void> {
  await Promise.all([cluster.refreshMetadata(), askAllBrokers(cluster)])
}

/** Asks every broker who leads which partition. Those that fail say nothing. */
export async function askAllBrokers(cluster: Cluster): Promise<void> {
  const topics = knownTopics(cluster)
  if (topics.length === 0) return
  const asked = cluster.getNodeIds().map(async (node) => {
    const broker = await brokerOf(cluster, String(node))
    for (const { topic, partitionMetadata } of (await broker.metadata(topics)).topicMetadata) {
      keepNewest(topicLeaders(cluster, topic), partitionMetadata)
    }
  })
  await Promise.race([Promise.allSettled(asked), delay(askingMs, undefined, { ref: false })])
}
