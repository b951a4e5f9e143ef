/**
 * The indexes of a board: its events with rows by sport, league, sportsbook and live state, the counts of rows, and the
 * leagues and market types that have rows. An event is listed while it has rows.
 */

import type { EventRow } from '../../../schemas/event.ts'
import {
  type BookCounts,
  type Counted,
  createBookCounts,
  type Level,
  rowsOf,
} from './book-counts.ts'
import { createSortedEvents } from './sorted-events.ts'
import type { EventBlock, ViewEvent, ViewOffer } from './view-event.ts'

/** Keys of the event lists. */
export const eventListKey = {
  all: '*',
  /** Events with a live row. */
  live: 'live',
  sport: (sport: string) => `sport:${sport}`,
  league: (league: string) => `league:${league}`,
  book: (sportsbook: string) => `book:${sportsbook}`,
}

/** A league within its sport. */
export interface SportLeague {
  readonly sport: string
  readonly league: string
}

/** Levels of the row counts. */
export const countLevel = {
  all: '*',
  sport: (sport: string) => `sport:${sport}`,
  market: (marketType: string) => `market:${marketType}`,
  league: ({ sport, league }: SportLeague) => `league:${sport}|${league}`,
  leagueMarket: ({ sport, league }: SportLeague, marketType: string) =>
    `league:${sport}|${league}|${marketType}`,
}

/** The index of `countLevel.market` among the levels of a block. */
const marketLevel = 2

export interface BoardIndex {
  readonly counts: Pick<BookCounts, 'total' | 'changedAt'>
  /** Returns the events with rows, by `eventListKey`, in page order. */
  events(key: string): readonly ViewEvent[]
  /** Returns the leagues with rows, with their sport: an unlisted name may be a league of several sports. */
  leagues(): readonly SportLeague[]
  /** Returns the market types with rows. */
  marketTypes(): readonly string[]
  /** Returns the levels of a new block, for a row about to be added: a level is deleted with its last row. */
  levelsOf(event: EventRow, marketType: string): readonly Level[]
  /** Adds a row that was just added to its block and its offer. */
  add(block: EventBlock, offer: ViewOffer, row: Counted): void
  /** Removes a row that was just removed from its block and its offer. */
  remove(block: EventBlock, offer: ViewOffer, row: Counted): void
  /** Moves a row to another counter. */
  move(block: EventBlock, from: Counted, to: Counted): void
  /** Sets an event's start, and with it the event's place in the lists. */
  restart(event: ViewEvent, startsAt: number): void
}

/**
 * @param reshape called when a market type, or a sportsbook's prices on an event or at all, come or
 * go
 */
export function createBoardIndex(reshape: () => void): BoardIndex {
  const lists = createSortedEvents<ViewEvent>()
  const counts = createBookCounts()
  const leagues = new Map<string, SportLeague>()
  const marketTypes = new Set<string>()
  /** The number of rows by sportsbook. */
  const rowsOfBook: number[] = []

  const listKeys = ({ row }: ViewEvent) => [
    eventListKey.all,
    eventListKey.sport(row.sport),
    eventListKey.league(row.league),
  ]

  /** Returns all keys of the lists that the event is in. */
  function keysOf(event: ViewEvent): readonly string[] {
    if (event.rowCount === 0) return []
    const keys = listKeys(event)
    for (const { rowCount, sportsbook } of event.offers.values()) {
      if (rowCount > 0) keys.push(eventListKey.book(sportsbook))
    }
    if (event.liveRowCount > 0) keys.push(eventListKey.live)
    return keys
  }

  function count({ levels, event }: EventBlock, row: Counted, by: 1 | -1) {
    const { book, isLive } = row
    counts.add(levels, row, by)
    event.rowCount += by
    event.listingChanges++
    rowsOfBook[book] = (rowsOfBook[book] ?? 0) + by
    // A scope has this market type if one of its sportsbooks has rows of it.
    const ofMarket = rowsOf(levels[marketLevel]!, book)
    const isFirst = by > 0 && (rowsOfBook[book] === 1 || ofMarket === 1)
    if (isFirst || rowsOfBook[book] === 0 || ofMarket === 0) reshape()
    if (isLive) countLive(event, by)
  }

  function countLive(event: ViewEvent, by: 1 | -1) {
    if (event.liveRowCount === 0) lists.add(eventListKey.live, event)
    event.liveRowCount += by
    if (event.liveRowCount === 0) lists.remove(eventListKey.live, event)
  }

  return {
    counts,
    events: lists.list,
    leagues: () => [...leagues.values()],
    marketTypes: () => [...marketTypes],
    levelsOf({ sport, league }, marketType) {
      const of = { sport, league }
      leagues.set(countLevel.league(of), of)
      if (!marketTypes.has(marketType)) {
        marketTypes.add(marketType)
        reshape()
      }
      return [
        countLevel.all,
        countLevel.sport(sport),
        countLevel.market(marketType),
        countLevel.league(of),
        countLevel.leagueMarket(of, marketType),
      ].map(counts.level)
    },
    add(block, offer, row) {
      const { event } = block
      if (event.rowCount === 0) for (const key of listKeys(event)) lists.add(key, event)
      if (offer.rowCount === 1) {
        lists.add(eventListKey.book(offer.sportsbook), event)
        // Scopes with this sportsbook may see the event from now on.
        reshape()
      }
      count(block, row, 1)
    },
    remove(block, offer, row) {
      const { event, marketType } = block
      count(block, row, -1)
      if (offer.rowCount === 0) {
        lists.remove(eventListKey.book(offer.sportsbook), event)
        // Scopes without the event's other sportsbooks do not see it from now on.
        reshape()
      }
      if (event.rowCount === 0) for (const key of listKeys(event)) lists.remove(key, event)
      const league = countLevel.league(event.row)
      if (counts.total(league, undefined, undefined) === 0) leagues.delete(league)
      if (counts.total(countLevel.market(marketType), undefined, undefined) === 0) {
        marketTypes.delete(marketType)
        reshape()
      }
    },
    move({ levels, event }, from, to) {
      counts.move(levels, from, to)
      if (from.isLive !== to.isLive) countLive(event, to.isLive ? 1 : -1)
    },
    restart(event, startsAt) {
      const keys = keysOf(event)
      for (const key of keys) lists.remove(key, event)
      event.startsAt = startsAt
      for (const key of keys) lists.add(key, event)
    },
  }
}
