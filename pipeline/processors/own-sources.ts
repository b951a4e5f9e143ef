/**
 * Whose prices of a sportsbook count where two sources have them: one that passes them on (`PassedOn`), and the
 * sportsbook's own. The two have other ids, markets and ages of the same games, so that taking both would file games
 * twice and let an old price replace a new one. Decided by league: the sportsbook's own count while they are heard,
 * and those that are passed on once they have been silent for `passedOnAfterMs`. A single push is not yet a source.
 */

import type { FuturesRecord, OddsRecord } from '../../schemas/feed-record.ts'
import type { Sighting } from '../../schemas/sighting.ts'
import { passedOnAfterMs } from '../rules/odds/freshness.ts'

export interface OwnSources {
  /**
   * Notes a record of prices. Returns whether it is passed on while the sportsbook's own prices are heard in its
   * league.
   */
  isOvertaken(record: OddsRecord | FuturesRecord): boolean
  tick(now: number): void
  restore(sighting: Sighting): void
}

/** The time over which a sportsbook's own prices of a league are heard before they alone count. */
const heardMs = 10_000

/** When a sportsbook's own prices of a league were heard without a pause of `passedOnAfterMs` (epoch ms). */
interface Heard {
  readonly from: number
  readonly to: number
}

export function createOwnSources(): OwnSources {
  /** By league and sportsbook; games and futures apart, because a source may have only one of them. */
  const heard = new Map<string, Heard>()
  let tidiedAt = Number.NEGATIVE_INFINITY

  function hear(key: string, from: number, to: number) {
    const last = heard.get(key)
    const goesOn = last !== undefined && to - last.to <= passedOnAfterMs
    heard.set(
      key,
      goesOn ? { from: Math.min(last.from, from), to: Math.max(last.to, to) } : { from, to },
    )
  }

  return {
    isOvertaken(record) {
      const { sportsbook, observedAt: at, via = null } = record
      const { league } = record.type === 'odds' ? record.event : record.future
      const key = `${record.type}|${league}|${sportsbook}`
      if (via === null) {
        if (!offersNone(record)) hear(key, at, at)
        return false
      }
      const own = heard.get(key)
      return own !== undefined && own.to - own.from >= heardMs && at - own.to <= passedOnAfterMs
    },
    tick(now) {
      if (now - tidiedAt <= passedOnAfterMs) return
      tidiedAt = now
      for (const [key, { to }] of heard) if (now - to > 2 * passedOnAfterMs) heard.delete(key)
    },
    restore({ league, sportsbook, via, lastSeenAt, hasGivenPrices }) {
      // How long they had been heard is not kept.
      if (via === '' && hasGivenPrices)
        hear(`odds|${league}|${sportsbook}`, lastSeenAt - heardMs, lastSeenAt)
    },
  }
}

/** Returns whether a record says that nothing is offered. A delta without prices says that they stand. */
const offersNone = (record: OddsRecord | FuturesRecord) =>
  record.mode === 'snapshot' &&
  (record.type === 'odds' ? record.markets : record.prices).length === 0
