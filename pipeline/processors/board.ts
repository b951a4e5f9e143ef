/**
 * The board: what every sportsbook said, as one event per game and one row per price.
 *
 * Reads `feed.odds`; keeps `events`, `sightings`, `odds` and `sportsbook-status`. Which listings are
 * one game is decided in `rules/matching.ts`; this file says when a row changes:
 * - a `snapshot` withdraws what it no longer names, a `delta` changes only what it names;
 * - an observation older than the newest of its kind (prices, state of the game) by its sportsbook on
 *   that event is ignored and counted;
 * - a price seen again unchanged moves the sighting, not the row;
 * - on a tick, what has not been seen for too long leaves the board.
 * At-least-once safe: a batch taken again ends on the same rows.
 */

import { type EventRow, flipLine, flipSelectionType } from '../../schemas/event.ts'
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
import { topics } from '../../schemas/topics.ts'
import { InvariantError } from '../invariant.ts'
import type { Append } from '../log/log.ts'
import { eventRetentionMs, expiryMs } from '../rules/freshness.ts'
import { isPrice } from '../rules/odds.ts'
import { playerNameOf } from '../rules/player-names.ts'
import { selectionLabel } from '../rules/selections.ts'
import {
  createEventBook,
  type EventEntry,
  lastWordAt,
  noRow,
  type Offer,
  type Statement,
} from './events/event-book.ts'
import { carriedAttributes, detailsHash, withAttributes } from './prices/carried.ts'
import { createPriceTable } from './prices/price-table.ts'
import { DecisionError, type Processor, type ProcessorState } from './processor.ts'

export const board: Processor = {
  name: 'board',
  inputs: [topics.feedOdds],
  tables: [topics.events, topics.sightings, topics.odds, topics.sportsbookStatus],
  create: createBoard,
}

/** A statement that counts. */
interface Taken {
  readonly offer: Offer
  readonly votesChanged: boolean
  /** What the sportsbook offered on the event before does not stand unless it is named again. */
  readonly beginsAnew: boolean
  /** Before this statement the sportsbook offered prices in play. */
  readonly wasInPlay: boolean
}

function createBoard(counts: Map<string, number> = new Map()): ProcessorState {
  const events = createEventBook(count, retire)
  const prices = createPriceTable()
  /** By partition and sportsbook: each partition has a row of its own, to be restored from. */
  const sportsbookStatus = new Map<string, SportsbookStatus>()
  /** Numbers observations, so that a row knows whether the current one named it. */
  let stamp = 0

  let changes: Append[] = []
  const seen = new Set<Offer>()
  /** Ids that the current observation prices twice. */
  const ambiguous = new Set<number>()
  /** What the current observation says is suspended, without a price. */
  const unpriced: { readonly market: FeedMarket; readonly selection: FeedSelection }[] = []

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
    const taken = take(record)
    if (!taken) return
    const { offer, beginsAnew } = taken
    const hadRows = offer.head !== noRow
    stamp++
    ambiguous.clear()
    unpriced.length = 0
    for (const market of record.markets) {
      for (const selection of market.selections) {
        // The price it had is no statement: another that names one goes first.
        if (selection.price === null && !selection.removed) unpriced.push({ market, selection })
        else observeSelection(offer, record, market, selection)
      }
    }
    for (const { market, selection } of unpriced) {
      observeSelection(offer, record, market, selection)
    }
    if (record.mode === 'snapshot' || beginsAnew) {
      for (let row = offer.head; row !== noRow; ) {
        const next = prices.next(row)
        if (prices.stampOf(row) !== stamp) withdraw(offer, row)
        row = next
      }
    }
    const hasRows = offer.head !== noRow
    if (taken.votesChanged || hadRows !== hasRows) {
      const playBegins = offer.isLive && hasRows && !taken.wasInPlay
      settle(offer.event, record.observedAt, playBegins)
    }
  }

  /** A statement that counts, once its sighting and votes are taken; null for one that does not. */
  function take(statement: Statement): Taken | null {
    const located = events.locate(statement)
    if (!located) return null
    const { offer, renumbered, swapped } = located
    const { observedAt, event: stated } = statement
    const isOdds = statement.type === 'odds'
    const lastOfKindAt = isOdds ? offer.lastSeenAt : offer.statedAt
    const lastAt = lastWordAt(offer)
    const turned = offer.swapped !== swapped
    // Sides and start are what the sportsbook said last, of prices or of the game's state.
    const isNewest = observedAt >= lastAt
    if (observedAt < lastOfKindAt || (turned && !isNewest)) {
      count('stale_observation')
      return null
    }
    const { event } = offer
    const isFirst = lastAt === Number.NEGATIVE_INFINITY
    if (isFirst && event.offers.size === 1) emitEvent(event, event.row)
    seen.add(offer)
    const wasInPlay = offer.isLive && offer.head !== noRow
    let votesChanged = isFirst || turned
    if (isNewest && offer.startsAt !== stated.startsAt) {
      offer.startsAt = stated.startsAt
      votesChanged = true
    }
    // Sides corrected: what was said of them before is of the other side.
    if (turned) withdrawAll(offer)
    offer.swapped = swapped
    let wentLive = false
    if (isOdds) {
      offer.lastSeenAt = observedAt
      wentLive = offer.isLive !== stated.isLive
      offer.isLive = stated.isLive
      if (isDeniedByPrices(offer)) {
        offer.statedStatus = null
        votesChanged = true
      }
    } else {
      offer.statedAt = observedAt
      offer.statedStatus = statement.status
      if (isDeniedByPrices(offer)) offer.statedStatus = null
    }
    // Under a new id, and at the start, a sportsbook begins anew: what it offered before is gone.
    const beginsAnew = renumbered || wentLive
    return { offer, votesChanged: votesChanged || wentLive, beginsAnew, wasInPlay }
  }

  /** The sportsbook has given the listing to another game: this one it no longer offers. */
  function retire(offer: Offer, at: number) {
    withdrawAll(offer)
    seen.add(offer)
    settle(offer.event, at)
  }

  /** Brings the event's row up to date with its offers. */
  function settle(event: EventEntry, at: number, playBegins = false) {
    const row = events.settle(event, at, playBegins)
    if (row) emitEvent(event, row)
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
    const statedLine = stated.line ?? market.line
    const line = offer.swapped ? flipLine(stated.selectionType, statedLine, marketType) : statedLine
    const selectionType = offer.swapped
      ? flipSelectionType(stated.selectionType, marketType)
      : stated.selectionType
    const label = stated.selection
    const selection = selectionLabel(selectionType, marketType, label, playerName, event)
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
      if (stated.price === null || prices.price(row) === price) return
      // One sportsbook, one moment, one selection, two prices: neither can be trusted.
      ambiguous.add(id)
      withdraw(offer, row)
      return count('ambiguous_selection')
    }

    const { isLive } = record.event
    const isActive = !(market.suspended || stated.suspended)
    const { statCategory } = market
    const attributes = carriedAttributes(stated, market)
    const details = detailsHash(selection, statCategory, attributes)
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
    const core = {
      id,
      eventId,
      league,
      sportsbook,
      marketType,
      selection,
      selectionType,
      line,
      playerName,
      statCategory,
      price,
      isLive,
      isActive,
      observedAt,
      changedAt,
    }
    emitOdds(league, id, withAttributes(core, attributes))
  }

  // ---- other statements

  function observeStatus(record: EventStatusRecord) {
    const { status, observedAt } = record
    const taken = take(record)
    if (!taken) return
    const { event } = taken.offer
    if (taken.beginsAnew) withdrawAll(taken.offer)
    const { row } = event
    // Ends and postponements hold for everybody; whether it is in play is the offers' to say.
    const ends = status !== 'live' && status !== 'upcoming'
    if (ends !== isEnd(row.status) || (ends && row.status !== status)) {
      emitEvent(event, withStatus(row, status, observedAt))
    }
    settle(event, observedAt)
  }

  function observeTick(now: number) {
    for (const event of events.all()) {
      let hasRows = false
      let expired = false
      for (const offer of event.offers.values()) {
        const expiry = expiryMs(offer.isLive)
        if (offer.head !== noRow && now - offer.lastSeenAt > expiry) {
          withdrawAll(offer)
          count('expired_offer')
          expired = true
        }
        if (offer.statedStatus === 'live' && now - lastWordAt(offer) > expiry) {
          offer.statedStatus = null
          seen.add(offer)
          expired = true
        }
        hasRows ||= offer.head !== noRow
      }
      if (expired) settle(event, now)
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

  function observe(record: BoardRecord, partition: number) {
    switch (record.type) {
      case 'odds':
        return observeOdds(record)
      case 'event_status':
        return observeStatus(record)
      case 'tick':
        return observeTick(record.observedAt)
      case 'book_status': {
        const { sportsbook, status, observedAt: since } = record
        const place = `${partition}|${sportsbook}`
        const known = sportsbookStatus.get(place)
        if (known && (known.since > since || known.status === status)) return
        const value = { sportsbook, status, since }
        sportsbookStatus.set(place, value)
        const topic = topics.sportsbookStatus
        changes.push({ topic, partitionKey: partition, key: sportsbook, value })
      }
    }
  }

  return {
    counts,
    restore({ topic, partition, key, value }) {
      switch (topic.name) {
        case topics.events.name:
          return events.restoreEvent(key, value as EventRow | null)
        case topics.sightings.name:
          return events.restoreSighting(value as Sighting | null)
        case topics.odds.name:
          return restoreOdds(value as OddsRow | null)
        case topics.sportsbookStatus.name:
          if (value) sportsbookStatus.set(`${partition}|${key}`, value as SportsbookStatus)
      }
    },
    decide(records) {
      changes = []
      seen.clear()
      for (const record of records) {
        try {
          observe(record.value as BoardRecord, record.partition)
        } catch (cause) {
          if (cause instanceof InvariantError) throw cause
          throw new DecisionError(record, { cause })
        }
      }
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
      details: detailsHash(row.selection, row.statCategory, row),
    })
  }
}

function sightingOf({ event, ...offer }: Offer): Sighting {
  const { sportsbook, externalId, listing, formerListings, home, away } = offer
  const { lastSeenAt, statedAt, startsAt, isLive, swapped, statedStatus } = offer
  const hasGivenPrices = lastSeenAt !== Number.NEGATIVE_INFINITY
  return {
    eventId: event.id,
    league: event.row.league,
    sportsbook,
    lastSeenAt: hasGivenPrices ? lastSeenAt : statedAt,
    hasGivenPrices,
    statedAt: statedAt === Number.NEGATIVE_INFINITY ? null : statedAt,
    externalId,
    listing,
    formerListings,
    homeTeam: home,
    awayTeam: away,
    startsAt,
    swapped,
    isLive,
    statedStatus,
  }
}

/** The sportsbook said "live", and its prices since then are of before the start. */
const isDeniedByPrices = ({ statedStatus, isLive, lastSeenAt, statedAt }: Offer) =>
  statedStatus === 'live' && !isLive && lastSeenAt > statedAt

const isEnd = (status: EventStatus) => status !== 'upcoming' && status !== 'live'

function withStatus(row: EventRow, status: EventStatus, updatedAt: number): EventRow {
  return { ...row, status, isLive: status === 'live', updatedAt }
}
