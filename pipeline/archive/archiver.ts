/**
 * Copies records that tables do not keep from the log to the archive, each record once. It is a
 * group of the log: it inserts a batch and then commits its offsets. A crash may come between the
 * two. So at the start of an assignment it queries the archive's newest offset of each log
 * partition, and leaves out rows that exist. If the group is further than the archive (which may
 * have been restored), it reads records again from the archive's offset. A block is the rows of one
 * log partition and one month; ClickHouse takes it whole or not at all.
 *
 * Two processes may insert at once: the insert of a dead process can still be in progress, and a
 * suspended process goes on before it learns that it was replaced. So a block's name is the offset
 * before it. Of two blocks after the same offset, whatever their lengths, ClickHouse takes one and
 * silently drops the other. After each insert, the archiver queries the archive's newest offset. If
 * that is not the end of its block, it joins the group again: it cannot know which of the two
 * processes was replaced. ClickHouse stores a name before the rows: if it is killed in between, it
 * takes a block for known that it does not have. Such a block gets the next name.
 *
 * While the archive does not take a batch, the log keeps the records, and the archiver tries again.
 */

import { randomUUID } from 'node:crypto'
import type { ClosingLine } from '../../schemas/closing-line.ts'
import { topics } from '../../schemas/topics.ts'
import { sleep } from '../async/abort-signals.ts'
import { createMutex } from '../async/mutex.ts'
import { runEach } from '../async/run-each.ts'
import type { Assignment, Log, LogRecord } from '../log/log.ts'
import { type Archive, ArchiveError, type ArchiveRow, longestQuerySeconds } from './archive.ts'
import { type ArchiveGap, gapsOf, lackingFrom } from './archive-gaps.ts'
import { type ArchivedTable, archivedTables } from './archived-tables.ts'

export interface ArchiverOptions {
  readonly signal: AbortSignal
  /** The most rows of a block. */
  readonly blockRows?: number
  /** How long records may gather before they are inserted. */
  readonly fillMs?: number
  /** How long inserted rows may be invisible, because another replica of a cluster may respond. Default 0. */
  readonly unseenMs?: number
  /**
   * Called when all closes of a batch are inserted. It makes the rows that follow from them, before
   * the batch is committed.
   */
  readonly whenClosed?: (closes: readonly ClosingLine[]) => Promise<void>
  /** Called when the archive has taken a block. */
  readonly onInserted?: (rows: number, block: InsertedBlock) => void
  /** Called when the archive did not take a block, which is tried again. */
  readonly onWaiting?: (error: ArchiveError) => void
  /** Called at the start of an assignment for each topic that the archive does not fit. */
  readonly onGap?: (gap: ArchiveGap) => void
}

export interface InsertedBlock {
  readonly table: string
  /** The time of its oldest row (epoch ms). */
  readonly oldestAt: number
}

export const archiveGroup = 'archive'

/** The topics that it follows. */
export const archivedTopics = archivedTables.map(({ topic }) => topic)

const defaultBlockRows = 10_000
const defaultFillMs = 1_000
const firstPauseMs = 100
const lookAgainMs = 500
const longestPauseMs = 5_000

/** Runs until `signal` aborts. Rejects when the log fails. */
export async function runArchiver(
  log: Pick<Log, 'join' | 'epoch' | 'continues' | 'places'>,
  archive: Pick<Archive, 'insert' | 'query'>,
  options: ArchiverOptions,
): Promise<void> {
  const { blockRows = defaultBlockRows, fillMs = defaultFillMs, onInserted } = options
  const tables = new Map(archivedTables.map((table) => [table.topic.name, table]))
  // One after the other, whatever the partition of the closes.
  const exclusively = createMutex()

  async function archivePartition(assignment: Assignment, signal: AbortSignal) {
    const { partition, batches } = assignment
    const patience = { ...options, signal }
    const courses = await patiently(async () => {
      await noteLog(archive, log.epoch)
      return readCourses(archive, log, partition)
    }, patience)
    if (!courses) return
    const places = await log.places(archivedTopics, archiveGroup, partition)
    const reached = reachedIn(courses)
    const gaps = gapsOf(places, reached)
    for (const gap of gaps) options.onGap?.(gap)
    assignment.readAgain(lackingFrom(places, reached, gaps))
    for await (const batch of batches) {
      for (const block of blocksOf(batch.records, tables, log.epoch, courses)) {
        if (!(await insertBlock(archive, block, patience))) return
        onInserted?.(block.rows.length, { table: block.table.table, oldestAt: block.oldestAt })
      }
      const closes = closesOf(batch.records)
      const isDerived = await patiently(async () => {
        if (closes.length > 0) await exclusively(async () => options.whenClosed?.(closes))
        return true
      }, patience)
      if (!isDerived) return
      await batch.commit([])
      // Waits, to make few large inserts: each makes a part of the table, which the engine has to
      // merge.
      if (batch.records.length < blockRows) {
        await sleep(fillMs, signal)
      }
    }
  }

  while (!options.signal.aborted) {
    const joining = (signal: AbortSignal) =>
      log.join(archivedTopics, { group: archiveGroup, signal, maxRecords: blockRows })
    try {
      return await runEach(joining, archivePartition, options.signal)
    } catch (error) {
      if (!(error instanceof OtherBlockError)) throw error
    }
  }
}

/** Thrown when another block is in place of ours: one of the two owners has been replaced. */
class OtherBlockError extends Error {
  override readonly name = 'OtherBlockError'
}

/**
 * Returns the closes, even those that the archive has: a crash may have come before the rows that
 * follow from them.
 */
const closesOf = (records: readonly LogRecord[]) =>
  records.flatMap(({ topic, value }) =>
    topic.name === topics.closingLines.name && value !== null ? [value as ClosingLine] : [],
  )

/** Repeats the work until the archive has done it, after any `ArchiveError`. @returns null when stopped */
async function patiently<Value>(
  work: () => Promise<Value>,
  { signal, onWaiting }: ArchiverOptions,
): Promise<Value | null> {
  for (let pauseMs = firstPauseMs; !signal.aborted; ) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error
      onWaiting?.(error)
      await sleep(pauseMs, signal)
      pauseMs = Math.min(2 * pauseMs, longestPauseMs)
    }
  }
  return null
}

// ---- the progress of the archive

/** The rows of one table, log partition and month, in the order of the log. */
interface Course {
  readonly topic: string
  /** The newest offset in the archive; -1 for none. */
  reached: number
}

/** Courses by `courseKey`. */
type Courses = Map<string, Course>

/** The month of tables that are not partitioned. */
const noMonth = 0

const courseKey = (table: string, partition: number, month: number) =>
  `${table} ${partition} ${month}`

const progressLimits = {
  seconds: longestQuerySeconds,
  resultRows: 1e6,
  readRows: 1e11,
  memoryBytes: 4e9,
}

interface ReachedRow {
  readonly month: number
  /** As text, because an offset may exceed the exact range of a number. */
  readonly offset: string
}

/** Notes the log in the archive. The first row counts: it has the time when the log began. */
async function noteLog(archive: Pick<Archive, 'insert' | 'query'>, epoch: string): Promise<void> {
  const known = await archive.query(
    'SELECT 1 FROM logs WHERE log_epoch = {epoch:String} LIMIT 1',
    { epoch },
    progressLimits,
  )
  if (known.length === 0) await archive.insert('logs', `log ${epoch}`, [{ log_epoch: epoch }])
}

/** Reads the courses. After the end of the copy, the former log's offsets are of other records. */
async function readCourses(
  archive: Pick<Archive, 'query'>,
  { epoch, continues }: Pick<Log, 'epoch' | 'continues'>,
  partition: number,
): Promise<Courses> {
  const own = { epoch, end: null }
  const courses: Courses = new Map()
  for (const { table, topic, timeColumn } of archivedTables) {
    const former = continues.map(({ epoch, ends }) => {
      return { epoch, end: ends && (ends[topic.name] ?? 0) }
    })
    for (const { epoch, end } of [...former, own]) {
      const rows = await archive.query<ReachedRow>(
        `SELECT ${monthIn(timeColumn)} AS month, toString(max(log_offset)) AS offset
        FROM ${table}
        WHERE log_epoch = {epoch:String} AND log_partition = {partition:UInt16}
        ${end === null ? '' : 'AND log_offset < {end:Int64}'}
        GROUP BY month`,
        { epoch, partition, ...(end !== null && { end }) },
        progressLimits,
      )
      for (const { month, offset } of rows) {
        const key = courseKey(table, partition, month)
        const reached = Math.max(Number(offset), courses.get(key)?.reached ?? -1)
        courses.set(key, { topic: topic.name, reached })
      }
    }
  }
  return courses
}

/** Returns the newest archived offset by topic. */
function reachedIn(courses: Courses): ReadonlyMap<string, number> {
  const reached = new Map<string, number>()
  for (const course of courses.values()) {
    reached.set(course.topic, Math.max(course.reached, reached.get(course.topic) ?? -1))
  }
  return reached
}

// ---- blocks

interface BlockRow {
  readonly offset: number
  readonly row: ArchiveRow
  /** The row for the table beside it. */
  readonly beside: ArchiveRow | null
}

interface Block {
  readonly table: ArchivedTable
  readonly epoch: string
  readonly partition: number
  readonly month: number
  readonly course: Course
  /** The rows in the order of their offsets, all beyond the course's newest. */
  readonly rows: BlockRow[]
  oldestAt: number
  /** How many of its names the archive has stored without the rows. */
  lostNames: number
}

/** Returns the records of a batch that the archive does not have, by table, partition of the log and month. */
function blocksOf(
  records: readonly LogRecord[],
  tables: ReadonlyMap<string, ArchivedTable>,
  epoch: string,
  courses: Courses,
): Block[] {
  const blocks = new Map<string, Block>()
  for (const { topic, partition, offset, value } of records) {
    const table = tables.get(topic.name)
    if (!table || value === null) continue
    const row = value as never
    const month = table.timeColumn === null ? noMonth : monthOf(table.at(row))
    const key = courseKey(table.table, partition, month)
    let course = courses.get(key)
    if (!course) {
      course = { topic: topic.name, reached: -1 }
      courses.set(key, course)
    }
    if (offset <= course.reached) continue
    let block = blocks.get(key)
    if (!block) {
      const oldestAt = Number.POSITIVE_INFINITY
      block = { table, epoch, partition, month, course, rows: [], oldestAt, lostNames: 0 }
      blocks.set(key, block)
    }
    block.oldestAt = Math.min(block.oldestAt, table.at(row))
    const place = { log_epoch: epoch, log_partition: partition, log_offset: offset }
    const beside = table.beside?.columns(row, { log_epoch: epoch, log_offset: offset }) ?? null
    block.rows.push({ offset, row: { ...table.columns(row), ...place }, beside })
  }
  return [...blocks.values()]
}

/**
 * Inserts a block; first the rows of the table beside it, because a change refers to a known price.
 * @returns false when stopped
 */
async function insertBlock(
  archive: Pick<Archive, 'insert' | 'query'>,
  block: Block,
  options: ArchiverOptions,
): Promise<boolean> {
  const { table, rows } = block
  const beside = rows.map((row) => row.beside).filter((row) => row !== null)
  const besideName = randomUUID()
  let attempt = 0
  const isBesideIn = await patiently(async () => {
    // Duplicates of these rows do no harm, so each try has its own name.
    if (table.beside && beside.length > 0) {
      await archive.insert(table.beside.table, `${besideName} ${attempt++}`, beside)
    }
    return true
  }, options)
  if (!isBesideIn) return false
  const isIn = await patiently(async () => {
    await insertRows(archive, block, options)
    return true
  }, options)
  return isIn ?? false
}

/**
 * To be called again if the archive does not respond, or does not have the rows.
 * @throws ArchiveError
 * @throws OtherBlockError
 */
async function insertRows(
  archive: Pick<Archive, 'insert' | 'query'>,
  block: Block,
  { signal, unseenMs = 0 }: ArchiverOptions,
) {
  const { table, epoch, partition, month, course, rows } = block
  const end = rows.at(-1)!.offset
  const values = rows.map(({ row }) => row)
  const name = `${epoch} ${partition} ${month} after ${course.reached} ${block.lostNames}`
  await archive.insert(table.table, name, values)
  let reached = await readReached(archive, block)
  const unseenUntil = performance.now() + unseenMs
  while (reached === null && performance.now() < unseenUntil) {
    await sleep(lookAgainMs, signal)
    if (signal.aborted) break
    reached = await readReached(archive, block)
  }
  if (reached === null) {
    if (signal.aborted) throw new ArchiveError('unavailable', 'stopped', null)
    // The name is remembered, but its rows are lost.
    block.lostNames++
    const message = `${table.table} does not show the rows of a block that it has taken`
    throw new ArchiveError('unavailable', message, null)
  }
  if (reached !== end) throw new OtherBlockError(`${table.table} is at ${reached}, not at ${end}`)
  course.reached = end
}

/**
 * Returns the archive's newest offset after the block's start; null if there is none. The query
 * fits the projection `progress`, so it is fast even for a large month.
 */
async function readReached(
  archive: Pick<Archive, 'query'>,
  { table, epoch, partition, month, course }: Block,
): Promise<number | null> {
  const [found] = await archive.query<{ offset: string | null }>(
    `SELECT toString(maxOrNull(log_offset)) AS offset FROM ${table.table}
    WHERE log_epoch = {epoch:String} AND log_partition = {partition:UInt16}
    AND ${monthIn(table.timeColumn)} = {month:UInt32}`,
    { epoch, partition, month },
    progressLimits,
  )
  const reached = found?.offset == null ? -1 : Number(found.offset)
  return reached > course.reached ? reached : null
}

const monthIn = (timeColumn: string | null) =>
  timeColumn === null ? String(noMonth) : `toYYYYMM(${timeColumn})`

/** Returns the month as `toYYYYMM`, in UTC. */
function monthOf(at: number): number {
  const date = new Date(at)
  return 100 * date.getUTCFullYear() + date.getUTCMonth() + 1
}
