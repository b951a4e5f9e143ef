/** The process that writes to a store, and whether it still runs. */

import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { isWriterLocked } from './writer-lock.ts'

export interface WriterProcess {
  readonly pid: number
  /** The start time, to tell a process from a later one with its id; null where the system does not report it. */
  readonly startedAt: string | null
  /** The namespace of the id; null where the system has none. Absent in rows of earlier versions. */
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

export const isThisProcess = ({ pid, startedAt, namespace }: WriterProcess) => {
  const me = thisProcess()
  const isHere = (namespace ?? me.namespace) === me.namespace
  return isHere && pid === me.pid && startedAt === me.startedAt
}

/**
 * Returns whether the last writer of a store still runs. The id of a process in another container says nothing here.
 * @param path the directory of the store
 */
export async function isAlive({ pid, startedAt, namespace }: WriterProcess, path: string) {
  if ((namespace ?? ownNamespace) !== ownNamespace) return isWriterLocked(path)
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  return startedAt === null || processStartedAt(pid) === startedAt
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
