/** Makes a record of the answers of each game or sportsbook that a payload holds. */

import type { OddsRecord } from '../../schemas/feed-record.ts'
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
