/** Makes a record of the answers of each game or sportsbook that a payload holds. */

import type { FeedEvent, OddsRecord } from '../../schemas/feed-record.ts'
import { type Answer, toMarkets } from './answers.ts'
import type { Skip } from './feed.ts'

/**
 * @param headOf whose answers those of a key are
 * @returns a record for each key, and a skip for each answer that was given twice
 */
export function toOddsRecords<Key>(
  answers: ReadonlyMap<Key, readonly Answer[]>,
  headOf: (key: Key) => Omit<OddsRecord, 'type' | 'markets'>,
): { records: OddsRecord[]; skipped: Skip[] } {
  const skipped: Skip[] = []
  const records = [...answers].map(([key, given]): OddsRecord => {
    const { markets, repeated } = toMarkets(given)
    skipped.push(...repeated)
    return { type: 'odds', ...headOf(key), markets }
  })
  return { records, skipped }
}

/**
 * A snapshot of each game of a payload, also of one that has no price now.
 * @param games by the key that their answers have
 */
export function toSnapshots<Key>(
  games: ReadonlyMap<Key, FeedEvent>,
  answers: ReadonlyMap<Key, readonly Answer[]>,
  of: Pick<OddsRecord, 'sportsbook' | 'observedAt'>,
): { records: OddsRecord[]; skipped: Skip[] } {
  const ofGames = new Map(Array.from(games.keys(), (key) => [key, answers.get(key) ?? []] as const))
  return toOddsRecords(ofGames, (key) => ({ ...of, mode: 'snapshot', event: games.get(key)! }))
}
