/** Statements in an archive that are not the service's own: each would make its engine read, write, send or run something. */

import { describe, expect, test } from 'vitest'
import {
  foreignPart,
  hasStatements,
  isOnlyName,
} from '../../../pipeline/backup/archive-statements.ts'

const uuid = '2f4f7391-7be8-42bd-9ccd-05d1ff86ffc9'
const store = `archive/store/2f4/${uuid}`
const table = `${store}/logs.sql`
const change = `${store}/mutation_7.txt`

const columns =
  "(\n    `log_epoch` String,\n    `began_at` DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')\n)"
const settings =
  "SETTINGS non_replicated_deduplication_window = 10000, deduplicate_merge_projection_mode = 'rebuild', index_granularity = 8192"
const attach = (rest: string, start = 'TABLE') => `ATTACH ${start} _ UUID '${uuid}'\n${rest}\n`
const logs = (engine: string, of = columns) => attach(`${of}\nENGINE = ${engine}`)
const changeOf = (commands: string) =>
  `format version: 1\ncreate time: 2026-11-29 06:54:43\ncommands: ${commands.replaceAll("'", "\\'")}\n`

test.each([
  [table, logs(`MergeTree\nORDER BY log_epoch\n${settings}`)],
  [table, logs(`MergeTree ORDER BY log_epoch TTL toDateTime(began_at) + toIntervalDay(90)`)],
  [
    table,
    logs(
      'MergeTree ORDER BY log_epoch',
      '(`log_epoch` String, `prices` LowCardinality(Nullable(String)))',
    ),
  ],
  ['archive/metadata/overround.sql', attach('ENGINE = Atomic', 'DATABASE')],
  ['archive/metadata/odds_2.sql', attach('ENGINE = Atomic', 'DATABASE')],
  [change, changeOf('(MATERIALIZE TTL)')],
  [
    change,
    changeOf(
      "(UPDATE market_type = replaceOne(toString(market_type), 'asian_handicap', 'point_spread') WHERE market_type IN ('asian_handicap', '1st_half_asian_handicap', '2nd_half_asian_handicap'))",
    ),
  ],
  [`${store}/all_1_1_0/columns.txt`, 'columns format version: 1'],
])('%s of the service has nothing foreign: %s', (path, text) => {
  expect(foreignPart(path, text)).toBeNull()
})

test.each([
  ['price_steams.sql', `${store}/price_steams.sql`, logs('MergeTree ORDER BY log_epoch')],
  [
    'steam_at',
    table,
    logs('MergeTree ORDER BY log_epoch', '(`log_epoch` String, `steam_at` Float64)'),
  ],
  ['steam_at', change, changeOf('(UPDATE market_type = steam_at WHERE market_type IN (1))')],
])('%s of %s is foreign, and may be of a newer version', (part, path, text) => {
  expect(foreignPart(path, text)).toBe(part)
  expect(isOnlyName(part, text)).toBe(true)
})

describe('foreign is', () => {
  const order = 'MergeTree ORDER BY log_epoch'
  const column = (rest: string) => `(\`log_epoch\` String ${rest})`
  test.each([
    ['File', table, logs("File('CSV', '/tmp/x.csv')")],
    ['URL', table, logs("URL('http://x/', 'CSV')")],
    ['S3', table, logs("S3('http://x/b/a.csv')")],
    ['Executable', table, logs("Executable('x.sh', 'CSV')")],
    ['Distributed', table, logs("Distributed('c', 'd', 't')")],
    ['MySQL', table, logs("MySQL('x:3306', 'd', 't', 'u', 'p')")],
    ['ReplicatedMergeTree', table, logs("ReplicatedMergeTree('/x', 'r')")],
    ['disk', table, logs(`${order} SETTINGS disk = disk(type = local, path = '/tmp/x/')`)],
    ['disk', table, logs(`${order} SETTINGS \`disk\` = 'x'`)],
    ['storage_policy', table, logs(`${order} SETTINGS storage_policy = 'x'`)],
    ['TO', table, logs(`${order} TTL toDateTime(began_at) TO DISK 'x'`)],
    ['file', table, logs(order, column("DEFAULT file('/etc/passwd')"))],
    ['file', table, logs(order, column("MATERIALIZED `file`('/etc/passwd')"))],
    ['any', table, logs(order, column("DEFAULT (SELECT any(a) FROM url('http://x/'))"))],
    ['dictGet', table, logs(`${order} PARTITION BY dictGet('d', 'a', log_epoch)`)],
    ["'/x'", table, logs(order, column("DEFAULT now64(3, '/x')"))],
    ['VIEW', table, attach('TO x AS SELECT 1', 'MATERIALIZED VIEW')],
    ['DICTIONARY', table, attach('(a String)', 'DICTIONARY')],
    ['-', table, logs(`${order} -- ${settings}`)],
    ['/', table, logs(`${order} /* */`)],
    ['"', table, logs(`${order} SETTINGS "index_granularity" = 1`)],
    // Strings that begin or end otherwise for the engine than they seem to.
    ['URL', table, logs("URL(`'UTC'`)")],
    ['File', table, logs("MergeTree ORDER BY `'UTC\\', ENGINE = File(`")],
    ['secrets.sql', `${store}/secrets.sql`, logs(order)],
    ['logs.sql.detached', `${store}/logs.sql.detached`, logs(order)],
    ['LOGS.SQL', `${store}/LOGS.SQL`, logs(order)],
    ['a%2Eb.sql', 'archive/metadata/a%2Eb.sql', attach('ENGINE = Atomic', 'DATABASE')],
    ['MySQL', 'archive/metadata/m.sql', attach("ENGINE = MySQL('x', 'd', 'u', 'p')", 'DATABASE')],
    ['Filesystem', 'archive/metadata/m.sql', attach("ENGINE = Filesystem('/')", 'DATABASE')],
    ['SELECT', change, changeOf("(UPDATE market_type = (SELECT 1 FROM url('http://x/')) WHERE 1)")],
    ['file', change, changeOf("(UPDATE market_type = file('/etc/passwd') WHERE 1)")],
    ['DELETE', change, changeOf("(DELETE WHERE market_type IN file('/x'))")],
    ['DELETE', 'archive/data/d/t/mutation_1.txt', changeOf('(DELETE WHERE 1)')],
  ])('%s in %s: %s', (part, path, text) => {
    expect(hasStatements(path)).toBe(true)
    expect(foreignPart(path, text)).toBe(part)
  })

  test.each([
    ['file', '(`log_epoch` String DEFAULT file(1))'],
    ['file', '(`log_epoch` String DEFAULT `file`(1))'],
    ['URL', 'ENGINE = URL'],
    ["'/x'", "now64(3, '/x')"],
    ['LOGS.SQL', ''],
  ])('%s of no version: %s', (part, text) => {
    expect(isOnlyName(part, text)).toBe(false)
  })
})
