/**
 * A store with an archive, backed up and restored by the command line as in the guide: the API returns the same
 * closes before and after. Without its archive the restored store is refused.
 */

import { execFile } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { projectRoot } from '../../schemas/project-root.ts'
import { inherited, type Service, startService } from '../service.ts'

const program = join(projectRoot, 'dist', 'api', 'command-line', 'main.js')
const ingestToken = 'ingest-token-1234'

let folder: string
let service: Service | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'overround-restored-'))
})
afterEach(async () => {
  await service?.kill()
  service = undefined
  rmSync(folder, { recursive: true, force: true })
})

const settings = (dataDir: string, archive = 'auto') => ({
  OVERROUND_DATA_DIR: dataDir,
  OVERROUND_INGEST_TOKEN: ingestToken,
  OVERROUND_FEEDS: 'none',
  OVERROUND_ARCHIVE: archive,
})

const run = (...words: string[]) =>
  promisify(execFile)(process.execPath, [program, ...words], { env: inherited() })

/** Returns the offers on a game that is about to begin. */
function offers(sportsbook: string, startsAt: number, prices: readonly [number, number]) {
  const [home, away] = prices
  return {
    type: 'odds',
    sportsbook,
    mode: 'snapshot',
    observed_at: new Date().toISOString(),
    event: {
      sport: 'basketball',
      league: 'NBA',
      home_team: 'New York Knicks',
      away_team: 'Brooklyn Nets',
      start_time: new Date(startsAt).toISOString(),
      is_live: false,
    },
    markets: [
      {
        market_type: 'moneyline',
        selections: [
          { selection_type: 'home', odds_decimal: home },
          { selection_type: 'away', odds_decimal: away },
        ],
      },
    ],
  }
}

async function push(of: Service, records: readonly object[]) {
  const answer = await fetch(`${of.address}/ingest`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ingestToken}`, 'content-type': 'application/x-ndjson' },
    body: records.map((record) => JSON.stringify(record)).join('\n'),
  })
  expect(answer.status).toBe(202)
}

/** Returns the archive's closes of a day; undefined while it does not respond. */
async function closes(of: Service, day: string) {
  const query = `date=${day}&sport=basketball&league=nba`
  const answer = await fetch(`${of.address}/historical/odds/closing?${query}`, {
    headers: { 'X-API-Key': 'sk_test_sandbox_sharp' },
  })
  if (answer.status !== 200) return undefined
  return ((await answer.json()) as { data: { total_lines: number } }).data
}

test('the closes of a restored store equal those from before', async () => {
  const [original, restored] = [join(folder, 'data'), join(folder, 'restored')]
  const file = join(folder, 'backup.tar.gz')
  service = await startService({ env: settings(original) })
  const startsAt = Date.now() + 5_000
  const day = new Date(startsAt).toISOString().slice(0, 10)
  await push(service, [
    offers('pinnacle', startsAt, [1.9, 2]),
    offers('draftkings', startsAt, [1.85, 2.02]),
  ])
  await expect.poll(async () => (await closes(service!, day))?.total_lines).toBe(4)
  const before = await closes(service, day)
  await run('backup', file, '--data-dir', original)
  expect(await service.stop()).toBe(0)

  await run('restore', file, '--data-dir', restored)
  service = await startService({ env: settings(restored) })
  await expect.poll(() => closes(service!, day)).toEqual(before)
  // Records pushed after the restore are archived as well.
  const next = Date.now() + 5_000
  await push(service, [{ ...offers('betmgm', next, [1.7, 2.2]), event: otherGame(next) }])
  const nextDay = new Date(next).toISOString().slice(0, 10)
  const lines = nextDay === day ? 6 : 2
  await expect.poll(async () => (await closes(service!, nextDay))?.total_lines).toBe(lines)
  expect(await service.stop()).toBe(0)

  renameSync(join(restored, 'archive'), join(folder, 'elsewhere'))
  await expect(startService({ env: settings(restored) })).rejects.toThrow(
    /cannot start: The archive in .*archive is missing/,
  )
  service = await startService({ env: settings(restored, 'anew') })
  await expect.poll(async () => (await closes(service!, day))?.total_lines).toBe(0)
})

function otherGame(startsAt: number) {
  const { event } = offers('betmgm', startsAt, [1.7, 2.2])
  return { ...event, home_team: 'Boston Celtics', away_team: 'Miami Heat' }
}
