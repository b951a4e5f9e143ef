/**
 * An event's row, from listings that may disagree. Most listings decide the sides, their names and the start;
 * `rules/games/event-end.ts` decides whether the event is over, `rules/games/event-play.ts` whether it is in play. Every
 * response and stream uses this row.
 */

import type { EventRow } from '../../../schemas/event.ts'
import { findTeam } from '../../../schemas/reference/teams.ts'
import { type ClosedStatus, closedStatus, isOver, type Say } from '../../rules/games/event-end.ts'
import {
  hasBegun,
  isGivenUp,
  isInPlay,
  isInPlayByClock,
  lastsWithoutPrices,
} from '../../rules/games/event-play.ts'
import { shownName } from '../../rules/names/shown-names.ts'
import { datesAmong } from '../../rules/names/start-times.ts'
import {
  type EventEntry,
  hasPrices,
  lastHeardAt,
  lastWordAt,
  noRow,
  type Offer,
  tellsPlay,
} from './offer.ts'

/**
 * Returns the event's row after its offers or the time changed; null when it stays the same.
 * @param updatedAt the time of the statement or tick (epoch ms)
 */
export function nextRow(event: EventEntry, updatedAt: number): EventRow | null {
  const { row, frameHome, frameAway } = event
  const voters = votersOf([...event.offers.values()])
  let swapped = 0
  for (const offer of voters) if (offer.swapped) swapped++
  const startsAt = usualStart(event)
  const straight = voters.length - swapped
  const flipped = swapped === straight ? row.flipped : swapped > straight
  const play = playOf(event, startsAt, updatedAt)
  const status = closedAs(event) ?? (play === null ? 'upcoming' : 'live')
  // If play was ever reported, the game has begun, even if only clocks say so now.
  const isLiveByClock = status === 'live' && play === 'by_clock' && !hasBegun(row) ? true : null
  const home = shownSide(event, 'home', voters)
  const away = shownSide(event, 'away', voters)
  const [homeTeam, awayTeam] = flipped ? [away, home] : [home, away]
  const isNamedSo = row.homeTeam === homeTeam && row.awayTeam === awayTeam
  const stays =
    row.flipped === flipped &&
    row.startsAt === startsAt &&
    row.status === status &&
    (row.isLiveByClock ?? null) === isLiveByClock
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
    isLiveByClock,
    wasPlayed: wasPlayedBefore(event, { status, startsAt }, updatedAt) || null,
    updatedAt,
  }
}

/**
 * Returns `wasPlayed` of the next row. Once true it stays. It becomes true if the present row says
 * that play was reported and the next is not live. Play is taken back, and it stays false, before
 * the start, or if the event is upcoming again, has no later start, and is not left.
 */
function wasPlayedBefore(
  event: EventEntry,
  { status, startsAt }: Pick<EventRow, 'status' | 'startsAt'>,
  now: number,
): boolean {
  const { row } = event
  if (row.wasPlayed || !hasBegun(row)) return row.wasPlayed === true
  if (status === 'live' || now < row.startsAt) return false
  return status !== 'upcoming' || startsAt > now || isLeft(event, startsAt, now)
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

/**
 * Returns how it is known that an open event is in play; null if it is not.
 * @param startsAt its start by most sportsbooks
 */
export function playOf(
  event: EventEntry,
  startsAt: number,
  now: number,
): 'told' | 'by_clock' | null {
  if (isLeft(event, startsAt, now)) return null
  const isOffered = hasPrices(event)
  let playing = 0
  let waiting = 0
  let byClock = 0
  let newest = Number.NEGATIVE_INFINITY
  for (const offer of event.offers.values()) {
    newest = Math.max(newest, lastHeardAt(offer), offer.tellsPlayAt)
  }
  for (const offer of event.offers.values()) {
    const { head, isLive, isByClock, statedStatus } = offer
    const votes = head !== noRow || !isOffered
    const hasSpoken = lastWordAt(offer) !== Number.NEGATIVE_INFINITY
    const lasts = () => lastsWithoutPrices({ startsAt, saidAt: lastWordAt(offer), now })
    const playsByPrices = isLive && !isByClock && (votes || (!isOver(statedStatus) && lasts()))
    if (playsByPrices || statedStatus === 'live' || tellsPlay(offer)) playing++
    else if (!votes || !hasSpoken || isOver(statedStatus)) continue
    else if (isByClock && isLive) byClock++
    // A listing that was only read before its start cannot know of play, unless it lists a later
    // start.
    else if (!isByClock || offer.startsAt > newest) waiting++
  }
  const votes = { playing, waiting, hasStarted: newest >= startsAt }
  if (isInPlay(votes)) return 'told'
  return isInPlayByClock({ ...votes, byClock }) ? 'by_clock' : null
}

/** Returns whether, hours after the start, nobody has prices or has sent anything for long. */
function isLeft(event: EventEntry, startsAt: number, now: number): boolean {
  if (hasPrices(event)) return false
  let newest = Number.NEGATIVE_INFINITY
  for (const offer of event.offers.values()) {
    newest = Math.max(newest, lastHeardAt(offer), offer.tellsPlayAt, offer.heardAt)
  }
  return isGivenUp({ startsAt, lastWordAt: newest, now })
}

/** Returns the voting listings: those with prices, or all when none has prices. */
function votersOf(all: readonly Offer[]): readonly Offer[] {
  const offering = all.filter(({ head }) => head !== noRow)
  return offering.length > 0 ? offering : all
}

/** Returns the display name of a side: that of the reference table, else the usual spelling. */
function shownSide(event: EventEntry, side: 'home' | 'away', voters: readonly Offer[]): string {
  const { row, frameHome, frameAway } = event
  const listed = side === 'home' ? frameHome : frameAway
  if (findTeam(listed, row.league)?.name === listed) return listed
  const isHome = side === 'home'
  const shown = isHome === row.flipped ? row.awayTeam : row.homeTeam
  const spellings = voters.map((offer) => (isHome === offer.swapped ? offer.away : offer.home))
  return shownName(spellings, shown)
}

/**
 * Returns the start that most sportsbooks list, without those that list only its date. In a tie the event's own start
 * wins, then the earliest.
 */
export function usualStart({ row, offers }: EventEntry): number {
  const all = [...offers.values()]
  const [first] = all
  // The usual case: all agree.
  if (first && all.every(({ startsAt }) => startsAt === first.startsAt)) return first.startsAt
  const listed = all.filter(({ listing }) => listing !== '')
  const priced = datesAmong(row, votesOn(votersOf(listed)))
  // A time that only listings without prices give rules out a date only if the event's start is
  // not that date now: the start does not go back to midnight when the time's prices go.
  const kept = datesAmong(row, votesOn(listed)).filter((date) => date !== row.startsAt)
  const dates = [...priced, ...kept]
  const timed = all.filter(({ startsAt }) => !dates.includes(startsAt))
  const votes = votesOn(votersOf(timed))
  const most = Math.max(...votes.values())
  if (votes.get(row.startsAt) === most) return row.startsAt
  let earliest = Number.POSITIVE_INFINITY
  for (const [startsAt, count] of votes) {
    if (count === most && startsAt < earliest) earliest = startsAt
  }
  return earliest
}

/** Returns how many offers list each start. */
function votesOn(offers: readonly Offer[]): Map<number, number> {
  const votes = new Map<number, number>()
  for (const { startsAt } of offers) votes.set(startsAt, (votes.get(startsAt) ?? 0) + 1)
  return votes
}
