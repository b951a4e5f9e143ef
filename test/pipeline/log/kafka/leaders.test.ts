/** Who leads, of what several brokers tell; `cut-off-leader.nightly-kafka.test.ts` has it with brokers. */

import type { Cluster } from 'kafkajs'
import { expect, it } from 'vitest'
import {
  groupByLeader,
  leaderEpoch,
  lookUpLeaders,
} from '../../../../pipeline/log/kafka/leaders.ts'
import type { PartitionMetadata } from '../../../../pipeline/log/kafka/metadata.ts'
import { toldBy } from './fake-leaders.ts'

const topicId = 'a'.repeat(32)
const place = { topic: 'odds', partition: 0 }

const ledAt = (leader: number, leaderEpoch: number, id = topicId): PartitionMetadata => ({
  ...{ partitionErrorCode: 0, partitionId: 0, leader, leaderEpoch },
  topicId: id,
})

/** A cluster whose metadata tell `told.now`; brokers tell what is in `tells`, or nothing. */
function createCluster(
  first: PartitionMetadata,
  tells: Readonly<Record<string, PartitionMetadata | 'fails' | 'hangs'>> = {},
) {
  const told = { now: first }
  const cluster = {
    ...toldBy((partitionId) => ({ ...told.now, partitionId })),
    refreshMetadata: async () => {},
    getNodeIds: () => Object.keys(tells),
    findBroker: async ({ nodeId }: { nodeId: string }) => ({
      metadata: async () => {
        const tell = tells[nodeId]!
        if (tell === 'hangs') return new Promise(() => {})
        if (tell === 'fails') throw new Error('no answer')
        return { topicMetadata: [{ topic: 'odds', partitionMetadata: [tell] }] }
      },
    }),
  }
  return { told, cluster: cluster as unknown as Cluster }
}

const leaderOf = (cluster: Cluster) => [...groupByLeader(cluster, [place]).led.keys()][0] ?? null

it('stays the newer leader when a broker tells of an older one', () => {
  const { told, cluster } = createCluster(ledAt(2, 6))
  expect(leaderOf(cluster)).toBe('2')
  told.now = ledAt(1, 5)
  expect(leaderOf(cluster)).toBe('2')
  expect(leaderEpoch(cluster, place)).toBe(6)
  told.now = ledAt(1, 7)
  expect(leaderOf(cluster)).toBe('1')
  expect(leaderEpoch(cluster, place)).toBe(7)
})

it('is nobody once the newest leader is gone', () => {
  const { told, cluster } = createCluster(ledAt(2, 6))
  expect(leaderOf(cluster)).toBe('2')
  told.now = ledAt(-1, 7)
  expect(leaderOf(cluster)).toBeNull()
  told.now = ledAt(1, 5)
  expect(leaderOf(cluster)).toBeNull()
})

it('is looked for anew in a topic that was created again', () => {
  const { told, cluster } = createCluster(ledAt(2, 6))
  expect(leaderOf(cluster)).toBe('2')
  told.now = ledAt(1, 0, 'b'.repeat(32))
  expect(leaderOf(cluster)).toBe('1')
})

it.each([
  ['neither ids of topics nor epochs', {}, {}],
  ['no ids of topics', { leaderEpoch: 6 }, { leaderEpoch: 0 }],
])('is what was told last where brokers have %s', (_, former, later) => {
  const partition = { partitionErrorCode: 0, partitionId: 0 }
  const { told, cluster } = createCluster({ ...partition, leader: 2, ...former })
  expect(leaderOf(cluster)).toBe('2')
  told.now = { ...partition, leader: 1, ...later }
  expect(leaderOf(cluster)).toBe('1')
})

it('is the newest of all that brokers tell, though others fail or do not answer', async () => {
  const { cluster } = createCluster(ledAt(1, 5), {
    1: ledAt(1, 5),
    2: ledAt(3, 6),
    4: 'fails',
    5: 'hangs',
  })
  expect(leaderOf(cluster)).toBe('1')
  await lookUpLeaders(cluster)
  expect(leaderOf(cluster)).toBe('3')
})
