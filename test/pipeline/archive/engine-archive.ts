/** An embedded engine with the archive's tables, in a directory of its own. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { type Archive, openArchive } from '../../../pipeline/archive/archive.ts'
import { type Engine, startEngine } from '../../../pipeline/archive/engine/supervisor.ts'
import { migrate } from '../../../pipeline/archive/migrations.ts'

export interface EngineArchive {
  readonly archive: Archive
  readonly engine: Engine
  /** For what the test keeps beside it. */
  readonly directory: string
  close(): Promise<void>
}

export async function startEngineArchive(): Promise<EngineArchive> {
  const database = 'overround'
  const directory = mkdtempSync(join(tmpdir(), 'overround-archive-'))
  const at = { directory: join(directory, 'archive'), database }
  const engine = startEngine(at, pino({ level: 'silent' }))
  await engine.whenDecided()
  const archive = openArchive({ url: 'http://embedded', socket: engine.socket }, database)
  await migrate(archive, { database, cluster: null, keptDays: 10_000 })
  return {
    archive,
    engine,
    directory,
    async close() {
      await archive.close()
      await engine.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
