/** Event fields that all responses share, limited to the caller's scope. */

import { isBehindPlay } from '../../pipeline/rules/odds/behind-play.ts'
import { usableMs } from '../../pipeline/rules/odds/freshness.ts'
import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import { isoTime } from '../../pipeline/text/iso-time.ts'
import type { ViewEvent, ViewOffer } from '../../pipeline/views/board/view-event.ts'
import { isOffered } from '../../pipeline/views/query/event-walk.ts'
import { type Scope, seesSportsbook } from '../access/scope.ts'
import { findEvent } from '../ask/event-filters.ts'
import { ApiError } from '../errors.ts'

/** @throws ApiError not_found for an event the scope does not show */
export function visibleEvent(scope: Scope, eventId: string): ViewEvent {
  const event = findEvent(scope, eventId)
  if (event) return event
  const shown = eventId.length > 100 ? `${eventId.slice(0, 100)}…` : eventId
  throw new ApiError('not_found', `No event has the id ${shown}.`)
}

/** Returns whether the lists of events show the event: a sportsbook of the scope has prices on it. */
export const isListed = (event: ViewEvent, { sportsbooks }: Scope): boolean =>
  isOffered(event, sportsbooks)

/** Returns the name of a game: visitors first. */
export const eventName = ({ row }: ViewEvent) => `${row.awayTeam} @ ${row.homeTeam}`

/** Returns the fields that identify a game and show its state. */
export const gameMembers = ({ row }: ViewEvent) => ({
  sport: row.sport,
  league: row.league,
  home_team: row.homeTeam,
  away_team: row.awayTeam,
  start_time: isoTime(row.startsAt),
  status: row.status,
  is_live: row.isLive,
})

/** Sportsbooks of the scope with prices on the event, by slug. */
export function offersOf(event: ViewEvent, scope: Scope): ViewOffer[] {
  return [...event.offers.values()]
    .filter((offer) => offer.rowCount > 0 && seesSportsbook(scope, offer.sportsbook))
    .sort((a, b) => compareTexts(a.sportsbook, b.sportsbook))
}

/**
 * Returns the sportsbooks of the scope whose prices on the event are all too old to be a best price
 * or part of an opportunity. By slug; undefined if there are none. As in `/odds/best`, each price's
 * age limit depends on whether the price itself is in play. Once a game is in play, pre-match
 * prices do not count.
 * @param now epoch ms
 */
export function staleBooks(event: ViewEvent, scope: Scope, now: number): string[] | undefined {
  // A delayed board is as old as its delay, so its prices are judged by the time of the board.
  const time = now - 1_000 * scope.delaySeconds
  const isOver = isBehindPlay(false, event.row)
  const isStale = (offer: ViewOffer) => {
    const age = time - offer.lastSeenAt
    if (isOver) return age > usableMs(true) || !hasRow(scope, offer, true)
    if (age <= usableMs(true)) return false
    return age > usableMs(false) || !hasRow(scope, offer, false)
  }
  let isAny = false
  for (const offer of event.offers.values()) isAny ||= isStale(offer)
  if (!isAny) return undefined
  const stale = offersOf(event, scope).filter(isStale)
  return stale.length > 0 ? stale.map(({ sportsbook }) => sportsbook) : undefined
}

/** Returns whether a sportsbook has a price in play on the event, or one from before. */
function hasRow({ board: { rows } }: Scope, { event, head }: ViewOffer, isLive: boolean): boolean {
  if (event.liveRowCount === 0) return !isLive
  if (event.liveRowCount === event.rowCount) return isLive
  for (let row = head; row >= 0; row = rows.next(row)) if (rows.isLive(row) === isLive) return true
  return false
}

/** Returns the newest sighting of the event in the scope (epoch ms), or 0 if no prices are visible. */
export function lastUpdate({ offers }: ViewEvent, scope: Scope): number {
  let newest = 0
  for (const { rowCount, lastSeenAt, sportsbook } of offers.values()) {
    if (rowCount > 0 && lastSeenAt > newest && seesSportsbook(scope, sportsbook))
      newest = lastSeenAt
  }
  return newest
}
