/** Backups of an archive as its engine writes it, and of one with a table that is not the service's. */

import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate } from '../../../pipeline/archive/migrations.ts'
import { restoreBackup, writeBackup } from '../../../pipeline/backup/backup.ts'
import { BackupError } from '../../../pipeline/backup/backup-file.ts'
import { openEmbeddedLog } from '../../../pipeline/log/embedded/embedded-log.ts'
import { topics } from '../../../schemas/topics.ts'
import { type EngineArchive, startEngineArchive } from '../archive/engine-archive.ts'

let engine: EngineArchive
beforeEach(async () => {
  engine = await startEngineArchive()
  mkdirSync(join(engine.directory, 'log'))
  const log = await openEmbeddedLog({ path: join(engine.directory, 'log') })
  const value = { sportsbook: 'b', status: 'up', since: 1, audience: 'all' } as const
  await log.append([{ topic: topics.sportsbookStatus, partitionKey: 'b', key: 'b', value }])
  await log.close()
})
afterEach(() => engine.close())

const options = (file: string) => ({
  dataDir: engine.directory,
  file: join(engine.directory, file),
  onProgress: () => {},
  signal: new AbortController().signal,
})

test('an archive is backed up and restored, also with changes of its lifetimes under way', async () => {
  await migrate(engine.archive, { database: 'overround', cluster: null, keptDays: 9_999 })
  const written = await writeBackup(options('first.tar.gz'))
  const names = Object.keys(written.files)
  expect(names.filter((name) => name.endsWith('.sql')).length).toBeGreaterThan(12)
  expect(names.filter((name) => /mutation_\d+\.txt$/.test(name)).length).toBeGreaterThan(4)
  const dataDir = join(engine.directory, 'restored')
  await restoreBackup({ ...options('first.tar.gz'), dataDir })
  expect(readdirSync(dataDir).sort()).toEqual(['archive', 'log'])
})

test('no backup is made of a table of a newer version, and nothing is said against it', async () => {
  await engine.archive.command(
    'CREATE TABLE price_steams (event_id String) ENGINE = MergeTree ORDER BY event_id',
  )
  const refused = await writeBackup(options('newer.tar.gz')).catch((error: Error) => error)
  expect((refused as Error).message).toMatch(
    /price_steams\.sql is not as overround writes it in this version \("price_steams\.sql"\)\. If a newer version ran on this directory, back up with that version/,
  )
})

test('no backup is made of a table or change of others, until it is gone', async () => {
  const file = join(engine.directory, 'elsewhere.csv')
  await engine.archive.command(`CREATE TABLE x (a String) ENGINE = File('CSV', '${file}')`)
  const refused = await writeBackup(options('second.tar.gz')).catch((error: Error) => error)
  expect(refused).toBeInstanceOf(BackupError)
  expect((refused as Error).message).toMatch(/^archive\/store\/.*\/x\.sql is not as overround/)
  expect(readdirSync(engine.directory).filter((name) => /second|^\./.test(name))).toEqual([])
  await engine.archive.command('DROP TABLE x')
  await writeBackup(options('second.tar.gz'))
  expect(readdirSync(engine.directory)).toContain('second.tar.gz')
})
