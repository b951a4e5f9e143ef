/**
 * The changes of the board since a stamp, for the streams: one change for each row, from its state
 * at that stamp to now. They are in parts by league and sportsbook, by which the index finds queries.
 * One tick serves all clients that were up to date before it.
 */

import type { BoardView } from '../../../pipeline/views/board/board-view.ts'
import { absentBit, changeKind, type RowChange } from '../../../pipeline/views/board/journal.ts'
import type { ViewEvent } from '../../../pipeline/views/board/view-event.ts'
import { addTo } from '../../../schemas/grouping.ts'

/** The change of one row over the whole tick. */
export interface TickChange extends Readonly<RowChange> {
  /** Its index among the changes of the tick. */
  readonly place: number
  readonly part: TickPart
}

/** The changes of one league and sportsbook: a range of indexes. */
export interface TickPart {
  readonly league: string
  /** The sportsbook's number in the view. */
  readonly book: number
  readonly from: number
  readonly to: number
}

export interface OddsTick {
  /** Stamps: the changes after `since`, up to `upTo`. */
  readonly since: number
  readonly upTo: number
  /** Changes in the order of parts. */
  readonly changes: readonly TickChange[]
  readonly parts: readonly TickPart[]
  /** Numbers of rows that are on the board and look different. */
  readonly rows: readonly number[]
  /** Events with a new status. */
  readonly statuses: ReadonlySet<ViewEvent>
  /** Returns the events with changed or removed rows. */
  events(): ReadonlySet<ViewEvent>
}

/** @returns null if the journal does not reach back to `since` */
export function oddsTick(view: BoardView, since: number): OddsTick | null {
  const { journal, watermark: upTo } = view
  if (journal.reach > since) return null
  const { changes, parts } = inParts(changesSince(view, since))
  const statuses = new Set<ViewEvent>()
  for (const { event } of view.statuses.after(since)) statuses.add(event)
  const isThere = ({ state, kind }: TickChange) =>
    (state & absentBit) === 0 && kind !== changeKind.standing
  return {
    since,
    upTo,
    changes,
    parts,
    statuses,
    rows: changes.filter(isThere).map(({ row }) => row),
    events: () => new Set(changes.map(({ block }) => block.event)),
  }
}

/** A change under construction. */
interface MergedChange extends TickChange {
  kind: TickChange['kind']
  event: TickChange['event']
  price: number
  state: number
  place: number
  part: TickPart
}

/** Merges the changes of each row into one. */
function changesSince(view: BoardView, since: number): Iterable<MergedChange> {
  const byId = new Map<number, MergedChange>()
  view.journal.forEach(since, (change) => {
    const { id, kind, event, price, state } = change
    const merged = byId.get(id)
    if (!merged || merged.row !== change.row) {
      byId.set(id, mergedChange(change, merged ?? change))
      return
    }
    if (kind > merged.kind) merged.kind = kind
    merged.event = event
    merged.price = price
    merged.state = state
  })
  return byId.values()
}

/** @param first the first change of the row in the tick */
const mergedChange = (newest: RowChange, first: RowChange): MergedChange => ({
  stamp: newest.stamp,
  row: newest.row,
  id: newest.id,
  book: newest.book,
  block: newest.block,
  kind: first.kind > newest.kind ? first.kind : newest.kind,
  event: newest.event,
  price: newest.price,
  state: newest.state,
  eventBefore: first.eventBefore,
  priceBefore: first.priceBefore,
  stateBefore: first.stateBefore,
  place: 0,
  part: noPart,
})

const noPart: TickPart = { league: '', book: -1, from: 0, to: 0 }

/** Sorts changes into parts. Within a part they keep their order. */
function inParts(all: Iterable<MergedChange>) {
  const byLeague = new Map<string, Map<number, MergedChange[]>>()
  for (const change of all) {
    const { league } = change.block.event.row
    let byBook = byLeague.get(league)
    if (!byBook) {
      byBook = new Map()
      byLeague.set(league, byBook)
    }
    addTo(byBook, change.book, change)
  }
  const changes: TickChange[] = []
  const parts: TickPart[] = []
  for (const [league, byBook] of byLeague) {
    for (const [book, ofPart] of byBook) {
      const part = { league, book, from: changes.length, to: changes.length + ofPart.length }
      parts.push(part)
      for (const change of ofPart) {
        change.place = changes.length
        change.part = part
        changes.push(change)
      }
    }
  }
  return { changes, parts }
}
