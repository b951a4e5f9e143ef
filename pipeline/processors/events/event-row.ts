/**
 * An event's row, from listings that may disagree. Most listings decide the sides, their names and the start;
 * `rules/games/event-end.ts` decides whether the event is over. It is in play once one sportsbook offers prices in
 * play, calls it live, or reports a running score. Every response and stream uses this row.
 */

import type { EventRow } from '../../../schemas/event.ts'
import { findTeam } from '../../../schemas/reference/teams.ts'
import { type ClosedStatus, closedStatus, type Say } from '../../rules/games/event-end.ts'
import { shownName } from '../../rules/names/shown-names.ts'
import { type EventEntry, noRow, type Offer } from './offer.ts'

/** Returns the event's row after its offers changed; null when it stays the same. */
export function nextRow(event: EventEntry, updatedAt: number): EventRow | null {
  const { row, offers, frameHome, frameAway } = event
  const voters = votersOf(event)
  let swapped = 0
  let isLive = false
  for (const offer of voters) {
    if (offer.swapped) swapped++
    isLive ||= offer.isLive
  }
  const startsAt = usualStart(event)
  for (const { statedStatus, tellsPlay } of offers.values())
    isLive ||= statedStatus === 'live' || tellsPlay
  const straight = voters.length - swapped
  const flipped = swapped === straight ? row.flipped : swapped > straight
  const status = closedAs(event) ?? (isLive ? 'live' : 'upcoming')
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
 * Returns how the event ended; null while it is open.
 * @param comes a listing that is about to get prices or a score
 */
export function closedAs({ offers }: EventEntry, comes?: Offer): ClosedStatus | null {
  const says: Say[] = []
  for (const offer of offers.values()) {
    const { sportsbook, statedStatus, tellsPlay, head } = offer
    const isPlaying = head !== noRow || tellsPlay || offer === comes
    says.push({ sportsbook, statedStatus, isPlaying })
  }
  return closedStatus(says)
}

/** Returns the voting listings: those with prices, or all when none has prices. */
function votersOf({ offers }: EventEntry): readonly Offer[] {
  const all = [...offers.values()]
  const offering = all.filter(({ head }) => head !== noRow)
  return offering.length > 0 ? offering : all
}

/** Returns the display name of a side of the frame: the reference table's, else the usual spelling. */
function shownSide(event: EventEntry, side: 'home' | 'away', voters: readonly Offer[]): string {
  const { row, frameHome, frameAway } = event
  const listed = side === 'home' ? frameHome : frameAway
  if (findTeam(listed, row.league)?.name === listed) return listed
  const isHome = side === 'home'
  const shown = isHome === row.flipped ? row.awayTeam : row.homeTeam
  const spellings = voters.map((offer) => (isHome === offer.swapped ? offer.away : offer.home))
  return shownName(spellings, shown)
}

/** Returns the start that most sportsbooks list. In a tie the event's own start wins, then the earliest. */
export function usualStart(event: EventEntry): number {
  const { row } = event
  const votes = new Map<number, number>()
  let most = 0
  for (const { startsAt } of votersOf(event)) {
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
