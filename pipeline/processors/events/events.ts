/**
 * The identity of events: finds the event and offer of a statement, applies it to them, and removes old ones. Keeps
 * the tables `events`, `sightings` and `aliases`; the other tables kept from statements about events (prices, states
 * of the game, …) are event tables, see `../event-tables.ts`.
 *
 * - A statement older than the newest of its kind (prices, state of the game) by its sportsbook on that event is
 *   ignored and counted. For other kinds, the table that keeps them decides.
 * - A sighting is written once per batch and offer: only the newest counts.
 * - The prices of an ended event (`rules/games/event-end.ts`) are withdrawn at once, and later statements of its
 *   prices are left out and counted.
 * - On a tick, offers expire. An event in play that nobody prices or ends leaves play. An event
 *   without prices is removed some time after its start, or before it if all sportsbooks are silent
 *   for long.
 */

import type { AliasOrder, AliasRow } from '../../../schemas/alias.ts'
import type { EventRow } from '../../../schemas/event.ts'
import { type Sighting, sightingKey } from '../../../schemas/sighting.ts'
import { topics } from '../../../schemas/topics.ts'
import type { Append, LogRecord } from '../../log/log.ts'
import { isOver } from '../../rules/games/event-end.ts'
import {
  eventRetentionMs,
  eventSilenceMs,
  expiryMs,
  playWithoutPricesMs,
} from '../../rules/odds/freshness.ts'
import { sourceFault } from '../own-sources.ts'
import { createAliases } from './aliases.ts'
import { createEventBook, type EventBook } from './event-book.ts'
import { closedAs, nextRow, playOf, usualStart } from './event-row.ts'
import { compareWithEvent, type PriceOf } from './evidence.ts'
import { createJoining } from './joining.ts'
import {
  type EventEntry,
  hasPrices,
  isLeading,
  lastHeardAt,
  lastWordAt,
  mayMove,
  noRow,
  type Offer,
  offersNothing,
  type Statement,
  tellsPlay,
  viaOf,
} from './offer.ts'

/** A statement that counts, and its effect on its offer. */
export interface Taken {
  readonly offer: Offer
  /** Whether the statement has the sides swapped against the event's frame. */
  readonly swapped: boolean
  /** Whether the sportsbook's earlier prices on the event are withdrawn unless repeated here. */
  readonly beginsAnew: boolean
  /** Whether the event is over, by this sportsbook or by all: its prices are left out. */
  readonly isAfterEnd: boolean
  readonly votesChanged: boolean
  /** Whether the sportsbook offered prices, and prices in play, before this statement. */
  readonly wasOffering: boolean
  readonly wasInPlay: boolean
  /** Whether it reported the score of a running game before this statement. */
  readonly wasTelling: boolean
}

/**
 * Why prices are withdrawn. `mistaken`: earlier records were of another game, or of the other side.
 * `ended`: they were right, but do not count any more.
 */
export type Withdrawal = 'mistaken' | 'ended'

export interface EventsOptions {
  emit(change: Append): void
  count(code: string): void
  /** Withdraws the offer's prices: it names another game, its sides were corrected, or it is over. */
  withdraw(offer: Offer, why?: Withdrawal): void
  /** Called when the event's row has changed. */
  changed(event: EventEntry, before: EventRow, at: number): void
  /** Called when the event is removed, with its offers, which have no prices. */
  forget(offer: Offer): void
  /** Called when the prices of the offer have not been seen for too long. */
  expire(offer: Offer): void
  readonly priceOf: PriceOf
}

export interface Events extends Pick<EventBook, 'offer' | 'all'> {
  /** Finds the event of a statement and applies it; null for a statement that does not count. */
  take(statement: Statement): Taken | null
  /** Updates the event's row, after the tables have taken the statement too. */
  reviewAfter(statement: Statement, taken: Taken): void
  tick(now: number): void
  /** Updates the event's row, after a table has changed whether an offer is in play. */
  review(event: EventEntry, at: number): void
  /** Applies the operator's decision about an alias. */
  applyOrder(order: AliasOrder): void
  /** Emits the sightings of the batch. */
  emitSightings(): void
  restore(record: LogRecord): void
}

export function createEvents(options: EventsOptions): Events {
  const { emit, count, withdraw, changed, expire, priceOf } = options
  const aliases = createAliases(emit)
  const joining = createJoining({
    aliases,
    count,
    weigh: (record, event, swapped) => compareWithEvent(record, event, swapped, priceOf),
  })
  const book = createEventBook({ joining, writeOrder: aliases.apply, count, retire })
  /** Offers whose sighting has changed in this batch. */
  const seen = new Set<Offer>()

  function emitEvent(event: EventEntry, row: EventRow) {
    event.row = row
    event.startsAt = row.startsAt
    emit({ topic: topics.events, partitionKey: row.league, key: row.id, value: row })
  }

  /** @param playBegins whether a sportsbook has begun to offer prices in play */
  function review(event: EventEntry, at: number, playBegins = false) {
    const { status, startsAt } = event.row
    if (status === 'postponed' && (playBegins || usualStart(event) > startsAt)) takeUp(event)
    if (isOver(closedAs(event))) for (const offer of event.offers.values()) withdraw(offer)
    const row = nextRow(event, at)
    if (!row) return
    const before = event.row
    emitEvent(event, row)
    changed(event, before, at)
  }

  /** Resets the outdated status "postponed" of sportsbooks when the event is scheduled again. */
  function takeUp({ offers }: EventEntry) {
    for (const offer of offers.values()) {
      if (offer.statedStatus !== 'postponed') continue
      offer.statedStatus = null
      seen.add(offer)
    }
  }

  /** Retires an offer whose listing the sportsbook now uses for another game. */
  function retire(offer: Offer, at: number, wasNever: boolean) {
    withdraw(offer, wasNever ? 'mistaken' : 'ended')
    if (wasNever) offer.statedStatus = null
    seen.add(offer)
    review(offer.event, at)
  }

  function take(statement: Statement): Taken | null {
    const located = book.locate(statement)
    if (!located) return null
    const { offer, renumbered, swapped } = located
    const { observedAt, event: stated } = statement
    const fault = sourceFault(offer, statement)
    if (fault !== null) {
      count(fault)
      return null
    }
    if (located.isNewEvent) emitEvent(offer.event, offer.event.row)
    const wasOffering = offer.head !== noRow
    const wasInPlay = offer.isLive && !offer.isByClock && wasOffering
    const wasTelling = tellsPlay(offer)
    const isFirst = lastWordAt(offer) === Number.NEGATIVE_INFINITY
    const turned = offer.swapped !== swapped
    const moves = mayMove(offer, statement)
    if (isLeading(statement)) {
      const lastOfKindAt = statement.type === 'odds' ? offer.lastSeenAt : offer.statedAt
      if (observedAt < lastOfKindAt || (turned && !moves)) {
        count('stale_observation')
        return null
      }
    } else if (!moves) {
      offer.heardAt = Math.max(offer.heardAt, observedAt)
      return {
        offer,
        swapped,
        beginsAnew: false,
        isAfterEnd: isLate(statement, offer),
        votesChanged: false,
        wasOffering,
        wasInPlay,
        wasTelling,
      }
    }
    seen.add(offer)
    if (statement.type === 'odds' && !wasOffering) offer.ownSince = null
    let votesChanged = isFirst || turned
    if (moves && offer.startsAt !== stated.startsAt) {
      if (isOfAnotherStart(offer, stated.startsAt)) offer.statedStatus = null
      offer.startsAt = stated.startsAt
      votesChanged = true
    }
    // Its reports on the earlier listing do not apply to this one.
    if (renumbered) offer.statedStatus = null
    // Earlier reports are of the other side.
    if (turned && correctsSides(statement)) withdraw(offer, 'mistaken')
    offer.swapped = swapped
    let wentLive = false
    const isHandedOver =
      statement.type === 'odds' &&
      offer.lastSeenAt !== Number.NEGATIVE_INFINITY &&
      offer.via !== viaOf(statement)
    switch (statement.type) {
      case 'odds':
        offer.lastSeenAt = observedAt
        offer.via = viaOf(statement)
        wentLive = offer.isLive !== stated.isLive && !(offer.isLive && saysNoPlay(statement))
        if (wentLive) offer.isLive = stated.isLive
        if (offer.isByClock !== (stated.isByClock === true)) {
          offer.isByClock = stated.isByClock === true
          votesChanged = true
        }
        if (isDeniedByPrices(offer)) {
          offer.statedStatus = null
          votesChanged = true
        }
        break
      case 'event_status':
        offer.statedAt = observedAt
        offer.statedStatus = statement.status
        if (isDeniedByPrices(offer)) offer.statedStatus = null
        break
      default:
        offer.heardAt = observedAt
    }
    // Under a new id, when it goes into play, and from another source, a sportsbook starts over:
    // earlier prices are gone.
    const beginsAnew = renumbered || wentLive || isHandedOver
    votesChanged ||= wentLive
    const isAfterEnd = statement.type !== 'event_status' && isLate(statement, offer)
    if (isAfterEnd && statement.type === 'odds' && !offersNothing(statement)) count('after_end')
    return {
      offer,
      swapped,
      beginsAnew,
      isAfterEnd,
      votesChanged,
      wasOffering,
      wasInPlay,
      wasTelling,
    }
  }

  /** Returns whether an event has ended and this statement does not open it again. */
  function isLate(statement: Statement, offer: Offer): boolean {
    if (!isEnded(offer)) return false
    const isOfPlay = statement.type === 'odds' || statement.type === 'game_state'
    if (isOver(offer.statedStatus) || !isOfPlay) return true
    return offersNothing(statement) || isOver(closedAs(offer.event, offer))
  }

  function forget(event: EventEntry) {
    const { id, league } = event.row
    for (const offer of event.offers.values()) {
      withdraw(offer)
      options.forget(offer)
      seen.delete(offer)
      const key = sightingKey(id, offer.sportsbook)
      emit({ topic: topics.sightings, partitionKey: league, key, value: null })
    }
    emit({ topic: topics.events, partitionKey: league, key: id, value: null })
    book.remove(event)
  }

  return {
    offer: book.offer,
    all: book.all,
    take,
    applyOrder: book.applyOrder,

    review,

    reviewAfter(statement, { offer, votesChanged, wasOffering, wasInPlay, wasTelling }) {
      const { event } = offer
      const { observedAt } = statement
      if (statement.type === 'event_status') {
        if (isOver(offer.statedStatus)) withdraw(offer)
        review(event, observedAt)
        return
      }
      const isOffering = offer.head !== noRow
      const isSame = wasOffering === isOffering && wasTelling === tellsPlay(offer)
      if (!votesChanged && isSame && !beginsAtStart(event, observedAt)) return
      const isInPlay = offer.isLive && !offer.isByClock && isOffering
      review(event, observedAt, isInPlay && !wasInPlay)
    },

    tick(now) {
      aliases.forgetOld(now)
      for (const event of book.all()) {
        let isChanged = false
        for (const offer of event.offers.values()) {
          const expiry = expiryMs(offer.isLive)
          if (offer.head !== noRow && now - offer.lastSeenAt > expiry) {
            expire(offer)
            count('expired_offer')
            isChanged = true
          }
          if (offer.statedStatus === 'live' && now - lastWordAt(offer) > expiry) {
            offer.statedStatus = null
            seen.add(offer)
            isChanged = true
          }
        }
        if (isChanged || isPlayOver(event, now)) review(event, now)
        if (isOutdated(event, now) && !hasPrices(event)) forget(event)
      }
    },

    emitSightings() {
      for (const offer of seen) {
        const value = sightingOf(offer)
        const key = sightingKey(value.eventId, value.sportsbook)
        emit({ topic: topics.sightings, partitionKey: value.league, key, value })
      }
      seen.clear()
    },

    restore({ topic, key, value }) {
      if (value === null) return
      if (topic.name === topics.aliases.name) aliases.restore(value as AliasRow)
      else if (topic.name === topics.events.name) book.restoreEvent(key, value as EventRow)
      else book.restoreSighting(value as Sighting)
    },
  }
}

function isOutdated(event: EventEntry, now: number): boolean {
  const { startsAt } = event.row
  if (now >= startsAt) return now - startsAt > eventRetentionMs
  for (const offer of event.offers.values()) {
    if (now - lastHeardAt(offer) <= eventSilenceMs) return false
  }
  return true
}

/**
 * Returns whether the event goes into play because its start has come, without a changed vote.
 * Visits the offers only while a game that should have begun is not in play.
 */
const beginsAtStart = (event: EventEntry, at: number) =>
  event.row.status === 'upcoming' &&
  at >= event.row.startsAt &&
  playOf(event, event.row.startsAt, at) !== null

/** Returns whether the event leaves play because time has passed, without a changed vote. */
const isPlayOver = (event: EventEntry, now: number) =>
  event.row.status === 'live' &&
  now - event.row.startsAt > playWithoutPricesMs &&
  playOf(event, event.row.startsAt, now) === null

function sightingOf({ event, ...offer }: Offer): Sighting {
  const { sportsbook, externalId, listing, formerListings, via, ownSince, home, away } = offer
  const { lastSeenAt, statedAt, heardAt, startsAt, isLive, swapped, statedStatus } = offer
  const isByClock = offer.isByClock || null
  const hasGivenPrices = lastSeenAt !== Number.NEGATIVE_INFINITY
  const hasStated = statedAt !== Number.NEGATIVE_INFINITY
  return {
    eventId: event.id,
    league: event.row.league,
    sportsbook,
    lastSeenAt: hasGivenPrices ? lastSeenAt : hasStated ? statedAt : heardAt,
    hasGivenPrices,
    statedAt: hasStated ? statedAt : null,
    externalId,
    listing,
    formerListings,
    homeTeam: home,
    awayTeam: away,
    startsAt,
    swapped,
    isLive,
    isByClock,
    via: via ?? '',
    ownSince,
    statedStatus,
  }
}

/**
 * Returns whether a record cannot end play: a delta without a price only confirms or withdraws
 * prices. Its sender may not know of play, such as a page of props that ended before the start.
 */
const saysNoPlay = (statement: Statement) =>
  statement.type === 'odds' && statement.mode === 'delta' && offersNothing(statement)

/**
 * Returns whether a statement with exchanged sides says that earlier ones had them wrong. Without
 * an id, the order is part of the spelling. Then a delta or a status in the other order repeats no
 * price, so it contradicts none.
 */
const correctsSides = (statement: Statement) =>
  statement.event.externalId !== null ||
  (statement.type === 'odds' && statement.mode === 'snapshot')

/** Returns whether bets on the event are over, at this sportsbook or at all. */
const isEnded = ({ statedStatus, event }: Offer) => isOver(statedStatus) || isOver(event.row.status)

/**
 * Returns whether this start makes it another game than the one the sportsbook called over or postponed: a game that
 * is over does not start later.
 */
const isOfAnotherStart = ({ statedStatus, startsAt, statedAt }: Offer, newStartsAt: number) =>
  newStartsAt > startsAt &&
  (statedStatus === 'postponed' || (isOver(statedStatus) && newStartsAt > statedAt))

/** Returns whether later pregame prices contradict the sportsbook's status "live". */
const isDeniedByPrices = ({ statedStatus, isLive, lastSeenAt, statedAt }: Offer) =>
  statedStatus === 'live' && !isLive && lastSeenAt > statedAt
