/** The matching rows of one event, in page order, copied as stored bytes. */

import { type PageBuffer, reserve } from '../../text/page-buffer.ts'
import type { EventBlock, ViewEvent } from '../board/view-event.ts'
import type { CompiledFilter } from './compiled-filter.ts'

/** A summary of the copied rows. */
export interface EventRows {
  readonly count: number
  /** The newest sighting among them (epoch ms); 0 for none. */
  readonly lastSeenAt: number
}

/**
 * Appends the rows, without the comma before the first.
 * @param event an event of the filter; for any other, no row is copied
 */
export function writeEventRows(
  compiled: CompiledFilter,
  event: ViewEvent,
  into: PageBuffer,
): EventRows {
  const { rows } = compiled.view
  const start = into.length
  let count = 0
  let lastSeenAt = 0

  if (!compiled.matchesEvent(event)) return { count, lastSeenAt }
  if (compiled.isOpen) {
    for (const block of event.blocks) copy(block, 0, block.count)
    for (const offer of event.offers.values()) {
      if (offer.rowCount > 0 && offer.lastSeenAt > lastSeenAt) lastSeenAt = offer.lastSeenAt
    }
  } else {
    for (const block of event.blocks) {
      if (!compiled.enter(block)) continue
      let from = 0
      for (let i = 0; i < block.count; i++) {
        const row = block.rows[i]!
        if (compiled.names(row)) {
          const seenAt = rows.sighted(row).lastSeenAt
          if (seenAt > lastSeenAt) lastSeenAt = seenAt
          continue
        }
        copy(block, from, i)
        from = i + 1
      }
      copy(block, from, block.count)
    }
  }
  // Every text begins with the comma after its predecessor; the first has none.
  if (count > 0) into.bytes[start] = blank
  return { count, lastSeenAt }

  function copy(block: EventBlock, from: number, to: number) {
    if (from === to) return
    count += to - from
    reserve(into, rows.textBytes(block, from, to))
    into.length = rows.copyText(block, from, to, into.bytes, into.length)
  }
}

const blank = 0x20
