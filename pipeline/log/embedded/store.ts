/**
 * The storage under the embedded log: one LMDB environment with the entries of every topic in offset order, the rows of
 * topics and groups, and the process that writes. A commit writes only its own records. The only
 * background work is `compaction.ts`.
 */

import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, open, type Transaction } from 'lmdb'
import { LogCorruptError, LogLockedError } from '../log.ts'
import { isAsWritten, readHeader, scanEntry } from './entry.ts'
import {
  formatVersion,
  type GroupOffsets,
  type LogState,
  newLogState,
  newSecret,
  type TopicState,
  withNewEpoch,
} from './log-state.ts'
import { checkFile, freeBytes, newestCommit } from './store-file.ts'
import { isOfEarlierBoot } from './structure.ts'
import { type TopicNote, writeTopicNotes } from './topic-notes.ts'
import { createTransactions } from './transactions.ts'
import { hasLock, openWriterLock, type WriterLock } from './writer-lock.ts'
import { isAlive, isElsewhere, isThisProcess, thisProcess, type Writer } from './writer-process.ts'

export interface Snapshot {
  readonly transaction: Transaction
}

export type Store = Awaited<ReturnType<typeof openStore>>

function lockedBy(writer: Writer, path: string) {
  const place = isElsewhere(writer) ? ' of another container' : ''
  return new LogLockedError(
    `process ${writer.pid}${place} writes to the log in ${path}: stop it, or give this one another data directory by OVERROUND_DATA_DIR`,
  )
}

/**
 * Opens the store in a directory, and creates it where it is missing.
 * @param reserveBytes a new store is created only if the disk has at least this much free
 * @param onFault called with a failure that loses nothing
 * @throws LogLockedError; LogCorruptError; Error for a directory that holds something else, a log of
 * another format, or no room for one
 */
export async function openStore(
  path: string,
  reserveBytes: number,
  onFault: (fault: Error) => void = () => {},
) {
  await mkdir(path, { recursive: true })
  const doubtful = await checkFile(path)
  // If LMDB cannot create its files, it waits for ever or crashes.
  if (!existsSync(join(path, 'lock.mdb')) && freeBytes(path) < reserveBytes) {
    throw new Error('the disk is full, and its files are still to be made; make room on it')
  }
  const env = open(path, {
    noSubdir: false,
    encoding: 'json',
    maxDbs: 4,
    maxReaders: 512,
    // If true, lmdb-js makes a second promise, whose rejection cannot be handled.
    eventTurnBatching: false,
  })
  // LMDB returns to an older commit only if no other process has the store open. Beside a writer,
  // the newest commit is whole and stays.
  const hasLostCommits = doubtful !== null && newestCommit(path) < doubtful
  const file = join(path, 'data.mdb')
  const existing = hasLock(path) ? openWriterLock(path, reserveBytes) : null
  const isBeforeBoot = isOfEarlierBoot(file) && !existing?.isHeld()
  const transactions = createTransactions(env)
  const state: Database = env.openDB('state', { encoding: 'json' })
  const entries: Database<Buffer, [number, number]> = env.openDB('entries', { encoding: 'binary' })
  const writerRow = () => state.get('writer') as Writer | undefined
  /**
   * Returns the writer if it is another process with the id of this one, as in another container. LMDB tells readers
   * apart by process id, so the next read beside that writer would fail.
   */
  const namesakeOf = (row: Writer | undefined, lock: WriterLock | null) =>
    row?.pid === process.pid && !isThisProcess(row) && isAlive(row, lock) ? row : undefined

  const {
    epoch,
    continues = [],
    copiedTo = {},
    secret,
    format,
    checkedFrom,
    namesake,
  } = env.transactionSync(() => {
    const found = state.get('log') as LogState | undefined
    const writer = writerRow()
    // The system crashed under a writer: the disk may lack its last commits without a trace.
    const wasCutOff = writer !== undefined && isBeforeBoot && isOfEarlierBoot(file)
    // Readers may have records of the lost commits, and new records will get their offsets.
    const isAnew = found !== undefined && (hasLostCommits || wasCutOff)
    const log = isAnew ? withNewEpoch(found, state) : (found ?? newLogState())
    const isOlder = log.checkedFrom === undefined || log.secret === undefined
    // The row may be from before checksums, or from before secrets.
    log.checkedFrom ??= ((state.get('commit') as number | undefined) ?? 0) + 1
    const secret = log.secret ?? newSecret()
    // On a full disk only this process knows the secret.
    const hasRoom = freeBytes(path) >= reserveBytes
    if (!found || isAnew || (isOlder && hasRoom)) state.put('log', { ...log, secret })
    return { ...log, secret, namesake: namesakeOf(writer, existing) }
  })
  await existing?.release()
  if (namesake) {
    await env.close()
    throw lockedBy(namesake, path)
  }
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

  /** @param compacted a topic that is about to be compacted, and up to which offset */
  function noteTopics(compacted?: { readonly name: string; readonly to: number }) {
    const notes: Record<string, TopicNote> = {}
    for (const { key, value } of state.getRange({ start: ['topic'], end: ['topic', '\uffff'] })) {
      const [, name] = key as unknown as [string, string]
      const { id, clean, resumable, schemas } = value as TopicState
      const sweptTo = name === compacted?.name ? compacted.to : 0
      // An unfinished compaction has moved only `resumable`.
      notes[name] = { id, clean: Math.max(clean, resumable, sweptTo), schemas }
    }
    writeTopicNotes(path, notes)
  }

  let lock: WriterLock | null = null
  let hasNewTopics = false
  let isNotingFailing = false

  /** Notes the topics after a commit. If this fails, the commit holds, and the next one does it. */
  function noteNewTopics() {
    try {
      noteTopics()
      hasNewTopics = false
      isNotingFailing = false
    } catch (error) {
      if (!isNotingFailing) onFault(error as Error)
      hasNewTopics = true
      isNotingFailing = true
    }
  }

  /** Yields the entries stored at offsets from `from` to before `to`, as copies to be kept. */
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

  /** Does the same from the last entry that begins at or before `from`. */
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
    entriesFrom,
    noteTopics,

    /** Returns the first offset of the last entry stored above `after`, up to `at`; null where there is none. */
    entryBefore(topicId: number, at: number, after: number): number | null {
      const range = { start: [topicId, at], end: [topicId, after], reverse: true, limit: 1 }
      const [last] = entries.getKeys(range as never)
      return last?.[1] ?? null
    },
    /** Makes one change as a transaction. */
    changeAlone: transactions.alone,
    /** Makes changes in one transaction, each whole or not at all (`Transactions.each`). */
    async changeEach(changes: readonly (() => void)[]) {
      const failures = await transactions.each(changes)
      if (hasNewTopics) noteNewTopics()
      return failures
    },
    /** Resolves once the disk has everything committed. */
    flushed: () => env.flushed,
    /** Renews the view: until the caller next waits, all reads see one state of the log. */
    renew: () => env.resetReadTxn(),
    /** Returns a state of the log that stays readable until `done`; its pages are not reused. */
    snapshot() {
      env.resetReadTxn()
      return env.useReadTransaction()
    },
    /** Returns when the first record from an offset on was written (epoch ms); null where there is none. */
    writtenAt({ id, end }: TopicState, from: number): number | null {
      if (from >= end) return null
      for (const { entry } of readEntries(id, from, end)) return readHeader(entry).writtenAt
      return null
    },
    /** Returns when the newest entry of all topics was written (epoch ms); 0 for an empty log. */
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

    /** Within a transaction: returns the topic, created when it is new, and the id of its schema. */
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
      // A log may be from before topics stored their size.
      topic.bytes ??= bytesOf(topic)
      const known = topic.schemas.indexOf(schema)
      hasNewTopics ||= known < 0
      return { topic, schemaId: known < 0 ? topic.schemas.push(schema) - 1 : known }
    },
    putTopic: (name: string, topic: TopicState) => state.put(['topic', name], topic),
    putEntry: (topicId: number, first: number, entry: Buffer) =>
      entries.put([topicId, first], entry),
    removeEntry: (topicId: number, first: number) => entries.remove([topicId, first]),
    putCommitNumber: (commit: number) => state.put('commit', commit),
    putGroupOffsets: (group: string, offsets: GroupOffsets) => state.put(['group', group], offsets),

    /**
     * Within a transaction: drops entries written before `before`, then the oldest while the topic is larger than
     * `longestBytes`; at most `limit` entries, so that no write pays for many.
     */
    trim(topic: TopicState, before: number, longestBytes: number, limit: number) {
      for (let dropped = 0; dropped < limit; dropped++) {
        if (topic.oldestAt >= before && topic.bytes <= longestBytes) return
        const range = { start: [topic.id, 0], end: [topic.id, topic.end], limit: 2 }
        const [first, second] = [...entries.getRange(range)]
        // The last entry stays, because it has the topic's latest offsets and times.
        if (!first || !second) return
        topic.oldestAt = readHeader(first.value).writtenAt
        if (topic.oldestAt >= before && topic.bytes <= longestBytes) return
        entries.remove(first.key)
        // Records are counted one by one, because a repaired log may have gaps in its offsets.
        scanEntry(first.value, first.key[1], () => {
          topic.records--
        })
        topic.bytes -= first.value.length
        topic.resumable = second.key[1]
        topic.clean = second.key[1]
        topic.oldestAt = readHeader(second.value).writtenAt
      }
    },

    /**
     * Makes this process the log's writer. The lock is taken in the transaction that replaces the row of the former
     * writer, so a lock that is held is always that of the row's process.
     * @throws LogLockedError while another process is
     */
    async claimWriter() {
      const claimed = openWriterLock(path, reserveBytes)
      try {
        await transactions.alone(() => {
          const writer = writerRow()
          const isMine = writer !== undefined && isThisProcess(writer)
          if (writer && !isMine && isAlive(writer, claimed)) throw lockedBy(writer, path)
          claimed?.take()
          state.put('writer', { ...thisProcess(), handles: isMine ? writer.handles + 1 : 1 })
        })
        lock = claimed
      } finally {
        if (lock !== claimed) await claimed?.release()
      }
      noteNewTopics()
    },
    releaseWriter: () =>
      transactions.alone(() => {
        const writer = writerRow()
        if (!writer || !isThisProcess(writer)) return
        if (writer.handles > 1) state.put('writer', { ...writer, handles: writer.handles - 1 })
        else state.remove('writer')
      }),

    async close() {
      await lock?.release()
      await env.close()
    },
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
