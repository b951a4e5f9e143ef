/**
 * Which prices of a sportsbook count if two sources have them: the sportsbook's own, or those that
 * another source passes on (`PassedOn`). Both have the same games with different ids, markets and
 * ages. Taking both would file games twice, and an old price might replace a new one. Decided in
 * two steps:
 * - By league: own prices count while they come, and passed-on prices once own ones have been
 *   missing for `passedOnAfterMs`. A single push is not yet a source. Only own prices that were
 *   applied count.
 * - By game, or futures market: which records may replace the other source's prices
 *   (`handoverFault`).
 */

import type { FuturesRecord, OddsRecord } from '../../schemas/feed-record.ts'
import type { Sighting } from '../../schemas/sighting.ts'
import { ownStandMs, passedOnAfterMs } from '../rules/odds/freshness.ts'
import { noRow, type Offer, type Statement } from './events/offer.ts'

export interface OwnSources {
  /** Returns whether a record is passed on while the sportsbook's own prices come in its league. */
  isOvertaken(record: OddsRecord | FuturesRecord): boolean
  /** Notes a record with prices of a game, after its offer has taken them. */
  hearGame(offer: Offer, record: OddsRecord): void
  /** Notes a record of futures, if its prices were applied. */
  hearFuture(record: FuturesRecord): void
  tick(now: number): void
  restore(sighting: Sighting): void
}

/** A sportsbook's prices on a game or a futures market. */
export interface Sourced {
  /** The source that passed them on; null if they are own prices, undefined if unknown. */
  readonly via?: string | null | undefined
  /** When they were last observed (epoch ms). */
  readonly lastSeenAt: number
  /** See `Sighting.ownSince`; null for none. */
  readonly ownSince: number | null
}

/**
 * Returns why a record may not replace the present prices, which come from another source of the
 * same sportsbook; null if it may. Own prices are kept for `ownStandMs`, so that they can be
 * confirmed. An own delta replaces no prices if it states none. Nor does it if it changes own
 * prices of an earlier snapshot, because these are gone: a new snapshot is needed.
 */
export function handoverFault(
  { via, lastSeenAt, ownSince }: Sourced,
  record: OddsRecord | FuturesRecord,
): 'other_source' | 'delta_of_replaced_prices' | null {
  const by = record.via ?? null
  if (via === undefined || via === by) return null
  if (via === null) return record.observedAt - lastSeenAt < ownStandMs ? 'other_source' : null
  if (by !== null || record.mode === 'snapshot') return null
  return ownSince !== null || !statesPrice(record) ? 'delta_of_replaced_prices' : null
}

/** The same for a statement about a game, and the sportsbook's offer there. */
export const sourceFault = (offer: Offer, statement: Statement) =>
  statement.type === 'odds' && offer.head !== noRow ? handoverFault(offer, statement) : null

/** How long a sportsbook's own prices of a league must come before only they count. */
const heardMs = 10_000

/**
 * The time span in which a sportsbook's own prices of a league came without a pause of
 * `passedOnAfterMs` (epoch ms).
 */
interface Heard {
  from: number
  to: number
}

/** By league and sportsbook. */
type HeardByLeague = Map<string, Map<string, Heard>>

export function createOwnSources(): OwnSources {
  /** Games and futures are separate, because a source may have only one of them. */
  const games: HeardByLeague = new Map()
  const futures: HeardByLeague = new Map()
  let tickedAt = Number.NEGATIVE_INFINITY
  let tidiedAt = Number.NEGATIVE_INFINITY

  function hear(heard: HeardByLeague, league: string, sportsbook: string, at: number) {
    const last = heard.get(league)?.get(sportsbook)
    if (last !== undefined && at - last.to <= passedOnAfterMs) {
      if (at > last.to) last.to = at
      return
    }
    // Counts from its arrival: one push may have games that were read at different times long
    // before.
    put(heard, league, sportsbook, { from: Math.max(at, tickedAt), to: at })
  }

  return {
    isOvertaken(record) {
      const { sportsbook, via = null, observedAt } = record
      if (via === null) return false
      const own =
        record.type === 'odds'
          ? games.get(record.event.league)?.get(sportsbook)
          : futures.get(record.future.league)?.get(sportsbook)
      return (
        own !== undefined && own.to - own.from >= heardMs && observedAt - own.to <= passedOnAfterMs
      )
    },
    hearGame(offer, { mode, observedAt }) {
      if (offer.via !== null) return
      if (offer.head === noRow) {
        offer.ownSince = null
        return
      }
      hear(games, offer.event.row.league, offer.sportsbook, observedAt)
      if (mode === 'snapshot' && offer.ownSince === null) offer.ownSince = observedAt
    },
    hearFuture({ via = null, future, sportsbook, observedAt }) {
      if (via === null) hear(futures, future.league, sportsbook, observedAt)
    },
    tick(now) {
      tickedAt = Math.max(tickedAt, now)
      if (now - tidiedAt <= passedOnAfterMs) return
      tidiedAt = now
      for (const heard of [games, futures]) forgetSilent(heard, now)
    },
    restore({ league, sportsbook, via, lastSeenAt, ownSince = null }) {
      if (via !== '' || ownSince === null) return
      const last = games.get(league)?.get(sportsbook)
      if (last === undefined || last.to < lastSeenAt)
        put(games, league, sportsbook, { from: ownSince, to: lastSeenAt })
      else if (last.to === lastSeenAt) last.from = Math.min(last.from, ownSince)
    },
  }
}

function put(heard: HeardByLeague, league: string, sportsbook: string, when: Heard) {
  const bySportsbook = heard.get(league)
  if (bySportsbook) bySportsbook.set(sportsbook, when)
  else heard.set(league, new Map([[sportsbook, when]]))
}

function forgetSilent(heard: HeardByLeague, now: number) {
  for (const [league, bySportsbook] of heard) {
    for (const [sportsbook, { to }] of bySportsbook)
      if (now - to > 2 * passedOnAfterMs) bySportsbook.delete(sportsbook)
    if (bySportsbook.size === 0) heard.delete(league)
  }
}

const isPriced = ({ price, removed }: { price: number | null; removed: boolean }) =>
  price !== null && !removed

const statesPrice = (record: OddsRecord | FuturesRecord) =>
  record.type === 'odds'
    ? record.markets.some(({ selections }) => selections.some(isPriced))
    : record.prices.some(isPriced)
