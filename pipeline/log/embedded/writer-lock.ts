/**
 * The lock of the process that writes to a store: a reader of a small LMDB store beside it. LMDB
 * uses file locks of the system, which Node does not offer. Such a lock ends with its process, and
 * all containers that share the files see it.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { open } from 'lmdb'
import { freeBytes } from './store-file.ts'

export interface WriterLock {
  release(): Promise<void>
}

const openLock = (path: string) => open(join(path, 'writer.mdb'), { noSubdir: true, maxDbs: 1 })
/** Returns whether the lock's files are there. */
export const hasLock = (path: string) => existsSync(join(path, 'writer.mdb-lock'))

/**
 * Locks the store in a directory; other threads of this process may have done so too.
 * @returns null where the disk has no room for the lock's files
 */
export function lockWriter(path: string, reserveBytes: number): WriterLock | null {
  // If LMDB cannot create its files, it waits for ever or crashes.
  if (!hasLock(path) && freeBytes(path) < reserveBytes) return null
  const env = openLock(path)
  const reading = env.useReadTransaction()
  return {
    async release() {
      reading.done()
      await env.close()
    },
  }
}

/** Returns whether a process holds the lock. */
export async function isWriterLocked(path: string): Promise<boolean> {
  if (!hasLock(path)) return false
  const env = openLock(path)
  try {
    // The list has a heading, then a line per reader. LMDB leaves out readers that have ended.
    return /^\s*\d+ /m.test(env.readerList())
  } finally {
    await env.close()
  }
}
