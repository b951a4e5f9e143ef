/**
 * From the acknowledgement of `/ingest` to the new price in `/odds`, over HTTP against the real
 * process, at a thousand price changes a second.
 *
 *     node dist/benchmarks/visibility.js
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startService } from '../test/service.ts'
import { ascending, percentile, printResults, rounded } from './measure.ts'

const changesPerSecond = 1_000
const batchesPerSecond = 20
const seconds = 20
const token = 'benchmark-ingest-token'
const adminToken = 'benchmark-admin-token'
/** Asking again and again uses up the minute of one key. */
const keyCount = 20

const workDir = mkdtempSync(join(tmpdir(), 'overround-bench-'))
const service = await startService({
  env: {
    OVERROUND_DATA_DIR: workDir,
    OVERROUND_FEEDS: 'none',
    OVERROUND_INGEST_TOKEN: token,
    OVERROUND_ADMIN_TOKEN: adminToken,
  },
})

async function createKey(): Promise<string> {
  const answer = await fetch(`${service.address}/admin/accounts`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'benchmark', tier: 'enterprise' }),
  })
  if (answer.status !== 201) throw new Error(`an account was answered ${answer.status}`)
  return ((await answer.json()) as { data: { key: string } }).data.key
}

const keys: string[] = []
for (let i = 0; i < keyCount; i++) keys.push(await createKey())
let asked = 0

const events = Array.from({ length: 25 }, (_, i) => ({
  external_id: `event-${i}`,
  sport: 'basketball',
  league: `Visibility League ${String.fromCharCode(65 + i)}`,
  home_team: 'Alphaville',
  away_team: 'Betaburg',
  start_time: new Date(Date.now() + 86_400_000).toISOString(),
}))

/** One batch: a move of the home and away price of every event. */
function batch(number: number): string {
  const price = 1.5 + (number % 1_000) / 1_000
  return events
    .map((event) =>
      JSON.stringify({
        type: 'odds',
        sportsbook: 'fanduel',
        mode: 'delta',
        observed_at: new Date().toISOString(),
        event,
        markets: [
          {
            market_type: 'moneyline',
            selections: [
              { selection_type: 'home', odds_decimal: price },
              { selection_type: 'away', odds_decimal: price + 0.001 },
            ],
          },
        ],
      }),
    )
    .join('\n')
}

async function push(number: number) {
  const answer = await fetch(`${service.address}/ingest`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: batch(number),
  })
  if (answer.status !== 202) throw new Error(`ingest answered ${answer.status}`)
}

/** Until the last event shows the price of a batch. */
async function seen(number: number): Promise<void> {
  const wanted = Math.round((1.5 + (number % 1_000) / 1_000) * 1_000) / 1_000
  const league = encodeURIComponent(events.at(-1)!.league)
  const deadline = performance.now() + 10_000
  for (;;) {
    if (performance.now() > deadline) throw new Error(`batch ${number} does not become visible`)
    const answer = await fetch(`${service.address}/odds?league=${league}&limit=1`, {
      headers: { 'X-API-Key': keys[asked++ % keyCount]! },
    })
    if (answer.status !== 200) throw new Error(`/odds answered ${answer.status}`)
    const { data } = (await answer.json()) as { data?: { odds_decimal: number }[] }
    if (data?.[0]?.odds_decimal === wanted) return
  }
}

await push(0)
await delay(1_000)
const delays: number[] = []
const startedAt = performance.now()
for (let number = 1; number <= seconds * batchesPerSecond; number++) {
  await push(number)
  const acknowledgedAt = performance.now()
  await seen(number)
  delays.push(performance.now() - acknowledgedAt)
  const next = startedAt + (number * 1_000) / batchesPerSecond
  await delay(Math.max(0, next - performance.now()))
}
const achieved = (delays.length * events.length * 2) / ((performance.now() - startedAt) / 1_000)
await service.stop()
rmSync(workDir, { recursive: true, force: true })

const sorted = ascending(delays)
printResults([
  {
    name: `from /ingest acknowledged to visible in /odds, at ${changesPerSecond.toLocaleString('en')} changes/s`,
    unit: 'ms (p99)',
    value: rounded(percentile(sorted, 0.99), 1),
    figures: {
      'p50 ms': rounded(percentile(sorted, 0.5), 1),
      'max ms': rounded(sorted.at(-1) ?? Number.NaN, 1),
      'changes/s': rounded(achieved),
    },
    goal: '< 50',
  },
])
process.exit(0)
