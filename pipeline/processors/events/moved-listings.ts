/**
 * Listings that are checked again because the reasons for their event have changed: their start or
 * names were corrected, or the other sportsbooks moved theirs. Such a listing is alone on its
 * event, or no other there has its start. It moves to an event with prices of others, if its names
 * and start fit and its sportsbook has no other listing there.
 *
 * A delayed or postponed game keeps its event. While the others still have its former start, a
 * listing leaves them only for an event that one of them lists as well: that is another game. While
 * one of them calls the game postponed, a later start is its new one, even if it equals that of the
 * sides' next game.
 */

import { isOver } from '../../rules/games/event-end.ts'
import type { Match } from '../../rules/names/matching.ts'
import { hasDoubleheaders, mayBeOneStart, sameStartMs } from '../../rules/names/start-times.ts'
import { mayRelist, unlistedMs, withoutOffer } from './doubleheaders.ts'
import { type EventEntry, isListed, noRow, type Offer, type Statement, stands } from './offer.ts'

/**
 * The most events near a listing that are compared with it: without a limit, the cost would grow
 * with the square.
 */
const mostNear = 500

/**
 * Returns the event that a known listing belongs to, if it is not its present one.
 * @param find finds the listing's event among the given ones
 */
export function findElsewhere(
  known: Offer,
  statement: Statement,
  all: readonly EventEntry[],
  find: (candidates: readonly EventEntry[]) => Match<EventEntry> | null,
): Match<EventEntry> | null {
  const { sportsbook, event: stated } = statement
  if (!mayRelist(statement, known)) return null
  const others = pricedByOthers(known.event, sportsbook)
  if (others.some((other) => mayBeOneStart(stated, other, stated) || isPutOff(other))) return null
  const open = all.filter((event) => event !== known.event && isOpen(event))
  if (open.length === 0 || open.length > mostNear) return null
  const ids = new Set(open.map(({ id }) => id))
  // All events are candidates, because names that fit several decide nothing.
  const candidates = all.flatMap((event) => {
    if (event === known.event || !isListed(event)) return []
    const former = event.offers.get(sportsbook)
    return former && ids.has(event.id) ? withoutOffer(former) : event
  })
  const found = find(candidates)
  return found && ids.has(found.candidate.id) ? found : null

  /** Returns whether another sportsbook calls the game of its listing postponed, and the listing has a later start. */
  function isPutOff({ statedStatus, startsAt }: Offer): boolean {
    return statedStatus === 'postponed' && stated.startsAt > startsAt
  }

  /** Returns whether the listing may be of an event, by its start and by who lists the event. */
  function isOpen(event: EventEntry): boolean {
    const isNear = hasDoubleheaders(stated)
      ? Math.abs(event.startsAt - stated.startsAt) < sameStartMs
      : mayBeOneStart(stated, event, stated)
    if (!isNear) return false
    const theirs = pricedByOthers(event, sportsbook)
    if (theirs.length === 0) return false
    if (others.length > 0 && !theirs.some((one) => others.some((other) => isSameBook(one, other))))
      return false
    const former = event.offers.get(sportsbook)
    return former === undefined || isLeft(former, known, statement)
  }
}

/**
 * Returns whether a sportsbook's former listing on an event gives its place to a later one. It was
 * given up, or it has no prices left and was not listed together with the later one: that is then
 * the same game under another id or start. A listing may also end because its game begins, so both
 * must be before their start, or be reported in play.
 */
function isLeft(former: Offer, later: Offer, statement: Statement): boolean {
  const { observedAt, event: stated } = statement
  if (isOver(former.statedStatus) || !mayRelist(statement, former)) return false
  if (former.listing === '') return true
  const { row } = former.event
  const isPlayed = row.isLive && !row.isLiveByClock && stated.isLive && !stated.isByClock
  if (stands(former, observedAt) || (observedAt >= row.startsAt && !isPlayed)) return false
  // Seen this long after the later listing's event, both were listed together. The row's time
  // stands for the event's; it is later if the row has changed since.
  return former.lastSeenAt - later.event.row.updatedAt < unlistedMs
}

/** Returns the offers of other sportsbooks that have prices on an event. */
function pricedByOthers({ offers }: EventEntry, sportsbook: string): readonly Offer[] {
  return [...offers.values()].filter(
    (offer) => offer.sportsbook !== sportsbook && offer.head !== noRow,
  )
}

const isSameBook = (one: Offer, other: Offer) => one.sportsbook === other.sportsbook
