/** An embedded engine with the archive's tables, in a directory of its own. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { type Archive, openArchive, type QueryLimits } from '../../../pipeline/archive/archive.ts'
import { type Engine, startEngine } from '../../../pipeline/archive/engine/supervisor.ts'
import { migrate } from '../../../pipeline/archive/migrations.ts'
import { patienceMs } from '../../patience.ts'

export interface EngineArchive {
  readonly archive: Archive
  readonly engine: Engine
  /** Directory for the test's own files. */
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
    archive: withPatience(archive),
    engine,
    directory,
    async close() {
      await archive.close()
      await engine.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Lifts the time limit of queries, which a loaded machine would exceed. The other limits stay. */
function withPatience(archive: Archive): Archive {
  const patient = (limits: QueryLimits) => ({ ...limits, seconds: patienceMs / 1_000 })
  return {
    ...archive,
    query: (statement, parameters, limits, decoding) =>
      archive.query(statement, parameters, patient(limits), decoding),
    export: (statement, parameters, format, limits) =>
      archive.export(statement, parameters, format, patient(limits)),
  }
}
