/**
 * The only module that writes records. Waiting writes are committed together, each whole or not at all; between
 * commits topics are compacted.
 */

import { LogCorruptError, LogFullError, LogUnavailableError } from '../log.ts'
import type { CommitSignal } from './commit-signal.ts'
import { type Compaction, startCompaction } from './compaction.ts'
import type { DiskRoom } from './disk-room.ts'
import type { EncodedRun } from './encoded-runs.ts'
import { writeHeader } from './entry.ts'
import type { Store } from './store.ts'

export interface WriterOptions {
  /** The log's directory, for messages. */
  readonly path: string
  /** Whether commits wait for the disk. */
  readonly isFlushed: boolean
  readonly tailRecords: number
  readonly longestAgeMs: number
  readonly longestBytes: number
  readonly clock: () => number
  /** Called with a failure that loses no data. */
  readonly onFault: (fault: Error) => void
}

/** The moves of a group's offsets with a commit, by topic. */
export interface GroupMove {
  readonly group: string
  readonly offsets: ReadonlyMap<string, OffsetMove>
}

export interface OffsetMove {
  /** The offset that must be stored before the move; undefined for none. */
  readonly from: number | undefined
  readonly to: number
}

export interface LogWriter {
  /** Makes this process the writer. @throws LogLockedError while another one is */
  claim(): Promise<unknown>
  /** Resolves once the runs, and the move of a group, are committed. */
  write(runs: readonly EncodedRun[], move?: GroupMove): Promise<void>
  /** Refuses further writes, and resolves when those in progress have ended. */
  close(): Promise<void>
}

interface Job {
  readonly runs: readonly EncodedRun[]
  readonly move?: GroupMove
  resolve(): void
  reject(error: Error): void
}

/** A write may trim this many entries more than it adds. */
const trimmedEntries = 4

export function createWriter(
  store: Store,
  commits: CommitSignal,
  room: DiskRoom,
  options: WriterOptions,
): LogWriter {
  const { path, tailRecords, longestAgeMs, longestBytes, clock, onFault } = options
  const jobs: Job[] = []
  const compactions = new Map<string, Compaction>()
  let claiming: Promise<unknown> | undefined
  let writing: Promise<void> | undefined
  let isClosing = false
  /** Topics whose last compaction failed: a repeated failure is not reported. */
  const failing = new Set<string>()
  /** The damage that a compaction found. Nobody waits for a compaction, so the next write fails. */
  let corruption: Error | undefined

  /**
   * Returns the group's offsets after its move. @throws LogUnavailableError when the stored offsets differ from the
   * move's start
   */
  function movedOffsets({ group, offsets: moves }: GroupMove) {
    const offsets = { ...store.groupOffsets(group) }
    for (const [name, { from, to }] of moves) {
      const at = offsets[name]
      if (at !== from) {
        throw new LogUnavailableError(
          `group ${group} stands at ${at ?? 'nothing'} on ${name}, not at ${from ?? 'nothing'}: a batch was left out, or another member has moved it`,
        )
      }
      offsets[name] = to
    }
    return offsets
  }

  /** Writes one job within a transaction that undoes it on a throw. */
  function apply({ runs, move }: Job, commit: number) {
    const offsets = move && movedOffsets(move)
    const writtenAt = clock()
    for (const { topic, schema, entries } of runs) {
      const { topic: state, schemaId } = store.takeTopic(topic.name, schema)
      if (state.records === 0) state.oldestAt = writtenAt
      for (const { count, bytes } of entries) {
        writeHeader(bytes, { commit, writtenAt, schemaId }, state.id, state.end)
        store.putEntry(state.id, state.end, bytes)
        state.end += count
        state.records += count
        state.bytes += bytes.length
      }
      if (topic.retention !== 'compacted') {
        const before = writtenAt - Math.min(topic.retention.forMs, longestAgeMs)
        store.trim(state, before, longestBytes, trimmedEntries + entries.length)
      }
      store.putTopic(topic.name, state)
    }
    if (runs.length > 0) store.putCommitNumber(commit)
    if (offsets) store.putGroupOffsets(move.group, offsets)
  }

  /** Commits all waiting jobs, and resolves or rejects each. */
  async function commitJobs() {
    const taken = jobs.splice(0)
    const written: Job[] = []
    let commit = commits.announced()
    try {
      const failures = await store.changeEach(
        taken.map((job) => () => {
          const next = store.commitNumber() + 1
          apply(job, next)
          if (job.runs.length > 0) commit = next
        }),
      )
      if (options.isFlushed) await store.flushed()
      for (const [index, job] of taken.entries()) {
        if (failures.has(index)) job.reject(room.failureOf('write to', failures.get(index)))
        else written.push(job)
      }
    } catch (cause) {
      const failure = room.failureOf('write to', cause)
      for (const job of taken) job.reject(failure)
    }
    for (const job of written) job.resolve()
    if (written.length === 0) return
    commits.announce(commit)
    const compacted = written.flatMap(({ runs }) =>
      runs.filter(({ topic }) => topic.retention === 'compacted').map(({ topic }) => topic.name),
    )
    for (const name of new Set(compacted)) beginCompaction(name)
  }

  function beginCompaction(name: string) {
    if (compactions.has(name)) return
    try {
      const compaction = startCompaction(store, name, tailRecords, clock)
      if (compaction) compactions.set(name, compaction)
    } catch (cause) {
      noteFailedCompaction(name, cause)
    }
  }

  /** Reports a failed compaction: no data is lost, and a later compaction starts over. */
  function noteFailedCompaction(name: string, cause: unknown) {
    compactions.delete(name)
    const failure = room.failureOf(`compact ${name} in`, cause)
    if (cause instanceof LogCorruptError) corruption ??= failure
    else if (!(failure instanceof LogFullError) && !failing.has(name)) {
      failing.add(name)
      onFault(failure)
    }
  }

  async function writeAll() {
    try {
      await claim()
      while (jobs.length > 0 || compactions.size > 0) {
        if (jobs.length > 0) await commitJobs()
        for (const [name, compaction] of compactions) {
          try {
            const more = isClosing ? await compaction.abandon() : await compaction.step()
            if (more) continue
            compactions.delete(name)
            failing.delete(name)
          } catch (cause) {
            noteFailedCompaction(name, cause)
          }
        }
      }
    } catch (error) {
      for (const job of jobs.splice(0)) job.reject(error as Error)
    } finally {
      // In the same turn as the last look for jobs: a job that came in between would wait for ever.
      writing = undefined
    }
  }

  function claim() {
    claiming ??= store.claimWriter().catch((cause) => {
      claiming = undefined
      throw room.failureOf('write to', cause)
    })
    return claiming
  }

  return {
    claim,
    async write(runs, move) {
      if (isClosing) throw new LogUnavailableError(`the log in ${path} is closed`)
      if (corruption) {
        const failure = corruption
        corruption = undefined
        throw failure
      }
      room.require()
      const written = new Promise<void>((resolve, reject) => {
        jobs.push({ runs, ...(move && { move }), resolve, reject })
      })
      writing ??= writeAll()
      await written
    },
    async close() {
      isClosing = true
      await writing
      // On a full disk the writer's row stays; the next process sees that this one has ended.
      if (claiming) await claiming.then(store.releaseWriter).catch(() => {})
    },
  }
}
