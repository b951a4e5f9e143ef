/**
 * The metadata request and its response, with two fields that kafkajs's versions lack. These are
 * the leader epoch of each partition, which shows which broker knows the newer leader, and the
 * topic's id.
 */

import { flexibleBody, flexibleReader } from './wire.ts'

/** Metadata 10: the first with ids of topics. Brokers know it since Kafka 2.8. */
export const metadataVersion = 10

/** A broker's answer about a partition, with kafkajs's names. */
export interface PartitionMetadata {
  /** Kafka's code of the error, 0 for none. */
  readonly partitionErrorCode: number
  readonly partitionId: number
  /** Id of the broker; -1 for none. */
  readonly leader: number
  /** Rises with each new leader of the partition. Absent in older versions. */
  readonly leaderEpoch?: number
  /** Changes if the topic is deleted and created again. Absent in older versions. */
  readonly topicId?: string
}

/** @param topics names; empty: all topics, as with kafkajs */
export function encodeMetadataRequest(
  topics: readonly string[],
  allowAutoTopicCreation: boolean,
): Buffer {
  return flexibleBody(({ structs, bytes, text, int8 }) => {
    const write = (topic: string) => {
      bytes(noTopicId)
      text(topic)
    }
    if (topics.length > 0) structs(topics, write)
    else int8(0) // null
    int8(Number(allowAutoTopicCreation))
    int8(0) // our rights on the cluster
    int8(0) // our rights on the topics
  })
}

const noTopicId = Buffer.alloc(16)

/** Returns the response in kafkajs's form. */
export function decodeMetadata(payload: Buffer) {
  const { int8, int16, int32, bytes, text, array, structs } = flexibleReader(payload)
  const clientSideThrottleTime = int32()
  const brokers = structs(() => {
    return { nodeId: int32(), host: text(), port: int32(), rack: text() || null }
  })
  const clusterId = text()
  const controllerId = int32()
  const topicMetadata = structs(() => {
    const topicErrorCode = int16()
    const topic = text()
    const id = bytes(noTopicId.length)
    const topicId = id.equals(noTopicId) ? {} : { topicId: id.toString('hex') }
    const isInternal = int8() !== 0
    const partitionMetadata = structs(() => {
      const partitionErrorCode = int16()
      const [partitionId, leader, leaderEpoch] = [int32(), int32(), int32()]
      const [replicas, isr, offlineReplicas] = [array(int32), array(int32), array(int32)]
      const copies = { replicas, isr, offlineReplicas }
      return { partitionErrorCode, partitionId, leader, leaderEpoch, ...topicId, ...copies }
    })
    int32() // our rights on the topic
    return { topicErrorCode, topic, isInternal, partitionMetadata }
  })
  return {
    throttleTime: 0,
    clientSideThrottleTime,
    brokers,
    clusterId,
    controllerId,
    topicMetadata,
  }
}
