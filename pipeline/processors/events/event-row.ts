/**
 * An event's row, from listings that may disagree. Most listings decide the sides, their names and the start;
 * `rules/games/event-end.ts` decides whether the event is over, `rules/games/event-play.ts` whether it is in play. Every
 * response and stream uses this row.
 */

import type { EventRow } from '../../../schemas/event.ts'
import { findTeam } from '../../../schemas/reference/teams.ts'
import { type ClosedStatus, closedStatus, isOver, type Say } from '../../rules/games/event-end.ts'
import { isInPlay } from '../../rules/games/event-play.ts'
import { shownName } from '../../rules/names/shown-names.ts'
import {
  type EventEntry,
  hasPrices,
  lastHeardAt,
  lastWordAt,
  noRow,
  type Offer,
  tellsPlay,
} from './offer.ts'

/** Returns the event's row after its offers changed; null when it stays the same. */
export function nextRow(event: EventEntry, updatedAt: number): EventRow | null {
  const { row, frameHome, frameAway } = event
  const voters = votersOf(event)
  let swapped = 0
  for (const offer of voters) if (offer.swapped) swapped++
  const startsAt = usualStart(event)
  const straight = voters.length - swapped
  const flipped = swapped === straight ? row.flipped : swapped > straight
  const status = closedAs(event) ?? (isPlayed(event, startsAt) ? 'live' : 'upcoming')
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
    const { sportsbook, statedStatus, head } = offer
    const isPlaying = head !== noRow || tellsPlay(offer) || offer === comes
    says.push({ sportsbook, statedStatus, isPlaying })
  }
  return closedStatus(says)
}

/** Returns whether an open event is in play. @param startsAt its start by most sportsbooks */
export function isPlayed(event: EventEntry, startsAt: number): boolean {
  const isOffered = hasPrices(event)
  let playing = 0
  let waiting = 0
  let newest = Number.NEGATIVE_INFINITY
  for (const offer of event.offers.values()) {
    const { head, isLive, statedStatus, tellsPlayAt } = offer
    newest = Math.max(newest, lastHeardAt(offer), tellsPlayAt)
    const votes = head !== noRow || !isOffered
    const hasSpoken = lastWordAt(offer) !== Number.NEGATIVE_INFINITY
    if ((votes && isLive) || statedStatus === 'live' || tellsPlay(offer)) playing++
    else if (votes && hasSpoken && !isOver(statedStatus)) waiting++
  }
  return isInPlay({ playing, waiting, hasStarted: newest >= startsAt })
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
