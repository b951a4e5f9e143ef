/** `backup` says whether a service runs on the directory that it was given. */

import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  backupNotice,
  dataDirOf,
  requireEmbeddedLog,
  runBackup,
} from '../../../api/command-line/backup.ts'
import { copiedBytes, copyLog } from '../../../pipeline/log/embedded/backup.ts'
import { openEmbeddedLog } from '../../../pipeline/log/embedded/embedded-log.ts'
import { topics } from '../../../schemas/topics.ts'
import { fillDisk, mountSmallDisk } from '../../small-disk.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'overround-backup-'))
})
const unmounts: (() => void)[] = []
afterEach(() => {
  for (const unmount of unmounts.splice(0)) unmount()
  rmSync(folder, { recursive: true })
})

const { signal } = new AbortController()
const statusOf = (key: string, since = 1) => ({
  topic: topics.sportsbookStatus,
  partitionKey: 'b',
  key,
  value: { sportsbook: key, status: 'up', since, audience: 'all' } as const,
})
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

test('a backup removes what killed ones left, and nothing of others', async () => {
  const log = await openEmbeddedLog({ path: join(folder, 'data', 'log') })
  await log.append([statusOf('b')])
  await log.close()
  // Above all process ids.
  const dead = 2 ** 22 + 1
  const copy = `.overround-log-copy-${hostname()}-`
  const left = [`data/.backup-${dead}-aB3dEf`, `${copy}${dead}-aB3dEf`]
  const others = [
    ...[`.backup-${dead}-aB3dEf`, '.backup-20261130', `.backup-${dead}`],
    ...[`${copy}${process.pid}-aB3dEf`, `${copy}${dead}-old`, `${copy}2-${dead}-aB3dEf`],
    ...[`.overround-log-copy-elsewhere-${dead}-aB3dEf`, `data/.backup-log`],
  ]
  for (const name of [...left, ...others]) mkdirSync(join(folder, name))
  await backup('written')
  expect(
    [
      ...readdirSync(folder),
      ...readdirSync(join(folder, 'data')).map((name) => `data/${name}`),
    ].toSorted(),
  ).toEqual([...others, 'data', 'data/log', 'written'].toSorted())
})

test('the room for a copy of the log is that of what it holds', async () => {
  const path = join(folder, 'log')
  const log = await openEmbeddedLog({ path, tailRecords: 10 })
  const large = 'x'.repeat(2_000)
  for (let round = 0; round < 20; round++) {
    await log.append(Array.from({ length: 50 }, (_, i) => statusOf(`${large}${i % 10}`, round)))
  }
  await log.close()
  await copyLog(path, join(folder, 'copy'))
  const sizeIn = (name: string) => statSync(join(folder, name, 'data.mdb')).size
  expect(sizeIn('copy')).toBeLessThan(sizeIn('log'))
  const bytes = await copiedBytes(path)
  expect(bytes).toBeGreaterThanOrEqual(sizeIn('copy'))
  expect(bytes - sizeIn('copy')).toBeLessThan(10 * 4_096)
})

test('a backup is refused where the copy of the log does not fit, and made from a disk that is full', async (context) => {
  const small = join(folder, 'small')
  const unmount = mountSmallDisk(small, 4)
  if (!unmount) return context.skip()
  unmounts.push(unmount)
  const log = await openEmbeddedLog({ path: join(folder, 'data', 'log') })
  const value = { sportsbook: 'b', status: 'up', since: 1, audience: 'all' } as const
  await log.append([{ topic: topics.sportsbookStatus, partitionKey: 'b', key: 'b', value }])
  await log.close()
  cpSync(join(folder, 'data'), join(small, 'data'), { recursive: true })
  fillDisk(join(small, 'filling'))
  const data = (directory: string, file: string) =>
    runBackup('backup', join(folder, file), join(folder, directory), signal)
  await expect(data('data', 'small/b')).rejects.toThrow(
    /small has \d+ MB free, .* name a file on another disk/,
  )
  await data('small/data', 'large')
  expect(readdirSync(folder).toSorted()).toEqual(['data', 'large', 'small'])
  expect(readdirSync(join(small, 'data'))).toEqual(['log'])
})

test('an archive whose log is on Kafka is not backed up, and what to do is said', async () => {
  mkdirSync(join(folder, 'data', 'archive'), { recursive: true })
  const { signal } = new AbortController()
  const backup = runBackup('backup', join(folder, 'file'), join(folder, 'data'), signal)
  await expect(backup).rejects.toThrow(
    /data has no log of overround.* .*data\/archive is the archive .* on Kafka.* copy the directory/,
  )
  await expect(backup).rejects.toThrow(/If the log is on Kafka, .* If not, the log is missing/)
  expect(existsSync(join(folder, 'file'))).toBe(false)
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
  expect(() => requireEmbeddedLog({ OVERROUND_KAFKA_BROKERS: 'a:9092' })).toThrow(
    /Kafka.*OVERROUND_DATA_DIR\/archive: stop it and copy that directory/,
  )
})
