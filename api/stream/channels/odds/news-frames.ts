/** Writes news of prices into frames for all clients of a shared query. */

import { compareTexts } from '../../../../pipeline/text/compare-texts.ts'
import { isoTime } from '../../../../pipeline/text/iso-time.ts'
import { appendText, type PageBuffer, reserve } from '../../../../pipeline/text/page-buffer.ts'
import type { BoardView } from '../../../../pipeline/views/board/board-view.ts'
import type { ViewEvent } from '../../../../pipeline/views/board/view-event.ts'
import { appendNumber, type Frames } from '../../framing/frames.ts'
import type { Framing } from '../../framing/framing.ts'
import { type FrameNumbers, framePart, placeOf } from '../../timeline/frame-numbers.ts'
import type { TickChange } from '../../timeline/odds-tick.ts'
import { appendRemoved, beginOdds, endOdds, isCompact } from './odds-frames.ts'
import type { BookNews, OddsNews } from './odds-news.ts'
import { keepFields, mayMove, type RowFields } from './row-fields.ts'
import type { TickTexts } from './tick-texts.ts'

export interface OddsFrameOptions {
  readonly framing: Framing
  readonly width: number
  /** RFC 3339. */
  readonly now: string
  readonly numbers: FrameNumbers
  /** Fields of each row; undefined for all. */
  readonly fields?: RowFields | undefined
  readonly isReplay?: boolean
  /** Texts of a tick that many queries share. Absent: write each row anew. */
  readonly texts?: RowTexts | undefined
}

/** The texts of a tick's rows: whole, and as moved fields only. */
export interface RowTexts {
  readonly whole: TickTexts
  readonly moved: TickTexts
}

/** Appends frames of news by sportsbook: removed, updated, locked rows. */
export function appendNews(
  frames: Frames,
  view: BoardView,
  news: OddsNews,
  { framing, width, now, numbers, fields, isReplay = false, texts }: OddsFrameOptions,
) {
  // If none of the fields can change while a row stays, only new rows are sent.
  const isNewAlone = fields !== undefined && !mayMove(fields)
  for (const { sportsbook, bookNews } of inOrder(view, news)) {
    const { removed } = bookNews
    const { rows, isWhole, changes } = isNewAlone ? newOf(bookNews) : bookNews
    if (!numbers.wasSent(sportsbook, framePart.removed)) {
      for (let at = 0; at < removed.length; at += mostRows) {
        const next = at + mostRows
        const globalSeq = numbers.next(sportsbook, framePart.removed, next >= removed.length)
        const frame = { name: 'odds:removed', sportsbook, globalSeq, isReplay } as const
        appendRemoved(frames, framing, frame, removed.slice(at, next), width, now)
      }
    }
    if (rows.length === 0) continue
    const wholeToo = isCompact(framing) ? isWhole : undefined
    appendRows('odds:update', sportsbook, rows, wholeToo, changes)
    const locked = lockedOf(view, rows)
    if (locked.length === 0) continue
    const lockedRows = locked.map((i) => rows[i]!)
    const lockedWhole = wholeToo && locked.map((i) => wholeToo[i]!)
    const lockedChanges = locked.map((i) => changes[i]!)
    appendRows('odds:locked', sportsbook, lockedRows, lockedWhole, lockedChanges)
  }

  function appendRows(
    name: 'odds:update' | 'odds:locked',
    sportsbook: string,
    rows: readonly number[],
    isWhole: readonly boolean[] | undefined,
    changes: readonly TickChange[],
  ) {
    const part = name === 'odds:update' ? framePart.updated : framePart.locked
    if (numbers.wasSent(sportsbook, part)) return
    let count = 0
    let start = 0
    let from = 0
    const frame = { name, sportsbook, globalSeq: 0, isReplay }
    for (let i = 0; i < rows.length; ) {
      if (count > 0 && (count === mostRows || frames.page.length - start > mostBytes)) {
        endOdds(frames, framing, frame, { from, count, isPartial: true }, now)
        count = 0
      }
      const isFirst = count === 0
      if (isFirst) {
        start = frames.page.length
        const isLast = rows.length - i <= Math.min(fitsSurely, mostRows)
        frame.globalSeq = numbers.next(sportsbook, part, isLast)
        from = beginOdds(frames, framing, frame, width)
      }
      const taken =
        texts && !fields
          ? appendTexts(i, isFirst, mostRows - count, mostBytes - (frames.page.length - start))
          : appendOne(i, isFirst)
      i += taken
      count += taken
    }
    endOdds(frames, framing, frame, { from, count, isPartial: false }, now)

    function appendOne(i: number, isFirst: boolean): number {
      const { page } = frames
      if (!isFirst) appendText(page, ',')
      const rowFrom = page.length
      if (!isWhole || isWhole[i]) appendWhole(page, view, rows[i]!)
      else appendMoved(page, view, rows[i]!)
      if (fields) keepFields(page, rowFrom, fields)
      return 1
    }

    /** Copies rows whose texts are adjacent, until the frame is full. @returns how many */
    function appendTexts(i: number, isFirst: boolean, most: number, mostLength: number): number {
      const isRowWhole = !isWhole || isWhole[i]!
      const rowTexts = isRowWhole ? texts!.whole : texts!.moved
      const own = rowTexts.from(changes[i]!)
      const from = isFirst ? own + 1 : own
      let to = rowTexts.to(changes[i]!)
      let taken = 1
      for (let next = i + 1; next < rows.length && taken < most; next++) {
        const isNextWhole = !isWhole || isWhole[next]!
        if (isNextWhole !== isRowWhole || to - from > mostLength) break
        const change = changes[next]!
        if (rowTexts.from(change) !== to) break
        to = rowTexts.to(change)
        taken++
      }
      const { page } = frames
      reserve(page, to - from)
      page.length += rowTexts.page.bytes.copy(page.bytes, page.length, from, to)
      return taken
    }
  }
}

/** Returns the indexes of inactive rows. */
function lockedOf(view: BoardView, rows: readonly number[]): readonly number[] {
  let locked: number[] | undefined
  for (let i = 0; i < rows.length; i++) {
    if (view.rows.isActive(rows[i]!)) continue
    locked ??= []
    locked.push(i)
  }
  return locked ?? none
}

const none: readonly number[] = []

/** Limits of one frame. */
const mostRows = 1_000
const mostBytes = 192 * 1024
/** Number of rows that fit into one frame, however long they are. */
const fitsSurely = 100

/** The news of one sportsbook, and its place among the frames of a tick. */
interface Placed {
  readonly sportsbook: string
  readonly bookNews: BookNews
  readonly place: number
}

/** Sorts news by sportsbook, in the order of frame numbers. */
function inOrder(view: BoardView, news: OddsNews): readonly Placed[] {
  const ordered: Placed[] = []
  for (const [book, bookNews] of news) {
    const sportsbook = view.sportsbooks[book] ?? ''
    ordered.push({ sportsbook, bookNews, place: placeOf(sportsbook) })
  }
  return ordered.length > 1 ? ordered.sort(byPlace) : ordered
}

const byPlace = (a: Placed, b: Placed) =>
  a.place - b.place || compareTexts(a.sportsbook, b.sportsbook)

/** Returns the rows that are new to the clients. */
function newOf({ rows, isWhole, changes }: BookNews) {
  const fresh = rows.filter((_, i) => isWhole[i])
  return { rows: fresh, isWhole: fresh.map(() => true), changes }
}

/** Appends new statuses of events. */
export function appendStatuses(
  frames: Frames,
  events: readonly ViewEvent[],
  { framing, width, now }: Pick<OddsFrameOptions, 'framing' | 'width' | 'now'>,
) {
  for (let from = 0; from < events.length; from += mostRows) {
    const items = events.slice(from, from + mostRows).map(({ id, row }) => ({
      id,
      status: row.status,
      is_live: row.isLive,
      start_time: isoTime(row.startsAt),
    }))
    const content = { events: items, count: items.length }
    framing.message(frames, 'event:status', content, width, now)
  }
}

/** Appends a row as `/odds` shows it. */
export function appendWhole(page: PageBuffer, { rows }: BoardView, row: number) {
  const block = rows.block(row)
  const index = rows.rank(row)
  const bytes = rows.textBytes(block, index, index + 1)
  reserve(page, bytes)
  const start = page.length
  page.length = rows.copyText(block, index, index + 1, page.bytes, start)
  // The text begins with a comma, which the caller has already written if needed.
  page.bytes[start] = blank
}

const blank = 0x20

/** Appends the moved fields of a row, with its id and line. A lost attribute is null. */
export function appendMoved(page: PageBuffer, view: BoardView, row: number) {
  const { rows } = view
  appendText(page, '{"id":"')
  appendNumber(page, rows.id(row))
  appendText(page, '","line":')
  appendText(page, String(view.line(row)))
  appendText(page, ',')
  appendText(page, rows.goneText(row))
  reserve(page, rows.tailBytes(row))
  page.length = rows.copyTail(row, page.bytes, page.length)
}
