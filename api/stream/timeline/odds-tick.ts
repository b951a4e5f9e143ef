/**
 * The changes of the board since a stamp, for the streams: one change for each row, from its state
 * at that stamp to now. They are in parts by league and sportsbook, from which queries choose. One
 * tick serves all clients that were up to date before it.
 */

import type { BoardView } from '../../../pipeline/views/board/board-view.ts'
import { absentBit, changeKind, type RowChange } from '../../../pipeline/views/board/journal.ts'
import type { ViewEvent } from '../../../pipeline/views/board/view-event.ts'
import { addTo, groupBy } from '../../../schemas/grouping.ts'

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
  ofLeague(league: string): readonly TickPart[]
  /** Returns a part; undefined if nothing of the league and sportsbook changed. */
  part(league: string, book: number): TickPart | undefined
  ofBook(book: number): readonly TickPart[]
  /** Returns the changes of an event. */
  ofEvent(eventId: string): readonly TickChange[]
  /** Returns the events with changed or removed rows. */
  events(): ReadonlySet<ViewEvent>
}

/** @returns null if the journal does not reach back to `since` */
export function oddsTick(view: BoardView, since: number): OddsTick | null {
  const { journal, watermark: upTo } = view
  if (journal.reach > since) return null
  const { changes, parts, partOf } = inParts(changesSince(view, since))
  const statuses = new Set<ViewEvent>()
  for (const { event } of view.statuses.after(since)) statuses.add(event)
  const isThere = ({ state, kind }: TickChange) =>
    (state & absentBit) === 0 && kind !== changeKind.standing
  let byLeague: ReadonlyMap<string, readonly TickPart[]> | undefined
  let byBook: ReadonlyMap<number, readonly TickPart[]> | undefined
  let byEvent: ReadonlyMap<string, readonly TickChange[]> | undefined
  return {
    since,
    upTo,
    changes,
    parts,
    statuses,
    rows: changes.filter(isThere).map(({ row }) => row),
    ofLeague(league) {
      byLeague ??= groupBy(parts, (part) => part.league)
      return byLeague.get(league) ?? nothing
    },
    part: (league, book) => partOf.get(league)?.get(book),
    ofBook(book) {
      byBook ??= groupBy(parts, (part) => part.book)
      return byBook.get(book) ?? nothing
    },
    ofEvent(eventId) {
      byEvent ??= groupBy(changes, ({ block }) => block.event.id)
      return byEvent.get(eventId) ?? nothing
    },
    events: () => new Set(changes.map(({ block }) => block.event)),
  }
}

const nothing: readonly never[] = []

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
  const partOf = new Map<string, Map<number, TickPart>>()
  for (const [league, byBook] of byLeague) {
    const ofBooks = new Map<number, TickPart>()
    partOf.set(league, ofBooks)
    for (const [book, ofPart] of byBook) {
      const part = { league, book, from: changes.length, to: changes.length + ofPart.length }
      parts.push(part)
      ofBooks.set(book, part)
      for (const change of ofPart) {
        change.place = changes.length
        change.part = part
        changes.push(change)
      }
    }
  }
  return { changes, parts, partOf }
}
