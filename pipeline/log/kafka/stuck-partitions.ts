/**
 * Partitions without progress because a transaction in them does not end. A broker that was paused
 * can leave a transaction that its coordinator does not know ("hanging"): readers of committed
 * records then wait for ever. This watch finds such partitions and logs how to end the
 * transactions. It ends those of our own transactional ids itself if we have the right.
 *
 * It is safe to end a hanging transaction of ours once its epoch is fenced. No commit can begin in
 * that epoch any more, and a coordinator with nothing left to commit or abort has acknowledged none
 * of it.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster } from 'kafkajs'
import type { StuckPartition } from '../log.ts'
import { knows } from './broker-versions.ts'
import type { KafkaLogger } from './connection.ts'
import {
  brokerOf,
  coordinatorOf,
  exchange,
  type LowLevelBroker,
  type Request,
  refusedTopics,
  typeOf,
  withoutError,
} from './internals.ts'
import { byLeader, groupByLeader } from './leaders.ts'
import { partitionId, type TopicPartition } from './partition-offsets.ts'
import type { Reader } from './reader.ts'
import {
  type ActiveProducer,
  abortMarker,
  describeProducers,
  describeTransaction,
  type KnownTransaction,
  listTransactions,
} from './transaction-requests.ts'
import { transactionTimeoutMs } from './transactions.ts'

export interface StuckWatchOptions {
  /** A reader for reads that do not wait. */
  readonly reader: Pick<Reader, 'offsets' | 'renew'>
  /** The cluster, which knows the leaders of the partitions. */
  readonly cluster: Cluster
  readonly partitions: readonly TopicPartition[]
  /** Returns whether this process ends transactions of the id. */
  readonly isOurs: (transactionalId: string) => boolean
  /** The brokers, for the command in the text log. */
  readonly brokers: readonly string[]
  /** Our principal, as `userOf` returns it. */
  readonly user: string | undefined
  /** The time without progress after which a partition is stuck. */
  readonly afterMs: number
  readonly logger: KafkaLogger
}

export interface StuckWatch {
  /** Returns those that are stuck now. */
  now(): readonly StuckPartition[]
  /** Watches until `signal` aborts. It ignores brokers that do not respond. */
  run(signal: AbortSignal): Promise<void>
}

interface Standing extends TopicPartition {
  /** The end of the committed records, which others follow. */
  readonly offset: number
  readonly since: number
  /** What was logged of it last; null for nothing. */
  reported: string | null
  /** When the same is logged again. */
  remindAt: number
}

const remindMs = 10 * 60_000
/** The number of checks within `afterMs`. */
const looksPerWait = 6

export function createStuckWatch(options: StuckWatchOptions): StuckWatch {
  const { reader, cluster, partitions, isOurs, brokers, afterMs, logger } = options
  const { user = 'this user' } = options
  let standing = new Map<string, Standing>()

  const standsForMs = ({ since }: Standing) => performance.now() - since
  const stuckNow = () => [...standing.values()].filter((one) => standsForMs(one) >= afterMs)

  /**
   * Returns the partitions with a leader. One without a leader, or of a deleted topic, would make
   * the whole request fail; its time without progress starts over.
   */
  async function ledNow(): Promise<TopicPartition[]> {
    await reader.renew()
    const refused = refusedTopics(cluster)
    const told = partitions.filter(({ topic }) => !refused.has(topic))
    return [...groupByLeader(cluster, told).led.values()].flat()
  }

  async function look() {
    const asked = await ledNow()
    const stable = await reader.offsets(asked, 'end')
    const written = await reader.offsets(asked, 'written')
    const next = new Map<string, Standing>()
    asked.forEach((place, index) => {
      const [offset, end] = [stable[index] ?? 0, written[index] ?? 0]
      if (offset >= end) return
      const id = partitionId(place)
      const before = standing.get(id)
      const isSame = before?.offset === offset
      const since = performance.now()
      next.set(id, isSame ? before : { ...place, offset, since, reported: null, remindAt: 0 })
    })
    for (const [id, { topic, partition, offset, reported }] of standing) {
      const isAsked = asked.some((place) => partitionId(place) === id)
      if (reported === null || !isAsked || next.get(id)?.offset === offset) continue
      logger.info({ topic, partition }, 'the partition moves again')
    }
    standing = next
    for (const one of stuckNow()) await attend(one)
  }

  /** Ends the transaction of a stuck partition if it is ours; otherwise logs it now and then. */
  async function attend(stuck: Standing) {
    const { topic, partition, offset } = stuck
    let producer: ActiveProducer | null = null
    let outcome: Outcome
    try {
      producer = await holderOf(stuck)
      // The transaction has ended meanwhile.
      if (!producer) return
      outcome = await tryToEnd(stuck, producer)
    } catch (error) {
      outcome = { id: null, reason: reasonOf(error) }
    }
    const { id, reason } = outcome
    const about = { topic, partition, producerId: producer?.producerId, transactionalId: id }
    if (reason === null) {
      stuck.reported = 'ended'
      logger.warn(about, 'a transaction of ours hung and was ended; nothing of it was acknowledged')
    } else if (reason !== stuck.reported || performance.now() >= stuck.remindAt) {
      stuck.reported = reason
      stuck.remindAt = performance.now() + remindMs
      const since = producer && new Date(producer.wroteAt).toISOString()
      const command = `kafka-transactions.sh --bootstrap-server ${brokers.join(',')} abort --topic ${topic} --partition ${partition} --start-offset ${offset}`
      logger.warn(
        { ...about, since, forMs: Math.round(standsForMs(stuck)), leftBecause: reason, command },
        'the partition stands still: a transaction does not end. Its readers wait; the command ends it',
      )
    }
  }

  async function askLeader<Answer extends { readonly errorCode: number }>(
    place: TopicPartition,
    request: Request<Answer>,
  ) {
    const [leader] = byLeader(cluster, [place]).keys()
    return await ask(await brokerOf(cluster, leader!), request)
  }

  /** @throws Error for a broker that does not know the request */
  async function ask<Answer extends { readonly errorCode: number }>(
    broker: LowLevelBroker,
    request: Request<Answer>,
  ) {
    if (await knows(broker, request)) return withoutError(await exchange(broker, request))
    throw new Error(`its broker is too old: it does not know the request ${request.apiName}`)
  }

  /** Returns the producer whose transaction holds the partition up; null where it has just ended. */
  async function holderOf(stuck: Standing): Promise<ActiveProducer | null> {
    const { producers } = await askLeader(stuck, describeProducers(stuck))
    return producers.find(({ openFrom }) => openFrom === stuck.offset) ?? null
  }

  async function idOf({ producerId }: ActiveProducer): Promise<string | null> {
    for (const node of cluster.getNodeIds()) {
      const broker = await brokerOf(cluster, String(node))
      const { transactionalIds } = await ask(broker, listTransactions(producerId))
      if (transactionalIds[0] !== undefined) return transactionalIds[0]
    }
    return null
  }

  async function knownOf(id: string) {
    const coordinator = await coordinatorOf(cluster, 'transaction', id)
    return (await ask(coordinator, describeTransaction(id))).known!
  }

  async function tryToEnd(stuck: Standing, producer: ActiveProducer): Promise<Outcome> {
    let id: string | null = null
    try {
      id = await idOf(producer)
      if (id === null) return { id, reason: 'no coordinator knows its producer' }
      if (!isOurs(id)) return { id, reason: 'it is of no group that this process works for' }
      const known = await knownOf(id)
      const fenced = isFenced(known, producer)
      if (isEnding(known.state) || (known.state === 'Ongoing' && !fenced)) {
        return { id, reason: 'its coordinator is about to end it' }
      }
      if (standsForMs(stuck) < known.timeoutMs) {
        return { id, reason: 'it is younger than its time limit' }
      }
      if (!fenced) {
        const coordinator = await coordinatorOf(cluster, 'transaction', id)
        const transactionTimeout = transactionTimeoutMs
        await coordinator.initProducerId({ transactionalId: id, transactionTimeout })
      }
      await askLeader(stuck, abortMarker(stuck, producer))
      return { id, reason: null }
    } catch (error) {
      return { id, reason: reasonOf(error) }
    }
  }

  function reasonOf(error: unknown): string {
    if (typeOf(error) !== 'CLUSTER_AUTHORIZATION_FAILED') return (error as Error).message
    return `${user} lacks the right Alter on the cluster (before Kafka 3.8: ClusterAction)`
  }

  return {
    now: () =>
      stuckNow().map((one) => ({
        topic: one.topic,
        partition: one.partition,
        forMs: Math.round(standsForMs(one)),
      })),
    async run(signal) {
      while (!signal.aborted) {
        await look().catch((err: Error) => {
          // No transaction can end while the brokers are away, so the times start over.
          standing = new Map()
          logger.debug({ err }, 'the check for stuck partitions failed')
        })
        await delay(afterMs / looksPerWait, undefined, { signal, ref: false }).catch(() => {})
      }
    },
  }
}

interface Outcome {
  /** The transactional id; null where it is unknown. */
  readonly id: string | null
  /** Why it was not ended; null where it was. */
  readonly reason: string | null
}

/** Returns whether the coordinator has decided how the transaction ends, and is writing that. */
const isEnding = (state: string) => state.startsWith('Prepare')

/** Returns whether no transaction can begin in the producer's epoch any more. */
const isFenced = (known: KnownTransaction, { producerId, producerEpoch }: ActiveProducer) =>
  known.producerId !== producerId || known.producerEpoch > producerEpoch
