/**
 * Takes what tables forget from the log to the archive, each record once. It is a group of the log: a
 * batch is inserted, and then its offsets are committed. Between the two a crash may come; so at the
 * start of an assignment the archive is asked how far each partition of the log has come, and what is
 * there is left out. A block is the rows of one partition of the log and one month, which ClickHouse
 * takes whole or not at all; tried again it has the same name, so it is never there twice. ClickHouse
 * remembers a name before it has the rows: killed in between, it takes a block for known that it does
 * not have. So a block that was tried again is looked for, and names are those of one run alone.
 *
 * While the archive does not take a batch, the log keeps the records, and it is tried again.
 */

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { ClosingLine } from '../../schemas/closing-line.ts'
import { topics } from '../../schemas/topics.ts'
import type { Assignment, Log, LogRecord } from '../log/log.ts'
import { runEach } from '../run-each.ts'
import { createTurns } from '../turns.ts'
import { type Archive, ArchiveError, type ArchiveRow } from './archive.ts'
import { type ArchivedTable, archivedTables } from './archived-tables.ts'

export interface ArchiverOptions {
  readonly signal: AbortSignal
  /** Rows of a block at most. */
  readonly blockRows?: number
  /** How long records may gather before they are inserted. */
  readonly fillMs?: number
  /** All closes of a batch are there; what follows from them is made before the batch is committed. */
  readonly whenClosed?: (closes: readonly ClosingLine[]) => Promise<void>
  /** The archive has taken a batch. */
  readonly onInserted?: (rows: number) => void
  /** The archive did not take it; it is tried again. */
  readonly onWaiting?: (error: ArchiveError) => void
}

export const archiveGroup = 'archive'

/** What it follows. */
export const archivedTopics = archivedTables.map(({ topic }) => topic)

const defaultBlockRows = 10_000
const defaultFillMs = 1_000
const firstPauseMs = 100
const longestPauseMs = 5_000

/** Runs until `signal` aborts. Rejects when the log fails. */
export async function runArchiver(
  log: Pick<Log, 'join' | 'epoch' | 'continues'>,
  archive: Pick<Archive, 'insert' | 'query'>,
  options: ArchiverOptions,
): Promise<void> {
  const { blockRows = defaultBlockRows, fillMs = defaultFillMs, onInserted } = options
  const tables = new Map(archivedTables.map((table) => [table.topic.name, table]))
  const run = randomUUID()
  // One after the other, whichever partition the closes are of.
  const inTurn = createTurns()

  async function archivePartition({ partition, batches }: Assignment, signal: AbortSignal) {
    const patience = { ...options, signal }
    const reached = await patiently(async () => {
      await noteLog(archive, log.epoch)
      return readReached(archive, [log.epoch, ...log.continues], partition)
    }, patience)
    if (!reached) return
    for await (const batch of batches) {
      for (const block of blocksOf(batch.records, tables, log.epoch, reached)) {
        if (!(await insertBlock(archive, block, `${log.epoch} ${run}`, patience))) return
        onInserted?.(block.rows.length)
      }
      const closes = closesOf(batch.records)
      const isDerived = await patiently(async () => {
        if (closes.length > 0) await inTurn(async () => options.whenClosed?.(closes))
        return true
      }, patience)
      if (!isDerived) return
      await batch.commit([])
      // Few large inserts: each makes a part of the table, which the engine has to merge.
      if (batch.records.length < blockRows) {
        await delay(fillMs, undefined, { signal }).catch(() => {})
      }
    }
  }

  await runEach(
    (signal) => log.join(archivedTopics, { group: archiveGroup, signal, maxRecords: blockRows }),
    archivePartition,
    options.signal,
  )
}

/** Those that were there already too: a crash may have come before what follows from them. */
const closesOf = (records: readonly LogRecord[]) =>
  records.flatMap(({ topic, value }) =>
    topic.name === topics.closingLines.name && value !== null ? [value as ClosingLine] : [],
  )

/** Tries until the archive does it, whatever is wrong there. @returns null when told to stop */
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
      await delay(pauseMs, undefined, { signal }).catch(() => {})
      pauseMs = Math.min(2 * pauseMs, longestPauseMs)
    }
  }
  return null
}

// ---- how far the archive has come

/** By table, log partition and month: the newest offset that is there. */
type Reached = ReadonlyMap<string, number>

/** Of tables that are not partitioned. */
const noMonth = 0

const placeKey = (table: string, partition: number, month: number) =>
  `${table} ${partition} ${month}`

const progressLimits = { seconds: 120, resultRows: 1e6, readRows: 1e11, memoryBytes: 4e9 }

interface ReachedRow {
  readonly log_partition: number
  readonly month: number
  /** As text: an offset may be beyond what a number holds exactly. */
  readonly offset: string
}

/** Told more than once, the log began when it was told first. */
async function noteLog(archive: Pick<Archive, 'insert' | 'query'>, epoch: string): Promise<void> {
  const known = await archive.query(
    'SELECT 1 FROM logs WHERE log_epoch = {epoch:String} LIMIT 1',
    { epoch },
    progressLimits,
  )
  if (known.length === 0) await archive.insert('logs', `log ${epoch}`, [{ log_epoch: epoch }])
}

async function readReached(
  archive: Pick<Archive, 'query'>,
  epochs: readonly string[],
  partition: number,
): Promise<Reached> {
  const reached = new Map<string, number>()
  for (const { table, timeColumn } of archivedTables) {
    const rows = await archive.query<ReachedRow>(
      `SELECT log_partition, ${monthIn(timeColumn)} AS month, toString(max(log_offset)) AS offset
      FROM ${table}
      WHERE log_epoch IN {epochs:Array(String)} AND log_partition = {partition:UInt16}
      GROUP BY log_partition, month`,
      { epochs, partition },
      progressLimits,
    )
    for (const { log_partition, month, offset } of rows) {
      reached.set(placeKey(table, log_partition, month), Number(offset))
    }
  }
  return reached
}

// ---- blocks

interface Block {
  readonly table: ArchivedTable
  readonly partition: number
  readonly month: number
  readonly from: number
  to: number
  readonly rows: ArchiveRow[]
  readonly beside: ArchiveRow[]
}

/** The records of a batch that the archive does not have, by table, partition of the log and month. */
function blocksOf(
  records: readonly LogRecord[],
  tables: ReadonlyMap<string, ArchivedTable>,
  epoch: string,
  reached: Reached,
): Block[] {
  const blocks = new Map<string, Block>()
  for (const { topic, partition, offset, value } of records) {
    const table = tables.get(topic.name)
    if (!table || value === null) continue
    const row = value as never
    const month = table.timeColumn === null ? noMonth : monthOf(table.at(row))
    const key = placeKey(table.table, partition, month)
    if (offset <= (reached.get(key) ?? -1)) continue
    let block = blocks.get(key)
    if (!block) {
      block = { table, partition, month, from: offset, to: offset, rows: [], beside: [] }
      blocks.set(key, block)
    }
    const place = { log_epoch: epoch, log_partition: partition, log_offset: offset }
    block.rows.push({ ...table.columns(row), ...place })
    const beside = table.beside?.columns(row, { log_epoch: epoch, log_offset: offset })
    if (beside) block.beside.push(beside)
    block.to = offset
  }
  return [...blocks.values()]
}

/**
 * What is beside the table first: a change is of a price that is known.
 * @param names before the name of the block
 * @returns false when told to stop
 */
async function insertBlock(
  archive: Pick<Archive, 'insert' | 'query'>,
  block: Block,
  names: string,
  options: ArchiverOptions,
): Promise<boolean> {
  const { table, partition, from, to, rows, beside } = block
  const name = `${names} ${partition} ${from}-${to}`
  let attempt = 0
  const isBesideIn = await patiently(async () => {
    // There twice these rows are as good as once, so each try has a name of its own.
    if (table.beside && beside.length > 0) {
      await archive.insert(table.beside.table, `${name} ${attempt++}`, beside)
    }
    return true
  }, options)
  if (!isBesideIn) return false
  let rename = 0
  let wasTried = false
  const isIn = await patiently(async () => {
    for (;;) {
      const isSecondTry = wasTried
      wasTried = true
      await archive.insert(table.table, `${name} ${rename}`, rows)
      // It is acknowledged under this name, so that none of it can still be on its way.
      if (!isSecondTry || (await isThere(archive, block))) return true
      rename++
    }
  }, options)
  return isIn ?? false
}

/** Whether the archive has any row of the block, and so all of them. */
async function isThere(
  archive: Pick<Archive, 'query'>,
  { table, partition, month, from, to, rows }: Block,
): Promise<boolean> {
  const found = await archive.query(
    `SELECT 1 FROM ${table.table} WHERE log_epoch = {epoch:String} AND log_partition = {partition:UInt16}
    AND ${monthIn(table.timeColumn)} = {month:UInt32} AND log_offset BETWEEN {from:UInt64} AND {to:UInt64}
    LIMIT 1`,
    { epoch: rows[0]!.log_epoch as string, partition, month, from, to },
    progressLimits,
  )
  return found.length > 0
}

const monthIn = (timeColumn: string | null) =>
  timeColumn === null ? String(noMonth) : `toYYYYMM(${timeColumn})`

/** As `toYYYYMM`, in UTC. */
function monthOf(at: number): number {
  const date = new Date(at)
  return 100 * date.getUTCFullYear() + date.getUTCMonth() + 1
}
