/**
 * Appends without transactions. Each table has its own queue and producer, and all records of feeds have one
 * together: waiting usage does not hold up ingest, and ingest does not hold up accounts.
 *
 * A queue sends one round at a time, and records arriving meanwhile go with the next: that keeps the order, and
 * kafkajs must not have two in flight, since a request that timed out gives its sequence numbers back and the broker
 * would take the next for its repetition. For the same reason a round that has begun is tried with the same producer
 * until it is settled, however long the brokers are away: sent again, it is there once. Callers need not wait as
 * long. After `withinMs` an append fails; it has not been written if it was still waiting, and may be written later
 * if its round had begun. While a round is stuck for longer than that, further appends fail at once.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Kafka, Message, Producer, TopicMessages } from 'kafkajs'
import { aborted } from '../../async/abort-signals.ts'
import { LogUnavailableError } from '../log.ts'
import { clockAdvice, isOutOfTime } from './failures.ts'
import { withCauses } from './internals.ts'
import type { OutageWatch } from './outage-watch.ts'
import type { OutgoingRecord } from './record-batch.ts'

export interface AppenderOptions {
  readonly kafka: Kafka
  readonly outages: OutageWatch
  /** The longest time of an append; Infinity for callers that can wait. */
  readonly withinMs: number
  /** Returns the name of the queue for a topic's records. */
  readonly queueOf: (topic: string) => string
}

export interface Appender {
  /** @throws LogUnavailableError */
  append(records: readonly OutgoingRecord[]): Promise<void>
  /** Sends waiting records if the brokers respond soon; the rest fails. */
  close(): Promise<void>
}

/** The most bytes of messages waiting in one queue. */
const mostQueuedBytes = 64 * 1024 * 1024
const firstPauseMs = 50
const longestPauseMs = 250
const closingMs = 3_000
const disconnectingMs = 1_000

export function createAppender({ queueOf, ...options }: AppenderOptions): Appender {
  const queues = new Map<string, Queue>()
  const queueNamed = (name: string) => {
    let queue = queues.get(name)
    if (!queue) {
      queue = createQueue(name, options)
      queues.set(name, queue)
    }
    return queue
  }

  return {
    async append(records) {
      const byQueue = new Map<string, OutgoingRecord[]>()
      for (const record of records) {
        const name = queueOf(record.topic)
        const some = byQueue.get(name)
        if (some) some.push(record)
        else byQueue.set(name, [record])
      }
      await Promise.all([...byQueue].map(([name, some]) => queueNamed(name).append(some)))
    },
    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close()))
    },
  }
}

type Queue = ReturnType<typeof createQueue>

interface Waiting {
  readonly records: readonly OutgoingRecord[]
  readonly bytes: number
  timer: NodeJS.Timeout | undefined
  end(error?: Error): void
}

function createQueue(name: string, options: Omit<AppenderOptions, 'queueOf'>) {
  const { kafka, outages, withinMs } = options
  const asker = outages.asker(`append to ${name}`)
  // Callers that can wait have one or two writes in progress.
  const isBounded = withinMs !== Number.POSITIVE_INFINITY
  const closing = new AbortController()
  let waiting: Waiting[] = []
  let waitingBytes = 0
  let sending: Promise<void> | null = null
  let roundSince = 0
  let producer: Promise<Producer> | null = null

  const failure = (message: string, cause?: unknown) =>
    new LogUnavailableError(`append to ${name}: ${message}`, { cause })

  async function send() {
    while (waiting.length > 0) {
      const round = waiting
      waiting = []
      waitingBytes = 0
      roundSince = performance.now()
      try {
        for (const request of inRequests(round.flatMap(({ records }) => records))) {
          await sendPatiently(request)
        }
        for (const { end } of round) end()
      } catch (cause) {
        const reason = isOutOfTime(cause) ? clockAdvice() : (cause as Error).message
        for (const { end } of round) end(failure(reason, cause))
      }
    }
    sending = null
  }

  /** Rejects when the brokers refuse the request, or the queue is closed before they accept it. */
  async function sendPatiently(request: TopicMessages[]) {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      asker.asks()
      let connected: Producer | null = null
      try {
        producer ??= connect(kafka)
        connected = await producer
        await sendWhole(connected, request)
        return asker.answered()
      } catch (error) {
        if (connected === null || isOutOfStep(error) || isRefused(error)) void forgetProducer()
        if (isRefused(error)) {
          asker.answered()
          throw error
        }
        asker.failed(error)
        if (!closing.signal.aborted) await pause(pauseMs, closing.signal)
        if (closing.signal.aborted) throw error
      }
    }
  }

  /** Drops the producer, whose sequence numbers may be out of step with the broker's, for good. */
  async function forgetProducer() {
    const broken = producer
    producer = null
    await broken?.then((connected) => connected.disconnect()).catch(() => {})
  }

  function expire(one: Waiting) {
    const at = waiting.indexOf(one)
    if (at >= 0) {
      waiting.splice(at, 1)
      waitingBytes -= one.bytes
    }
    const what = at >= 0 ? 'nothing was written' : 'it may be written later'
    one.end(failure(`no answer within ${withinMs} ms; ${what}`))
  }

  return {
    append(records: readonly OutgoingRecord[]): Promise<void> {
      const bytes = sizeOf(records)
      const isStuck = sending !== null && performance.now() - roundSince > withinMs
      if (closing.signal.aborted) return Promise.reject(failure('the log is closed'))
      if (isStuck) return Promise.reject(failure('the brokers do not answer; nothing was written'))
      if (isBounded && waiting.length > 0 && waitingBytes + bytes > mostQueuedBytes) {
        return Promise.reject(failure('too much waits to be written; nothing was written'))
      }
      return new Promise((resolve, reject) => {
        const one: Waiting = {
          records,
          bytes,
          timer: undefined,
          end(error) {
            clearTimeout(one.timer)
            if (error) reject(error)
            else resolve()
          },
        }
        if (isBounded) one.timer = setTimeout(expire, withinMs, one)
        waiting.push(one)
        waitingBytes += bytes
        sending ??= send()
      })
    },
    async close() {
      const late = setTimeout(() => closing.abort(), closingMs)
      // A request that hangs is not waited for either.
      await Promise.race([sending, aborted(closing.signal)])
      clearTimeout(late)
      closing.abort()
      asker.gone()
      await Promise.race([forgetProducer(), delay(disconnectingMs, undefined, { ref: false })])
    },
  }
}

async function connect(kafka: Kafka): Promise<Producer> {
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner,
    retry: producerRetry,
  })
  try {
    await producer.connect()
  } catch (error) {
    await producer.disconnect().catch(() => {})
    throw error
  }
  return producer
}

/** Errors for unexpected sequence numbers: another producer may send the same. */
const outOfStepTypes = new Set([
  'OUT_OF_ORDER_SEQUENCE_NUMBER',
  'UNKNOWN_PRODUCER_ID',
  'INVALID_PRODUCER_EPOCH',
  'INVALID_PRODUCER_ID_MAPPING',
])

/** Errors for records that the brokers will not accept later either. */
const refusedTypes = new Set([
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'INVALID_RECORD',
  'INVALID_TIMESTAMP',
  'INVALID_TOPIC_EXCEPTION',
  'POLICY_VIOLATION',
  'TOPIC_AUTHORIZATION_FAILED',
  'CLUSTER_AUTHORIZATION_FAILED',
  'UNSUPPORTED_COMPRESSION_TYPE',
  'UNSUPPORTED_VERSION',
])

/** Bugs of ours, by the names of JavaScript's own errors. */
const mistakes = new Set(['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError'])

function isRefused(error: unknown): boolean {
  for (const { type, name } of withCauses(error)) {
    if (refusedTypes.has(type ?? '') || mistakes.has(name)) return true
  }
  return false
}

function isOutOfStep(error: unknown): boolean {
  for (const { type } of withCauses(error)) if (outOfStepTypes.has(type ?? '')) return true
  return false
}

const sizeOf = (records: readonly OutgoingRecord[]) =>
  records.reduce((sum, { value }) => sum + (value?.length ?? 0) + 64, 0)

/** @returns early when `signal` aborts */
const pause = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal }).catch(() => {})

/**
 * Cuts records into produce requests: kafkajs makes one record batch of all that a request holds for a partition, and
 * the broker refuses batches that are too large. It also copies its groups for each message that it adds, so that
 * requests of very many messages take long.
 */
function* inRequests(records: readonly OutgoingRecord[]): Generator<TopicMessages[]> {
  const requestBytes = 768 * 1024
  const requestMessages = 2_000
  let count = 0
  let byTopic = new Map<string, Message[]>()
  let bytes = 0
  for (const { topic, partition, key, value } of records) {
    const size = (value?.length ?? 0) + key.length + 32
    if (count > 0 && (count === requestMessages || bytes + size > requestBytes)) {
      yield [...byTopic].map(([name, some]) => ({ topic: name, messages: some }))
      byTopic = new Map()
      bytes = 0
      count = 0
    }
    bytes += size
    count++
    const message = { key, value, partition }
    const group = byTopic.get(topic)
    if (group) group.push(message)
    else byTopic.set(topic, [message])
  }
  if (count > 0) yield [...byTopic].map(([name, some]) => ({ topic: name, messages: some }))
}

/**
 * Sends one request until every part has a response. When the leader of some partitions fails and a broker that has
 * responded already takes over, kafkajs takes its response for that of them all, and the records for the former are
 * not sent.
 */
async function sendWhole(
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
const createPartitioner =
  () =>
  ({ message }: { message: Message }) =>
    message.partition!

/**
 * Some 14 s in all. The first retries come soon, because often a broker only has to finish something; the later ones
 * not much later, because they wait for another leader.
 */
const producerRetry = {
  initialRetryTime: 10,
  factor: 0.2,
  multiplier: 2,
  maxRetryTime: 400,
  retries: 38,
} as const
