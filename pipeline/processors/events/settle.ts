/**
 * What an event's row says once its sportsbooks disagree: sides, their names, start and whether it is in
 * play are settled by what most of them say.
 */

import type { EventRow } from '../../../schemas/event.ts'
import type { EventStatus } from '../../../schemas/feed-record.ts'
import { findTeam } from '../../../schemas/reference/teams.ts'
import { shownName } from '../../rules/shown-names.ts'
import { type EventEntry, noRow, type Offer } from './event-book.ts'

/**
 * The event's row after its offers changed; null when it stays as it is.
 * @param playBegins a sportsbook has begun to offer prices in play
 */
export function settledRow(
  event: EventEntry,
  updatedAt: number,
  playBegins: boolean,
): EventRow | null {
  const { row, offers, frameHome, frameAway } = event
  // A sportsbook that offers nothing any more has no vote, unless none offers anything.
  const offering = [...offers.values()].filter(({ head }) => head !== noRow)
  const voters = offering.length > 0 ? offering : [...offers.values()]
  let swapped = 0
  for (const offer of voters) if (offer.swapped) swapped++
  let isLive = false
  for (const { isLive: saysLive, statedStatus, head } of offers.values()) {
    isLive ||= statedStatus === 'live' || (saysLive && (head !== noRow || offering.length === 0))
  }
  const straight = voters.length - swapped
  const flipped = swapped === straight ? row.flipped : swapped > straight
  const startsAt = usualStart(row, voters)
  // Final and cancelled stand until a sportsbook says otherwise; a new start ends a postponement,
  // and so does play.
  const derived =
    row.status === 'upcoming' ||
    row.status === 'live' ||
    (row.status === 'postponed' && (startsAt > row.startsAt || playBegins))
  const status = derived ? (isLive ? 'live' : 'upcoming') : row.status
  const home = shownSide(event, 'home', voters)
  const away = shownSide(event, 'away', voters)
  const [homeTeam, awayTeam] = flipped ? [away, home] : [home, away]
  const isNamedSo = row.homeTeam === homeTeam && row.awayTeam === awayTeam
  const stays = row.flipped === flipped && row.startsAt === startsAt && row.status === status
  if (stays && isNamedSo) return null
  return {
    ...row,
    homeTeam,
    awayTeam,
    listedHome: home === frameHome ? null : frameHome,
    listedAway: away === frameAway ? null : frameAway,
    flipped,
    startsAt,
    status,
    isLive: status === 'live',
    updatedAt,
  }
}

/**
 * The event's row after a sportsbook said what state the game is in; null when it stays as it is. One
 * sportsbook's word is enough for an end or a postponement; whether it is in play follows from the
 * offers.
 */
export function endedRow(row: EventRow, status: EventStatus, updatedAt: number): EventRow | null {
  const ends = isEnd(status)
  if (ends === isEnd(row.status) && (!ends || row.status === status)) return null
  return { ...row, status, isLive: status === 'live', updatedAt }
}

const isEnd = (status: EventStatus) => status !== 'upcoming' && status !== 'live'

/** The name of a side of the frame; that of the reference table where it is the table's. */
function shownSide(event: EventEntry, side: 'home' | 'away', voters: readonly Offer[]): string {
  const { row, frameHome, frameAway } = event
  const listed = side === 'home' ? frameHome : frameAway
  if (findTeam(listed, row.league)?.name === listed) return listed
  const isHome = side === 'home'
  const shown = isHome === row.flipped ? row.awayTeam : row.homeTeam
  const spellings = voters.map((offer) => (isHome === offer.swapped ? offer.away : offer.home))
  return shownName(spellings, shown)
}

/** The start most sportsbooks give; between equals the one the event has, then the earliest. */
function usualStart(row: EventRow, voters: readonly Offer[]): number {
  const votes = new Map<number, number>()
  let most = 0
  for (const { startsAt } of voters) {
    const count = (votes.get(startsAt) ?? 0) + 1
    votes.set(startsAt, count)
    if (count > most) most = count
  }
  if (votes.get(row.startsAt) === most) return row.startsAt
  let earliest = Number.POSITIVE_INFINITY
  for (const [startsAt, count] of votes) {
    if (count === most && startsAt < earliest) earliest = startsAt
  }
  return earliest
}
