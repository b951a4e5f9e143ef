/**
 * Transactions: outputs and offsets in one step, for a share of a group.
 *
 * A share's transactional id (`<group>-<share>`) alone decides which process may commit for it:
 * opening a committer fences the former holder and ends its unfinished transactions. Only then are
 * offsets read. A member that has not noticed a rebalance yet can therefore do no harm.
 *
 * A transaction names its partitions to its coordinator, sends the records to their leaders and meanwhile the
 * offsets, and ends. Coordinators are looked up once and kept until something fails (kafkajs looks them up before
 * every step). A request with a temporary failure is sent again unchanged. The broker recognises
 * repeated records by their sequence numbers; the other steps may be done twice.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster, Kafka } from 'kafkajs'
import { addPartitions } from './add-partitions.ts'
import { userOf } from './connection.ts'
import { errorAbout, failureOf } from './failures.ts'
import {
  brokerOf,
  clusterOf,
  coordinatorOf,
  disconnect,
  exchange,
  forgetLost,
  isMistake,
  type KafkaError,
  type LowLevelBroker,
  type ProducerIdentity,
  pauseAfter,
  typeOf,
  withCauses,
} from './internals.ts'
import { lookUpLeaders } from './leaders.ts'
import { groupByTopic, type PartitionOffset } from './partition-offsets.ts'
import type { PartitionBatch } from './produce.ts'
import type { OutgoingRecord } from './record-batch.ts'
import { createBatchEncoder, inRequests, sendBatches } from './send-batches.ts'

/** Thrown when another member has taken the share over: nothing of the commit was written. */
export class FencedError extends Error {
  override readonly name = 'FencedError'
}

export interface Committer {
  /**
   * Writes `records` and moves the group to `offsets`, if there are any, in one transaction. One at a time, in the
   * order of the calls; after a failure all fail.
   * @throws FencedError; LogUnavailableError, when the outcome may be unknown
   */
  commit(records: readonly OutgoingRecord[], offsets: readonly PartitionOffset[]): Promise<void>
  /**
   * Makes the group's offsets final by two aborted transactions of this holder. The first ends a
   * commit of offsets that a former holder left open and that no coordinator will end ("hanging").
   * That one cannot be committed any more, because its epoch is fenced. The second begins once the
   * group's coordinator has written the end of the first. Before that, a coordinator that has just
   * read its group may return older offsets or none, without an error. It knows only what all
   * replicas are known to have. Errors as of `commit`.
   */
  settleOffsets(): Promise<void>
  /** Waits for commits in progress. */
  close(): Promise<void>
}

/** How long the broker keeps open a transaction whose process has died. */
export const transactionTimeoutMs = 30_000
/** How long a step is repeated: about as long as any other request. */
const patienceMs = 14_000

export interface CommitterOptions {
  readonly group: string
  readonly share: string
  /** Open connections, shared with others, for taking the share over; default: its own. */
  readonly shared?: Cluster
  /** Topics that will probably be written. */
  readonly topics?: readonly string[]
}

/** Takes `share` over from the process that committed for `group` before. @throws LogUnavailableError */
export async function openCommitter(
  kafka: Kafka,
  { group, share, shared, topics = [] }: CommitterOptions,
): Promise<Committer> {
  const transactionalId = `${group}-${share}`
  const attempt = { user: userOf(kafka), right: 'Write' } as const
  const client = createClient(clusterOf(kafka))
  // Transactions on one connection wait for each other, so each committer opens its own before it
  // commits.
  const warming = client.warm(topics, [
    ['transaction', transactionalId],
    ['group', group],
  ])
  const taking = shared ? createClient(shared) : client
  let identity: ProducerIdentity
  try {
    identity = await taking.patiently(async () => {
      const coordinator = await taking.coordinator('transaction', transactionalId)
      const transactionTimeout = transactionTimeoutMs
      const identity = await coordinator.initProducerId({ transactionalId, transactionTimeout })
      return { transactionalId, ...identity }
    })
  } catch (cause) {
    await warming
    await client.close()
    throw failureOf(`take over ${share} of ${group}`, cause, attempt)
  }

  const encode = createBatchEncoder(identity)

  const coordinated = (ask: (coordinator: LowLevelBroker) => Promise<unknown>, by = client) =>
    by.patiently(async () => ask(await by.coordinator('transaction', transactionalId)))
  const addOffsets = (by = client) =>
    coordinated((broker) => broker.addOffsetsToTxn({ ...identity, groupId: group }), by)
  const end = (isCommitted: boolean, by = client) =>
    coordinated((broker) => broker.endTxn({ ...identity, transactionResult: isCommitted }), by)

  async function write(requests: readonly PartitionBatch[][], offsets: readonly PartitionOffset[]) {
    const [first] = requests
    if (first) {
      // The first request has a batch of every partition.
      await coordinated(async (broker) => {
        const { errorCode, topic } = await exchange(broker, addPartitions(identity, first))
        if (errorCode !== 0) throw errorAbout(errorCode, topic)
      })
    }
    // Both are waited for, because no part of a transaction may be in progress when it ends.
    const [records, moved] = await Promise.allSettled([sendRecords(requests), sendOffsets(offsets)])
    if (records.status === 'rejected') throw records.reason
    if (moved.status === 'rejected') throw moved.reason
  }

  async function sendRecords(requests: readonly PartitionBatch[][]) {
    for (const request of requests) await client.produce(transactionalId, request)
  }

  async function sendOffsets(offsets: readonly PartitionOffset[]) {
    if (offsets.length === 0) return
    await addOffsets()
    const topics = groupByTopic(offsets).map(([topic, places]) => ({
      topic,
      partitions: places.map(({ partition, offset }) => ({ partition, offset: String(offset) })),
    }))
    await client.patiently(async () => {
      const coordinator = await client.coordinator('group', group)
      await coordinator.txnOffsetCommit({ ...identity, groupId: group, topics })
    })
  }

  /** Runs `transaction` after those before it. */
  function inTurn(transaction: () => Promise<unknown>): Promise<void> {
    last = last.then(() => transact(transaction))
    // The caller sees its error; the chain itself is not awaited.
    last.catch(() => {})
    return last
  }

  async function transact(transaction: () => Promise<unknown>) {
    try {
      await transaction()
    } catch (cause) {
      const what = `commit ${share} of ${group}`
      if (isFenced(cause)) throw new FencedError(what, { cause })
      // Readers wait until an open transaction ends. If this abort fails, it ends by its timeout.
      await client
        .coordinator('transaction', transactionalId)
        .then((coordinator) => coordinator.endTxn({ ...identity, transactionResult: false }))
        .catch(() => {})
      throw failureOf(what, cause, attempt)
    }
  }

  let last: Promise<void> = Promise.resolve()
  return {
    commit(records, offsets) {
      if (records.length === 0 && offsets.length === 0) return last
      // Encoded at once, while the transaction before it is in progress.
      const requests = inRequests(records).map((parts) => parts.map(encode))
      return inTurn(async () => {
        await write(requests, offsets)
        await end(true)
      })
    },
    settleOffsets: () =>
      inTurn(async () => {
        for (let times = 0; times < 2; times++) {
          await addOffsets(taking)
          await end(false, taking)
        }
      }),
    async close() {
      await last.catch(() => {})
      await client.close()
    },
  }
}

/** Creates a client that sends to leaders and coordinators, and repeats requests that fail temporarily. */
function createClient(cluster: Cluster) {
  const coordinators = new Map<string, LowLevelBroker>()

  async function coordinator(kind: 'group' | 'transaction', id: string) {
    const key = `${kind} ${id}`
    const known = coordinators.get(key)
    if (known) return known
    await cluster.connect()
    const found = await coordinatorOf(cluster, kind, id)
    coordinators.set(key, found)
    return found
  }

  async function patiently<T>(attempt: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + patienceMs
    for (let failures = 0; ; failures++) {
      try {
        return await attempt()
      } catch (error) {
        if (!isPassing(error) || performance.now() > deadline) throw error
        await recover(error as KafkaError, failures)
      }
    }
  }

  async function recover(error: KafkaError, failures: number) {
    if (typeOf(error) === 'CONCURRENT_TRANSACTIONS') return delay(failures < 20 ? 1 : 20)
    coordinators.clear()
    forgetLost(cluster, error)
    await delay(pauseAfter(failures))
    // A failed refresh shows in the next attempt.
    await lookUpLeaders(cluster).catch(() => {})
  }

  return {
    coordinator,
    patiently,
    /** Connects early; a connection that fails now is made when it is needed. */
    async warm(
      topics: readonly string[],
      ids: readonly (readonly ['group' | 'transaction', string])[],
    ) {
      try {
        await cluster.connect()
        await cluster.addMultipleTargetTopics([...topics])
        await Promise.all([
          ...ids.map(([kind, id]) => coordinator(kind, id)),
          ...cluster.getNodeIds().map((id) => brokerOf(cluster, String(id))),
        ])
      } catch {}
    },
    async produce(transactionalId: string, batches: readonly PartitionBatch[]) {
      let unsent = batches
      await patiently(async () => {
        const failures = await sendBatches(cluster, transactionalId, unsent)
        unsent = failures.map(({ batch }) => batch)
        const [failure] = failures.filter(({ error }) => !isPassing(error))
        if (failure ?? failures[0]) throw (failure ?? failures[0]!).error
      })
    },
    async close() {
      await disconnect(cluster)
    },
  }
}

/** To clients as old as kafkajs, brokers report PRODUCER_FENCED as INVALID_PRODUCER_EPOCH. */
const fencedTypes = new Set([
  'INVALID_PRODUCER_EPOCH',
  'INVALID_TXN_STATE',
  'INVALID_PRODUCER_ID_MAPPING',
  'TRANSACTION_COORDINATOR_FENCED',
])

const isFenced = (error: unknown) => fencedTypes.has(typeOf(error) ?? '')

/** Returns whether the same request may succeed after a moment. */
function isPassing(error: unknown): boolean {
  for (const at of withCauses(error)) {
    if (at.type !== undefined) {
      return at.retriable === true && !fencedTypes.has(at.type)
    }
    if (isMistake(at)) return false
  }
  // Connections: refused, lost, timed out; a leader that is not there yet.
  return true
}
