/** A digest of a log's tables, equal exactly if the tables are, to compare runs. */

import { createHash } from 'node:crypto'
import type { Log } from '../pipeline/log/log.ts'
import { boardProcessor } from '../pipeline/processors/service-processor.ts'
import { patienceMs } from './patience.ts'

export interface TableDigest {
  readonly hash: string
  /** Number of rows by table. */
  readonly rows: Readonly<Record<string, number>>
  /** Rows by key, by table, for lookups. */
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, unknown>>
}

/** @param isCounted selects the rows of the digest; by default all */
export async function digestTables(
  log: Log,
  isCounted: (row: unknown) => boolean = () => true,
): Promise<TableDigest> {
  const signal = AbortSignal.timeout(patienceMs)
  const partitions = Array.from({ length: log.partitionCount }, (_, i) => i)
  const tables = new Map<string, Map<string, unknown>>()
  for (const topic of boardProcessor().tables) {
    const table = new Map<string, unknown>()
    for await (const records of log.replay([topic], { partitions, signal })) {
      for (const { key, value } of records) {
        if (value === null) table.delete(key)
        else if (isCounted(value)) table.set(key, value)
      }
    }
    tables.set(topic.name, table)
  }
  const hash = createHash('sha256')
  for (const [name, table] of tables) {
    hash.update(`\n${name}`)
    for (const key of [...table.keys()].sort()) {
      hash.update(`\n${key} ${JSON.stringify(table.get(key))}`)
    }
  }
  return {
    hash: hash.digest('hex'),
    rows: Object.fromEntries([...tables].map(([name, table]) => [name, table.size])),
    tables,
  }
}
