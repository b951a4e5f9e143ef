/**
 * Doubleheaders: two games of the same sides on one day. Sportsbooks often list the second with a placeholder start,
 * nearer to the first game than to its own, so the start alone does not show which game a listing is.
 *
 * Two starts or ids that a sportsbook lists at the same time are two games. In sports without
 * doubleheaders they must have exactly the same time of observation, because a start may move
 * between two pushes. If both fit one event, it gets the listing whose start is nearer to that of
 * the other sportsbooks. These may move their start first. So a later listing takes an event from
 * an earlier one only if its start is exactly theirs.
 */

import { isOver } from '../../rules/games/event-end.ts'
import { createSides } from '../../rules/names/game-sides.ts'
import { sideOptionsOf } from '../../rules/names/side-options.ts'
import {
  datesAmong,
  hasDoubleheaders,
  sameStartMs,
  tieMs,
  windowOf,
} from '../../rules/names/start-times.ts'
import {
  type EventEntry,
  isLeading,
  mayMove,
  noRow,
  type Offer,
  offersNothing,
  type Statement,
  stands,
  viaOf,
} from './offer.ts'

/** Records of one push may have different times. Closer than this, they count as observed at the same time. */
const atOnceMs = 1_000

/** A start is not listed any more after this silence, if another was stated twice meanwhile. */
export const unlistedMs = 2 * 60_000

/**
 * Returns the events that a statement of an unknown listing may belong to: all but those that the sportsbook lists at
 * the same time under another id or start. An event is returned without the sportsbook's listing if
 * the statement fits better, or if that listing came from another source with its own ids.
 */
export function candidatesFor(
  statement: Statement,
  all: readonly EventEntry[],
): readonly EventEntry[] {
  const { homeTeam: home, awayTeam: away, sport, league, startsAt } = statement.event
  const isOneGame = statement.event.externalId !== null && !hasDoubleheaders(statement.event)
  const sides = createSides({ home, away }, sideOptionsOf(sport, league))
  return all.flatMap((event) => {
    const offer = event.offers.get(statement.sportsbook)
    if (!offer) return event
    if (isByOtherSource(offer, statement)) return withoutOffer(offer)
    if (isOneGame) return event
    if (displaces(statement, offer)) return withoutOffer(offer)
    if (!standsBeside(offer, statement)) return event
    // A game of other sides stays, because a short name may mean either game.
    const isNear = Math.abs(event.startsAt - startsAt) <= windowOf(statement.event)
    return isNear && sides(event).weaker === 0 && sides(offer).weaker === 0 ? event : []
  })
}

/**
 * Returns whether a sportsbook's offer and a statement under another id or start may be two games
 * of the same sides. They may if such sides play more than once a day or, in any sport, if one push
 * or reading lists two starts.
 */
const mayBeTwoGames = ({ event, observedAt }: Statement, { lastSeenAt }: Offer): boolean =>
  hasDoubleheaders(event) || (event.externalId === null && observedAt === lastSeenAt)

/** Returns whether an offer of another game counts: it has prices, or is over by the sportsbook. */
const standsBeside = (offer: Offer, statement: Statement): boolean =>
  mayBeTwoGames(statement, offer) &&
  isOfAnother(offer, statement) &&
  (isOver(offer.statedStatus) || stands(offer, statement.observedAt))

/**
 * Returns the events that a statement of a known listing fits better than the sportsbook's own
 * listing there, without that listing: it is later than the statement, or it has no prices because
 * its start has moved to the statement's. If other sportsbooks are on the statement's present
 * event, they must have moved there from the returned one.
 */
export function betterFits(
  { event: own }: Offer,
  statement: Statement,
  all: readonly EventEntry[],
): EventEntry[] {
  const { event: stated, sportsbook, observedAt } = statement
  const fits: EventEntry[] = []
  if (!hasDoubleheaders(stated)) return fits
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

/**
 * Returns whether a listing without an id has moved from another event: its former start there has
 * no prices left.
 */
function hasMovedFrom({ offers }: EventEntry, { sportsbook, externalId }: Offer, at: number) {
  const former = offers.get(sportsbook)
  return externalId === null && former !== undefined && !stands(former, at)
}

/**
 * Returns the events where the statement's sportsbook has prices of another start, which the statement shows to be no
 * longer listed: its own start is new and was not observed together with the other, or it was stated twice since the
 * other was last seen. In play this shows nothing, because prices of the other start may be sent far less often.
 * @param known the statement's listing; null if it is new
 */
export function noLongerListed(
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

/** Returns whether a statement displaces its sportsbook's offer, which is then of another game. */
export const displaces = (statement: Statement, offer: Offer): boolean =>
  mayBeTwoGames(statement, offer) && isOfAnother(offer, statement) && fitsBetter(statement, offer)

/**
 * Returns whether an offer's prices came from another source than the statement: both may list the
 * same games.
 */
const isByOtherSource = ({ via }: Offer, statement: Statement) => via !== viaOf(statement)

/**
 * Returns whether an offer has another listing than the statement, by the id or, without one, by
 * the start. A start that moves by minutes is the same listing.
 */
function isOfAnother(offer: Offer, statement: Statement): boolean {
  const { externalId, startsAt } = statement.event
  if (offer.listing === '' || (offer.externalId === null) !== (externalId === null)) return false
  if (isByOtherSource(offer, statement)) return false
  if (externalId !== null)
    return offer.externalId !== externalId && !offer.formerListings.includes(externalId)
  return mayRelist(statement, offer) && Math.abs(offer.startsAt - startsAt) >= sameStartMs
}

/**
 * Returns whether a statement's start is nearer to that of the other sportsbooks than the offer's.
 * A later start must be exactly theirs, and the listing have no id: then it is the game's new
 * start.
 */
function fitsBetter(statement: Statement, offer: Offer): boolean {
  const { startsAt, externalId } = statement.event
  // Starts that are further apart are of two events. This skips most games of a league early.
  if (Math.abs(offer.startsAt - startsAt) > 2 * windowOf(statement.event)) return false
  const usual = startOfOthers(offer)
  if (usual === undefined || !mayRelist(statement, offer)) return false
  const apartMs = Math.abs(startsAt - usual)
  if (!isEarlier(statement, offer) && (externalId !== null || apartMs >= sameStartMs)) return false
  return apartMs + tieMs <= Math.abs(offer.startsAt - usual)
}

const isEarlier = (statement: Statement, offer: Offer) => statement.event.startsAt < offer.startsAt

/** Returns whether a statement has prices and may change the offer's start. */
export const mayRelist = (statement: Statement, offer: Offer) =>
  statement.type === 'odds' && !offersNothing(statement) && mayMove(offer, statement)

/**
 * Returns the start that most other offers with prices list (in a tie, the earliest); undefined
 * without others.
 */
function startOfOthers({ event, sportsbook }: Offer): number | undefined {
  const votes = new Map<number, number>()
  for (const other of event.offers.values())
    if (other.sportsbook !== sportsbook && other.head !== noRow)
      votes.set(other.startsAt, (votes.get(other.startsAt) ?? 0) + 1)
  for (const date of datesAmong(event.row, votes)) votes.delete(date)
  const most = Math.max(0, ...votes.values())
  const usual = [...votes.keys()].filter((start) => votes.get(start) === most)
  return usual.length === 0 ? undefined : Math.min(...usual)
}

/** Returns the event as it would be without a sportsbook's listing. */
export function withoutOffer(offer: Offer): EventEntry {
  const { event, sportsbook } = offer
  const [offers, externalIds] = [new Map(event.offers), new Map(event.externalIds)]
  offers.delete(sportsbook)
  externalIds.delete(sportsbook)
  return { ...event, startsAt: startOfOthers(offer) ?? event.startsAt, offers, externalIds }
}
