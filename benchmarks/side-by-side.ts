/**
 * Compares one process with its embedded log, one pipeline and one API on Kafka, and two of each: the delay of a push to
 * another API's board, price changes per second, and CPU time per change and kind of process: at full speed, and at a
 * few hundred changes a second, where each is a transaction of its own. Also the CPU time of processes with nothing to
 * do. Real processes, one broker; the deployments alternate, so that changes of the machine's pace affect all of them.
 *
 *     node build/benchmarks/side-by-side.js [rounds]
 */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../infra/kafka-local/jvm.ts'
import { startLocalKafka } from '../infra/kafka-local/kafka-local.ts'
import { type Service, startService } from '../test/service.ts'
import { ascending, median, percentile, printResults, range, rounded } from './measure.ts'
import { cpuSeconds, residentBytes } from './processes.ts'

const rounds = Number(process.argv[2] ?? 3)
/** Each round has a paced part, a part at full speed, a trickle and a pause. */
const pacedBatches = 60
const batchEveryMs = 50
const floodedBodies = 80
const bodiesUnderWay = 4
const recordsPerBody = 500
const trickleSeconds = 10
const tricklesPerSecond = 25
const recordsPerTrickle = 6
const idleSeconds = 10
const leagueCount = 64
const eventsPerLeague = 8
const tokens = { ingest: 'benchmark-ingest-token', admin: 'benchmark-admin-token' }
const keyCount = 20

type Kind = 'pipeline' | 'api' | 'broker'
type CpuByKind = Readonly<Record<Kind, number[]>>
const kinds = ['pipeline', 'api', 'broker'] as const satisfies readonly Kind[]
const noCpu = (): CpuByKind => ({ pipeline: [], api: [], broker: [] })

interface Deployment {
  readonly name: string
  readonly pipelines: readonly Service[]
  readonly apis: readonly Service[]
  readonly keys: readonly string[]
  readonly delays: number[]
  readonly rates: number[]
  /** us per change at full speed. */
  readonly cpu: CpuByKind
  /** us per change of a trickle. */
  readonly trickled: CpuByKind
  /** Percent of a core, of all processes of a kind. */
  readonly idle: CpuByKind
  readonly bytes: number[]
  /** The number of the last pushed price, so that each is new. */
  number: number
}

const workDir = mkdtempSync(join(tmpdir(), 'overround-bench-'))
const kafka = await startLocalKafka({ dataDir: join(workDir, 'kafka') })
const broker = kafka.nodes[0]!

const common = {
  OVERROUND_FEEDS: 'none',
  OVERROUND_ARCHIVE: 'off',
  OVERROUND_INGEST_TOKEN: tokens.ingest,
  OVERROUND_ADMIN_TOKEN: tokens.admin,
}

async function deployment(name: string, pipelineCount: number, apiCount: number) {
  const isStandalone = pipelineCount === 0
  const prefix = `side-${pipelineCount}-${apiCount}.`
  const start = async (role: string, i: number) =>
    startService({
      env: {
        ...common,
        OVERROUND_ROLE: role,
        OVERROUND_DATA_DIR: join(workDir, prefix + role + i),
        ...(role === 'pipeline' && { OVERROUND_HEALTH_PORT: String(await findFreePort()) }),
        ...(!isStandalone && {
          OVERROUND_KAFKA_BROKERS: kafka.brokers,
          OVERROUND_SCHEMA_REGISTRY_URL: kafka.registryUrl,
          OVERROUND_KAFKA_TOPIC_PREFIX: prefix,
        }),
      },
      early: role === 'pipeline',
    })
  const all = (role: string, count: number) =>
    Promise.all(Array.from({ length: count }, (_, i) => start(role, i)))
  const pipelines = await all('pipeline', pipelineCount)
  const apis = await all(isStandalone ? 'standalone' : 'api', apiCount)
  const keys: string[] = []
  for (let i = 0; i < keyCount; i++) keys.push(await createKey(apis[0]!))
  const made: Deployment = {
    ...{ name, pipelines, apis, keys, delays: [], rates: [], bytes: [], number: 0 },
    ...{ cpu: noCpu(), trickled: noCpu(), idle: noCpu() },
  }
  return made
}

async function createKey({ address }: Service): Promise<string> {
  for (;;) {
    const answer = await fetch(`${address}/admin/accounts`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${tokens.admin}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'benchmark', tier: 'enterprise' }),
    })
    if (answer.status === 201) return ((await answer.json()) as { data: { key: string } }).data.key
    if (answer.status !== 503) throw new Error(`an account was answered ${answer.status}`)
    await delay(200)
  }
}

const word = (n: number) => String.fromCharCode(65 + Math.floor(n / 26), 97 + (n % 26))
const startsAt = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 86_400_000).toISOString()
const games = Array.from({ length: leagueCount * eventsPerLeague }, (_, i) => ({
  external_id: `game-${i}`,
  sport: 'soccer',
  league: `Side ${word(i % leagueCount)} League`,
  home_team: `Alphaville ${word(Math.floor(i / leagueCount))}`,
  away_team: `Betaburg ${word(Math.floor(i / leagueCount))}`,
  start_time: startsAt,
}))
const sportsbooks = ['fanduel', 'draftkings', 'pinnacle', 'betmgm', 'caesars', 'bet365']

/** Returns push lines of two prices each, for different games or sportsbooks. The last line is of the last game. */
function body(number: number, records: number): string {
  const price = priceOf(number)
  const lines: string[] = []
  for (let i = records - 1; i >= 0; i--) {
    const game = games.at(-1 - (i % games.length))!
    const sportsbook = sportsbooks[Math.floor(i / games.length) % sportsbooks.length]!
    const selections = [
      { selection_type: 'home', odds_decimal: price },
      { selection_type: 'away', odds_decimal: price },
    ]
    lines.push(
      JSON.stringify({
        ...{ type: 'odds', sportsbook, mode: 'delta', observed_at: new Date().toISOString() },
        event: game,
        markets: [{ market_type: 'total', line: 2.5, selections: selections.map(overUnder) }],
      }),
    )
  }
  return lines.join('\n')
}

const overUnder = ({ odds_decimal }: { odds_decimal: number }, i: number) => ({
  selection_type: i === 0 ? 'over' : 'under',
  odds_decimal,
})
const priceOf = (number: number) => Math.round((2.1 + (number % 500) / 1_000) * 1_000) / 1_000

async function push({ address }: Service, text: string) {
  const answer = await fetch(`${address}/ingest`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${tokens.ingest}` },
    body: text,
  })
  const { data } = (await answer.json()) as { data?: { accepted: number; rejected: unknown[] } }
  if (answer.status !== 202 || data?.rejected.length !== 0) {
    throw new Error(`ingest answered ${answer.status} ${JSON.stringify(data?.rejected[0])}`)
  }
}

const last = games.at(-1)!
let reads = 0
/** Waits until the last game has the price of this number. */
async function seen({ keys }: Deployment, { address }: Service, number: number) {
  const path = `/odds?league=${encodeURIComponent(last.league)}&q=${encodeURIComponent(last.home_team)}&sportsbook=fanduel&limit=1`
  const deadline = performance.now() + 120_000
  for (;;) {
    const answer = await fetch(address + path, {
      headers: { 'X-API-Key': keys[reads++ % keyCount]! },
    })
    const { data } = (await answer.json()) as { data?: { odds_decimal: number }[] }
    if (data?.[0]?.odds_decimal === priceOf(number)) return
    if (performance.now() > deadline) throw new Error(`the board of ${address} lacks ${number}`)
    await delay(1)
  }
}

/** Pushes 1,000 changes a second, each to one API, and waits for it at the next. */
async function paced(on: Deployment) {
  const { apis } = on
  const beganAt = performance.now()
  for (let i = 0; i < pacedBatches; i++) {
    const number = ++on.number
    await push(apis[i % apis.length]!, body(number, batchEveryMs / 2))
    const acknowledgedAt = performance.now()
    await seen(on, apis[(i + 1) % apis.length]!, number)
    on.delays.push(performance.now() - acknowledgedAt)
    await delay(Math.max(0, beganAt + (i + 1) * batchEveryMs - performance.now()))
  }
}

/** Sends several pushes at a time, to all APIs in turn, until everything is on all boards. */
async function flooded(on: Deployment) {
  const { apis } = on
  const bodies = Array.from({ length: floodedBodies }, () => body(++on.number, recordsPerBody))
  const before = spentBy(on)
  const bytesBefore = storedBytes()
  const beganAt = performance.now()
  let next = 0
  const pushing = async () => {
    while (next < bodies.length) {
      const i = next++
      await push(apis[i % apis.length]!, bodies[i]!)
    }
  }
  await Promise.all(Array.from({ length: bodiesUnderWay }, pushing))
  // Parallel pushes may arrive in another order.
  const final = ++on.number
  await push(apis[0]!, body(final, recordsPerBody))
  for (const api of apis) await seen(on, api, final)
  const changes = 2 * recordsPerBody * (floodedBodies + 1)
  on.rates.push(changes / ((performance.now() - beganAt) / 1_000))
  note(on, on.cpu, before, changes / 1e6)
  on.bytes.push((storedBytes() - bytesBefore) / changes)
}

/** Pushes a few hundred changes a second, each push to one API, without reading. */
async function trickled(on: Deployment) {
  const { apis } = on
  const before = spentBy(on)
  const pushes = trickleSeconds * tricklesPerSecond
  const beganAt = performance.now()
  for (let i = 0; i < pushes; i++) {
    await push(apis[i % apis.length]!, body(++on.number, recordsPerTrickle))
    await delay(Math.max(0, beganAt + ((i + 1) * 1_000) / tricklesPerSecond - performance.now()))
  }
  note(on, on.trickled, before, (2 * recordsPerTrickle * pushes) / 1e6)
  for (const api of apis) await seen(on, api, on.number)
}

async function idled(on: Deployment) {
  const before = spentBy(on)
  await delay(idleSeconds * 1_000)
  note(on, on.idle, before, idleSeconds / 100)
}

/** Returns the CPU seconds so far, by kind of process. */
const spentBy = ({ pipelines, apis }: Deployment): Readonly<Record<Kind, number>> => ({
  pipeline: sum(pipelines.map(({ pid }) => cpuSeconds(pid))),
  api: sum(apis.map(({ pid }) => cpuSeconds(pid))),
  broker: cpuSeconds(broker.pid()!),
})

/** Adds the CPU seconds since `before`, divided by `by`. */
function note(on: Deployment, to: CpuByKind, before: Readonly<Record<Kind, number>>, by: number) {
  const now = spentBy(on)
  for (const kind of kinds) to[kind].push((now[kind] - before[kind]) / by)
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)
/** Returns bytes on the broker's disk, which compaction of older data also changes. */
const storedBytes = () =>
  Number(
    execFileSync('du', ['-sb', join(workDir, 'kafka')])
      .toString()
      .split('\t')[0],
  )

const deployments = [
  await deployment('one process, embedded log', 0, 1),
  await deployment('one pipeline and one API, Kafka', 1, 1),
  await deployment('two pipelines and two APIs, Kafka', 2, 2),
]
const loads: number[] = []
for (const on of deployments) {
  // Warm-up with the first board.
  for (let i = 0; i < 4; i++) await push(on.apis[0]!, body(++on.number, 3_000))
  await push(on.apis[0]!, body(++on.number, recordsPerBody))
  for (const api of on.apis) await seen(on, api, on.number)
}
for (let round = 0; round < rounds; round++) {
  for (const on of deployments) {
    await paced(on)
    await flooded(on)
    await trickled(on)
    await idled(on)
    loads.push(loadavg()[0]!)
    console.error(
      `${on.name}: ${rounded(on.rates.at(-1)!)} changes/s, p50 ${rounded(median(on.delays), 1)} ms, load ${rounded(loads.at(-1)!)}`,
    )
  }
}
const results = deployments.map((on) => {
  const delays = ascending(on.delays)
  const isStandalone = on.pipelines.length === 0
  const each = (values: readonly number[]) => rounded(median(values), 1)
  const byKind = ({ pipeline, api, broker }: CpuByKind) =>
    isStandalone
      ? `all ${each(api)}`
      : `pipelines ${each(pipeline)}, APIs ${each(api)}, broker ${each(broker)}`
  const trickle = tricklesPerSecond * 2 * recordsPerTrickle
  const megabytes = (services: readonly Service[]) =>
    services.map(({ pid }) => rounded(residentBytes(pid) / 1e6)).join(' ')
  return {
    name: `${on.name}: pushed, decided and on all boards`,
    unit: 'price changes/s',
    value: rounded(median(on.rates)),
    figures: {
      'min..max': range(on.rates),
      'to the board of the other API at 1,000/s, p50 ms': rounded(percentile(delays, 0.5), 1),
      'p99 ms': rounded(percentile(delays, 0.99), 1),
      'CPU us/change': byKind(on.cpu),
      [`CPU us/change at ${trickle}/s`]: byKind(on.trickled),
      'CPU % without changes': byKind(on.idle),
      ...(!isStandalone && { 'bytes/change on the broker': each(on.bytes) }),
      MB: isStandalone
        ? megabytes(on.apis)
        : `pipelines ${megabytes(on.pipelines)}, APIs ${megabytes(on.apis)}`,
      load: range(loads),
    },
    goal: '',
  }
})
for (const { pipelines, apis } of deployments) {
  for (const service of [...apis, ...pipelines]) await service.kill()
}
await kafka.stop()
rmSync(workDir, { recursive: true, force: true })
printResults(results)
process.exit(0)
