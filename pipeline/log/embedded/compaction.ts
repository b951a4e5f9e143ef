/**
 * Compaction of one topic, as a log cleaner does it: note the newest offset of every key in a window of the tail, then
 * walk the topic from its oldest entry and leave out the records that the window supersedes.
 * Records keep their offsets and order, so reads need no second structure. If the cleaner dies
 * half-way, a replay still gives the same rows.
 */

import { randomUUID } from 'node:crypto'
import { createEntryBuilder, fullEntryBytes, readHeader, scanEntry, writeHeader } from './entry.ts'
import { createKeyOffsets } from './key-offsets.ts'
import type { TopicState } from './log-state.ts'
import type { Store } from './store.ts'

/** Bytes of entries that one step reads before it lets others use the store. */
const stepBytes = 1_048_576
/** Smaller entries that compaction passes are merged with their neighbours. */
const smallEntryBytes = fullEntryBytes / 4
/** The most keys of one window, which bounds the memory of a compaction. */
const largestWindow = 524_288
/** The time after its begin or last sweep when a compaction counts as dead: another may start. */
const compactionLeaseMs = 10_000

export interface Compaction {
  /** Holds the store for a few milliseconds. @returns false when there is nothing more to do */
  step(): Promise<boolean>
  /** Leaves the rest to a later compaction, which need not wait until this one counts as dead. */
  abandon(): Promise<boolean>
}

/** @returns null while the topic needs no compaction */
export function startCompaction(
  store: Store,
  name: string,
  tailRecords: number,
  now: () => number,
): Compaction | null {
  const found = store.findTopic(name)
  if (!found || !isDue(found, tailRecords, now())) return null
  const token = randomUUID()
  const newest = createKeyOffsets()
  const { id, clean } = found
  let notedTo = clean
  let sweptTo = 0
  /** The end of the window; 0 until the first step. */
  let windowEnd = 0

  /** Within a transaction: returns the topic, or null when another compaction has taken over. */
  function takeOwnTopic(): TopicState | null {
    const topic = store.findTopic(name)!
    if (topic.compaction?.token !== token) return null
    topic.compaction.renewedAt = now()
    return topic
  }

  const begin = () =>
    store.changeAlone(() => {
      const topic = store.findTopic(name)!
      if (!isDue(topic, tailRecords, now())) return false
      const limit = Math.min(topic.end - tailRecords, clean + largestWindow)
      const boundary = store.entryBefore(id, limit, clean)
      if (boundary === null || topic.clean !== clean) return false
      windowEnd = boundary
      store.putTopic(name, { ...topic, compaction: { token, renewedAt: now() } })
      store.noteTopics({ name, to: windowEnd })
      return true
    })

  function noteKeys(): Promise<boolean> {
    let read = 0
    store.renew()
    for (const { first, entry } of store.entriesFrom(id, notedTo, windowEnd)) {
      scanEntry(entry, first, (frame) => {
        newest.set(entry, frame.keyStart, frame.keyEnd, frame.offset)
        notedTo = frame.offset + 1
      })
      read += entry.length
      if (read > stepBytes) return new Promise((resolve) => setImmediate(resolve, true))
    }
    notedTo = windowEnd
    return Promise.resolve(true)
  }

  const sweep = () =>
    store.changeAlone(() => {
      const topic = takeOwnTopic()
      if (!topic) return false
      // From here on the window loses records, so no reader may resume inside it.
      topic.resumable = Math.max(topic.resumable, windowEnd)
      const { batch, isLast } = readStep()
      const merger = createMerger(store, topic)
      for (const { first, entry } of batch) {
        const kept = keptOf(first, entry)
        const dropped = kept.reduce((count, isKept) => (isKept ? count : count + 1), 0)
        if (dropped === 0 && entry.length >= smallEntryBytes) {
          merger.flush()
          continue
        }
        topic.records -= dropped
        topic.bytes -= entry.length
        store.removeEntry(id, first)
        merger.add(first, entry, kept)
      }
      merger.flush()
      if (isLast) {
        topic.clean = windowEnd
        topic.compaction = null
      }
      store.putTopic(name, topic)
      return !isLast
    })

  function readStep() {
    const batch: { first: number; entry: Buffer }[] = []
    let read = 0
    for (const some of store.entriesFrom(id, sweptTo, windowEnd)) {
      batch.push(some)
      read += some.entry.length
      if (read > stepBytes) break
    }
    return { batch, isLast: read <= stepBytes }
  }

  /** Returns, by record of the entry, whether it stays. */
  function keptOf(first: number, entry: Buffer): boolean[] {
    const kept: boolean[] = []
    scanEntry(entry, first, ({ offset, keyStart, keyEnd, tombstone }) => {
      kept.push(!tombstone && newest.get(entry, keyStart, keyEnd) <= offset)
      sweptTo = offset + 1
    })
    return kept
  }

  return {
    async step() {
      if (windowEnd === 0) return begin()
      return notedTo < windowEnd ? noteKeys() : sweep()
    },
    abandon: () =>
      store.changeAlone(() => {
        const topic = takeOwnTopic()
        if (topic) store.putTopic(name, { ...topic, compaction: null })
        return false
      }),
  }
}

/** Merges the kept records of neighbouring entries. */
function createMerger(store: Store, topic: TopicState) {
  const merged = createEntryBuilder()
  let mergedFirst = -1
  let mergedHeader = { commit: 0, writtenAt: 0, schemaId: -1 }

  function flush() {
    if (mergedFirst < 0) return
    const entry = merged.lend()
    writeHeader(entry, mergedHeader, topic.id, mergedFirst)
    store.putEntry(topic.id, mergedFirst, entry)
    topic.bytes += entry.length
    mergedFirst = -1
  }

  return {
    flush,
    add(first: number, entry: Buffer, kept: readonly boolean[]) {
      const header = readHeader(entry)
      if (header.schemaId !== mergedHeader.schemaId) flush()
      let index = 0
      scanEntry(entry, first, (frame) => {
        if (!kept[index++]) return
        if (merged.size >= fullEntryBytes) flush()
        if (mergedFirst < 0) {
          mergedFirst = frame.offset
          mergedHeader = { ...header, commit: frame.commit }
        }
        const commitStep = frame.commit - mergedHeader.commit
        merged.copy(frame.offset - mergedFirst, commitStep, entry, frame)
      })
    },
  }
}

/**
 * Returns whether a topic is due: when the records to clean are at least `tailRecords`, and at least
 * as many as the clean ones. So each record is written about twice.
 */
function isDue(topic: TopicState, tailRecords: number, now: number): boolean {
  const tail = topic.end - topic.clean
  const rest = topic.records - tail
  const isTaken = topic.compaction !== null && now - topic.compaction.renewedAt < compactionLeaseMs
  return !isTaken && tail >= 2 * tailRecords && tail - tailRecords >= rest
}
