/**
 * Whose prices of a sportsbook count where two sources have them: one that passes them on (`PassedOn`), and the
 * sportsbook's own. The two have other ids, markets and ages of the same games, so that taking both would file games
 * twice and let an old price replace a new one. Decided by league: the sportsbook's own count, and those that are
 * passed on count once its own have been silent for `passedOnAfterMs`.
 */

import type { FuturesRecord, OddsRecord } from '../../schemas/feed-record.ts'
import type { Sighting } from '../../schemas/sighting.ts'
import { passedOnAfterMs } from '../rules/odds/freshness.ts'

export interface OwnSources {
  /** Notes a record of prices. Returns whether another source of its sportsbook is heard in its league. */
  isOvertaken(record: OddsRecord | FuturesRecord): boolean
  restore(sighting: Sighting): void
}

/** The source of a sportsbook's prices in a league. */
interface Speaker {
  readonly via: string | null
  /** When it was last heard (epoch ms). */
  readonly at: number
}

export function createOwnSources(): OwnSources {
  /** By league and sportsbook; games and futures apart, because a source may have only one of them. */
  const speakers = new Map<string, Speaker>()

  /** Returns whether the speaker has changed, or is the same. */
  function speak(key: string, { via, at }: Speaker): boolean {
    const now = speakers.get(key)
    const isOther = now !== undefined && now.via !== via
    if (isOther && via !== null && at - now.at <= passedOnAfterMs) return false
    speakers.set(key, { via, at: isOther ? at : Math.max(at, now?.at ?? at) })
    return true
  }

  return {
    isOvertaken(record) {
      const { sportsbook, observedAt: at, via = null } = record
      const isGame = record.type === 'odds'
      const { league } = isGame ? record.event : record.future
      return !speak(`${record.type}|${league}|${sportsbook}`, { via, at })
    },
    restore({ league, sportsbook, via = null, lastSeenAt, hasGivenPrices }) {
      if (hasGivenPrices) speak(`odds|${league}|${sportsbook}`, { via, at: lastSeenAt })
    },
  }
}
