import type { Service } from '../service.ts'

/** Returns the process ids of all engines that a service has had, in order, from its text log at level `info`. */
export const enginePids = (service: Service): number[] =>
  [...service.output().matchAll(/"pid":(\d+)[^\n]*"archive engine running"/g)].map(([, pid]) =>
    Number(pid),
  )

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
