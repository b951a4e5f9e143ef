/** Clocks of brokers in memory; `kafka-log.kafka.test.ts` compares with a real one. */

import { hostname } from 'node:os'
import type { Cluster } from 'kafkajs'
import { expect, it } from 'vitest'
import { createBrokerClock } from '../../../../pipeline/log/kafka/broker-clock.ts'

const noon = Date.UTC(2026, 10, 30, 12)

interface Exchange {
  readonly request: { readonly apiKey: number }
}

const everyVersion = { 65: { minVersion: 0, maxVersion: 0 } }

/**
 * A cluster whose brokers coordinate one transactional id after another.
 * @param aheadMs how far the clock of each is ahead of noon
 * @param state what they know, and an error in place of the answer when a transaction began
 */
function clusterOf(
  aheadMs: readonly number[],
  state: { versions?: object; fault?: Error | null } = {},
) {
  const steps: string[] = []
  const ids = new Map<string, number>()
  /** The transactions that are open. */
  const begun = new Map<string, number>()
  const brokerOf = (broker: number) => ({
    apiVersions: async () => state.versions ?? everyVersion,
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
        if (state.fault) throw state.fault
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
  return { cluster: cluster as unknown as Cluster, steps, ids }
}

interface Comparing {
  readonly clock?: () => number
  readonly looks?: number
  /** Called before each pause, with the number of looks. */
  readonly onLook?: (look: number) => void
}

async function compare(
  cluster: Cluster,
  { clock = () => noon, looks = 1, onLook = () => {} }: Comparing = {},
) {
  const lines: { level: string; fields: object }[] = []
  const note = (level: string) => (fields: object) => void lines.push({ level, fields })
  const logger = { debug: note('debug'), info: note('info'), warn: note('warn') }
  const stop = new AbortController()
  const pauses: number[] = []
  let elapsedMs = 0
  const compared = createBrokerClock({
    ...{ cluster, group: 'odds.feeds', clock, logger },
    monotonic: () => elapsedMs,
    random: () => 0,
    async sleep(ms) {
      elapsedMs += ms
      pauses.push(ms)
      onLook(pauses.length)
      if (pauses.length === looks) stop.abort()
    },
  })
  await compared.run(stop.signal)
  return { differenceMs: compared.differenceMs(), lines, pauses }
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
  expect((await compare(clusterOf([0]).cluster, { clock })).differenceMs).toBe(10_000)
  now = noon - 60_000
  expect((await compare(clusterOf([0]).cluster, { clock })).differenceMs).toBe(0)
})

it('a broker that does not tell is not asked, but looked at again', async () => {
  const state = { versions: { 65: { minVersion: 1, maxVersion: 2 } } as object }
  const { cluster, steps } = clusterOf([100_000], state)
  const { differenceMs, lines, pauses } = await compare(cluster, {
    looks: 3,
    onLook(look) {
      if (look === 1) state.versions = {}
      if (look !== 2) return
      expect(steps).toEqual([])
      state.versions = everyVersion
    },
  })
  expect(lines.map(({ level }) => level)).toEqual(['info', 'debug', 'warn'])
  expect(differenceMs).toBe(-100_000)
  expect(pauses).toEqual([300_000, 300_000, 15_000])
})

it('a failure leaves no transaction open, and is told once after a minute', async () => {
  const { cluster, steps } = clusterOf([0], { fault: new Error('no answer') })
  const { differenceMs, lines, pauses } = await compare(cluster, { looks: 7 })
  expect(differenceMs).toBeNull()
  expect(steps.slice(0, 3)).toEqual(['broker 0', 'begins for odds.feeds', 'aborts'])
  expect(steps).toHaveLength(21)
  expect(new Set(pauses)).toEqual(new Set([15_000]))
  const levels = lines.map(({ level }) => level)
  expect(levels).toEqual(['debug', 'debug', 'debug', 'debug', 'info', 'debug', 'debug'])
})

it('a transaction that another process has ended gives no result', async () => {
  const { cluster } = clusterOf([-1 - noon])
  const { differenceMs, lines } = await compare(cluster)
  expect([differenceMs, lines]).toMatchObject([null, [{ level: 'debug' }]])
})

it('processes of a group on one machine share the transactional ids', async () => {
  const [first, second] = [clusterOf([0]), clusterOf([0])]
  await compare(first.cluster)
  await compare(second.cluster)
  expect([...first.ids.keys()]).toEqual([`odds.feeds-time-${hostname()}-0`])
  expect([...second.ids.keys()]).toEqual([...first.ids.keys()])
})
