/**
 * The tables of the archive, as numbered migrations. They run in order at the start. Each statement
 * is idempotent, so a migration that stopped half-way is run again. A released migration is never
 * changed; a new one goes to the end. If a start sets how long tables keep their rows, that
 * applies; if not, they keep them as long as before.
 */

import { type Archive, rememberedBlocks } from './archive.ts'

export interface Placement {
  readonly database: string
  /** Null for one server. */
  readonly cluster: string | null
  /**
   * The days that expiring tables keep their rows; null changes no table, and new ones get
   * `usualKeptDays`.
   */
  readonly keptDays: number | null
}

/** The days that a new table keeps its rows if no setting says otherwise. */
const usualKeptDays = 730

/** How long a table kept its rows before this start, and how long it keeps them from now on. */
export interface ChangedLifetime {
  readonly table: string
  /** Null if it kept them for good. */
  readonly formerDays: number | null
  readonly keptDays: number
}

interface Migration {
  readonly number: number
  readonly name: string
  statements(of: Clauses): readonly string[]
}

/** The clauses that differ between one server and a cluster. */
interface Clauses {
  readonly onCluster: string
  /** Returns `MergeTree` or its like; on a cluster, the replicated form. */
  engine(family: string, ...parameters: readonly string[]): string
  /** Lets a table remember the names of its last blocks. */
  readonly settings: string
  readonly keptDays: number
}

/** The place of a row's record on the log. */
const logColumns = `log_epoch LowCardinality(String),
        log_partition UInt16 CODEC(ZSTD(1)),
        log_offset UInt64 CODEC(Delta, ZSTD(1))`

const migrations: readonly Migration[] = [
  {
    number: 1,
    name: 'prices and their changes',
    statements: ({ onCluster, engine, settings, keptDays }) => [
      // The logs that the archive was filled from.
      `CREATE TABLE IF NOT EXISTS logs ${onCluster} (
        log_epoch String,
        began_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
      ) ENGINE = ${engine('MergeTree')}
      ORDER BY log_epoch
      ${settings}`,
      // The selection of a price. Written again when the price is listed again; the newest row
      // counts. Kept for good: closes and long-listed prices refer to it.
      `CREATE TABLE IF NOT EXISTS prices ${onCluster} (
        odds_id UInt64 CODEC(ZSTD(1)),
        event_id String CODEC(ZSTD(1)),
        league LowCardinality(String),
        sportsbook LowCardinality(String),
        market_type LowCardinality(String),
        selection String CODEC(ZSTD(1)),
        selection_type LowCardinality(String),
        line Nullable(Float64) CODEC(ZSTD(1)),
        player_name Nullable(String) CODEC(ZSTD(1)),
        stat_category LowCardinality(Nullable(String)),
        listed_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
        INDEX by_odds_id odds_id TYPE bloom_filter(0.01) GRANULARITY 1
      ) ENGINE = ${engine('ReplacingMergeTree', 'listed_at')}
      PARTITION BY toYYYYMM(listed_at)
      ORDER BY (league, event_id, odds_id)
      ${settings}`,
      // By event first, then by time: queries are for one price, one event, or the events of a league up to a time.
      // Codecs are measured by `benchmarks/archive.ts`: 7.6 bytes a change.
      `CREATE TABLE IF NOT EXISTS price_changes ${onCluster} (
        event_id LowCardinality(String),
        odds_id UInt64 CODEC(ZSTD(3)),
        at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(3)),
        price Float64 CODEC(ZSTD(3)),
        what UInt8 CODEC(ZSTD(3)),
        is_live Bool CODEC(ZSTD(1)),
        is_active Bool CODEC(ZSTD(1)),
        ${logColumns},
        PROJECTION progress (
          SELECT log_epoch, log_partition, toYYYYMM(at), max(log_offset)
          GROUP BY log_epoch, log_partition, toYYYYMM(at)
        )
      ) ENGINE = ${engine('MergeTree')}
      PARTITION BY toYYYYMM(at)
      ORDER BY (event_id, odds_id, at, log_offset)
      TTL toDateTime(at) + INTERVAL ${keptDays} DAY
      ${settings}`,
    ],
  },
  {
    number: 2,
    name: 'events',
    statements: ({ onCluster, engine, settings }) => [
      // Written again whenever it changes. The row inserted last counts: its `updated_at` (the
      // statement's time) may be earlier than that of the row before. Not partitioned: a row and
      // its replacement could be of different months, and then the old row would stay.
      `CREATE TABLE IF NOT EXISTS events ${onCluster} (
        event_id String CODEC(ZSTD(1)),
        sport LowCardinality(String),
        league LowCardinality(String),
        home_team String CODEC(ZSTD(1)),
        away_team String CODEC(ZSTD(1)),
        listed_home Nullable(String) CODEC(ZSTD(1)),
        listed_away Nullable(String) CODEC(ZSTD(1)),
        flipped Bool,
        starts_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
        status LowCardinality(String),
        updated_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
        ${logColumns}
      ) ENGINE = ${engine('ReplacingMergeTree')}
      ORDER BY (league, event_id)
      ${settings}`,
      // Every row that an event has had, for the past board; `events` keeps only the newest. The
      // place on the log shows which row came last: statements of two sportsbooks are not in order
      // of time.
      `CREATE TABLE IF NOT EXISTS event_changes ${onCluster} (
        event_id String CODEC(ZSTD(1)),
        sport LowCardinality(String),
        league LowCardinality(String),
        league_mapped Bool,
        home_team String CODEC(ZSTD(1)),
        away_team String CODEC(ZSTD(1)),
        listed_home Nullable(String) CODEC(ZSTD(1)),
        listed_away Nullable(String) CODEC(ZSTD(1)),
        flipped Bool,
        starts_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
        status LowCardinality(String),
        is_live Bool,
        updated_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
        log_epoch LowCardinality(String),
        log_offset UInt64 CODEC(Delta, ZSTD(1)),
        INDEX by_event_id event_id TYPE bloom_filter(0.01) GRANULARITY 1
      ) ENGINE = ${engine('ReplacingMergeTree')}
      PARTITION BY toYYYYMM(updated_at)
      ORDER BY (league, event_id, log_epoch, log_offset)
      ${settings}`,
    ],
  },
  {
    number: 3,
    name: 'closing lines',
    statements: ({ onCluster, engine, settings }) => [
      // Replaced if the start moves after the close was captured; the newest close counts.
      `CREATE TABLE IF NOT EXISTS closing_lines ${onCluster} (
        event_id String CODEC(ZSTD(1)),
        odds_id UInt64 CODEC(ZSTD(1)),
        sport LowCardinality(String),
        league LowCardinality(String),
        sportsbook LowCardinality(String),
        market_type LowCardinality(String),
        selection String CODEC(ZSTD(1)),
        selection_type LowCardinality(String),
        line Nullable(Float64) CODEC(ZSTD(1)),
        player_name Nullable(String) CODEC(ZSTD(1)),
        stat_category LowCardinality(Nullable(String)),
        selection_key UInt64 CODEC(ZSTD(1)),
        starts_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
        captured_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
        priced_at Nullable(DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
        price Nullable(Float64) CODEC(ZSTD(1)),
        no_vig Nullable(Float64) CODEC(ZSTD(1)),
        missing LowCardinality(Nullable(String)),
        missing_since Nullable(DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
        ${logColumns}
      ) ENGINE = ${engine('ReplacingMergeTree', 'captured_at')}
      PARTITION BY toYYYYMM(starts_at)
      ORDER BY (league, event_id, odds_id)
      ${settings}`,
      // One row per event, replaced as a whole. The day in an id never changes, and is near the day
      // of the start.
      `CREATE TABLE IF NOT EXISTS closing_values ${onCluster} (
        event_id String CODEC(ZSTD(1)),
        sport LowCardinality(String),
        league LowCardinality(String),
        starts_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
        captured_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
        chain Array(LowCardinality(String)) CODEC(ZSTD(1)),
        compared Nested(
          sportsbook LowCardinality(String),
          reference LowCardinality(String),
          samples UInt32,
          total Float64,
          total_abs Float64
        ) CODEC(ZSTD(1)),
        by_market Nested(
          market_type LowCardinality(String),
          sportsbooks Array(LowCardinality(String)),
          samples Array(UInt32),
          totals Array(Float64),
          totals_abs Array(Float64)
        ) CODEC(ZSTD(1)),
        captured Nested(
          sportsbook LowCardinality(String),
          why LowCardinality(String),
          number UInt32
        ) CODEC(ZSTD(1)),
        version UInt64,
        day Date MATERIALIZED toDateOrZero(extract(event_id, '_(\\d{4}-\\d\\d-\\d\\d)_b[0-3]')),
        INDEX by_start starts_at TYPE minmax GRANULARITY 1
      ) ENGINE = ${engine('ReplacingMergeTree', 'version')}
      ORDER BY (day, event_id)
        ${settings}`,
    ],
  },
  {
    number: 4,
    name: 'splits',
    statements: ({ onCluster, engine, settings, keptDays }) => [
      // Queries are for one event, from a time on. A row has no shares, or two.
      `CREATE TABLE IF NOT EXISTS splits ${onCluster} (
        event_id String CODEC(ZSTD(1)),
        league LowCardinality(String),
        sportsbook LowCardinality(String),
        at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
        flipped Bool CODEC(ZSTD(1)),
        moneyline_away_price Nullable(Float64) CODEC(ZSTD(1)),
        moneyline_home_price Nullable(Float64) CODEC(ZSTD(1)),
        moneyline_handle Array(Float64) CODEC(ZSTD(1)),
        moneyline_bets Array(Float64) CODEC(ZSTD(1)),
        spread_away_line Nullable(Float64) CODEC(ZSTD(1)),
        spread_home_line Nullable(Float64) CODEC(ZSTD(1)),
        spread_handle Array(Float64) CODEC(ZSTD(1)),
        spread_bets Array(Float64) CODEC(ZSTD(1)),
        total_line Nullable(Float64) CODEC(ZSTD(1)),
        total_handle Array(Float64) CODEC(ZSTD(1)),
        total_bets Array(Float64) CODEC(ZSTD(1)),
        ${logColumns}
      ) ENGINE = ${engine('MergeTree')}
      PARTITION BY toYYYYMM(at)
      ORDER BY (event_id, at, sportsbook)
      TTL toDateTime(at) + INTERVAL ${keptDays} DAY
      ${settings}`,
    ],
  },
  {
    number: 5,
    name: 'usage by day',
    statements: ({ onCluster, engine, settings, keptDays }) => [
      // Each process writes its count so far; the highest counts.
      `CREATE TABLE IF NOT EXISTS usage_by_day ${onCluster} (
        account_id String CODEC(ZSTD(1)),
        key_id String CODEC(ZSTD(1)),
        day Date CODEC(Delta, ZSTD(1)),
        writer String CODEC(ZSTD(1)),
        requests UInt64 CODEC(ZSTD(1)),
        by_family Map(LowCardinality(String), UInt64) CODEC(ZSTD(1)),
        ${logColumns}
      ) ENGINE = ${engine('ReplacingMergeTree', 'requests')}
      PARTITION BY toYYYYMM(day)
      ORDER BY (account_id, day, key_id, writer)
      TTL day + INTERVAL ${keptDays} DAY
      ${settings}`,
    ],
  },
  {
    number: 6,
    name: 'lives of opportunities',
    statements: ({ onCluster, engine, settings, keptDays }) => [
      // Queries are for a period, and mostly a league. Lists of legs, and of their prices, have one
      // length.
      `CREATE TABLE IF NOT EXISTS opportunity_lives ${onCluster} (
        id String CODEC(ZSTD(1)),
        kind LowCardinality(String),
        event_id String CODEC(ZSTD(1)),
        sport LowCardinality(String),
        league LowCardinality(String),
        market_type LowCardinality(String),
        player_name Nullable(String) CODEC(ZSTD(1)),
        is_live Bool CODEC(ZSTD(1)),
        is_suspected Bool CODEC(ZSTD(1)),
        scopes UInt8 CODEC(ZSTD(1)),
        sharp_books Array(LowCardinality(String)) CODEC(ZSTD(1)),
        why LowCardinality(String),
        leg_odds_ids Array(UInt64) CODEC(ZSTD(1)),
        leg_sportsbooks Array(LowCardinality(String)) CODEC(ZSTD(1)),
        leg_selection_types Array(LowCardinality(String)) CODEC(ZSTD(1)),
        leg_lines Array(Nullable(Float64)) CODEC(ZSTD(1)),
        detected_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
        detected_worth Float64 CODEC(ZSTD(1)),
        detected_prices Array(Float64) CODEC(ZSTD(1)),
        peak_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
        peak_worth Float64 CODEC(ZSTD(1)),
        peak_prices Array(Float64) CODEC(ZSTD(1)),
        gone_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
        gone_worth Float64 CODEC(ZSTD(1)),
        gone_prices Array(Float64) CODEC(ZSTD(1)),
        ${logColumns}
      ) ENGINE = ${engine('MergeTree')}
      PARTITION BY toYYYYMM(detected_at)
      ORDER BY (league, detected_at, id, log_offset)
      TTL toDateTime(detected_at) + INTERVAL ${keptDays} DAY
      ${settings}`,
    ],
  },
  {
    number: 7,
    name: 'one name for handicaps',
    // Asian handicaps used to have market types of their own; bets and past queries now use the
    // common name. Runs in the background, because an archive may be large.
    statements: ({ onCluster }) => [
      ...['prices', 'closing_lines', 'opportunity_lives'].map(
        (table) =>
          `ALTER TABLE ${table} ${onCluster} UPDATE market_type = ${renamed('toString(market_type)')}
          WHERE market_type IN (${formerTypes})`,
      ),
      `ALTER TABLE closing_values ${onCluster}
      UPDATE \`by_market.market_type\` = arrayMap(type -> ${renamed('toString(type)')}, \`by_market.market_type\`)
      WHERE hasAny(arrayMap(type -> toString(type), \`by_market.market_type\`), [${formerTypes}])`,
    ],
  },
  {
    number: 8,
    name: 'how games ended',
    statements: ({ onCluster, engine, settings }) => [
      // Not partitioned, like events: the row inserted last counts, even if the game's start has
      // moved.
      `CREATE TABLE IF NOT EXISTS game_results ${onCluster} (
        event_id String CODEC(ZSTD(1)),
        sport LowCardinality(String),
        league LowCardinality(String),
        starts_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
        status LowCardinality(String),
        reports String CODEC(ZSTD(3)),
        ${logColumns}
      ) ENGINE = ${engine('ReplacingMergeTree')}
      ORDER BY (league, event_id)
      ${settings}`,
    ],
  },
  {
    number: 9,
    name: 'why a close is withheld',
    statements: ({ onCluster }) => [
      `ALTER TABLE closing_lines ${onCluster} ADD COLUMN IF NOT EXISTS withheld LowCardinality(Nullable(String))`,
    ],
  },
  {
    number: 10,
    name: 'the origin of prices',
    // A log may have several rows, one for each origin that its prices have had.
    statements: ({ onCluster }) => [
      `ALTER TABLE logs ${onCluster} ADD COLUMN IF NOT EXISTS prices LowCardinality(Nullable(String))`,
    ],
  },
]

/** Never change this list (no migration changes): types renamed later need a new migration. */
const formerTypes = `'asian_handicap', '1st_half_asian_handicap', '2nd_half_asian_handicap'`
const renamed = (type: string) => `replaceOne(${type}, 'asian_handicap', 'point_spread')`

/** Tables whose rows are deleted after the days of the setting; they count from this expression. */
export const expiringTables = {
  price_changes: 'toDateTime(at)',
  splits: 'toDateTime(at)',
  usage_by_day: 'day',
  opportunity_lives: 'toDateTime(detected_at)',
} as const

/**
 * Gives the tables the lifetime of the setting, which may differ from that of their creation.
 * @param keptDays null leaves them as they are
 */
async function setLifetimes(
  archive: Pick<Archive, 'command' | 'query'>,
  onCluster: string,
  keptDays: number | null,
  onChange: (change: ChangedLifetime) => void,
): Promise<ReadonlyMap<string, number>> {
  const tables = await archive.query<{ name: string; days: number | null }>(
    `SELECT name, toUInt32OrNull(extract(engine_full, 'TTL .*toIntervalDay\\((\\d+)\\)')) AS days
    FROM system.tables WHERE database = currentDatabase()`,
    {},
    limits,
  )
  const daysOf = new Map<string, number>()
  for (const { name, days } of tables) {
    const from = expiringTables[name as keyof typeof expiringTables]
    if (!from) continue
    if (keptDays !== null && days !== keptDays) {
      // Called before the change, because the engine may make the change and its response get lost.
      onChange({ table: name, formerDays: days, keptDays })
      await archive.command(
        `ALTER TABLE ${name} ${onCluster} MODIFY TTL ${from} + INTERVAL ${keptDays} DAY`,
      )
    }
    const left = keptDays ?? days
    if (left !== null) daysOf.set(name, left)
  }
  return daysOf
}

/**
 * Returns the days that each table keeps its rows, without those that keep them for good.
 * @param onChange called for each existing table before its lifetime changes
 * @throws ArchiveError
 */
export async function migrate(
  archive: Pick<Archive, 'command' | 'query' | 'insert'>,
  { cluster, keptDays }: Placement,
  onChange: (change: ChangedLifetime) => void = () => {},
): Promise<ReadonlyMap<string, number>> {
  const clauses = clausesOf(cluster, keptDays ?? usualKeptDays)
  await archive.command(tableOfMigrations(clauses))
  const done = await archive.query<{ number: number }>('SELECT number FROM migrations', {}, limits)
  const numbers = new Set(done.map(({ number }) => number))
  for (const { number, name, statements } of migrations) {
    if (numbers.has(number)) continue
    for (const statement of statements(clauses)) await archive.command(statement)
    const at = new Date().toISOString().replace('Z', '')
    await archive.insert('migrations', `migration ${number} ${at}`, [{ number, name, at }])
  }
  return await setLifetimes(archive, clauses.onCluster, keptDays, onChange)
}

const tableOfMigrations = ({ onCluster, engine, settings }: Clauses) =>
  `CREATE TABLE IF NOT EXISTS migrations ${onCluster} (
      number UInt32, name String, at DateTime64(3, 'UTC')
    ) ENGINE = ${engine('ReplacingMergeTree')} ORDER BY number ${settings}`

/** Returns every statement of a migration, as one server gets it. */
export function migrationStatements(): readonly string[] {
  const clauses = clausesOf(null, usualKeptDays)
  const ofMigrations = migrations.flatMap(({ statements }) => statements(clauses))
  return [tableOfMigrations(clauses), ...ofMigrations]
}

/**
 * Returns whether every migration has run. Where a process only queries a server, a migration may
 * be missing: another process changes the tables when it starts.
 * @throws ArchiveError
 */
export async function hasNewestTables(archive: Pick<Archive, 'query'>): Promise<boolean> {
  const [newest] = await archive.query<{ number: number }>(
    'SELECT max(number) AS number FROM migrations',
    {},
    limits,
  )
  return newest !== undefined && newest.number >= migrations.at(-1)!.number
}

const limits = { seconds: 60, resultRows: 10_000, readRows: 1e6, memoryBytes: 1e9 }

function clausesOf(cluster: string | null, keptDays: number): Clauses {
  const list = (parameters: readonly string[]) => `(${parameters.join(', ')})`
  if (cluster === null) {
    return {
      onCluster: '',
      engine: (family, ...parameters) => `${family}${list(parameters)}`,
      settings: `SETTINGS non_replicated_deduplication_window = ${rememberedBlocks}, deduplicate_merge_projection_mode = 'rebuild'`,
      keptDays,
    }
  }
  const path = ["'/clickhouse/tables/{shard}/{database}/{table}'", "'{replica}'"]
  return {
    onCluster: `ON CLUSTER \`${cluster}\``,
    engine: (family, ...parameters) => `Replicated${family}${list([...path, ...parameters])}`,
    settings: `SETTINGS replicated_deduplication_window = ${rememberedBlocks}, deduplicate_merge_projection_mode = 'rebuild'`,
    keptDays,
  }
}
