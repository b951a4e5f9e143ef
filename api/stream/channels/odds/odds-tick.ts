/**
 * What changed on the board since an instant, laid out for the streams: rows by league, each once and
 * as it is now, and what has gone. One tick serves every client that was up to date at its beginning;
 * a client that fell behind gets one of its own.
 */

import type { BoardView } from '../../../../pipeline/views/board/board-view.ts'
import type { Removal } from '../../../../pipeline/views/board/removals.ts'
import type { ViewEvent } from '../../../../pipeline/views/board/view-event.ts'

export interface OddsTick {
  /** Stamps: what came after `since`, up to `upTo`. */
  readonly since: number
  readonly upTo: number
  /** Changed rows, oldest change first. */
  readonly rows: readonly number[]
  /** Rows that have gone and not come back. */
  readonly removed: readonly Removal[]
  /** Events that have come to another status, each once. */
  readonly statuses: ReadonlySet<ViewEvent>
  /** The rows by league, and by event id. */
  rowsOfLeague(league: string): readonly number[]
  rowsOfEvent(eventId: string): readonly number[]
  /** Events of rows that changed or went. */
  events(): ReadonlySet<ViewEvent>
}

/**
 * @param most rows at once; `upTo` says how far it came
 * @param until no further than to this stamp
 * @returns null when removals since then are not remembered any more
 */
export function oddsTick(
  view: BoardView,
  since: number,
  most = Number.POSITIVE_INFINITY,
  until = view.watermark,
): OddsTick | null {
  const { removals, changes } = view
  if (removals.forgotten > since) return null
  let rows: number[] = []
  for (const row of changes.allAfter(since)) {
    if (changes.stamp(row) > until) break
    rows.push(row)
  }
  let upTo = until
  if (rows.length > most) {
    rows = rows.slice(0, most)
    upTo = changes.stamp(rows.at(-1)!)
  }
  const removed: Removal[] = []
  for (const removal of removals.after(since)) {
    if (removal.stamp > upTo) break
    if (view.rows.find(removal.id) < 0) removed.push(removal)
  }
  const statuses = new Set<ViewEvent>()
  for (const { stamp, event } of view.statuses.after(since)) if (stamp <= upTo) statuses.add(event)
  return layOut(view, { since, upTo, rows, removed, statuses })
}

function layOut(
  view: BoardView,
  of: Pick<OddsTick, 'since' | 'upTo' | 'rows' | 'removed' | 'statuses'>,
): OddsTick {
  const { rows } = view
  let byLeague: Map<string, number[]> | undefined
  let byEvent: Map<string, number[]> | undefined
  const none: readonly number[] = []
  const eventOf = (row: number) => rows.block(row).event
  const grouped = (keyOf: (event: ViewEvent) => string) => {
    const groups = new Map<string, number[]>()
    for (const row of of.rows) {
      const key = keyOf(eventOf(row))
      const group = groups.get(key)
      if (group) group.push(row)
      else groups.set(key, [row])
    }
    return groups
  }
  return {
    rowsOfLeague(league) {
      byLeague ??= grouped((event) => event.row.league)
      return byLeague.get(league) ?? none
    },
    rowsOfEvent(eventId) {
      byEvent ??= grouped((event) => event.id)
      return byEvent.get(eventId) ?? none
    },
    events() {
      const events = new Set<ViewEvent>()
      for (const row of of.rows) events.add(eventOf(row))
      for (const { block } of of.removed) events.add(block.event)
      return events
    },
    ...of,
  }
}
