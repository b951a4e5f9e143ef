import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createIdIndex } from '../../../../pipeline/memory/id-index.ts'
import { createPriceTable } from '../../../../pipeline/processors/prices/price-table.ts'

const lowestId = 1e14
const highestId = 1e15 - 1
/** Plain ids, and some that collide: with equal low bits, or neighbours. */
const id = fc.oneof(
  fc.nat(40).map((n) => lowestId + n * 2 ** 32),
  fc.nat(40).map((n) => lowestId + n),
  fc.nat(40).map((n) => highestId - n * 4096),
)

describe('the id index', () => {
  it('finds what a map finds', () => {
    const step = fc.record({ id, insert: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const index = createIdIndex()
        const map = new Map<number, number>()
        let row = 0
        for (const { id, insert } of steps) {
          expect(index.find(id)).toBe(map.get(id) ?? -1)
          if (insert && !map.has(id)) {
            index.insert(id, row)
            map.set(id, row++)
          } else if (!insert && map.has(id)) {
            index.remove(id)
            map.delete(id)
          }
          expect(index.find(id)).toBe(map.get(id) ?? -1)
        }
        for (const [known, at] of map) expect(index.find(known)).toBe(at)
      }),
      { numRuns: 200 },
    )
  })

  it('grows, and forgets what is removed', () => {
    const index = createIdIndex()
    const ids = Array.from({ length: 100_000 }, (_, i) => lowestId + ((i * 7_919_993_311) % 9e14))
    for (const [row, id] of ids.entries()) index.insert(id, row)
    expect(ids.findIndex((id, row) => index.find(id) !== row)).toBe(-1)
    for (const id of ids.filter((_, i) => i % 2 === 0)) index.remove(id)
    expect(ids.findIndex((id, row) => index.find(id) !== (row % 2 === 0 ? -1 : row))).toBe(-1)
  })
})

describe('the price table', () => {
  it('keeps what a map of lists keeps', () => {
    const step = fc.record({
      id,
      offer: fc.nat(3),
      action: fc.constantFrom('insert' as const, 'set' as const, 'remove' as const),
      price: fc.double({ min: 1.01, max: 1e3, noNaN: true }),
      isLive: fc.boolean(),
      isActive: fc.boolean(),
      changedAt: fc.constantFrom(Number.NaN, 1_795_176_000_000, 0),
      observedAt: fc.integer({ min: 0, max: 2 ** 40 }),
      details: fc.integer(),
      isFiledByDraw: fc.boolean(),
      isStalePregame: fc.boolean(),
      check: fc.integer(),
      market: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
      line: fc.constantFrom(null, 0, -1.5, 220.5, 0.1),
      stamp: fc.integer({ min: 0, max: 2 ** 40 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const table = createPriceTable()
        type Kept = Omit<(typeof steps)[number], 'action'>
        const kept = new Map<number, Kept>()
        const heads = [-1, -1, -1, -1]
        for (const { action, ...given } of steps) {
          const {
            id,
            offer,
            check,
            market,
            line,
            stamp,
            price,
            isLive,
            isActive,
            changedAt,
            observedAt,
            details,
            isFiledByDraw,
            isStalePregame,
          } = given
          const before = kept.get(id)
          const row = table.find(id)
          expect(row >= 0).toBe(before !== undefined)
          if (action === 'insert' && !before) {
            const inserted = table.insert(id, check, heads[offer]!, market, line)
            heads[offer] = inserted
            expect(table.find(id)).toBe(inserted)
            expect(table.stampOf(inserted)).toBe(0)
            table.set(inserted, {
              price,
              isLive,
              isActive,
              changedAt,
              observedAt,
              details,
              isFiledByDraw,
              isStalePregame,
            })
            table.stamp(inserted, stamp)
            kept.set(id, given)
          } else if (action === 'set' && before) {
            table.set(row, {
              price,
              isLive,
              isActive,
              changedAt,
              observedAt,
              details,
              isFiledByDraw,
              isStalePregame,
            })
            kept.set(id, {
              ...given,
              offer: before.offer,
              check: before.check,
              market: before.market,
              line: before.line,
              stamp: before.stamp,
            })
          } else if (action === 'remove' && before) {
            heads[before.offer] = table.remove(row, heads[before.offer]!)
            kept.delete(id)
          }
        }
        expect(table.size).toBe(kept.size)
        for (const offer of [0, 1, 2, 3]) {
          const listed: number[] = []
          for (let row = heads[offer]!; row >= 0; row = table.next(row)) listed.push(table.id(row))
          const expected = [...kept.values()].filter((of) => of.offer === offer).map(({ id }) => id)
          expect(listed.sort()).toEqual(expected.sort())
        }
        for (const of of kept.values()) {
          const row = table.find(of.id)
          const {
            check,
            market,
            line,
            price,
            isLive,
            isActive,
            changedAt,
            observedAt,
            details,
            isFiledByDraw,
            isStalePregame,
            stamp,
          } = of
          expect({
            check: table.check(row),
            market: table.market(row),
            line: table.line(row),
            price: table.price(row),
            isLive: table.isLive(row),
            isActive: table.isActive(row),
            changedAt: table.changedAt(row),
            observedAt: table.observedAt(row),
            details: table.details(row),
            isFiledByDraw: table.isFiledByDraw(row),
            isStalePregame: table.isStalePregame(row),
            stamp: table.stampOf(row),
          }).toEqual({
            check,
            market,
            line,
            price,
            isLive,
            isActive,
            changedAt,
            observedAt,
            details,
            isFiledByDraw,
            isStalePregame,
            stamp,
          })
        }
      }),
      { numRuns: 200 },
    )
  })

  it('keeps its rows when it grows, and reuses the space of removed ones', () => {
    const table = createPriceTable()
    let head = -1
    const insert = (n: number) => {
      head = table.insert(lowestId + n, n, head, n, n)
      table.set(head, {
        price: 1 + n,
        isLive: n % 2 === 0,
        isActive: true,
        changedAt: n,
        observedAt: n,
        details: n,
        isFiledByDraw: false,
        isStalePregame: false,
      })
    }
    for (let n = 1; n <= 5_000; n++) insert(n)
    const highest = head
    for (let n = 1; n <= 5_000; n += 2) head = table.remove(table.find(lowestId + n), head)
    for (let n = 1; n <= 5_000; n += 2) insert(n)
    expect(table.size).toBe(5_000)
    for (let n = 1; n <= 5_000; n++) {
      const row = table.find(lowestId + n)
      expect(row).toBeLessThanOrEqual(highest)
      expect([table.price(row), table.changedAt(row), table.check(row)]).toEqual([1 + n, n, n])
    }
    let listed = 0
    for (let row = head; row >= 0; row = table.next(row)) listed++
    expect(listed).toBe(5_000)
  })
})
