/** Compares the archive with the log, for every archived table. */

import { expect } from 'vitest'
import type { Archive, ArchiveRow } from '../pipeline/archive/archive.ts'
import { archivedTables } from '../pipeline/archive/archived-tables.ts'
import { archivedTopics } from '../pipeline/archive/archiver.ts'
import type { Log, LogRecord } from '../pipeline/log/log.ts'
import { batchesOfAll } from './contracts/batches-of-all.ts'

const limits = { seconds: 120, resultRows: 1e7, readRows: 1e9, memoryBytes: 4e9 }

/**
 * Fails if a record is missing, duplicated or changed.
 * @param log log of which nothing has been compacted away; rows of logs it continues count as its own
 * @returns number of rows by table
 */
export async function compareWithLog(
  archive: Pick<Archive, 'query'>,
  log: Pick<Log, 'join' | 'lag' | 'epoch' | 'continues'>,
): Promise<Readonly<Record<string, number>>> {
  const records = await readAll(log)
  const counts: Record<string, number> = {}
  for (const { topic, table, columns, beside } of archivedTables) {
    const rows: ArchiveRow[] = []
    const besides: ArchiveRow[] = []
    for (const { topic: of, partition, offset, value } of records) {
      if (of.name !== topic.name || value === null) continue
      const place = { log_epoch: log.epoch, log_offset: offset }
      rows.push({ ...columns(value as never), ...place, log_partition: partition })
      const row = beside?.columns(value as never, place)
      if (row) besides.push(row)
    }
    counts[table] = await compareTable(archive, table, rows, log)
    if (beside) await compareTable(archive, beside.table, besides, log)
  }
  return counts
}

/** @param rows rows in the order in which they were written @returns number of rows in the table */
async function compareTable(
  archive: Pick<Archive, 'query'>,
  table: string,
  rows: readonly ArchiveRow[],
  { epoch, continues }: Pick<Log, 'epoch' | 'continues'>,
): Promise<number> {
  const [shape] = await archive.query<{ engine: string; key: string }>(
    'SELECT engine_full AS engine, sorting_key AS key FROM system.tables WHERE database = currentDatabase() AND name = {table:String}',
    { table },
    limits,
  )
  const replacing = /^Replacing\w+(?:\((?:.*, )?(?<version>\w+)\))?/.exec(shape!.engine)
  const expected = replacing
    ? standing(rows, shape!.key.split(', '), replacing.groups?.version)
    : rows
  const columns = Object.keys(rows[0] ?? { '1': 0 })
  // Large whole numbers are text, because a number would not be exact.
  const read = columns.map((column) => {
    const value = rows[0]?.[column]
    const isWhole = typeof value === 'string' && /^\d+$/.test(value)
    return isWhole ? `toString(${column}) AS ${column}` : column
  })
  const held = await archive.query<ArchiveRow>(
    `SELECT ${read.join(', ')} FROM ${table}${replacing ? ' FINAL' : ''}`,
    {},
    limits,
  )
  // Sorted texts, so that a failure shows only the few rows that differ.
  const former = new Set<unknown>(continues.map((log) => log.epoch))
  const own = (value: unknown) => (former.has(value) ? epoch : value)
  const texts = (all: readonly ArchiveRow[]) =>
    all.map((row) => JSON.stringify(columns.map((column) => own(row[column])))).sort()
  const [left, right] = [texts(held), texts(expected)]
  const differing = left.findIndex((text, index) => text !== right[index])
  expect(
    left.slice(differing, differing < 0 ? 0 : differing + 3),
    `${table}: ${left.length} rows for ${right.length}`,
  ).toEqual(right.slice(differing, differing < 0 ? 0 : differing + 3))
  expect(left.length, table).toBe(right.length)
  return left.length
}

/** Returns each key's row of the highest version; among equal versions, or without versions, the last row. */
function standing(
  rows: readonly ArchiveRow[],
  key: readonly string[],
  version: string | undefined,
): ArchiveRow[] {
  const newest = new Map<string, ArchiveRow>()
  for (const row of rows) {
    const name = JSON.stringify(key.map((column) => row[column]))
    const before = newest.get(name)
    const isOlder = before && version && (row[version] as string) < (before[version] as string)
    if (!isOlder) newest.set(name, row)
  }
  return [...newest.values()]
}

/** Returns all records of the archived topics. */
async function readAll(log: Pick<Log, 'join' | 'lag'>): Promise<LogRecord[]> {
  const group = 'archive-truth'
  const stop = new AbortController()
  const records: LogRecord[] = []
  const joined = log.join(archivedTopics, { group, signal: stop.signal, maxRecords: 10_000 })
  for await (const batch of batchesOfAll(joined)) {
    records.push(...batch.records)
    await batch.commit([])
    if ((await log.lag(archivedTopics, group)) === 0) stop.abort()
  }
  return records
}
