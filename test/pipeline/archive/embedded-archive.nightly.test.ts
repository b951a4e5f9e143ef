import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { ArchiveError, openArchive } from '../../../pipeline/archive/archive.ts'
import { type Engine, startEngine } from '../../../pipeline/archive/engine/supervisor.ts'
import { migrate } from '../../../pipeline/archive/migrations.ts'
import { archiveContract } from '../../contracts/archive.ts'

const logger = pino({ level: 'silent' })
const limits = { seconds: 20, resultRows: 1_000, readRows: 1e8, memoryBytes: 1e9 }

function engineIn(directory: string, database = 'overround'): Engine {
  return startEngine({ directory, database }, logger)
}

archiveContract('the embedded engine', async (database) => {
  const directory = mkdtempSync(join(tmpdir(), 'overround-archive-'))
  const engine = engineIn(directory, database)
  await engine.whenDecided()
  return {
    address: { url: 'http://localhost', socket: engine.socket },
    async stop() {
      await engine.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
})

it('finishes a migration that ended after any of its statements', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'overround-archive-'))
  const engine = engineIn(directory)
  const archive = openArchive({ url: 'http://localhost', socket: engine.socket }, 'overround')
  const tables = async () => {
    const rows = await archive.query<{ name: string; statement: string }>(
      `SELECT name, create_table_query AS statement FROM system.tables
      WHERE database = 'overround' ORDER BY name`,
      {},
      limits,
    )
    return rows.map(({ statement }) => statement)
  }
  const placement = { database: 'overround', cluster: null, keptDays: 10_000 }
  try {
    await engine.whenDecided()
    await migrate(archive, placement)
    const whole = await tables()
    expect(whole.length).toBeGreaterThan(4)
    for (let endAfter = 0; ; endAfter++) {
      for (const statement of await tables()) {
        await archive.command(`DROP TABLE ${/TABLE (\S+)/.exec(statement)![1]}`)
      }
      let steps = 0
      const step = () => {
        if (steps++ === endAfter) throw new ArchiveError('unavailable', 'killed', null)
      }
      const ending = migrate(
        {
          query: archive.query,
          async command(...of) {
            step()
            await archive.command(...of)
          },
          async insert(...of) {
            step()
            await archive.insert(...of)
          },
        },
        placement,
      )
      const ended = await ending.then(
        () => 'whole',
        () => 'half',
      )
      await migrate(archive, placement)
      expect(await tables(), `ended after ${endAfter}`).toEqual(whole)
      const [row] = await archive.query(
        'SELECT count() = max(number) AS isWhole FROM migrations FINAL',
        {},
        limits,
      )
      expect(row).toEqual({ isWhole: 1 })
      if (ended === 'whole') break
    }
  } finally {
    await archive.close()
    await engine.close()
    rmSync(directory, { recursive: true, force: true })
  }
})

it('is restarted when it ends, with everything it had acknowledged', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'overround-archive-'))
  const engine = engineIn(directory)
  const archive = openArchive({ url: 'http://localhost', socket: engine.socket }, 'overround')
  try {
    const first = await engine.whenDecided()
    await migrate(archive, { database: 'overround', cluster: null, keptDays: 10_000 })
    const row = { odds_id: 1, event_id: 'e', league: 'nba', listed_at: '2027-01-14 20:00:00.000' }
    await archive.insert('prices', 'one', [row])
    expect(first.state).toBe('running')
    if (first.state === 'running') process.kill(first.pid, 'SIGKILL')
    await expect.poll(() => engine.state.state).toBe('starting')
    await expect
      .poll(() =>
        archive.ping().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    const rows = await archive.query('SELECT event_id FROM prices', {}, limits)
    expect(rows).toEqual([{ event_id: 'e' }])
  } finally {
    await archive.close()
    await engine.close()
    rmSync(directory, { recursive: true, force: true })
  }
  expect(existsSync(engine.socket)).toBe(false)
})
