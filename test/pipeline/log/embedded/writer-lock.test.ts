/** Writers of other containers, machines and directories: their process ids say nothing here, so the lock decides. */

import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openEmbeddedLog } from '../../../../pipeline/log/embedded/embedded-log.ts'
import { repairLog } from '../../../../pipeline/log/embedded/repair.ts'
import { openStore } from '../../../../pipeline/log/embedded/store.ts'
import { fileSystemOfOthers } from '../../../../pipeline/log/embedded/store-file.ts'
import { thisProcess } from '../../../../pipeline/log/embedded/writer-process.ts'
import { LogLockedError } from '../../../../pipeline/log/log.ts'
import { topics } from '../../../../schemas/topics.ts'

let path: string
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'overround-writer-'))
})
afterEach(() => rmSync(path, { recursive: true }))

const record = {
  topic: topics.sportsbookStatus,
  partitionKey: 'b',
  key: 'b',
  value: { sportsbook: 'b', status: 'up', since: 1, audience: 'all' },
} as const
const repaired = () => repairLog(path, [], new Date('2026-11-20T12:00:00Z'), async () => 0)

/** Writes the row of another writer; by default of one in another container, which has the id of this one there. */
async function moveWriter(other: object = { namespace: 'pid:[1]' }) {
  const env = open(path, { noSubdir: false, encoding: 'json', maxDbs: 4 })
  const elsewhere = { ...thisProcess(), handles: 1, ...other }
  await env.openDB('state', { encoding: 'json' }).put('writer', elsewhere)
  await env.flushed
  await env.close()
}

test.runIf(process.platform === 'linux')(
  'a writer in another container keeps others out until its process has ended',
  async () => {
    const [first, second] = [await openEmbeddedLog({ path }), await openEmbeddedLog({ path })]
    await first.append([record])
    await moveWriter()
    await expect(second.append([record])).rejects.toThrow(LogLockedError)
    await expect(second.append([record])).rejects.toThrow(LogLockedError)
    await expect(repaired()).rejects.toThrow(LogLockedError)
    // It leaves its row, as a killed one does.
    await first.close()
    expect(await repaired()).toMatchObject({ damagedAt: null, kept: 1 })
    await second.append([record])
    await second.close()
  },
)

test('so does one on another machine, whose namespace has the same name and whose id is of none here', async () => {
  const [first, second] = [await openEmbeddedLog({ path }), await openEmbeddedLog({ path })]
  await first.append([record])
  // Above all process ids.
  await moveWriter({ pid: 2 ** 22 + 1 })
  await expect(second.append([record])).rejects.toThrow(LogLockedError)
  await expect(repaired()).rejects.toThrow(LogLockedError)
  await first.close()
  await second.append([record])
  await second.close()
})

test('the writer of a directory keeps nobody out of its copy', async () => {
  const log = await openEmbeddedLog({ path })
  await log.append([record])
  // A process that runs, as the writer seen from another one.
  const { ppid: pid } = process
  await moveWriter({ pid, startedAt: null })
  const copied = `${path}-copy`
  cpSync(path, copied, { recursive: true })
  try {
    const copy = await openEmbeddedLog({ path: copied })
    await copy.append([record])
    await copy.close()
  } finally {
    await log.close()
    rmSync(copied, { recursive: true })
  }
})

test('threads that claim at once are not refused for the row of a killed process', async () => {
  const log = await openEmbeddedLog({ path })
  await log.append([record])
  await log.close()
  // Above all process ids.
  await moveWriter({ pid: 2 ** 22 + 1 })
  const stores = [await openStore(path, 0), await openStore(path, 0), await openStore(path, 0)]
  await Promise.all(stores.map((store) => store.claimWriter()))
  await Promise.all(stores.map((store) => store.releaseWriter()))
  await Promise.all(stores.map((store) => store.close()))
})

test.runIf(process.platform === 'linux')(
  'a store is not opened beside a writer of another container that has the id of this process',
  async () => {
    const log = await openEmbeddedLog({ path })
    await log.append([record])
    await moveWriter()
    await expect(openStore(path, 0)).rejects.toThrow(LogLockedError)
    await log.close()
    await (await openStore(path, 0)).close()
  },
)

test.each([
  [0x6969, 'NFS'],
  [0xff534d42, 'SMB'],
  [-11317950, 'SMB'],
  [0x65735546, 'FUSE'],
  [0xef53, null],
])('of file systems, %i is %s', (type, name) => {
  expect(fileSystemOfOthers(type)).toBe(name)
})
