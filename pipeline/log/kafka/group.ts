/**
 * Membership of a consumer group.
 *
 * kafkajs does only the membership (joining, heartbeats, rebalances). `shares.ts` deals the shares,
 * and no member stops for a rebalance. kafkajs fetches nothing, because every topic is paused.
 * `reader.ts` reads, so a member can restore its tables for as long as that takes without being
 * thrown out of its group; `transactions.ts` commits, where a member that has not noticed a
 * rebalance can do no harm.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster, Kafka } from 'kafkajs'
import { connectPatiently, type KafkaLogger, userOf } from './connection.ts'
import { failureOf } from './failures.ts'
import { coordinatorOf, typeOf } from './internals.ts'
import { type MemberState, type ShareKind, shareAssigner } from './shares.ts'

export interface Membership {
  /** Returns the shares held now, the oldest first; null while the group is settling for the first time. */
  holds(): readonly string[] | null
  /** Returns when the group last confirmed that this process is a member (ms of `performance.now`). */
  confirmedAt(): number
  /** Resolves at the next change of `holds`, at a failure, or when left. */
  change(): Promise<void>
  /** Releases the shares at once instead of when the session times out. */
  leave(): Promise<void>
}

export interface GroupOptions {
  readonly kafka: Kafka
  /** Open connections, to find out why kafkajs finds no coordinator. */
  readonly shared: Cluster
  readonly group: string
  readonly topics: readonly string[]
  readonly kind: ShareKind
  /** The shares that this member can take. */
  readonly takes: readonly string[]
  /** As for `dealShares`. */
  readonly traffic: () => ReadonlyMap<string, number> | null
  /** How long a member that died keeps its shares. */
  readonly sessionTimeoutMs: number
  /** Called when this process is back in the group, which had taken it for dead. */
  readonly takenForDead?: () => void
  readonly logger: KafkaLogger
}

const joinPauseMs = 250
/** How long joining may fail, about as long as any other request is repeated. */
const failingAllowedMs = 15_000
/** The interval at which a member checks for changes of its group; leaving may take as long. */
const heartbeatMs = 100
/**
 * The session for brokers that refuse a shorter one, as many do; only a special setting refuses
 * this one.
 */
const usualSessionMs = 6_000

/** The longest session, and so the longest time until a dead member is noticed. */
const longestSessionMs = 30_000
/**
 * How long a member that was taken for dead takes no shares from others. Its machine is overloaded,
 * and each share that moves has to be restored.
 */
const restMs = 10 * 60_000

/**
 * Joins a group. A member that the group takes for dead, because its heartbeats came too late, comes back with twice
 * the session and rests.
 * @throws LogUnavailableError (`holds` too) once the membership is lost; LogSetupError if we have
 * no right to the group
 */
export async function joinGroup(options: GroupOptions): Promise<Membership> {
  const { kafka, shared, group, topics, kind, takes, traffic, logger } = options
  const attempt = { user: userOf(kafka), right: 'Read' } as const
  let sessionTimeoutMs = options.sessionTimeoutMs
  let holds: readonly string[] | null = null
  let answeredAt = performance.now()
  /** This process's id in the group; null before it has joined, and while kafkajs rejoins. */
  let memberId: string | null = null
  let restsUntil = 0
  let failingSince: number | null = null
  let left = false
  let failure: Error | null = null
  let endOfRest: NodeJS.Timeout | undefined
  let wakeAll: (() => void)[] = []
  const wake = () => {
    const waiting = wakeAll
    wakeAll = []
    for (const resolve of waiting) resolve()
  }

  function stateNow(): MemberState {
    const now = performance.now()
    const silentMs = Math.round(now - answeredAt)
    const isLost = memberId !== null && silentMs > sessionTimeoutMs
    return { takes, holds: holds ?? [], silentMs, isResting: isLost || now < restsUntil }
  }

  function createConsumer() {
    let mayPass = false
    const consumer = kafka.consumer({
      groupId: group,
      partitionAssigners: [shareAssigner(kind, stateNow, traffic)],
      sessionTimeout: sessionTimeoutMs,
      rebalanceTimeout: Math.max(2 * sessionTimeoutMs, 10_000),
      // kafkajs measures the interval by the system's clock, which may be set back. So it sends a
      // heartbeat in each of its rounds; a round lasts as long as it sleeps while everything is
      // paused.
      heartbeatInterval: Number.NEGATIVE_INFINITY,
      maxWaitTimeInMs: heartbeatMs,
      allowAutoTopicCreation: false,
      retry: {
        ...clientRetry,
        // Asked only about failures that may pass. A consumer that kafkajs itself starts again
        // cannot be stopped on its way: it would join a group that we have left.
        async restartOnFailure() {
          mayPass = true
          return false
        },
      },
    })
    let names: readonly string[] = []
    consumer.on(consumer.events.HEARTBEAT, () => {
      answeredAt = performance.now()
    })
    consumer.on(consumer.events.RECEIVED_UNSUBSCRIBED_TOPICS, ({ payload }) => {
      names = payload.assignedTopics
    })
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      // In time for the first fetch, because kafkajs reports the join before it.
      consumer.pause(topics.map((topic) => ({ topic })))
      failingSince = null
      answeredAt = performance.now()
      const isReturning = memberId !== null && payload.memberId !== memberId
      memberId = payload.memberId
      const [partitions = []] = Object.values(payload.memberAssignment)
      const assigned = kind === 'partition' ? partitions.map(String) : names
      // kafkajs sorts the shares; those that were held before come first here.
      const kept: readonly string[] = (holds ?? []).filter((share) => assigned.includes(share))
      holds = [...kept, ...assigned.filter((share) => !kept.includes(share))]
      names = []
      wake()
      if (isReturning) returnFromDead()
    })
    consumer.on(consumer.events.CRASH, ({ payload: { error } }) => {
      const isSessionRefused = typeOf(error) === 'INVALID_SESSION_TIMEOUT'
      if (isSessionRefused && sessionTimeoutMs < usualSessionMs) return joinAnew(usualSessionMs)
      // The coordinator may not have read its group yet, so this is tried for some time.
      failingSince ??= performance.now()
      const isOver = left || performance.now() - failingSince >= failingAllowedMs
      if (!mayPass || isOver) void fail(error)
      else joinAnew(sessionTimeoutMs)
    })
    return consumer
  }

  /** Joins again, as another member; a consumer of kafkajs cannot change its session's length. */
  function joinAnew(sessionMs: number) {
    sessionTimeoutMs = sessionMs
    // If the brokers did not respond, this machine is not the cause: it need not rest.
    memberId = null
    const former = running
    running = (async () => {
      const consumer = await former.catch(() => null)
      await consumer?.disconnect().catch(() => {})
      if (left && consumer) return consumer
      await delay(joinPauseMs)
      return begin()
    })()
    running.catch(fail)
  }

  function returnFromDead() {
    options.takenForDead?.()
    restsUntil = performance.now() + restMs
    const sessionMs = Math.min(2 * sessionTimeoutMs, Math.max(longestSessionMs, sessionTimeoutMs))
    logger.warn(
      { group, sessionMs },
      'the group took this process for dead, because its heartbeats came too late: it takes partitions from no other for ten minutes. Give the machine more CPU, or set a longer OVERROUND_KAFKA_SESSION_MS',
    )
    if (sessionMs > sessionTimeoutMs) joinAnew(sessionMs)
    clearTimeout(endOfRest)
    endOfRest = setTimeout(() => {
      // Ends the rest, unless it has got shares meanwhile because there was no other member.
      if (!left && holds?.length === 0) joinAnew(sessionTimeoutMs)
    }, restMs)
    endOfRest.unref()
  }

  async function fail(error: Error) {
    const isUnnamed = typeOf(error) === undefined
    // For an error without a Kafka code, the coordinator's refusal says more.
    const attempt = isUnnamed ? coordinatorOf(shared, 'group', group) : Promise.resolve()
    failure = await attempt.then(() => error).catch((refusal: Error) => refusal)
    wake()
  }

  /** @returns the consumer, on its way into the group */
  async function begin() {
    const consumer = createConsumer()
    try {
      await connectPatiently(
        () => consumer.connect(),
        () => left,
      )
      await consumer.subscribe({ topics: [...topics], fromBeginning: true })
      await consumer.run({ autoCommit: false, eachBatch: async () => {} })
      return consumer
    } catch (cause) {
      await consumer.disconnect().catch(() => {})
      throw failureOf(`join group ${group}`, cause, attempt)
    }
  }

  let running = begin()
  await running
  let leaving: Promise<void> | null = null

  async function leaveNow() {
    left = true
    clearTimeout(endOfRest)
    const consumer = await running.catch(() => null)
    await consumer?.disconnect().catch(() => {})
    wake()
  }

  return {
    holds() {
      if (failure) throw failureOf(`group ${group} is lost`, failure, attempt)
      return holds
    },
    confirmedAt: () => answeredAt,
    change: () => new Promise((resolve) => wakeAll.push(resolve)),
    leave() {
      leaving ??= leaveNow()
      return leaving
    },
  }
}

/** Some 13 s in all. Pauses are short: only after one is a returning broker noticed. */
export const clientRetry = {
  initialRetryTime: 50,
  factor: 0.2,
  multiplier: 2,
  maxRetryTime: 400,
  retries: 34,
} as const
