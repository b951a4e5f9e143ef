/** The watch over brokers in memory; `hanging-transactions.nightly-kafka.test.ts` tests it with a broker. */

import type { Cluster } from 'kafkajs'
import { expect, it } from 'vitest'
import { createStuckWatch } from '../../../../pipeline/log/kafka/stuck-partitions.ts'
import { ledBy } from './fake-leaders.ts'

it('a partition that stands still is found while another one has no leader', async () => {
  const partitions = [0, 1, 2].map((partition) => ({ topic: 'odds', partition }))
  const leaders = [1, -1, 1]
  let renewals = 0
  const cluster: Partial<Cluster> = {
    ...ledBy((partition) => leaders[partition] ?? -1),
    findBroker: async () => {
      throw new Error('not asked')
    },
  }
  const watch = createStuckWatch({
    cluster: cluster as Cluster,
    reader: {
      async renew() {
        renewals++
      },
      // All end at 9; of partition 2 a part is not committed.
      offsets: async (places, at) =>
        places.map(({ partition }) => {
          if (leaders[partition] === -1) throw new Error('no leader')
          return at === 'end' && partition === 2 ? 5 : 9
        }),
    },
    partitions,
    isOurs: () => false,
    ...{ brokers: [], user: undefined, afterMs: 0, logger: { debug() {}, info() {}, warn() {} } },
  })
  const stop = new AbortController()
  const running = watch.run(stop.signal)
  await expect.poll(() => watch.now().map(({ partition }) => partition)).toEqual([2])
  leaders[2] = -1
  await expect.poll(() => watch.now()).toEqual([])
  stop.abort()
  await running
  expect(renewals).toBeGreaterThan(0)
})

it('a partition that stands still is found while another topic is gone', async () => {
  const partitions = ['odds', 'bets'].map((topic) => ({ topic, partition: 0 }))
  const leaders = ledBy(() => 1)
  let isGone = false
  const cluster: Partial<Cluster> = {
    ...leaders,
    findBroker: async () => {
      throw new Error('not asked')
    },
  }
  const watch = createStuckWatch({
    cluster: cluster as Cluster,
    reader: {
      async renew() {
        if (isGone) leaders.brokerPool.metadata.refusals = [{ topic: 'bets' }]
      },
      offsets: async (places, at) =>
        places.map(({ topic }) => {
          if (isGone && topic === 'bets') throw new Error('This server does not host this topic')
          return at === 'end' ? 5 : 9
        }),
    },
    partitions,
    isOurs: () => false,
    ...{ brokers: [], user: undefined, afterMs: 0, logger: { debug() {}, info() {}, warn() {} } },
  })
  const stop = new AbortController()
  const running = watch.run(stop.signal)
  const stuckTopics = () => watch.now().map(({ topic }) => topic)
  await expect.poll(stuckTopics).toEqual(['odds', 'bets'])
  isGone = true
  await expect.poll(stuckTopics).toEqual(['odds'])
  stop.abort()
  await running
})
