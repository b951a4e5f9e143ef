/**
 * Brings a client that is behind up to the head of the timeline. `readFrom` starts from the board's journal if it
 * reaches back, else from the log, else with a snapshot. The client then gets each changed row once, as it is when it
 * is sent. A live client needs no reading: it gets the ticks.
 */

import type { BoardView } from '../../../../pipeline/views/board/board-view.ts'
import type { ViewEvent } from '../../../../pipeline/views/board/view-event.ts'
import { type Scope, seesAll, viewOf } from '../../../access/scope.ts'
import { type Beginning, type Client, resumed, type Start, whole } from '../../delivery/channel.ts'
import { isOpen } from '../../delivery/client.ts'
import type { FrameNumbers } from '../../timeline/frame-numbers.ts'
import type { LogReplay } from '../../timeline/log-replay.ts'
import { isOfView, type ResyncReason } from '../../timeline/positions.ts'
import type { Timeline } from '../../timeline/timeline.ts'
import type { MissedRow, OddsNews, OddsNewsFinder } from './odds-news.ts'

/** Rows, or statuses of events, sent to a client at once. */
const rowsAtOnce = 4_000

/** Where a client continues: its own start, or a stamp that this process noted. */
export type Place =
  | Start
  | {
      readonly from: 'stamp'
      readonly stamp: number
      /** Number of the last frame up to the stamp. */
      readonly globalSeq: number
    }

/** Progress of a client on its way to the head. */
export interface Reading {
  /** Stamp up to which the client has everything. */
  position: number
  /** Number of its last frame, from which it may resume. */
  globalSeq: number
  isReplay: boolean
  /** Missed rows up to `missedTo` that have not been sent yet. */
  missed: readonly MissedRow[]
  missedTo: number
  /** Ids of events whose status the client may have missed, and that have not been sent yet. They come before rows. */
  missedEvents: readonly string[]
}

export interface Reader {
  readonly client: Client
  readonly shared: {
    readonly query: { readonly scope: Scope }
    readonly finder: OddsNewsFinder
  }
  /** Null before the client starts, and once it gets ticks. */
  reading: Reading | null
}

export interface OddsReadings<Own extends Reader> {
  readFrom(reader: Own, place: Place): Beginning
  /** Sends some rows. @returns whether the reader is at the head */
  goOn(reader: Own): boolean
}

export interface OddsReadingsOptions<Own extends Reader> {
  readonly view: BoardView
  readonly timeline: Timeline
  readonly logReplay: LogReplay
  /**
   * @param numbers those of the tick that first had the news; absent: frames continue from the last
   *   number
   */
  send(
    reader: Own,
    reading: Reading,
    news: OddsNews,
    statuses: ReadonlySet<ViewEvent>,
    numbers?: FrameNumbers,
  ): void
  /** The board no longer reaches back to the reader's position. */
  lost(client: Client, reason: ResyncReason): void
}

const nothing: readonly MissedRow[] = []
const noNews: OddsNews = new Map()
const noEvents: ReadonlySet<ViewEvent> = new Set()
const noIds: readonly string[] = []

export function createOddsReadings<Own extends Reader>(
  options: OddsReadingsOptions<Own>,
): OddsReadings<Own> {
  const { view, timeline, logReplay, send, lost } = options

  /** Returns whether the journal reaches back to the stamp. */
  const isKnown = (stamp: number | undefined) => stamp !== undefined && stamp >= view.journal.reach

  function readFrom(reader: Own, place: Place): Beginning {
    const reading: Reading = {
      position: timeline.head,
      globalSeq: timeline.globalSeq,
      isReplay: false,
      missed: nothing,
      missedTo: 0,
      missedEvents: noIds,
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
        // The changes since then are lost. Without a snapshot the client would keep removed rows.
        if (!isKnown(stamp)) return whole
        reading.position = stamp!
        // A client that leaves before it has caught up resumes with the number it had.
        reading.globalSeq = place.globalSeq
        reading.isReplay = true
        return resumed
      }
      case 'position': {
        const { position } = place
        if (timeline.isAhead(position)) return { kind: 'lost', reason: 'other_log' }
        const isOfLog = position.epoch === view.position?.epoch
        if (isOfLog && !isOfView(position, viewOf(reader.shared.query.scope))) {
          return { kind: 'lost', reason: 'other_books' }
        }
        const stamp = timeline.stampAt(position)
        if (!isKnown(stamp)) {
          return { kind: 'reads', missed: (signal) => readLog(reader, reading, position, signal) }
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
    signal: AbortSignal,
  ) {
    const { query, finder } = shared
    const changed = await logReplay.since(position, signal)
    if (!changed?.ok) return changed
    // The sportsbook of a row removed before this process started is unknown, and a tier must not learn of rows
    // of sportsbooks that it does not see.
    const rows = finder.missedAmong(changed, seesAll(query.scope))
    if (!rows) return { ok: false, reason: 'too_old' } as const
    reading.missed = rows
    reading.missedEvents = [...changed.eventIds]
    return changed
  }

  /** Sends current statuses of missed events. */
  function sendStatuses(reader: Own, reading: Reading) {
    const { missedEvents } = reading
    const events = new Set<ViewEvent>()
    for (const id of missedEvents.slice(0, rowsAtOnce)) {
      const event = view.find(id)
      if (event) events.add(event)
    }
    reading.missedEvents = missedEvents.slice(rowsAtOnce)
    send(reader, reading, noNews, events)
  }

  function goOn(reader: Own): boolean {
    const reading = reader.reading!
    const { missed, missedEvents } = reading
    if (missed.length === 0 && missedEvents.length === 0 && !takeUp(reader, reading)) {
      return reading.position >= timeline.head
    }
    if (reading.missedEvents.length > 0) sendStatuses(reader, reading)
    if (reading.missedEvents.length > 0) return false
    sendPiece(reader, reading)
    if (reading.missed.length > 0) return false
    reading.position = Math.max(reading.position, reading.missedTo)
    if (reading.position < timeline.head || !isOpen(reader.client)) return false
    // It is up to date, so it may resume with the current number.
    reading.globalSeq = timeline.globalSeq
    reading.isReplay = false
    return true
  }

  /** Finds the rows that the reader has missed. @returns whether there are any */
  function takeUp(reader: Own, reading: Reading): boolean {
    const { position } = reading
    const { head } = timeline
    if (position >= head) return false
    const missed = reader.shared.finder.missedSince(position, head)
    if (!missed) {
      lost(reader.client, 'too_old')
      return false
    }
    reading.missedEvents = statusesSince(position)
    reading.missed = missed
    reading.missedTo = head
    return true
  }

  /**
   * Returns the ids of events whose status has changed after a stamp; all events if that is no
   * longer known.
   */
  function statusesSince(stamp: number): readonly string[] {
    const { statuses } = view
    if (statuses.reach > stamp) return [...view.allEvents()].map(({ id }) => id)
    const ids = new Set<string>()
    for (const { event } of statuses.after(stamp)) ids.add(event.id)
    return [...ids]
  }

  /** Sends some missed rows as they are now. A replay goes tick by tick, each row in the frame of its newest change. */
  function sendPiece(reader: Own, reading: Reading) {
    const { missed, isReplay } = reading
    const { finder } = reader.shared
    const first = missed[0]?.stamp ?? 0
    if (!isReplay || first === 0) {
      send(reader, reading, finder.newsOf(missed.slice(0, rowsAtOnce)), noEvents)
      reading.missed = missed.slice(rowsAtOnce)
      return
    }
    let remaining = rowsAtOnce
    let from = 0
    while (from < missed.length && remaining > 0 && isOpen(reader.client)) {
      const tick = timeline.tickAfter(missed[from]!.stamp - 1)
      let to = from
      while (to < missed.length && missed[to]!.stamp <= tick.upTo && to - from < rowsAtOnce) to++
      // Only a tick that is sent as a whole has the same frames as before.
      const isWhole = from === 0 || missed[from - 1]!.stamp <= tick.since
      const isAll = to === missed.length || missed[to]!.stamp > tick.upTo
      const numbers = isWhole && isAll ? tick.numbering(reading.globalSeq) : undefined
      send(reader, reading, finder.newsOf(missed.slice(from, to)), noEvents, numbers)
      reading.position = missed[to - 1]!.stamp
      remaining -= to - from
      from = to
    }
    reading.missed = missed.slice(from)
  }

  return { readFrom, goOn }
}
