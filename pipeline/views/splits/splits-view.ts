/**
 * The table `splits` in memory, each row with the game it is of, by start. Written by its changelogs
 * alone.
 */

import type { EventRow } from '../../../schemas/event.ts'
import type { SplitsRow } from '../../../schemas/splits.ts'
import { topics } from '../../../schemas/topics.ts'
import type { LogRecord } from '../../log/log.ts'
import { turnedSplits } from '../../rules/splits.ts'
import { compareTexts } from '../../text/compare-texts.ts'
import type { View } from '../view.ts'

/** Splits as they are shown. */
export interface EventSplits {
  readonly event: EventRow
  /** Its sides are those of `event`. */
  readonly row: SplitsRow
}

export interface SplitsView extends View {
  reset(): void
  apply(records: readonly LogRecord[]): void
  /** By start, event and sportsbook. */
  list(): readonly EventSplits[]
  /** The event's row, if it is on the board. */
  event(id: string): EventRow | undefined
  /** All that have been seen since the process began. */
  readonly sportsbooks: ReadonlySet<string>
  /** Grows with every change. */
  readonly version: number
}

export function createSplitsView(): SplitsView {
  const rows = new Map<string, SplitsRow>()
  const events = new Map<string, EventRow>()
  /** Rows by event, so that a change of an event that has none costs nothing. */
  const counts = new Map<string, number>()
  const sportsbooks = new Set<string>()
  let inOrder: readonly EventSplits[] | null = null
  let version = 0

  function changed() {
    inOrder = null
    version++
  }

  function takeSplits(key: string, row: SplitsRow | null) {
    const before = rows.get(key)
    if (before) {
      rows.delete(key)
      const left = counts.get(before.eventId)! - 1
      if (left === 0) counts.delete(before.eventId)
      else counts.set(before.eventId, left)
    }
    if (row) {
      rows.set(key, row)
      counts.set(row.eventId, (counts.get(row.eventId) ?? 0) + 1)
      sportsbooks.add(row.sportsbook)
    }
    if (before || row) changed()
  }

  function takeEvent(id: string, row: EventRow | null) {
    if (row) events.set(id, row)
    else events.delete(id)
    if (counts.has(id)) changed()
  }

  function sorted(): readonly EventSplits[] {
    const list: EventSplits[] = []
    for (const row of rows.values()) {
      const event = events.get(row.eventId)
      if (event) list.push({ event, row: event.flipped ? { ...row, ...turnedSplits(row) } : row })
    }
    return list.sort(
      (a, b) =>
        a.event.startsAt - b.event.startsAt ||
        compareTexts(a.row.eventId, b.row.eventId) ||
        compareTexts(a.row.sportsbook, b.row.sportsbook),
    )
  }

  return {
    tables: [topics.events, topics.splits],
    reset() {
      rows.clear()
      events.clear()
      counts.clear()
      changed()
    },
    apply(records) {
      for (const { topic, key, value } of records) {
        if (topic.name === topics.splits.name) takeSplits(key, value as SplitsRow | null)
        else if (topic.name === topics.events.name) takeEvent(key, value as EventRow | null)
      }
    },
    list() {
      inOrder ??= sorted()
      return inOrder
    },
    event: (id) => events.get(id),
    sportsbooks,
    get version() {
      return version
    },
  }
}
