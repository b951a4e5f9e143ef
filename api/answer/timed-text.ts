/**
 * Texts about prices that have room for the times at which these were last seen. Sightings come far more often
 * than anything else about a price: a text is kept over them, and their times are filled in when it is copied.
 */

import { createHash } from 'node:crypto'
import type { ContentHash } from '../../pipeline/memory/content-hash.ts'
import { isoTime, stampLength } from '../../pipeline/text/iso-time.ts'
import { type PageBuffer, reserve } from '../../pipeline/text/page-buffer.ts'
import type { Sighted } from '../../pipeline/views/board/block.ts'

/** Stands in a text for a time; as JSON no text has it. */
export const timeRoom = '\0'.repeat(stampLength)

export interface TimedText {
  readonly bytes: Buffer
  /** Of the bytes. */
  readonly hash: Int32Array
  /** Where the times stand, in their order. */
  readonly places: Int32Array
  /** Whose they are; a time beyond these is the newest of them. */
  readonly seen: readonly Pick<Sighted, 'lastSeenAt'>[]
}

export function createTimedText(text: string, seen: TimedText['seen']): TimedText {
  const bytes = Buffer.from(text)
  const places: number[] = []
  for (let at = bytes.indexOf(0); at >= 0; at = bytes.indexOf(0, at + stampLength)) places.push(at)
  return { bytes, hash: bytesHash(bytes), places: Int32Array.from(places), seen }
}

/** Eight words, for what is hashed once and told apart often. */
export const bytesHash = (bytes: Uint8Array) =>
  new Int32Array(new Uint8Array(createHash('sha256').update(bytes).digest()).buffer)

export function newestSighting(seen: TimedText['seen']): number {
  let newest = 0
  for (let i = 0; i < seen.length; i++) {
    if (seen[i]!.lastSeenAt > newest) newest = seen[i]!.lastSeenAt
  }
  return newest
}

/** @param content takes what decides the bytes */
export function appendTimedText(
  page: PageBuffer,
  { bytes, hash, places, seen }: TimedText,
  content: ContentHash,
) {
  reserve(page, bytes.length)
  const start = page.length
  bytes.copy(page.bytes, start)
  page.length += bytes.length
  content.add(hash[0]!)
  content.add(hash[1]!)
  for (let i = 0; i < places.length; i++) {
    const at = i < seen.length ? seen[i]!.lastSeenAt : newestSighting(seen)
    content.addNumber(at)
    page.bytes.write(isoTime(at), start + places[i]!, 'latin1')
  }
}

/** Forgets the texts of all but those that were taken up last. */
export function createRecentTexts<Texts extends { clear(): void }>(most: number) {
  const inLine = new Set<Texts>()
  return {
    take(texts: Texts) {
      inLine.delete(texts)
      inLine.add(texts)
      if (inLine.size <= most) return
      for (const oldest of inLine) {
        inLine.delete(oldest)
        oldest.clear()
        return
      }
    },
  }
}
