/** The file of a store before LMDB opens it, and the room on its disk. */

import { statfsSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { checkStructure, isRolledBack, newestTransaction } from './structure.ts'

/** Mark and version on the first page of an LMDB file. */
const fileMark = { at: 24, magic: 0xbeefc0de, version: 2 } as const

/**
 * Checks a directory that must have a store.
 * @throws Error where there is none, or its file is damaged
 */
export async function requireWholeStore(path: string) {
  const found = await stat(join(path, 'data.mdb')).catch(() => null)
  if (!found?.size) throw new Error('its data.mdb is missing or empty')
  await checkFile(path)
}

/**
 * Checks a file first, because LMDB crashes the process if the file is damaged, or of another
 * program or version.
 * @returns the number of the newest commit, if LMDB may leave that out because the system crashed
 * before it was on the disk; null otherwise
 * @throws Error for such a file
 */
export async function checkFile(path: string): Promise<bigint | null> {
  const file = await open(join(path, 'data.mdb')).catch(() => null)
  if (!file) return null
  const { at, magic, version } = fileMark
  const head = Buffer.alloc(at + 8)
  try {
    const { bytesRead } = await file.read(head, 0, head.length, 0)
    const isOurs = head.readUInt32LE(at) === magic && head.readUInt16LE(at + 4) === version
    // An empty file is from a process that ended while it made the file.
    if (bytesRead > 0 && !isOurs) throw new Error('its data.mdb is no file of this version’s LMDB')
  } finally {
    await file.close()
  }
  // Threads open a file that the process has already checked.
  if (isMainThread) checkStructure(join(path, 'data.mdb'))
  return isRolledBack(join(path, 'data.mdb')) ? newestCommit(path) : null
}

/** Returns the number of the newest commit of a store; 0 for an empty one. */
export const newestCommit = (path: string) => newestTransaction(join(path, 'data.mdb')) ?? 0n

/** System error codes of a write that found no room: ENOSPC and EDQUOT. */
export const noRoomCodes: ReadonlySet<unknown> = new Set([28, 122])

/** File systems that other machines may write to, by their type numbers (statfs). */
const ofOthers: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'SMB'],
  [0x65735546, 'FUSE'],
  [0x01021997, '9P'],
  [0x00c36400, 'Ceph'],
])

/**
 * Returns the name of a file system on which locks may not reach other machines; null for one of this machine.
 * @param type as `statfs` returns it, of either sign
 */
export const fileSystemOfOthers = (type: number): string | null => ofOthers.get(type >>> 0) ?? null

/** Returns the free bytes, for this process, of the file system that a directory is on. */
export function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize
}
