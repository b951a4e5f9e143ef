/**
 * The table `splits` in memory, each row with its game, by start. Written only by its changelogs.
 */

import type { EventRow } from '../../../schemas/event.ts'
import type { SplitsRow } from '../../../schemas/splits.ts'
import { topics } from '../../../schemas/topics.ts'
import type { LogRecord } from '../../log/log.ts'
import { turnedSplits } from '../../rules/odds/splits.ts'
import { compareTexts } from '../../text/compare-texts.ts'
import type { View } from '../view.ts'

/** The splits of a game, as shown. */
export interface EventSplits {
  readonly event: EventRow
  /** The row. Its sides are those of `event`. */
  readonly row: SplitsRow
}

export interface SplitsView extends View {
  reset(): void
  apply(records: readonly LogRecord[]): void
  /** Returns the splits by start, event and sportsbook. */
  list(): readonly EventSplits[]
  /** All sportsbooks seen since the process started. */
  readonly sportsbooks: ReadonlySet<string>
  /** A number that grows with every change. */
  readonly version: number
}

/** The shown form of a row; the object stays while the row does. */
interface Shown extends EventSplits {
  event: EventRow
  row: SplitsRow
}

export function createSplitsView(): SplitsView {
  const rows = new Map<string, SplitsRow>()
  const events = new Map<string, EventRow>()
  /** Keys of rows by event. */
  const keysOf = new Map<string, Set<string>>()
  /** The shown splits whose event is on the board, by key. */
  const shown = new Map<string, Shown>()
  const sportsbooks = new Set<string>()
  /** The sorted list; null after one came, went or has another start. Most changes are of shares and keep the order. */
  let inOrder: readonly EventSplits[] | null = null
  let version = 0

  function takeSplits(key: string, row: SplitsRow | null) {
    const before = rows.get(key)
    if (row) {
      rows.set(key, row)
      sportsbooks.add(row.sportsbook)
      const keys = keysOf.get(row.eventId)
      if (keys) keys.add(key)
      else keysOf.set(row.eventId, new Set([key]))
    } else if (before) {
      rows.delete(key)
      const keys = keysOf.get(before.eventId)!
      keys.delete(key)
      if (keys.size === 0) keysOf.delete(before.eventId)
    } else return
    show(key)
  }

  function takeEvent(id: string, row: EventRow | null) {
    if (row) events.set(id, row)
    else events.delete(id)
    for (const key of keysOf.get(id) ?? []) show(key)
  }

  /** Updates the shown splits of a key. */
  function show(key: string) {
    version++
    const stated = rows.get(key)
    const event = stated && events.get(stated.eventId)
    const known = shown.get(key)
    if (!stated || !event) {
      if (shown.delete(key)) inOrder = null
      return
    }
    const row = event.flipped ? { ...stated, ...turnedSplits(stated) } : stated
    if (!known) {
      shown.set(key, { event, row })
      inOrder = null
      return
    }
    if (known.event.startsAt !== event.startsAt) inOrder = null
    known.event = event
    known.row = row
  }

  return {
    tables: [topics.events, topics.splits],
    reset() {
      rows.clear()
      events.clear()
      keysOf.clear()
      shown.clear()
      inOrder = null
      version++
    },
    apply(records) {
      for (const { topic, key, value } of records) {
        if (topic.name === topics.splits.name) takeSplits(key, value as SplitsRow | null)
        else if (topic.name === topics.events.name) takeEvent(key, value as EventRow | null)
      }
    },
    list() {
      inOrder ??= [...shown.values()].sort(byStart)
      return inOrder
    },
    sportsbooks,
    get version() {
      return version
    },
  }
}

const byStart = (a: EventSplits, b: EventSplits) =>
  a.event.startsAt - b.event.startsAt ||
  compareTexts(a.row.eventId, b.row.eventId) ||
  compareTexts(a.row.sportsbook, b.row.sportsbook)
