/**
 * What an event's row says once its sportsbooks disagree: sides, start and whether it is in play are
 * settled by what most of them say; whether it is over, by `rules/event-end.ts`.
 */

import type { EventRow } from '../../../schemas/event.ts'
import { type ClosedStatus, closedStatus, type Say } from '../../rules/event-end.ts'
import { type EventEntry, noRow, type Offer } from './event-book.ts'

/** The event's row after its offers changed; null when it stays as it is. */
export function settledRow(event: EventEntry, updatedAt: number): EventRow | null {
  const { row, offers, frameHome, frameAway } = event
  const voters = votersOf(event)
  let swapped = 0
  let isLive = false
  for (const offer of voters) {
    if (offer.swapped) swapped++
    isLive ||= offer.isLive
  }
  for (const { statedStatus } of offers.values()) isLive ||= statedStatus === 'live'
  const straight = voters.length - swapped
  const flipped = swapped === straight ? row.flipped : swapped > straight
  const startsAt = usualStart(event)
  const status = closedAs(event) ?? (isLive ? 'live' : 'upcoming')
  if (row.flipped === flipped && row.startsAt === startsAt && row.status === status) return null
  return {
    ...row,
    homeTeam: flipped ? frameAway : frameHome,
    awayTeam: flipped ? frameHome : frameAway,
    flipped,
    startsAt,
    status,
    isLive: status === 'live',
    updatedAt,
  }
}

/**
 * What the event is closed as; null while it is open.
 * @param comes one who is about to offer prices
 */
export function closedAs({ offers }: EventEntry, comes?: Offer): ClosedStatus | null {
  const says: Say[] = []
  for (const offer of offers.values()) {
    const { sportsbook, statedStatus, head } = offer
    says.push({ sportsbook, statedStatus, isOffering: head !== noRow || offer === comes })
  }
  return closedStatus(says)
}

/** A sportsbook that offers nothing any more has no vote, unless none offers anything. */
function votersOf({ offers }: EventEntry): readonly Offer[] {
  const all = [...offers.values()]
  const offering = all.filter(({ head }) => head !== noRow)
  return offering.length > 0 ? offering : all
}

/** The start most sportsbooks give; between equals the one the event has, then the earliest. */
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
