/** Repairs of a damaged log: what they count as lost, and what must not come back. */

import {
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startCompaction } from '../../../../pipeline/log/embedded/compaction.ts'
import {
  type DeletedUnread,
  openEmbeddedLog,
} from '../../../../pipeline/log/embedded/embedded-log.ts'
import { repairLog } from '../../../../pipeline/log/embedded/repair.ts'
import { openStore } from '../../../../pipeline/log/embedded/store.ts'
import { LogLockedError } from '../../../../pipeline/log/log.ts'
import { topics } from '../../../../schemas/topics.ts'

const pageBytes = 4_096
const { sportsbookStatus } = topics
const { signal } = new AbortController()

let path: string
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'overround-repair-'))
})
afterEach(() => rmSync(path, { recursive: true }))

const row = (name: string, since: number | null) => ({
  topic: sportsbookStatus,
  partitionKey: 'b',
  key: name,
  value:
    since === null ? null : ({ sportsbook: name, status: 'up', since, audience: 'all' } as const),
})

/** Calls `change` with each page of the log's file. */
function changePages(change: (page: Buffer) => void) {
  const file = join(path, 'data.mdb')
  const bytes = readFileSync(file)
  for (let at = 2 * pageBytes; at < bytes.length; at += pageBytes) {
    change(bytes.subarray(at, at + pageBytes))
  }
  writeFileSync(file, bytes)
}

const repaired = () => repairLog(path, [], new Date('2026-11-20T12:00:00Z'), async () => 0)

async function keys() {
  const log = await openEmbeddedLog({ path })
  const found: string[] = []
  for await (const records of log.replay([sportsbookStatus], { partitions: [0], signal })) {
    found.push(...records.map(({ key }) => key))
  }
  await log.close()
  return found
}

test('records that a page with an altered bound hides are found, or counted as lost', async () => {
  const log = await openEmbeddedLog({ path })
  await Promise.all(
    Array.from({ length: 600 }, (_, round) =>
      log.append(Array.from({ length: 5 }, (_, i) => row(`b${5 * round + i}`, round))),
    ),
  )
  await log.close()
  const before = await keys()
  changePages((page) => {
    const [flags, lower] = [page.readUInt16LE(18), page.readUInt16LE(20)]
    // The root of the entries: it has most children.
    if ((flags & 3) === 1 && lower > 40) page.writeUInt16LE(lower - 8, 20)
  })
  const { damage, kept, losses } = await repaired()
  expect(damage.join()).toContain('another size than it says')
  const lost = losses.reduce((sum, { lost }) => sum + (lost ?? Number.NaN), 0)
  expect(kept + lost).toBe(before.length)
  expect(await keys()).toHaveLength(kept)
})

test('a lost row of a topic brings back no deleted row, where a compaction had only begun', async () => {
  const log = await openEmbeddedLog({ path, tailRecords: 1_000_000 })
  await log.append(Array.from({ length: 500 }, (_, i) => row(`b${i}`, 1)))
  await log.append(Array.from({ length: 100 }, (_, i) => row(`b${i}`, null)))
  for (let round = 0; round < 40; round++) {
    await log.append(Array.from({ length: 50 }, (_, i) => row(`c${i}`, round)))
  }
  await log.close()
  const before = await keys()
  expect(before).not.toContain('b0')
  // The process ends before the first sweep.
  const store = await openStore(path, 0)
  expect(await startCompaction(store, sportsbookStatus.name, 500, Date.now)!.step()).toBe(true)
  await store.flushed()
  await store.close()
  changePages((page) => {
    if (page.includes('"resumable"')) page.fill(0)
  })
  await repaired()
  expect((await keys()).sort()).toEqual(before.sort())
})

test('a gap that a repair left is no loss of records unread', async () => {
  const topic = { ...sportsbookStatus, retention: { forMs: 3_600_000 } }
  const told: DeletedUnread[] = []
  const opened = () =>
    openEmbeddedLog({ path, onDeletedUnread: (deleted) => void told.push(deleted) })
  async function readAll() {
    const log = await opened()
    const stop = new AbortController()
    const offsets: number[] = []
    for await (const { batches } of log.join([topic], { group: 'g', signal: stop.signal })) {
      for await (const batch of batches) {
        await batch.commit([])
        offsets.push(...batch.records.map(({ offset }) => offset))
        if (offsets.length % 2 === 0) stop.abort()
      }
    }
    await log.close()
    return offsets
  }
  const append = async (...names: string[]) => {
    const log = await opened()
    await log.append(names.map((name) => ({ ...row(name, 1), topic })))
    await log.close()
  }
  await append('a', 'b')
  expect(await readAll()).toEqual([0, 1])
  await append('c')
  // As `repairLog` does where records may be lost that nothing tells of.
  const store = await openStore(path, 0)
  await store.changeAlone(() => {
    const state = store.findTopic(topic.name)!
    store.putTopic(topic.name, { ...state, end: state.end + 2 ** 24 })
  })
  await store.flushed()
  await store.close()
  await append('d')
  expect(await readAll()).toEqual([2, 2 ** 24 + 3])
  expect(told).toEqual([])
})

test('a log that is written to meanwhile stays as it is', async () => {
  const log = await openEmbeddedLog({ path })
  await log.append([row('a', 1)])
  await log.append([row('ZZLOST', 1)])
  await log.close()
  changePages((page) => {
    for (let at = page.indexOf('ZZLOST'); at >= 0; at = page.indexOf('ZZLOST', at + 1)) {
      page[at]! ^= 1
    }
  })
  const file = join(path, 'data.mdb')
  let written: Buffer | undefined
  const repairing = repairLog(path, [], new Date(), async () => {
    written = readFileSync(file)
    for (const meta of [0, pageBytes]) {
      const transactionAt = meta + 24 + 128
      written.writeBigUInt64LE(written.readBigUInt64LE(transactionAt) + 2n, transactionAt)
    }
    writeFileSync(file, written)
    return 0
  })
  await expect(repairing).rejects.toThrow(LogLockedError)
  expect(readFileSync(file).equals(written!)).toBe(true)
})

test.skipIf(process.getuid?.() !== 0)(
  'a repair by root leaves files that the owner of the log can open (as root)',
  async () => {
    const [uid, gid] = [4_321, 4_322]
    const own = () => {
      chownSync(path, uid, gid)
      for (const name of readdirSync(path)) chownSync(join(path, name), uid, gid)
    }
    const log = await openEmbeddedLog({ path })
    await log.append([row('a', 1)])
    await log.append([row('ZZLOST', 1)])
    await log.close()
    own()
    rmSync(join(path, 'lock.mdb'))
    await repairLog(path, [], new Date(), async () => {
      await keys()
      return 0
    })
    changePages((page) => {
      const at = page.indexOf('ZZLOST')
      if (at >= 0) page[at]! ^= 1
    })
    const { damagedAt } = await repaired()
    const made = readdirSync(path).map((name) => join(path, name))
    const kept = readdirSync(damagedAt!).map((name) => join(damagedAt!, name))
    for (const file of [...made, damagedAt!, ...kept]) {
      expect(statSync(file), file).toMatchObject({ uid, gid })
    }
    rmSync(damagedAt!, { recursive: true })
  },
)
