/**
 * The identity of a log on a cluster, in its own topic: its epoch, the secret that its processes share, and the number
 * of partitions that its keys are spread over. Every process that finds none proposes one, and the first written of each
 * counts; keys differ, so that compaction keeps them.
 */

import { randomBytes, randomUUID } from 'node:crypto'
import { LogSetupError, LogUnavailableError } from '../log.ts'
import type { Reader } from './reader.ts'
import type { OutgoingRecord } from './record-batch.ts'
import { isDenied } from './rights.ts'

export interface Identity {
  readonly epoch: string
  readonly secret: string
}

/** What the topic tells: each is the value of its records, and what it is begins their keys. */
const kinds = ['epoch', 'secret', 'partitions'] as const
type Kind = (typeof kinds)[number]

const partition = 0

/**
 * @param partitions the number of the settings
 * @param notesNumber whether a log that has no number yet, such as one of an earlier version, takes that of the settings
 * @throws LogUnavailableError, also while there is no identity and we may not write one; LogSetupError where the log's
 * keys are spread over another number of partitions
 */
export async function readIdentity(
  reader: Pick<Reader, 'offsets' | 'fetch'>,
  appender: { append(messages: readonly OutgoingRecord[]): Promise<void> },
  topic: string,
  partitions: number,
  notesNumber = true,
): Promise<Identity> {
  for (let proposed = false; ; proposed = true) {
    const { epoch, secret, partitions: kept } = await readFirst(reader, topic)
    if (kept !== undefined) requireSame(Number.parseInt(kept, 10), partitions)
    const identity = epoch !== undefined && secret !== undefined ? { epoch, secret } : null
    if (identity && (kept !== undefined || !notesNumber)) return identity
    if (proposed) throw new LogUnavailableError(`${topic} does not give back its epoch`)
    const proposal = (kind: Kind, key: string) => ({
      topic,
      partition,
      key,
      value: Buffer.from(kind),
    })
    const missing = [
      ...(epoch === undefined ? [proposal('epoch', randomUUID())] : []),
      ...(secret === undefined ? [proposal('secret', randomBytes(32).toString('base64url'))] : []),
      ...(notesNumber && kept === undefined
        ? [proposal('partitions', `${partitions} ${randomUUID()}`)]
        : []),
    ]
    try {
      await appender.append(missing)
    } catch (error) {
      // Only the number is missing: a later start, or another process, notes it.
      if (identity) return identity
      if (!isDenied(error as Error)) throw error
      throw new LogUnavailableError(
        `${topic} has no epoch yet, and this user may not write it: a pipeline has to start first`,
        { cause: error },
      )
    }
  }
}

function requireSame(kept: number, partitions: number) {
  if (kept === partitions) return
  throw new LogSetupError(
    `the keys of this log are spread over ${kept} partitions, and OVERROUND_KAFKA_PARTITIONS is ${partitions}: new rows of a key would go to another partition than its older ones. Set OVERROUND_KAFKA_PARTITIONS=${kept}: partitions that were added to its topics stay empty and do no harm. For ${partitions} partitions, start under another OVERROUND_KAFKA_TOPIC_PREFIX.`,
  )
}

/** Returns the number of partitions that the log keeps; null where it keeps none. */
export async function readPartitions(
  reader: Pick<Reader, 'offsets' | 'fetch'>,
  topic: string,
): Promise<number | null> {
  const { partitions } = await readFirst(reader, topic)
  return partitions === undefined ? null : Number.parseInt(partitions, 10)
}

/** Returns the first of each. */
async function readFirst(reader: Pick<Reader, 'offsets' | 'fetch'>, topic: string) {
  const place = { topic, partition }
  const [start] = await reader.offsets([place], 'start')
  const [end] = await reader.offsets([place], 'end')
  const first: Partial<Record<Kind, string>> = {}
  for (let offset = start!; offset < end!; ) {
    const [fetched] = await reader.fetch([{ ...place, offset }], 100)
    if (!fetched || fetched.offset !== offset) continue
    for (const { key, value } of fetched.records) {
      const kind = kinds.find((known) => known === value?.toString())
      if (kind !== undefined) first[kind] ??= key
    }
    offset = fetched.next
  }
  return first
}
