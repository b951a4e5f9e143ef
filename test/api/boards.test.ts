import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { createBoards, delayedBoard } from '../../api/boards.ts'
import { createLatencyView } from '../../api/metrics/latency-view.ts'
import { createRecentDelays } from '../../api/metrics/recent-delays.ts'
import { createPushTraces } from '../../api/traces.ts'
import { openEmbeddedLog } from '../../pipeline/log/embedded/embedded-log.ts'
import type { Append, Log, LogRecord, Position } from '../../pipeline/log/log.ts'
import { createBoardView } from '../../pipeline/views/board/board-view.ts'
import type { EventRow } from '../../schemas/event.ts'
import type { OddsRow } from '../../schemas/odds.ts'
import type { Sighting } from '../../schemas/sighting.ts'
import { topics } from '../../schemas/topics.ts'
import {
  anyOp,
  baseTime,
  eventRow,
  type Op,
  oddsRow,
  recordOf,
  sightingRow,
} from '../pipeline/views/histories.ts'
import {
  createNaiveBoard,
  logRecord,
  readPage,
  rendered,
  walk,
} from '../pipeline/views/naive-board.ts'

const delayMs = 60_000
const books = new Set(['draftkings', 'fanduel'])
const position: Position = { epoch: 'e', offsets: {} }

const event = (at: number, more: Partial<EventRow> = {}): LogRecord => {
  const row = eventRow({
    op: 'event',
    fixture: 0,
    day: 0,
    flipped: false,
    rename: false,
    isLive: false,
  })
  return logRecord(topics.events, row.id, { ...row, updatedAt: at, ...more })
}
const odds = (at: number, price = 2, more: { book?: number; answer?: number } = {}): LogRecord => {
  const row: OddsRow = {
    ...oddsRow({
      op: 'odds',
      fixture: 0,
      book: 0,
      answer: 0,
      price,
      changed: false,
      isLive: false,
      isActive: true,
      at: 0,
      ...more,
    }),
    observedAt: at,
  }
  return logRecord(topics.odds, String(row.id), row)
}
const sighting = (at: number): LogRecord => {
  const row: Sighting = {
    ...sightingRow({ op: 'sighting', fixture: 0, book: 0, at: 0, externalId: '7' }),
    lastSeenAt: at,
  }
  return logRecord(topics.sightings, `${row.eventId}|${row.sportsbook}`, row)
}
const gone = ({ topic, key }: LogRecord): LogRecord => logRecord(topic, key, null)

/** Creates a delayed board with its delay line, while its log is replayed, until `caughtUp`. */
function createDelayed() {
  const view = createBoardView({ books })
  const line = delayedBoard(view)
  return {
    view,
    line,
    take: (records: readonly LogRecord[], at: number) => line.apply(records, position, at),
    /** Starts a replay with these records. */
    replay(records: readonly LogRecord[], at: number) {
      line.reset(at)
      line.apply(records, position, at)
    },
    rows: () => walk(view, {}, 200),
  }
}

const known = (records: readonly LogRecord[], events: Set<string>) =>
  records.filter(({ topic, key, value }) => {
    if (topic.name === 'events') {
      if (value) events.add(key)
      else events.delete(key)
    }
    return true
  })

describe('the delay line', () => {
  it('shows at any time the whole board of a minute before', () => {
    const step = fc.record({
      waitMs: fc.constantFrom(0, 1, 100, 7_000, 30_000, 59_999, 60_000, 60_001, 200_000),
      ops: fc.array(anyOp(), { maxLength: 8 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { view, line, take } = createDelayed()
        let now = baseTime
        line.caughtUp(now)
        const taken: { at: number; records: readonly LogRecord[] }[] = []
        const events = new Set<string>()
        const expectMinuteAgo = () => {
          const naive = createNaiveBoard(books)
          for (const { at, records } of taken) {
            if (at > now - delayMs) break
            naive.applyAll(records)
          }
          expect(walk(view, {}, 200)).toEqual(naive.rows().map(rendered))
          const listed = new Set(naive.rows().map(({ odds: row }) => row.eventId))
          expect(new Set(view.events('*').map(({ id }) => id))).toEqual(listed)
        }
        for (const { waitMs, ops } of steps) {
          now += waitMs
          line.advance(now)
          expectMinuteAgo()
          const records = known(
            ops
              .filter((op) => op.op !== 'oddsGone' || events.has(`game-${op.fixture}`))
              .map(recordOf),
            events,
          )
          taken.push({ at: now, records })
          take(records, now)
          expectMinuteAgo()
        }
        now += delayMs
        line.advance(now)
        expectMinuteAgo()
      }),
      { numRuns: 20 },
    )
  })

  it('takes thousands of chunks in order', () => {
    const { line, take, rows } = createDelayed()
    line.caughtUp(baseTime)
    take([event(baseTime)], baseTime)
    for (let i = 0; i < 5_000; i++) {
      take([odds(baseTime + i, 2 + i / 1_000)], baseTime + i)
      if (i % 700 === 0) line.advance(baseTime + i)
    }
    line.advance(baseTime + delayMs + 3_000)
    expect(rows()).toMatchObject([{ odds_decimal: 5 }])
    line.advance(baseTime + delayMs + 4_999)
    expect(rows()).toMatchObject([{ odds_decimal: 6.999 }])
  })

  describe('after a start', () => {
    it('shows old rows at once, new ones a minute later, and never anything newer', () => {
      const agedOp = fc.record({ op: anyOp(0), age: fc.integer({ min: 0, max: 200_000 }) })
      fc.assert(
        fc.property(
          // Rows of another log, which this replay replaces.
          fc.array(anyOp(0), { maxLength: 10 }),
          fc.array(agedOp, { maxLength: 60 }),
          fc.array(fc.record({ op: anyOp(0), waitMs: fc.nat(40_000) }), { maxLength: 20 }),
          (elsewhere, before, after) => {
            const { view, line, take, replay } = createDelayed()
            replay(elsewhere.map(recordOf), baseTime - 1_000)
            line.caughtUp(baseTime - 1_000)
            take(elsewhere.map(recordOf), baseTime - 1_000)
            const full = createNaiveBoard(books)
            const started = baseTime
            // Returns a compacted replay: the newest row of every key, by table.
            const byKey = new Map<string, LogRecord>()
            for (const { op, age } of before) {
              if (op.op === 'eventGone' || op.op === 'oddsGone') continue
              const record = aged(op, started - age)
              byKey.set(`${record.topic.name} ${record.key}`, record)
            }
            const all = [...byKey.values()]
            for (const name of ['events', 'sightings', 'odds']) {
              const records = all.filter(({ topic }) => topic.name === name)
              if (name === 'events') replay(records, started)
              else take(records, started)
              full.applyAll(records)
            }
            let now = started
            const expectNothingYounger = () => {
              for (const row of walk(view, {}, 200)) {
                expect(Date.parse(String(row.last_seen_at))).toBeLessThanOrEqual(now - delayMs)
                expect(books.has(String(row.sportsbook))).toBe(true)
              }
            }
            line.caughtUp(now)
            expectNothingYounger()
            const later: { at: number; record: LogRecord }[] = []
            for (const { op, waitMs } of after) {
              now += waitMs
              line.advance(now)
              expectNothingYounger()
              const record = aged(op, now)
              later.push({ at: now, record })
              take([record], now)
              expectNothingYounger()
            }
            now = Math.max(now, started + delayMs)
            line.advance(now)
            expectNothingYounger()
            for (const { at, record } of later) {
              if (at <= now - delayMs) full.applyAll([record])
            }
            const ids = (rows: Record<string, unknown>[]) => rows.map(({ id }) => id).sort()
            // The view's own tests cover rows withdrawn before their event was known.
            if (after.every(({ op }) => op.op !== 'oddsGone')) {
              expect(ids(walk(view, {}, 200))).toEqual(ids(full.rows().map(rendered)))
            }
          },
        ),
        { numRuns: 20 },
      )
    })

    it('does not bring back a new price that was withdrawn before the start', () => {
      const { line, take, replay, rows } = createDelayed()
      const young = odds(baseTime - 30_000)
      replay([event(baseTime - 600_000)], baseTime)
      take([young, gone(young)], baseTime)
      for (const at of [0, 30_000, 60_000, 90_000]) {
        line.advance(baseTime + at)
        expect(rows()).toEqual([])
      }
    })

    it('does not bring back a price that moved and was withdrawn in the minute before', () => {
      const { line, take, replay, rows } = createDelayed()
      const old = odds(baseTime - 600_000)
      replay([event(baseTime - 600_000)], baseTime)
      take([old, odds(baseTime - 30_000, 3), gone(old)], baseTime)
      line.advance(baseTime + 60_000)
      expect(rows()).toEqual([])
    })

    it('does not bring back a new event that was forgotten before the start', () => {
      const { view, line, replay } = createDelayed()
      const young = event(baseTime - 30_000)
      replay([young, gone(young)], baseTime)
      line.advance(baseTime + 60_000)
      expect(view.find(young.key)).toBe(undefined)
    })

    it('ends on the last row of a key, whatever the clocks of its sportsbooks say', () => {
      const { view, line, replay } = createDelayed()
      const [first, last] = [
        event(baseTime - 20_000, { status: 'upcoming' }),
        event(baseTime - 90_000, { status: 'postponed' }),
      ]
      replay([first, last], baseTime)
      line.advance(baseTime + 60_000)
      expect(view.find(first.key)?.row.status).toBe('postponed')
    })

    it('shows an old price and its old sighting, and the new ones later', () => {
      const { line, take, replay, rows } = createDelayed()
      replay([event(baseTime - 600_000)], baseTime)
      take([sighting(baseTime - 70_000), sighting(baseTime - 10_000)], baseTime)
      take([odds(baseTime - 70_000, 2), odds(baseTime - 10_000, 3)], baseTime)
      line.advance(baseTime)
      const old = { odds_decimal: 2, last_seen_at: new Date(baseTime - 70_000).toISOString() }
      expect(rows()).toMatchObject([old])
      line.advance(baseTime + 59_999)
      expect(rows()).toMatchObject([old])
      line.advance(baseTime + 60_000)
      const young = { odds_decimal: 3, last_seen_at: new Date(baseTime - 10_000).toISOString() }
      expect(rows()).toMatchObject([young])
    })

    describe('where only the newest sighting is known', () => {
      const hourAgo = baseTime - 3_600_000
      const shown = (row: Record<string, unknown>) => [row.is_active, row.last_seen_at]
      const iso = (at: number) => new Date(at).toISOString()

      it('shows the price as seen a minute ago, and then as it was', () => {
        for (const tables of [
          ['sightings', 'odds'],
          ['odds', 'sightings'],
        ]) {
          const { view, line, take, replay, rows } = createDelayed()
          replay([event(hourAgo)], baseTime)
          for (const table of tables) {
            take([table === 'odds' ? odds(hourAgo) : sighting(baseTime - 10_000)], baseTime)
          }
          line.caughtUp(baseTime)
          view.markStale(baseTime - delayMs)
          expect(rows().map(shown)).toEqual([[true, iso(baseTime - delayMs)]])
          line.advance(baseTime + delayMs - 1)
          view.markStale(baseTime - 1)
          expect(rows().map(shown)).toEqual([[true, iso(baseTime - delayMs)]])
          line.advance(baseTime + delayMs)
          expect(rows().map(shown)).toEqual([[true, iso(baseTime - 10_000)]])
        }
      })

      it('shows it as seen then where that became a minute ago during the replay', () => {
        const { view, line, take, replay, rows } = createDelayed()
        const ended = baseTime + 55_000
        replay([event(hourAgo), odds(hourAgo), sighting(baseTime - 10_000)], baseTime)
        line.caughtUp(ended)
        view.markStale(ended - delayMs)
        expect(rows().map(shown)).toEqual([[true, iso(baseTime - 10_000)]])
        take([sighting(ended)], ended)
        line.advance(baseTime + delayMs)
        expect(rows().map(shown)).toEqual([[true, iso(baseTime - 10_000)]])
        line.advance(ended + delayMs)
        expect(rows().map(shown)).toEqual([[true, iso(ended)]])
      })

      it('shows nothing of a sportsbook that came within the minute', () => {
        const { view, line, take, replay, rows } = createDelayed()
        const first = event(hourAgo)
        replay([first, sighting(baseTime - 10_000), odds(baseTime - 10_000)], baseTime)
        line.caughtUp(baseTime)
        expect(rows()).toEqual([])
        expect([...view.find(first.key)!.offers.keys()]).toEqual([])
        const next = odds(baseTime, 2, { book: 1 })
        take([next], baseTime + 1)
        line.advance(baseTime + delayMs)
        expect(rows().map(shown)).toEqual([[true, iso(baseTime - 10_000)]])
      })

      it('keeps an older sighting that is known too', () => {
        const { line, take, replay, rows } = createDelayed()
        replay([event(hourAgo), odds(hourAgo)], baseTime)
        take([sighting(baseTime - 70_000), sighting(baseTime - 10_000)], baseTime)
        line.caughtUp(baseTime)
        expect(rows().map(shown)).toEqual([[true, iso(baseTime - 70_000)]])
      })
    })

    it('starts again when the replay does', () => {
      const { line, replay, rows } = createDelayed()
      replay([event(0), odds(baseTime - 30_000)], baseTime)
      replay([event(0), odds(0, 2, { answer: 1 })], baseTime)
      line.advance(baseTime + 60_000)
      expect(rows()).toMatchObject([{ selection_type: 'away' }])
    })
  })
})

/** Returns the record of an operation with all its times set to `at`. */
function aged(op: Op, at: number): LogRecord {
  const record = recordOf(op)
  if (!record.value) return record
  const instants =
    record.topic.name === 'events'
      ? { updatedAt: at }
      : record.topic.name === 'sightings'
        ? { lastSeenAt: at }
        : { observedAt: at, changedAt: null }
  return { ...record, value: { ...record.value, ...instants } }
}

describe('the two boards over a log', () => {
  async function withLog(use: (log: Log, reopen: () => Promise<Log>) => Promise<void>) {
    const path = await mkdtemp(join(tmpdir(), 'overround-boards-'))
    let log = await openEmbeddedLog({ path })
    try {
      await use(log, async () => {
        await log.close()
        log = await openEmbeddedLog({ path })
        return log
      })
    } finally {
      await log.close()
      await rm(path, { recursive: true })
    }
  }
  const append = ({ topic, key, value }: LogRecord): Append => ({
    topic,
    partitionKey: 'england_-_premier_league',
    key,
    value,
  })

  async function following(log: Log, clock: () => number, use: (b: Boards) => Promise<void>) {
    const boards = createBoards(log, clock)
    const stop = new AbortController()
    const followed = boards.follow(stop.signal)
    try {
      await boards.ready
      await use(boards)
    } finally {
      stop.abort()
      await followed
    }
  }
  type Boards = ReturnType<typeof createBoards>
  const pricesOf = (view: Boards['live']) =>
    readPage(view, {}, { limit: 200, offset: 0 }).rows.map((row) => row.odds_decimal)

  it('read events before their prices, watched or not', async () => {
    await withLog(async (log) => {
      const followed: string[][] = []
      const noted: Log = {
        ...log,
        follow(tables, options) {
          followed.push(tables.map(({ name }) => name))
          return log.follow(tables, options)
        },
      }
      const latency = createLatencyView(new Registry(), createRecentDelays(), Date.now)
      const { view: behind } = createPushTraces(pino({ level: 'silent' }))
      const watchers = [{}, { before: latency, behind }]
      for (const watcher of watchers) {
        const boards = createBoards(noted, Date.now, undefined, undefined, watcher)
        const stop = new AbortController()
        const followed = boards.follow(stop.signal)
        await boards.ready
        stop.abort()
        await followed
      }
      expect(followed[1]).toEqual([...followed[0]!, topics.traces.name])
      // Prices that come before their events would wait in memory.
      expect(followed[0]).toEqual(expect.arrayContaining([topics.events.name, topics.odds.name]))
      expect(followed[0]!.indexOf(topics.events.name)).toBeLessThan(
        followed[0]!.indexOf(topics.odds.name),
      )
    })
  })

  it('are ready at once over an empty log', async () => {
    await withLog((log) =>
      following(log, Date.now, async (boards) => {
        expect(boards.isReady()).toBe(true)
        expect([boards.live.eventCount, boards.delayed.eventCount]).toEqual([0, 0])
      }),
    )
  })

  it('are a minute apart, and the delayed one has its sportsbooks only', async () => {
    await withLog((log) => {
      let now = baseTime
      return following(
        log,
        () => now,
        async ({ live, delayed }) => {
          const pinnacle = odds(now, 4, { book: 2 })
          await log.append([event(now), odds(now), pinnacle].map(append))
          await expect.poll(() => pricesOf(live)).toEqual([2, 4])
          now += delayMs - 1
          await log.append([append(odds(now, 3))])
          await expect.poll(() => pricesOf(live)).toEqual([3, 4])
          expect(pricesOf(delayed)).toEqual([])
          now += 1
          await expect.poll(() => pricesOf(delayed)).toEqual([2])
          await log.append([append(gone(odds(now)))])
          await expect.poll(() => pricesOf(live)).toEqual([4])
          now += delayMs - 1
          await expect.poll(() => pricesOf(delayed)).toEqual([3])
          now += 1
          await expect.poll(() => pricesOf(delayed)).toEqual([])
          expect(delayed.sportsbooks).toEqual(['draftkings'])
        },
      )
    })
  })

  it('show after a restart no price that was withdrawn before it', async () => {
    await withLog(async (log, reopen) => {
      const started = baseTime
      const young = odds(started - 30_000)
      await log.append([append(event(started - 600_000)), append(young)])
      await log.append([append(gone(young))])
      let now = started
      await following(
        await reopen(),
        () => now,
        async ({ live, delayed, advance }) => {
          expect(pricesOf(live)).toEqual([])
          now += delayMs
          advance()
          expect(pricesOf(delayed)).toEqual([])
        },
      )
    })
  })
})
