/**
 * Makes a restored log its own log, once its file is known to be whole. LMDB trusts its file, and a
 * malicious file may crash the process that opens it. So a separate process opens it first.
 */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { projectRoot } from '../../schemas/project-root.ts'
import { requireWholeStore } from '../log/embedded/store-file.ts'

const entry = join(projectRoot, 'dist', 'pipeline', 'backup', 'begin-log-anew-process.js')

/**
 * @param group the group that reads the log again from the oldest record kept
 * @throws Error with the log's fault
 */
export async function beginLogAnew(path: string, group: string): Promise<void> {
  await requireWholeStore(path)
  const child = fork(entry, [path, group], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  let reason: string | undefined
  child.on('message', (message) => {
    reason = String(message)
  })
  const [code, signal] = await once(child, 'exit')
  if (code === 0) return
  throw new Error(reason ?? `LMDB does not open it (${signal ?? `code ${code}`})`)
}
