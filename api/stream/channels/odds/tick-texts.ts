/**
 * The texts of a tick's rows, written once for all queries. Texts of one part are adjacent, so rows that are sent
 * together are copied together.
 */

import { grown } from '../../../../pipeline/memory/grown.ts'
import {
  createPageBuffer,
  type PageBuffer,
  reserve,
} from '../../../../pipeline/text/page-buffer.ts'
import type { BoardView } from '../../../../pipeline/views/board/board-view.ts'
import { absentBit } from '../../../../pipeline/views/board/journal.ts'
import type { OddsTick, TickChange, TickPart } from '../../timeline/odds-tick.ts'

/** Texts in one form, each with a comma before it. */
export interface TickTexts {
  readonly page: PageBuffer
  /** Start and end of a change's text in the page. */
  from(change: TickChange): number
  to(change: TickChange): number
}

export interface TickTextCache extends TickTexts {
  /** Starts a tick and drops the texts of the last one. */
  begin(tick: OddsTick): void
}

/** @param append writes one row */
export function createTickTexts(
  view: BoardView,
  append: (page: PageBuffer, view: BoardView, row: number) => void,
): TickTextCache {
  const page = createPageBuffer()
  let ends = new Int32Array(1_024)
  let starts = new Int32Array(1_024)
  let changes: readonly TickChange[] = []

  function write(part: TickPart) {
    for (let place = part.from; place < part.to; place++) {
      const { row, state } = changes[place]!
      starts[place] = page.length
      if ((state & absentBit) === 0) {
        reserve(page, 1)
        page.bytes[page.length++] = comma
        append(page, view, row)
      }
      ends[place] = page.length
    }
  }

  return {
    page,
    begin(tick) {
      page.length = 0
      changes = tick.changes
      if (changes.length > ends.length) {
        starts = grown(starts, 2 * changes.length)
        ends = grown(ends, 2 * changes.length)
      }
      starts.fill(unwritten, 0, changes.length)
    },
    from({ part, place }) {
      if (starts[place] === unwritten) write(part)
      return starts[place]!
    },
    to: ({ place }) => ends[place]!,
  }
}

const comma = 0x2c
const unwritten = -1
