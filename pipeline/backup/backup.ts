/**
 * A backup of a data directory while its service runs, and a directory restored from one.
 *
 * The archive is taken first and the log after it, so everything in the archive is on the log too. A restored log is
 * a log of its own (`beginAnew`), which the archive reads in full, taking the records that it lacks: so it ends with
 * each record once, as after a crash.
 */

import { existsSync } from 'node:fs'
import { lstat, mkdir, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { archiveGroup } from '../archive/archiver.ts'
import { snapshotArchive } from '../archive/snapshot.ts'
import { copyLog } from '../log/embedded/backup.ts'
import {
  BackupError,
  type Manifest,
  type OnProgress,
  packDirectory,
  unpackDirectory,
} from './backup-file.ts'
import { beginLogAnew } from './begin-log-anew.ts'

export interface BackupOptions {
  readonly dataDir: string
  readonly file: string
  readonly onProgress: OnProgress
  /** Ends the work, which then leaves nothing behind. */
  readonly signal: AbortSignal
}

/** @throws BackupError for a directory without a log, or a file that exists already */
export async function writeBackup(options: BackupOptions): Promise<Manifest> {
  const { dataDir, file, onProgress, signal } = options
  if (!existsSync(join(dataDir, 'log', 'data.mdb'))) {
    throw new BackupError(
      `${resolve(dataDir)} has no log of overround; name its directory with --data-dir. A log on Kafka and a ClickHouse server are backed up by their own tools.`,
    )
  }
  // Links need the same file system.
  const staging = join(dataDir, `${stagingName}${process.pid}`)
  await removeLeft(dataDir, stagingName)
  await mkdir(staging)
  try {
    const archive = join(dataDir, 'archive')
    if (existsSync(archive)) await snapshotArchive(archive, join(staging, 'archive'))
    await copyLog(join(dataDir, 'log'), join(staging, 'log'))
    signal.throwIfAborted()
    return await packDirectory(staging, file, new Date(), onProgress, signal)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/**
 * Makes a data directory from a backup. It gets its name when it is whole.
 * @throws BackupError for a directory that is not empty, as `unpackDirectory`, and for a log that is damaged
 */
export async function restoreBackup(options: BackupOptions): Promise<Manifest> {
  const { file, onProgress, signal } = options
  const dataDir = resolve(options.dataDir)
  await requireEmpty(dataDir)
  const parent = dirname(dataDir)
  await mkdir(parent, { recursive: true })
  const prefix = `.${basename(dataDir)}-restoring-`
  await removeLeft(parent, prefix)
  // Its random name keeps other users from preparing it.
  const staging = await mkdtemp(join(parent, `${prefix}${process.pid}-`))
  try {
    const manifest = await unpackDirectory(file, staging, onProgress, signal)
    const log = join(staging, 'log')
    await beginLogAnew(log, archiveGroup).catch((error: Error) => {
      throw new BackupError(
        `The log in ${file} is damaged: ${error.message.replaceAll(log, 'log')}.`,
      )
    })
    signal.throwIfAborted()
    // Replaces an empty directory, and nothing else.
    await rename(staging, dataDir)
    await keep(parent)
    return manifest
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    throw error
  }
}

/** @throws BackupError */
async function requireEmpty(dataDir: string) {
  const found = await lstat(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (found === null) return
  if (!found.isDirectory()) {
    const what = found.isSymbolicLink() ? 'a link' : 'no directory'
    throw new BackupError(`${dataDir} is ${what}; name a directory that is new or empty.`)
  }
  if ((await readdir(dataDir)).length > 0) {
    throw new BackupError(
      `${dataDir} is not empty; move it away, or name another directory with --data-dir.`,
    )
  }
}

/** Flushes renames in a directory to the disk. */
async function keep(directory: string) {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const stagingName = '.backup-'

/** Removes directories of killed runs, which have the process in their names. */
async function removeLeft(directory: string, prefix: string) {
  for (const name of await readdir(directory)) {
    const pid = Number(/^\d+/.exec(name.slice(prefix.length))?.[0])
    if (!name.startsWith(prefix) || !Number.isInteger(pid) || isAlive(pid)) continue
    await rm(join(directory, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
