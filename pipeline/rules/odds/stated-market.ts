/**
 * A stated market as we read it: its outcomes by our types, and no line of 0 where a question has none. Push ingest and the processor of prices read markets so, whatever the source.
 */

import type { FeedMarket, FeedSelection } from '../../../schemas/feed-record.ts'
import type { Answers } from '../../../schemas/reference/market-question.ts'
import { findMarket } from '../../../schemas/reference/markets.ts'
import { outcomeIn } from './outcome-words.ts'

/** Returns the market as we read it: the same object where nothing differs. */
export function asRead(market: FeedMarket, sport: string): FeedMarket {
  const { marketType } = market
  let selections: FeedSelection[] | null = null
  for (let i = 0; i < market.selections.length; i++) {
    const stated = market.selections[i] as FeedSelection
    const selectionType = outcomeIn(marketType, stated.selectionType, sport)
    const line = lineIn(marketType, stated.line)
    if (selectionType === stated.selectionType && line === stated.line) continue
    selections ??= [...market.selections]
    selections[i] = { ...stated, selectionType, line }
  }
  const line = lineIn(marketType, market.line)
  if (selections === null && line === market.line) return market
  return { ...market, line, selections: selections ?? market.selections }
}

/** Returns the line of a stated price: 0 is none where the question has no line, since some feeds always send one. */
export const lineIn = (marketType: string, line: number | null) =>
  line === 0 && isWithoutLine(marketType) ? null : line

/** Returns whether a line would make another question of a market. */
export function isWithoutLine(marketType: string): boolean {
  const listed = findMarket(marketType)
  return listed !== undefined && !listed.hasLine && withoutLine.has(listed.answers)
}

const withoutLine: ReadonlySet<Answers> = new Set([
  'winner',
  'two_ways',
  'three_ways',
  'yes_no',
  'odd_even',
])
