/** The commands `overround backup` and `overround restore`, for a data directory as one file. */

import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import {
  type BackupOptions,
  restoreBackup,
  type WrittenBackup,
  writeBackup,
} from '../../pipeline/backup/backup.ts'
import { BackupError, type Manifest, type OnProgress } from '../../pipeline/backup/backup-file.ts'
import { type Environment, variableOf } from '../../pipeline/settings/config.ts'
import { CommandError, UsageError } from './exit-codes.ts'

export interface BackedUp {
  readonly file: string
  readonly data_dir: string
  readonly created_at: string
  readonly files: number
  /** Of a backup: whether a service ran on the directory. */
  readonly in_use?: boolean
}

/** @throws CommandError when the log is on Kafka: a data directory then holds almost nothing */
export function requireEmbeddedLog(environment: Environment) {
  if (variableOf(environment, 'OVERROUND_KAFKA_BROKERS') === undefined) return
  throw new CommandError(
    'The log is on Kafka (OVERROUND_KAFKA_BROKERS), not in a data directory: back up Kafka, the schema registry and ClickHouse with their own tools (docs/deployment.md). To back up a directory that has an embedded log, name it with --data-dir. A standalone service on Kafka without OVERROUND_CLICKHOUSE_URL keeps its history in OVERROUND_DATA_DIR/archive: stop it and copy that directory.',
  )
}

/** Returns the data directory of the option, else that of the service with this environment. */
export const dataDirOf = (
  { dataDir }: { readonly dataDir?: string },
  environment: Environment,
): string => dataDir ?? variableOf(environment, 'OVERROUND_DATA_DIR') ?? './data'

const works = { backup: writeBackup, restore: restoreBackup }

/** @throws CommandError, or UsageError for a folder that does not exist */
export async function runBackup(
  work: keyof typeof works,
  file: string,
  dataDir: string,
  signal: AbortSignal,
): Promise<BackedUp> {
  const options: BackupOptions = {
    file: resolve(file),
    dataDir: resolve(dataDir),
    onProgress: process.stderr.isTTY ? createProgressBar() : () => {},
    signal,
  }
  const folder = dirname(options.file)
  if (work === 'backup' && !existsSync(folder)) {
    throw new UsageError(`${folder} does not exist. Create it, or name another file.`)
  }
  const manifest = await works[work](options)
    .catch((error: Error) => {
      const isExpected = error instanceof BackupError || (error as NodeJS.ErrnoException).code
      throw isExpected && !signal.aborted ? new CommandError(error.message) : error
    })
    .finally(() => {
      if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
    })
  return resultOf(options, manifest)
}

/** To be printed with each backup. */
export const backupSecrets =
  'It has keys and passwords of added sources, webhook addresses and bot tokens in plain text: protect it.'

/** Returns what an operator may not expect of a backup; null for one of a running service. */
export const backupNotice = ({ data_dir, in_use }: BackedUp): string | null =>
  in_use === false
    ? `No service runs on ${data_dir}, so the backup is of its last run. If you meant a running service, name its directory with --data-dir; a service with its log on Kafka is in no backup.`
    : null

const resultOf = (
  { file, dataDir }: BackupOptions,
  { created_at, files, isInUse }: Manifest & Partial<WrittenBackup>,
): BackedUp => ({
  file,
  data_dir: dataDir,
  created_at,
  files: Object.keys(files).length,
  ...(isInUse !== undefined && { in_use: isInUse }),
})

const barLength = 30
const drawEveryMs = 100

function createProgressBar(): OnProgress {
  let drawnAt = 0
  return (done, total) => {
    const now = performance.now()
    if (now - drawnAt < drawEveryMs) return
    drawnAt = now
    const share = total === 0 ? 1 : done / total
    const bar = '#'.repeat(Math.round(share * barLength)).padEnd(barLength, '.')
    const megabytes = (bytes: number) => Math.round(bytes / 1e6)
    process.stderr.write(
      `\r[${bar}] ${Math.floor(100 * share)} %  ${megabytes(done)} of ${megabytes(total)} MB`,
    )
  }
}
