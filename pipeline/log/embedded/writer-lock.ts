/**
 * The lock of the process that writes to a store: a reader of a small LMDB store beside it. LMDB
 * uses file locks of the system, which Node does not offer. Such a lock ends with its process, and
 * all containers that share the files see it.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { open, type Transaction } from 'lmdb'
import { freeBytes } from './store-file.ts'

export interface WriterLock {
  /** Returns whether a process holds the lock, this one included. */
  isHeld(): boolean
  /** Takes the lock; other threads of this process may have taken it too. */
  take(): void
  /** Gives it back, if taken, and closes its files. */
  release(): Promise<void>
}

/** Returns whether the lock's files are there. */
export const hasLock = (path: string) => existsSync(join(path, 'writer.mdb-lock'))

/**
 * Opens the lock of the store in a directory, and creates its files where they are missing.
 * @returns null where the disk has no room for them
 */
export function openWriterLock(path: string, reserveBytes: number): WriterLock | null {
  // LMDB waits for ever, or faults, where it cannot create its files.
  if (!hasLock(path) && freeBytes(path) < reserveBytes) return null
  const env = open(join(path, 'writer.mdb'), { noSubdir: true, maxDbs: 1 })
  let reading: Transaction | undefined
  return {
    isHeld() {
      // LMDB removes readers that have ended only when it is told to.
      env.readerCheck()
      // A line for each reader, below one of headings.
      return /^\s*\d+ /m.test(env.readerList())
    },
    take() {
      reading ??= env.useReadTransaction()
    },
    async release() {
      reading?.done()
      await env.close()
    },
  }
}
