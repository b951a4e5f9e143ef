import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPageBuffer } from '../../../../pipeline/text/page-buffer.ts'
import type { BoardView } from '../../../../pipeline/views/board/board-view.ts'
import {
  draftDelta,
  mostCounted,
  mostRemoved,
  type OddsDelta,
  oddsDelta,
  writeRows,
} from '../../../../pipeline/views/query/odds-delta.ts'
import type { OddsFilter } from '../../../../pipeline/views/query/odds-filter.ts'
import { topics } from '../../../../schemas/topics.ts'
import { costlyRuns } from '../../../seed.ts'
import {
  announcements,
  anyDeltaFilter,
  anyFilter,
  anyLadderOp,
  anyLineFilter,
  anyOp,
  anyStep,
  baseTime,
  createBoardPair,
  eventId,
  oddsIdOf,
  oddsRow,
  recordOf,
} from '../histories.ts'
import { logRecord, type NaiveBoard, rendered, walk } from '../naive-board.ts'

type Row = Record<string, unknown>

const buffer = createPageBuffer()

function readRows(view: BoardView, ids: readonly number[]): Row[] {
  buffer.length = buffer.bytes.write('[')
  writeRows(view, ids, buffer)
  return JSON.parse(`${buffer.bytes.toString('utf8', 0, buffer.length)}]`) as Row[]
}

/** Returns a row without the fields that every sighting changes. */
const lasting = ({ last_seen_at, timestamp, ...row }: Row) => row

const expectedRows = (naive: NaiveBoard, filter: OddsFilter) =>
  new Map(naive.matching(filter).map((row) => [String(row.odds.id), lasting(rendered(row))]))

/** Creates a client with a snapshot that then knows only the content of deltas. */
function createClient(view: BoardView, filter: OddsFilter) {
  let rows = new Map<string, Row>()
  let since = 0

  function snapshot() {
    since = view.watermark
    rows = new Map(walk(view, filter, 200).map((row) => [String(row.id), lasting(row)]))
  }

  snapshot()
  return {
    rows: () => rows,
    get since() {
      return since
    },
    snapshot,
    /**
     * Polls once and takes at most `limit` rows.
     * @returns the response, and whether there is more
     */
    poll(limit: number): { delta: OddsDelta; hasMore: boolean } {
      const delta = oddsDelta(view, filter, since)
      const page = delta.changed.slice(0, limit)
      const isWhole = page.length === delta.changed.length
      for (const id of delta.removed) rows.delete(String(id))
      const changed = readRows(
        view,
        page.map(({ id }) => id),
      )
      // A changed row exists.
      expect(changed).toHaveLength(page.length)
      for (const row of changed) {
        rows.set(String(row.id), lasting(row))
      }
      since = isWhole ? delta.completeTo : Math.min(delta.completeTo, page.at(-1)!.stamp)
      return { delta, hasMore: !isWhole || since < view.watermark }
    },
  }
}

const tenMinutes = 600_000_000

describe('a client that polls for changes', () => {
  it.each([
    ['all sportsbooks', undefined],
    ['two sportsbooks', new Set(['draftkings', 'fanduel'])],
  ])('always ends with the rows of its filter, from a view of %s', (_name, books) => {
    let resyncs = 0
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            step: anyStep({ resets: true }),
            /** Number of polls after the step, whether or not it gets everything. */
            polls: fc.nat(2),
            readsAll: fc.boolean(),
            limit: fc.integer({ min: 1, max: 12 }),
          }),
          { minLength: 5, maxLength: 30 },
        ),
        anyFilter,
        (history, filter) => {
          const { view, naive, take, step, wait } = createBoardPair(books)
          take(announcements())
          const client = createClient(view, filter)
          let isReset = false
          for (const { step: each, polls, readsAll, limit } of history) {
            step(each)
            isReset ||= each.reset
            let hasMore = polls > 0 || readsAll
            for (let turn = 0; hasMore && (turn < polls || readsAll); turn++) {
              wait(turn % 3)
              const { since } = client
              const answer = client.poll(limit)
              if (since < answer.delta.reach) {
                // Only after a long absence, or since the board was replaced.
                expect(isReset || view.watermark - since >= tenMinutes).toBe(true)
                client.snapshot()
                resyncs++
                isReset = false
                hasMore = false
              } else {
                expect(isReset).toBe(false)
                expect(client.since).toBeGreaterThanOrEqual(since)
                hasMore = answer.hasMore
              }
              if (turn > 1_000) throw new Error('the polling goes round')
            }
            if (!hasMore && (polls > 0 || readsAll)) {
              expect(client.rows()).toEqual(expectedRows(naive, filter))
              // A client that has everything gets nothing twice.
              const { delta } = client.poll(1)
              expect([delta.changed, delta.removed]).toEqual([[], []])
            }
          }
        },
      ),
      { numRuns: costlyRuns(60) },
    )
    expect(resyncs).toBeGreaterThan(0)
  })

  it('never has to restart while it polls within ten minutes and the board lasts', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(anyStep({ resets: false }), fc.integer({ min: 0, max: 590_000 })), {
          maxLength: 40,
        }),
        anyFilter,
        fc.integer({ min: 1, max: 6 }),
        (history, filter, limit) => {
          const { view, naive, take, step, wait } = createBoardPair()
          take(announcements())
          const client = createClient(view, filter)
          for (const [each, gap] of history) {
            step({ ...each, elapsedMs: Math.min(each.elapsedMs, 5_000) })
            wait(gap)
            for (let hasMore = true; hasMore; ) {
              const { since } = client
              const answer = client.poll(limit)
              expect(since).toBeGreaterThanOrEqual(answer.delta.reach)
              hasMore = answer.hasMore
            }
            expect(client.rows()).toEqual(expectedRows(naive, filter))
          }
        },
      ),
      { numRuns: costlyRuns(60) },
    )
  })
})

describe('a client that polls for main lines, or for the others', () => {
  it('has exactly those after each step, whoever moved them', () => {
    let moved = 0
    fc.assert(
      fc.property(
        fc.array(anyStep({ resets: false, op: anyLadderOp }), { minLength: 3, maxLength: 25 }),
        anyLineFilter,
        fc.integer({ min: 1, max: 6 }),
        (history, filter, limit) => {
          const { view, naive, take, step } = createBoardPair()
          take(announcements())
          const client = createClient(view, filter)
          for (const each of history) {
            const recorded = new Set(
              each.ops.flatMap((op) =>
                'price' in op || op.op === 'oddsGone' ? [oddsIdOf(op)] : [],
              ),
            )
            const before = new Set(client.rows().keys())
            step({ ...each, elapsedMs: Math.min(each.elapsedMs, 5_000) })
            while (client.poll(limit).hasMore);
            expect(client.rows()).toEqual(expectedRows(naive, filter))
            for (const id of before) if (!client.rows().has(id) && !recorded.has(id)) moved++
          }
        },
      ),
      { numRuns: 400 },
    )
    expect(moved).toBeGreaterThan(20)
  })
})

describe('a delta within the board’s memory', () => {
  it.each([
    ['any filter', anyOp(), fc.oneof(anyFilter, fc.constant<OddsFilter>({}))],
    ['main lines', anyLadderOp, anyLineFilter],
    [
      'the main lines of one game',
      anyLadderOp.map((op) => ({ ...op, fixture: 0 })).filter(({ op }) => !op.startsWith('event')),
      fc.boolean().map((mainLine): OddsFilter => ({ mainLine })),
    ],
  ])('has what a client needs, and nothing else: %s', (name, op, drawnFilter) => {
    let removedCount = 0
    let movedCount = 0
    fc.assert(
      fc.property(
        fc.array(op, { minLength: 30, maxLength: 60 }),
        drawnFilter,
        fc.nat(25),
        (ops, filter, later) => {
          const { view, naive, take, step } = createBoardPair()
          take(announcements())
          const from = ops.length - later
          for (const each of ops.slice(0, from)) step({ ops: [each], reset: false, elapsedMs: 1 })
          const since = view.watermark
          const before = expectedRows(naive, filter)
          const [inAll, inAny] = [new Set(before.keys()), new Set(before.keys())]
          const recorded = new Set<string>()
          for (const each of ops.slice(from)) {
            step({ ops: [each], reset: false, elapsedMs: 1 })
            const rows = expectedRows(naive, filter)
            for (const id of rows.keys()) inAny.add(id)
            for (const id of inAll) if (!rows.has(id)) inAll.delete(id)
            if (each.op === 'odds' || each.op === 'oddsGone') recorded.add(oddsIdOf(each))
            else if (each.op === 'event') recorded.add(eventId(each.fixture))
          }
          const now = expectedRows(naive, filter)
          const delta = oddsDelta(view, filter, since)
          const removed = new Set(delta.removed.map(String))
          const changed = new Set(delta.changed.map(({ id }) => String(id)))

          // Rows the client already had must equal their current state.
          for (const id of before.keys()) expect(now.has(id)).toBe(!removed.has(id))
          for (const [id, row] of now) {
            if (!changed.has(id)) expect(before.get(id)).toEqual(row)
          }
          // A removed row existed, at first or since.
          const hasEvent = [...recorded].some((id) => id.startsWith('game'))
          // Prices that came before their game appear one after the other with it, and each may enter or
          // leave the filter by the rows already there.
          const isBetween = hasEvent && (filter.isEventNamed || filter.mainLine !== undefined)
          for (const id of removed) {
            expect(now.has(id)).toBe(false)
            if (!isBetween) expect(inAny.has(id)).toBe(true)
          }
          // A sent row appeared since, or there was a record of it.
          for (const id of changed) {
            const row = now.get(id)!
            expect(row).toBeDefined()
            const isRecorded = recorded.has(id) || recorded.has(String(row.event_id))
            if (!isRecorded) expect(inAll.has(id)).toBe(false)
            if (!isRecorded) movedCount++
          }
          removedCount += removed.size
        },
      ),
      { numRuns: costlyRuns(150) },
    )
    expect(removedCount).toBeGreaterThan(0)
    if (name.endsWith('one game')) expect(movedCount).toBeGreaterThan(0)
  })
})

const price = {
  op: 'odds',
  fixture: 0,
  book: 0,
  answer: 0,
  price: 2.5,
  changed: false,
  isLive: false,
  isActive: true,
  at: 0,
} as const

describe('a delta', () => {
  it('has changes after its time, to the microsecond, oldest first', () => {
    fc.assert(
      fc.property(
        fc.array(anyStep({ resets: false }), { minLength: 5, maxLength: 20 }),
        anyDeltaFilter,
        (history, filter) => {
          const { view, take, step } = createBoardPair()
          take(announcements())
          for (const each of history) step({ ...each, elapsedMs: each.elapsedMs % 5_000 })
          const { changed } = oddsDelta(view, filter, 0)
          const stamps = changed.map(({ stamp }) => stamp)
          expect(stamps).toEqual([...new Set(stamps)].sort((a, b) => a - b))
          for (const [i, { stamp }] of changed.entries()) {
            expect(oddsDelta(view, filter, stamp).changed).toEqual(changed.slice(i + 1))
            expect(oddsDelta(view, filter, stamp - 1).changed).toEqual(changed.slice(i))
          }
        },
      ),
      { numRuns: costlyRuns(60) },
    )
  })

  it('is the same when it was begun before the board moved on', () => {
    fc.assert(
      fc.property(
        fc.array(anyStep({ resets: false }), { minLength: 5, maxLength: 20 }),
        anyDeltaFilter,
        (history, filter) => {
          const { view, take, step } = createBoardPair()
          take(announcements())
          const draft = draftDelta(view, filter, 0)
          for (const each of history) {
            step({ ...each, elapsedMs: each.elapsedMs % 5_000 })
            draft.step()
          }
          expect(draft.finish()).toEqual(oddsDelta(view, filter, 0))
        },
      ),
      { numRuns: costlyRuns(60) },
    )
  })

  it('loses nothing that moves while older changes are scanned', () => {
    const { view, take } = createBoardPair()
    take(announcements())
    const rows = ladder(20_000, { price: 2.5 })
    take(given(rows))
    view.reset(baseTime)
    take(announcements())
    take(given(rows))
    const draft = draftDelta(view, {}, 0)
    expect(draft.step()).toBe(false)
    const [first, last] = [rows[0]!, rows.at(-1)!]
    take(given([first, last].map((row) => ({ ...row, price: 3 }))))
    const delta = draft.finish()
    expect(delta.isBeyond).toBe(true)
    expect(delta.changed.map(({ id }) => id)).not.toContain(first.id)
    expect(delta.changed).toHaveLength(mostCounted + 1)
    const later = oddsDelta(view, {}, delta.completeTo).changed.map(({ id }) => id)
    expect(later).toEqual(expect.arrayContaining([rows[mostCounted + 2]!.id]))
    expect(oddsDelta(view, {}, view.journal.stamp(view.rows.find(first.id)) - 1).changed).toEqual([
      expect.objectContaining({ id: first.id }),
      expect.objectContaining({ id: last.id }),
    ])
  })

  it('has nothing of sightings', () => {
    const { view, take } = createBoardPair()
    take([...announcements(), recordOf(price)])
    const since = view.watermark
    take([recordOf({ op: 'sighting', fixture: 0, book: 0, at: 5, externalId: 'x' })])
    expect(oddsDelta(view, {}, since)).toMatchObject({ changed: [], removed: [] })
  })

  it('removes rows that leave a filter, and only those that have been in it', () => {
    const { view, take } = createBoardPair()
    take([
      ...announcements(),
      recordOf({ ...price, isLive: true }),
      recordOf({ ...price, book: 1 }),
    ])
    const since = view.watermark
    take([recordOf(price), recordOf({ op: 'oddsGone', fixture: 0, book: 1, answer: 0 })])
    const [moved, gone] = [oddsRow(price).id, oddsRow({ ...price, book: 1 }).id]
    expect(oddsDelta(view, { live: true }, since)).toMatchObject({ changed: [], removed: [moved] })
    expect(oddsDelta(view, { live: false }, since)).toMatchObject({
      changed: [{ id: moved }],
      removed: [gone],
    })
    expect(oddsDelta(view, { maxAmerican: -110 }, since)).toMatchObject({
      changed: [],
      removed: [],
    })
    expect(oddsDelta(view, { sportsbooks: ['fanduel'] }, since).removed).toEqual([gone])
    expect(oddsDelta(view, { sportsbooks: ['draftkings'] }, since).removed).toEqual([])
    expect(oddsDelta(view, { marketTypes: ['point_spread'] }, since).removed).toEqual([])
    expect(oddsDelta(view, { leagues: ['nba'] }, since).removed).toEqual([])
    expect(oddsDelta(view, { sports: ['basketball'] }, since).removed).toEqual([])
    expect(oddsDelta(view, { eventIds: ['game-1'] }, since).removed).toEqual([])
    const back = view.watermark
    take([recordOf({ ...price, book: 1 })])
    expect(oddsDelta(view, {}, back)).toMatchObject({ changed: [{ id: gone }], removed: [] })
    expect(oddsDelta(view, {}, since).removed).toEqual([])
  })

  it('remembers removals for ten minutes and longer', () => {
    const { view, take, wait } = createBoardPair()
    take([...announcements(), recordOf(price)])
    const since = view.watermark
    take([recordOf({ op: 'oddsGone', fixture: 0, book: 0, answer: 0 })])
    wait(600_001)
    expect(oddsDelta(view, {}, since)).toMatchObject({ removed: [oddsRow(price).id] })
    expect(view.journal.reach).toBeLessThanOrEqual(since)
  })

  it('from before the journal has the removals that the journal has, whenever they came', () => {
    let removed = 0
    fc.assert(
      fc.property(
        fc.array(anyStep({ resets: false, op: anyLadderOp.map((op) => ({ ...op, fixture: 0 })) }), {
          minLength: 3,
          maxLength: 25,
        }),
        fc.constantFrom<OddsFilter>({}, { mainLine: true }, { mainLine: false }),
        fc.nat(12),
        (history, filter, begun) => {
          const { view, take, step } = createBoardPair()
          take(announcements())
          view.reset(baseTime)
          take(announcements())
          const draft = draftDelta(view, filter, 0)
          for (const [i, each] of history.entries()) {
            step({ ...each, elapsedMs: each.elapsedMs % 5_000 })
            if (i >= begun) draft.step()
          }
          const { reach } = view.journal
          expect(reach).toBeGreaterThan(0)
          for (const delta of [draft.finish(), oddsDelta(view, filter, 0)]) {
            const remembered = oddsDelta(view, filter, reach)
            expect([delta.isBeyond, delta.removed]).toEqual([true, remembered.removed])
            expect(delta.removedAt).toEqual(remembered.removedAt)
            const gone = new Set(delta.removed)
            expect(delta.changed.filter(({ id }) => gone.has(id))).toEqual([])
          }
          removed += oddsDelta(view, filter, 0).removed.length
        },
      ),
      { numRuns: costlyRuns(200) },
    )
    expect(removed).toBeGreaterThan(20)
  })

  it('cannot be computed from before a reset', () => {
    const { view, take } = createBoardPair()
    take([...announcements(), recordOf(price)])
    const since = view.watermark
    view.reset(baseTime)
    expect(oddsDelta(view, {}, since).reach).toBeGreaterThan(since)
    expect(oddsDelta(view, {}, view.watermark).reach).toBeLessThanOrEqual(view.watermark)
  })

  /** Returns rows of one book on one game, one per line. */
  const ladder = (count: number, of: { price: number }) =>
    Array.from({ length: count }, (_, i) => ({
      ...oddsRow({ ...price, ...of, fixture: i % 2, book: i % 3, answer: 7 }),
      id: 2e14 + i,
      line: i,
    }))
  const given = (rows: ReturnType<typeof ladder>) =>
    rows.map((row) => logRecord(topics.odds, String(row.id), row))
  const withdrawn = (rows: ReturnType<typeof ladder>) =>
    rows.map(({ id }) => logRecord(topics.odds, String(id), null))

  it('removes many rows in turns, those of a filter and those that have gone', () => {
    const { view, naive, take } = createBoardPair()
    take(announcements())
    const rows = ladder(2 * mostRemoved + 700, { price: 2.5 })
    take(given(rows))
    const filter = { maxAmerican: 200 }
    const clients = [createClient(view, {}), createClient(view, filter)]
    const half = rows.length / 2
    take(withdrawn(rows.slice(0, half)))
    take(given(rows.slice(half).map((row) => ({ ...row, price: 9 }))))
    take(withdrawn(rows.slice(half, half + 100)))
    take(given(rows.slice(0, 30)))
    for (const [i, client] of clients.entries()) {
      let turns = 0
      for (let hasMore = true; hasMore; turns++) {
        const answer = client.poll(500)
        expect(answer.delta.removed.length).toBeLessThanOrEqual(mostRemoved)
        expect(answer.delta.removedTruncated).toBe(answer.delta.removed.length === mostRemoved)
        hasMore = answer.hasMore
        if (turns > 100) throw new Error('the polling goes round')
      }
      expect(client.rows()).toEqual(expectedRows(naive, i === 0 ? {} : filter))
      expect(turns).toBeGreaterThan(1)
    }
  })

  it('removes a row that went into play before the response was cut, and changed after', () => {
    const { view, naive, take } = createBoardPair()
    take(announcements())
    const [first, ...others] = ladder(mostRemoved + 500, { price: 2.5 })
    take(given([first!, ...others]))
    const filter = { live: false }
    const client = createClient(view, filter)
    take(given([{ ...first!, isLive: true }]))
    take(withdrawn(others))
    take(given([{ ...first!, isLive: true, price: 3 }]))
    for (let turns = 0, hasMore = true; hasMore; turns++) {
      hasMore = client.poll(500).hasMore
      if (turns > 100) throw new Error('the polling goes round')
    }
    expect(client.rows()).toEqual(expectedRows(naive, filter))
  })

  it.each([
    ['all it is told', Number.POSITIVE_INFINITY],
    ['pages', 3_000],
  ])('loses none of very many changes to a client that takes %s', (_name, limit) => {
    const { view, take } = createBoardPair()
    take(announcements())
    const client = createClient(view, {})
    const leagueClient = createClient(view, { leagues: ['england_-_premier_league'] })
    const rows = ladder(mostCounted + 900, { price: 2.5 })
    take(given(rows))
    expect(oddsDelta(view, {}, client.since).changed).toHaveLength(mostCounted + 1)
    for (const each of [client, leagueClient]) {
      for (let turns = 0, hasMore = true; hasMore; turns++) {
        hasMore = each.poll(limit).hasMore
        if (turns > 100) throw new Error('the polling goes round')
      }
      expect([...each.rows().keys()]).toEqual(rows.map(({ id }) => String(id)))
    }
  })

  it('writes the rows that are still there', () => {
    const { view, naive, take } = createBoardPair()
    take([...announcements(), recordOf(price), recordOf({ ...price, book: 1, at: 7 })])
    const ids = naive.rows().map(({ odds }) => odds.id)
    buffer.length = buffer.bytes.write('[')
    const page = writeRows(view, [5, ...ids.reverse(), 6], buffer)
    const text = `${buffer.bytes.toString('utf8', 0, buffer.length)}]`
    expect(JSON.parse(text)).toEqual(naive.rows().map(rendered).reverse())
    expect(page).toEqual({ count: 2, books: new Set([0, 1]), updatedAt: baseTime + 7 })
    buffer.length = 0
    expect(writeRows(view, [5], buffer)).toEqual({ count: 0, books: new Set(), updatedAt: 0 })
    expect(buffer.length).toBe(0)
  })
})
