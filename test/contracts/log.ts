/**
 * The requirements of the log port as tests, for every adapter; `pipeline/log/log.ts` states them
 * in words. An adapter calls `logContract` with a way to open an empty log of its own that no other
 * test touches. `reopen` closes it and opens the same data again, as a restarted process would.
 */

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runEach } from '../../pipeline/async/run-each.ts'
import type { Append, Batch, Chunk, Log, LogRecord, Position } from '../../pipeline/log/log.ts'
import type { Sighting } from '../../schemas/sighting.ts'
import type { SportsbookStatus } from '../../schemas/sportsbook-status.ts'
import { type Topic, topics } from '../../schemas/topics.ts'
import { batchesOfAll } from './batches-of-all.ts'

export interface OpenedLog {
  readonly log: Log
  /** Closes `log` (closing it twice does no harm) and opens the same data again. */
  reopen(): Promise<Log>
  destroy(): Promise<void>
}

export interface ContractOptions {
  /** Time limit of a test (ms); default 60,000. */
  readonly timeoutMs?: number
  /** False where a commit may reach a follower in several chunks; default true. */
  readonly wholeCommits?: boolean
  /** Drops the superseded records of compacted topics now; without it the tests of that are skipped. */
  readonly compact?: (log: Log) => Promise<void>
  /**
   * Makes every position taken so far too old to resume from, by writing to `sportsbookStatus`
   * only; without it the tests of that are skipped.
   */
  readonly expire?: (log: Log) => Promise<void>
  /** Largest number of records in a compacted replay of 1,000 keys, its tail included. */
  readonly compactedRecords?: number
}

const { feedRejected, sightings, sportsbookStatus } = topics

let groupCount = 0
const newGroup = () => `contract-${process.pid}-${Date.now()}-${groupCount++}`

const status = (
  sportsbook: string,
  since: number,
  partitionKey = 'nba',
): Append<SportsbookStatus> => ({
  topic: sportsbookStatus,
  partitionKey,
  key: sportsbook,
  value: { sportsbook, status: 'up', since, audience: 'all' },
})

const removed = (sportsbook: string, partitionKey = 'nba'): Append<SportsbookStatus> => ({
  topic: sportsbookStatus,
  partitionKey,
  key: sportsbook,
  value: null,
})

const sighting = (eventId: string, lastSeenAt: number, partitionKey = 'nba'): Append<Sighting> => ({
  topic: sightings,
  partitionKey,
  key: `${eventId}|pinnacle`,
  value: {
    eventId,
    league: 'nba',
    sportsbook: 'pinnacle',
    listing: eventId,
    formerListings: [],
    hasGivenPrices: true,
    statedAt: null,
    homeTeam: 'Leeds United',
    awayTeam: 'Brentford',
    startsAt: 0,
    lastSeenAt,
    externalId: null,
    swapped: false,
    isLive: false,
    statedStatus: null,
  },
})

const rejected = (sportsbook: string, receivedAt: number): Append => ({
  topic: feedRejected,
  partitionKey: sportsbook,
  key: sportsbook,
  value: { sportsbook, code: 'bad_price', message: `number ${receivedAt}`, receivedAt, text: '{}' },
})

/** Returns the number that a record of `rejected` was made with. */
const numberOf = (record: LogRecord) => (record.value as { receivedAt: number }).receivedAt

type Row = { readonly since?: number; readonly lastSeenAt?: number }
type Table = Map<string, number>

const stamp = (record: LogRecord) => {
  const row = record.value as Row | null
  return row === null ? null : (row.since ?? row.lastSeenAt ?? Number.NaN)
}

function applyRecords(table: Table, records: readonly LogRecord[]) {
  for (const record of records) {
    const key = `${record.topic.name}/${record.key}`
    const value = stamp(record)
    if (value === null) table.delete(key)
    else table.set(key, value)
  }
}

const applyChunk = (table: Table, chunk: Chunk) => {
  if (chunk.reset) table.clear()
  applyRecords(table, chunk.records)
}

/** Returns the table that `appends` result in. */
function tableOf(appends: readonly Append[]): Table {
  const table: Table = new Map()
  applyRecords(
    table,
    appends.map((append) => ({ ...append, partition: 0, offset: 0 })),
  )
  return table
}

const inOrder = (table: Table) => [...table].sort(([a], [b]) => (a < b ? -1 : 1))

const allPartitions = (log: Log) => Array.from({ length: log.partitionCount }, (_, index) => index)

async function replayed(log: Log, replayTopics: readonly Topic[], partitions = allPartitions(log)) {
  const table: Table = new Map()
  const records: LogRecord[] = []
  const { signal } = new AbortController()
  for await (const some of log.replay(replayTopics, { partitions, signal })) {
    applyRecords(table, some)
    records.push(...some)
  }
  return { table, records }
}

/** Yields every batch of the group's assignments, until `signal` aborts. */
async function* batchesOf(
  log: Log,
  joined: readonly Topic[],
  options: { group: string; signal: AbortSignal; maxRecords?: number },
): AsyncGenerator<Batch> {
  yield* batchesOfAll(log.join(joined, options))
}

/** Takes batches and commits each with `outputs`, until it has `count` records. */
async function take(
  log: Log,
  joined: readonly Topic[],
  group: string,
  count: number,
  options: { maxRecords?: number; outputs?: (batch: Batch) => Append[]; commit?: boolean } = {},
) {
  const controller = new AbortController()
  const { maxRecords, outputs = () => [], commit = true } = options
  const records: LogRecord[] = []
  const sizes: number[] = []
  const joining = { group, signal: controller.signal, ...(maxRecords && { maxRecords }) }
  for await (const batch of batchesOf(log, joined, joining)) {
    records.push(...batch.records)
    sizes.push(batch.records.length)
    if (commit) await batch.commit(outputs(batch))
    if (records.length >= count) controller.abort()
  }
  return { records, sizes }
}

/** Follows the table until `enough` of it and the newest chunk holds. */
async function followed(
  log: Log,
  followTopics: readonly Topic[],
  enough: (table: Table, chunk: Chunk) => boolean,
  options: { from?: Position; table?: Table } = {},
) {
  const controller = new AbortController()
  const table: Table = options.table ?? new Map()
  const chunks: Chunk[] = []
  const following = { signal: controller.signal, ...(options.from && { from: options.from }) }
  for await (const chunk of log.follow(followTopics, following)) {
    chunks.push(chunk)
    applyChunk(table, chunk)
    if (enough(table, chunk)) controller.abort()
  }
  return { table, chunks, position: chunks.at(-1)!.position }
}

const caughtUp = (_: Table, chunk: Chunk) => chunk.caughtUp

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

const within = (promise: Promise<unknown>, ms: number) =>
  Promise.race([
    promise.then(() => 'ended'),
    new Promise((resolve) => setTimeout(resolve, ms, 'still running')),
  ])

/** Registers the suite for the adapter called `name`. */
export function logContract(
  name: string,
  open: () => Promise<OpenedLog>,
  options: ContractOptions = {},
) {
  const { timeoutMs = 60_000, wholeCommits = true, compact, expire } = options

  describe(`${name} keeps the log's promises`, { timeout: timeoutMs }, () => {
    let opened: OpenedLog
    let log: Log

    beforeEach(async () => {
      opened = await open()
      log = opened.log
    }, timeoutMs)
    afterEach(() => opened.destroy(), timeoutMs)

    test('a group reads the appended records, in the order of each key', async () => {
      const appends = numbers(500).map((index) => rejected(`book-${index % 7}`, index))
      await log.append(appends.slice(0, 200))
      await log.append(appends.slice(200))
      const { records, sizes } = await take(log, [feedRejected], newGroup(), 500, {
        maxRecords: 64,
      })
      expect(Math.max(...sizes)).toBeLessThanOrEqual(64)
      expect(records).toHaveLength(500)
      for (const book of numbers(7).map((index) => `book-${index}`)) {
        const ofBook = records.filter(({ key }) => key === book).map(({ value }) => value)
        expect(ofBook).toEqual(appends.filter(({ key }) => key === book).map(({ value }) => value))
      }
      const places = records.map(({ partition, offset }) => `${partition}:${offset}`)
      expect(new Set(places).size).toBe(500)
      expect(records.every(({ topic }) => topic === feedRejected)).toBe(true)
    })

    test('an empty append and an empty commit change nothing that is read', async () => {
      await log.append([])
      await log.append([rejected('book', 1)])
      const group = newGroup()
      await take(log, [feedRejected], group, 1)
      await expect.poll(() => log.lag([feedRejected], group)).toBe(0)
      expect((await replayed(log, [sportsbookStatus])).records).toEqual([])
    })

    test('records of one partition key share a partition on every topic', async () => {
      const leagues = numbers(12).map((index) => `league-${index}`)
      await log.append(
        leagues.flatMap((league) => [
          status(`book of ${league}`, 1, league),
          sighting(`event of ${league}`, 1, league),
        ]),
      )
      const { records } = await replayed(log, [sportsbookStatus, sightings])
      for (const league of leagues) {
        const partitions = records
          .filter(({ key }) => key.split('|')[0]!.endsWith(` of ${league}`))
          .map(({ partition }) => partition)
        expect(partitions).toHaveLength(2)
        expect(partitions[0]).toBe(partitions[1])
      }
    })

    test('a waiting group gets later records', async () => {
      const group = newGroup()
      const taken = take(log, [feedRejected], group, 3)
      for (const index of numbers(3)) {
        await new Promise((resolve) => setTimeout(resolve, 30))
        await log.append([rejected('book', index)])
      }
      expect((await taken).records.map(numberOf)).toEqual([0, 1, 2])
    })

    test('epoch and secret belong to the log, whoever opens it and when', async () => {
      const { epoch, secret } = log
      expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
      expect(secret).not.toBe(epoch)
      log = await opened.reopen()
      expect([log.epoch, log.secret]).toEqual([epoch, secret])
    })

    test('committed offsets survive a restart', async () => {
      const group = newGroup()
      await log.append(numbers(100).map((index) => rejected('book', index)))
      const first = await take(log, [feedRejected], group, 40, { maxRecords: 20 })
      expect(first.records).toHaveLength(40)
      log = await opened.reopen()
      const second = await take(log, [feedRejected], group, 60)
      const all = [...first.records, ...second.records]
      expect(all.map(numberOf)).toEqual(numbers(100))
    })

    test('a batch that was not committed is delivered again, and its outputs do not exist', async () => {
      const group = newGroup()
      await log.append(numbers(50).map((index) => rejected('book', index)))
      await take(log, [feedRejected], group, 20, {
        maxRecords: 20,
        outputs: () => [status('committed', 1)],
      })
      const abandoned = await take(log, [feedRejected], group, 1, { commit: false })
      expect(numberOf(abandoned.records[0]!)).toBe(20)
      log = await opened.reopen()
      expect((await replayed(log, [sportsbookStatus])).table).toEqual(
        tableOf([status('committed', 1)]),
      )
      const again = await take(log, [feedRejected], group, 30)
      expect(again.records.map(numberOf)).toEqual(numbers(30).map((index) => index + 20))
    })

    test('a batch under way when its reader is stopped is committed, and not delivered again', async () => {
      const group = newGroup()
      await log.append(numbers(20).map((index) => rejected('book', index)))
      const controller = new AbortController()
      const joining = { group, signal: controller.signal, maxRecords: 20 }
      for await (const batch of batchesOf(log, [feedRejected], joining)) {
        controller.abort()
        // By now a stopping reader would have left if it did not wait for the batch.
        await new Promise((resolve) => setTimeout(resolve, 300))
        await batch.commit([status('committed', 1)])
      }
      await log.append([rejected('book', 20)])
      const { records } = await take(log, [feedRejected], group, 1)
      expect(records.map(numberOf)).toEqual([20])
      const { table } = await replayed(log, [sportsbookStatus])
      expect(table).toEqual(tableOf([status('committed', 1)]))
    })

    test('outputs and offsets come together, however often the reader dies', async () => {
      const group = newGroup()
      const inputs = numbers(200)
      await log.append(inputs.map((index) => rejected('book', index)))
      for (let round = 0; round < 4; round++) {
        const outputs = (batch: Batch) =>
          batch.records.map(numberOf).map((index) => status(`book-${index % 10}`, index))
        await take(log, [feedRejected], group, 30, { maxRecords: 15, outputs })
        await take(log, [feedRejected], group, 1, { commit: false })
        log = await opened.reopen()
        const read = 30 * (round + 1)
        await expect.poll(() => log.lag([feedRejected], group)).toBe(inputs.length - read)
        expect((await replayed(log, [sportsbookStatus])).table).toEqual(
          tableOf(inputs.slice(0, read).map((index) => status(`book-${index % 10}`, index))),
        )
      }
    })

    test('an assignment ends when its member leaves', async () => {
      const controller = new AbortController()
      const { signal } = controller
      const ends: AbortSignal[] = []
      for await (const { ended } of log.join([feedRejected], { group: newGroup(), signal })) {
        expect(ended.aborted).toBe(false)
        ends.push(ended)
        if (ends.length === log.partitionCount) controller.abort()
      }
      expect(ends.map(({ aborted }) => aborted)).toEqual(ends.map(() => true))
    })

    test('a single process holds every name, and appends records that all can read', async () => {
      const controller = new AbortController()
      const held: string[] = []
      for await (const lease of log.lease(['a', 'b'], {
        group: newGroup(),
        signal: controller.signal,
      })) {
        held.push(lease.name)
        expect(lease.ended.aborted).toBe(false)
        await Promise.all([
          lease.append([status(`first of ${lease.name}`, 1)]),
          lease.append([]),
          lease.append([status(`second of ${lease.name}`, 2)]),
        ])
        if (held.length === 2) controller.abort()
      }
      expect(held.sort()).toEqual(['a', 'b'])
      const ofBoth = held.flatMap((name) => [
        status(`first of ${name}`, 1),
        status(`second of ${name}`, 2),
      ])
      expect(inOrder((await replayed(log, [sportsbookStatus])).table)).toEqual(
        inOrder(tableOf(ofBoth)),
      )
    })

    test('a replay ends on the last value of every key, and tombstones free theirs', async () => {
      const appends = [
        ...numbers(300).map((index) => status(`book-${index % 60}`, index)),
        ...numbers(20).map((index) => removed(`book-${index}`)),
        ...numbers(5).map((index) => status(`book-${index}`, 1_000 + index)),
      ]
      for (let start = 0; start < appends.length; start += 50) {
        await log.append(appends.slice(start, start + 50))
      }
      const expected = tableOf(appends)
      expect(expected.size).toBe(45)
      expect(inOrder((await replayed(log, [sportsbookStatus])).table)).toEqual(inOrder(expected))
      log = await opened.reopen()
      expect(inOrder((await replayed(log, [sportsbookStatus])).table)).toEqual(inOrder(expected))
    })

    test('a replay has every batch that was committed before it', async () => {
      await log.append(numbers(30).map((index) => rejected('book', index)))
      const controller = new AbortController()
      const joining = { group: newGroup(), signal: controller.signal, maxRecords: 1 }
      let committed = 0
      for await (const batch of batchesOf(log, [feedRejected], joining)) {
        const row = status('book', ++committed)
        await batch.commit([row])
        expect((await replayed(log, [sportsbookStatus])).table).toEqual(tableOf([row]))
        if (committed === 30) controller.abort()
      }
    })

    test('a replay returns the requested partitions, and all of them return everything', async () => {
      const appends = numbers(40).map((index) => status(`book-${index}`, index, `league-${index}`))
      await log.append(appends)
      const table: Table = new Map()
      for (const partition of allPartitions(log)) {
        const { records } = await replayed(log, [sportsbookStatus], [partition])
        expect(records.every((record) => record.partition === partition)).toBe(true)
        applyRecords(table, records)
      }
      expect(inOrder(table)).toEqual(inOrder(tableOf(appends)))
      expect((await replayed(log, [sportsbookStatus], [])).records).toEqual([])
    })

    test.skipIf(!compact)(
      'fifty overwrites of a thousand keys leave little more than a thousand records',
      async () => {
        const rounds = numbers(50).map((round) =>
          numbers(1_000).map((index) => status(`book-${index}`, round * 1_000 + index)),
        )
        for (const round of rounds) await log.append(round)
        await compact!(log)
        const { table, records } = await replayed(log, [sportsbookStatus])
        expect(inOrder(table)).toEqual(inOrder(tableOf(rounds.at(-1)!)))
        expect(records.length).toBeLessThanOrEqual(options.compactedRecords ?? 2_000)
      },
    )

    test('a follower of an empty log is caught up, then sees the first record', async () => {
      const following = followed(log, [sportsbookStatus], (table) => table.size === 1)
      await new Promise((resolve) => setTimeout(resolve, 100))
      await log.append([status('book', 1)])
      const { chunks } = await following
      expect(chunks[0]!.reset).toBe(true)
      expect(chunks.some((chunk) => chunk.caughtUp)).toBe(true)
      expect(chunks.at(-1)!.caughtUp).toBe(true)
      expect(chunks.slice(1).some((chunk) => chunk.reset)).toBe(false)
    })

    test('a follower gets the content, then the tail, without gap or repeat, while a writer writes', async () => {
      const total = 4_000
      const appends = numbers(total).map((index) =>
        index % 10 === 9 ? removed(`book-${index % 100}`) : status(`book-${index % 100}`, index),
      )
      appends.push(status('the end', total))
      await log.append(appends.slice(0, 1_000))
      const writing = (async () => {
        for (let start = 1_000; start < appends.length; start += 37) {
          await log.append(appends.slice(start, start + 37))
        }
      })()
      const { table, chunks } = await followed(log, [sportsbookStatus], (rows) =>
        rows.has(`${sportsbookStatus.name}/the end`),
      )
      await writing
      expect(inOrder(table)).toEqual(inOrder(tableOf(appends)))
      expect(chunks.map(({ reset }) => reset)).toEqual(chunks.map((_, index) => index === 0))
      const live = chunks.slice(chunks.findIndex((chunk) => chunk.caughtUp) + 1)
      const places = live.flatMap(({ records }) =>
        records.map(({ partition, offset }) => `${partition}:${offset}`),
      )
      expect(new Set(places).size).toBe(places.length)
    })

    test('the chunks of one long append can each be resumed from', async () => {
      const appends = numbers(5_000).map((index) => status(`book-${index}`, index))
      let appended = false
      const { chunks } = await followed(log, [sportsbookStatus], (table, chunk) => {
        if (chunk.caughtUp && !appended) {
          appended = true
          void log.append(appends)
        }
        return table.size === appends.length
      })
      const live = chunks.slice(chunks.findIndex((chunk) => chunk.caughtUp) + 1)
      let given = 0
      for (const { records, position } of live) {
        given += records.length
        const { chunks: after } = await followed(log, [sportsbookStatus], caughtUp, {
          from: position,
        })
        expect(after.every(({ reset }) => !reset)).toBe(true)
        expect(after.flatMap(({ records }) => records)).toHaveLength(appends.length - given)
      }
      expect(given).toBe(appends.length)
    })

    test('following from a position misses nothing, removals included', async () => {
      const before = numbers(200).map((index) => status(`book-${index}`, index))
      await log.append(before)
      const first = await followed(log, [sportsbookStatus, sightings], caughtUp)
      const after = [
        ...numbers(50).map((index) => removed(`book-${index}`)),
        ...numbers(20).map((index) => status(`book-${100 + index}`, 5_000 + index)),
        sighting('event', 7),
      ]
      await log.append(after)
      log = await opened.reopen()
      const second = await followed(log, [sportsbookStatus, sightings], caughtUp, {
        from: first.position,
        table: first.table,
      })
      expect(second.chunks.every(({ reset }) => !reset)).toBe(true)
      expect(second.chunks.flatMap(({ records }) => records)).toHaveLength(after.length)
      expect(inOrder(second.table)).toEqual(inOrder(tableOf([...before, ...after])))

      const third = await followed(log, [sportsbookStatus, sightings], caughtUp, {
        from: second.position,
      })
      expect(third.chunks.flatMap(({ records }) => records)).toEqual([])
      expect(third.chunks.every(({ reset }) => !reset)).toBe(true)
    })

    test('a position survives JSON', async () => {
      await log.append([status('book', 1)])
      const { position } = await followed(log, [sportsbookStatus], caughtUp)
      await log.append([status('book', 2)])
      const { chunks } = await followed(log, [sportsbookStatus], caughtUp, {
        from: JSON.parse(JSON.stringify(position)) as Position,
      })
      expect(chunks.flatMap(({ records }) => records).map(stamp)).toEqual([2])
    })

    test('the position of another log, or none of this one, leads to a fresh replay', async () => {
      const appends = numbers(30).map((index) => status(`book-${index}`, index))
      await log.append(appends)
      const { position } = await followed(log, [sportsbookStatus], caughtUp)
      const name = sportsbookStatus.name
      const ahead = position.offsets[name]!.map((offset) => offset + 1_000)
      const strange: Position[] = [
        { ...position, epoch: 'another' },
        { ...position, offsets: {} },
        { ...position, offsets: { [name]: ahead } },
        { ...position, offsets: { [name]: [...position.offsets[name]!, 0] } },
      ]
      for (const from of strange) {
        const { table, chunks } = await followed(log, [sportsbookStatus], caughtUp, { from })
        expect(chunks[0]!.reset).toBe(true)
        expect(inOrder(table)).toEqual(inOrder(tableOf(appends)))
      }
      expect(position.epoch).toBe(log.epoch)
    })

    test.skipIf(!expire)(
      'a position whose tail is gone is followed by a fresh replay',
      async () => {
        await log.append([status('kept', 1), status('removed later', 1)])
        const { position } = await followed(log, [sportsbookStatus], caughtUp)
        await log.append([removed('removed later')])
        await expire!(log)
        const { table, chunks } = await followed(log, [sportsbookStatus], caughtUp, {
          from: position,
        })
        expect(chunks[0]!.reset).toBe(true)
        expect(table.get(`${sportsbookStatus.name}/kept`)).toBe(1)
        expect(table.has(`${sportsbookStatus.name}/removed later`)).toBe(false)
      },
    )

    test('a follower sees nothing of a batch that is not committed', async () => {
      const group = newGroup()
      await log.append(numbers(20).map((index) => rejected('book', index)))
      await take(log, [feedRejected], group, 1, {
        maxRecords: 10,
        outputs: () => [status('one', 1)],
      })
      await take(log, [feedRejected], group, 1, { commit: false })
      const { table } = await followed(log, [sportsbookStatus], caughtUp)
      expect(inOrder(table)).toEqual(inOrder(tableOf([status('one', 1)])))
    })

    test.skipIf(!wholeCommits)('a follower sees each commit whole', async () => {
      const rounds = 40
      const ofRound = (round: number) => [
        ...numbers(25).map((index) => status(`book-${index}`, round)),
        ...numbers(25).map((index) => sighting(`event-${index}`, round)),
      ]
      await log.append(ofRound(0))
      const writing = (async () => {
        for (let round = 1; round <= rounds; round++) await log.append(ofRound(round))
      })()
      const seen: number[] = []
      await followed(log, [sportsbookStatus, sightings], (table, chunk) => {
        if (!chunk.caughtUp) return false
        const stamps = new Set(table.values())
        expect(table.size).toBe(50)
        expect(stamps.size).toBe(1)
        seen.push(...stamps)
        return stamps.has(rounds)
      })
      await writing
      expect(seen).toEqual([...seen].sort((a, b) => a - b))
    })

    test('two topics of one commit arrive in the order they are followed in', async () => {
      const group = newGroup()
      await log.append([rejected('book', 0)])
      const following = followed(log, [sightings, sportsbookStatus], (table) => table.size === 2)
      await new Promise((resolve) => setTimeout(resolve, 100))
      await take(log, [feedRejected], group, 1, {
        outputs: () => [status('book', 1), sighting('event', 1)],
      })
      const { chunks } = await following
      const names = chunks.flatMap(({ records }) => records.map(({ topic }) => topic.name))
      expect(names).toEqual([sightings.name, sportsbookStatus.name])
    })

    test('a group that joins a compacted topic late gets the newest of every key', async () => {
      const appends = [
        ...numbers(2_000).map((index) => status(`book-${index % 50}`, index)),
        removed('book-0'),
        sighting('event', 1),
      ]
      for (let start = 0; start < appends.length; start += 100) {
        await log.append(appends.slice(start, start + 100))
      }
      await compact?.(log)
      await log.append([status('last', 1)])
      const controller = new AbortController()
      const table: Table = new Map()
      const offsets = new Map<string, number>()
      const joining = { group: newGroup(), signal: controller.signal }
      for await (const batch of batchesOf(log, [sportsbookStatus, sightings], joining)) {
        for (const { topic, partition, offset } of batch.records) {
          const place = `${topic.name}/${partition}`
          expect(offset).toBeGreaterThan(offsets.get(place) ?? -1)
          offsets.set(place, offset)
        }
        applyRecords(table, batch.records)
        await batch.commit([])
        if (table.has(`${sportsbookStatus.name}/last`)) controller.abort()
      }
      expect(inOrder(table)).toEqual(inOrder(tableOf([...appends, status('last', 1)])))
    })

    test('lag counts what a group has not committed', async () => {
      const group = newGroup()
      expect(await log.lag([feedRejected], group)).toBe(0)
      await log.append(numbers(30).map((index) => rejected('book', index)))
      expect(await log.lag([feedRejected], group)).toBe(30)
      await take(log, [feedRejected], group, 10, { maxRecords: 10 })
      await expect.poll(() => log.lag([feedRejected], group)).toBe(20)
      await take(log, [feedRejected], group, 10, { maxRecords: 10, commit: false })
      expect(await log.lag([feedRejected], group)).toBe(20)
      expect(await log.lag([feedRejected], newGroup())).toBe(30)
      const byPartition = await log.lagByPartition([feedRejected], group)
      expect(byPartition).toHaveLength(log.partitionCount)
      expect(byPartition.reduce((sum, records) => sum + records)).toBe(20)
    })

    test('a member reads records again that its group has committed', async () => {
      const group = newGroup()
      await log.append(numbers(30).map((index) => rejected('book', index)))
      const { records: first } = await take(log, [feedRejected], group, 30)
      const { partition, offset } = first[10]!
      const stop = new AbortController()
      const taken: number[] = []
      const joining = log.join([feedRejected], { group, signal: stop.signal })
      await runEach(
        () => joining,
        async (assignment) => {
          if (assignment.partition !== partition) return
          assignment.readAgain(new Map([[feedRejected.name, offset]]))
          for await (const batch of assignment.batches) {
            taken.push(...batch.records.map((record) => record.offset))
            await batch.commit([])
            if (taken.length >= 20) stop.abort()
          }
        },
        stop.signal,
      )
      expect(taken).toEqual(first.slice(10).map((record) => record.offset))
      await expect.poll(() => log.lag([feedRejected], group)).toBe(0)
    })

    test('a group has a place in every partition, between the oldest record and the end', async () => {
      const group = newGroup()
      const partitions = Array.from({ length: log.partitionCount }, (_, each) => each)
      const placesNow = async () => {
        const asked = partitions.map((each) => {
          return log.places([feedRejected, sportsbookStatus], group, each)
        })
        return (await Promise.all(asked)).flat()
      }
      const before = await placesNow()
      expect(before.map((place) => place.partition)).toEqual(
        partitions.flatMap((each) => [each, each]),
      )
      expect(before).toHaveLength(2 * log.partitionCount)
      expect(before.every(({ committed }) => committed === null)).toBe(true)
      await log.append(numbers(30).map((index) => rejected('book', index)))
      await take(log, [feedRejected], group, 10, { maxRecords: 10 })
      const moved = async () =>
        (await placesNow()).flatMap(({ topic, partition, oldest, committed, end }) =>
          committed === null ? [] : [{ topic: topic.name, partition, oldest, committed, end }],
        )
      await expect.poll(async () => (await moved()).length).toBe(1)
      const [{ topic, partition, oldest, committed, end }] = (await moved()) as [
        Awaited<ReturnType<typeof moved>>[number],
      ]
      expect(topic).toBe(feedRejected.name)
      const was = before.find(
        (place) => place.topic.name === topic && place.partition === partition,
      )!
      expect(committed).toBeGreaterThanOrEqual(oldest + 10)
      expect(end - committed).toBe(20)
      expect(end - was.end).toBeGreaterThanOrEqual(30)
    })

    test('the age of a lag is that of the oldest record that a group has not committed', async () => {
      const group = newGroup()
      expect(await log.waitingSince([feedRejected, sportsbookStatus], group)).toBeNull()
      await log.append([rejected('book', 1)])
      const first = await log.waitingSince([feedRejected, sportsbookStatus], group)
      expect(Math.abs(first! - Date.now())).toBeLessThan(60_000)
      // Records of a fully read topic do not change the result.
      await log.append([status('book', 1)])
      expect(await log.waitingSince([feedRejected, sportsbookStatus], group)).toBe(first)
      await take(log, [feedRejected], group, 1)
      await expect.poll(() => log.waitingSince([feedRejected], group)).toBeNull()
      const second = await log.waitingSince([feedRejected, sportsbookStatus], group)
      expect(second).toBeGreaterThanOrEqual(first!)
    })

    test('the committed offsets of a group grow with its batches', async () => {
      const group = newGroup()
      const committed = async () =>
        (await log.committed([feedRejected], group)).reduce((sum, offset) => sum + offset)
      expect(await committed()).toBe(0)
      await log.append(numbers(30).map((index) => rejected('book', index)))
      await take(log, [feedRejected], group, 10, { maxRecords: 10 })
      await expect.poll(committed).toBeGreaterThanOrEqual(10)
      const before = await committed()
      await take(log, [feedRejected], group, 10, { maxRecords: 10, commit: false })
      expect(await committed()).toBe(before)
      await take(log, [feedRejected], group, 10, { maxRecords: 10 })
      await expect.poll(committed).toBeGreaterThanOrEqual(before + 10)
      expect(await log.committed([feedRejected], group)).toHaveLength(log.partitionCount)
    })

    test('the lag of a position is known by partition', async () => {
      await log.append([status('book', 1)])
      const { signal } = new AbortController()
      for await (const { position, caughtUp } of log.follow([sportsbookStatus], { signal })) {
        if (!caughtUp) continue
        expect(await log.behind(position)).toEqual(allPartitions(log).map(() => 0))
        await log.append([status('book', 2), status('other', 2), rejected('book', 1)])
        const behind = await log.behind(position)
        expect(behind).toHaveLength(log.partitionCount)
        expect(behind.reduce((sum, records) => sum + records)).toBe(2)
        break
      }
    })

    test('groups do not disturb each other', async () => {
      await log.append(numbers(20).map((index) => rejected('book', index)))
      const [first, second] = [newGroup(), newGroup()]
      const both = await Promise.all([
        take(log, [feedRejected], first, 20),
        take(log, [feedRejected], second, 20),
      ])
      expect(both.map(({ records }) => records.length)).toEqual([20, 20])
    })

    test('a batch can be committed once only', async () => {
      await log.append([rejected('book', 1)])
      const controller = new AbortController()
      const joining = { group: newGroup(), signal: controller.signal }
      for await (const batch of batchesOf(log, [feedRejected], joining)) {
        expect(await batch.commit([])).toBe(true)
        await expect((async () => batch.commit([]))()).rejects.toThrow()
        controller.abort()
      }
    })

    test('an abort ends every reader promptly', async () => {
      await log.append([rejected('book', 1), status('book', 1)])
      const controller = new AbortController()
      const { signal } = controller
      const group = newGroup()
      let ready = 0
      const joined = (async () => {
        for await (const batch of batchesOf(log, [feedRejected], { group, signal })) {
          await batch.commit([])
          ready++
        }
      })()
      const following = (async () => {
        for await (const chunk of log.follow([sportsbookStatus], { signal })) {
          if (chunk.caughtUp) ready++
        }
      })()
      while (ready < 2) await new Promise((resolve) => setTimeout(resolve, 10))
      controller.abort()
      expect(await within(Promise.all([joined, following]), timeoutMs / 2)).toBe('ended')
      const none: Chunk[] = []
      for await (const chunk of log.follow([sportsbookStatus], { signal })) none.push(chunk)
      for await (const _ of log.replay([sportsbookStatus], { partitions: [0], signal })) none.push()
      expect(none).toEqual([])
    })

    test('closing ends a follower and a group', async () => {
      await log.append([status('book', 1), rejected('book', 1)])
      const { signal } = new AbortController()
      let ready = 0
      const following = (async () => {
        for await (const chunk of log.follow([sportsbookStatus], { signal })) {
          if (chunk.caughtUp) ready++
        }
      })()
      const joined = (async () => {
        for await (const batch of batchesOf(log, [feedRejected], { group: newGroup(), signal })) {
          await batch.commit([])
          ready++
        }
      })()
      while (ready < 2) await new Promise((resolve) => setTimeout(resolve, 10))
      await log.close()
      expect(await within(Promise.all([following, joined]), timeoutMs / 2)).toBe('ended')
    })

    test('records appended before closing are there afterwards', async () => {
      const appends = numbers(100).map((index) => status(`book-${index}`, index))
      const appending = log.append(appends)
      await log.close()
      await appending
      log = await opened.reopen()
      expect(inOrder((await replayed(log, [sportsbookStatus])).table)).toEqual(
        inOrder(tableOf(appends)),
      )
    })
  })
}
