/**
 * Membership of a consumer group, and the transactions that settle its batches.
 *
 * kafkajs keeps the membership only (joining, heartbeats, rebalances); who gets what is `kafka-shares.ts`,
 * and nobody stops for a rebalance. It fetches nothing, because every topic is paused. Reading is `kafka-reader.ts`, so a member can restore its tables for as
 * long as that takes without being thrown out of its group.
 *
 * Who may commit for a share is settled by its transactional id alone (`<group>-<share>`): opening a
 * committer fences whoever held it before, ends what they left unfinished, and only then are offsets
 * read. A member that has not noticed a rebalance yet can therefore do no harm.
 */

import type { Kafka, Message, Producer, TopicMessages, Transaction } from 'kafkajs'
import type { Place } from './kafka-reader.ts'
import { type ShareKind, shareAssigner } from './kafka-shares.ts'
import { LogUnavailableError } from './log.ts'

export interface Membership {
  /** The shares held now, the oldest first; null while the group is settling for the first time. */
  holds(): readonly string[] | null
  /** Resolves at the next change of `holds`, at a failure, or when left. */
  change(): Promise<void>
  /** Gives the shares up at once instead of when the session times out. */
  leave(): Promise<void>
}

export interface GroupOptions {
  readonly kafka: Kafka
  readonly group: string
  readonly topics: readonly string[]
  readonly kind: ShareKind
  /** The shares that this member can take. */
  readonly takes: readonly string[]
  /** How long a member that died keeps its shares. */
  readonly sessionTimeoutMs: number
}

/** How long joining may fail, about as long as any other request is repeated. */
const failingAllowedMs = 15_000
/** How often a member asks whether its group has changed; so long, too, leaving may take. */
const heartbeatMs = 250
/** Many brokers refuse a shorter session; none refuses this one, unless it is set to. */
const usualSessionMs = 6_000

/** @throws LogUnavailableError from `holds` too, once the group cannot be kept up */
export async function joinGroup(options: GroupOptions): Promise<Membership> {
  const { kafka, group, topics, kind, takes } = options
  let sessionTimeoutMs = options.sessionTimeoutMs
  let holds: readonly string[] | null = null
  let answeredAt = performance.now()
  let failingSince: number | null = null
  let left = false
  let failure: Error | null = null
  let wakeAll: (() => void)[] = []
  const wake = () => {
    const waiting = wakeAll
    wakeAll = []
    for (const resolve of waiting) resolve()
  }

  function createConsumer() {
    const consumer = kafka.consumer({
      groupId: group,
      partitionAssigners: [
        shareAssigner(kind, () => ({
          takes,
          holds: holds ?? [],
          silentMs: Math.round(performance.now() - answeredAt),
        })),
      ],
      sessionTimeout: sessionTimeoutMs,
      rebalanceTimeout: Math.max(2 * sessionTimeoutMs, 10_000),
      // kafkajs compares with the system's clock, which may be set back: so each round has a heartbeat,
      // and a round is as long as kafkajs sleeps while everything is paused.
      heartbeatInterval: Number.NEGATIVE_INFINITY,
      maxWaitTimeInMs: heartbeatMs,
      allowAutoTopicCreation: false,
      retry: {
        ...clientRetry,
        // kafkajs starts again for ever when the coordinator has not read its group yet. For a while
        // that is right; after that the process has to end.
        async restartOnFailure() {
          failingSince ??= performance.now()
          return !left && performance.now() - failingSince < failingAllowedMs
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
      // Before the first fetch, because kafkajs reports the join before it.
      consumer.pause(topics.map((topic) => ({ topic })))
      failingSince = null
      answeredAt = performance.now()
      const [partitions = []] = Object.values(payload.memberAssignment)
      const given = kind === 'partition' ? partitions.map(String) : names
      // kafkajs sorts them; what was held before is older than what has come.
      const kept: readonly string[] = (holds ?? []).filter((share) => given.includes(share))
      holds = [...kept, ...given.filter((share) => !kept.includes(share))]
      names = []
      wake()
    })
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      if (payload.restart) return
      if (isSessionRefused(payload.error) && sessionTimeoutMs < usualSessionMs) {
        sessionTimeoutMs = usualSessionMs
        running = begin()
        running.catch(fail)
      } else fail(payload.error)
    })
    return consumer
  }

  function fail(error: Error) {
    failure = error
    wake()
  }

  /** @returns the consumer, on its way into the group */
  async function begin() {
    const consumer = createConsumer()
    try {
      await consumer.connect()
      await consumer.subscribe({ topics: [...topics], fromBeginning: true })
      await consumer.run({ autoCommit: false, eachBatch: async () => {} })
      return consumer
    } catch (cause) {
      await consumer.disconnect().catch(() => {})
      throw new LogUnavailableError(`join group ${group}`, { cause })
    }
  }

  let running = begin()
  await running
  return {
    holds() {
      if (failure) throw new LogUnavailableError(`group ${group} is lost`, { cause: failure })
      return holds
    },
    change: () => new Promise((resolve) => wakeAll.push(resolve)),
    async leave() {
      left = true
      const consumer = await running.catch(() => null)
      await consumer?.disconnect().catch(() => {})
      wake()
    },
  }
}

/** Another member has taken the share over: nothing of the commit is there. */
export class FencedError extends Error {
  override readonly name = 'FencedError'
}

export interface Committer {
  /**
   * Writes `messages` and moves the group to `offsets`, if there are any, in one transaction. One at a
   * time, in the order of the calls; after a failure all fail.
   * @throws FencedError; LogUnavailableError, when the outcome may be unknown
   */
  commit(messages: readonly OutgoingMessage[], offsets: readonly Place[]): Promise<void>
  /** Waits for commits under way. */
  close(): Promise<void>
}

export type OutgoingMessage = { readonly topic: string; readonly message: Message }

/** Takes `share` over from whoever committed for `group` before. @throws LogUnavailableError */
export async function openCommitter(
  kafka: Kafka,
  { group, share }: { group: string; share: string },
): Promise<Committer> {
  const producer = kafka.producer({
    transactionalId: `${group}-${share}`,
    transactionTimeout: 30_000,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner,
    retry: producerRetry,
  })
  try {
    await producer.connect()
    // kafkajs announces a producer with its first transaction: this empty one does the fencing.
    await (await producer.transaction()).abort()
  } catch (cause) {
    await producer.disconnect().catch(() => {})
    throw new LogUnavailableError(`take over ${share} of ${group}`, { cause })
  }
  let last: Promise<void> = Promise.resolve()
  return {
    commit(messages, offsets) {
      last = last.then(() => transact(producer, { group, share, messages, offsets }))
      // The caller of a commit sees it fail; nobody else waits for the chain.
      last.catch(() => {})
      return last
    },
    async close() {
      await last.catch(() => {})
      await producer.disconnect().catch(() => {})
    },
  }
}

async function transact(
  producer: Producer,
  commit: {
    group: string
    share: string
    messages: readonly OutgoingMessage[]
    offsets: readonly Place[]
  },
) {
  const { group, share, messages, offsets } = commit
  let transaction: Transaction | undefined
  try {
    transaction = await producer.transaction()
    if (offsets.length > 0) await sendOffsets(transaction, group, offsets)
    for (const request of inRequests(messages)) await sendWhole(transaction, request)
    await transaction.commit()
  } catch (cause) {
    const fenced = isFenced(cause)
    // Readers wait for an open transaction to end; best effort, else it times out.
    if (!fenced && transaction?.isActive()) await transaction.abort().catch(() => {})
    const what = `commit ${share} of ${group}`
    throw fenced ? new FencedError(what, { cause }) : new LogUnavailableError(what, { cause })
  }
}

/** Errors that pass by themselves: a transaction being finished, a coordinator moving or just started. */
const passingTypes = new Set([
  'CONCURRENT_TRANSACTIONS',
  'GROUP_LOAD_IN_PROGRESS',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'NOT_COORDINATOR_FOR_GROUP',
])

/**
 * The offsets go first because this is where the broker says that the previous transaction is still
 * being finished, and here that can be asked again after a moment (kafkajs does not repeat it, and
 * repeats other requests more slowly than one transaction takes).
 */
async function sendOffsets(
  transaction: Transaction,
  consumerGroupId: string,
  offsets: readonly Place[],
) {
  const topics = offsets.map(({ topic, partition, offset }) => ({
    topic,
    partitions: [{ partition, offset: String(offset) }],
  }))
  const deadline = performance.now() + 10_000
  for (let attempts = 0; ; attempts++) {
    try {
      return await transaction.sendOffsets({ consumerGroupId, topics })
    } catch (error) {
      const { type } = error as { type?: string }
      if (!passingTypes.has(type ?? '') || performance.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, attempts < 20 ? 1 : 20))
    }
  }
}

/**
 * Cuts messages into produce requests: kafkajs makes one record batch of all that a request holds
 * for a partition, and the broker refuses batches that are too large. It also copies what it has
 * grouped for each message that it adds, so that requests of very many messages take long.
 */
export function* inRequests(messages: readonly OutgoingMessage[]): Generator<TopicMessages[]> {
  const requestBytes = 768 * 1024
  const requestMessages = 2_000
  let count = 0
  let byTopic = new Map<string, Message[]>()
  let bytes = 0
  for (const { topic, message } of messages) {
    const size = (message.value?.length ?? 0) + (message.key?.length ?? 0) + 32
    if (count > 0 && (count === requestMessages || bytes + size > requestBytes)) {
      yield [...byTopic].map(([name, some]) => ({ topic: name, messages: some }))
      byTopic = new Map()
      bytes = 0
      count = 0
    }
    bytes += size
    count++
    const group = byTopic.get(topic)
    if (group) group.push(message)
    else byTopic.set(topic, [message])
  }
  if (count > 0) yield [...byTopic].map(([name, some]) => ({ topic: name, messages: some }))
}

/**
 * Sends one request until all of it has been answered. When the leader of some partitions fails and a
 * broker that has answered already takes over, kafkajs takes its answer for that of them all, and what was
 * to go to the former is not sent.
 */
export async function sendWhole(
  to: { sendBatch(batch: { topicMessages: TopicMessages[]; acks?: number }): Promise<Answered[]> },
  request: readonly TopicMessages[],
): Promise<void> {
  let unanswered = [...request]
  while (unanswered.length > 0) {
    const answers = await to.sendBatch({ topicMessages: unanswered, acks: -1 })
    const answered = new Set(answers.map(({ topicName, partition }) => `${topicName}/${partition}`))
    unanswered = unanswered.flatMap(({ topic, messages }) => {
      const left = messages.filter(({ partition }) => !answered.has(`${topic}/${partition}`))
      return left.length > 0 ? [{ topic, messages: left }] : []
    })
  }
}

interface Answered {
  readonly topicName: string
  readonly partition: number
}

/** Every message names its partition. */
export const createPartitioner =
  () =>
  ({ message }: { message: Message }) =>
    message.partition!

/** Some 13 s in all. Every figure is given, because kafkajs has other defaults under NODE_ENV=test. */
export const clientRetry = {
  initialRetryTime: 100,
  factor: 0.2,
  multiplier: 2,
  maxRetryTime: 3_000,
  retries: 8,
} as const

/** Some 14 s in all; the first retries come soon, because often a broker only has to finish something. */
export const producerRetry = {
  initialRetryTime: 10,
  factor: 0.2,
  multiplier: 2,
  maxRetryTime: 3_000,
  retries: 12,
} as const

/** To clients as old as kafkajs, brokers report PRODUCER_FENCED as INVALID_PRODUCER_EPOCH. */
const fencedTypes = new Set([
  'INVALID_PRODUCER_EPOCH',
  'INVALID_TXN_STATE',
  'INVALID_PRODUCER_ID_MAPPING',
  'TRANSACTION_COORDINATOR_FENCED',
])

const isSessionRefused = (error: unknown) => isOfType(error, new Set(['INVALID_SESSION_TIMEOUT']))
const isFenced = (error: unknown) => isOfType(error, fencedTypes)

/** Whether the broker's word for an error, or for what caused it, is among `types`. */
function isOfType(error: unknown, types: ReadonlySet<string>): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { type } = at as Error & { type?: string }
    if (type !== undefined && types.has(type)) return true
  }
  return false
}
