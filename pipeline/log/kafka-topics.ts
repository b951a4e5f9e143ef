/** The topics as they are on a cluster: their settings, and creating what is missing. */

import type { Admin, Kafka } from 'kafkajs'
import type { Topic } from '../../schemas/topics.ts'
import { clientRetry } from './kafka-group.ts'
import { LogUnavailableError } from './log.ts'

/** The largest record a topic takes; one feed record can be as large as one ingest request. */
const maxRecordBytes = 10 * 1024 * 1024

/** Kafka's settings of a topic, all of them here. */
export function topicSettings(
  topic: Topic,
  tombstonesKeptMs: number,
): Record<string, string | number> {
  const sized = { 'max.message.bytes': maxRecordBytes }
  if (topic.retention !== 'compacted') {
    return { ...sized, 'cleanup.policy': 'delete', 'retention.ms': topic.retention.forMs }
  }
  return {
    ...sized,
    'cleanup.policy': 'compact',
    // Only closed segments are compacted: close them often enough that a restore stays short.
    'segment.ms': 30 * 60_000,
    'segment.bytes': 64 * 1024 * 1024,
    'min.cleanable.dirty.ratio': 0.2,
    'delete.retention.ms': tombstonesKeptMs,
  }
}

interface TopicPlan {
  readonly name: string
  readonly partitions: number
  readonly settings: Readonly<Record<string, string | number>>
}

/** Creates what is missing; what exists must have the planned number of partitions. */
export async function createTopics(
  kafka: Kafka,
  { topics, replicationFactor }: { topics: readonly TopicPlan[]; replicationFactor: number },
) {
  const admin = kafka.admin({ retry: clientRetry })
  try {
    await admin.connect()
    const existing = new Set(await admin.listTopics())
    const missing = topics.filter(({ name }) => !existing.has(name))
    if (missing.length > 0) {
      await admin.createTopics({
        topics: missing.map(({ name, partitions, settings }) => ({
          topic: name,
          numPartitions: partitions,
          replicationFactor,
          configEntries: Object.entries(settings).map(([setting, value]) => ({
            name: setting,
            value: String(value),
          })),
        })),
      })
    }
    const counts = await partitionCounts(admin, topics)
    for (const { name, partitions } of topics) {
      if (counts.get(name) === partitions) continue
      throw new Error(
        `topic ${name} has ${counts.get(name)} partitions, not ${partitions}: the number cannot ` +
          'change, since a key would move to another partition',
      )
    }
  } catch (error) {
    const { name, message } = error as Error
    if (!name.startsWith('KafkaJS')) throw error
    throw new LogUnavailableError(`create topics: ${message}`, { cause: error })
  } finally {
    await admin.disconnect().catch(() => {})
  }
}

/** Just after its creation a topic may be unknown to the broker that is asked. */
async function partitionCounts(admin: Admin, topics: readonly TopicPlan[]) {
  for (let attempts = 0; ; attempts++) {
    try {
      const names = topics.map(({ name }) => name)
      const metadata = await admin.fetchTopicMetadata({ topics: names })
      return new Map(metadata.topics.map(({ name, partitions }) => [name, partitions.length]))
    } catch (error) {
      if ((error as { type?: string }).type !== 'UNKNOWN_TOPIC_OR_PARTITION' || attempts === 50) {
        throw error
      }
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
