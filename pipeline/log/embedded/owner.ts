/** Gives files that a command of root makes to the user of the service. */

import { lchown, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

export interface Owner {
  readonly uid: number
  readonly gid: number
}

/** Gives a file or directory, and everything in it, to an owner. Only root needs this. */
export async function giveTo({ uid, gid }: Owner, path: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const found = await lstat(path)
  if (found.uid !== uid || found.gid !== gid) await lchown(path, uid, gid)
  if (!found.isDirectory()) return
  for (const name of await readdir(path)) await giveTo({ uid, gid }, join(path, name))
}

/**
 * Gives everything in a log's directory to the owner of the log's file. @param path the directory
 */
export async function giveToLogOwner(path: string): Promise<void> {
  const owner = await lstat(join(path, 'data.mdb'))
  for (const name of await readdir(path)) await giveTo(owner, join(path, name))
}
