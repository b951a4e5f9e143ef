/**
 * What a client is still to be told of prices. `readFrom` begins at its place, whatever names that: the board's memory
 * serves it where it reaches, else the log, else a snapshot does. From there on the client is told every row once, as
 * it is by then, until it is at the head. One that is live reads nothing: the ticks tell it.
 */

import type { BoardView } from '../../../../pipeline/views/board/board-view.ts'
import type { ViewEvent } from '../../../../pipeline/views/board/view-event.ts'
import { type Scope, seesAll } from '../../../access/scope.ts'
import { type Beginning, type Client, resumed, type Start, whole } from '../../delivery/channel.ts'
import { isOpen } from '../../delivery/client.ts'
import type { FrameNumbers } from '../../timeline/frame-numbers.ts'
import type { LogReplay } from '../../timeline/log-replay.ts'
import type { ResyncReason } from '../../timeline/positions.ts'
import type { Timeline } from '../../timeline/timeline.ts'
import type { MissedRow, OddsNews, OddsNewsFinder } from './odds-news.ts'

/** Rows that a client is told at once. */
const rowsAtOnce = 4_000

/** Where a client stands: as it says itself, or as this process knows. */
export type Place =
  | Start
  | {
      readonly from: 'stamp'
      readonly stamp: number
      /** The number of the last change up to the stamp that the client was told. */
      readonly globalSeq: number
    }

/** The way from a place to the head. */
export interface Reading {
  /** The stamp up to which the client has been told of the board. */
  position: number
  /** The number of its last frame: it may come back with it. */
  globalSeq: number
  isReplay: boolean
  /** What it has missed up to `missedTo`, as far as it has not been told of it. */
  missed: readonly MissedRow[]
  missedTo: number
}

export interface Reader {
  readonly client: Client
  readonly shared: {
    readonly query: { readonly scope: Scope }
    readonly finder: OddsNewsFinder
  }
  /** Null while it is told by the ticks, and before it begins. */
  reading: Reading | null
}

export interface OddsReadings<Own extends Reader> {
  readFrom(reader: Own, place: Place): Beginning
  /** Tells a piece. @returns whether the reader has been told all there is */
  goOn(reader: Own): boolean
}

export interface OddsReadingsOptions<Own extends Reader> {
  readonly view: BoardView
  readonly timeline: Timeline
  readonly logReplay: LogReplay
  /** @param numbers those of the tick that told it before; else the frames go on from the last one */
  send(
    reader: Own,
    reading: Reading,
    news: OddsNews,
    statuses: ReadonlySet<ViewEvent>,
    numbers?: FrameNumbers,
  ): void
  /** The place of the reader is forgotten. */
  lost(client: Client, reason: ResyncReason): void
}

const nothing: readonly MissedRow[] = []
const noNews: OddsNews = new Map()
const noEvents: ReadonlySet<ViewEvent> = new Set()

export function createOddsReadings<Own extends Reader>(
  options: OddsReadingsOptions<Own>,
): OddsReadings<Own> {
  const { view, timeline, logReplay, send, lost } = options

  /** Whether all that has happened since is remembered. */
  const isKnown = (stamp: number | undefined) => stamp !== undefined && stamp >= view.journal.reach

  function readFrom(reader: Own, place: Place): Beginning {
    const reading: Reading = {
      position: timeline.head,
      globalSeq: timeline.globalSeq,
      isReplay: false,
      missed: nothing,
      missedTo: 0,
    }
    reader.reading = reading
    switch (place.from) {
      case 'snapshot':
        return whole
      case 'now':
        return resumed
      case 'stamp':
        reading.position = place.stamp
        reading.globalSeq = place.globalSeq
        return resumed
      case 'sequence': {
        const stamp = timeline.stampBefore(place.globalSeq)
        // What happened since then is forgotten, so the client would keep rows that have gone.
        if (!isKnown(stamp)) return whole
        reading.position = stamp!
        // A client that leaves before it has caught up comes back with the number it had.
        reading.globalSeq = place.globalSeq
        reading.isReplay = true
        return resumed
      }
      case 'position': {
        const { position } = place
        if (timeline.isAhead(position)) return { kind: 'lost', reason: 'other_log' }
        const stamp = timeline.stampAt(position)
        if (!isKnown(stamp)) {
          return { kind: 'reads', missed: (left) => readLog(reader, reading, position, left) }
        }
        reading.position = stamp!
        return resumed
      }
    }
  }

  async function readLog(
    { shared }: Own,
    reading: Reading,
    position: Parameters<LogReplay['since']>[0],
    left: AbortSignal,
  ) {
    const { query, finder } = shared
    const changed = await logReplay.since(position, left)
    if (!changed?.ok) return changed
    // The sportsbook of a row that had gone before this process started is not known, and a tier that
    // sees only some sportsbooks must not be told of rows of others.
    const rows = finder.missedAmong(changed, seesAll(query.scope))
    if (!rows) return { ok: false, reason: 'too_old' } as const
    reading.missed = rows
    return changed
  }

  function goOn(reader: Own): boolean {
    const reading = reader.reading!
    if (reading.missed.length === 0 && !takeUp(reader, reading)) {
      return reading.position >= timeline.head
    }
    sendPiece(reader, reading)
    if (reading.missed.length > 0) return false
    reading.position = Math.max(reading.position, reading.missedTo)
    if (reading.position < timeline.head || !isOpen(reader.client)) return false
    // It has all there is: it may come back with the number of now.
    reading.globalSeq = timeline.globalSeq
    reading.isReplay = false
    return true
  }

  /** Takes up what the reader has missed. @returns whether there is any */
  function takeUp(reader: Own, reading: Reading): boolean {
    const { position } = reading
    const { head } = timeline
    if (position >= head) return false
    const missed = reader.shared.finder.missedSince(position, head)
    if (!missed) {
      lost(reader.client, 'too_old')
      return false
    }
    const statuses = new Set<ViewEvent>()
    for (const { event } of view.statuses.after(position)) statuses.add(event)
    send(reader, reading, noNews, statuses)
    reading.missed = missed
    reading.missedTo = head
    return true
  }

  /** Tells some of it, as it is now: of a replay tick by tick, each row in the frame of its newest change. */
  function sendPiece(reader: Own, reading: Reading) {
    const { missed, isReplay } = reading
    const { finder } = reader.shared
    const first = missed[0]?.stamp ?? 0
    if (!isReplay || first === 0) {
      send(reader, reading, finder.newsOf(missed.slice(0, rowsAtOnce)), noEvents)
      reading.missed = missed.slice(rowsAtOnce)
      return
    }
    let left = rowsAtOnce
    let from = 0
    while (from < missed.length && left > 0 && isOpen(reader.client)) {
      const tick = timeline.tickAfter(missed[from]!.stamp - 1)
      let to = from
      while (to < missed.length && missed[to]!.stamp <= tick.upTo && to - from < rowsAtOnce) to++
      // Of a part of a tick the frames are others than they were.
      const isWhole = from === 0 || missed[from - 1]!.stamp <= tick.since
      const isAll = to === missed.length || missed[to]!.stamp > tick.upTo
      const numbers = isWhole && isAll ? tick.numbering(reading.globalSeq) : undefined
      send(reader, reading, finder.newsOf(missed.slice(from, to)), noEvents, numbers)
      reading.position = missed[to - 1]!.stamp
      left -= to - from
      from = to
    }
    reading.missed = missed.slice(from)
  }

  return { readFrom, goOn }
}
