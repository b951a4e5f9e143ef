/** Refuses to start without an archive that existed before. */

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../log/log.ts'
import { type Config, StartError } from '../settings/config.ts'
import { archivedTopics, archiveGroup } from './archiver.ts'

/**
 * A new archive beside a log that already had one would lack all history, and nobody would notice.
 * Only a log that no archive has read gets a new one.
 * @throws StartError where the embedded archive is missing, for example because its volume is not mounted
 */
export async function requireOwnArchive(
  { archive }: Pick<Config, 'archive'>,
  log: Pick<Log, 'committed'>,
): Promise<void> {
  if (!archive || !('directory' in archive.at) || archive.isBegunAnew) return
  const { directory } = archive.at
  const metadata = await readdir(join(directory, 'metadata')).catch(noneIfAbsent)
  if (metadata.length > 0) return
  const taken = await log.committed(archivedTopics, archiveGroup)
  if (taken.every((records) => records === 0)) return
  throw new StartError(
    `The archive in ${directory} is missing, and the log was in use with one: price history and closing lines would be gone. Put the directory back, restore a backup (overround restore), set OVERROUND_CLICKHOUSE_URL if it is on a server, start without it by OVERROUND_ARCHIVE=off, or begin one anew by OVERROUND_ARCHIVE=anew.`,
  )
}

function noneIfAbsent(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
  throw error
}
