/**
 * Caches the JSON text of selections and their prices by a hash of everything that decides it. On a moving
 * board most selections are unchanged, and copying their text takes a tenth of the time of writing it. Times
 * of sightings change far more often than the rest, so they are filled in anew.
 */

import { type ContentHash, createContentHash } from '../../pipeline/memory/content-hash.ts'
import { stampLength, writeTime } from '../../pipeline/text/iso-time.ts'
import { type PageBuffer, reserve } from '../../pipeline/text/page-buffer.ts'
import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import type { ViewEvent } from '../../pipeline/views/board/view-event.ts'
import type { EventRow } from '../../schemas/event.ts'

type Rows = BoardView['rows']

/** Positions of sighting times in the text being written, and the row of each; `newest` for the newest of all rows. */
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
  /** Index, for each place, of its row among the text's rows; -1 for `newest`. */
  readonly order: Int32Array
}

export interface KeptTexts {
  /** Returns the key of a text about these rows. @param content gets the key and the rows' sighting times added */
  keyOf(offers: readonly number[], content: ContentHash): number
  /** Appends the cached text. @returns false if there is none */
  append(page: PageBuffer, key: number, event: ViewEvent, offers: readonly number[]): boolean
  /** Collects the times of the next text; empty before it is written. */
  readonly noted: TimesNoted
  /** Caches the page's text from `start` on. */
  keep(
    page: PageBuffer,
    start: number,
    key: number,
    event: ViewEvent,
    offers: readonly number[],
  ): void
}

/** Most bytes of cached texts for one board and route. Beyond that the cache is cleared. */
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

/** Returns the newest sighting of the rows. */
export function newestOf(rows: Rows, offers: readonly number[]): number {
  let seenAt = 0
  for (let i = 0; i < offers.length; i++) {
    const { lastSeenAt } = rows.sighted(offers[i]!)
    if (lastSeenAt > seenAt) seenAt = lastSeenAt
  }
  return seenAt
}

/** Writes a sighting time into a text that will be cached. @param row or `newest` */
export function appendSeen(page: PageBuffer, at: number, row: number, noted: TimesNoted) {
  noted.places.push(page.length)
  noted.rows.push(row)
  reserve(page, stampLength)
  writeTime(at, page.bytes, page.length)
  page.length += stampLength
}
