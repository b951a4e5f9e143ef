/**
 * Being the one who holds a name: what the holder appends goes out in transactions under an id of that
 * name, so that the broker refuses a former holder that has not noticed yet.
 */

import type { Cluster, Kafka } from 'kafkajs'
import { type Append, type Holding, NotHolderError } from '../log.ts'
import type { KafkaLogger } from './connection.ts'
import type { OutgoingRecord } from './record-batch.ts'
import type { Closeable, Tenure } from './tenures.ts'
import { FencedError, openCommitter } from './transactions.ts'

export interface HoldingOptions {
  readonly kafka: Kafka
  readonly logger: KafkaLogger
  readonly group: string
  /** Whose connections are there already, to take a name over by. */
  readonly shared: Cluster
  /** What holders may write. */
  readonly written: readonly string[]
  readonly encode: (append: Append) => OutgoingRecord
}

interface Waiting {
  readonly outgoing: readonly OutgoingRecord[]
  readonly done: (error?: Error) => void
}

/** Takes the name over. @throws LogUnavailableError */
export async function openHolding(
  { kafka, logger, group, shared, written, encode }: HoldingOptions,
  { share: name, ended, giveUp }: Tenure,
): Promise<Holding & Closeable> {
  const committer = await openCommitter(kafka, { group, share: name, shared, topics: written })
  let waiting: Waiting[] = []
  let sending: Promise<void> | null = null
  logger.info({ group, name }, 'name held')

  /** What is appended while a transaction is under way goes with the next. */
  async function send() {
    while (waiting.length > 0) {
      const round = waiting
      waiting = []
      const outcome = await committer
        .commit(
          round.flatMap(({ outgoing }) => outgoing),
          [],
        )
        .catch((cause: Error) => {
          // After any failure a committer is of no use: if the name is ours still, it is opened anew.
          giveUp()
          if (!(cause instanceof FencedError)) return cause
          return new NotHolderError(`${name} is held by another process`, { cause })
        })
      for (const { done } of round) done(outcome ?? undefined)
    }
    sending = null
  }

  return {
    name,
    ended,
    append(records) {
      if (records.length === 0) return Promise.resolve()
      if (ended.aborted) {
        return Promise.reject(new NotHolderError(`${name} is not held by this process any more`))
      }
      const outgoing = records.map(encode)
      return new Promise((resolve, reject) => {
        waiting.push({ outgoing, done: (error) => (error ? reject(error) : resolve()) })
        sending ??= send()
      })
    },
    async settled() {
      await sending
    },
    async close() {
      await sending
      await committer.close()
    },
  }
}
