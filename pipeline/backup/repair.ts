/**
 * Repairs the log of a data directory. The archiver then reads it again, and adds the records that
 * the archive lacks. Rows of the board that depend on a lost row are removed too, because no
 * processor starts with a price without its game. That comes before the repaired log is moved into
 * place, so a killed repair leaves the damaged log.
 */

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { GameStateRow } from '../../schemas/game-state.ts'
import { type Sighting, sightingKey } from '../../schemas/sighting.ts'
import { type Topic, topics } from '../../schemas/topics.ts'
import { archiveGroup } from '../archive/archiver.ts'
import { openEmbeddedLog } from '../log/embedded/embedded-log.ts'
import { type Repair, repairLog } from '../log/embedded/repair.ts'
import type { Append, Log, LogRecord } from '../log/log.ts'
import { BackupError } from './backup-file.ts'

/** @throws BackupError for a directory without a log, and as `repairLog` */
export async function repairDirectory(dataDir: string): Promise<Repair> {
  const path = join(resolve(dataDir), 'log')
  if (!existsSync(join(path, 'data.mdb'))) {
    throw new BackupError(
      `${resolve(dataDir)} has no log of overround; name its directory with --data-dir.`,
    )
  }
  return repairLog(path, [archiveGroup], new Date(), async (path) => {
    const log = await openEmbeddedLog({ path })
    try {
      return await takeOutOrphans(log)
    } finally {
      await log.close()
    }
  })
}

type OfSighting = Pick<Sighting, 'eventId' | 'sportsbook'>

const orphansAtOnce = 1_000
/** The tables of events, and of sportsbooks' rows on them. */
const dependentTables: readonly Topic[] = [
  topics.events,
  topics.sightings,
  topics.odds,
  topics.closingLines,
  topics.gameStates,
  topics.splits,
]

/** @returns how many rows were removed */
async function takeOutOrphans(log: Log): Promise<number> {
  const rows: LogRecord[] = []
  const partitions = Array.from({ length: log.partitionCount }, (_, i) => i)
  const { signal } = new AbortController()
  for await (const records of log.replay(dependentTables, { partitions, signal })) {
    rows.push(...records)
  }
  const keysOf = (of: Topic) =>
    rows.filter(({ topic }) => topic.name === of.name).map(({ key }) => key)
  const events = new Set(keysOf(topics.events))
  const isKnown = (eventId: string, sportsbook: string) =>
    events.has(eventId) && sightings.has(sightingKey(eventId, sportsbook))
  const sightings = new Set(keysOf(topics.sightings))
  const isOrphan = ({ topic, value }: LogRecord) => {
    if (topic.name === topics.events.name) return false
    if (topic.name === topics.gameStates.name) {
      const { eventId, reports } = value as GameStateRow
      return !reports.every(({ sportsbook }) => isKnown(eventId, sportsbook))
    }
    const { eventId, sportsbook } = value as OfSighting
    return !isKnown(eventId, sportsbook)
  }
  const orphans = rows.filter(isOrphan)
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
