/**
 * Appends without transactions. Each table has its own queue and producer, and all records of feeds
 * share one: so waiting usage does not delay ingest, and ingest does not delay accounts.
 *
 * A queue sends one round at a time, and records that arrive meanwhile go with the next: that keeps
 * the order. The same producer tries a round until it is settled, however long the brokers are
 * away. Each attempt sends the unacknowledged records unchanged, so every record is written once.
 * If the brokers refuse records for good, their appends fail, and the others of the round go on
 * (`append-round.ts`). Callers need not wait that long: after `withinMs` an append fails. If it was
 * still waiting, it is not written; if its round had begun, it may be written later. While a round
 * is stuck for longer than that, further appends fail at once.
 */

import type { Cluster, Kafka } from 'kafkajs'
import { groupBy } from '../../../schemas/grouping.ts'
import { aborted, sleep } from '../../async/abort-signals.ts'
import { LogUnavailableError } from '../log.ts'
import { type Call, createRound, isRefused, type Round } from './append-round.ts'
import { userOf } from './connection.ts'
import { setupFaultOf, topicOf } from './failures.ts'
import {
  brokerOf,
  clusterOf,
  disconnect,
  forgetHung,
  forgetLost,
  hasType,
  type KafkaError,
} from './internals.ts'
import { lookUpLeaders } from './leaders.ts'
import type { OutageWatch } from './outage-watch.ts'
import type { PartitionBatch } from './produce.ts'
import type { OutgoingRecord } from './record-batch.ts'
import type { RefusedWrites } from './refused-writes.ts'
import {
  type BatchEncoder,
  createBatchEncoder,
  type FailedBatch,
  type PartitionRecords,
  sendBatches,
} from './send-batches.ts'

export interface AppenderOptions {
  readonly kafka: Kafka
  readonly outages: OutageWatch
  readonly refusedWrites: RefusedWrites
  /** The time after which an append fails (ms); Infinity for callers that can wait. */
  readonly withinMs: number
  /** Returns the name of the queue for a topic's records. */
  readonly queueOf: (topic: string) => string
}

export interface Appender {
  /** @throws LogUnavailableError; LogSetupError if a right is missing, or our clock is wrong */
  append(records: readonly OutgoingRecord[]): Promise<void>
  /** Sends the waiting records if the brokers respond soon; appends of the others fail. */
  close(): Promise<void>
}

/** The most bytes of messages waiting in one queue. */
const mostQueuedBytes = 64 * 1024 * 1024
/** Failures for less than this are no outage. */
const briefMs = 500
const firstPauseMs = 10
const longestPauseMs = 250
const closingMs = 3_000

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
      const byQueue = groupBy(records, ({ topic }) => queueOf(topic))
      await Promise.all([...byQueue].map(([name, some]) => queueNamed(name).append(some)))
    },
    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close()))
    },
  }
}

type Queue = ReturnType<typeof createQueue>

interface Waiting extends Call {
  readonly bytes: number
  timer: NodeJS.Timeout | undefined
}

function createQueue(name: string, options: Omit<AppenderOptions, 'queueOf'>) {
  const { kafka, outages, refusedWrites, withinMs } = options
  const attempt = { user: userOf(kafka), right: 'Write' } as const
  const asker = outages.asker(`append to ${name}`)
  // Callers that can wait need no limit: they have one or two writes in progress.
  const isBounded = withinMs !== Number.POSITIVE_INFINITY
  const closing = new AbortController()
  let waiting: Waiting[] = []
  let waitingBytes = 0
  let sending: Promise<void> | null = null
  let roundSince = 0
  const cluster = clusterOf(kafka)
  /**
   * The current producer's encoder; null before the first round, and if the producer is useless.
   */
  let encode: BatchEncoder | null = null

  const failure = (message: string, cause?: unknown) =>
    new LogUnavailableError(`append to ${name}: ${message}`, { cause })

  function failureOf(cause: unknown): Error {
    const fault = setupFaultOf(`append to ${name}`, cause, attempt)
    if (!fault) return failure((cause as Error).message, cause)
    refusedWrites.refused(topicOf(cause) ?? name, fault.message)
    return fault
  }

  async function send() {
    while (waiting.length > 0) {
      const round = createRound(waiting, failureOf)
      waiting = []
      waitingBytes = 0
      roundSince = performance.now()
      try {
        for (const parts of round.requests()) await settle(parts, round)
        round.end()
      } catch (cause) {
        round.end(cause)
      }
    }
    sending = null
  }

  /** Sends the parts without refused calls. Resolves once brokers have accepted or refused all. */
  async function settle(parts: readonly PartitionRecords[], round: Round) {
    const wanted = round.wanted(parts)
    if (wanted.length === 0) return
    for (const apart of await sendPatiently(wanted, round)) await settle([apart], round)
  }

  /**
   * Sends parts until the brokers have accepted or refused each. Rejects when the queue is closed before that.
   * @returns halves of refused batches, to be sent separately
   */
  async function sendPatiently(
    parts: readonly PartitionRecords[],
    round: Round,
  ): Promise<PartitionRecords[]> {
    const since = performance.now()
    const apart: PartitionRecords[] = []
    let unsent = parts
    /** Null while they are not encoded by the current producer. */
    let batches: readonly UnsentBatch[] | null = null
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      asker.asks()
      let refusals: readonly FailedBatch<PartitionRecords>[] = []
      let errors: readonly KafkaError[] = []
      try {
        batches ??= await encodeAll(unsent)
        const failures: FailedBatch<UnsentBatch>[] = await sendBatches(cluster, null, batches)
        noteAccepted(batches, failures)
        refusals = failures.filter(({ error }) => isRefused(error))
        const failed = failures.filter(({ error }) => !isRefused(error))
        unsent = batches = failed.map(({ batch }) => batch)
        errors = failed.map(({ error }) => error)
      } catch (cause) {
        const error = cause as KafkaError
        if (isRefused(error)) refusals = unsent.map((batch) => ({ batch, error }))
        else errors = [error]
      }
      const hasLostStep = errors.some(isOutOfStep)
      // Now our sequence numbers may differ from the broker's for good.
      if (hasLostStep || refusals.length > 0) encode = null
      if (hasLostStep) batches = null
      for (const { batch, error } of refusals) apart.push(...round.refuse(batch, error))
      if (errors.length === 0) {
        asker.answered()
        return apart
      }
      // A shorter failure may be a leader that moves.
      if (performance.now() - since > briefMs) asker.failed(errors[0])
      if (!closing.signal.aborted) await sleep(pauseMs, closing.signal)
      if (closing.signal.aborted) throw errors[0]
      for (const error of errors) {
        forgetLost(cluster, error)
        forgetHung(cluster, error)
      }
      // A failed refresh shows in the next attempt.
      await lookUpLeaders(cluster).catch(() => {})
    }
  }

  function noteAccepted(
    batches: readonly UnsentBatch[],
    failures: readonly FailedBatch<UnsentBatch>[],
  ) {
    const unwritten = new Set(failures.map(({ batch }) => batch.topic))
    for (const { topic } of batches) if (!unwritten.has(topic)) refusedWrites.accepted(topic)
    // A refusal without a topic concerns the queue.
    if (unwritten.size === 0) refusedWrites.accepted(name)
  }

  async function encodeAll(parts: readonly PartitionRecords[]): Promise<UnsentBatch[]> {
    encode ??= await openProducer(cluster, parts)
    const encodeOne = encode
    return parts.map((part) => ({ ...part, ...encodeOne(part) }))
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
      // Does not wait for a request that hangs.
      await Promise.race([sending, aborted(closing.signal)])
      clearTimeout(late)
      closing.abort()
      asker.gone()
      await disconnect(cluster)
    },
  }
}

interface UnsentBatch extends PartitionRecords, PartitionBatch {}

/** Gets a producer's identity, from any broker. @param parts the first that it will send */
async function openProducer(
  cluster: Cluster,
  parts: readonly PartitionRecords[],
): Promise<BatchEncoder> {
  await cluster.connect()
  await cluster.addMultipleTargetTopics(parts.map(({ topic }) => topic))
  const nodeIds = cluster.getNodeIds()
  const broker = await brokerOf(cluster, String(nodeIds[opened++ % nodeIds.length]))
  const transactionTimeout = 60_000 // of no meaning without transactions
  const given = await broker.initProducerId({ transactionalId: undefined, transactionTimeout })
  return createBatchEncoder({ ...given, transactionalId: null })
}

/** The number of attempts to open a producer; each asks another broker. */
let opened = 0

/** Errors about sequence numbers: the records may be sent again by another producer. */
const outOfStepTypes = new Set([
  'OUT_OF_ORDER_SEQUENCE_NUMBER',
  'UNKNOWN_PRODUCER_ID',
  'INVALID_PRODUCER_EPOCH',
  'INVALID_PRODUCER_ID_MAPPING',
])

const isOutOfStep = (error: unknown) => hasType(error, outOfStepTypes)

const sizeOf = (records: readonly OutgoingRecord[]) =>
  records.reduce((sum, { value }) => sum + (value?.length ?? 0) + 64, 0)
