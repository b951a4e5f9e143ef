/**
 * The archive on the embedded engine: insert rate, bytes on disk, and typical queries, each compared with DuckDB over
 * the same rows in the same run.
 *
 *     node build/benchmarks/archive.js [changes=100000000] [closes=10000000]
 *
 * ClickHouse fills its tables itself: a season of games, sixty at a time, with five hundred prices each that move on a
 * ladder of American odds.
 */

import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { pipeline } from 'node:stream/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { pino } from 'pino'
import {
  type Archive,
  type ArchiveRow,
  openArchive,
  type Parameters,
} from '../pipeline/archive/archive.ts'
import { clvStatements, valueEvents } from '../pipeline/archive/clv.ts'
import { startEngine } from '../pipeline/archive/engine/supervisor.ts'
import { migrate } from '../pipeline/archive/migrations.ts'
import { always, changesOfPrice } from '../pipeline/archive/price-history.ts'
import { ascending, percentile, printResults, type Result, rounded } from './measure.ts'
import { option } from './options.ts'
import { cpuSeconds, residentBytes } from './processes.ts'

const changeCount = Number(option('changes') ?? 100_000_000)
const closeCount = Number(option('closes') ?? 10_000_000)

const database = 'overround'
const limits = { seconds: 3_000, resultRows: 1e9, readRows: 1e12, memoryBytes: 8e9 }
/** The archiver's block size. */
const blockRows = 10_000
const insertedBlocks = 50
const fillRows = 5_000_000
const seasonStart = Date.UTC(2026, 0, 1)
const seasonSeconds = 360 * 86_400
const gamesAtOnce = 60
const pricesOfGame = 500
/** Changes of the games that are on at the same time. */
const changesOfSlate = 300_000

const directory = mkdtempSync(join(tmpdir(), 'overround-archive-bench-'))
const engine = startEngine(
  { directory: join(directory, 'archive'), database },
  pino({ level: 'silent' }),
)
const state = await engine.whenDecided()
if (state.state !== 'running') throw new Error('the embedded engine does not run here')
const enginePid = state.pid
const archive = openArchive({ url: 'http://embedded', socket: engine.socket }, database)
const duck = await (await DuckDBInstance.create(join(directory, 'duck.db'))).connect()
const results: Result[] = []
try {
  await migrate(archive, { database, cluster: null, keptDays: 10_000 })
  await measureInserts()
  await fillChanges()
  await measureBytes()
  await copyToDuck(
    'price_changes',
    'event_id, odds_id, at, price, what, is_live, is_active, log_offset',
    'event_id, odds_id, log_offset',
  )
  await measureHistory()
  await measureAsOf()
  await fillCloses()
  await copyToDuck(
    'closing_lines',
    'event_id, odds_id, sport, league, sportsbook, market_type, selection_type, line, starts_at, price, no_vig',
    'league, event_id, odds_id',
  )
  await measureClv()
  await measureStalls()
} finally {
  await archive.close()
  await engine.close()
  duck.closeSync()
  rmSync(directory, { recursive: true, force: true })
}
printResults(results)

function report(result: Result) {
  results.push(result)
  console.error(result.name, result.value, result.unit, result.figures)
}

// ---- rows in

/** Inserts rows like the archiver. */
async function measureInserts() {
  const epoch = '75370bb1-a64d-49e4-a973-4a1c53bc9002'
  const rowAt = (offset: number): ArchiveRow => ({
    event_id: `nba_boston_newyork_2026-01-14_b${offset % gamesAtOnce}`,
    odds_id: 310_778_204_665_018 + (offset % (gamesAtOnce * pricesOfGame)),
    at: new Date(seasonStart + offset).toISOString().replace('T', ' ').slice(0, -1),
    price: 1.5 + (offset % 97) / 50,
    what: 2,
    is_live: false,
    is_active: true,
    log_epoch: epoch,
    log_partition: 0,
    log_offset: offset,
  })
  const rates: number[] = []
  const cpuBefore = process.cpuUsage()
  const engineBefore = cpuSeconds(enginePid)
  for (let block = 0; block < insertedBlocks; block++) {
    const rows = Array.from({ length: blockRows }, (_, index) => rowAt(block * blockRows + index))
    const startedAt = performance.now()
    await archive.insert('price_changes', `bench ${block}`, rows)
    rates.push((1e3 * blockRows) / (performance.now() - startedAt))
  }
  const sorted = ascending(rates)
  const { user, system } = process.cpuUsage(cpuBefore)
  const rows = insertedBlocks * blockRows
  report({
    name: `rows into the embedded ClickHouse, blocks of ${blockRows.toLocaleString('en')}`,
    unit: 'rows/s',
    value: rounded(percentile(sorted, 0.5)),
    figures: {
      'min..max': `${rounded(sorted[0]!)}..${rounded(sorted.at(-1)!)}`,
      'CPU us/row here': rounded((user + system) / rows, 2),
      'in the engine': rounded((1e6 * (cpuSeconds(enginePid) - engineBefore)) / rows, 2),
      'engine MB': rounded(residentBytes(enginePid) / 2 ** 20),
    },
    goal: '>= 120,000',
  })
  await archive.command('TRUNCATE TABLE price_changes')
}

/** Returns the game of a change: one slate of games follows another. */
function gameOf(row: string): string {
  return `intDiv(${row}, ${changesOfSlate}) * ${gamesAtOnce} + ${row} % ${gamesAtOnce}`
}

function eventName(game: string): string {
  return `concat('nba_home', toString((${game}) % 30), '_away', toString((${game}) % 29), '_', toString(toDate('2026-01-01') + intDiv(${game}, ${gamesAtOnce})), '_b', toString((${game}) % 4))`
}

async function fillChanges() {
  const stepMs = (1_000 * seasonSeconds) / changeCount
  for (let from = 0; from < changeCount; from += fillRows) {
    await archive.command(
      `INSERT INTO price_changes
      SELECT ${eventName(gameOf('number'))} AS event_id,
        bitShiftRight(cityHash64(event_id, cityHash64(number, 'price') % ${pricesOfGame}), 11) AS odds_id,
        fromUnixTimestamp64Milli(toInt64(${seasonStart} + number * ${stepMs})) AS at,
        if(american > 0, 1 + american / 100, 1 - 100 / american) AS price,
        2, number % 5 = 0, 1, 'bench', 0, number
      FROM (
        SELECT number, (toInt64(cityHash64(number) % 81) - 40) * 5 AS step,
          step + if(step < 0, -100, 100) AS american
        FROM numbers({from:UInt64}, {count:UInt64})
      )`,
      { from, count: Math.min(fillRows, changeCount - from) },
    )
  }
  // Merges parts, as they are in all months but the last.
  await archive.command('OPTIMIZE TABLE price_changes FINAL')
}

async function measureBytes() {
  const [held] = await archive.query<{ bytes: number; rows: number }>(
    `SELECT sum(bytes_on_disk) AS bytes, sum(rows) AS rows FROM system.parts
    WHERE active AND database = currentDatabase() AND table = 'price_changes'`,
    {},
    limits,
  )
  const columns = await archive.query<{ name: string; bytes: number }>(
    `SELECT column AS name, sum(column_data_compressed_bytes) / {rows:UInt64} AS bytes
    FROM system.parts_columns
    WHERE active AND database = currentDatabase() AND table = 'price_changes'
    GROUP BY name ORDER BY bytes DESC`,
    { rows: held!.rows },
    limits,
  )
  report({
    name: `bytes on disk of a price change, ${held!.rows.toLocaleString('en')} of them`,
    unit: 'bytes',
    value: rounded(held!.bytes / held!.rows, 2),
    figures: Object.fromEntries(
      columns.slice(0, 5).map(({ name, bytes }) => [name, rounded(bytes, 2)]),
    ),
    goal: '<= 12',
  })
}

async function copyToDuck(table: string, columns: string, order: string) {
  const file = join(directory, `${table}.parquet`)
  const statement = `SELECT ${columns} FROM ${table} ORDER BY ${order}`
  await pipeline(await archive.export(statement, {}, 'parquet', limits), createWriteStream(file))
  await duck.run(`CREATE TABLE ${table} AS SELECT * FROM read_parquet('${file}')`)
  await duck.run('CHECKPOINT')
  rmSync(file)
}

// ---- queries

interface Query {
  readonly statement: string
  readonly parameters: Parameters
}

interface QueryPair {
  readonly name: string
  readonly goal: string
  readonly rounds: number
  ours(round: number): Query
  /** The same query for DuckDB, with parameters as `$name`. */
  theirs(round: number): Query
}

/** Runs both queries in turn and compares the numbers of rows. */
async function measureQuery(pair: QueryPair) {
  const { name, goal, rounds } = pair
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < rounds; round++) {
    const ourQuery = pair.ours(round)
    let startedAt = performance.now()
    const rows = await archive.query(ourQuery.statement, ourQuery.parameters, limits)
    ours.push(performance.now() - startedAt)
    const duckQuery = pair.theirs(round)
    startedAt = performance.now()
    const answer = await duck.runAndReadAll(
      duckQuery.statement,
      duckQuery.parameters as Record<string, string | number>,
    )
    theirs.push(performance.now() - startedAt)
    if (rows.length === 0 || rows.length !== answer.currentRowCount) {
      throw new Error(`${name}: ${rows.length} rows, and ${answer.currentRowCount} of DuckDB`)
    }
  }
  const [sorted, duckSorted] = [ascending(ours), ascending(theirs)]
  report({
    name,
    unit: 'ms (p95)',
    value: rounded(percentile(sorted, 0.95), 1),
    figures: {
      'p50 ms': rounded(percentile(sorted, 0.5), 1),
      'DuckDB p50 ms': rounded(percentile(duckSorted, 0.5), 1),
      'DuckDB p95 ms': rounded(percentile(duckSorted, 0.95), 1),
    },
    goal,
  })
}

/** Returns prices spread over the season. */
async function somePrices(count: number) {
  return archive.query<{ event: string; id: string }>(
    `SELECT event_id AS event, toString(odds_id) AS id FROM price_changes
    WHERE log_offset % {every:UInt64} = 0 ORDER BY cityHash64(log_offset) LIMIT {count:UInt32}`,
    { every: Math.max(1, Math.floor(changeCount / (2 * count))), count },
    limits,
  )
}

async function measureHistory() {
  const prices = await somePrices(200)
  await measureQuery({
    name: `history of one price among ${changeCount.toLocaleString('en')} changes`,
    goal: '<= 30',
    rounds: prices.length,
    ours: (round) => changesOfPrice(prices[round]!.event, prices[round]!.id, always),
    theirs: (round) => ({
      statement: `SELECT "at", price, what, is_live, is_active FROM price_changes
        WHERE event_id = $event AND odds_id = CAST($id AS UBIGINT) ORDER BY log_offset`,
      parameters: { ...prices[round]! },
    }),
  })
}

async function measureAsOf() {
  const times = Array.from({ length: 40 }, (_, index) => {
    const share = ((index + 1) * 0.618) % 1
    return new Date(seasonStart + 1e3 * seasonSeconds * share)
      .toISOString()
      .replace('T', ' ')
      .slice(0, -1)
  })
  // `at` is a keyword of DuckDB.
  const board = (last: (column: string) => string, at: string) =>
    `SELECT event_id, odds_id, ${last('price')} AS price, ${last('is_active')} AS is_active
    FROM price_changes WHERE "at" > ${at} - INTERVAL 2 DAY AND "at" <= ${at}
    GROUP BY event_id, odds_id`
  await measureQuery({
    name: `the board as it was, of the games of two days among ${changeCount.toLocaleString('en')} changes`,
    goal: '',
    rounds: times.length,
    ours: (round) => ({
      statement: board(
        (column) => `argMax(${column}, log_offset)`,
        "toDateTime64({instant:String}, 3, 'UTC')",
      ),
      parameters: { instant: times[round]! },
    }),
    theirs: (round) => ({
      statement: board(
        (column) => `arg_max(${column}, log_offset)`,
        "CAST($instant || '+00' AS TIMESTAMPTZ)",
      ),
      parameters: { instant: times[round]! },
    }),
  })
}

/** Closes of ten sportsbooks on fifty selections of each event. */
async function fillCloses() {
  const books =
    "['pinnacle', 'circa', 'draftkings', 'fanduel', 'betmgm', 'caesars', 'betrivers', 'bet365', 'fanatics', 'espnbet']"
  for (let from = 0; from < closeCount; from += fillRows) {
    await archive.command(
      `INSERT INTO closing_lines (event_id, odds_id, sport, league, sportsbook, market_type, selection,
        selection_type, line, selection_key, starts_at, captured_at, price, no_vig, log_epoch, log_partition, log_offset)
      SELECT ${eventName(`intDiv(number, ${pricesOfGame})`)} AS event_id,
        bitShiftRight(cityHash64(number), 11), 'basketball',
        ['nba', 'nhl', 'nfl', 'mlb'][1 + intDiv(number, ${pricesOfGame}) % 4],
        ${books}[1 + number % 10],
        ['moneyline', 'point_spread', 'total_points'][1 + intDiv(number, 20) % 3],
        if(number % 20 < 10, 'Home', 'Away'), if(number % 20 < 10, 'home', 'away'),
        intDiv(number, 60) % 9 - 4.5, intDiv(number, 10),
        fromUnixTimestamp64Milli(toInt64(${seasonStart} + 1000 * (number * ${seasonSeconds / closeCount}))) AS starting,
        starting, 1 / (no_vig + 0.02), 0.5 + (toInt64(cityHash64(number) % 2001) - 1000) / 10000 AS no_vig,
        'bench', 0, number
      FROM numbers({from:UInt64}, {count:UInt64})`,
      { from, count: Math.min(fillRows, closeCount - from) },
    )
  }
  await archive.command('OPTIMIZE TABLE closing_lines FINAL')
}

/** Values closes, as the archiver does when they arrive. */
async function valueCloses() {
  const chain = ['pinnacle', 'circa']
  const events = await archive.query<{ eventId: string; league: string }>(
    'SELECT DISTINCT event_id AS eventId, league FROM closing_lines',
    {},
    limits,
  )
  const startedAt = performance.now()
  await valueEvents(archive, chain, events)
  report({
    name: `closes valued as they arrive, of ${events.length.toLocaleString('en')} events`,
    unit: 'closes/s',
    value: rounded((1e3 * closeCount) / (performance.now() - startedAt)),
    figures: {},
    goal: '',
  })
  return chain
}

/** Measures the query of `/historical/clv`. DuckDB has the raw closes, as a user would load them. */
async function measureClv() {
  const chain = await valueCloses()
  const { statements, parameters } = clvStatements({
    from: seasonStart,
    to: seasonStart + 1_000 * seasonSeconds,
    groupBy: 'sportsbook',
    hidden: [],
    chain,
  })
  await measureQuery({
    name: `closing-line value by sportsbook over ${closeCount.toLocaleString('en')} closes`,
    goal: '<= 500',
    rounds: 20,
    ours: () => ({ statement: statements.groups, parameters }),
    theirs: () => ({
      statement: `SELECT sportsbook, count(*) AS samples, avg((reference - no_vig) / no_vig) AS clv FROM (
        SELECT sportsbook, no_vig, max(no_vig) FILTER (sportsbook = $sharp)
          OVER (PARTITION BY event_id, market_type, selection_type, line) AS reference
        FROM closing_lines WHERE no_vig IS NOT NULL
      ) WHERE reference IS NOT NULL AND sportsbook != $sharp
      GROUP BY sportsbook`,
      parameters: { sharp: 'pinnacle' },
    }),
  })
}

// ---- cost for the querying process

/** Measures the longest stall of the event loop during large responses. */
async function measureStalls() {
  const select = 'SELECT event_id, odds_id, at, price, is_live FROM price_changes LIMIT {n:UInt64}'
  const rows = Math.min(changeCount, 200_000)
  const answers: Readonly<Record<string, (reader: Archive) => Promise<unknown>>> = {
    [`${rows.toLocaleString('en')} rows`]: (reader) => reader.query(select, { n: rows }, limits),
    'ten times as many as NDJSON': async (reader) => {
      let bytes = 0
      const stream = await reader.export(select, { n: 10 * rows }, 'ndjson', limits)
      for await (const chunk of stream) bytes += (chunk as Buffer).length
      return bytes
    },
  }
  for (const [what, read] of Object.entries(answers)) {
    const stalls: number[] = []
    for (let round = 0; round < 5; round++) {
      const histogram = monitorEventLoopDelay({ resolution: 1 })
      histogram.enable()
      await read(archive)
      histogram.disable()
      stalls.push(histogram.max / 1e6)
    }
    const sorted = ascending(stalls)
    report({
      name: `longest stall of the event loop while it is answered: ${what}`,
      unit: 'ms',
      value: rounded(percentile(sorted, 0.5), 1),
      figures: { 'min..max': `${rounded(sorted[0]!, 1)}..${rounded(sorted.at(-1)!, 1)}` },
      goal: '<= 20',
    })
  }
}
