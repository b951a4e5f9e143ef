/**
 * Two games of the same sides on one day at one sportsbook. The start of the second is often a placeholder, nearer to
 * the first game than to its own, so the start alone does not say which game a listing is. Two starts, or two ids,
 * that a sportsbook lists at once are two games, and an event is the one whose start is nearer to that of the other
 * sportsbooks on it. As a start may move at the others first, the later game takes no event from the earlier one.
 */

import { isOver } from '../../rules/games/event-end.ts'
import { createSides } from '../../rules/names/game-sides.ts'
import { sideOptionsOf } from '../../rules/names/side-options.ts'
import { hasDoubleheaders, sameStartMs, tieMs, windowOf } from '../../rules/names/start-times.ts'
import {
  type EventEntry,
  isLeading,
  mayMove,
  noRow,
  type Offer,
  offersNothing,
  type Statement,
  stands,
} from './offer.ts'

/** Records of one push may have times of their own: closer than this they were observed at once. */
const atOnceMs = 1_000

/** The silence after which a start is not listed any more, if another has been stated twice meanwhile. */
const unlistedMs = 2 * 60_000

/**
 * Returns the events that a statement of an unknown listing may be of. Left out are those that the sportsbook lists at
 * the same time under another id or start; one that the statement fits better is returned as the others list it.
 */
export function candidatesFor(
  statement: Statement,
  all: readonly EventEntry[],
): readonly EventEntry[] {
  const { homeTeam: home, awayTeam: away, sport, league, startsAt } = statement.event
  if (!hasDoubleheaders(sport)) return all
  const sides = createSides({ home, away }, sideOptionsOf(sport, league))
  return all.flatMap((event) => {
    const offer = event.offers.get(statement.sportsbook)
    if (!offer) return event
    if (displaces(statement, offer)) return withoutOffer(offer)
    if (!standsBeside(offer, statement)) return event
    // A game of other sides stays: a short name may be of both.
    const isNear = Math.abs(event.startsAt - startsAt) <= windowOf(sport)
    return isNear && sides(event).weaker === 0 && sides(offer).weaker === 0 ? event : []
  })
}

/** Returns whether the sportsbook lists another game there: one with prices, or one that it has called over. */
const standsBeside = (offer: Offer, statement: Statement): boolean =>
  isOfAnother(offer, statement) &&
  (isOver(offer.statedStatus) || stands(offer, statement.observedAt))

/**
 * Returns the events, as others list them, that a statement of a known listing fits better than the sportsbook's
 * listing there: a later one, or one whose start has moved to this one, so that it has no prices. A listing that
 * shares its event with others moves only if they have moved there from that event.
 */
export function betterFits(
  { event: own }: Offer,
  statement: Statement,
  all: readonly EventEntry[],
): EventEntry[] {
  const { event: stated, sportsbook, observedAt } = statement
  const fits: EventEntry[] = []
  if (!hasDoubleheaders(stated.sport)) return fits
  for (const event of all) {
    const offer = event.offers.get(sportsbook)
    if (!offer || !displaces(statement, offer)) continue
    if (!isEarlier(statement, offer) && stands(offer, observedAt)) continue
    const others = [...own.offers.values()].filter((other) => other.sportsbook !== sportsbook)
    if (others.every((other) => other.listing === '' || hasMovedFrom(event, other, observedAt)))
      fits.push(withoutOffer(offer))
  }
  return fits
}

/** Returns whether a listing without an id is of the game of another event, where its former start has no prices. */
function hasMovedFrom({ offers }: EventEntry, { sportsbook, externalId }: Offer, at: number) {
  const former = offers.get(sportsbook)
  return externalId === null && former !== undefined && !stands(former, at)
}

/**
 * Returns the events with prices of another start of the statement's sportsbook, of which the statement says that it
 * is not listed: by a new start that was not observed with it, or by two statements since it was last seen. In play
 * the listed start says nothing of the other, whose prices may be sent far less often.
 * @param known the statement's listing; null if it is new
 */
export function listedBeside(
  statement: Statement,
  known: Offer | null,
  all: readonly EventEntry[],
): EventEntry[] {
  const { sportsbook, observedAt, event } = statement
  if (known && isLeading(statement) && event.isLive) return []
  return all.filter(({ offers }) => {
    const offer = offers.get(sportsbook)
    if (!offer || !stands(offer, observedAt) || !isOfAnother(offer, statement)) return false
    const silentMs = observedAt - offer.lastSeenAt
    if (!known) return silentMs >= atOnceMs
    return offer.lastSeenAt < known.lastSeenAt && silentMs >= unlistedMs
  })
}

/** Returns whether a statement takes the event of a listing of its sportsbook, which is of another game. */
export const displaces = (statement: Statement, offer: Offer): boolean =>
  hasDoubleheaders(statement.event.sport) &&
  isOfAnother(offer, statement) &&
  fitsBetter(statement, offer)

/**
 * Returns whether the listing is not the statement's: by its id or, without one, by its start. A start that moves by
 * minutes is the same listing.
 */
function isOfAnother(offer: Offer, statement: Statement): boolean {
  const { externalId, startsAt } = statement.event
  if (offer.listing === '' || (offer.externalId === null) !== (externalId === null)) return false
  if (externalId !== null)
    return offer.externalId !== externalId && !offer.formerListings.includes(externalId)
  return mayCount(statement, offer) && Math.abs(offer.startsAt - startsAt) >= sameStartMs
}

/**
 * Returns whether a statement's start is nearer to that of the other sportsbooks than the listing's. A later start
 * must be theirs, and without an id: it is the game's new start.
 */
function fitsBetter(statement: Statement, offer: Offer): boolean {
  const { startsAt, sport, externalId } = statement.event
  // Two starts further apart are not of one event: this spares looking at most games of a league.
  if (Math.abs(offer.startsAt - startsAt) > 2 * windowOf(sport)) return false
  const usual = startOfOthers(offer)
  if (usual === undefined || !mayCount(statement, offer)) return false
  const apartMs = Math.abs(startsAt - usual)
  if (!isEarlier(statement, offer) && (externalId !== null || apartMs >= sameStartMs)) return false
  return apartMs + tieMs <= Math.abs(offer.startsAt - usual)
}

const isEarlier = (statement: Statement, offer: Offer) => statement.event.startsAt < offer.startsAt

const mayCount = (statement: Statement, offer: Offer) =>
  statement.type === 'odds' && !offersNothing(statement) && mayMove(offer, statement)

/** Returns the start that most others with prices list, the earliest of several; undefined without others. */
function startOfOthers({ event, sportsbook }: Offer): number | undefined {
  const votes = new Map<number, number>()
  for (const other of event.offers.values())
    if (other.sportsbook !== sportsbook && other.head !== noRow)
      votes.set(other.startsAt, (votes.get(other.startsAt) ?? 0) + 1)
  const most = Math.max(0, ...votes.values())
  const usual = [...votes.keys()].filter((start) => votes.get(start) === most)
  return usual.length === 0 ? undefined : Math.min(...usual)
}

/** Returns the event as it would be without a sportsbook's listing. */
function withoutOffer(offer: Offer): EventEntry {
  const { event, sportsbook } = offer
  const [offers, externalIds] = [new Map(event.offers), new Map(event.externalIds)]
  offers.delete(sportsbook)
  externalIds.delete(sportsbook)
  return { ...event, startsAt: startOfOthers(offer) ?? event.startsAt, offers, externalIds }
}
