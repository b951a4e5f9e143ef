/**
 * Repairs the log of a data directory. The archive then reads it anew, and takes the records that it lacks. Rows of
 * the board that depend on a lost one are removed too, because no processor starts on a price without its game.
 */

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { OddsRow } from '../../schemas/odds.ts'
import { type Sighting, sightingKey } from '../../schemas/sighting.ts'
import { topics } from '../../schemas/topics.ts'
import { archiveGroup } from '../archive/archiver.ts'
import { openEmbeddedLog } from '../log/embedded/embedded-log.ts'
import { type Repair as LogRepair, repairLog } from '../log/embedded/repair.ts'
import type { Append, Log, LogRecord } from '../log/log.ts'
import { BackupError } from './backup-file.ts'

export interface Repair extends LogRepair {
  /** Whole prices and sightings that were removed because their event is lost. */
  readonly orphans: number
}

/** @throws BackupError for a directory without a log, and as `repairLog` */
export async function repairDirectory(dataDir: string): Promise<Repair> {
  const path = join(resolve(dataDir), 'log')
  if (!existsSync(join(path, 'data.mdb'))) {
    throw new BackupError(
      `${resolve(dataDir)} has no log of overround; name its directory with --data-dir.`,
    )
  }
  const repair = await repairLog(path, [archiveGroup], new Date())
  if (repair.losses.length === 0) return { ...repair, orphans: 0 }
  const log = await openEmbeddedLog({ path })
  try {
    return { ...repair, orphans: await takeOutOrphans(log) }
  } finally {
    await log.close()
  }
}

const orphansAtOnce = 1_000

/** @returns how many there were */
async function takeOutOrphans(log: Log): Promise<number> {
  const rows: LogRecord[] = []
  const partitions = Array.from({ length: log.partitionCount }, (_, i) => i)
  const { signal } = new AbortController()
  const tables = [topics.events, topics.sightings, topics.odds]
  for await (const records of log.replay(tables, { partitions, signal })) rows.push(...records)
  const of = (name: string) => rows.filter(({ topic }) => topic.name === name)

  const events = new Set(of(topics.events.name).map(({ key }) => key))
  const isSeen = ({ value }: LogRecord) => events.has((value as Sighting).eventId)
  const sightings = of(topics.sightings.name)
  const seen = new Set(sightings.filter(isSeen).map(({ key }) => key))
  const isOffered = ({ value }: LogRecord) => {
    const { eventId, sportsbook } = value as OddsRow
    return seen.has(sightingKey(eventId, sportsbook))
  }
  const orphans = [
    ...of(topics.odds.name).filter((record) => !isOffered(record)),
    ...sightings.filter((record) => !isSeen(record)),
  ]
  for (let from = 0; from < orphans.length; from += orphansAtOnce) {
    const gone = orphans.slice(from, from + orphansAtOnce)
    await log.append(
      gone.map(({ topic, partition, key }): Append => {
        return { topic, partitionKey: partition, key, value: null }
      }),
    )
  }
  return orphans.length
}
