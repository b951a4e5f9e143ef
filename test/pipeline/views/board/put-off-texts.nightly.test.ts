import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LogRecord } from '../../../../pipeline/log/log.ts'
import { type BoardView, createBoardView } from '../../../../pipeline/views/board/board-view.ts'
import { topics } from '../../../../schemas/topics.ts'
import {
  announcements,
  anyFilter,
  anyOp,
  baseTime,
  changelog,
  oddsRow,
  position,
} from '../histories.ts'
import { createNaiveBoard, logRecord, readPage, rendered, walk } from '../naive-board.ts'

const price = {
  op: 'odds',
  fixture: 0,
  book: 0,
  answer: 7,
  price: 2.5,
  changed: false,
  isLive: false,
  isActive: true,
  at: 0,
} as const
const page = { limit: 200, offset: 0 }

/** Returns the texts sent to a client of all rows, and of each alone. */
function shown(view: BoardView): string[] {
  const texts: string[] = []
  for (const event of view.events('*')) {
    for (const { rows, count } of event.blocks) {
      for (const row of rows.subarray(0, count)) {
        const tail = Buffer.alloc(view.rows.tailBytes(row))
        expect(view.rows.copyTail(row, tail, 0)).toBe(tail.length)
        texts.push(JSON.stringify(view.rows.parse(row)), tail.toString(), view.rows.goneText(row))
      }
    }
  }
  return texts
}

const rarely = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 7, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value })

const steps = fc.array(
  fc.record({
    ops: fc.array(anyOp(), { minLength: 1, maxLength: 12 }),
    status: rarely(
      fc.record({ book: fc.constantFrom('draftkings', 'fanduel'), isDown: fc.boolean() }),
    ),
    staleAt: rarely(fc.integer({ min: 0, max: 7_200_000 })),
    // Mostly nothing is requested, so that rows without texts change too.
    isDoingDeferred: rarely(fc.constant(true)),
    filter: rarely(anyFilter),
    reset: fc.nat(40).map((n) => n === 0),
  }),
  { maxLength: 25 },
)

describe('deferred texts', () => {
  it('equal those of a board that is read after every change', () => {
    fc.assert(
      fc.property(steps, (history) => {
        const late = createBoardView()
        const read = createBoardView()
        const naive = createNaiveBoard()
        const both = (act: (view: BoardView) => void) => [late, read].map(act)
        both((view) => view.apply(announcements(), position, 0))
        naive.applyAll(announcements())
        for (const { ops, status, staleAt, isDoingDeferred, filter, reset } of history) {
          if (reset) {
            both((view) => view.reset(0))
            naive.clear()
          }
          const records = changelog(ops, naive)
          naive.applyAll(records)
          if (status) {
            const value = { status: status.isDown ? 'down' : 'up', since: baseTime } as const
            records.push(logRecord(topics.sportsbookStatus, status.book, value))
          }
          both((view) => view.apply(records, position, 0))
          if (staleAt !== null) both((view) => view.markStale(baseTime + staleAt))
          if (isDoingDeferred) late.doDeferred?.()
          if (filter) readPage(late, filter, { limit: 5, offset: 2 })
          shown(read)
        }
        expect(shown(late)).toEqual(shown(read))
        expect(walk(late, {}, 7)).toEqual(walk(read, {}, 7))
      }),
      { numRuns: 60 },
    )
  })

  it('are written piece by piece, and the rest on request', () => {
    const view = createBoardView()
    const ops = fc.sample(anyOp(0), { numRuns: 3_000, seed: 1 })
    view.apply(
      [...announcements(), ...changelog(ops, createNaiveBoard()).filter(({ value }) => value)],
      position,
      0,
    )
    expect(view.rows.size).toBeGreaterThan(256)
    expect(view.rows.heldTextBytes).toBe(0)
    let pieces = 1
    while (view.doDeferred?.()) pieces++
    expect(pieces).toBeGreaterThan(1)
    const held = view.rows.heldTextBytes
    expect(held).toBeGreaterThan(0)
    expect(readPage(view, {}, page).count).toBe(200)
    expect(view.doDeferred?.()).toBe(false)
  })

  it('let rows of one market come and go before any request', () => {
    const view = createBoardView()
    const naive = createNaiveBoard()
    const take = (records: readonly LogRecord[]) => {
      view.apply(records, position, 0)
      naive.applyAll(records)
    }
    const priced = (i: number) =>
      logRecord(topics.odds, String(2e14 + i), {
        ...oddsRow({ ...price, price: 1.5 + (i % 40) / 10 }),
        id: 2e14 + i,
        line: i,
      })
    const gone = (i: number) => logRecord(topics.odds, String(2e14 + i), null)
    const lines = Array.from({ length: 200 }, (_, i) => (i * 79) % 200)
    take([...announcements(), ...lines.map(priced)])
    for (let round = 0; round < 3; round++) {
      const some = lines.filter((i) => i % 3 !== round)
      take(some.map(gone))
      take(some.map(priced))
      take(lines.filter((i) => i % 7 === round).map(gone))
      // Rows after those that moved up.
      const last = [200, 201, 202].map((i) => 10 * round + i)
      take(last.map(priced))
      take([gone(last[1]!)])
    }
    expect(view.rows.heldTextBytes).toBe(0)
    expect(walk(view, {}, 200)).toEqual(naive.rows().map(rendered))
  })
})
