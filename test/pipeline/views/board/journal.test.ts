import { describe, expect, it } from 'vitest'
import {
  absentBit,
  changeKind,
  createJournal,
  type RowChange,
} from '../../../../pipeline/views/board/journal.ts'
import type { EventBlock } from '../../../../pipeline/views/board/view-event.ts'
import type { EventRow } from '../../../../schemas/event.ts'

const block = { marketType: 'moneyline' } as EventBlock
const event = { id: 'game' } as EventRow

const change = (stamp: number, row: number, of: Partial<RowChange> = {}): RowChange => ({
  stamp,
  row,
  id: 1_000 + row,
  book: 0,
  block,
  kind: changeKind.moved,
  event,
  price: 2 + stamp / 1_000,
  state: 3,
  eventBefore: event,
  priceBefore: 2,
  stateBefore: 1,
  ...of,
})

const read = (journal: ReturnType<typeof createJournal>, since: number, until?: number) => {
  const found: RowChange[] = []
  journal.forEach(since, (of) => found.push({ ...of }), until)
  return found
}

describe('a journal', () => {
  it('has each change as added, after a stamp and up to another', () => {
    const journal = createJournal()
    const all = Array.from({ length: 5_000 }, (_, i) =>
      change(10 + 2 * i, i % 7, { price: 2 + i / 1_000, state: i % 16, book: i % 3 }),
    )
    for (const one of all) journal.add(one)
    expect(read(journal, 0)).toEqual(all)
    expect(read(journal, 10 + 2 * 4_000)).toEqual(all.slice(4_001))
    expect(read(journal, 9 + 2 * 4_000, 11 + 2 * 4_001)).toEqual(all.slice(4_000, 4_002))
    expect(journal.countAfter(10 + 2 * 4_000)).toBe(999)
    expect(journal.reach).toBe(0)
  })

  it('forgets the oldest, and reports it', () => {
    const journal = createJournal(2_048)
    for (let i = 0; i < 3_000; i++) journal.add(change(i + 1, i % 5))
    expect(journal.reach).toBe(3_000 - 2_048)
    const [first] = read(journal, journal.reach)
    expect(first!.stamp).toBe(journal.reach + 1)
    expect(read(journal, journal.reach)).toHaveLength(2_048)
    journal.clear(9_000)
    expect(journal.reach).toBe(9_000)
    expect(read(journal, 0)).toEqual([])
  })

  it('knows the last change of a row’s shown content', () => {
    const journal = createJournal()
    journal.add(change(5, 2_000, { kind: changeKind.whole }))
    expect(journal.stamp(2_000)).toBe(5)
    journal.add(change(6, 2_000, { kind: changeKind.standing }))
    expect(journal.stamp(2_000)).toBe(5)
    journal.add(change(7, 2_000))
    expect(journal.stamp(2_000)).toBe(7)
    journal.add(change(8, 2_000, { kind: changeKind.whole, state: absentBit }))
    expect(journal.stamp(2_000)).toBe(0)
  })
})
