import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Archive, ArchiveError, openArchive } from '../../../pipeline/archive/archive.ts'
import { archivedTopics, archiveGroup, runArchiver } from '../../../pipeline/archive/archiver.ts'
import { type Engine, startEngine } from '../../../pipeline/archive/engine/supervisor.ts'
import { migrate } from '../../../pipeline/archive/migrations.ts'
import { beginAnew, copyLog } from '../../../pipeline/log/embedded/backup.ts'
import { openEmbeddedLog } from '../../../pipeline/log/embedded/embedded-log.ts'
import type { Append, Log, LogRecord } from '../../../pipeline/log/log.ts'
import type { EventRow } from '../../../schemas/event.ts'
import { type PriceChange, priceChange } from '../../../schemas/price-change.ts'
import { topics } from '../../../schemas/topics.ts'

const limits = { seconds: 20, resultRows: 100_000, readRows: 1e8, memoryBytes: 1e9 }
const day = 86_400_000
const start = Date.parse('2027-01-30T12:00:00.000Z')

/** Returns a change. Every second one is of the next month, and every tenth is a listing. */
function changeAt(i: number): Append<PriceChange> {
  const isListed = i % 10 === 0
  const of = {
    sportsbook: 'pinnacle',
    marketType: 'moneyline',
    selection: "Queen's Park",
    selectionType: 'home',
    line: null,
    playerName: null,
    statCategory: null,
  }
  const value = {
    oddsId: 310_778_204_665_018 + i,
    eventId: `epl_${i % 7}`,
    league: 'epl',
    at: start + (i % 2) * 5 * day + i,
    what: isListed ? priceChange.listed : priceChange.price,
    price: 1.5 + i / 7,
    isLive: false,
    isActive: true,
    of: isListed ? of : null,
  }
  return { topic: topics.priceChanges, partitionKey: 'epl', key: String(value.oddsId), value }
}
const changes = (count: number) => Array.from({ length: count }, (_, i) => changeAt(i))

type ArchiverLog = Parameters<typeof runArchiver>[0]

describe('the archiver', () => {
  const directory = mkdtempSync(join(tmpdir(), 'overround-archiver-'))
  let engine: Engine
  let archive: Archive

  beforeAll(async () => {
    const at = { directory: join(directory, 'archive'), database: 'overround' }
    engine = startEngine(at, pino({ level: 'silent' }))
    await engine.whenDecided()
    archive = openArchive({ url: 'http://embedded', socket: engine.socket }, 'overround')
    await migrate(archive, { database: 'overround', cluster: null, keptDays: 10_000 })
  })
  afterAll(async () => {
    await archive.close()
    await engine.close()
    rmSync(directory, { recursive: true, force: true })
  })

  let logs = 0
  const openLog = () => openEmbeddedLog({ path: join(directory, `log-${logs++}`) })

  /** Returns the archived offsets of a log, in order. */
  async function archived({ epoch }: Pick<Log, 'epoch'>): Promise<number[]> {
    const rows = await archive.query<{ o: string }>(
      'SELECT toString(log_offset) AS o FROM price_changes WHERE log_epoch = {epoch:String} ORDER BY log_offset',
      { epoch },
      limits,
    )
    return rows.map(({ o }) => Number(o))
  }
  const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)

  /** Runs until the archive has this many rows of the log. */
  async function runUntil(
    log: Log,
    count: number,
    into: Pick<Archive, 'insert' | 'query'> = archive,
  ) {
    const stop = new AbortController()
    const running = runArchiver(log, into, { signal: stop.signal, blockRows: 16, fillMs: 1 })
    await expect.poll(async () => (await archived(log)).length).toBeGreaterThanOrEqual(count)
    stop.abort()
    await running
  }

  it('stores each record once, whatever its month', async () => {
    const log = await openLog()
    await log.append(changes(100))
    await runUntil(log, 100)
    expect(await archived(log)).toEqual(upTo(100))
    await log.close()
  })

  it('notes each log once, in order of arrival', async () => {
    const [first, second] = [await openLog(), await openLog()]
    for (const log of [second, first, second]) {
      await log.append(changes(2))
      await runUntil(log, 2)
    }
    const noted = await archive.query<{ log_epoch: string }>(
      'SELECT log_epoch FROM logs WHERE log_epoch IN {epochs:Array(String)} ORDER BY began_at',
      { epochs: [first.epoch, second.epoch] },
      limits,
    )
    expect(noted.map(({ log_epoch }) => log_epoch)).toEqual([second.epoch, first.epoch])
    await first.close()
    await second.close()
  })

  it('stores all of a restored log whose former one continued beside it', async () => {
    const former = await openLog()
    await former.append(changes(10))
    const copy = join(directory, 'copy')
    await copyLog(join(directory, `log-${logs - 1}`), copy)
    await former.append(changes(40).slice(10))
    await runUntil(former, 40)
    await former.close()
    await beginAnew(copy, [archiveGroup])
    const restored = await openEmbeddedLog({ path: copy })
    await restored.append(changes(75).slice(50))
    await runUntil(restored, 25)
    // The archive has the copy's records under the name of the former log.
    expect(await archived(restored)).toEqual(upTo(35).slice(10))
    expect(await archived(former)).toEqual(upTo(40))
    await restored.close()
  })

  it('stores the attributes of a price, and each change unchanged', async () => {
    const log = await openLog()
    await log.append(changes(20))
    await runUntil(log, 20)
    const rows = await archive.query(
      `SELECT toString(odds_id) AS id, event_id, toString(at) AS at, price, what FROM price_changes
      WHERE log_epoch = {epoch:String} AND log_offset IN (0, 3) ORDER BY log_offset`,
      { epoch: log.epoch },
      limits,
    )
    expect(rows).toEqual([
      {
        id: '310778204665018',
        event_id: 'epl_0',
        at: '2027-01-30 12:00:00.000',
        price: 1.5,
        what: priceChange.listed,
      },
      {
        id: '310778204665021',
        event_id: 'epl_3',
        at: '2027-02-04 12:00:00.003',
        price: 1.5 + 3 / 7,
        what: priceChange.price,
      },
    ])
    const [price] = await archive.query(
      `SELECT event_id, league, sportsbook, market_type, selection, line FROM prices FINAL
      WHERE odds_id = {id:UInt64}`,
      { id: '310778204665018' },
      limits,
    )
    expect(price).toEqual({
      event_id: 'epl_0',
      league: 'epl',
      sportsbook: 'pinnacle',
      market_type: 'moneyline',
      selection: "Queen's Park",
      line: null,
    })
    await log.close()
  })

  it.each([
    ['before a block', 'before'],
    ['after a block, before the log knows', 'after'],
  ] as const)('stores each record once when it ends %s', async (_when, when) => {
    const log = await openLog()
    let count = 0
    for (let crashAt = 1; crashAt < 8; crashAt++) {
      // Each run must find at least as many blocks as it writes before its end.
      await log.append(changes(100))
      count += 100
      let inserts = 0
      const crashing: Pick<Archive, 'insert' | 'query'> = {
        query: archive.query,
        async insert(...block) {
          inserts++
          if (inserts === crashAt && when === 'before') throw new Error('the process ends')
          await archive.insert(...block)
          if (inserts === crashAt) throw new Error('the process ends')
        },
      }
      const { signal } = new AbortController()
      const running = runArchiver(log, crashing, { signal, blockRows: 16, fillMs: 1 })
      await expect(running).rejects.toThrow('the process ends')
    }
    await runUntil(log, count)
    expect(await archived(log)).toEqual(upTo(count))
    await log.close()
  })

  it('retries a block that was stored without an acknowledgement', async () => {
    const log = await openLog()
    await log.append(changes(100))
    const unanswered = new Set<string>()
    await runUntil(log, 100, {
      query: archive.query,
      async insert(table, name, rows) {
        await archive.insert(table, name, rows)
        const block = `${table} ${name.replace(/ \d+$/, '')}`
        if (unanswered.has(block)) return
        unanswered.add(block)
        throw new ArchiveError('unavailable', 'no answer', null)
      },
    })
    expect(unanswered.size).toBeGreaterThan(14)
    expect(await archived(log)).toEqual(upTo(100))
    await log.close()
  })

  it('notices that an engine remembers the name of a block it has lost', async () => {
    const log = await openLog()
    await log.append(changes(100))
    // Simulates an engine that is killed between storing the name and storing the rows.
    const remembered = new Set<string>()
    let lost = 0
    await runUntil(log, 100, {
      query: archive.query,
      async insert(table, name, rows) {
        const block = `${table} ${name}`
        if (remembered.has(block)) return
        remembered.add(block)
        if (!name.endsWith(' 0')) return archive.insert(table, name, rows)
        lost++
        throw new ArchiveError('unavailable', 'killed', null)
      },
    })
    expect(lost).toBeGreaterThan(14)
    expect(await archived(log)).toEqual(upTo(100))
    await log.close()
  })

  it('waits, longer each time, for rows that the archive has taken and does not show', async () => {
    const log = await openLog()
    await log.append(changes(1))
    const names: string[] = []
    const waits: ArchiveError[] = []
    const stop = new AbortController()
    const dropping: Pick<Archive, 'insert' | 'query'> = {
      query: archive.query,
      async insert(table, name, rows) {
        if (table !== 'price_changes') return archive.insert(table, name, rows)
        expect(waits).toHaveLength(names.length)
        names.push(name)
      },
    }
    await runArchiver(log, dropping, {
      signal: stop.signal,
      onWaiting(error) {
        waits.push(error)
        if (waits.length === 3) stop.abort()
      },
    })
    expect(new Set(names).size).toBe(3)
    expect(waits.map(({ code }) => code)).toEqual(new Array(3).fill('unavailable'))
    expect(waits[0]!.message).toContain('price_changes does not show the rows')
    await runUntil(log, 1)
    await log.close()
  })

  it('stores events whose changes are of more than a hundred months', async () => {
    const log = await openLog()
    const months = 130
    await log.append(
      Array.from({ length: months }, (_, i): Append<EventRow> => {
        const updatedAt = Date.UTC(2015, i, 2)
        const value: EventRow = {
          ...{ id: `epl_old_${i}`, sport: 'soccer', league: 'epl', leagueMapped: true },
          ...{ homeTeam: 'Arsenal', awayTeam: 'Chelsea', flipped: false },
          ...{ startsAt: updatedAt, status: 'final', isLive: false, updatedAt },
        }
        return { topic: topics.events, partitionKey: 'epl', key: value.id, value }
      }),
    )
    const stop = new AbortController()
    const waits: ArchiveError[] = []
    const running = runArchiver(log, archive, {
      signal: stop.signal,
      onWaiting: (error) => {
        waits.push(error)
        stop.abort()
      },
      onInserted: () => stop.abort(),
    })
    await running
    expect(waits).toEqual([])
    const [counted] = await archive.query<{ n: string }>(
      'SELECT toString(count()) AS n FROM event_changes WHERE log_epoch = {epoch:String}',
      { epoch: log.epoch },
      limits,
    )
    expect(counted!.n).toBe(String(months))
    await log.close()
  })

  /**
   * Creates an owner of a log's only partition: it gets these offsets, `size` at a time, and uncommitted ones
   * again when it rejoins. An owner that has been replaced gets them once.
   */
  function ownerOf(
    epoch: string,
    offsets: readonly number[],
    { size, isReplaced = false }: { size: number; isReplaced?: boolean },
  ): ArchiverLog {
    let committed = 0
    let joined = 0
    async function* batches() {
      while (committed < offsets.length) {
        const some = offsets.slice(committed, committed + size)
        const records = some.map((offset) => {
          return { ...changeAt(offset), partition: 0, offset } as LogRecord
        })
        const commit = async () => {
          committed += some.length
          return true
        }
        yield { records, commit }
      }
    }
    return {
      epoch,
      continues: [],
      places: async () => [],
      async *join(_topics, { signal }) {
        if (joined++ === 0 || !isReplaced)
          yield { partition: 0, ended: signal, batches: batches(), readAgain() {} }
      },
    }
  }
  const archiveOf = (log: ArchiverLog, into: Pick<Archive, 'insert' | 'query'> = archive) =>
    runArchiver(log, into, { signal: new AbortController().signal, blockRows: 1, fillMs: 0 })
  /** Wraps the archive with work before each block of prices. */
  const afterWork = (work: () => Promise<void>): Pick<Archive, 'insert' | 'query'> => ({
    query: archive.query,
    async insert(table, ...block) {
      if (table === 'price_changes') await work()
      await archive.insert(table, ...block)
    },
  })
  const gate = () => {
    let open = () => {}
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    return { open, opened }
  }

  it.each([
    ['before its successor looks', 'looks'],
    ['after its successor has looked', 'looked'],
    ['after the first block of its successor', 'inserted'],
    ['when its successor has done everything', 'done'],
  ] as const)(
    'stores each record once when the last block of a paused owner comes %s',
    async (_when, when) => {
      for (const [old, young] of [
        [5, 16],
        [16, 5],
        [9, 9],
        [40, 16],
      ] as const) {
        const epoch = randomUUID()
        await archiveOf(ownerOf(epoch, upTo(10), { size: 10 }))
        const rest = upTo(60).slice(10)
        const [standing, going] = [gate(), gate()]
        const last = archiveOf(
          ownerOf(epoch, rest.slice(0, old), { size: old, isReplaced: true }),
          afterWork(async () => {
            standing.open()
            await going.opened
          }),
        )
        await standing.opened
        const goOn = async () => {
          going.open()
          await last
        }
        if (when === 'looks') await goOn()
        let inserts = 0
        await archiveOf(
          ownerOf(epoch, rest, { size: young }),
          afterWork(async () => {
            if (inserts++ === { looked: 0, inserted: 1 }[when as string]) await goOn()
          }),
        )
        if (when === 'done') await goOn()
        expect(await archived({ epoch }), `blocks of ${old} and ${young}`).toEqual(upTo(60))
      }
    },
  )

  it.each([
    [25, 20],
    [45, 20],
    [60, 16],
    [20, 20],
  ])(
    'stores each record once when a paused owner asks late, and has %d records to its successor’s %d at a time',
    async (old, young) => {
      const epoch = randomUUID()
      const going = gate()
      const last = archiveOf(
        ownerOf(epoch, upTo(60).slice(0, old), { size: old, isReplaced: true }),
        {
          insert: archive.insert,
          async query<Row>(...asked: Parameters<Archive['query']>) {
            await going.opened
            return await archive.query<Row>(...asked)
          },
        },
      )
      let inserts = 0
      await archiveOf(
        ownerOf(epoch, upTo(60), { size: young }),
        afterWork(async () => {
          // Each batch has a block of each month.
          if (inserts++ !== 2) return
          going.open()
          await last
        }),
      )
      going.open()
      await last
      expect(await archived({ epoch })).toEqual(upTo(60))
    },
  )

  it('stores each record once if a queried replica lacks it yet', async () => {
    const epoch = randomUUID()
    let late = 0
    const replicas: Pick<Archive, 'insert' | 'query'> = {
      insert: archive.insert,
      async query<Row>(...asked: Parameters<Archive['query']>) {
        if (/maxOrNull/.test(asked[0]) && late++ < 2) return [{ offset: null } as Row]
        return await archive.query<Row>(...asked)
      },
    }
    await runArchiver(ownerOf(epoch, upTo(20), { size: 20 }), replicas, {
      signal: new AbortController().signal,
      unseenMs: 60_000,
    })
    expect(late).toBeGreaterThan(2)
    expect(await archived({ epoch })).toEqual(upTo(20))
  })

  it('waits for a lost engine, and continues with the next one', async () => {
    const log = await openLog()
    await log.append(changes(50))
    const waits: string[] = []
    const stop = new AbortController()
    const { state } = engine
    if (state.state === 'running') process.kill(state.pid, 'SIGKILL')
    const running = runArchiver(log, archive, {
      signal: stop.signal,
      blockRows: 16,
      fillMs: 1,
      onWaiting: ({ code }) => waits.push(code),
    })
    await expect.poll(async () => (await archived(log).catch(() => [])).length).toBe(50)
    stop.abort()
    await running
    expect(new Set(waits)).toEqual(new Set(['unavailable']))
    expect(await archived(log)).toEqual(upTo(50))
    await log.close()
  })

  it('waits for a hanging engine, and has each record once when it continues', async () => {
    const log = await openLog()
    await log.append(changes(50))
    await runUntil(log, 50)
    const { state } = engine
    if (state.state !== 'running') throw new Error('no engine')
    const stop = new AbortController()
    const running = runArchiver(log, archive, { signal: stop.signal, blockRows: 16, fillMs: 1 })
    process.kill(state.pid, 'SIGSTOP')
    await log.append(changes(200))
    const waiting = await log.lag(archivedTopics, archiveGroup)
    process.kill(state.pid, 'SIGCONT')
    expect(waiting).toBeGreaterThan(0)
    await expect.poll(() => log.lag(archivedTopics, archiveGroup)).toBe(0)
    stop.abort()
    await running
    expect(await archived(log)).toEqual(upTo(250))
    await log.close()
  })
})
