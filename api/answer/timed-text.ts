/**
 * Texts about prices that have room for the times at which these were last seen. Sightings come far more often
 * than anything else about a price: a text is kept over them, and their times are filled in when it is copied.
 */

import { isoTime, stampLength } from '../../pipeline/text/iso-time.ts'
import { type PageBuffer, reserve } from '../../pipeline/text/page-buffer.ts'
import type { Sighted } from '../../pipeline/views/board/block.ts'

/** Stands in a text for a time; as JSON no text has it. */
export const timeRoom = '\0'.repeat(stampLength)

export interface TimedText {
  readonly bytes: Buffer
  /** Where the times stand, in their order. */
  readonly places: Int32Array
  /** Whose they are; a time beyond these is the newest of them. */
  readonly seen: readonly Pick<Sighted, 'lastSeenAt'>[]
}

export function createTimedText(text: string, seen: TimedText['seen']): TimedText {
  const bytes = Buffer.from(text)
  const places: number[] = []
  for (let at = bytes.indexOf(0); at >= 0; at = bytes.indexOf(0, at + stampLength)) places.push(at)
  return { bytes, places: Int32Array.from(places), seen }
}

export function newestSighting(seen: TimedText['seen']): number {
  let newest = 0
  for (let i = 0; i < seen.length; i++) {
    if (seen[i]!.lastSeenAt > newest) newest = seen[i]!.lastSeenAt
  }
  return newest
}

export function appendTimedText(page: PageBuffer, { bytes, places, seen }: TimedText) {
  reserve(page, bytes.length)
  const start = page.length
  bytes.copy(page.bytes, start)
  page.length += bytes.length
  for (let i = 0; i < places.length; i++) {
    const at = i < seen.length ? seen[i]!.lastSeenAt : newestSighting(seen)
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
