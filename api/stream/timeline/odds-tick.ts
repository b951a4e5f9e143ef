/**
 * What changed on the board since a stamp, laid out for the streams: each row once, with what it was then and is now,
 * by league and by event. One tick serves every client that was up to date at its beginning.
 */

import type { BoardView } from '../../../pipeline/views/board/board-view.ts'
import { absentBit, changeKind, type RowChange } from '../../../pipeline/views/board/journal.ts'
import type { ViewEvent } from '../../../pipeline/views/board/view-event.ts'

/** Of one row, from the beginning of the tick to its end. */
export type TickChange = Readonly<RowChange>

export interface OddsTick {
  /** Stamps: what came after `since`, up to `upTo`. */
  readonly since: number
  readonly upTo: number
  readonly changes: readonly TickChange[]
  /** Numbers of the rows that are there and show something else. */
  readonly rows: readonly number[]
  /** Events that have come to another status, each once. */
  readonly statuses: ReadonlySet<ViewEvent>
  /** The changes by league, and by event id. */
  ofLeague(league: string): readonly TickChange[]
  ofEvent(eventId: string): readonly TickChange[]
  /** Events of rows that changed or went. */
  events(): ReadonlySet<ViewEvent>
}

/** @returns null when the board does not remember so much */
export function oddsTick(view: BoardView, since: number): OddsTick | null {
  const { journal, watermark: upTo } = view
  if (journal.reach > since) return null
  const byId = new Map<number, RowChange>()
  journal.forEach(since, (change) => {
    const known = byId.get(change.id)
    if (!known) {
      byId.set(change.id, { ...change })
      return
    }
    const { eventBefore, priceBefore, stateBefore } = known
    const kind = known.kind > change.kind ? known.kind : change.kind
    byId.set(change.id, { ...change, kind, eventBefore, priceBefore, stateBefore })
  })
  const changes = [...byId.values()]
  const statuses = new Set<ViewEvent>()
  for (const { event } of view.statuses.after(since)) statuses.add(event)
  const isThere = ({ state, kind }: TickChange) =>
    (state & absentBit) === 0 && kind !== changeKind.standing
  function grouped(keyOf: (event: ViewEvent) => string) {
    const groups = new Map<string, TickChange[]>()
    for (const change of changes) {
      const key = keyOf(change.block.event)
      const group = groups.get(key)
      if (group) group.push(change)
      else groups.set(key, [change])
    }
    return groups
  }
  let byLeague: Map<string, TickChange[]> | undefined
  let byEvent: Map<string, TickChange[]> | undefined
  return {
    since,
    upTo,
    changes,
    statuses,
    rows: changes.filter(isThere).map(({ row }) => row),
    ofLeague(league) {
      byLeague ??= grouped(({ row }) => row.league)
      return byLeague.get(league) ?? nothing
    },
    ofEvent(eventId) {
      byEvent ??= grouped(({ id }) => id)
      return byEvent.get(eventId) ?? nothing
    },
    events: () => new Set(changes.map(({ block }) => block.event)),
  }
}

const nothing: readonly TickChange[] = []
