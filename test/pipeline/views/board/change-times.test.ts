import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  absentBit,
  createChangeTimes,
  goneBit,
} from '../../../../pipeline/views/board/change-times.ts'
import { activeBit, liveBit } from '../../../../pipeline/views/board/row-table.ts'

const second = 1_000_000
const start = 1_795_000_000 * second

/** Mostly few rows close together, so that seconds fill, empty and fill again; sometimes many. */
const anyAct = fc.record({
  row: fc.oneof({ weight: 9, arbitrary: fc.nat(12) }, { weight: 1, arbitrary: fc.nat(5_000) }),
  isDrop: fc.nat(3).map((n) => n === 0),
  /** After the stamp before; often up to, onto or just over the next second. */
  step: fc.oneof(
    fc.constant(1),
    fc.integer({ min: 1, max: 400_000 }),
    fc.integer({ min: 1, max: 4 * second }),
    fc.constantFrom('end' as const, 'begin' as const, 'over' as const),
  ),
})

function stampAfter(last: number, step: number | 'end' | 'begin' | 'over'): number {
  if (typeof step === 'number') return last + step
  const next = (Math.floor(last / second) + 1) * second
  if (step === 'end') return Math.max(last + 1, next - 1)
  return step === 'begin' ? next : next + 1
}

describe('change times', () => {
  it('tell the rows changed after any instant, oldest change first', () => {
    fc.assert(
      fc.property(
        fc.array(anyAct, { maxLength: 200 }),
        fc.array(fc.integer({ min: -second, max: 300 * second }), { maxLength: 10 }),
        (acts, anywhere) => {
          const changes = createChangeTimes()
          const model = new Map<number, number>()
          let last = start
          for (const { row, isDrop, step } of acts) {
            last = stampAfter(last, step)
            if (isDrop) {
              changes.drop(row, last, 2, 0)
              model.delete(row)
              continue
            }
            changes.touch(row, last, true, 2, 0)
            model.delete(row)
            model.set(row, last)
          }
          const stamps = [...model.values()]
          const instants = [
            ...stamps.flatMap((stamp) => [stamp - 1, stamp, stamp + 1, stamp - 0.5]),
            ...stamps.map((stamp) => Math.floor(stamp / second) * second),
            ...anywhere.map((offset) => start + offset),
            ...[0, -1, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, last + second],
          ]
          for (const since of instants) {
            const expected = [...model].filter(([, stamp]) => stamp > since).map(([row]) => row)
            expect([...changes.after(since)]).toEqual(expected)
          }
          for (const [row, stamp] of model) expect(changes.stamp(row)).toBe(stamp)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('hold many rows', () => {
    const changes = createChangeTimes(0x40000)
    const count = 100_000
    for (let i = 0; i < count; i++) changes.touch((i * 7_919) % count, start + 50 * i, false, 2, 0)
    for (let row = 0; row < count; row += 2) changes.drop(row, start + 50 * (count + row), 2, 0)
    let met = 0
    let stamp = 0
    let misplaced = 0
    for (const row of changes.after(0)) {
      if (row % 2 !== 1 || changes.stamp(row) <= stamp) misplaced++
      stamp = changes.stamp(row)
      met++
    }
    expect(misplaced).toBe(0)
    expect(met).toBe(count / 2)
    expect([...changes.after(start + 50 * (count - 1) - 1)]).toEqual([
      ((count - 1) * 7_919) % count,
    ])
  })

  it('say what a row was before each, newest first and back to when it came, over more than are kept at the beginning', () => {
    const changes = createChangeTimes(4_096)
    const count = 10_000
    for (let i = 0; i < count; i++) {
      if (i % 3 === 0) changes.drop(i % 7, start + i, i / 8, liveBit)
      else changes.touch(i % 7, start + i, false, i / 8, i % 2 === 0 ? absentBit : activeBit)
    }
    const since = start + count - 4_096
    for (let row = 0; row < 7; row++) {
      const expected: number[][] = []
      const last = count - 1 - ((count - 1 - row) % 7)
      for (let at = last; start + at > since; at -= 7) {
        const state = at % 3 === 0 ? liveBit | goneBit : at % 2 === 0 ? absentBit : activeBit
        expected.push([row, start + at, at / 8, state])
        if (state === absentBit) break
      }
      const met: number[][] = []
      changes.recall(row, since, start + last, (...change) => met.push(change))
      expect(met).toEqual(expected)
    }
    expect(() => changes.recall(0, since - 2, start + count, () => {})).toThrow('kept')
  })

  it('count what is kept, and say when that does not reach', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5), { maxLength: 100 }), fc.nat(110), (rows, at) => {
        const changes = createChangeTimes(16)
        rows.forEach((row, i) => {
          changes.touch(row, start + 2 * i, false, 2, 0)
        })
        const since = start + 2 * at - 1
        const later = rows.slice(at)
        const isKept = later.length < 16 || rows.length <= 16
        expect(changes.countSince(since)).toBe(isKept ? later.length : Number.POSITIVE_INFINITY)
        if (!isKept) return expect(() => [...changes.after(since)]).toThrow('kept')
        const newest = [...new Set([...later].reverse())].reverse()
        expect([...changes.after(since)]).toEqual(newest)
      }),
    )
  })
})
