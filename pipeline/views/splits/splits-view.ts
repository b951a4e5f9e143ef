/**
 * The table `splits` in memory, each row with its game, by start. Written only by its changelogs.
 */

import type { EventRow } from '../../../schemas/event.ts'
import type { SplitsRow } from '../../../schemas/splits.ts'
import { topics } from '../../../schemas/topics.ts'
import { turnedSplits } from '../../rules/odds/splits.ts'
import { compareTexts } from '../../text/compare-texts.ts'
import { readWithEvents, type TableView } from '../table.ts'

/** The splits of a game, as shown. */
export interface EventSplits {
  readonly event: EventRow
  /** The row. Its sides are those of `event`. */
  readonly row: SplitsRow
}

export interface SplitsView extends TableView {
  /** Returns the splits by start, event and sportsbook. */
  list(): readonly EventSplits[]
  /** All sportsbooks seen since the process started. */
  readonly sportsbooks: ReadonlySet<string>
  /** A number that grows with every change. */
  readonly version: number
}

/** The shown form of a row: the same object until the row changes. */
interface Shown extends EventSplits {
  event: EventRow
  row: SplitsRow
}

export function createSplitsView(): SplitsView {
  /** The shown splits whose event is on the board, by key. */
  const shown = new Map<string, Shown>()
  const sportsbooks = new Set<string>()
  /**
   * The sorted list; null once splits were added or removed, or a start moved. Most changes are of
   * shares, which keep the order.
   */
  let inOrder: readonly EventSplits[] | null = null
  let version = 0

  /** Updates the shown splits of a key. */
  function show(key: string, stated: SplitsRow | null, event: EventRow | undefined) {
    version++
    if (stated) sportsbooks.add(stated.sportsbook)
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
    ...readWithEvents(topics.splits, show, () => {
      shown.clear()
      inOrder = null
      version++
    }),
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
