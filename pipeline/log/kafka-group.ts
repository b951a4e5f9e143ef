/**
 * Membership of a consumer group, and the transactions that settle its batches.
 *
 * kafkajs keeps the membership only (joining, heartbeats, rebalances); it fetches nothing, because
 * every topic is paused. Reading is `kafka-reader.ts`, so a member can restore its tables for as
 * long as that takes without being thrown out of its group.
 *
 * Who may commit a partition is settled by its transactional id alone (`<group>-<partition>`):
 * opening a committer fences whoever held it before, ends what they left unfinished, and only then
 * are offsets read. A member that has not noticed a rebalance yet can therefore do no harm.
 */

import {
  AssignerProtocol,
  type Kafka,
  type Message,
  type PartitionAssigner,
  type Producer,
  type TopicMessages,
  type Transaction,
} from 'kafkajs'
import { LogUnavailableError } from './log.ts'

export interface Membership {
  /** Partitions owned now, ascending; null while the group is settling for the first time. */
  partitions(): readonly number[] | null
  /** Resolves at the next change of `partitions`, at a failure, or when left. */
  change(): Promise<void>
  /** Gives the partitions up at once instead of when the session times out. */
  leave(): Promise<void>
}

export interface GroupOptions {
  readonly kafka: Kafka
  readonly group: string
  /** All with partitions 0 … partitionCount - 1. */
  readonly topics: readonly string[]
  readonly partitionCount: number
  /** How long a member that died keeps its partitions. */
  readonly sessionTimeoutMs: number
}

/** How long joining may fail, about as long as any other request is repeated. */
const failingAllowedMs = 15_000

/** @throws LogUnavailableError from `partitions` too, once the group cannot be kept up */
export async function joinGroup(options: GroupOptions): Promise<Membership> {
  const { kafka, group, topics, partitionCount, sessionTimeoutMs } = options
  const consumer = kafka.consumer({
    groupId: group,
    partitionAssigners: [copartitioned(partitionCount)],
    sessionTimeout: sessionTimeoutMs,
    rebalanceTimeout: Math.max(2 * sessionTimeoutMs, 10_000),
    heartbeatInterval: Math.min(1_000, sessionTimeoutMs / 4),
    // How long kafkajs sleeps between heartbeats while everything is paused, and so leaving takes.
    maxWaitTimeInMs: 100,
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
  let failingSince: number | null = null
  let left = false
  let partitions: readonly number[] | null = null
  let failure: Error | null = null
  let wakeAll: (() => void)[] = []
  const wake = () => {
    const waiting = wakeAll
    wakeAll = []
    for (const resolve of waiting) resolve()
  }
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    // Before the first fetch, because kafkajs reports the join before it.
    consumer.pause(topics.map((topic) => ({ topic })))
    failingSince = null
    const [assigned] = Object.values(payload.memberAssignment)
    partitions = [...(assigned ?? [])].sort((a, b) => a - b)
    wake()
  })
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    if (payload.restart) return
    failure = payload.error
    wake()
  })
  try {
    await consumer.connect()
    await consumer.subscribe({ topics: [...topics], fromBeginning: true })
    await consumer.run({ autoCommit: false, eachBatch: async () => {} })
  } catch (cause) {
    await consumer.disconnect().catch(() => {})
    throw new LogUnavailableError(`join group ${group}`, { cause })
  }
  return {
    partitions() {
      if (failure) throw new LogUnavailableError(`group ${group} is lost`, { cause: failure })
      return partitions
    },
    change: () => new Promise((resolve) => wakeAll.push(resolve)),
    async leave() {
      left = true
      await consumer.disconnect().catch(() => {})
      wake()
    },
  }
}

/**
 * Gives each member the same partition numbers of every topic, in even, contiguous runs: the
 * record that changes a table and the table itself lie in one member's hands. (kafkajs's own
 * assigner deals all topics' partitions out in one round.)
 */
export function copartitioned(partitionCount: number): PartitionAssigner {
  const name = 'copartitioned'
  const version = 0
  return () => ({
    name,
    version,
    async assign({ members, topics }) {
      const ids = members.map(({ memberId }) => memberId).sort()
      const cut = (index: number) => Math.floor((index * partitionCount) / ids.length)
      return ids.map((memberId, index) => {
        const count = cut(index + 1) - cut(index)
        const owned = Array.from({ length: count }, (_, offset) => cut(index) + offset)
        const assignment = Object.fromEntries(topics.map((topic) => [topic, owned]))
        const memberAssignment = AssignerProtocol.MemberAssignment.encode({
          version,
          assignment,
          userData: Buffer.alloc(0),
        })
        return { memberId, memberAssignment }
      })
    },
    protocol: ({ topics }) => ({
      name,
      metadata: AssignerProtocol.MemberMetadata.encode({
        version,
        topics,
        userData: Buffer.alloc(0),
      }),
    }),
  })
}

/** Another member has taken the partition over: nothing of the commit is there. */
export class FencedError extends Error {
  override readonly name = 'FencedError'
}

export interface Committer {
  /**
   * Writes `messages` and moves the group to `offsets`, in one transaction. One at a time, in the
   * order of the calls; after a failure all fail.
   * @throws FencedError; LogUnavailableError, when the outcome may be unknown
   */
  commit(messages: readonly OutgoingMessage[], offsets: ReadonlyMap<string, number>): Promise<void>
  /** Waits for commits under way. */
  close(): Promise<void>
}

export type OutgoingMessage = { readonly topic: string; readonly message: Message }

/** Takes `partition` over from whoever committed for `group` before. @throws LogUnavailableError */
export async function openCommitter(
  kafka: Kafka,
  { group, partition }: { group: string; partition: number },
): Promise<Committer> {
  const producer = kafka.producer({
    transactionalId: `${group}-${partition}`,
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
    throw new LogUnavailableError(`take over partition ${partition} of ${group}`, { cause })
  }
  let last: Promise<void> = Promise.resolve()
  return {
    commit(messages, offsets) {
      last = last.then(() => transact(producer, { group, partition, messages, offsets }))
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
    partition: number
    messages: readonly OutgoingMessage[]
    offsets: ReadonlyMap<string, number>
  },
) {
  const { group, partition, messages, offsets } = commit
  let transaction: Transaction | undefined
  try {
    transaction = await producer.transaction()
    await sendOffsets(transaction, {
      consumerGroupId: group,
      topics: [...offsets].map(([topic, offset]) => ({
        topic,
        partitions: [{ partition, offset: String(offset) }],
      })),
    })
    for (const request of inRequests(messages)) await sendWhole(transaction, request)
    await transaction.commit()
  } catch (cause) {
    const fenced = isFenced(cause)
    // Readers wait for an open transaction to end; best effort, else it times out.
    if (!fenced && transaction?.isActive()) await transaction.abort().catch(() => {})
    const what = `commit partition ${partition} of ${group}`
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
  offsets: Parameters<Transaction['sendOffsets']>[0],
) {
  const deadline = performance.now() + 10_000
  for (let attempts = 0; ; attempts++) {
    try {
      return await transaction.sendOffsets(offsets)
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

function isFenced(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { type } = at as Error & { type?: string }
    if (type !== undefined && fencedTypes.has(type)) return true
  }
  return false
}
