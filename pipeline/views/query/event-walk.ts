/**
 * A walk over the events that may hold matching prices, in page order, from the shortest lists that contain them all.
 */

import { eventListKey } from '../board/board-index.ts'
import type { BoardView } from '../board/board-view.ts'
import { compareEvents, firstNotBefore } from '../board/sorted-events.ts'
import type { ViewEvent } from '../board/view-event.ts'
import type { OddsFilter } from './odds-filter.ts'
import type { EventPlace } from './row-place.ts'

/** Returns the next event of a walk; undefined at its end. */
export type EventWalk = () => ViewEvent | undefined

/**
 * @param matchesEvent the filter's other tests of an event, besides its sportsbooks and live rows;
 * undefined for none
 * @param after starts with the event of this place, or the first after it
 */
export function walkEvents(
  view: BoardView,
  filter: OddsFilter,
  matchesEvent: ((event: ViewEvent) => boolean) | undefined,
  after: EventPlace | undefined,
): EventWalk {
  const { sportsbooks, live } = filter
  const from = after && { id: after.eventId, startsAt: after.startsAt }
  const next = merged(eventLists(view, filter), from)
  return () => {
    for (let event = next(); event; event = next()) {
      if (!isOffered(event, sportsbooks)) continue
      if (live !== undefined && !hasRows(event, live)) continue
      if (!matchesEvent || matchesEvent(event)) return event
    }
    return undefined
  }
}

/** Returns whether one of the sportsbooks has prices on the event. @param sportsbooks undefined for all */
export function isOffered(event: ViewEvent, sportsbooks: readonly string[] | undefined): boolean {
  if (!sportsbooks) return event.rowCount > 0
  for (const sportsbook of sportsbooks) {
    if ((event.offers.get(sportsbook)?.rowCount ?? 0) > 0) return true
  }
  return false
}

function hasRows({ rowCount, liveRowCount }: ViewEvent, live: boolean): boolean {
  return live ? liveRowCount > 0 : liveRowCount < rowCount
}

/** Returns the shortest lists that hold the filter's events, each in page order. */
export function eventLists(view: BoardView, filter: OddsFilter): readonly (readonly ViewEvent[])[] {
  if (filter.eventIds) return [eventsById(view, filter.eventIds)]
  const { leagues, sports, sportsbooks, live, isEventNamed } = filter
  const choices = [[view.events(live ? eventListKey.live : eventListKey.all)]]
  if (leagues) choices.push(leagues.map((league) => view.events(eventListKey.league(league))))
  if (sports) choices.push(sports.map((sport) => view.events(eventListKey.sport(sport))))
  if (sportsbooks && sportsbooks.length <= 4) {
    choices.push(sportsbooks.map((sportsbook) => view.events(eventListKey.book(sportsbook))))
  }
  if (isEventNamed) choices.push([namedEvents(view, isEventNamed)])
  const length = (lists: readonly (readonly ViewEvent[])[]) =>
    lists.reduce((sum, list) => sum + list.length, 0)
  return choices.reduce((least, choice) => (length(choice) < length(least) ? choice : least))
}

/** The events that a filter names, valid while no event comes, goes or changes. */
interface NamedEvents {
  readonly view: BoardView
  readonly shapeStamp: number
  readonly eventStamp: number
  readonly events: readonly ViewEvent[]
}

const named = new WeakMap<NonNullable<OddsFilter['isEventNamed']>, NamedEvents>()

function namedEvents(
  view: BoardView,
  isNamed: NonNullable<OddsFilter['isEventNamed']>,
): readonly ViewEvent[] {
  const { shapeStamp, eventStamp } = view
  const known = named.get(isNamed)
  if (known?.view === view && known.shapeStamp === shapeStamp && known.eventStamp === eventStamp) {
    return known.events
  }
  const events = view.events(eventListKey.all).filter(({ row }) => isNamed(row))
  named.set(isNamed, { view, shapeStamp, eventStamp, events })
  return events
}

function eventsById(view: BoardView, eventIds: readonly string[]): readonly ViewEvent[] {
  const found = new Set<ViewEvent>()
  for (const id of eventIds) {
    const event = view.find(id)
    if (event && event.rowCount > 0) found.add(event)
  }
  return [...found].sort(compareEvents)
}

/** Merges several ordered lists into one walk; an event in two lists comes once. */
function merged(
  lists: readonly (readonly ViewEvent[])[],
  from: { id: string; startsAt: number } | undefined,
): EventWalk {
  const at = lists.map((list) => (from ? firstNotBefore(list, from) : 0))
  if (lists.length === 1) {
    const [list] = lists
    let i = at[0]!
    return () => list![i++]
  }
  let last: ViewEvent | undefined
  return () => {
    for (;;) {
      let least = -1
      for (let i = 0; i < lists.length; i++) {
        const event = lists[i]![at[i]!]
        if (event && (least < 0 || compareEvents(event, lists[least]![at[least]!]!) < 0)) least = i
      }
      if (least < 0) return undefined
      const event = lists[least]![at[least]!++]!
      if (event === last) continue
      last = event
      return event
    }
  }
}
