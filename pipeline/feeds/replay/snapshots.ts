/** One recorded event as a snapshot of each sportsbook that priced it. */

import type { OddsRecord } from '../../../schemas/feed-record.ts'
import type { Skip } from '../feed.ts'
import { type Answer, toMarkets } from '../kit/answers.ts'

/**
 * @param answers outcomes by sportsbook
 * @param skipped the parts of the event left out before; a repeated outcome is added
 */
export function toSnapshots(
  answers: ReadonlyMap<string, readonly Answer[]>,
  { event, observedAt }: Pick<OddsRecord, 'event' | 'observedAt'>,
  skipped: Skip[],
): { records: OddsRecord[]; skipped: Skip[] } {
  const records = [...answers].map(([sportsbook, own]): OddsRecord => {
    const { markets, repeated } = toMarkets(own)
    skipped.push(...repeated)
    return { type: 'odds', sportsbook, mode: 'snapshot', observedAt, event, markets }
  })
  return { records, skipped }
}
