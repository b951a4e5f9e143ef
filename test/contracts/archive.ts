/** The requirements of an archive, for any engine. */

import { randomUUID } from 'node:crypto'
import { createWriteStream, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ArchiveAddress } from '../../pipeline/archive/archive.ts'
import { type Archive, ArchiveError, openArchive } from '../../pipeline/archive/archive.ts'
import { migrate } from '../../pipeline/archive/migrations.ts'

const limits = { seconds: 20, resultRows: 1_000, readRows: 1e8, memoryBytes: 1e9 }
const database = 'overround'
const placement = { database, cluster: null, keptDays: 1_000 }

/** @param start starts an engine of its own with an empty database of that name */
export function archiveContract(
  name: string,
  start: (database: string) => Promise<{ address: ArchiveAddress; stop(): Promise<void> }>,
) {
  describe(`an archive: ${name}`, () => {
    let archive: Archive
    let stop: () => Promise<void>

    beforeAll(async () => {
      const started = await start(database)
      stop = started.stop
      archive = openArchive(started.address, database)
      await migrate(archive, placement)
    })
    afterAll(async () => {
      await archive?.close()
      await stop?.()
    })

    const change = (offset: number, of: object = {}) => ({
      event_id: 'nba_bulls_knicks_2027-01-14_b3',
      odds_id: 310_778_204_665_018,
      at: '2027-01-14 20:00:00.123',
      price: 1.9090909090909092,
      what: 2,
      is_live: false,
      is_active: true,
      log_epoch: 'e',
      log_partition: 0,
      log_offset: offset,
      ...of,
    })
    const offsets = async (where = '1') => {
      const rows = await archive.query<{ o: string }>(
        `SELECT toString(log_offset) AS o FROM price_changes WHERE ${where} ORDER BY log_offset`,
        {},
        limits,
      )
      return rows.map(({ o }) => Number(o))
    }

    it('answers', async () => {
      await expect(archive.ping()).resolves.toBeUndefined()
    })

    it('is migrated again without a change', async () => {
      await migrate(archive, placement)
      const [row] = await archive.query<{ n: string }>(
        'SELECT toString(count()) AS n FROM (SELECT DISTINCT number FROM migrations)',
        {},
        limits,
      )
      expect(Number(row!.n)).toBeGreaterThan(0)
    })

    it('takes the rows of a name once', async () => {
      const rows = [change(1), change(2)]
      await archive.insert('price_changes', 'first', rows)
      await archive.insert('price_changes', 'first', rows)
      await archive.insert('price_changes', 'second', [change(3)])
      await archive.insert('price_changes', 'first', rows)
      expect(await offsets('log_offset < 10')).toEqual([1, 2, 3])
    })

    it('takes the rows of a name once where they go into several months', async () => {
      const rows = [10, 11, 12, 13].map((offset) =>
        change(offset, { at: `2027-0${1 + (offset % 2)}-14 20:00:00.000` }),
      )
      await archive.insert('price_changes', 'months', rows)
      await archive.insert('price_changes', 'months', rows)
      expect(await offsets('log_offset BETWEEN 10 AND 19')).toEqual([10, 11, 12, 13])
    })

    it('returns a price to the last bit', async () => {
      const prices = [1.9090909090909092, 1.0000000000000002, 1001, 1 / 3 + 1]
      await archive.insert(
        'price_changes',
        'bits',
        prices.map((price, i) => change(20 + i, { price })),
      )
      const rows = await archive.query<{ price: number }>(
        'SELECT price FROM price_changes WHERE log_offset BETWEEN 20 AND 29 ORDER BY log_offset',
        {},
        limits,
      )
      expect(rows.map(({ price }) => price)).toEqual(prices)
    })

    it.each([
      "' OR 1 = 1 --",
      '\\',
      "'; DROP TABLE price_changes; --",
      '{x:String}',
      '\n\t\0',
      '`"$%日本',
      "['a','b']",
      '[1]',
    ])('binds %j as a value, whatever its content', async (value) => {
      const rows = await archive.query<{ v: string; n: string }>(
        'SELECT {v:String} AS v, toString(count()) AS n FROM price_changes WHERE event_id = {v:String}',
        { v: value },
        limits,
      )
      expect(rows).toEqual([{ v: value, n: '0' }])
    })

    it('binds lists, numbers and null', async () => {
      const [row] = await archive.query(
        'SELECT {a:Array(String)} AS a, {b:Array(UInt16)} AS b, {c:Array(Float64)} AS c, {n:Float64} AS n, {x:Nullable(String)} AS x',
        { a: ["it's", 'b', ''], b: [0, 7], c: [-1.5], n: 1.5, x: null },
        limits,
      )
      expect(row).toEqual({ a: ["it's", 'b', ''], b: [0, 7], c: [-1.5], n: 1.5, x: null })
    })

    it.each([
      [
        'time',
        'SELECT sum(sipHash64(number)) AS s FROM numbers_mt(1000000000000)',
        { seconds: 1, readRows: 1e15 },
      ],
      ['rows', 'SELECT number FROM numbers(1000)', { resultRows: 10 }],
      ['rows looked at', 'SELECT count() FROM numbers(1000000)', { readRows: 1_000 }],
      ['memory', 'SELECT uniqExact(number) FROM numbers_mt(30000000)', { memoryBytes: 20_000_000 }],
    ])('stops a query beyond its limit of %s', async (_what, statement, less) => {
      const asked = archive.query(statement, {}, { ...limits, ...less })
      await expect(asked).rejects.toMatchObject({ name: 'ArchiveError', code: 'too_much' })
      await expect(archive.ping()).resolves.toBeUndefined()
    })

    it('reports that a statement is wrong', async () => {
      await expect(archive.query('SELECT nothing_of_this', {}, limits)).rejects.toMatchObject({
        code: 'refused',
      })
      await expect(archive.insert('price_changes', 'bad', [{ price: 'x' }])).rejects.toBeInstanceOf(
        ArchiveError,
      )
      expect(await offsets('price = 0')).toEqual([])
    })

    it('serves several queries at a time, and takes rows meanwhile', async () => {
      const slow = archive.query('SELECT sleep(1) AS s', {}, limits)
      const insert = archive.insert('price_changes', 'meanwhile', [change(30)])
      const quick = archive.query('SELECT 1 AS one', {}, limits)
      expect(await quick).toEqual([{ one: 1 }])
      await insert
      await slow
      expect(await offsets('log_offset = 30')).toEqual([30])
    })

    it('writes files', async () => {
      const statement = 'SELECT number AS n, toString(number) AS t FROM numbers(3)'
      const csv = await archive.export(statement, {}, 'csv', limits)
      expect(await text(csv)).toBe('"n","t"\n0,"0"\n1,"1"\n2,"2"\n')
      const lines = await text(await archive.export(statement, {}, 'ndjson', limits))
      expect(
        lines
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).t),
      ).toEqual(['0', '1', '2'])
    })

    it('writes an empty field for a missing value, in a CSV', async () => {
      const statement = "SELECT number AS n, NULL AS line, '' AS t FROM numbers(1)"
      const csv = await archive.export(statement, {}, 'csv', limits)
      expect(await text(csv)).toBe('"n","line","t"\n0,,""\n')
    })

    it('writes files of many rows as one file', async () => {
      const rows = 150_000
      const more = { ...limits, resultRows: rows }
      const statement = `SELECT number AS n, concat('x', toString(number)) AS t
        FROM numbers({rows:UInt32}) ORDER BY n DESC`
      const csv = await text(await archive.export(statement, { rows }, 'csv', more))
      const lines = csv.trimEnd().split('\n')
      expect(lines.length).toBe(rows + 1)
      expect(lines[0]).toBe('"n","t"')
      expect(lines.slice(1).every((line, i) => line === `${rows - 1 - i},"x${rows - 1 - i}"`)).toBe(
        true,
      )
      const file = join(tmpdir(), `overround-${randomUUID()}.parquet`)
      const duck = await (await DuckDBInstance.create()).connect()
      try {
        const parquet = await archive.export(statement, { rows }, 'parquet', more)
        await pipeline(parquet, createWriteStream(file))
        // DuckDB reads the file, independently of its writer.
        const read = await duck.runAndReadAll(
          `SELECT count(*)::INT AS rows, sum(n)::BIGINT AS total, count(DISTINCT t)::INT AS texts,
          bool_and(n = ${rows - 1} - file_row_number) AS ordered
          FROM read_parquet('${file}', file_row_number = true)`,
        )
        expect(read.getRowsJson()).toEqual([[rows, String((rows * (rows - 1)) / 2), rows, true]])
      } finally {
        duck.closeSync()
        rmSync(file, { force: true })
      }
    })

    it.each(['csv', 'parquet'] as const)(
      'refuses a %s of more rows than it may have',
      async (format) => {
        const asked = archive
          .export('SELECT number FROM numbers(1000)', {}, format, { ...limits, resultRows: 10 })
          .then((stream) => stream.toArray())
        await expect(asked).rejects.toMatchObject({ name: 'ArchiveError', code: 'too_much' })
      },
    )
  })
}
