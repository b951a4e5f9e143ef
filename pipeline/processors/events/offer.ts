/**
 * A sportsbook's offer on an event, the statements that change it, and tests of both that need no
 * other event. `event-book.ts` finds the offer of a statement, `events.ts` applies it.
 */

import type { EventRow } from '../../../schemas/event.ts'
import type {
  EventStatus,
  EventStatusRecord,
  FeedEvent,
  GameStateRecord,
  OddsRecord,
  SplitsRecord,
} from '../../../schemas/feed-record.ts'
import { hashIdentity, type IdentityHash, offerText } from '../../../schemas/ids.ts'
import type { Sighting } from '../../../schemas/sighting.ts'
import type { Candidate } from '../../rules/names/matching.ts'
import { expiryMs } from '../../rules/odds/freshness.ts'
import type { Sides } from '../../rules/odds/selections.ts'

/** The state of an offer that the table of closing lines keeps. */
export interface OfferCloses {
  /** The first of its entries, or -1. */
  first: number
  /** The number of entries without a row in the table; `written` of those with one. */
  open: number
  written: number
  /** The start it has been captured for (epoch ms); NaN while it is not. */
  closedFor: number
  /** The latest capture in its rows (epoch ms). */
  lastCapturedAt: number
  /** When its known prices were last observed (epoch ms). */
  seenAt: number
}

/**
 * One sportsbook on one event. The price table owns `head`, `filedByDraw` and `begunIdentity`, the closing lines own
 * `closes`.
 */
export interface Offer {
  readonly event: EventEntry
  readonly sportsbook: string
  externalId: string | null
  listing: string
  /** Its former listings, under other ids, the newest last. */
  formerListings: readonly string[]
  /**
   * The source that passed on its last prices; null if they are the sportsbook's own, or pushed.
   */
  via: string | null
  /** See `Sighting.ownSince`; null for none. Set by `own-sources.ts`. */
  ownSince: number | null
  /** When its prices were last observed (epoch ms); -Infinity until they are. */
  lastSeenAt: number
  /** When the sportsbook last reported the game's state (epoch ms); -Infinity for never. */
  statedAt: number
  /**
   * When it last sent any other record, such as a score (epoch ms). Used only while the sportsbook
   * has sent neither prices nor a state.
   */
  heardAt: number
  startsAt: number
  isLive: boolean
  /** Whether `isLive` only says that its start has passed. */
  isByClock: boolean
  /** The game's status by the sportsbook; null if none counts. */
  statedStatus: EventStatus | null
  /**
   * When it last reported the score of a running game; -Infinity for none. Set by the table of
   * games in play.
   */
  tellsPlayAt: number
  /** Whether the sportsbook has the sides swapped against the event's frame. */
  swapped: boolean
  /** The first of its rows in the price table, or -1. */
  head: number
  /** How many of its rows are filed by a draw (`OddsRow.isFiledByDraw`). */
  filedByDraw: number
  readonly closes: OfferCloses
  /** The common beginning of its rows' identity hashes. */
  readonly begunIdentity: IdentityHash
  /** The sides in the sportsbook's latest spelling. */
  home: string
  away: string
}

/** One event, in the frame of its first sportsbook: the sides its rows refer to. */
export interface EventEntry extends Sides, Candidate {
  row: EventRow
  startsAt: number
  readonly offers: Map<string, Offer>
  readonly externalIds: Map<string, string>
}

/**
 * Prices and the state of the game, which are on one topic in order. Only they change the offer's
 * listing, sides and start, because records of other topics come in any order.
 */
export type LeadingStatement = OddsRecord | EventStatusRecord

/** A statement of one sportsbook about one event. */
export type Statement = LeadingStatement | GameStateRecord | SplitsRecord

export const isLeading = (statement: Statement): statement is LeadingStatement =>
  statement.type === 'odds' || statement.type === 'event_status'

/** Returns the source that passes on a statement's prices; null if they are own or pushed ones. */
export const viaOf = (statement: Statement) =>
  statement.type === 'odds' ? (statement.via ?? null) : null

export const noRow = -1

/** Returns whether the sportsbook reports the score of a running game. */
export const tellsPlay = ({ tellsPlayAt }: Offer) => tellsPlayAt !== Number.NEGATIVE_INFINITY

/** Returns when the sportsbook last sent prices or reported the game's state. */
export const lastWordAt = ({ lastSeenAt, statedAt }: Offer) => Math.max(lastSeenAt, statedAt)

/** Returns when the sportsbook last sent anything that counts. */
export function lastHeardAt(offer: Offer): number {
  const leadAt = lastWordAt(offer)
  return leadAt === Number.NEGATIVE_INFINITY ? offer.heardAt : leadAt
}

/**
 * Returns whether a statement may change the offer's listing, sides and start: a leading statement
 * if it is not older than the last leading one; any other only while there is no leading one.
 */
export function mayMove(offer: Offer, statement: Statement): boolean {
  const leadAt = lastWordAt(offer)
  if (isLeading(statement)) return statement.observedAt >= leadAt
  return leadAt === Number.NEGATIVE_INFINITY && statement.observedAt >= offer.heardAt
}

/** Returns whether an offer has rows that have not expired. */
export const stands = ({ head, isLive, lastSeenAt }: Offer, at: number) =>
  head !== noRow && at - lastSeenAt <= expiryMs(isLive)

/** Returns whether a sportsbook has rows on the event. */
export function hasPrices({ offers }: EventEntry): boolean {
  for (const { head } of offers.values()) if (head !== noRow) return true
  return false
}

/** Returns whether a sportsbook lists the event. */
export function isListed({ offers }: EventEntry): boolean {
  for (const { listing } of offers.values()) if (listing !== '') return true
  return false
}

/** Returns whether a statement of prices only withdraws prices. */
export const offersNothing = (statement: Statement) =>
  statement.type === 'odds' &&
  statement.markets.every(({ selections }) => selections.every(({ removed }) => removed))

/** Returns the sportsbook's key of a game: its id or, without one, its sides and start. */
export function listingOf({ externalId, homeTeam, awayTeam, startsAt }: FeedEvent): string {
  return externalId ?? `${homeTeam}|${awayTeam}|${startsAt}`
}

/**
 * Returns whether a new listing of the offer's game is just a new spelling: same id, same start.
 */
export const isRespelt = (offer: Offer, { externalId, startsAt }: FeedEvent): boolean =>
  offer.listing !== '' &&
  (offer.externalId === null || externalId === null) &&
  offer.startsAt === startsAt

const never = Number.NEGATIVE_INFINITY

const noCloses = (seenAt: number): OfferCloses => ({
  first: noRow,
  open: 0,
  written: 0,
  closedFor: Number.NaN,
  lastCapturedAt: never,
  seenAt,
})

/** Creates the offer of a sportsbook on an event, from its first statement. */
export function createOffer(event: EventEntry, statement: Statement, swapped: boolean): Offer {
  const { sportsbook, event: stated } = statement
  return {
    event,
    sportsbook,
    begunIdentity: hashIdentity(offerText({ sportsbook, eventId: event.id })),
    externalId: stated.externalId,
    listing: listingOf(stated),
    formerListings: [],
    via: viaOf(statement),
    ownSince: null,
    lastSeenAt: never,
    statedAt: never,
    heardAt: never,
    startsAt: stated.startsAt,
    isLive: isLeading(statement) && stated.isLive,
    isByClock: stated.isByClock === true,
    statedStatus: null,
    tellsPlayAt: never,
    swapped,
    head: noRow,
    filedByDraw: 0,
    closes: noCloses(never),
    home: stated.homeTeam,
    away: stated.awayTeam,
  }
}

/** Creates the offer of a sighting, without its prices. */
export function restoreOffer(event: EventEntry, sighting: Sighting): Offer {
  const { sportsbook, lastSeenAt, statedAt, hasGivenPrices } = sighting
  const hasLed = hasGivenPrices || statedAt !== null
  const pricesSeenAt = hasGivenPrices ? lastSeenAt : never
  return {
    event,
    sportsbook,
    begunIdentity: hashIdentity(offerText({ sportsbook, eventId: event.id })),
    externalId: sighting.externalId,
    listing: sighting.listing,
    formerListings: sighting.formerListings,
    via: sighting.via || null,
    ownSince: sighting.ownSince ?? null,
    lastSeenAt: pricesSeenAt,
    statedAt: statedAt ?? never,
    heardAt: hasLed ? never : lastSeenAt,
    startsAt: sighting.startsAt,
    isLive: sighting.isLive,
    isByClock: sighting.isByClock === true,
    statedStatus: sighting.statedStatus,
    tellsPlayAt: never,
    swapped: sighting.swapped,
    head: noRow,
    filedByDraw: 0,
    closes: noCloses(pricesSeenAt),
    home: sighting.homeTeam,
    away: sighting.awayTeam,
  }
}
