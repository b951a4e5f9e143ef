/**
 * Backups of a service under load, interrupted and complete, and their restores: everything acknowledged
 * before, in an archive with each record of its log once.
 */

import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openArchive } from '../../pipeline/archive/archive.ts'
import { archivedTopics, archiveGroup } from '../../pipeline/archive/archiver.ts'
import { startEngine } from '../../pipeline/archive/engine/supervisor.ts'
import { openEmbeddedLog } from '../../pipeline/log/embedded/embedded-log.ts'
import { projectRoot } from '../../schemas/project-root.ts'
import { topics } from '../../schemas/topics.ts'
import { compareWithLog } from '../archive-truth.ts'
import { inherited, type Service, startService } from '../service.ts'

const program = join(projectRoot, 'dist', 'api', 'command-line', 'main.js')
const ingestToken = 'ingest-token-1234'

let folder: string
let service: Service | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'overround-backup-'))
})
afterEach(async () => {
  await service?.kill()
  service = undefined
  rmSync(folder, { recursive: true, force: true })
})

const run = (...words: string[]) =>
  promisify(execFile)(process.execPath, [program, ...words], { env: inherited() }).then(
    () => ({ code: 0, told: '' }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, told: stderr }),
  )

/** Runs a command until `has` is true, then kills it. @returns whether it was killed before it ended */
async function killed(words: readonly string[], has: () => boolean): Promise<boolean> {
  const child = spawn(process.execPath, [program, ...words], { env: inherited(), stdio: 'ignore' })
  const ended = new Promise<boolean>((resolve) => {
    child.once('exit', (_, signal) => resolve(signal === 'SIGKILL'))
  })
  while (!has() && child.exitCode === null) await delay(1)
  child.kill('SIGKILL')
  return ended
}

/** Pushes a sportsbook that only this push names, so that the log shows whether it was taken. */
async function push(of: Service, sportsbook: string): Promise<boolean> {
  const answer = await fetch(`${of.address}/ingest`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ingestToken}`, 'content-type': 'application/x-ndjson' },
    body: JSON.stringify({
      type: 'book_status',
      sportsbook,
      observed_at: new Date().toISOString(),
      status: 'up',
    }),
  })
  return answer.status === 202
}

const settings = (dataDir: string, simulated: boolean) => ({
  OVERROUND_DATA_DIR: dataDir,
  OVERROUND_INGEST_TOKEN: ingestToken,
  ...(simulated ? { OVERROUND_SIMULATOR_RATE: '1000' } : { OVERROUND_FEEDS: 'none' }),
})

test('a backup of a running service has everything acknowledged, and the log continues from there', async () => {
  const [original, restored] = [join(folder, 'data'), join(folder, 'restored')]
  const file = join(folder, 'backup.tar.gz')
  service = await startService({ env: settings(original, true) })
  const engineHasBegun = () => existsSync(join(original, 'archive', 'metadata', 'overround.sql'))
  await expect.poll(engineHasBegun).toBe(true)
  let isOver = false
  const acknowledged: string[] = []
  const pushing = (async () => {
    for (let i = 0; !isOver; i++) {
      if (await push(service!, `pushed${i}`)) acknowledged.push(`pushed${i}`)
      await delay(5)
    }
  })()

  await expect.poll(() => acknowledged.length).toBeGreaterThan(20)

  const staging = () => readdirSync(original).filter((name) => name.startsWith('.backup-'))
  const backup = ['backup', file, '--data-dir', original]
  expect(await killed(backup, () => staging().length > 0)).toBe(true)
  expect(existsSync(file)).toBe(false)

  const before = acknowledged.length
  expect(await run(...backup)).toEqual({ code: 0, told: '' })
  expect(staging()).toEqual([])
  isOver = true
  await pushing
  expect(acknowledged.length).toBeGreaterThan(before)
  expect((await run(...backup)).told).toMatch(/is there already/)
  expect((await run('restore', file, '--data-dir', original)).told).toMatch(/is not empty/)
  await service.kill()

  const left = () => readdirSync(folder).filter((name) => name.includes('restoring'))
  const restore = ['restore', file, '--data-dir', restored]
  expect(await killed(restore, () => left().length > 0)).toBe(true)
  expect(existsSync(restored)).toBe(false)
  expect(await run(...restore)).toEqual({ code: 0, told: '' })
  expect(left()).toEqual([])

  service = await startService({
    env: { ...settings(restored, false), OVERROUND_ADOPT_LOG: 'true' },
  })
  expect(await push(service, 'afterwards')).toBe(true)
  const log = await openEmbeddedLog({ path: join(restored, 'log') })
  const origin = await openEmbeddedLog({ path: join(original, 'log') })
  try {
    expect(log.continues).toMatchObject([{ epoch: origin.epoch }])
    await expect.poll(() => log.lag(archivedTopics, archiveGroup)).toBe(0)
    const stored = new Set<string>()
    const { signal } = new AbortController()
    await expect
      .poll(async () => {
        const replayed = log.replay([topics.sportsbookStatus], { partitions: [0], signal })
        for await (const records of replayed) for (const { key } of records) stored.add(key)
        return stored.has('afterwards')
      })
      .toBe(true)
    expect(acknowledged.slice(0, before).filter((sportsbook) => !stored.has(sportsbook))).toEqual(
      [],
    )
    expect(await service.stop()).toBe(0)

    const at = { directory: join(restored, 'archive'), database: 'overround' }
    const engine = startEngine(at, pino({ level: 'silent' }))
    const archive = openArchive({ url: 'http://embedded', socket: engine.socket }, 'overround')
    try {
      await engine.whenDecided()
      const rows = await compareWithLog(archive, log)
      console.log(`${before} of ${acknowledged.length} pushes before the backup;`, rows)
      expect(rows.price_changes).toBeGreaterThan(0)
    } finally {
      await archive.close()
      await engine.close()
    }
  } finally {
    await log.close()
    await origin.close()
  }
})

test('a damaged or truncated file is refused, and nothing is created from it', async () => {
  const dataDir = join(folder, 'data')
  const file = join(folder, 'backup.tar.gz')
  service = await startService({
    env: { ...settings(dataDir, true), OVERROUND_ARCHIVE: 'off' },
  })
  expect(await run('backup', file, '--data-dir', dataDir)).toEqual({ code: 0, told: '' })
  const whole = readFileSync(file)
  const target = join(folder, 'restored')
  const refused = join(folder, 'refused.tar.gz')
  const damages: (readonly [of: string, bytes: Buffer])[] = [
    ...[0.0001, 0.1, 0.35, 0.6, 0.999].map(
      (place) => [`a byte at ${place}`, damaged(whole, Math.floor(place * whole.length))] as const,
    ),
    ...[0, 10, Math.floor(whole.length / 2), whole.length - 1].map(
      (end) => [`cut at ${end}`, whole.subarray(0, end)] as const,
    ),
    ['something else', Buffer.from('no backup')],
  ]
  for (const [of, bytes] of damages) {
    writeFileSync(refused, bytes)
    const { code, told } = await run('restore', refused, '--data-dir', target)
    expect([of, code], told).toEqual([of, 1])
    expect(told, of).toMatch(/overround: .*refused\.tar\.gz is (damaged|no backup|not of a form)/)
    expect(existsSync(target), of).toBe(false)
  }
  expect((await run('restore', join(folder, 'none.tar.gz'), '--data-dir', target)).told).toMatch(
    /none\.tar\.gz cannot be read/,
  )
})

/**
 * Flips a bit of the first byte from there on that changes the contents or breaks the file. Bytes such as
 * the time in the gzip header change nothing.
 */
function damaged(file: Buffer, from: number): Buffer {
  const contents = gunzipSync(file)
  for (let at = from; ; at++) {
    const bytes = Buffer.from(file)
    bytes[at] = bytes[at]! ^ 0x10
    try {
      if (!gunzipSync(bytes).equals(contents)) return bytes
    } catch {
      return bytes
    }
  }
}
