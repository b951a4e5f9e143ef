/**
 * Turns the prices of futures that a parser reads one by one into its records: one per market, and
 * no selection twice.
 */

import type {
  FeedFuture,
  FeedFutureSelection,
  FuturesRecord,
} from '../../../schemas/feed-record.ts'
import { groupBy } from '../../../schemas/grouping.ts'
import type { Parsed, Skip } from '../feed.ts'

/** Values for fields that a source leaves out of a market. */
export const unstatedFuture = {
  externalId: null,
  subject: null,
  season: null,
  settlesAt: null,
} as const satisfies Partial<FeedFuture>

/** @param price null for a suspended selection without a stated price */
export const offered = (
  selection: string,
  price: number | null,
  more: Partial<FeedFutureSelection> = {},
): FeedFutureSelection => ({
  selection,
  line: null,
  price,
  removed: false,
  suspended: false,
  changedAt: null,
  externalId: null,
  deepLink: null,
  ...more,
})

/**
 * Returns a snapshot of each market. A selection with two prices is left out, because the two may belong to different
 * questions.
 */
export function toFuturesRecords(
  markets: Iterable<Omit<FuturesRecord, 'type' | 'mode'>>,
): Parsed & { readonly records: readonly FuturesRecord[] } {
  const records: FuturesRecord[] = []
  const skipped: Skip[] = []
  for (const market of markets) {
    const groups = groupBy(market.prices, keyOf)
    const prices: FeedFutureSelection[] = []
    for (const [first, ...others] of groups.values() as Iterable<[FeedFutureSelection]>) {
      const isOne = others.every(({ price }) => price === first.price)
      if (isOne) prices.push(first)
      for (const { selection } of isOne ? others : [first, ...others]) {
        const detail = `${market.future.name}: ${selection}`
        skipped.push({ reason: 'duplicate_selection', detail })
      }
    }
    if (prices.length > 0) records.push({ type: 'futures', mode: 'snapshot', ...market, prices })
  }
  return { records, skipped }
}

const keyOf = ({ selection, line }: FeedFutureSelection) => `${selection.toLowerCase()}|${line}`
