/**
 * Which markets have changed since an instant, while the board may go on changing. What has changed of one
 * market says nothing of another, so each can be looked at by itself, and again when it has changed meanwhile.
 */

import type { BoardView } from '../board/board-view.ts'
import type { Removal } from '../board/removals.ts'
import type { EventBlock } from '../board/view-event.ts'

export interface TouchedBlocks {
  /** Goes through what had changed before the first step, some rows a step. */
  gather(): Generator<void, void>
  /** Takes up what has changed since the last call. */
  catchUp(): void
  /** Those to be looked at, for the first time or again. */
  readonly waiting: Set<EventBlock>
  /** Rows of the block that have gone since, oldest first. */
  gone(block: EventBlock): readonly Removal[]
}

/** So many rows are gone through in a step. */
const rowsPerStep = 4_096

/** @param since a stamp, exclusive (epoch µs) */
export function touchedBlocks(view: BoardView, since: number): TouchedBlocks {
  const { rows, changes, removals } = view
  const waiting = new Set<EventBlock>()
  const goneOf = new Map<EventBlock, Removal[]>()
  /** What changed up to here has been met, or will be by `gather`. */
  let metTo = view.watermark
  takeRemovals(since)

  function takeRemovals(after: number) {
    for (const removal of removals.after(after)) {
      const { block } = removal
      const gone = goneOf.get(block)
      if (gone) gone.push(removal)
      else goneOf.set(block, [removal])
      waiting.add(block)
    }
  }

  return {
    waiting,
    gone: (block) => goneOf.get(block) ?? [],

    *gather() {
      let met = 0
      for (const row of changes.touchedAfter(since)) {
        waiting.add(rows.block(row))
        if (++met % rowsPerStep === 0) yield
      }
    },

    catchUp() {
      const from = metTo
      metTo = view.watermark
      takeRemovals(from)
      for (const row of changes.touchedAfter(from)) waiting.add(rows.block(row))
    },
  }
}
