/**
 * The opportunities that a request names, gathered event by event with what a page and a summary need of
 * them. A table with very many is gathered ahead of the answer, in pieces between which others have their
 * turn; the answer itself takes up again, in one go, the events that have changed since. So all of it is of one
 * instant of the board, which is that of the answer; whether a price is too old is judged by the time at which
 * the gathering began.
 */

import type { ViewEvent } from '../../pipeline/views/board/view-event.ts'
import type { EventRow } from '../../schemas/event.ts'
import type { Scope } from '../access/scope.ts'
import type { Item, Kind, Order } from './kind.ts'
import type { Listing } from './listing.ts'
import { type Sortable, sortable } from './sorted-page.ts'
import { type Summary, summaryOf } from './summaries.ts'

export interface Part extends Sortable {
  readonly summary: Summary
}

/** What is asked of the items of a kind, as of a moment. */
export interface Choice {
  readonly order: Order
  isChosen(item: Item): boolean
  /** The items of the page that is asked for. */
  page(parts: readonly Part[]): readonly Item[]
  /** An item as the page has it. */
  show(item: Item): object
}

export interface Gathering {
  /** Gathers ahead, a piece a step; null where there is too little for that to matter. */
  ahead(now: number): Iterator<void> | null
  /** All there is at this moment. */
  take(now: number): Gathered
}

export interface Gathered {
  readonly parts: readonly Part[]
  /** As of when ages are. */
  readonly now: number
  /** As `Choice.show`; what was shown ahead of the answer and stands is not shown anew. */
  show(item: Item): object
}

/** More events than these that changed meanwhile are taken up again ahead, for so many rounds. */
const fewEvents = 20
const mostRounds = 4

interface EventPart {
  readonly event: ViewEvent | undefined
  readonly eventRow: EventRow | undefined
  /** The stamp of the board, and the version of the event's opportunities, that it is of. */
  readonly heldAt: number
  readonly version: number
  readonly part: Part | null
}

interface Run {
  readonly now: number
  /** Of the sportsbooks' states. */
  readonly sources: number
  readonly parts: Map<string, EventPart>
  readonly shown: Map<Item, ShownItem>
}

interface ShownItem {
  readonly object: object
  /** As of `EventPart`. */
  readonly eventRow: EventRow
  readonly heldAt: number
  readonly version: number
}

/**
 * @param choiceAt good until the board changes
 * @param mostAtOnce fewer opportunities than these are not gathered ahead
 */
export function createGathering(
  kind: Kind,
  scope: Scope,
  listing: Listing,
  choiceAt: (now: number) => Choice,
  mostAtOnce = 32,
): Gathering {
  const { board, opportunities, sources } = scope
  /** Gathered ahead, for the answer that is made next. */
  let ready: Run | null = null

  const begin = (now: number): Run => ({
    now,
    sources: sources.version,
    parts: new Map(),
    shown: new Map(),
  })

  function holds({ parts }: Run, eventId: string): boolean {
    const known = parts.get(eventId)
    if (!known) return false
    const { event, eventRow, heldAt, version } = known
    if (version !== opportunities.versionOf(eventId) || event !== board.find(eventId)) return false
    return !event || (event.row === eventRow && event.changed.stamp <= heldAt)
  }

  /** Takes up the events that do not hold; good until the board changes. */
  function createTaker({ now, parts }: Run) {
    const isOfEvent = listing.events(now)
    const itemOf = listing.among(kind, now)
    const { order, isChosen } = choiceAt(now)
    return (eventId: string) => {
      const event = board.find(eventId)
      const items: Item[] = []
      if (event && isOfEvent(event)) {
        for (const entry of opportunities.ofEvent(eventId)) {
          const item = entry.row.kind === kind.name ? itemOf(entry) : null
          if (item && isChosen(item)) items.push(item)
        }
      }
      parts.set(eventId, {
        event,
        eventRow: event?.row,
        heldAt: board.watermark,
        version: opportunities.versionOf(eventId),
        part: items.length > 0 ? partOf(kind, items, order) : null,
      })
    }
  }

  function partsOf({ parts }: Run): Part[] {
    const found: Part[] = []
    for (const eventId of opportunities.eventIds()) {
      const part = parts.get(eventId)?.part
      if (part) found.push(part)
    }
    return found
  }

  function showAhead({ shown }: Run, { show }: Choice, item: Item) {
    const { event } = item
    const version = opportunities.versionOf(event.id)
    const heldAt = board.watermark
    shown.set(item, { object: show(item), eventRow: event.row, heldAt, version })
  }

  /** What was shown ahead, while nothing of its event has changed: a sighting counts here. */
  function shownBefore({ shown }: Run, item: Item): object | null {
    const known = shown.get(item)
    if (!known) return null
    const { event } = item
    const holds =
      event.row === known.eventRow &&
      event.changed.stamp <= known.heldAt &&
      opportunities.versionOf(event.id) === known.version
    return holds ? known.object : null
  }

  function* gather(now: number): Iterator<void> {
    const run = begin(now)
    let takeUp = createTaker(run)
    let takenAt = board.watermark
    for (let round = 0; round < mostRounds; round++) {
      const changed = [...opportunities.eventIds()].filter((id) => !holds(run, id))
      if (round > 0 && changed.length <= fewEvents) break
      for (const eventId of changed) {
        if (takenAt !== board.watermark) {
          takeUp = createTaker(run)
          takenAt = board.watermark
        }
        takeUp(eventId)
        yield
      }
      yield
    }
    let choice = choiceAt(now)
    for (const item of choice.page(partsOf(run))) {
      yield
      if (takenAt !== board.watermark) {
        choice = choiceAt(now)
        takenAt = board.watermark
      }
      showAhead(run, choice, item)
    }
    ready = run
  }

  return {
    ahead: (now) => (opportunities.all(kind.name).length > mostAtOnce ? gather(now) : null),
    take(now) {
      const run = ready && ready.sources === sources.version ? ready : begin(now)
      ready = null
      const takeUp = createTaker(run)
      for (const eventId of opportunities.eventIds()) if (!holds(run, eventId)) takeUp(eventId)
      const { show } = choiceAt(run.now)
      return {
        parts: partsOf(run),
        now: run.now,
        show: (item) => shownBefore(run, item) ?? show(item),
      }
    },
  }
}

export const partOf = (kind: Kind, items: readonly Item[], order: Order): Part => ({
  ...sortable(items, order),
  summary: summaryOf(kind.summary, items),
})
