/**
 * The delay from the acknowledgement of `/ingest` to the price in `/odds`, at a thousand price changes a second, and to
 * the arbitrage that it starts or ends, at five thousand. Over HTTP against the real process.
 *
 *     node build/benchmarks/visibility.js
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startService } from '../test/service.ts'
import { ascending, percentile, printResults, rounded } from './measure.ts'

const batchesPerSecond = 20
const seconds = 20
const token = 'benchmark-ingest-token'
const adminToken = 'benchmark-admin-token'
/** Polling uses up the rate limit of one key. */
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
let reads = 0

const events = Array.from({ length: 125 }, (_, i) => ({
  external_id: `event-${i}`,
  sport: 'basketball',
  league: `Visibility League ${String.fromCharCode(65 + (i % 26), 65 + Math.floor(i / 26))}`,
  home_team: 'Alphaville',
  away_team: 'Betaburg',
  start_time: new Date(Date.now() + 86_400_000).toISOString(),
}))

type Event = (typeof events)[number]

const moneyline = (sportsbook: string, event: Event, home: number, away: number) =>
  JSON.stringify({
    type: 'odds',
    sportsbook,
    mode: 'delta',
    observed_at: new Date().toISOString(),
    event,
    markets: [
      {
        market_type: 'moneyline',
        selections: [
          { selection_type: 'home', odds_decimal: home },
          { selection_type: 'away', odds_decimal: away },
        ],
      },
    ],
  })

async function push(lines: readonly string[]) {
  const answer = await fetch(`${service.address}/ingest`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: lines.join('\n'),
  })
  if (answer.status !== 202) throw new Error(`ingest answered ${answer.status}`)
}

/** Polls until the first item is as expected. */
async function until(
  path: string,
  isSeen: (first: Record<string, unknown> | undefined) => boolean,
) {
  const deadline = performance.now() + 10_000
  for (;;) {
    if (performance.now() > deadline) throw new Error(`${path} does not show the change`)
    const answer = await fetch(`${service.address}${path}`, {
      headers: { 'X-API-Key': keys[reads++ % keyCount]! },
    })
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
    const { data } = (await answer.json()) as { data: Record<string, unknown>[] }
    if (isSeen(data[0])) return
  }
}

/**
 * Pushes batches at a steady pace and waits until each shows.
 * @returns the delay of each (ms), and price changes per second
 */
async function measure(of: Batches) {
  const delays: number[] = []
  await push(of.lines(0))
  await delay(1_000)
  const startedAt = performance.now()
  for (let number = 1; number <= seconds * batchesPerSecond; number++) {
    await push(of.lines(number))
    const acknowledgedAt = performance.now()
    await of.seen(number)
    delays.push(performance.now() - acknowledgedAt)
    const next = startedAt + (number * 1_000) / batchesPerSecond
    await delay(Math.max(0, next - performance.now()))
  }
  const perSecond = (delays.length * of.changes) / ((performance.now() - startedAt) / 1_000)
  return { delays: ascending(delays), perSecond }
}

interface Batches {
  readonly changes: number
  lines(number: number): readonly string[]
  /** Waits until the change of the batch's last line shows. */
  seen(number: number): Promise<void>
}

const last = events.at(-1)!
const league = encodeURIComponent(last.league)

/** A home and an away price for every event. */
const priceOf = (number: number) => 1.5 + (number % 200) / 1_000
const moves = (number: number, of: readonly Event[]) =>
  of.map((event) => moneyline('fanduel', event, priceOf(number), priceOf(number) + 0.001))

const prices = await measure({
  changes: 2 * 25,
  lines: (number) => moves(number, events.slice(-25)),
  seen(number) {
    const wanted = Math.round(priceOf(number) * 1_000) / 1_000
    return until(`/odds?league=${league}&limit=1`, (row) => row?.odds_decimal === wanted)
  },
})

// Every second batch makes the last event an arbitrage with a fixed price.
await push([moneyline('draftkings', last, 1.91, 1.91)])
const arbitrage = await measure({
  changes: 2 * 125,
  lines: (number) => [
    ...moves(number, events.slice(0, -1)),
    moneyline('fanduel', last, number % 2 === 0 ? 1.85 : 2.2, 1.7),
  ],
  seen: (number) =>
    until(
      `/opportunities/arbitrage?league=${league}&limit=1`,
      (row) => (row !== undefined) === (number % 2 === 1),
    ),
})
await service.stop()
rmSync(workDir, { recursive: true, force: true })

const resultOf = (
  name: string,
  { delays, perSecond }: Awaited<ReturnType<typeof measure>>,
  goal: string,
) => ({
  name,
  unit: 'ms (p99)',
  value: rounded(percentile(delays, 0.99), 1),
  figures: {
    'p50 ms': rounded(percentile(delays, 0.5), 1),
    'max ms': rounded(delays.at(-1) ?? Number.NaN, 1),
    'changes/s': rounded(perSecond),
  },
  goal,
})
printResults([
  resultOf('from /ingest acknowledged to visible in /odds, at 1,000 changes/s', prices, '< 50'),
  resultOf(
    'from /ingest acknowledged to visible in /opportunities/arbitrage, at 5,000 changes/s',
    arbitrage,
    '< 100',
  ),
])
process.exit(0)
