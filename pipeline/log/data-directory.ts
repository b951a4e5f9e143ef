/**
 * Checks the data directory before it is opened: refuses one whose log is missing, and closes it to other users,
 * because it has hashes of keys, accounts and bets.
 */

import { chmod, lstat, mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StartError } from '../settings/config.ts'

const next =
  'Restore a backup (overround restore), put the file back, or name an empty directory by OVERROUND_DATA_DIR to begin anew.'

/**
 * Refuses a new log beside the remains of an old one: accounts, keys and bets would be gone, and
 * nobody would notice.
 * @throws StartError for a used directory whose log is missing or empty
 */
export async function requireOwnLog(dataDir: string): Promise<void> {
  const file = fileOf(dataDir)
  const found = await stat(file).catch(absent)
  if (found !== null && found.size > 0) return
  const left = await leftOfUse(dataDir)
  // A process that was killed while it made its first file leaves only an empty file and its lock.
  if (left === null) return
  const what = found === null ? 'is missing' : 'has 0 bytes'
  throw new StartError(
    `${file} ${what}, and the directory was in use: there is ${left}. ${next}${await kafkaText(dataDir)}`,
  )
}

const fileOf = (dataDir: string) => join(dataDir, 'log', 'data.mdb')

/** Returns whether the directory has an embedded log. */
export const hasLog = async (dataDir: string): Promise<boolean> =>
  (await stat(fileOf(dataDir)).catch(() => null)) !== null

/** Returns a sentence on a directory that a process on Kafka used, to be added to the message; else nothing. */
async function kafkaText(dataDir: string): Promise<string> {
  const schemas = join(dataDir, 'schemas')
  if ((await stat(schemas).catch(absent)) === null) return ''
  return ` If its log was on Kafka, as ${schemas} shows, none is missing: set OVERROUND_KAFKA_BROKERS and OVERROUND_SCHEMA_REGISTRY_URL as before, or begin anew in an empty directory; nothing on Kafka is carried over.`
}

/** Returns the name of a file that only a used log leaves; null if there is none. */
async function leftOfUse(dataDir: string): Promise<string | null> {
  const notes = join(dataDir, 'log', 'topics.json')
  if ((await stat(notes).catch(absent)) !== null) return notes
  const archive = join(dataDir, 'archive')
  const names = await readdir(archive).catch(() => [] as string[])
  return names.length > 0 ? archive : null
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw error
}

/** Returns a sentence that names the directory's owner, if a right is missing; else nothing. */
export async function ownerText(
  dataDir: string,
  { code, path }: NodeJS.ErrnoException,
): Promise<string> {
  if (code !== 'EACCES' && code !== 'EPERM') return ''
  const us = process.getuid?.()
  for (const place of [path, dataDir, dirname(dataDir)]) {
    const found = place === undefined ? null : await stat(place).catch(() => null)
    if (found === null || us === undefined || found.uid === us) continue
    return ` ${place} is of user ${found.uid}, and this process runs as ${us}: start it as that user, or change the owner.`
  }
  return ''
}

const forOthers = 0o077

/** Names that the service makes in its directory. */
const own = /^(log|archive|schemas|\.backup-)/

/**
 * Creates the directory if it is missing, and closes it and its contents to all but its owner.
 * @returns whether others could read it before
 */
export async function closeToOthers(dataDir: string): Promise<boolean> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  // A directory that also has other contents is not closed.
  const isOwn = (await readdir(dataDir)).every((name) => own.test(name))
  let wasOpen = isOwn && (await closeOne(dataDir))
  for (const folder of ['log', 'archive']) {
    const path = join(dataDir, folder)
    const found = await lstat(path).catch(absent)
    if (found?.isDirectory() && (await closeOne(path))) wasOpen ||= !isOwn
  }
  const log = join(dataDir, 'log')
  for (const name of await readdir(log).catch(() => [] as string[])) await closeOne(join(log, name))
  return wasOpen
}

async function closeOne(path: string): Promise<boolean> {
  const found = await lstat(path).catch(absent)
  if (found === null || found.isSymbolicLink() || (found.mode & forOthers) === 0) return false
  try {
    await chmod(path, found.mode & 0o700)
    return true
  } catch (error) {
    // A directory of another user, such as a volume, keeps its own mode.
    if ((error as NodeJS.ErrnoException).code === 'EPERM') return false
    throw error
  }
}
