/** Clocks of brokers in memory; `kafka-log.kafka.test.ts` compares with a real one. */

import type { Cluster } from 'kafkajs'
import { expect, it } from 'vitest'
import { createBrokerClock } from '../../../../pipeline/log/kafka/broker-clock.ts'

const noon = Date.UTC(2026, 10, 30, 12)

interface Exchange {
  readonly request: { readonly apiKey: number }
}

/**
 * A cluster whose brokers coordinate one transactional id after another.
 * @param aheadMs how far the clock of each is ahead of noon
 */
function clusterOf(aheadMs: readonly number[], versions: object = { 65: {} }) {
  const steps: string[] = []
  const ids = new Map<string, number>()
  /** The transactions that are open. */
  const begun = new Map<string, number>()
  const brokerOf = (broker: number) => ({
    versions,
    async initProducerId({ transactionalId }: { transactionalId: string }) {
      steps.push(`broker ${broker}`)
      begun.delete(transactionalId)
      return { producerId: '7', producerEpoch: 0 }
    },
    async addOffsetsToTxn(request: { transactionalId: string; groupId: string }) {
      steps.push(`begins for ${request.groupId}`)
      begun.set(request.transactionalId, noon + aheadMs[broker]!)
    },
    async endTxn(request: { transactionalId: string; transactionResult: boolean }) {
      steps.push(request.transactionResult ? 'commits' : 'aborts')
      begun.delete(request.transactionalId)
    },
    connectionPool: {
      async send({ request }: Exchange) {
        const [startedAt = -1] = begun.values()
        expect(request.apiKey).toBe(65)
        return { errorCode: 0, known: { startedAt } }
      },
    },
  })
  const cluster = {
    getNodeIds: () => ['0'],
    async findGroupCoordinator({ groupId }: { groupId: string }) {
      const broker = ids.get(groupId) ?? ids.size % aheadMs.length
      ids.set(groupId, broker)
      return brokerOf(broker)
    },
  }
  return { cluster: cluster as unknown as Cluster, steps }
}

/** Compares once. */
async function compare(cluster: Cluster, clock = () => noon) {
  const lines: { level: string; fields: object }[] = []
  const note = (level: string) => (fields: object) => void lines.push({ level, fields })
  const logger = { debug: note('debug'), info: note('info'), warn: note('warn') }
  const compared = createBrokerClock({ cluster, group: 'odds.feeds', clock, logger })
  const stop = new AbortController()
  const running = compared.run(stop.signal)
  await compared.whenKnown()
  stop.abort()
  await running
  return { differenceMs: compared.differenceMs(), lines }
}

it('a clock that agrees is compared with one broker, by a transaction that is aborted', async () => {
  const { cluster, steps } = clusterOf([4_999])
  const { differenceMs, lines } = await compare(cluster)
  expect(differenceMs).toBe(-4_999)
  expect(steps).toEqual(['broker 0', 'begins for odds.feeds', 'aborts'])
  expect(lines).toEqual([])
})

it.each([
  ['ahead', -100_000, 100_000],
  ['behind', 7_200_000, -7_200_000],
])('a clock that is %s is told with both times', async (_what, brokersAheadMs, differenceMs) => {
  const found = await compare(clusterOf([brokersAheadMs]).cluster)
  expect(found.differenceMs).toBe(differenceMs)
  const brokers = new Date(noon + brokersAheadMs).toISOString()
  const ours = '2026-11-30T12:00:00.000Z'
  expect(found.lines).toEqual([{ level: 'warn', fields: { ours, brokers, aheadMs: differenceMs } }])
})

it('the nearest of several brokers counts, and no more are asked once one agrees', async () => {
  const { cluster, steps } = clusterOf([3_600_000, -60_000, 20, 0])
  const { differenceMs, lines } = await compare(cluster)
  expect([differenceMs, lines]).toEqual([-20, []])
  expect(steps.filter((step) => step.startsWith('broker'))).toEqual([
    'broker 0',
    'broker 1',
    'broker 2',
  ])
  expect((await compare(clusterOf([3_600_000, -60_000]).cluster)).differenceMs).toBe(60_000)
})

it('a slow answer makes no difference, since the broker may have taken the request at any time of it', async () => {
  let now = noon - 30_000
  const clock = () => {
    now += 40_000
    return now
  }
  expect((await compare(clusterOf([0]).cluster, clock)).differenceMs).toBe(10_000)
  now = noon - 60_000
  expect((await compare(clusterOf([0]).cluster, clock)).differenceMs).toBe(0)
})

it('brokers that do not tell are not asked', async () => {
  const { cluster, steps } = clusterOf([100_000], {})
  const { differenceMs, lines } = await compare(cluster)
  expect([differenceMs, steps]).toEqual([null, []])
  expect(lines).toMatchObject([{ level: 'info' }])
})
