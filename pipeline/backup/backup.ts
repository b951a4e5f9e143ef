/**
 * A backup of a data directory while its service runs, and a directory restored from one.
 *
 * The archive is copied before the log, so the log has every record of the archive. A restored log
 * is a log of its own (`beginAnew`). The archiver reads all of it and adds the records that the
 * archive lacks, so each record is there once, as after a crash.
 */

import { existsSync } from 'node:fs'
import {
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readlink,
  rename,
  rm,
  rmdir,
  statfs,
} from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { archiveGroup } from '../archive/archiver.ts'
import { snapshotArchive } from '../archive/snapshot.ts'
import { copiedBytes, copyLog } from '../log/embedded/backup.ts'
import { giveTo, giveToLogOwner } from '../log/embedded/owner.ts'
import {
  BackupError,
  type Manifest,
  type OnProgress,
  packDirectories,
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

export interface WrittenBackup extends Manifest {
  /** Whether a service ran on the directory. */
  readonly isInUse: boolean
}

/** @throws BackupError for a directory without a log, or a file that exists already */
export async function writeBackup(options: BackupOptions): Promise<WrittenBackup> {
  const { dataDir, file, onProgress, signal } = options
  if (!existsSync(join(dataDir, 'log', 'data.mdb'))) {
    const archive = resolve(dataDir, 'archive')
    const alone = existsSync(archive)
      ? ` ${archive} is the archive of a service, and is not backed up without its log. If the log is on Kafka, stop the service and copy the directory, or keep history on a ClickHouse server. If not, the log is missing: put it back, or restore a backup (overround restore).`
      : ''
    throw new BackupError(
      `${resolve(dataDir)} has no log of overround; name its directory with --data-dir. A log on Kafka and a ClickHouse server are backed up by their own tools.${alone}`,
    )
  }
  const folder = dirname(file)
  await removeLeft(dataDir, stagingName)
  await removeLeft(folder, copyName, inShared)
  await requireRoom(join(dataDir, 'log'), folder)
  const staged: string[] = []
  const stageIn = async (place: string, prefix: string) => {
    const staging = await mkdtemp(join(place, `${prefix}${process.pid}-`))
    staged.push(staging)
    return staging
  }
  try {
    const archive = join(dataDir, 'archive')
    // The archive is linked, which needs the same file system. The log is copied elsewhere, because
    // its disk may be full.
    if (existsSync(archive))
      await snapshotArchive(archive, join(await stageIn(dataDir, stagingName), 'archive'))
    const isInUse = await copyLog(
      join(dataDir, 'log'),
      join(await stageIn(folder, copyName), 'log'),
    )
    await giveToLogOwner(join(dataDir, 'log'))
    signal.throwIfAborted()
    const manifest = await packDirectories(staged, file, new Date(), onProgress, signal)
    return { ...manifest, isInUse }
  } finally {
    for (const staging of staged) await rm(staging, { recursive: true, force: true })
  }
}

/** @throws BackupError if the copy of the log does not fit */
async function requireRoom(log: string, folder: string) {
  const [size, { bavail, bsize }] = await Promise.all([copiedBytes(log), statfs(folder)])
  const free = bavail * bsize
  if (size <= free) return
  const megabytes = (bytes: number) => Math.ceil(bytes / 1e6)
  throw new BackupError(
    `${folder} has ${megabytes(free)} MB free, and the log in ${log}, which is copied there first, has ${megabytes(size)} MB: name a file on another disk, or free space there.`,
  )
}

/**
 * Makes a data directory from a backup. A new directory gets its name when it is complete. An
 * existing one may be a mount point, or in a directory of another owner, so the parts are moved
 * into it. The log comes last, because the service does not start on an archive without its log.
 * @throws BackupError for a directory that is not empty, as `unpackDirectory`, and for a log that is damaged
 */
export async function restoreBackup(options: BackupOptions): Promise<Manifest> {
  const { file, onProgress, signal } = options
  const dataDir = resolve(options.dataDir)
  const isThere = await requireEmpty(dataDir)
  const parent = dirname(dataDir)
  await mkdir(parent, { recursive: true })
  const [place, prefix] = isThere
    ? [dataDir, restoringName]
    : [parent, `.${basename(dataDir)}-restoring-`]
  await removeLeft(place, prefix)
  // Its random name keeps other users from preparing it.
  const staging = await mkdtemp(join(place, `${prefix}${process.pid}-`))
  try {
    const manifest = await unpackDirectory(file, staging, onProgress, signal)
    const log = join(staging, 'log')
    await beginLogAnew(log, archiveGroup).catch((error: Error) => {
      throw new BackupError(
        `The log in ${file} is damaged: ${error.message.replaceAll(log, 'log')}.`,
      )
    })
    signal.throwIfAborted()
    if (isThere) {
      await giveTo(await lstat(dataDir), staging)
      await moveParts(staging, dataDir)
    }
    // This can only replace an empty directory that was made meanwhile.
    else await rename(staging, dataDir)
    await keep(place)
    return manifest
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    throw error
  }
}

/**
 * Moves all parts. If one cannot be moved, it moves none, so that the directory is empty for
 * another try.
 */
async function moveParts(from: string, to: string) {
  const parts = (await readdir(from)).filter((name) => name !== 'log')
  const moved: string[] = []
  try {
    for (const name of [...parts, 'log']) {
      // On the disk, too, the log's new name must come after those of the others.
      if (name === 'log') await keep(to)
      await rename(join(from, name), join(to, name))
      moved.push(name)
    }
  } catch (error) {
    for (const name of moved) await rename(join(to, name), join(from, name))
    throw error
  }
  await rmdir(from)
}

/**
 * Returns whether the directory exists. It may only have entries of the file system's root and
 * remains of killed restores.
 * @throws BackupError
 */
async function requireEmpty(dataDir: string): Promise<boolean> {
  const found = await lstat(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (found === null) return false
  if (!found.isDirectory()) {
    const what = found.isSymbolicLink()
      ? `a link to ${resolve(dirname(dataDir), await readlink(dataDir))}`
      : 'no directory'
    throw new BackupError(`${dataDir} is ${what}; name a directory that is new or empty.`)
  }
  const isEmpty = (await readdir(dataDir)).every(
    (name) => name === 'lost+found' || name.startsWith(restoringName),
  )
  if (!isEmpty) {
    throw new BackupError(
      `${dataDir} is not empty; move it away, or name another directory with --data-dir.`,
    )
  }
  return true
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
/** A name in a directory that other programs and machines may share. */
const copyName = `.overround-log-copy-${hostname()}-`
const restoringName = '.restoring-'

/** Directories where only this service has any, also those of earlier versions. */
const inOurs = { ending: /^(\d+)/, isAlone: true }
/**
 * Directories named by `mkdtemp`, where others may have some: a run on other data, in another
 * container, may have the same process id.
 */
const inShared = { ending: /^(\d+)-[A-Za-z0-9]{6}$/, isAlone: false }

/**
 * Removes directories of killed runs; their names have the process id. In a container each run may
 * have this process's id, which has no directory yet.
 */
async function removeLeft(directory: string, prefix: string, { ending, isAlone } = inOurs) {
  for (const name of await readdir(directory)) {
    if (!name.startsWith(prefix)) continue
    const [, digits] = ending.exec(name.slice(prefix.length)) ?? []
    if (digits === undefined) continue
    const pid = Number(digits)
    if (pid === process.pid ? !isAlone : isAlive(pid)) continue
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
