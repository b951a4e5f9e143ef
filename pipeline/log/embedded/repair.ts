/**
 * The repair of a damaged embedded log: a new file with every whole record (`salvage.ts`), at the same offsets. The
 * damaged file stays beside it.
 *
 * The repaired log has its own epoch, so that no client resumes from an earlier position: it may
 * have rows that are lost. Offsets of lost records are not reused: the archive would take a new
 * record for one that it has.
 */

import { closeSync, openSync, readSync } from 'node:fs'
import { link, lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { open } from 'lmdb'
import { invariant } from '../../invariant.ts'
import { LogLockedError } from '../log.ts'
import { beginAnew } from './backup.ts'
import { newLogState, type TopicState } from './log-state.ts'
import { giveTo, giveToLogOwner } from './owner.ts'
import { type EntryPlace, type Salvage, type SalvagedTopic, salvage } from './salvage.ts'
import { newestTransaction } from './structure.ts'
import { isAliveIn } from './writer-process.ts'

export interface Loss {
  readonly topic: string
  /** The number of whole records. */
  readonly kept: number
  /** The number of lost records; null when it cannot be determined. */
  readonly lost: number | null
  /** Offset ranges of the lost records, [from, to). */
  readonly within: readonly (readonly [from: number, to: number])[]
}

export interface Repair {
  /** Where the damaged file and this report are kept; null for a whole log, whose file stays. */
  readonly damagedAt: string | null
  /** The damage, in sentences. */
  readonly damage: readonly string[]
  readonly losses: readonly Loss[]
  /** Whole records that cannot be read because the name of their topic is lost. */
  readonly namelessRecords: number
  readonly kept: number
  /** How many whole rows were removed because they depend on a lost row. */
  readonly orphans: number
}

const entriesAtOnce = 1_024
/** More records than a log accepts between two flushes to the disk. */
const skippedOffsets = 2 ** 24

/**
 * @param path the directory of the log
 * @param groups the groups that read the repaired log again from the oldest record kept
 * @param takeOutOrphans removes rows that depend on lost rows from the whole log in a directory,
 * and returns their number
 * @throws LogLockedError while a process writes to it
 * @throws LogCorruptError if nothing in the file is readable
 * @throws LogFullError for a disk without room; the log stays as it was
 */
export async function repairLog(
  path: string,
  groups: readonly string[],
  now: Date,
  takeOutOrphans: (path: string) => Promise<number>,
): Promise<Repair> {
  const file = join(path, 'data.mdb')
  const before = newestTransaction(file)
  const found = salvage(file)
  if (found.writer && (await isAliveIn(path, found.writer))) {
    throw new LogLockedError(
      `process ${found.writer.pid} writes to the log in ${path}: stop it first`,
    )
  }
  const losses = found.topics.map(lossOf).filter((loss) => loss !== null)
  const disagreeing = found.topics.filter(
    ({ state, entries, unread }) => unread.length === 0 && recordsOf(entries) !== state.records,
  )
  const report = {
    damage: [
      ...found.damage,
      ...disagreeing.map(({ name }) => `the row of ${name} does not say what its entries hold`),
    ],
    losses,
    namelessRecords: found.namelessRecords,
    kept: recordsOf(found.topics.flatMap(({ entries }) => entries)),
  }
  // A repair by an earlier version may have ended before orphans were removed.
  if (report.damage.length === 0) {
    try {
      return { damagedAt: null, ...report, orphans: await takeOutOrphans(path) }
    } finally {
      await giveToLogOwner(path)
    }
  }

  const staging = `${path}.repairing`
  await rm(staging, { recursive: true, force: true })
  await mkdir(staging)
  try {
    await writeWhole(file, found, staging)
    await beginAnew(staging, groups)
    const written = salvage(join(staging, 'data.mdb'))
    const kept = recordsOf(written.topics.flatMap(({ entries }) => entries))
    invariant(written.damage.length === 0 && kept === report.kept, 'a repaired log is whole')
    const repair = { ...report, orphans: await takeOutOrphans(staging) }
    // The row of the writer may be damaged too.
    if (newestTransaction(file) !== before) {
      throw new LogLockedError(`a process writes to the log in ${path}: stop it first`)
    }
    const damagedAt = `${path}.damaged-${now.toISOString().replaceAll(':', '')}`
    await mkdir(damagedAt)
    // The file gets a second name first: if this process ends now, it still has its own name.
    await link(file, join(damagedAt, 'data.mdb'))
    await writeFile(join(damagedAt, 'repair.json'), `${JSON.stringify(repair, null, 2)}\n`)
    const owner = await lstat(file)
    await giveTo(owner, damagedAt)
    await giveTo(owner, staging)
    await rm(join(path, 'lock.mdb'), { force: true })
    await rename(join(staging, 'data.mdb'), file)
    return { damagedAt, ...repair }
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

const recordsOf = (entries: readonly EntryPlace[]) =>
  entries.reduce((sum, { records }) => sum + records, 0)

function lossOf({ name, state, isCurrent, entries, unread }: SalvagedTopic): Loss | null {
  const kept = recordsOf(entries)
  const lost = state.records - kept
  const span = unread.reduce((sum, [from, to]) => sum + to - from, 0)
  if (isCurrent && (lost === 0 || span === 0)) return null
  const isKnown = isCurrent && lost > 0 && lost <= span
  return { topic: name, kept, lost: isKnown ? lost : null, within: unread }
}

async function writeWhole(from: string, found: Salvage, to: string) {
  const env = open(to, { noSubdir: false, encoding: 'json', maxDbs: 4 })
  const file = openSync(from, 'r')
  try {
    const state = env.openDB('state', { encoding: 'json' })
    const stored = env.openDB<Buffer, [number, number]>('entries', { encoding: 'binary' })
    for (const topic of found.topics) {
      const { id } = topic.state
      for (let index = 0; index < topic.entries.length; index += entriesAtOnce) {
        await env.transaction(() => {
          for (const { first, at, bytes } of topic.entries.slice(index, index + entriesAtOnce)) {
            const entry = Buffer.allocUnsafe(bytes)
            readSync(file, entry, 0, bytes, at)
            stored.put([id, first], entry)
          }
        })
      }
    }
    const ends = new Map(found.topics.map((topic) => [topic.name, endOf(topic, found.isNewest)]))
    const commits = found.topics.flatMap(({ entries }) => entries.map(({ commit }) => commit))
    await env.transaction(() => {
      state.put('log', found.log ?? newLogState())
      state.put(
        'commit',
        commits.reduce((most, commit) => Math.max(most, commit), 0),
      )
      state.put('topicCount', Math.max(0, ...found.topics.map((topic) => topic.state.id)))
      for (const topic of found.topics) {
        state.put(['topic', topic.name], stateOf(topic, ends.get(topic.name)!))
      }
      for (const [group, offsets] of found.groups) {
        const moved = Object.entries(offsets).flatMap(([name, offset]) => {
          const topic = found.topics.find((one) => one.name === name)
          if (!topic) return []
          // If not, all records that the group still had to read are lost.
          const isBehind = offset < (topic.entries.at(-1)?.end ?? 0)
          return [[name, isBehind ? offset : ends.get(name)!] as const]
        })
        state.put(['group', group], Object.fromEntries(moved))
      }
    })
    await env.flushed
  } finally {
    closeSync(file)
    await env.close()
  }
}

function endOf({ state, isCurrent, entries }: SalvagedTopic, isNewest: boolean): number {
  const end = Math.max(state.end, entries.at(-1)?.end ?? 0)
  return isCurrent && isNewest ? end : end + skippedOffsets
}

function stateOf({ state, entries }: SalvagedTopic, end: number): TopicState {
  return {
    ...state,
    end,
    records: recordsOf(entries),
    bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0),
    oldestAt: entries[0]?.writtenAt ?? 0,
    compaction: null,
  }
}
