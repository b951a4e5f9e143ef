import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type avro from 'avsc'
import { open } from 'lmdb'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createRandom } from '../../../../pipeline/feeds/simulator/random.ts'
import {
  type DeletedUnread,
  type EmbeddedLogOptions,
  openEmbeddedLog,
} from '../../../../pipeline/log/embedded/embedded-log.ts'
import {
  type Append,
  type Batch,
  type Log,
  LogCorruptError,
  LogLockedError,
  type LogRecord,
  LogUnavailableError,
} from '../../../../pipeline/log/log.ts'
import { openLog } from '../../../../pipeline/log/open-log.ts'
import { createClock } from '../../../../pipeline/process/clock.ts'
import { readConfig, StartError } from '../../../../pipeline/settings/config.ts'
import type { SportsbookStatus } from '../../../../schemas/sportsbook-status.ts'
import { createTopic, type Retention, type Topic, topics } from '../../../../schemas/topics.ts'
import { logContract } from '../../../contracts/log.ts'
import { testSeed } from '../../../seed.ts'

const { sportsbookStatus } = topics
const root = fileURLToPath(new URL('../../../..', import.meta.url))

const status = (sportsbook: string, since: number): Append<SportsbookStatus> => ({
  topic: sportsbookStatus,
  partitionKey: sportsbook,
  key: sportsbook,
  value: { sportsbook, status: 'up', since, audience: 'all' },
})

async function replayed(log: Log, topic: Topic = sportsbookStatus): Promise<LogRecord[]> {
  const records: LogRecord[] = []
  const { signal } = new AbortController()
  for await (const some of log.replay([topic], { partitions: [0], signal })) records.push(...some)
  return records
}

/** Waits for the background compaction to leave at most `count` records. */
async function compactedTo(log: Log, count: number) {
  while ((await replayed(log)).length > count) await sleep(20)
}

const tailRecords = 500

logContract(
  'the embedded log',
  async () => {
    const path = await mkdtemp(join(tmpdir(), 'overround-log-'))
    let log = await openEmbeddedLog({ path, tailRecords })
    return {
      log,
      async reopen() {
        await log.close()
        log = await openEmbeddedLog({ path, tailRecords })
        return log
      },
      async destroy() {
        await log.close()
        await rm(path, { recursive: true })
      },
    }
  },
  {
    compactedRecords: 2_100,
    compact: (log) => compactedTo(log, 2_100),
    async expire(log) {
      for (let round = 0; round < 40; round++) {
        await log.append(Array.from({ length: 100 }, (_, index) => status(`b${index}`, round)))
      }
      await compactedTo(log, 1_200)
    },
  },
)

describe('the embedded log', () => {
  let path: string
  const opened: Log[] = []
  const workers: Worker[] = []

  const openHere = async (options: Partial<EmbeddedLogOptions> = {}) => {
    const log = await openEmbeddedLog({ path, ...options })
    opened.push(log)
    return log
  }

  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'overround-log-'))
  })
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.terminate()))
    await Promise.all(opened.splice(0).map((log) => log.close()))
    await rm(path, { recursive: true })
  })

  /** Runs `code` in its own process, which has `log`, `topics` and `path`. */
  const startProcess = (code: string) => {
    const child = spawn(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `const { openEmbeddedLog } = await import('./dist/pipeline/log/embedded/embedded-log.js')
         const { topics } = await import('./dist/schemas/topics.js')
         const path = ${JSON.stringify(path)}
         const log = await openEmbeddedLog({ path, tailRecords: 200 })
         const { signal } = new AbortController()
         ${code}`,
      ],
      { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    let output = ''
    child.stdout.on('data', (data) => {
      output += data
    })
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
    const said = async (text: string) => {
      while (!output.includes(text)) {
        if (child.exitCode !== null) throw new Error(`the process ended, having said: ${output}`)
        await sleep(2)
      }
      return output
    }
    return { child, ended, said }
  }

  const countTo = `
    const { feedRejected, sportsbookStatus } = topics
    const count = 200_000
    if ((await log.lag([feedRejected], 'count')) === 0) {
      const rows = Array.from({ length: 1_000 }, (_, index) => index)
      for (let start = 0; start < 20_000; start += 1_000) {
        await log.append(rows.map((index) => ({
          topic: feedRejected, partitionKey: 'book', key: 'book',
          value: { sportsbook: 'book', code: 'c', message: '', receivedAt: start + index, text: '' },
        })))
      }
    }
    console.log('ready')
    for await (const { batches } of log.join([feedRejected], { group: 'count', signal, maxRecords: 7 })) {
      for await (const batch of batches) {
        await batch.commit(batch.records.map(({ value: { receivedAt } }) => ({
          topic: sportsbookStatus, partitionKey: 'book', key: 'book-' + (receivedAt % 50),
          value: { sportsbook: 'book-' + (receivedAt % 50), status: 'up', since: receivedAt },
        })))
        console.log('committed')
      }
    }`

  test('a process killed at any moment leaves outputs and offsets that agree', async () => {
    const random = createRandom(testSeed)
    let before = -1
    for (let round = 0; round < 10; round++) {
      const { child, ended, said } = startProcess(countTo)
      // A slow machine may not commit in time, but one round must.
      await said(round === 0 ? 'committed' : 'ready')
      await sleep(random.between(5, 155))
      child.kill('SIGKILL')
      await ended
      const log = await openEmbeddedLog({ path })
      const read = 20_000 - (await log.lag([topics.feedRejected], 'count'))
      const rows = new Map<string, number>()
      for (const { key, value } of await replayed(log)) {
        rows.set(key, (value as SportsbookStatus).since)
      }
      await log.close()
      const expected = new Map<string, number>()
      for (let index = 0; index < read; index++) expected.set(`book-${index % 50}`, index)
      expect(new Map([...rows].sort())).toEqual(new Map([...expected].sort()))
      expect(read).toBeGreaterThanOrEqual(before)
      before = read
    }
    expect(before).toBeGreaterThan(0)
  })

  /** Opens the log in `path/log` as the service does. */
  const openConfigured = () =>
    openLog(readConfig({ OVERROUND_DATA_DIR: path }), pino({ level: 'silent' }), createClock(), {
      signal: new AbortController().signal,
    })

  test('a log of another format keeps the service from starting, in one line', async () => {
    await mkdir(join(path, 'log'))
    const env = open(join(path, 'log'), { noSubdir: false, encoding: 'json', maxDbs: 4 })
    await env.openDB('state', { encoding: 'json' }).put('log', { format: 1, epoch: 'a' })
    await env.close()
    const opening = openConfigured()
    await expect(opening).rejects.toThrow(StartError)
    await expect(opening).rejects.toThrow(
      /^The log in \S+ \(OVERROUND_DATA_DIR\) cannot be opened: it has format 1, and this version reads format \d+ alone; move it away, .*$/,
    )
  })

  test.each([
    ['of another program', Buffer.alloc(8_192, 'x')],
    ['of zeros', Buffer.alloc(8_192)],
    ['cut off', Buffer.from('x')],
  ])('a file %s in its place keeps the service from starting, in one line', async (_, content) => {
    await mkdir(join(path, 'log'))
    await writeFile(join(path, 'log', 'data.mdb'), content)
    const opening = openConfigured()
    await expect(opening).rejects.toThrow(StartError)
    await expect(opening).rejects.toThrow(
      /^The log in \S+ \(OVERROUND_DATA_DIR\) cannot be opened: its data.mdb .*$/,
    )
  })

  test('only one process writes, any may read, and a killed writer does not lock the log', async () => {
    const { child, ended, said } = startProcess(`
      await log.append([{ topic: topics.sportsbookStatus, partitionKey: 'a', key: 'a',
        value: { sportsbook: 'a', status: 'up', since: 1 } }])
      console.log('written')
      setInterval(() => {}, 1_000)`)
    await said('written')
    const log = await openHere()
    expect(await replayed(log)).toHaveLength(1)
    const refused = log.append([status('b', 1)])
    await expect(refused).rejects.toThrow(LogLockedError)
    await expect(refused).rejects.toThrow(new RegExp(`process ${child.pid} .*stop it`))
    const { signal } = new AbortController()
    await expect(
      log.join([sportsbookStatus], { group: 'g', signal })[Symbol.asyncIterator]().next(),
    ).rejects.toThrow(LogLockedError)
    child.kill('SIGKILL')
    await ended
    await log.append([status('b', 1)])
    expect(await replayed(log)).toHaveLength(2)
  })

  test('a process that closed its log leaves it to the next', async () => {
    const log = await openHere()
    await log.append([status('a', 1)])
    const write = `await log.append([{ topic: topics.sportsbookStatus, partitionKey: 'b', key: 'b',
        value: { sportsbook: 'b', status: 'up', since: 1 } }]).catch(({ name }) => console.log(name))
      await log.close()
      console.log('done')`
    const first = startProcess(write)
    expect(await first.said('done')).toContain('LogLockedError')
    await log.close()
    const second = startProcess(write)
    expect(await second.said('done')).not.toContain('LogLockedError')
    await Promise.all([first.ended, second.ended])
    expect(await replayed(await openHere())).toHaveLength(2)
  })

  test('another process follows the writes of this one', async () => {
    const log = await openHere()
    await log.append([status('a', 1)])
    const { ended, said } = startProcess(`
      for await (const { records, caughtUp } of log.follow([topics.sportsbookStatus], { signal })) {
        console.log(records.map(({ key }) => key).join() + (caughtUp ? ' caught up' : ''))
        if (records.some(({ key }) => key === 'c')) await log.close()
      }`)
    await said('caught up')
    await log.append([status('b', 2)])
    await said('b')
    await log.append([status('c', 3)])
    await said('c ')
    await ended
  })

  test('a thread learns of another’s commits without polling', async () => {
    const log = await openHere()
    await log.append([status('warm up', 0)])
    const worker = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads')
       const start = async () => {
         const { openEmbeddedLog } = await import(workerData.root + 'dist/pipeline/log/embedded/embedded-log.js')
         const { topics } = await import(workerData.root + 'dist/schemas/topics.js')
         const log = await openEmbeddedLog({ path: workerData.path, pollMs: 2 ** 31 - 1 })
         const { signal } = new AbortController()
         let closed
         parentPort.on('message', () => { closed = log.close() })
         for await (const { records, caughtUp } of log.follow([topics.sportsbookStatus], { signal })) {
           for (const { value } of records) parentPort.postMessage(value.since)
           if (caughtUp && !records.length) parentPort.postMessage('ready')
         }
         // A thread that is ended while its log closes takes the process with it.
         await closed
         parentPort.postMessage('ended')
         parentPort.close()
       }
       start()`,
      { eval: true, workerData: { path, root } },
    )
    workers.push(worker)
    let latest: unknown
    worker.on('message', (message) => {
      latest = message
    })
    const heard = async (message: unknown) => {
      while (latest !== message) await new Promise((resolve) => setImmediate(resolve))
    }
    await heard('ready')
    for (let since = 1; since <= 50; since++) {
      await log.append([status('a', since)])
      await heard(since)
    }
    worker.postMessage('close')
    await heard('ended')
  })

  test('handles and threads of one process write side by side', async () => {
    const [first, second] = [await openHere(), await openHere()]
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        (index % 2 ? first : second).append([status(`book-${index}`, index)]),
      ),
    )
    const records = await replayed(first)
    expect(new Set(records.map(({ key }) => key)).size).toBe(100)
    expect(records.map(({ offset }) => offset)).toEqual(records.map((_, index) => index))
  })

  test('a second member of a group is refused while the first is there', async () => {
    const [first, second] = [await openHere(), await openHere()]
    await first.append([status('a', 1)])
    const controller = new AbortController()
    const options = { group: 'g', signal: controller.signal }
    const member = first.join([sportsbookStatus], options)[Symbol.asyncIterator]()
    await member.next()
    const next = () => second.join([sportsbookStatus], options)[Symbol.asyncIterator]().next()
    await expect(next()).rejects.toThrow('group g already has a member')
    await member.return?.()
    expect((await next()).done).toBe(false)
    controller.abort()
  })

  test('a batch that skips one before it cannot be committed', async () => {
    const log = await openHere()
    await log.append([status('a', 1), status('b', 2)])
    const controller = new AbortController()
    const options = { group: 'g', signal: controller.signal, maxRecords: 1 }
    for await (const { batches } of log.join([sportsbookStatus], options)) {
      const iterator = batches[Symbol.asyncIterator]()
      await iterator.next()
      const second = (await iterator.next()).value!
      await expect(second.commit([status('c', 3)])).rejects.toThrow('a batch was left out')
      controller.abort()
    }
    expect(await replayed(log)).toHaveLength(2)
    expect(await log.lag([sportsbookStatus], 'g')).toBe(2)
  })

  test('compaction under way, dropped half-way and begun again keeps the table', async () => {
    const expected = new Map<string, number>()
    for (let round = 0; round < 12; round++) {
      const log = await openEmbeddedLog({ path, tailRecords: 50 })
      for (let batch = 0; batch < 30; batch++) {
        const appends = Array.from({ length: 40 }, (_, index) => {
          const key = `book-${(index * 7919 + batch * 31 + round) % 900}`
          const append = status(key, round * 1e6 + batch * 1e3 + index)
          return index % 5 === 0 ? { ...append, value: null } : append
        })
        for (const { key, value } of appends) {
          if (value) expected.set(key, value.since)
          else expected.delete(key)
        }
        await log.append(appends)
      }
      // Closing does not wait for the compaction.
      await log.close()
    }
    const log = await openHere({ tailRecords: 50 })
    const table = new Map<string, number>()
    const records = await replayed(log)
    for (const { key, value } of records) {
      if (value) table.set(key, (value as SportsbookStatus).since)
      else table.delete(key)
    }
    expect(new Map([...table].sort())).toEqual(new Map([...expected].sort()))
    expect(records.length).toBeLessThan(4_000)
  })

  test('topics kept by age lose older records, and groups continue with the rest', async () => {
    let now = 1_000_000
    const log = await openHere({ clock: () => now })
    const topic: Topic<SportsbookStatus> = {
      ...sportsbookStatus,
      name: 'aged',
      retention: { forMs: 50 },
    }
    for (let index = 0; index < 100; index++) {
      now += 10
      await log.append([{ ...status('book', index), topic }])
    }
    const records = await replayed(log, topic)
    expect(records.map(({ offset }) => offset)).toEqual([94, 95, 96, 97, 98, 99])
    expect(await log.lag([topic], 'late')).toBe(6)
    const controller = new AbortController()
    const options = { group: 'late', signal: controller.signal }
    for await (const { batches } of log.join([topic], options)) {
      for await (const batch of batches) {
        expect(batch.records).toHaveLength(6)
        await batch.commit([])
        controller.abort()
      }
    }
    expect(await log.lag([topic], 'late')).toBe(0)
  })

  test('topics kept by age lose the oldest beyond their size, however they came', async () => {
    let now = 1_000_000
    const log = await openHere({ clock: () => now++, longestBytes: 100_000 })
    const topic: Topic<SportsbookStatus> = {
      ...sportsbookStatus,
      name: 'aged',
      retention: { forMs: 3_600_000 },
    }
    const text = 'x'.repeat(1_000)
    const append = (count: number) =>
      log.append(
        Array.from({ length: count }, () => ({
          topic,
          partitionKey: 'book',
          key: '',
          value: { sportsbook: text, status: 'up' as const, since: 1 },
        })),
      )
    for (let index = 0; index < 300; index++) await append(1)
    const few = await replayed(log, topic)
    expect(few.length).toBeGreaterThan(90)
    expect(few.length).toBeLessThan(100)
    expect(few.at(-1)!.offset).toBe(299)
    expect(await log.lag([topic], 'late')).toBe(few.length)

    // Large entries push out many small ones: after some writes the bound holds again.
    for (let index = 0; index < 25; index++) await append(20)
    const many = await replayed(log, topic)
    expect(many.length).toBeLessThan(100)
    expect(many.at(-1)!.offset).toBe(799)

    // A compacted topic is a table, and keeps everything.
    for (let index = 0; index < 150; index++) await log.append([status(`${text}${index}`, 1)])
    expect(await replayed(log)).toHaveLength(150)
  })

  test('tells of records that are dropped before a group has read them, also while it reads', async () => {
    const told: DeletedUnread[] = []
    const onDeletedUnread = (deleted: DeletedUnread) => void told.push(deleted)
    const log = await openHere({ longestBytes: 10_000, onDeletedUnread })
    const topic = { ...sportsbookStatus, name: 'aged', retention: { forMs: 3_600_000 } }
    const append = async (count: number) => {
      for (let index = 0; index < count; index++) {
        await log.append([{ ...status('x'.repeat(1_000), 1), topic }])
      }
    }
    async function readAll(beforeSecond?: () => Promise<void>) {
      const stop = new AbortController()
      let batchCount = 0
      for await (const { batches } of log.join([topic], { group: 'g', signal: stop.signal })) {
        for await (const batch of batches) {
          await batch.commit([])
          if (batchCount++ === 0) await beforeSecond?.()
          if ((await log.lag([topic], 'g')) === 0) stop.abort()
        }
      }
    }
    // A new group reads what is there.
    await append(30)
    await readAll()
    expect(told).toEqual([])
    await append(30)
    const dropped = { group: 'g', topic: 'aged' }
    await readAll(() => append(30))
    const oldest = (await replayed(log, topic))[0]!.offset
    expect(told).toEqual([
      { ...dropped, offset: 30, start: oldest - 30, records: oldest - 60 },
      { ...dropped, offset: 60, start: oldest, records: oldest - 60 },
    ])
    expect(log.deletedUnread()).toEqual({
      counts: new Map([['aged', 2 * (oldest - 60)]]),
      last: { topic: 'aged', agoMs: expect.any(Number) },
    })
  })

  test('a log made before topics knew their size is bounded as well', async () => {
    const log = await openHere({ longestBytes: 10_000 })
    const topic = { ...sportsbookStatus, name: 'aged', retention: { forMs: 3_600_000 } }
    const append = () => log.append([{ ...status('x'.repeat(1_000), 1), topic }])
    for (let index = 0; index < 9; index++) await append()
    await tamper(({ state }) => {
      const { bytes: _, ...older } = state.get(['topic', 'aged'])
      return state.put(['topic', 'aged'], older)
    })
    for (let index = 0; index < 9; index++) await append()
    expect(await replayed(log, topic)).toHaveLength(4)
  })

  /** Changes the storage while the log is unaware of it. */
  async function tamper(
    change: (databases: {
      // biome-ignore lint/suspicious/noExplicitAny: what is stored is the log's own business
      state: ReturnType<typeof open<any, any>>
      entries: ReturnType<typeof open<Buffer, [number, number]>>
    }) => Promise<unknown>,
  ) {
    const env = open(path, { noSubdir: false, encoding: 'json', maxDbs: 4, maxReaders: 512 })
    const state = env.openDB('state', { encoding: 'json' })
    const entries = env.openDB<Buffer, [number, number]>('entries', { encoding: 'binary' })
    await change({ state: state as never, entries: entries as never })
    await env.close()
  }

  /** Runs `use` in the first batch of group `g` on the sportsbooks' states. */
  async function inBatch(log: Log, use: (batch: Batch) => Promise<void>) {
    const controller = new AbortController()
    const options = { group: 'g', signal: controller.signal }
    for await (const { batches } of log.join([sportsbookStatus], options)) {
      for await (const batch of batches) {
        await use(batch)
        controller.abort()
      }
    }
  }

  const outputTopic = { ...sportsbookStatus, name: 'outputs' }
  const output = (key: string) => ({ ...status(key, 1), topic: outputTopic })
  /** It can be encoded, but its name is longer than a key of the storage may be. */
  const unstorable = { ...sportsbookStatus, name: 'n'.repeat(4_000) }

  test('a commit whose record cannot be encoded leaves no outputs and no offsets', async () => {
    const log = await openHere()
    await log.append([status('a', 1)])
    const picky: Topic<SportsbookStatus> = {
      ...outputTopic,
      encodeInto(row, buffer, at) {
        if (row.sportsbook === 'bad') throw new TypeError('not encodable')
        return outputTopic.encodeInto(row, buffer, at)
      },
    }
    await inBatch(log, async (batch) => {
      const appends = [output('b'), { ...status('bad', 1), topic: picky }, output('c')]
      const [failed, other] = await Promise.allSettled([
        batch.commit(appends.map((append) => ({ ...append, topic: picky }))),
        log.append([output('d')]),
      ])
      expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'not encodable' } })
      expect(other.status).toBe('fulfilled')
    })
    expect((await replayed(log, outputTopic)).map(({ key }) => key)).toEqual(['d'])
    expect(await log.lag([sportsbookStatus], 'g')).toBe(1)
  })

  test('a commit that fails after its first entries leaves nothing, and others succeed', async () => {
    const log = await openHere()
    await log.append([status('a', 1)])
    await inBatch(log, async (batch) => {
      const before = log.append([output('before')])
      const failed = batch.commit([output('b'), { ...status('b', 1), topic: unstorable }])
      const after = log.append([output('after')])
      await expect(failed).rejects.toThrow(LogUnavailableError)
      await expect(failed).rejects.toMatchObject({ cause: expect.any(Error) })
      await Promise.all([before, after])
    })
    // The offsets have no gap: even the state of the topic is unchanged.
    expect((await replayed(log, outputTopic)).map(({ key, offset }) => [key, offset])).toEqual([
      ['before', 0],
      ['after', 1],
    ])
    expect(await log.lag([sportsbookStatus], 'g')).toBe(1)
  })

  test('a commit that meets the broken state of one topic leaves nothing on the others', async () => {
    const log = await openHere()
    await log.append([status('a', 1)])
    await inBatch(log, async (batch) => {
      await tamper(({ state }) => state.put(['topic', 'outputs'], { id: 9, end: 5, schemas: null }))
      await expect(batch.commit([status('b', 1), output('c')])).rejects.toThrow(LogUnavailableError)
    })
    expect((await replayed(log)).map(({ key }) => key)).toEqual(['a'])
    expect(await log.lag([sportsbookStatus], 'g')).toBe(1)
    await log.append([status('b', 2)])
    expect((await replayed(log)).map(({ key, offset }) => [key, offset])).toEqual([
      ['a', 0],
      ['b', 1],
    ])
  })

  test('a failed compaction is reported to the next writer, once, and writing continues', async () => {
    const log = await openHere({ tailRecords: 10 })
    await log.append(Array.from({ length: 15 }, (_, index) => status('a', index)))
    await tamper(({ entries }) => entries.put([1, 0], Buffer.alloc(18 + 3, 255)))
    await log.append(Array.from({ length: 15 }, (_, index) => status('a', index)))
    let writtenBefore = 0
    const next = (async () => {
      for (; ; writtenBefore++) {
        await log.append([output('b')])
        await sleep(1)
      }
    })()
    await expect(next).rejects.toThrow(LogUnavailableError)
    await expect(next).rejects.toMatchObject({
      message: expect.stringContaining('compact sportsbook'),
      cause: expect.any(LogCorruptError),
    })
    await log.append([output('c')])
    const keys = [...Array.from({ length: writtenBefore }, () => 'b'), 'c']
    expect((await replayed(log, outputTopic)).map(({ key }) => key)).toEqual(keys)
  })

  describe('with a schema that changed', () => {
    const topicOf = <Row>(schema: avro.Schema, retention: Retention = 'compacted'): Topic<Row> =>
      createTopic('evolving', schema, retention)
    const before = topicOf<{ name: string }>({
      type: 'record',
      name: 'Row',
      fields: [{ name: 'name', type: 'string' }],
    })
    const after = topicOf<{ count: number; name: string }>({
      type: 'record',
      name: 'Row',
      fields: [
        { name: 'count', type: 'long', default: 7 },
        { name: 'name', type: 'string' },
      ],
    })
    const unlike = topicOf<{ other: number }>({
      type: 'record',
      name: 'Row',
      fields: [{ name: 'other', type: 'long' }],
    })

    test('old rows are read with the default of a new field', async () => {
      const log = await openHere()
      await log.append([{ topic: before, partitionKey: 'a', key: 'a', value: { name: 'old' } }])
      await log.append([
        { topic: after, partitionKey: 'b', key: 'b', value: { name: 'new', count: 1 } },
      ])
      const values = (records: LogRecord[]) =>
        records.map(({ value }) => ({ ...(value as object) }))
      expect(values(await replayed(log, after))).toEqual([
        { name: 'old', count: 7 },
        { name: 'new', count: 1 },
      ])
      expect(values(await replayed(log, before))).toEqual([{ name: 'old' }, { name: 'new' }])
    })

    test('rows that cannot be read in the new schema are an error', async () => {
      const log = await openHere()
      await log.append([{ topic: before, partitionKey: 'a', key: 'a', value: { name: 'old' } }])
      await expect(replayed(log, unlike)).rejects.toThrow(LogCorruptError)
    })

    test('bytes without a value are an error that names the place', async () => {
      const log = await openHere()
      const broken: typeof before = {
        ...before,
        encodeInto: (_row, buffer, at) => at + Buffer.from([200, 1, 1]).copy(buffer, at),
      }
      await log.append([{ topic: broken, partitionKey: 'a', key: 'a', value: { name: 'old' } }])
      const reading = replayed(log, before)
      await expect(reading).rejects.toThrow(LogCorruptError)
      await expect(reading).rejects.toThrow('evolving offset 0 key a')
    })
  })

  test('an invalid record is refused before anything is written', async () => {
    const log = await openHere()
    await expect(
      log.append([status('a', 1), { ...status('b', 1), partitionKey: 1 }]),
    ).rejects.toThrow(RangeError)
    await expect(
      log.append([{ topic: topics.feedRejected, partitionKey: 'a', key: 'a', value: null }]),
    ).rejects.toThrow(TypeError)
    await log.append([{ ...status('', 1), key: '' }, status('é|名', 2)])
    expect((await replayed(log)).map(({ key }) => key)).toEqual(['', 'é|名'])
  })

  test('values larger than an entry are kept whole', async () => {
    const log = await openHere({ tailRecords: 1 })
    const text = 'x'.repeat(3_000_000)
    const value = { sportsbook: text, status: 'up' as const, since: 1 }
    for (let round = 0; round < 4; round++) {
      await log.append([{ ...status('a', 1), value }, status('b', round)])
    }
    const records = await replayed(log)
    expect((records.find(({ key }) => key === 'a')!.value as SportsbookStatus).sportsbook).toBe(
      text,
    )
  })

  test('commits can wait for the disk', async () => {
    const log = await openHere({ flush: 'disk' })
    await log.append([status('a', 1)])
    expect(await replayed(log)).toHaveLength(1)
  })
})
