/**
 * The identity of a log on a cluster, in its own topic: its epoch, and the secret that its
 * processes share. Every process that finds none writes a proposal, and the first one written
 * counts. Each proposal has its own key, so that compaction keeps it.
 */

import { randomBytes, randomUUID } from 'node:crypto'
import { LogUnavailableError } from '../log.ts'
import type { Reader } from './reader.ts'
import type { OutgoingRecord } from './record-batch.ts'
import { isDenied } from './rights.ts'

export interface Identity {
  readonly epoch: string
  readonly secret: string
}

const partition = 0

/** @throws LogUnavailableError, also while there is none and we have no right to write one */
export async function readIdentity(
  reader: Pick<Reader, 'offsets' | 'fetch'>,
  appender: { append(messages: readonly OutgoingRecord[]): Promise<void> },
  topic: string,
): Promise<Identity> {
  for (let proposed = false; ; proposed = true) {
    const { epoch, secret } = await readFirst(reader, topic)
    if (epoch !== undefined && secret !== undefined) return { epoch, secret }
    if (proposed) throw new LogUnavailableError(`${topic} does not give back its epoch`)
    const proposal = (kind: keyof Identity, key: string) => ({
      topic,
      partition,
      key,
      value: Buffer.from(kind),
    })
    const missing = [
      ...(epoch === undefined ? [proposal('epoch', randomUUID())] : []),
      ...(secret === undefined ? [proposal('secret', randomBytes(32).toString('base64url'))] : []),
    ]
    await appender.append(missing).catch((error: Error) => {
      if (!isDenied(error)) throw error
      throw new LogUnavailableError(
        `${topic} has no epoch yet, and this user may not write it: a pipeline has to start first`,
        { cause: error },
      )
    })
  }
}

/** Returns the first epoch and the first secret. */
async function readFirst(reader: Pick<Reader, 'offsets' | 'fetch'>, topic: string) {
  const place = { topic, partition }
  const [start] = await reader.offsets([place], 'start')
  const [end] = await reader.offsets([place], 'end')
  const first: Partial<Record<keyof Identity, string>> = {}
  for (let offset = start!; offset < end!; ) {
    const [fetched] = await reader.fetch([{ ...place, offset }], 100)
    if (!fetched || fetched.offset !== offset) continue
    for (const { key, value } of fetched.records) {
      const kind = value?.toString()
      if (kind === 'epoch' || kind === 'secret') first[kind] ??= key
    }
    offset = fetched.next
  }
  return first
}
