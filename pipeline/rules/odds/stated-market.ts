/**
 * A stated market as we read it: its outcomes by our types, no line of 0 where a question has none, and a draw on the
 * rung of the sides beside it. Push ingest and the processor of prices read markets so, whatever the source.
 */

import type { FeedMarket, FeedSelection } from '../../../schemas/feed-record.ts'
import { marketTypeOf } from '../../../schemas/reference/market-names.ts'
import type { Answers } from '../../../schemas/reference/market-question.ts'
import { findMarket } from '../../../schemas/reference/markets.ts'
import { outcomeIn } from './outcome-words.ts'
import { isHandicap } from './questions.ts'
import { rungOf } from './three-ways.ts'

/** Returns the market as we read it: the same object where nothing differs. */
export const asRead = (market: FeedMarket, sport: string): FeedMarket =>
  withDrawOnRung(withOurOutcomes(market, sport))

/**
 * Returns the markets under our ids, with our types of their outcomes. Feeds of this service use ours; a record from
 * another producer may name them as its sportsbook does.
 */
export function allAsRead(stated: readonly FeedMarket[], sport: string): readonly FeedMarket[] {
  let markets: FeedMarket[] | null = null
  for (let i = 0; i < stated.length; i++) {
    const market = stated[i] as FeedMarket
    const marketType = marketTypeOf(market, sport)
    const named = marketType === market.marketType ? market : { ...market, marketType }
    const read = asRead(named, sport)
    if (read === market) continue
    markets ??= [...stated]
    markets[i] = read
  }
  return markets ?? stated
}

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
 * Returns the market with a draw that has no line on the rung of its sides, where there is only one pair of them. A
 * sign is never turned: a later price of the draw alone could not be told from that of the opposite handicap.
 */
function withDrawOnRung(market: FeedMarket): FeedMarket {
  if (!isHandicap(market.marketType) || !market.selections.some(isDraw)) return market
  const rung = rungOfSides(market) ?? rungOfPair(market, () => true)
  return rung === null ? market : withUnlinedDrawOn(market, rung)
}

/** Returns the market with a draw that has no line on a rung. */
export function withUnlinedDrawOn(market: FeedMarket, rung: number): FeedMarket {
  if (rung === 0 || !hasUnlinedDraw(market)) return market
  return {
    ...market,
    selections: market.selections.map((stated) =>
      isUnlinedDraw(market, stated) ? { ...stated, line: rung } : stated,
    ),
  }
}

/** Returns whether a handicap states a draw without a line, or at 0, which some feeds send for none. */
export const hasUnlinedDraw = (market: FeedMarket): boolean =>
  isHandicap(market.marketType) && market.selections.some((stated) => isUnlinedDraw(market, stated))

/** Returns the rung that all offered sides of a handicap are on, if both are there; else null. */
export const rungOfSides = (market: FeedMarket): number | null =>
  isHandicap(market.marketType) ? rungOfPair(market, ({ removed }) => !removed) : null

function rungOfPair(market: FeedMarket, counts: (stated: FeedSelection) => boolean): number | null {
  let rung: number | null = null
  const sides = new Set<string>()
  for (const stated of market.selections) {
    const { selectionType } = stated
    if (!counts(stated) || (selectionType !== 'home' && selectionType !== 'away')) continue
    const own = rungOf(market, stated)
    if (own === null || (rung !== null && own !== rung)) return null
    rung = own
    sides.add(selectionType)
  }
  return sides.size === 2 ? rung : null
}

const isDraw = ({ selectionType }: FeedSelection) => selectionType === 'draw'

function isUnlinedDraw(market: FeedMarket, stated: FeedSelection): boolean {
  if (!isDraw(stated)) return false
  const line = rungOf(market, stated)
  // One that is over without a line is so at all lines.
  const isOver = stated.removed || stated.suspended || market.suspended
  return line === 0 || (line === null && !isOver)
}
