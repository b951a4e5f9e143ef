/**
 * What changed on the board since a stamp, laid out for the streams: each row once, with what it was then and is now,
 * in parts of one league and sportsbook, which questions pick. One tick serves every client that was up to date at
 * its beginning.
 */

import type { BoardView } from '../../../pipeline/views/board/board-view.ts'
import { absentBit, changeKind, type RowChange } from '../../../pipeline/views/board/journal.ts'
import type { ViewEvent } from '../../../pipeline/views/board/view-event.ts'

/** Of one row, from the beginning of the tick to its end. */
export interface TickChange extends Readonly<RowChange> {
  /** Its number among the changes of the tick. */
  readonly place: number
  readonly part: TickPart
}

/** The changes of one league and sportsbook: those from one place to another. */
export interface TickPart {
  readonly league: string
  /** The sportsbook's number in the view. */
  readonly book: number
  readonly from: number
  readonly to: number
}

export interface OddsTick {
  /** Stamps: what came after `since`, up to `upTo`. */
  readonly since: number
  readonly upTo: number
  /** Part by part. */
  readonly changes: readonly TickChange[]
  readonly parts: readonly TickPart[]
  /** Numbers of the rows that are there and show something else. */
  readonly rows: readonly number[]
  /** Events that have come to another status, each once. */
  readonly statuses: ReadonlySet<ViewEvent>
  ofLeague(league: string): readonly TickPart[]
  /** That of a league and a sportsbook; undefined where neither has changed. */
  part(league: string, book: number): TickPart | undefined
  ofBook(book: number): readonly TickPart[]
  /** The changes by event id. */
  ofEvent(eventId: string): readonly TickChange[]
  /** Events of rows that changed or went. */
  events(): ReadonlySet<ViewEvent>
}

/** @returns null when the board does not remember so much */
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
      byLeague ??= grouped(parts, (part) => part.league)
      return byLeague.get(league) ?? nothing
    },
    part: (league, book) => partOf.get(league)?.get(book),
    ofBook(book) {
      byBook ??= grouped(parts, (part) => part.book)
      return byBook.get(book) ?? nothing
    },
    ofEvent(eventId) {
      byEvent ??= grouped(changes, ({ block }) => block.event.id)
      return byEvent.get(eventId) ?? nothing
    },
    events: () => new Set(changes.map(({ block }) => block.event)),
  }
}

const nothing: readonly never[] = []

/** A change under construction. */
interface Taken extends TickChange {
  kind: TickChange['kind']
  event: TickChange['event']
  price: number
  state: number
  place: number
  part: TickPart
}

/** Of each row that changed the one change from before to now. */
function changesSince(view: BoardView, since: number): Iterable<Taken> {
  const byId = new Map<number, Taken>()
  view.journal.forEach(since, (change) => {
    const { id, kind, event, price, state } = change
    const known = byId.get(id)
    if (!known || known.row !== change.row) {
      byId.set(id, taken(change, known ?? change))
      return
    }
    if (kind > known.kind) known.kind = kind
    known.event = event
    known.price = price
    known.state = state
  })
  return byId.values()
}

/** @param first the first change of the row in the tick */
const taken = (newest: RowChange, first: RowChange): Taken => ({
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

/** Of one league and sportsbook the changes stay in the order in which they came. */
function inParts(all: Iterable<Taken>) {
  const byLeague = new Map<string, Map<number, Taken[]>>()
  for (const change of all) {
    const { league } = change.block.event.row
    let byBook = byLeague.get(league)
    if (!byBook) {
      byBook = new Map()
      byLeague.set(league, byBook)
    }
    const ofPart = byBook.get(change.book)
    if (ofPart) ofPart.push(change)
    else byBook.set(change.book, [change])
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

function grouped<Key, One>(all: readonly One[], keyOf: (one: One) => Key) {
  const groups = new Map<Key, One[]>()
  for (const one of all) {
    const key = keyOf(one)
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  return groups
}
