/**
 * Futures: each sportsbook's prices on each market of a season or tournament. Decides when a row
 * changes, by the same rules as for prices of games:
 * - a `snapshot` withdraws prices that it no longer names, a `delta` changes only those that it names;
 * - prices seen again unchanged update the sighting, not the row;
 * - a statement older than the newest of its market and sportsbook, of whichever listing, is ignored
 *   and counted;
 * - of two listings of a market (with two external ids), the first is kept while it is repeated.
 *   The second replaces it if it was stated twice since the first one's last statement: then the
 *   sportsbook has listed the market again. If the first offers nothing, one later statement is
 *   enough. A statement without an external id is of the kept listing;
 * - prices expire like pregame prices.
 *
 * At-least-once safe: replaying a batch ends on the same rows.
 */

import type { FeedFutureSelection, FuturesRecord } from '../../schemas/feed-record.ts'
import {
  type FuturePrice,
  type FutureRow,
  type FutureSighting,
  futureKey,
} from '../../schemas/future.ts'
import { oddsId } from '../../schemas/ids.ts'
import { topics } from '../../schemas/topics.ts'
import { expiryMs } from '../rules/odds/freshness.ts'
import {
  type FutureIdentity,
  identifyFuture,
  selectionKey,
  shownSelection,
} from '../rules/odds/futures.ts'
import { isPrice } from '../rules/odds/odds.ts'
import { statedChange } from '../rules/odds/stated-change.ts'
import { compareTexts } from '../text/compare-texts.ts'
import type { EventTable, EventTableParts, EventTableState } from './event-tables.ts'
import { handoverFault } from './own-sources.ts'

export const futures: EventTable = {
  inputs: [topics.feedOdds],
  tables: [topics.futures, topics.futureSightings],
  create: createFutures,
}

/** One sportsbook's offer on a market. */
interface FutureOffer {
  /** The row; null when nothing is offered now. */
  readonly row: FutureRow | null
  readonly sighting: FutureSighting
  /** The source that passed on its prices; null if they are own ones, undefined after a start. */
  readonly via?: string | null
  /** See `Sourced.ownSince`. */
  readonly ownSince: number | null
}

/** The limit of records applies to rows too, because a row may collect many deltas. */
const rowMaxBytes = 1024 * 1024

/** A season is never in play: the rules before a start apply. */
const futureExpiryMs = expiryMs(false)

function createFutures({ emit, count }: EventTableParts): EventTableState {
  const offers = new Map<string, FutureOffer>()
  /** No offer expires before this time (epoch ms). */
  let firstExpiryAt = Number.POSITIVE_INFINITY

  function keep(key: string, offer: FutureOffer) {
    offers.set(key, offer)
    firstExpiryAt = Math.min(firstExpiryAt, offer.sighting.lastSeenAt + futureExpiryMs)
  }

  /** Keeps the sighting that a statement changed, and writes it unless it says the same as before. */
  function see(key: string, offer: FutureOffer, before: FutureSighting | undefined) {
    const { sighting } = offer
    if (!before || !isSame(sighting, before)) {
      const { league: partitionKey } = sighting
      emit({ topic: topics.futureSightings, partitionKey, key, value: sighting })
    }
    keep(key, offer)
  }

  /**
   * Notes that another listing was stated. If it was a new listing, its next statement may replace
   * the kept one.
   */
  function noteListing(key: string, offer: FutureOffer, record: FuturesRecord) {
    const { sighting } = offer
    const { observedAt: statedAt, future } = record
    const noted = { relistedId: future.externalId, relistedAt: statedAt }
    const isNew = isNewListing(sighting, record)
    see(key, { ...offer, sighting: { ...sighting, statedAt, ...(isNew && noted) } }, sighting)
  }

  function leaveOut(code: string): false {
    count(code)
    return false
  }

  function take(record: FuturesRecord): boolean {
    const { sportsbook, observedAt, future, via = null } = record
    const identity = identifyFuture(future, sportsbook, observedAt)
    const { marketId, league } = identity
    const key = futureKey(marketId, sportsbook)
    const offer = offers.get(key)
    const seen = offer?.sighting
    if (seen && observedAt < (seen.statedAt ?? seen.lastSeenAt))
      return leaveOut('stale_observation')
    const before = offer?.row ?? null
    const fault = before && offer && handoverFault({ ...offer, ...offer.sighting }, record)
    if (fault) return leaveOut(fault)
    const isHandedOver = offer?.via !== undefined && offer.via !== via
    const isOther = seen !== undefined && !isHandedOver && isOtherListing(seen, record)
    if (offer && isOther && !mayReplace(offer, record)) {
      noteListing(key, offer, record)
      return leaveOut('second_future')
    }
    const continued = isOther || isHandedOver ? undefined : seen
    const externalId = future.externalId ?? continued?.externalId ?? null
    const prices = pricesOf(record, identity, continued ? before : null, count)
    const stated = rowOf(record, identity, prices, externalId)
    if (stated && isTooLarge(stated)) return leaveOut('future_too_large')
    const row = stated && before && contentOf(stated) === contentOf(before) ? before : stated
    if (row !== before) emit({ topic: topics.futures, partitionKey: league, key, value: row })
    const times = { lastSeenAt: observedAt, statedAt: observedAt }
    // In the order of the schema, as `isSame` wants it.
    const sighting = { marketId, league, sportsbook, ...times, externalId, ...notRelisted }
    const isOwnSnapshot = via === null && record.mode === 'snapshot'
    const since = isOwnSnapshot ? observedAt : null
    const ownSince = row === null && via === null ? null : (offer?.ownSince ?? since)
    see(key, { row, sighting, via, ownSince }, seen)
    return row !== null
  }

  function tick(now: number) {
    if (now <= firstExpiryAt) return
    firstExpiryAt = Number.POSITIVE_INFINITY
    for (const [key, { row, sighting }] of offers) {
      const expiresAt = sighting.lastSeenAt + futureExpiryMs
      if (now <= expiresAt) {
        firstExpiryAt = Math.min(firstExpiryAt, expiresAt)
        continue
      }
      const addressed = { partitionKey: sighting.league, key, value: null }
      if (row) {
        emit({ topic: topics.futures, ...addressed })
        count('expired_future')
      }
      emit({ topic: topics.futureSightings, ...addressed })
      offers.delete(key)
    }
  }

  return {
    // Rows come before their sightings, see `tables`.
    restore({ topic, key, value }) {
      if (value === null) return
      if (topic.name === topics.futures.name) {
        const row = value as FutureRow
        const { marketId, league, sportsbook, observedAt, externalId } = row
        const times = { lastSeenAt: observedAt, statedAt: observedAt }
        const sighting = { marketId, league, sportsbook, ...times, externalId, ...notRelisted }
        keep(key, { row, sighting, ownSince: null })
      } else {
        const row = offers.get(key)?.row ?? null
        const sighting = value as FutureSighting
        const externalId = sighting.externalId ?? row?.externalId ?? null
        keep(key, { row, sighting: { ...sighting, externalId }, ownSince: null })
      }
    },
    take: { futures: take, tick: ({ observedAt }) => tick(observedAt) },
  }
}

const isOtherListing = ({ externalId }: FutureSighting, { future }: FuturesRecord) =>
  externalId !== null && future.externalId !== null && externalId !== future.externalId

const notRelisted = { relistedId: null, relistedAt: null } as const

/**
 * Returns whether a statement of another listing counts as a new one for the sighting. It must be a
 * snapshot with prices, because a delta has only some. If it has the same time as the kept listing,
 * both are in one reading of the source.
 */
const isNewListing = (
  { lastSeenAt, relistedAt }: FutureSighting,
  { mode, observedAt, prices }: FuturesRecord,
) =>
  mode === 'snapshot' &&
  prices.some(({ price }) => price !== null) &&
  observedAt > Math.max(lastSeenAt, relistedAt ?? 0)

/** Returns whether a statement of another listing may replace the kept one, or what it offered. */
const mayReplace = ({ row, sighting }: FutureOffer, record: FuturesRecord) =>
  row === null
    ? record.observedAt > sighting.lastSeenAt
    : sighting.relistedId === record.future.externalId && isNewListing(sighting, record)

const isSame = (one: FutureSighting, other: FutureSighting) =>
  JSON.stringify(one) === JSON.stringify(other)

function rowOf(
  { sportsbook, observedAt, future }: FuturesRecord,
  identity: FutureIdentity,
  prices: readonly FuturePrice[],
  externalId: string | null,
): FutureRow | null {
  if (prices.length === 0) return null
  const { settlesAt } = future
  const name = future.name.replace(/\s+/g, ' ').trim()
  return { ...identity, sportsbook, name, externalId, settlesAt, prices, observedAt }
}

/** Returns a row without its time, as text. */
const contentOf = (row: FutureRow) => JSON.stringify({ ...row, observedAt: 0 })

/** Returns whether a row is too large. Only rows that may be are encoded to measure them. */
const isTooLarge = (row: FutureRow) =>
  row.prices.length > 200 && topics.futures.encode(row).length > rowMaxBytes

/** Returns the prices after the record, by line and name. */
function pricesOf(
  { mode, sportsbook, observedAt, prices }: FuturesRecord,
  identity: FutureIdentity,
  before: FutureRow | null,
  count: (code: string) => void,
): readonly FuturePrice[] {
  const keyOf = (selection: string, line: number | null) =>
    `${line ?? ''}|${selectionKey(selection, identity, sportsbook)}`
  const known = new Map(
    before?.prices.map((price) => [keyOf(price.selection, price.line), price] as const),
  )
  const offered = new Map(mode === 'delta' ? known : [])
  const named = new Map<string, number>()
  /** Keys that the record removes, or gives two prices, whatever else it says of them. */
  const withdrawn = new Set<string>()
  for (const stated of pricedFirst(prices)) {
    const selection = shownSelection(stated.selection, identity)
    const key = keyOf(selection, stated.line)
    const last = known.get(key)
    const price = stated.price ?? named.get(key) ?? last?.price ?? null
    if (stated.removed) withdrawn.add(key)
    else if (price === null) count('suspended_without_price')
    else if (!isPrice(price)) count('impossible_price')
    else if (!named.has(key)) {
      named.set(key, price)
      offered.set(key, {
        id: last?.id ?? oddsId(`${sportsbook}|future|${identity.marketId}|${key}`),
        selection,
        line: stated.line,
        price,
        isActive: !stated.suspended,
        changedAt: changedAtOf(stated, price, last, observedAt),
        externalId: stated.externalId,
        deepLink: stated.deepLink,
      })
    } else if (named.get(key) !== price && !withdrawn.has(key)) {
      // Two prices of one sportsbook for one selection at one time: neither can be trusted.
      withdrawn.add(key)
      count('ambiguous_selection')
    }
  }
  for (const key of withdrawn) offered.delete(key)
  const inOrder = [...offered].sort(
    ([a, one], [b, other]) => (one.line ?? 0) - (other.line ?? 0) || compareTexts(a, b),
  )
  return inOrder.map(([, price]) => price)
}

/** Sorts prices first: a suspension without a price keeps the one stated beside it, or before. */
const pricedFirst = (prices: readonly FeedFutureSelection[]) =>
  [...prices].sort((a, b) => Number(a.price === null) - Number(b.price === null))

function changedAtOf(
  stated: FeedFutureSelection,
  price: number,
  last: FuturePrice | undefined,
  observedAt: number,
): number | null {
  const changedAt = statedChange(stated.changedAt, observedAt)
  if (!last) return changedAt
  return last.price === price ? last.changedAt : (changedAt ?? observedAt)
}
