/**
 * The time from starting a standalone process on a log with a million live prices to its first response.
 *
 *     node build/benchmarks/warm-start.js <directory made by million-rows.js>
 */

import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startService } from '../test/service.ts'
import { median, printResults, rounded } from './measure.ts'

const [, , path] = process.argv
if (!path) throw new Error('usage: warm-start.js <directory>')

const rounds: number[] = []
let rows = 0
for (let round = 0; round < 3; round++) {
  const dataDir = mkdtempSync(join(tmpdir(), 'overround-bench-'))
  symlinkSync(resolve(path), join(dataDir, 'log'))
  const before = performance.now()
  // Replays an empty recording, so that the clock does not tick and prices do not expire.
  const service = await startService({
    env: { OVERROUND_DATA_DIR: dataDir, OVERROUND_FEEDS: `replay:${emptyRecording(dataDir)}` },
  })
  const answer = await fetch(`${service.address}/odds?limit=1`, {
    headers: { 'X-API-Key': 'sk_test_sandbox_sharp' },
  })
  const { pagination } = (await answer.json()) as { pagination: { total: number } }
  rows = pagination.total
  rounds.push((performance.now() - before) / 1_000)
  await service.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

printResults([
  {
    name: `warm start of the process, ${rows.toLocaleString('en')} rows, to the first answer`,
    unit: 's',
    value: rounded(median(rounds), 1),
    figures: {
      'min..max': `${rounded(Math.min(...rounds), 1)}..${rounded(Math.max(...rounds), 1)}`,
    },
    goal: '< 20',
  },
])
process.exit(0)

function emptyRecording(dataDir: string): string {
  const file = join(dataDir, 'empty.ndjson')
  writeFileSync(
    file,
    '{"type":"book_status","sportsbook":"fanduel","observed_at":"2026-01-01T00:00:00Z","status":"up"}\n',
  )
  return file
}
