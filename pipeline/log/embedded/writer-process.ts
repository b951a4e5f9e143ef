/** Identifies the process that writes to a store, and checks whether it still runs. */

import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { hasLock, openWriterLock, type WriterLock } from './writer-lock.ts'

export interface WriterProcess {
  readonly pid: number
  /** The start time, to tell a process from a later one with its id; null where the system does not report it. */
  readonly startedAt: string | null
  /**
   * Namespace of the process id; null if the system has none. Absent in rows of earlier versions.
   */
  readonly namespace?: string | null
}

export interface Writer extends WriterProcess {
  readonly handles: number
}

export const thisProcess = (): WriterProcess => ({
  pid: process.pid,
  startedAt: processStartedAt(process.pid),
  namespace: ownNamespace,
})

export const isThisProcess = (writer: WriterProcess) => {
  const me = thisProcess()
  return !isElsewhere(writer) && writer.pid === me.pid && writer.startedAt === me.startedAt
}

/** Returns whether the process id is of another container, and cannot be looked up here. */
export const isElsewhere = ({ namespace }: WriterProcess) =>
  (namespace ?? ownNamespace) !== ownNamespace

/**
 * Returns whether the last writer of a store still runs. Its lock decides, since the row may be of another machine, or
 * of a copied directory. Only a writer without one, because its disk had no room, is looked for by its id.
 * @param lock null where the store has none
 */
export function isAlive(writer: WriterProcess, lock: Pick<WriterLock, 'isHeld'> | null): boolean {
  if (lock) return lock.isHeld()
  if (isElsewhere(writer)) return false
  const { pid, startedAt } = writer
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  return startedAt === null || processStartedAt(pid) === startedAt
}

/** The same for the store in a directory that is not open here. */
export async function isAliveIn(path: string, writer: WriterProcess): Promise<boolean> {
  const lock = hasLock(path) ? openWriterLock(path, 0) : null
  try {
    return isAlive(writer, lock)
  } finally {
    await lock?.release()
  }
}

const ownNamespace = (() => {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return null
  }
})()

function processStartedAt(pid: number): string | null {
  const path = `/proc/${pid}/stat`
  if (!existsSync(path)) return null
  // The name in the second field may hold spaces and brackets; the start is the 22nd field.
  const stat = readFileSync(path, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
}
