/** A member that leaves its group while it is on its way back into it, as when the coordinator is away. */

import { setTimeout as delay } from 'node:timers/promises'
import { Kafka, logLevel } from 'kafkajs'
import Broker from 'kafkajs/src/broker/index.js'
import ClusterOfKafkajs from 'kafkajs/src/cluster/index.js'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { findJava } from '../../../../infra/kafka-local/jars.ts'
import { startLocalKafka } from '../../../../infra/kafka-local/kafka-local.ts'
import type { LocalKafka } from '../../../../infra/kafka-local/local-kafka.ts'
import { connectionsTo } from '../../../../pipeline/log/kafka/connection.ts'
import { joinGroup } from '../../../../pipeline/log/kafka/group.ts'
import { clusterOf, disconnect, errorOfCode } from '../../../../pipeline/log/kafka/internals.ts'

const hasJava = await findJava().then(
  () => true,
  () => false,
)

let kafka: LocalKafka
beforeAll(async () => {
  if (hasJava) kafka = await startLocalKafka({ nodeCount: 1 })
})
afterAll(() => kafka?.stop())

const clusters = ClusterOfKafkajs.prototype as unknown as {
  findGroupCoordinator(wanted: object): Promise<unknown>
}
const brokers = Broker.prototype as unknown as { heartbeat(membership: object): Promise<unknown> }

/** Kafka's code of GROUP_COORDINATOR_NOT_AVAILABLE. */
const unavailable = 15

/** Lets nobody find the coordinator of a group until `open` is called. */
function closeGate() {
  const { findGroupCoordinator } = clusters
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const asked = new Promise<void>((resolve) => {
    vi.spyOn(clusters, 'findGroupCoordinator').mockImplementation(async function (
      this: unknown,
      wanted,
    ) {
      resolve()
      await opened
      return findGroupCoordinator.call(this, wanted)
    })
  })
  return { asked, open }
}

describe.skipIf(!hasJava)('a member', () => {
  test('that leaves while it joins again does not stay in the group', async () => {
    const addresses = kafka.brokers.split(',')
    const client = connectionsTo({ brokers: addresses, clientId: 'left' })()
    const admin = new Kafka({ brokers: addresses, logLevel: logLevel.NOTHING }).admin()
    const shared = clusterOf(client)
    const [group, topic] = ['left', 'shared']
    const logger = { debug() {}, info() {}, warn() {} }
    await admin.connect()
    await admin.createTopics({ topics: [{ topic, numPartitions: 1 }] })
    const membersNow = async () => (await admin.describeGroups([group])).groups[0]!.members.length
    // The first who asks for a coordinator has the broker create the topic of all groups.
    await expect.poll(() => membersNow().catch(() => null)).toBe(0)
    try {
      const member = await joinGroup({
        ...{ kafka: client, shared, group, topics: [topic], kind: 'name', takes: ['a name'] },
        ...{ traffic: () => null, sessionTimeoutMs: 6_000, logger },
      })
      await expect.poll(() => member.holds()).toEqual(['a name'])
      const gate = closeGate()
      const beating = vi.spyOn(brokers, 'heartbeat').mockRejectedValue(errorOfCode(unavailable))
      await gate.asked
      beating.mockRestore()
      const left = member.leave()
      await delay(1_000)
      gate.open()
      await left
      // By then one that stays would have joined.
      for (let look = 0; look < 20; look++) {
        expect(await membersNow()).toBe(0)
        await delay(100)
      }
    } finally {
      vi.restoreAllMocks()
      await disconnect(shared)
      await admin.disconnect()
    }
  })
})
