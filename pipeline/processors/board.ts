/**
 * The board: what every sportsbook said, as one event per game and one row per price.
 *
 * Reads `feed.odds`; keeps `events`, `sightings`, `odds` and `sportsbook-status`. Which listings are
 * one game is decided in `rules/matching.ts`; this file says when a row changes:
 * - a `snapshot` withdraws what it no longer names, a `delta` changes only what it names;
 * - an observation older than the newest of its sportsbook on that event is ignored and counted;
 * - a price seen again unchanged moves the sighting, not the row;
 * - on a tick, what has not been seen for too long leaves the board.
 * At-least-once safe: a batch taken again ends on the same rows.
 */

import { type EventRow, flipSelectionType } from '../../schemas/event.ts'
import type {
  BoardRecord,
  EventStatus,
  EventStatusRecord,
  FeedMarket,
  FeedSelection,
  OddsRecord,
} from '../../schemas/feed-record.ts'
import { hashIdentity, identityCheck, oddsId, oddsIdOf, selectionText } from '../../schemas/ids.ts'
import type { OddsRow } from '../../schemas/odds.ts'
import { type Sighting, sightingKey } from '../../schemas/sighting.ts'
import type { SportsbookStatus } from '../../schemas/sportsbook-status.ts'
import { textHash } from '../../schemas/text-hash.ts'
import { topics } from '../../schemas/topics.ts'
import type { Append } from '../log/log.ts'
import { eventRetentionMs, liveExpiryMs, preMatchExpiryMs } from '../rules/freshness.ts'
import { isPrice } from '../rules/odds.ts'
import { playerNameOf } from '../rules/player-names.ts'
import { selectionLabel } from '../rules/selections.ts'
import {
  createEventBook,
  type EventEntry,
  type Located,
  noRow,
  type Offer,
  type Statement,
} from './event-book.ts'
import { createPriceTable } from './price-table.ts'
import type { Processor, ProcessorState } from './processor.ts'

export const board: Processor = {
  name: 'board',
  inputs: [topics.feedOdds],
  tables: [topics.events, topics.sightings, topics.odds, topics.sportsbookStatus],
  create: createBoard,
}

function createBoard(): ProcessorState {
  const counts = new Map<string, number>()
  const events = createEventBook(count)
  const prices = createPriceTable()
  const sportsbookStatus = new Map<string, SportsbookStatus>()
  /** Numbers observations, so that a row knows whether the current one named it. */
  let stamp = 0

  let changes: Append[] = []
  const seen = new Set<Offer>()
  /** Ids that the current observation prices twice. */
  const ambiguous = new Set<number>()

  function count(code: string) {
    counts.set(code, (counts.get(code) ?? 0) + 1)
  }

  // ---- changes out

  function emitEvent(event: EventEntry, row: EventRow) {
    event.row = row
    changes.push({ topic: topics.events, partitionKey: row.league, key: row.id, value: row })
  }

  function emitOdds(league: string, id: number, value: OddsRow | null) {
    changes.push({ topic: topics.odds, partitionKey: league, key: String(id), value })
  }

  function withdraw(offer: Offer, row: number) {
    emitOdds(offer.event.row.league, prices.id(row), null)
    offer.head = prices.remove(row, offer.head)
  }

  function withdrawAll(offer: Offer) {
    while (offer.head !== noRow) withdraw(offer, offer.head)
  }

  // ---- an observation of odds

  function observeOdds(record: OddsRecord) {
    const located = see(record)
    if (!located) return
    const { offer, renumbered } = located
    stamp++
    ambiguous.clear()
    for (const market of record.markets) {
      for (const selection of market.selections) {
        observeSelection(offer, record, market, selection)
      }
    }
    // Under a new id the sportsbook begins anew: what this record does not name was of the old one.
    if (record.mode === 'snapshot' || renumbered) {
      for (let row = offer.head; row !== noRow; ) {
        const next = prices.next(row)
        if (prices.stampOf(row) !== stamp) withdraw(offer, row)
        row = next
      }
    }
  }

  /** Moves the sighting, and what of the event hangs on it; null when the statement does not count. */
  function see(statement: Statement): Located | null {
    const located = events.locate(statement)
    if (!located) return null
    const { offer, superseded } = located
    const { observedAt, event: stated } = statement
    if (superseded) retire(superseded)
    if (observedAt < offer.lastSeenAt) {
      count('stale_observation')
      return null
    }
    const isFirst = offer.lastSeenAt === Number.NEGATIVE_INFINITY
    offer.lastSeenAt = observedAt
    seen.add(offer)
    const votesChanged = takeVotes(located, stated)
    if (!isFirst && !votesChanged) return located
    const { event } = offer
    const settled = events.settle(event, observedAt)
    if (settled) emitEvent(event, settled)
    else if (isFirst && event.offers.size === 1) emitEvent(event, event.row)
    return located
  }

  /** What the sportsbook says of sides, start and play; true when that is new. */
  function takeVotes(
    { offer, swapped }: Located,
    { isLive, startsAt }: Statement['event'],
  ): boolean {
    if (offer.swapped === swapped && offer.isLive === isLive && offer.startsAt === startsAt) {
      return false
    }
    // Sides corrected: what was said of them before is of the other side.
    if (offer.swapped !== swapped) withdrawAll(offer)
    offer.swapped = swapped
    offer.isLive = isLive
    offer.startsAt = startsAt
    return true
  }

  /** The sportsbook has given the listing to another game: this one it no longer offers. */
  function retire(offer: Offer) {
    withdrawAll(offer)
    offer.listing = ''
    seen.add(offer)
  }

  function observeSelection(
    offer: Offer,
    record: OddsRecord,
    market: FeedMarket,
    stated: FeedSelection,
  ) {
    const { event } = offer
    const { id: eventId, league } = event.row
    const { sportsbook, observedAt } = record
    const { marketType } = market
    const playerName = market.playerName === null ? null : playerNameOf(market.playerName)
    const line = stated.line ?? market.line
    const selectionType = offer.swapped
      ? flipSelectionType(stated.selectionType)
      : stated.selectionType
    const selection = selectionLabel(selectionType, stated.selection, playerName, event)
    const identity = selectionText(marketType, line, playerName, selectionType, selection)
    const hash = hashIdentity(identity, offer.begunIdentity)
    const check = identityCheck(hash)
    let id = oddsIdOf(hash)
    let row = prices.find(id)
    // Two identities on one id: the later one takes the next free id of its own sequence.
    for (let turn = 1; row !== noRow && prices.check(row) !== check; turn++) {
      id = oddsId(`${identity}|${turn}`, offer.begunIdentity)
      row = prices.find(id)
    }

    if (stated.removed) {
      if (row !== noRow) withdraw(offer, row)
      return
    }
    if (ambiguous.has(id)) return
    const price = stated.price ?? (row === noRow ? null : prices.price(row))
    if (price === null) return count('suspended_without_price')
    if (!isPrice(price)) return count('impossible_price')
    if (row !== noRow && prices.stampOf(row) === stamp) {
      if (prices.price(row) === price) return
      // One sportsbook, one moment, one selection, two prices: neither can be trusted.
      ambiguous.add(id)
      withdraw(offer, row)
      return count('ambiguous_selection')
    }

    const { isLive } = record.event
    const isActive = !(market.suspended || stated.suspended)
    const maxBet = stated.maxBet ?? market.maxBet
    const details = detailsHash(
      selection,
      maxBet,
      stated.publicBetPct,
      market.externalId,
      stated.externalId,
      stated.deepLink,
    )
    let changedAt = stated.changedAt
    if (row === noRow) {
      row = prices.insert(id, check, offer.head)
      offer.head = row
    } else {
      const moved = prices.price(row) !== price || prices.isLive(row) !== isLive
      if (!moved && prices.isActive(row) === isActive && prices.details(row) === details) {
        prices.stamp(row, stamp)
        return
      }
      const before = prices.changedAt(row)
      changedAt = moved ? (changedAt ?? observedAt) : Number.isNaN(before) ? null : before
    }
    prices.stamp(row, stamp)
    prices.set(row, { price, isLive, isActive, changedAt: changedAt ?? Number.NaN, details })
    emitOdds(league, id, {
      id,
      eventId,
      league,
      sportsbook,
      marketType,
      selection,
      selectionType,
      line,
      playerName,
      statCategory: market.statCategory,
      price,
      isLive,
      isActive,
      maxBet,
      publicBetPct: stated.publicBetPct,
      observedAt,
      changedAt,
      externalMarketId: market.externalId,
      externalSelectionId: stated.externalId,
      deepLink: stated.deepLink,
    })
  }

  // ---- other statements

  function observeStatus(record: EventStatusRecord) {
    const located = see(record)
    if (!located) return
    const { event } = located.offer
    const { row } = event
    if (row.status === record.status) return
    emitEvent(event, withStatus(row, record.status, record.observedAt))
  }

  function observeTick(now: number) {
    for (const event of events.all()) {
      let hasRows = false
      for (const offer of event.offers.values()) {
        const expiry = offer.isLive ? liveExpiryMs : preMatchExpiryMs
        if (offer.head !== noRow && now - offer.lastSeenAt > expiry) {
          withdrawAll(offer)
          count('expired_offer')
        }
        hasRows ||= offer.head !== noRow
      }
      if (!hasRows && now - event.row.startsAt > eventRetentionMs) forget(event)
    }
  }

  function forget(event: EventEntry) {
    const { id, league } = event.row
    for (const offer of event.offers.values()) {
      seen.delete(offer)
      const key = sightingKey(id, offer.sportsbook)
      changes.push({ topic: topics.sightings, partitionKey: league, key, value: null })
    }
    changes.push({ topic: topics.events, partitionKey: league, key: id, value: null })
    events.remove(event)
  }

  function observe(record: BoardRecord) {
    switch (record.type) {
      case 'odds':
        return observeOdds(record)
      case 'event_status':
        return observeStatus(record)
      case 'tick':
        return observeTick(record.observedAt)
      case 'book_status': {
        const { sportsbook, status, observedAt: since } = record
        const known = sportsbookStatus.get(sportsbook)
        if (known && (known.since > since || known.status === status)) return
        const value = { sportsbook, status, since }
        sportsbookStatus.set(sportsbook, value)
        const topic = topics.sportsbookStatus
        changes.push({ topic, partitionKey: sportsbook, key: sportsbook, value })
      }
    }
  }

  return {
    counts,
    restore({ topic, key, value }) {
      switch (topic.name) {
        case topics.events.name:
          return events.restoreEvent(key, value as EventRow | null)
        case topics.sightings.name:
          return events.restoreSighting(value as Sighting | null)
        case topics.odds.name:
          return restoreOdds(value as OddsRow | null)
        case topics.sportsbookStatus.name:
          if (value) sportsbookStatus.set(key, value as SportsbookStatus)
      }
    },
    decide(records) {
      changes = []
      seen.clear()
      for (const { value } of records) observe(value as BoardRecord)
      // Freshness once per batch: only the newest sighting of an offer counts.
      for (const offer of seen) {
        const value = sightingOf(offer)
        const key = sightingKey(value.eventId, value.sportsbook)
        changes.push({ topic: topics.sightings, partitionKey: value.league, key, value })
      }
      return changes
    },
  }

  function restoreOdds(row: OddsRow | null) {
    if (!row) return
    const offer = events.offer(row.eventId, row.sportsbook)
    const { marketType, line, playerName, selectionType, selection } = row
    const identity = selectionText(marketType, line, playerName, selectionType, selection)
    const check = identityCheck(hashIdentity(identity, offer.begunIdentity))
    const at = prices.insert(row.id, check, offer.head)
    offer.head = at
    prices.set(at, {
      price: row.price,
      isLive: row.isLive,
      isActive: row.isActive,
      changedAt: row.changedAt ?? Number.NaN,
      details: detailsHash(
        row.selection,
        row.maxBet,
        row.publicBetPct,
        row.externalMarketId,
        row.externalSelectionId,
        row.deepLink,
      ),
    })
  }
}

function sightingOf({ event, ...offer }: Offer): Sighting {
  const { sportsbook, externalId, listing, formerListing } = offer
  const { lastSeenAt, startsAt, isLive, swapped } = offer
  return {
    eventId: event.id,
    league: event.row.league,
    sportsbook,
    lastSeenAt,
    externalId,
    listing,
    formerListing,
    startsAt,
    swapped,
    isLive,
  }
}

function withStatus(row: EventRow, status: EventStatus, updatedAt: number): EventRow {
  return { ...row, status, isLive: status === 'live', updatedAt }
}

/** A hash of what a row says besides its price. */
function detailsHash(
  selection: string,
  maxBet: number | null,
  publicBetPct: number | null,
  externalMarketId: string | null,
  externalSelectionId: string | null,
  deepLink: string | null,
): number {
  let hash = textHash(selection)
  hash = Math.imul(hash, 31) ^ numberHash(maxBet)
  hash = Math.imul(hash, 31) ^ numberHash(publicBetPct)
  hash = Math.imul(hash, 31) ^ (externalMarketId === null ? 1 : textHash(externalMarketId))
  hash = Math.imul(hash, 31) ^ (externalSelectionId === null ? 1 : textHash(externalSelectionId))
  return Math.imul(hash, 31) ^ (deepLink === null ? 1 : textHash(deepLink))
}

const numberHash = (value: number | null) => (value === null ? 1 : textHash(String(value)))
