/**
 * A stated market as we read it: its outcomes by our types, no line of 0 where a question has none, and a draw on the
 * rung of the sides beside it. Push ingest and the processor of prices read markets so, whatever the source.
 */

import type { FeedMarket, FeedSelection } from '../../../schemas/feed-record.ts'
import type { Answers } from '../../../schemas/reference/market-question.ts'
import { findMarket } from '../../../schemas/reference/markets.ts'
import { outcomeIn } from './outcome-words.ts'
import { isHandicap } from './questions.ts'
import { rungOf } from './three-ways.ts'

/** Returns the market as we read it: the same object where nothing differs. */
export const asRead = (market: FeedMarket, sport: string): FeedMarket =>
  withDrawOnRung(withOurOutcomes(market, sport))

function withOurOutcomes(market: FeedMarket, sport: string): FeedMarket {
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

/**
 * Returns the market with its draw on the rung of its sides. Some feeds give a draw away's sign, or no line; the two
 * sides say which it is, where there is only one pair of them.
 */
function withDrawOnRung(market: FeedMarket): FeedMarket {
  if (!market.selections.some(isDraw)) return market
  const rung = rungOfSides(market)
  if (rung === null) return market
  const isOff = (stated: FeedSelection) => isDraw(stated) && isTurned(rungOf(market, stated), rung)
  if (!market.selections.some(isOff)) return market
  return {
    ...market,
    selections: market.selections.map((stated) =>
      isOff(stated) ? { ...stated, line: rung } : stated,
    ),
  }
}

/** Returns the rung that all sides of a handicap are on, if both are there; else null. */
export function rungOfSides(market: FeedMarket): number | null {
  if (!isHandicap(market.marketType)) return null
  let rung: number | null = null
  const sides = new Set<string>()
  for (const stated of market.selections) {
    const { selectionType } = stated
    if (stated.removed || (selectionType !== 'home' && selectionType !== 'away')) continue
    const own = rungOf(market, stated)
    if (own === null || (rung !== null && own !== rung)) return null
    rung = own
    sides.add(selectionType)
  }
  return sides.size === 2 ? rung : null
}

const isDraw = ({ selectionType }: FeedSelection) => selectionType === 'draw'

/** Returns whether a draw's line is no other than the rung's: none, or with away's sign. */
const isTurned = (line: number | null, rung: number) =>
  line !== rung && (line === null || line === 0 || line === 0 - rung)
