/** The process that writes to a store, and whether it still runs. */

import { existsSync, readFileSync } from 'node:fs'

export interface WriterProcess {
  readonly pid: number
  /** The start time, to tell a process from a later one with its id; null where the system does not report it. */
  readonly startedAt: string | null
}

export interface Writer extends WriterProcess {
  readonly handles: number
}

export const thisProcess = (): WriterProcess => ({
  pid: process.pid,
  startedAt: processStartedAt(process.pid),
})

export function isAlive({ pid, startedAt }: WriterProcess) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  return startedAt === null || processStartedAt(pid) === startedAt
}

function processStartedAt(pid: number): string | null {
  const path = `/proc/${pid}/stat`
  if (!existsSync(path)) return null
  // The name in the second field may hold spaces and brackets; the start is the 22nd field.
  const stat = readFileSync(path, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
}
