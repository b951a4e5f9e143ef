/** What happened to the rows that are asked for, as frames that all who asked can be sent. */

import { compareTexts } from '../../../../pipeline/text/compare-texts.ts'
import { isoTime } from '../../../../pipeline/text/iso-time.ts'
import { reserve } from '../../../../pipeline/text/page-buffer.ts'
import type { BoardView } from '../../../../pipeline/views/board/board-view.ts'
import type { ViewEvent } from '../../../../pipeline/views/board/view-event.ts'
import { appendBriefly, appendNumber, type Frames } from '../../framing/frames.ts'
import type { Framing, OddsFrame } from '../../framing/framing.ts'
import { type FrameNumbers, framePart, placeOf } from '../../timeline/frame-numbers.ts'
import type { BookNews, OddsNews } from './odds-news.ts'
import { keepFields, mayMove, type RowFields } from './row-fields.ts'

export interface OddsFrameOptions {
  readonly framing: Framing
  readonly width: number
  /** RFC 3339. */
  readonly now: string
  readonly numbers: FrameNumbers
  /** The members rows are told with; undefined for all. */
  readonly fields?: RowFields | undefined
  readonly isReplay?: boolean
}

/** Appends the frames of some news: of each sportsbook what has gone, what came or moved, what is locked. */
export function appendNews(
  frames: Frames,
  view: BoardView,
  news: OddsNews,
  { framing, width, now, numbers, fields, isReplay = false }: OddsFrameOptions,
) {
  // Nothing that is told of a row can have changed while it stays.
  const isNewAlone = fields !== undefined && !mayMove(fields)
  for (const { sportsbook, of } of inOrder(view, news)) {
    const { removed } = of
    const { rows, isWhole } = isNewAlone ? newOf(of) : of
    const from = { sportsbook, isReplay }
    if (!numbers.isTold(sportsbook, framePart.removed)) {
      for (let at = 0; at < removed.length; at += framing.mostRows) {
        const next = at + framing.mostRows
        const ids = removed.slice(at, next)
        const globalSeq = numbers.next(sportsbook, framePart.removed, next >= removed.length)
        framing.removed(frames, { ids, globalSeq, ...from }, width, now)
      }
    }
    if (rows.length === 0) continue
    const wholeToo = framing.isCompact ? isWhole : undefined
    appendRows({ name: 'odds:update', ...from }, rows, wholeToo)
    const locked = rows.flatMap((row, i) => (view.rows.isActive(row) ? [] : [i]))
    if (locked.length === 0) continue
    const lockedRows = locked.map((i) => rows[i]!)
    const lockedWhole = wholeToo && locked.map((i) => wholeToo[i]!)
    appendRows({ name: 'odds:locked', ...from }, lockedRows, lockedWhole)
  }

  function appendRows(
    rowsOf: Omit<OddsFrame, 'globalSeq'>,
    rows: readonly number[],
    isWhole: readonly boolean[] | undefined,
  ) {
    const part = rowsOf.name === 'odds:update' ? framePart.updated : framePart.locked
    if (numbers.isTold(rowsOf.sportsbook, part)) return
    let count = 0
    let start = 0
    let of: OddsFrame = { ...rowsOf, globalSeq: 0 }
    for (let i = 0; i < rows.length; i++) {
      const isFull = count === framing.mostRows || frames.page.length - start > framing.mostBytes
      if (count > 0 && isFull) {
        framing.endOdds(frames, of, count, true, now)
        count = 0
      }
      if (count === 0) {
        start = frames.page.length
        const isLast = rows.length - i <= Math.min(fitsSurely, framing.mostRows)
        of = { ...rowsOf, globalSeq: numbers.next(rowsOf.sportsbook, part, isLast) }
        framing.beginOdds(frames, of, width)
      } else appendBriefly(frames, ',')
      const rowFrom = frames.page.length
      if (!isWhole || isWhole[i]) appendWhole(frames, view, rows[i]!)
      else appendMoved(frames, view, rows[i]!)
      if (fields) keepFields(frames.page, rowFrom, fields)
      count++
    }
    framing.endOdds(frames, of, count, false, now)
  }
}

/** So few rows take no more than one frame, however long they are. */
const fitsSurely = 100

/** Sportsbook by sportsbook, in the order of the numbers. */
const inOrder = (view: BoardView, news: OddsNews) =>
  Array.from(news, ([book, of]) => {
    const sportsbook = view.sportsbooks[book] ?? ''
    return { sportsbook, of, place: placeOf(sportsbook) }
  }).sort((a, b) => a.place - b.place || compareTexts(a.sportsbook, b.sportsbook))

/** The rows that are new to who is told. */
function newOf({ rows, isWhole }: Pick<BookNews, 'rows' | 'isWhole'>) {
  const fresh = rows.filter((_, i) => isWhole[i])
  return { rows: fresh, isWhole: fresh.map(() => true) }
}

/** Appends that events have come to another status. */
export function appendStatuses(
  frames: Frames,
  events: readonly ViewEvent[],
  { framing, width, now }: Pick<OddsFrameOptions, 'framing' | 'width' | 'now'>,
) {
  for (let from = 0; from < events.length; from += framing.mostRows) {
    const items = events.slice(from, from + framing.mostRows).map(({ id, row }) => ({
      id,
      status: row.status,
      is_live: row.isLive,
      start_time: isoTime(row.startsAt),
    }))
    const content = { events: items, count: items.length }
    framing.message(frames, 'event:status', content, width, now)
  }
}

/** A row as `/odds` shows it. */
function appendWhole({ page }: Frames, { rows }: BoardView, row: number) {
  const block = rows.block(row)
  const index = rows.rank(row)
  const bytes = rows.textBytes(block, index, index + 1)
  reserve(page, bytes)
  const start = page.length
  page.length = rows.copyText(block, index, index + 1, page.bytes, start)
  // The comma it begins with is the caller's.
  page.bytes[start] = blank
}

const blank = 0x20

/** What moves of a row, and its id and line; an attribute that it no longer has as null. */
function appendMoved(frames: Frames, view: BoardView, row: number) {
  const { page } = frames
  appendBriefly(frames, '{"id":"')
  appendNumber(frames, view.rows.id(row))
  appendBriefly(frames, '","line":')
  appendBriefly(frames, String(view.line(row)))
  appendBriefly(frames, ',')
  appendBriefly(frames, view.rows.goneText(row))
  reserve(page, view.rows.tailBytes(row))
  page.length = view.rows.copyTail(row, page.bytes, page.length)
}
