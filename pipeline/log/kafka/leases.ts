/**
 * A lease of a name: its holder appends in transactions under an id of that name, so that the broker refuses a former
 * holder that has not noticed yet.
 */

import type { Cluster, Kafka } from 'kafkajs'
import { type Append, type Lease, NotHolderError } from '../log.ts'
import type { KafkaLogger } from './connection.ts'
import type { OutgoingRecord } from './record-batch.ts'
import type { Closeable, ShareLease } from './share-leases.ts'
import { FencedError, openCommitter } from './transactions.ts'

export interface LeaseOptions {
  readonly kafka: Kafka
  readonly logger: KafkaLogger
  readonly group: string
  /** Open connections, for taking the name over. */
  readonly shared: Cluster
  /** Topics that holders may write. */
  readonly written: readonly string[]
  readonly encode: (append: Append) => OutgoingRecord
}

interface Waiting {
  readonly outgoing: readonly OutgoingRecord[]
  readonly done: (error?: Error) => void
}

/** Takes the name over. @throws LogUnavailableError */
export async function openLease(
  { kafka, logger, group, shared, written, encode }: LeaseOptions,
  { share: name, ended, restored, giveUp }: ShareLease,
): Promise<Lease & Closeable> {
  const committer = await openCommitter(kafka, { group, share: name, shared, topics: written })
  // A name has no tables to restore.
  restored()
  let waiting: Waiting[] = []
  let sending: Promise<void> | null = null
  logger.info({ group, name }, 'name held')

  /** Sends all waiting appends as one transaction, until none is left. */
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
          // After any failure a committer is useless: if the name is still ours, it is opened anew.
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
    async whenIdle() {
      await sending
    },
    async close() {
      await sending
      await committer.close()
    },
  }
}
