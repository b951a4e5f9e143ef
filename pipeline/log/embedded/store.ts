/**
 * The storage under the embedded log: one LMDB environment with the entries of every topic in
 * offset order, the state of topics and groups, and who writes. Its one background work is
 * compaction, done as a log cleaner does it: note the newest offset of every key in a window of
 * the tail, then walk the topic from its oldest entry and leave out what the window supersedes.
 * Nothing moves and order stays, so reads need no second structure, a commit writes only itself,
 * and a cleaner that dies half-way has changed nothing that a replay shows.
 */

import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, renameSync, statfsSync, writeFileSync } from 'node:fs'
import { mkdir, open as openFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'
import { type Database, open, type Transaction } from 'lmdb'
import { LogCorruptError, LogLockedError } from '../log.ts'
import {
  createEntryBuilder,
  fullEntryBytes,
  isAsWritten,
  readHeader,
  scanEntry,
  writeHeader,
} from './entry.ts'
import { checkStructure } from './structure.ts'

/** Of the store and of the rows in it, which have no schema of their own beside them. */
const formatVersion = 2
const stepBytes = 1_048_576
/** Smaller entries that compaction passes are put together with their neighbours. */
const smallEntryBytes = fullEntryBytes / 4
/** Bounds the memory of a compaction: the keys of one window. */
const largestWindow = 524_288
/** A compaction that has shown no progress for so long is dead, and another may start. */
const compactionLeaseMs = 10_000

/** What is known of a topic. Offsets count its records from 0. */
export interface TopicState {
  readonly id: number
  /** The next offset. */
  end: number
  /** Reading on from an offset below this may miss records that compaction or age took. */
  resumable: number
  /** Below this there is at most one record a key and no tombstone. */
  clean: number
  /** Records stored. */
  records: number
  /** What its entries weigh. */
  bytes: number
  /** The schemas its values were written in, as JSON; a schema's id is its index. */
  readonly schemas: string[]
  /** When the oldest entry was written (epoch ms), for topics kept by age. */
  oldestAt: number
  compaction: { readonly token: string; renewedAt: number } | null
}

export type GroupOffsets = Readonly<Record<string, number>>

export interface LogState {
  readonly format: number
  readonly epoch: string
  /** The epochs of the logs that this one is a copy of, the oldest first. */
  readonly continues?: readonly string[]
  /** By epoch of these, where each topic ended in the copy. */
  readonly copiedTo?: Readonly<Record<string, Readonly<Record<string, number>>>>
  secret?: string
  /** Entries of this commit and later ones have a checksum. */
  checkedFrom?: number
}

const newSecret = () => randomBytes(32).toString('base64url')

export function newLogState(): LogState {
  return { format: formatVersion, epoch: randomUUID(), checkedFrom: 0, secret: newSecret() }
}

export interface Writer {
  readonly pid: number
  /** Tells a process from a later one with its id; null where the system does not say. */
  readonly startedAt: string | null
  readonly handles: number
}

/** What a note beside the store keeps of a topic: without it, nothing tells whose the entries are of a store that lost its state. */
export interface TopicNote {
  readonly id: number
  /** At least the topic's own. */
  readonly clean: number
  readonly schemas: readonly string[]
}

const noteName = 'topics.json'

/** By topic; empty where there is no note that can be read. */
export function readTopicNotes(path: string): ReadonlyMap<string, TopicNote> {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(join(path, noteName), 'utf8'))))
  } catch {
    return new Map()
  }
}

export interface Snapshot {
  readonly transaction: Transaction
}

export type Store = Awaited<ReturnType<typeof openStore>>

const processStartedAt = (pid: number) => {
  const path = `/proc/${pid}/stat`
  if (!existsSync(path)) return null
  // The name in the second field may hold spaces and brackets; the start is the 22nd field.
  const stat = readFileSync(path, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
}

export function isAlive({ pid, startedAt }: Writer) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  return startedAt === null || processStartedAt(pid) === startedAt
}

/** How the first page of an LMDB file begins: the mark is that of its writers, in its second field. */
const fileMark = { at: 24, magic: 0xbeefc0de, version: 2 } as const

/**
 * For a directory that has to have a store.
 * @throws Error where there is none, or its file is damaged
 */
export async function requireWholeStore(path: string) {
  const found = await stat(join(path, 'data.mdb')).catch(() => null)
  if (!found?.size) throw new Error('its data.mdb is missing or empty')
  await checkFile(path)
}

/**
 * LMDB itself ends the process with a fault on a file that is not its own, or of another version.
 * @throws Error for such a file
 */
async function checkFile(path: string) {
  const file = await openFile(join(path, 'data.mdb')).catch(() => null)
  if (!file) return
  const { at, magic, version } = fileMark
  const head = Buffer.alloc(at + 8)
  try {
    const { bytesRead } = await file.read(head, 0, head.length, 0)
    const isOurs = head.readUInt32LE(at) === magic && head.readUInt16LE(at + 4) === version
    // An empty file is one that was about to be made.
    if (bytesRead > 0 && !isOurs) throw new Error('its data.mdb is no file of this version’s LMDB')
  } finally {
    await file.close()
  }
  // Threads open what the process has opened whole.
  if (isMainThread) checkStructure(join(path, 'data.mdb'))
}

/** What systems say when a write finds no room: ENOSPC and EDQUOT. */
export const noRoomCodes: ReadonlySet<unknown> = new Set([28, 122])

/** Bytes that the file system of a directory has free for us. */
export function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize
}

/** Long after lmdb-js says why a commit failed: it says so in the same turn. */
const longestCauseMs = 1_000

/**
 * lmdb-js keeps why a commit failed in a promise beside the error; the process would end by it,
 * unhandled.
 */
async function causeOf(error: unknown): Promise<unknown> {
  const { commitError } = error as { commitError?: Promise<unknown> }
  if (commitError === undefined) return error
  const cause = commitError.then(
    () => error,
    (thrown: unknown) => thrown,
  )
  return Promise.race([cause, delay(longestCauseMs, error, { ref: false })])
}

/**
 * @param reserveBytes to make a new one, the disk has to have more free
 * @throws Error for a directory that holds something else, a log of another format, or no room for one
 */
export async function openStore(path: string, reserveBytes: number) {
  await mkdir(path, { recursive: true })
  await checkFile(path)
  // LMDB waits for ever, or faults, where it cannot make its files.
  if (!existsSync(join(path, 'lock.mdb')) && freeBytes(path) < reserveBytes) {
    throw new Error('the disk is full, and its files are still to be made; make room on it')
  }
  const env = open(path, {
    noSubdir: false,
    encoding: 'json',
    maxDbs: 4,
    maxReaders: 512,
    // Its batch by turns makes a promise of its own, whose rejection nobody could handle.
    eventTurnBatching: false,
  })
  const state: Database = env.openDB('state', { encoding: 'json' })
  const entries: Database<Buffer, [number, number]> = env.openDB('entries', { encoding: 'binary' })

  const {
    epoch,
    continues = [],
    copiedTo = {},
    secret,
    format,
    checkedFrom,
  } = env.transactionSync(() => {
    const found = state.get('log') as LogState | undefined
    const log = found ?? newLogState()
    const isOlder = log.checkedFrom === undefined || log.secret === undefined
    // Of before there were checksums, and of before there was a secret.
    log.checkedFrom ??= ((state.get('commit') as number | undefined) ?? 0) + 1
    const secret = log.secret ?? newSecret()
    // On a full disk the secret is of this process alone.
    const hasRoom = freeBytes(path) >= reserveBytes
    if (!found || (isOlder && hasRoom)) state.put('log', { ...log, secret })
    return { ...log, secret }
  })
  if (format !== formatVersion) {
    await env.close()
    throw new Error(
      `it has format ${format}, and this version reads format ${formatVersion} alone; move it away, or name another directory`,
    )
  }

  const findTopic = (name: string, snapshot?: Snapshot) =>
    state.get(['topic', name], snapshot) as TopicState | undefined

  function nameOf(topicId: number): string {
    for (const { key, value } of state.getRange({ start: ['topic'], end: ['topic', '\uffff'] })) {
      if ((value as TopicState).id === topicId) return (key as unknown as string[])[1] ?? ''
    }
    return `topic ${topicId}`
  }

  /**
   * Within a transaction: all of `change`, or nothing of it when it throws, which is thrown on.
   * Outside one, as a transaction of its own. lmdb-js keeps what a plain transaction has put before
   * it threw; only a child transaction undoes that, so every change to the log is made in one.
   */
  const change = <T>(action: () => T) => env.childTransaction(action)

  /** A transaction that fails, by whatever `change` or the disk throws, fails with the cause itself. */
  async function committed<T>(result: Promise<T>): Promise<T> {
    try {
      return await result
    } catch (error) {
      const cause = await causeOf(error)
      // After a commit that failed, `flushed` never resolves, until one has succeeded: one without changes does.
      if (cause !== error) await env.transaction(() => undefined).catch(causeOf)
      throw cause
    }
  }

  /** A change that is a transaction by itself. */
  const changeAlone = <T>(action: () => T) => committed(change(action) as Promise<T>)

  /**
   * Notes the topics, and of one that is about to be compacted how far. A disk without room keeps the note
   * there is, until the next time.
   */
  function noteTopics(compacted?: { readonly name: string; readonly to: number }) {
    const notes: Record<string, TopicNote> = {}
    for (const { key, value } of state.getRange({ start: ['topic'], end: ['topic', '\uffff'] })) {
      const [, name] = key as unknown as [string, string]
      const { id, clean, schemas } = value as TopicState
      notes[name] = { id, clean: name === compacted?.name ? compacted.to : clean, schemas }
    }
    const file = join(path, noteName)
    try {
      writeFileSync(`${file}.part`, JSON.stringify(notes))
      renameSync(`${file}.part`, file)
    } catch (error) {
      if (!noRoomCodes.has(Math.abs((error as NodeJS.ErrnoException).errno ?? 0))) throw error
    }
  }

  let hasNewTopics = false

  /** Entries stored under `from` and above, below `to`; whole in memory, and safe to keep. */
  function* entriesFrom(topicId: number, from: number, to: number, snapshot?: Snapshot) {
    const range = { start: [topicId, from], end: [topicId, to], ...snapshot }
    for (const { key, value } of entries.getRange(range)) {
      const mustHave = value.length >= 8 && value.readDoubleBE(0) >= (checkedFrom ?? 0)
      if (!isAsWritten(value, topicId, key[1], mustHave)) {
        throw new LogCorruptError(
          `the log in ${path} is damaged: the entry at offset ${key[1]} of ${nameOf(topicId)} is not as it was written`,
        )
      }
      yield { first: key[1], entry: value }
    }
  }

  /** The same, beginning with the entry that `from` lies in. */
  function readEntries(topicId: number, from: number, to: number, snapshot?: Snapshot) {
    const [holder] = entries.getKeys({
      start: [topicId, from],
      end: [topicId, -1],
      reverse: true,
      limit: 1,
      ...snapshot,
    })
    return entriesFrom(topicId, holder ? holder[1] : from, to, snapshot)
  }

  return {
    epoch,
    continues: continues.map((former) => ({ epoch: former, ends: copiedTo[former] ?? null })),
    secret,
    findTopic,
    readEntries,

    /**
     * Makes the changes in one transaction, each whole or, when it throws, not at all. Each may be
     * called twice.
     * @returns by index, what the changes that were left out threw
     */
    async changeEach(changes: readonly (() => void)[]) {
      const failures = new Map<number, unknown>()
      const changing = env.transaction(() => {
        try {
          change(() => {
            for (const action of changes) action()
          })
          return
        } catch {
          // All of it is undone. One by one then: too dear for the rule, and it finds who threw.
        }
        for (const [index, action] of changes.entries()) {
          try {
            change(action)
          } catch (error) {
            failures.set(index, error)
          }
        }
      })
      await committed(changing)
      if (hasNewTopics) {
        hasNewTopics = false
        noteTopics()
      }
      return failures
    },
    /** Resolves once the disk has all that is committed. */
    flushed: () => env.flushed,
    /** Everything read before the caller next waits comes from one state of the log. */
    renew: () => env.resetReadTxn(),
    /** A state of the log that stays readable until `done`, and keeps its pages from reuse. */
    snapshot() {
      env.resetReadTxn()
      return env.useReadTransaction()
    },
    /** When the first record from an offset on was written (epoch ms); null where there is none. */
    writtenAt({ id, end }: TopicState, from: number): number | null {
      if (from >= end) return null
      for (const { entry } of readEntries(id, from, end)) return readHeader(entry).writtenAt
      return null
    },
    /** When the newest entry of all topics was written (epoch ms); 0 of an empty log. */
    lastWrittenAt() {
      let last = 0
      for (const { value } of state.getRange({ start: ['topic'], end: ['topic', '\uffff'] })) {
        const { id, end } = value as TopicState
        const newest = { start: [id, end], end: [id, -1], reverse: true, limit: 1 }
        for (const { value: entry } of entries.getRange(newest as never)) {
          last = Math.max(last, readHeader(entry).writtenAt)
        }
      }
      return last
    },
    commitNumber: () => (state.get('commit') as number | undefined) ?? 0,
    groupOffsets: (group: string) =>
      (state.get(['group', group]) as GroupOffsets | undefined) ?? {},

    /** Within a transaction: the topic, made when it is new, and the id of its schema. */
    takeTopic(name: string, schema: string): { topic: TopicState; schemaId: number } {
      const topic = findTopic(name) ?? {
        id: nextTopicId(),
        end: 0,
        resumable: 0,
        clean: 0,
        records: 0,
        bytes: 0,
        schemas: [],
        oldestAt: 0,
        compaction: null,
      }
      // A log may be from before its topics knew their size.
      topic.bytes ??= bytesOf(topic)
      const known = topic.schemas.indexOf(schema)
      hasNewTopics ||= known < 0
      return { topic, schemaId: known < 0 ? topic.schemas.push(schema) - 1 : known }
    },
    putTopic: (name: string, topic: TopicState) => state.put(['topic', name], topic),
    putEntry: (topicId: number, first: number, entry: Buffer) =>
      entries.put([topicId, first], entry),
    putCommitNumber: (commit: number) => state.put('commit', commit),
    putGroupOffsets: (group: string, offsets: GroupOffsets) => state.put(['group', group], offsets),

    /**
     * Within a transaction: drops what was written before `before`, then the oldest of what the
     * topic weighs above `longestBytes`; at most `limit` entries, so that no write pays for many.
     */
    trim(topic: TopicState, before: number, longestBytes: number, limit: number) {
      for (let dropped = 0; dropped < limit; dropped++) {
        if (topic.oldestAt >= before && topic.bytes <= longestBytes) return
        const range = { start: [topic.id, 0], end: [topic.id, topic.end], limit: 2 }
        const [first, second] = [...entries.getRange(range)]
        // The last entry stays: it says where the topic's offsets and times are.
        if (!first || !second) return
        topic.oldestAt = readHeader(first.value).writtenAt
        if (topic.oldestAt >= before && topic.bytes <= longestBytes) return
        entries.remove(first.key)
        // Not what lies between their offsets: a log that was repaired may have gaps.
        scanEntry(first.value, first.key[1], () => {
          topic.records--
        })
        topic.bytes -= first.value.length
        topic.resumable = second.key[1]
        topic.clean = second.key[1]
        topic.oldestAt = readHeader(second.value).writtenAt
      }
    },

    /** Makes this process the log's writer. @throws LogLockedError while another one is. */
    async claimWriter() {
      await changeAlone(() => {
        const me = { pid: process.pid, startedAt: processStartedAt(process.pid) }
        const writer = state.get('writer') as Writer | undefined
        const mine = writer?.pid === me.pid && writer.startedAt === me.startedAt
        if (writer && !mine && isAlive(writer)) {
          throw new LogLockedError(
            `process ${writer.pid} writes to the log in ${path}: stop it, or give this one another data directory by OVERROUND_DATA_DIR`,
          )
        }
        state.put('writer', { ...me, handles: mine ? writer.handles + 1 : 1 })
      })
      noteTopics()
    },
    releaseWriter: () =>
      changeAlone(() => {
        const writer = state.get('writer') as Writer | undefined
        if (writer?.pid !== process.pid) return
        if (writer.handles > 1) state.put('writer', { ...writer, handles: writer.handles - 1 })
        else state.remove('writer')
      }),

    /**
     * A compaction of the topic when it is due, as steps that each hold the storage for a few
     * milliseconds: `step` resolves to false when there is nothing more to do.
     */
    startCompaction(name: string, tailRecords: number, now: () => number) {
      const found = findTopic(name)
      if (!found || !compactionDue(found, tailRecords, now())) return null
      const token = randomUUID()
      const newest = createKeyOffsets()
      const { id, clean } = found
      let noted = clean
      let swept = 0
      let to = 0

      /** The topic within a transaction, while this compaction is still the one. */
      const ours = () => {
        const topic = findTopic(name)!
        if (topic.compaction?.token !== token) return null
        topic.compaction.renewedAt = now()
        return topic
      }

      const begin = () =>
        changeAlone(() => {
          const topic = findTopic(name)!
          if (!compactionDue(topic, tailRecords, now())) return false
          const limit = Math.min(topic.end - tailRecords, clean + largestWindow)
          const [boundary] = entries.getKeys({
            start: [id, limit],
            end: [id, clean],
            reverse: true,
            limit: 1,
          })
          if (!boundary || topic.clean !== clean) return false
          to = boundary[1]
          state.put(['topic', name], { ...topic, compaction: { token, renewedAt: now() } })
          noteTopics({ name, to })
          return true
        })

      const note = () => {
        let read = 0
        env.resetReadTxn()
        for (const { first, entry } of entriesFrom(id, noted, to)) {
          scanEntry(entry, first, (frame) => {
            newest.set(entry, frame.keyStart, frame.keyEnd, frame.offset)
            noted = frame.offset + 1
          })
          read += entry.length
          if (read > stepBytes)
            return new Promise<boolean>((resolve) => setImmediate(resolve, true))
        }
        noted = to
        return Promise.resolve(true)
      }

      const sweep = () =>
        changeAlone(() => {
          const topic = ours()
          if (!topic) return false
          // From here on the window loses records, so nobody may resume inside it.
          topic.resumable = Math.max(topic.resumable, to)
          const merged = createEntryBuilder()
          let mergedFirst = -1
          let mergedHeader = { commit: 0, writtenAt: 0, schemaId: -1 }
          const flush = () => {
            if (mergedFirst < 0) return
            const entry = merged.lend()
            writeHeader(entry, mergedHeader, id, mergedFirst)
            entries.put([id, mergedFirst], entry)
            topic.bytes += entry.length
            mergedFirst = -1
          }

          const batch: { first: number; entry: Buffer }[] = []
          let read = 0
          for (const some of entriesFrom(id, swept, to)) {
            batch.push(some)
            read += some.entry.length
            if (read > stepBytes) break
          }
          for (const { first, entry } of batch) {
            let dropped = 0
            const kept: boolean[] = []
            scanEntry(entry, first, ({ offset, keyStart, keyEnd, tombstone }) => {
              const keep = !tombstone && newest.get(entry, keyStart, keyEnd) <= offset
              if (!keep) dropped++
              kept.push(keep)
              swept = offset + 1
            })
            if (dropped === 0 && entry.length >= smallEntryBytes) {
              flush()
              continue
            }
            topic.records -= dropped
            topic.bytes -= entry.length
            entries.remove([id, first])
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
          }
          flush()
          const more = read > stepBytes
          if (!more) {
            topic.clean = to
            topic.compaction = null
          }
          state.put(['topic', name], topic)
          return more
        })

      return {
        async step(): Promise<boolean> {
          if (to === 0) return begin()
          return noted < to ? note() : sweep()
        },
        /** Leaves the rest to a later compaction, which need not wait for this one to be dead. */
        abandon: () =>
          changeAlone(() => {
            const topic = ours()
            if (topic) state.put(['topic', name], { ...topic, compaction: null })
            return false
          }),
      }
    },

    close: () => env.close(),
  }

  function bytesOf(topic: TopicState) {
    let bytes = 0
    for (const { entry } of entriesFrom(topic.id, 0, topic.end)) bytes += entry.length
    return bytes
  }

  function nextTopicId() {
    const id = ((state.get('topicCount') as number | undefined) ?? 0) + 1
    state.put('topicCount', id)
    return id
  }
}

/** A topic is compacted when its tail has outgrown the rest, so each record pays about twice. */
function compactionDue(topic: TopicState, tailRecords: number, now: number) {
  const tail = topic.end - topic.clean
  const rest = topic.records - tail
  const taken = topic.compaction && now - topic.compaction.renewedAt < compactionLeaseMs
  return !taken && tail >= 2 * tailRecords && tail - tailRecords >= rest
}

/**
 * The newest offset of each key, for hundreds of thousands of keys: bytes in flat memory, several
 * times faster here than a Map of strings, and nothing for the garbage collector to walk.
 */
export function createKeyOffsets() {
  let capacity = 1_024
  let count = 0
  let offsets = new Float64Array(capacity)
  let hashes = new Uint32Array(capacity)
  let ends = new Uint32Array(capacity)
  /** By hash, open addressing: 0 is free, else 1 + the index of a key. */
  let slots = new Uint32Array(2 * capacity)
  let keys = Buffer.allocUnsafe(32 * capacity)

  const hash = (bytes: Buffer, start: number, end: number) => {
    let value = 0x811c9dc5
    for (let at = start; at < end; at++) value = Math.imul(value ^ bytes[at]!, 0x01000193)
    // The last bytes of a key reach the low bits only; the slots are chosen by those.
    return Math.imul(value ^ (value >>> 15), 0x2c1b3c6d) >>> 0
  }

  const isKey = (index: number, bytes: Buffer, start: number, end: number) => {
    let at = index === 0 ? 0 : ends[index - 1]!
    if (ends[index]! - at !== end - start) return false
    for (let from = start; from < end; from++) if (keys[at++] !== bytes[from]) return false
    return true
  }

  /** The slot of a key, or the free one it would take. */
  const slotOf = (hashed: number, bytes: Buffer, start: number, end: number) => {
    const mask = slots.length - 1
    let slot = hashed & mask
    for (;;) {
      const index = slots[slot]! - 1
      if (index < 0 || (hashes[index] === hashed && isKey(index, bytes, start, end))) return slot
      slot = (slot + 1) & mask
    }
  }

  const grow = () => {
    capacity *= 2
    const before = { offsets, hashes, ends }
    offsets = new Float64Array(capacity)
    offsets.set(before.offsets)
    hashes = new Uint32Array(capacity)
    hashes.set(before.hashes)
    ends = new Uint32Array(capacity)
    ends.set(before.ends)
    slots = new Uint32Array(2 * capacity)
    const mask = slots.length - 1
    for (let index = 0; index < count; index++) {
      let slot = hashes[index]! & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = index + 1
    }
  }

  return {
    set(bytes: Buffer, start: number, end: number, offset: number) {
      const hashed = hash(bytes, start, end)
      const slot = slotOf(hashed, bytes, start, end)
      const found = slots[slot]! - 1
      if (found >= 0) {
        offsets[found] = offset
        return
      }
      const keyAt = count === 0 ? 0 : ends[count - 1]!
      const keyEnd = keyAt + end - start
      if (keyEnd > keys.length) {
        const grown = Buffer.allocUnsafe(2 * keyEnd)
        keys.copy(grown, 0, 0, keyAt)
        keys = grown
      }
      bytes.copy(keys, keyAt, start, end)
      offsets[count] = offset
      hashes[count] = hashed
      ends[count] = keyEnd
      slots[slot] = ++count
      if (count === capacity) grow()
    },
    /** The key's offset, or -1. */
    get(bytes: Buffer, start: number, end: number): number {
      const index = slots[slotOf(hash(bytes, start, end), bytes, start, end)]! - 1
      return index < 0 ? -1 : offsets[index]!
    },
  }
}
