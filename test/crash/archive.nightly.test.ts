/**
 * Kills the archive's engine and the whole service at random while prices move, restarts them, and compares
 * ClickHouse with the log in the end: every record once, row for row.
 */

import { existsSync, mkdtempSync, readdirSync, rmSync, watch } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openArchive } from '../../pipeline/archive/archive.ts'
import { archivedTables } from '../../pipeline/archive/archived-tables.ts'
import { archivedTopics, archiveGroup } from '../../pipeline/archive/archiver.ts'
import { startEngine } from '../../pipeline/archive/engine/supervisor.ts'
import { createRandom } from '../../pipeline/feeds/simulator/random.ts'
import { openEmbeddedLog } from '../../pipeline/log/embedded/embedded-log.ts'
import { compareWithLog } from '../archive-truth.ts'
import { testSeed } from '../seed.ts'
import { type Service, startService } from '../service.ts'
import { enginePids, isAlive } from './engine-pids.ts'

/** The number of lives, with nearly two kills each. `OVERROUND_TEST_LIVES=28` makes fifty. */
const lives = Number(process.env.OVERROUND_TEST_LIVES ?? 2)
/** Returns whether a service is killed during its start, and its engine with it: every fifth is. */
const isShort = (life: number) => life % 5 === 0
const longestLifeMs = 2_500

test(`${lives} lives, with kills of the archive and of the service, lose no row and double none`, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'overround-archive-kills-'))
  const settled = { OVERROUND_DATA_DIR: dataDir, OVERROUND_LOG_LEVEL: 'info' }
  const env = { ...settled, OVERROUND_SIMULATOR_RATE: '2000' }
  const random = createRandom(testSeed)
  let service: Service | undefined
  let kills = 0
  let duringInserts = 0
  /** Waits for a random time, or until a part is being written. */
  const someMoment = async () => {
    if (random.chance(0.5)) await delay(random.between(0, longestLifeMs))
    else if (await nextPart(join(dataDir, 'archive'), longestLifeMs)) duringInserts++
  }
  try {
    for (let life = 0; life < lives; life++) {
      service = await startService({ env, early: true })
      if (!isShort(life)) {
        kills++
        await untilEngineRuns(service)
        await someMoment()
        process.kill(enginePids(service!)[0]!, 'SIGKILL')
      }
      await someMoment()
      kills++
      await service.kill()
      await expect.poll(() => enginePids(service!).filter(isAlive)).toEqual([])
    }
    console.log(`${kills} kills, ${duringInserts} of them while a part was written`)

    const log = await openEmbeddedLog({ path: join(dataDir, 'log') })
    const lag = () => log.lag(archivedTopics, archiveGroup)
    // The season's games start by the clock, so closes captured while a survivor stops are left to the next one.
    do {
      const still = { OVERROUND_FEEDS: 'none', OVERROUND_ADOPT_LOG: 'true' }
      const survivor = await startService({ env: { ...settled, ...still } })
      await expect.poll(lag).toBe(0)
      expect(await survivor.stop()).toBe(0)
    } while ((await lag()) > 0)

    const at = { directory: join(dataDir, 'archive'), database: 'overround' }
    const engine = startEngine(at, pino({ level: 'silent' }))
    const archive = openArchive({ url: 'http://embedded', socket: engine.socket }, 'overround')
    try {
      await engine.whenDecided()
      const rows = await compareWithLog(archive, log)
      console.log(rows)
      expect(Object.keys(rows)).toEqual(archivedTables.map(({ table }) => table))
      expect(rows.price_changes).toBeGreaterThan(10_000)
    } finally {
      await archive.close()
      await engine.close()
      await log.close()
    }
  } finally {
    await service?.kill()
    rmSync(dataDir, { recursive: true, force: true })
  }
})

/** Fails with what the service logged, which says why its engine does not run. */
async function untilEngineRuns(service: Service) {
  await expect
    .poll(() => enginePids(service).length)
    .toBe(1)
    .catch((cause: unknown) => {
      throw new Error(`the engine does not run:\n${service.output()}`, { cause })
    })
}

/** Waits until a table begins to write a part, at most `withinMs`. Resolves with whether it did. */
async function nextPart(archive: string, withinMs: number): Promise<boolean> {
  const watchers = tableDirectories(archive).map((directory) => watch(directory))
  try {
    return await Promise.race([
      delay(withinMs, false),
      ...watchers.map(
        (watcher) =>
          new Promise<boolean>((resolve) => {
            watcher.on('change', (_kind, file) => {
              if (String(file).startsWith('tmp_insert')) resolve(true)
            })
          }),
      ),
    ])
  } finally {
    for (const watcher of watchers) watcher.close()
  }
}

/** Returns the directories in which the engine keeps the parts of each table. */
function tableDirectories(archive: string): string[] {
  const store = join(archive, 'store')
  if (!existsSync(store)) return []
  return readdirSync(store)
    .flatMap((prefix) => readdirSync(join(store, prefix)).map((id) => join(store, prefix, id)))
    .filter((directory) => existsSync(join(directory, 'format_version.txt')))
}
