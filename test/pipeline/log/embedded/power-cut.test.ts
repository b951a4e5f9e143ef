/**
 * Logs after a power cut: the disk has the meta pages of the last commits, but not their other pages. LMDB goes back to
 * the last state that was flushed, so that state is checked, served, copied and repaired.
 */

import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { copyLog } from '../../../../pipeline/log/embedded/backup.ts'
import { openEmbeddedLog } from '../../../../pipeline/log/embedded/embedded-log.ts'
import { repairLog } from '../../../../pipeline/log/embedded/repair.ts'
import { isRolledBack } from '../../../../pipeline/log/embedded/structure.ts'
import type { Log, Position } from '../../../../pipeline/log/log.ts'
import { topics } from '../../../../schemas/topics.ts'

const pageBytes = 4_096
const metaBytes = 160
const bootAt = 24 + 136
const now = new Date('2026-11-20T12:00:00Z')
const { signal } = new AbortController()

const status = (name: string) => ({
  topic: topics.sportsbookStatus,
  partitionKey: 'b',
  key: name,
  value: { sportsbook: name, status: 'up', since: 1, audience: 'all' } as const,
})
const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`)

let folder: string
/** The file of the closed log, and after two more commits: of the writer, and of records. A third may reuse pages. */
let flushed: Buffer
let later: Buffer
let epoch: string
let position: Position
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'overround-power-'))
  const path = join(folder, 'origin')
  let log = await openEmbeddedLog({ path })
  epoch = log.epoch
  for (let round = 0; round < 40; round++) {
    await log.append(names(`kept${round}-`, 20).map(status))
  }
  await log.close()
  flushed = readFileSync(join(path, 'data.mdb'))
  log = await openEmbeddedLog({ path })
  await log.append(names('lost', 20).map(status))
  later = readFileSync(join(path, 'data.mdb'))
  for await (const chunk of log.follow([topics.sportsbookStatus], { signal })) {
    position = chunk.position
    if (chunk.caughtUp) break
  }
  await log.close()
})
afterAll(() => rmSync(folder, { recursive: true }))

let path: string
let count = 0
beforeEach(() => {
  path = join(folder, `cut${count++}`)
  mkdirSync(path)
})

/** Writes the file as a power cut left it. @param isOtherBoot whether the system has started again since */
function cut({ isOtherBoot = true, change = (_: Buffer) => {} } = {}) {
  const file = Buffer.alloc(later.length)
  // Of a page that was written later, the disk has nothing.
  for (let page = 2 * pageBytes; page < flushed.length; page += pageBytes) {
    const bytes = flushed.subarray(page, page + pageBytes)
    if (bytes.equals(later.subarray(page, page + pageBytes))) bytes.copy(file, page)
  }
  flushed.copy(file, 0, 0, 2 * pageBytes)
  for (const page of [0, pageBytes]) later.copy(file, page, page, page + metaBytes + 24)
  if (isOtherBoot) {
    for (const page of [0, pageBytes / 2, pageBytes]) file.writeBigInt64LE(4_660n, page + bootAt)
  }
  change(file)
  writeFileSync(join(path, 'data.mdb'), file)
  copyFileSync(join(folder, 'origin', 'topics.json'), join(path, 'topics.json'))
}

async function keysOf(log: Log) {
  const keys: string[] = []
  for await (const records of log.replay([topics.sportsbookStatus], { partitions: [0], signal })) {
    keys.push(...records.map(({ key }) => key))
  }
  return keys
}

const kept = Array.from({ length: 40 }, (_, round) => names(`kept${round}-`, 20)).flat()

test('the log opens with what the disk had, and takes records', async () => {
  cut()
  const log = await openEmbeddedLog({ path })
  expect(await keysOf(log)).toEqual(kept)
  await log.append([status('new')])
  expect(await keysOf(log)).toEqual([...kept, 'new'])
  await log.close()
})

test('it is a log of its own: its next records are at offsets that readers know with others', async () => {
  cut()
  let log = await openEmbeddedLog({ path })
  expect(log.epoch).not.toBe(epoch)
  expect(log.continues).toEqual([{ epoch, ends: { 'sportsbook-status': kept.length } }])
  await log.append(names('new', 50).map(status))
  for await (const chunk of log.follow([topics.sportsbookStatus], { signal, from: position })) {
    expect(chunk.reset).toBe(true)
    break
  }
  const second = log.epoch
  await log.close()
  log = await openEmbeddedLog({ path })
  expect(log.epoch).toBe(second)
  await log.close()
})

test('a log whose process was killed is the same log, with all its records', async () => {
  writeFileSync(join(path, 'data.mdb'), later)
  const log = await openEmbeddedLog({ path })
  expect(log.epoch).toBe(epoch)
  expect(await keysOf(log)).toHaveLength(kept.length + 20)
  await log.close()
})

/** Writes a file of which the disk had everything, but perhaps further commits. @param boot null for this one */
function restart(file: Buffer, boot: bigint | null) {
  const copy = Buffer.from(file)
  for (const page of [0, pageBytes / 2, pageBytes]) {
    if (boot !== null) copy.writeBigInt64LE(boot, page + bootAt)
  }
  writeFileSync(join(path, 'data.mdb'), copy)
}

/** Returns the file of a log that is written to, when the disk has all of it. */
async function written() {
  const origin = join(path, 'origin')
  const log = await openEmbeddedLog({ path: origin, flush: 'disk' })
  await log.append(names('kept', 20).map(status))
  const file = () => {
    restart(readFileSync(join(origin, 'data.mdb')), 4_660n)
    return isRolledBack(join(path, 'data.mdb'))
  }
  await expect.poll(file).toBe(false)
  const whole = readFileSync(join(origin, 'data.mdb'))
  await log.close()
  return { whole, epoch: log.epoch }
}

test('a log whose writer ended with the system is a log of its own, once: more may be lost without a trace', async () => {
  const { whole, epoch } = await written()
  restart(whole, 4_660n)
  const [first, second] = [await openEmbeddedLog({ path }), await openEmbeddedLog({ path })]
  expect(first.epoch).not.toBe(epoch)
  expect(first.continues).toEqual([{ epoch, ends: { 'sportsbook-status': 20 } }])
  expect(second.epoch).toBe(first.epoch)
  await first.append([status('new')])
  for (const log of [first, second]) await log.close()
  const third = await openEmbeddedLog({ path })
  expect(third.epoch).toBe(first.epoch)
  await third.close()
})

test('a log whose writer was killed, or had ended before the system did, stays the same log', async () => {
  const { whole, epoch: killed } = await written()
  for (const [file, boot, same] of [
    [whole, null, killed],
    [whole, 0n, killed],
    [flushed, 4_660n, epoch],
  ] as const) {
    restart(file, boot)
    const log = await openEmbeddedLog({ path })
    expect(log.epoch).toBe(same)
    await log.close()
    rmSync(join(path, 'data.mdb'))
  }
})

test('without a crash of the system, the last commits are not left out: the log is damaged', async () => {
  cut({ isOtherBoot: false })
  await expect(openEmbeddedLog({ path })).rejects.toThrow(/is damaged at byte/)
})

test('a log with a damaged meta page is refused, because LMDB would take it as it is', async () => {
  cut({ change: (file) => file.fill(0, pageBytes, pageBytes + 28) })
  await expect(openEmbeddedLog({ path })).rejects.toThrow(/one of its meta pages is not whole/)
})

test('a copy has what the disk had', async () => {
  cut()
  const copy = join(path, 'copy')
  await copyLog(path, copy)
  const log = await openEmbeddedLog({ path: copy })
  expect(await keysOf(log)).toEqual(kept)
  await log.close()
})

test('a repair finds no damage', async () => {
  cut()
  expect(await repairLog(path, [], now, async () => 0)).toMatchObject({
    damagedAt: null,
    kept: kept.length,
  })
})

test('a repair of other damage keeps the rest, and uses no offset again', async () => {
  cut({
    change(file) {
      for (let at = file.indexOf('kept7-3'); at >= 0; at = file.indexOf('kept7-3', at + 1)) {
        file[at]! ^= 1
      }
    },
  })
  const repair = await repairLog(path, [], now, async () => 0)
  expect(repair.losses).toMatchObject([{ topic: 'sportsbook-status', kept: 780, lost: 20 }])
  const log = await openEmbeddedLog({ path })
  await log.append([status('new')])
  for await (const chunk of log.follow([topics.sportsbookStatus], { signal })) {
    if (!chunk.caughtUp) continue
    expect(chunk.position.offsets['sportsbook-status']![0]).toBeGreaterThan(kept.length + 20)
    break
  }
  await log.close()
})
