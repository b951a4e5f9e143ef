/** `backup` says whether a service runs on the directory that it was given. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  backupNotice,
  dataDirOf,
  requireEmbeddedLog,
  runBackup,
} from '../../../api/command-line/backup.ts'
import { openEmbeddedLog } from '../../../pipeline/log/embedded/embedded-log.ts'
import { topics } from '../../../schemas/topics.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'overround-backup-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const { signal } = new AbortController()
const backup = (name: string) =>
  runBackup('backup', join(folder, name), join(folder, 'data'), signal)

test('a backup says whether a service runs on its directory', async () => {
  const log = await openEmbeddedLog({ path: join(folder, 'data', 'log') })
  const value = { sportsbook: 'b', status: 'up', since: 1, audience: 'all' } as const
  await log.append([{ topic: topics.sportsbookStatus, partitionKey: 'b', key: 'b', value }])
  const running = await backup('running')
  expect([running.in_use, backupNotice(running)]).toEqual([true, null])
  await log.close()
  const stopped = await backup('stopped')
  expect(stopped.in_use).toBe(false)
  expect(backupNotice(stopped)).toMatch(/^No service runs on .*data, .*--data-dir/)
})

test.each([
  [{}, {}, './data'],
  [{}, { OVERROUND_DATA_DIR: '' }, './data'],
  [{}, { OVERROUND_DATA_DIR: '/var/odds' }, '/var/odds'],
  [{ dataDir: '/a' }, { OVERROUND_DATA_DIR: '/var/odds' }, '/a'],
])(
  'the data directory with %o in %o is %s, as the service takes it',
  (options, environment, is) => {
    expect(dataDirOf(options, environment)).toBe(is)
  },
)

test('a variable of brokers that is empty is none', () => {
  expect(() => requireEmbeddedLog({ OVERROUND_KAFKA_BROKERS: '' })).not.toThrow()
  expect(() => requireEmbeddedLog({ OVERROUND_KAFKA_BROKERS: 'a:9092' })).toThrow('Kafka')
})
