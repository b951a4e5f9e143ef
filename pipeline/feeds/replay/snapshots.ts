/** One recorded event as a snapshot of each sportsbook that priced it. */

import type { OddsRecord } from '../../../schemas/feed-record.ts'
import { pushAll } from '../../memory/push-all.ts'
import type { Skip } from '../feed.ts'
import { type StatedOutcome, toMarkets } from '../kit/outcomes.ts'

/**
 * @param outcomes outcomes by sportsbook
 * @param skipped the parts of the event that are left out already; repeated outcomes are added
 */
export function toSnapshots(
  outcomes: ReadonlyMap<string, readonly StatedOutcome[]>,
  { event, observedAt }: Pick<OddsRecord, 'event' | 'observedAt'>,
  skipped: Skip[],
): { records: OddsRecord[]; skipped: Skip[] } {
  const records = [...outcomes].map(([sportsbook, own]): OddsRecord => {
    const { markets, repeated } = toMarkets(own)
    pushAll(skipped, repeated)
    return { type: 'odds', sportsbook, mode: 'snapshot', observedAt, event, markets }
  })
  return { records, skipped }
}
