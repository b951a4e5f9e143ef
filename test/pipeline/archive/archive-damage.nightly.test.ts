/** A full disk, and a damaged part on it: the errors, the work that goes on, and the rows afterwards. */

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Archive, openArchive } from '../../../pipeline/archive/archive.ts'
import { archivedTopics, archiveGroup, runArchiver } from '../../../pipeline/archive/archiver.ts'
import { type Engine, startEngine } from '../../../pipeline/archive/engine/supervisor.ts'
import { migrate } from '../../../pipeline/archive/migrations.ts'
import { createRandom } from '../../../pipeline/feeds/simulator/random.ts'
import { openEmbeddedLog } from '../../../pipeline/log/embedded/embedded-log.ts'
import { priceChange } from '../../../schemas/price-change.ts'
import { topics } from '../../../schemas/topics.ts'
import { compareWithLog } from '../../archive-truth.ts'
import { testSeed } from '../../seed.ts'
import { fillDisk, mountSmallDisk } from '../../small-disk.ts'

const database = 'overround'
const limits = { seconds: 20, resultRows: 100_000, readRows: 1e8, memoryBytes: 1e9 }

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'overround-damage-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

async function openIn(path: string): Promise<{ engine: Engine; archive: Archive }> {
  const engine = startEngine({ directory: path, database }, pino({ level: 'silent' }))
  await engine.whenDecided()
  const archive = openArchive({ url: 'http://embedded', socket: engine.socket }, database)
  await migrate(archive, { database, cluster: null, keptDays: 10_000 })
  return { engine, archive }
}

async function close({ engine, archive }: { engine: Engine; archive: Archive }) {
  await archive.close()
  await engine.close()
}

const start = Date.parse('2027-01-30T12:00:00.000Z')
const random = createRandom(testSeed)
const changes = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    topic: topics.priceChanges,
    partitionKey: 'epl',
    key: String(from + i),
    value: {
      oddsId: 310_778_204_665_018 + from + i,
      eventId: `epl_${i % 7}`,
      league: 'epl',
      at: start + from + i,
      what: priceChange.price,
      price: random.between(1.5, 2.5),
      isLive: false,
      isActive: true,
      of: null,
    },
  }))

it('waits while the disk is full, reports it, and has each record once when there is room', async (context) => {
  const disk = join(directory, 'disk')
  const unmount = mountSmallDisk(disk, 48)
  if (!unmount) return context.skip('a disk cannot be mounted here')
  const log = await openEmbeddedLog({ path: join(directory, 'log') })
  const opened = await openIn(join(disk, 'archive'))
  const stop = new AbortController()
  const reasons: string[] = []
  try {
    await log.append(changes(0, 500))
    const running = runArchiver(log, opened.archive, {
      signal: stop.signal,
      blockRows: 100,
      fillMs: 1,
      onWaiting: ({ message }) => reasons.push(message),
    })
    await expect.poll(() => log.lag(archivedTopics, archiveGroup)).toBe(0)
    fillDisk(join(disk, 'ballast'))
    await log.append(changes(500, 500))
    await expect.poll(() => reasons.length).toBeGreaterThan(2)
    expect(reasons.at(-1)).toMatch(/space/i)
    expect(await log.lag(archivedTopics, archiveGroup)).toBeGreaterThan(0)
    // Queries still work.
    const [row] = await opened.archive.query(
      'SELECT count() > 0 AS has FROM price_changes',
      {},
      limits,
    )
    expect(row).toEqual({ has: 1 })
    rmSync(join(disk, 'ballast'))
    await expect.poll(() => log.lag(archivedTopics, archiveGroup)).toBe(0)
    stop.abort()
    await running
    expect(await compareWithLog(opened.archive, log)).toMatchObject({ price_changes: 1_000 })
  } finally {
    stop.abort()
    await close(opened)
    await log.close()
    unmount()
  }
})

it('names a damaged part, and continues with the others', async () => {
  const path = join(directory, 'archive')
  const row = (offset: number, at: string) => ({
    event_id: `e${offset}`,
    odds_id: offset,
    at,
    price: 1.9,
    what: 1,
    is_live: false,
    is_active: true,
    log_epoch: 'e',
    log_partition: 0,
    log_offset: offset,
  })
  const first = await openIn(path)
  await first.archive.insert('price_changes', 'a', [row(1, '2027-01-14 20:00:00.000')])
  await first.archive.insert('price_changes', 'b', [row(2, '2027-02-14 20:00:00.000')])
  await close(first)
  const part = partOf(path, '202701_')
  garble(part)
  const second = await openIn(path)
  try {
    const offsets = (month: number) =>
      second.archive.query<{ o: number }>(
        'SELECT log_offset AS o, price FROM price_changes WHERE toYYYYMM(at) = {month:UInt32} AND NOT ignore(*) ORDER BY o',
        { month },
        limits,
      )
    await expect(offsets(202701)).rejects.toMatchObject({
      name: 'ArchiveError',
      code: 'refused',
      message: expect.stringMatching(
        /reading from part .*202701_.* in table overround\.price_changes/,
      ),
    })
    expect(await offsets(202702)).toMatchObject([{ o: 2 }])
    await second.archive.insert('price_changes', 'c', [row(3, '2027-02-14 20:00:00.000')])
    expect(await offsets(202702)).toMatchObject([{ o: 2 }, { o: 3 }])
    expect(second.engine.state.state).toBe('running')
  } finally {
    await close(second)
  }
})

/** Returns the directory of a table's part. */
function partOf(archive: string, prefix: string): string {
  const store = join(archive, 'store')
  for (const one of readdirSync(store)) {
    for (const table of readdirSync(join(store, one))) {
      const parts = readdirSync(join(store, one, table)).filter((name) => name.startsWith(prefix))
      if (parts[0]) return join(store, one, table, parts[0])
    }
  }
  throw new Error(`no part ${prefix}`)
}

/** Flips bits of the part's data and keeps its size. */
function garble(part: string) {
  const file = join(part, existsSync(join(part, 'data.bin')) ? 'data.bin' : 'price.bin')
  const bytes = readFileSync(file)
  for (let at = 20; at < bytes.length; at++) bytes[at]! ^= 0x5a
  writeFileSync(file, bytes)
}
