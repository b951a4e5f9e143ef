/**
 * What answers say of a selection and its prices, kept by a hash of all that decides it. Of a board that moves, most
 * selections are as they were, and the text of one is copied in a tenth of the time it takes to write. The times at
 * which prices were last seen move far more often than anything else: they are filled in anew.
 */

import { type ContentHash, createContentHash } from '../../pipeline/memory/content-hash.ts'
import { stampLength, writeTime } from '../../pipeline/text/iso-time.ts'
import { type PageBuffer, reserve } from '../../pipeline/text/page-buffer.ts'
import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import type { ViewEvent } from '../../pipeline/views/board/view-event.ts'
import type { EventRow } from '../../schemas/event.ts'

type Rows = BoardView['rows']

/** Where a text that is being written says when prices were last seen, and the row of each; `newest` for all of them. */
export interface TimesNoted {
  readonly places: number[]
  readonly rows: number[]
}

export const newest = -1

interface KeptText {
  readonly event: EventRow
  readonly firstId: number
  readonly count: number
  readonly bytes: Uint8Array
  readonly places: Int32Array
  /** Of each place the row's place among those the text is of, or `newest`. */
  readonly order: Int32Array
}

export interface KeptTexts {
  /** The key of a text about these rows. @param content takes the key, and when the rows were seen */
  keyOf(offers: readonly number[], content: ContentHash): number
  /** Appends the text that is kept by the key. @returns false where there is none */
  append(page: PageBuffer, key: number, event: ViewEvent, offers: readonly number[]): boolean
  /** Empty; takes the times of the text that is written next. */
  readonly noted: TimesNoted
  /** Keeps what stands on the page from here on. */
  keep(
    page: PageBuffer,
    start: number,
    key: number,
    event: ViewEvent,
    offers: readonly number[],
  ): void
}

/** Bytes of texts that are kept of one board by one route; then it is begun anew. */
const mostBytes = 16 * 1024 * 1024

export function createKeptTexts(): (board: BoardView) => KeptTexts {
  const ofBoards = new WeakMap<Rows, KeptTexts>()
  return ({ rows }) => {
    let texts = ofBoards.get(rows)
    if (!texts) {
      texts = createTexts(rows)
      ofBoards.set(rows, texts)
    }
    return texts
  }
}

function createTexts(rows: Rows): KeptTexts {
  const kept = new Map<number, KeptText>()
  let keptBytes = 0
  const own = createContentHash()
  const noted: TimesNoted = { places: [], rows: [] }

  return {
    noted,
    keyOf(offers, content) {
      own.begin()
      for (let i = 0; i < offers.length; i++) {
        const row = offers[i]!
        rows.addStanding(row, own)
        content.add(rows.sighted(row).lastSeenAt)
      }
      const key = own.number()
      content.addNumber(key)
      return key
    },
    append(page, key, event, offers) {
      const text = kept.get(key)
      if (text === undefined || text.event !== event.row || text.count !== offers.length)
        return false
      if (text.firstId !== rows.id(offers[0]!)) return false
      const { bytes, places, order } = text
      reserve(page, bytes.length)
      const start = page.length
      page.bytes.set(bytes, start)
      for (let i = 0; i < places.length; i++) {
        const place = order[i]!
        const at =
          place === newest ? newestOf(rows, offers) : rows.sighted(offers[place]!).lastSeenAt
        writeTime(at, page.bytes, start + places[i]!)
      }
      page.length += bytes.length
      return true
    },
    keep(page, start, key, event, offers) {
      const bytes = Buffer.from(page.bytes.subarray(start, page.length))
      keptBytes += bytes.length
      if (keptBytes > mostBytes) {
        kept.clear()
        keptBytes = bytes.length
      }
      kept.set(key, {
        event: event.row,
        firstId: rows.id(offers[0]!),
        count: offers.length,
        bytes,
        places: Int32Array.from(noted.places, (place) => place - start),
        order: Int32Array.from(noted.rows, (row) => offers.indexOf(row)),
      })
      noted.places.length = 0
      noted.rows.length = 0
    },
  }
}

/** When the newest of the rows was seen. */
export function newestOf(rows: Rows, offers: readonly number[]): number {
  let seenAt = 0
  for (let i = 0; i < offers.length; i++) {
    const { lastSeenAt } = rows.sighted(offers[i]!)
    if (lastSeenAt > seenAt) seenAt = lastSeenAt
  }
  return seenAt
}

/** Writes a time that a text that is to be kept says. @param row or `newest` */
export function appendSeen(page: PageBuffer, at: number, row: number, noted: TimesNoted) {
  noted.places.push(page.length)
  noted.rows.push(row)
  reserve(page, stampLength)
  writeTime(at, page.bytes, page.length)
  page.length += stampLength
}
