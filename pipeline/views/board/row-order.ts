/**
 * The order of the rows in a block: `block.rows`, in page order. A new row is `pending` until it is merged, so that
 * many new rows move the rows behind them only once.
 */

import { invariant } from '../../invariant.ts'
import { bisect } from '../../memory/bisect.ts'
import { type Block, compareSelections, type Selection, type Sighted } from './block.ts'
import { type RowRecords, slotAtWord } from './row-records.ts'

/**
 * Called for each merged row, last row first, before the rows after it are moved.
 * @param place its index among the block's rows that have not moved
 * @param stay the number of these rows
 */
export type OnMerge = (row: number, place: number, stay: number) => void

export interface RowOrder {
  /** Sorts the pending rows of the block (at least one) in page order. */
  sortPending(block: Block): void
  /** Merges sorted pending rows into those of the block. */
  merge(block: Block, onMerge: OnMerge | null): void
  /** Removes the row at `position`. */
  remove(block: Block, position: number): void
  /** Returns the position of a merged row. */
  rank(block: Block, row: number): number
}

/** @param compareBooks page order of sportsbooks, by number */
export function createRowOrder(
  { word, setWord }: RowRecords,
  selection: (row: number) => Selection,
  sighted: (row: number) => Sighted,
  compareBooks: (a: number, b: number) => number,
): RowOrder {
  const compareRows = (a: number, b: number) =>
    compareSelections(selection(a), selection(b)) || compareBooks(sighted(a).book, sighted(b).book)

  /** Numbers the rows by the start of their slots or, if there are no slots yet, by rank. */
  function number({ rows, count, extent }: Block, from: number) {
    if (extent) return
    for (let i = from; i < count; i++) setWord(rows[i]!, slotAtWord, i)
  }

  return {
    sortPending({ pending }) {
      if (pending.length > 1) pending.sort(compareRows)
    },

    merge(block, onMerge) {
      const { pending } = block
      const count = block.count + pending.length
      if (count > block.rows.length) {
        const longer = new Int32Array(Math.max(count, 2 * block.rows.length))
        longer.set(block.rows)
        block.rows = longer
      }
      const { rows } = block
      let stay = block.count
      for (let left = pending.length; left > 0; left--) {
        const row = pending[left - 1]!
        const place = bisect(0, stay, (at) => compareRows(rows[at]!, row) < 0)
        onMerge?.(row, place, stay)
        rows.copyWithin(place + left, place, stay)
        rows[place + left - 1] = row
        stay = place
      }
      block.count = count
      pending.length = 0
      number(block, stay)
    },

    remove(block, position) {
      block.rows.copyWithin(position, position + 1, block.count)
      block.count--
      number(block, position)
    },

    rank(block, row) {
      const at = word(row, slotAtWord)
      const found = bisect(0, block.count, (i) => word(block.rows[i]!, slotAtWord) < at)
      invariant(block.rows[found] === row, 'a row stands in its block')
      return found
    },
  }
}
