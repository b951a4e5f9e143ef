import { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { openArchive } from '../../../pipeline/archive/archive.ts'
import { startEngine } from '../../../pipeline/archive/engine/supervisor.ts'

const database = 'signalled'

/** As Ctrl-C does at a terminal, and a service manager that signals every process. */
it('the engine serves on after signals of a stop, and ends when the service tells it to', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'overround-signals-'))
  const logger = { info: vi.fn(), warn: vi.fn() }
  const engine = startEngine({ directory, database }, logger)
  const archive = openArchive({ url: 'http://localhost', socket: engine.socket }, database)
  const kill = vi.spyOn(ChildProcess.prototype, 'kill')
  try {
    const running = await engine.whenDecided()
    if (running.state !== 'running') throw new Error('the engine does not run')
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.kill(running.pid, signal)
      // A process handles a signal before the second of two requests that come after it.
      for (let request = 0; request < 2; request++) await archive.ping()
    }
    expect(engine.state).toEqual(running)
    await engine.close()
    expect(() => process.kill(running.pid, 0)).toThrow('ESRCH')
    // It was neither signalled nor killed because it took too long.
    expect(kill).not.toHaveBeenCalled()
  } finally {
    kill.mockRestore()
    await archive.close()
    await engine.close()
    rmSync(directory, { recursive: true, force: true })
  }
  expect(logger.warn).not.toHaveBeenCalled()
})
