/** The log of a data directory, repaired; the archive then reads it anew, and takes what it does not have. */

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { archiveGroup } from '../archive/archiver.ts'
import { type Repair, repairLog } from '../log/embedded-repair.ts'
import { BackupError } from './backup-file.ts'

/** @throws BackupError for a directory without a log, and as `repairLog` */
export async function repairDirectory(dataDir: string): Promise<Repair> {
  const path = join(resolve(dataDir), 'log')
  if (!existsSync(join(path, 'data.mdb'))) {
    throw new BackupError(
      `${resolve(dataDir)} has no log of overround; name its directory with --data-dir.`,
    )
  }
  return repairLog(path, [archiveGroup], new Date())
}

export type { Repair }
