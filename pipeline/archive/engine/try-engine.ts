/** Tests whether the embedded engine runs here: an installed package does not prove it. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEngine } from './supervisor.ts'

export type EngineTried =
  | { readonly runs: true; readonly version: string }
  | { readonly runs: false; readonly reason: string }

const longestMs = 60_000

/** Opens the engine over an empty directory, in a separate process, and closes it again. */
export async function tryEngine(): Promise<EngineTried> {
  const directory = await mkdtemp(join(tmpdir(), 'overround-try-'))
  let fail: (reason: string) => void = () => {}
  const failed = new Promise<string>((resolve) => {
    fail = resolve
  })
  const timer = setTimeout(fail, longestMs, `it has not opened within ${longestMs / 1_000} s`)
  const engine = startEngine(
    { directory, database: 'tried' },
    { info() {}, warn: ({ reason }: { reason?: string }) => fail(reason ?? 'its process ended') },
  )
  try {
    const decided = await Promise.race([engine.whenDecided(), failed])
    if (typeof decided === 'string') return { runs: false, reason: decided }
    return decided.state === 'running'
      ? { runs: true, version: decided.version }
      : { runs: false, reason: decided.reason ?? 'it does not start' }
  } finally {
    clearTimeout(timer)
    await engine.close()
    await rm(directory, { recursive: true, force: true })
  }
}
