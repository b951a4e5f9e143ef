/**
 * Converts a stated market to our form: outcomes have our types, a line of 0 is removed from a question without lines,
 * and a draw without a line gets the rung of the sides. Push ingest and the price processor do this
 * for all sources.
 */

import type { FeedMarket, FeedSelection } from '../../../schemas/feed-record.ts'
import { marketTypeOf } from '../../../schemas/reference/market-names.ts'
import type { Answers } from '../../../schemas/reference/market-question.ts'
import { findMarket } from '../../../schemas/reference/markets.ts'
import { outcomeIn } from './outcome-words.ts'
import { isHandicap } from './questions.ts'
import { rungOf } from './three-ways.ts'

/** Returns the market in our form: the same object if it already is. */
export const asRead = (market: FeedMarket, sport: string): FeedMarket =>
  withDrawOnRung(withOurOutcomes(market, sport))

/**
 * Returns the markets in our form and with our market ids. Feeds of this service already use our names; a record from
 * another producer may have those of its sportsbook.
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

/**
 * Returns the line of a stated price. Some feeds always send a line: 0 means none if the question
 * has no line.
 */
export const lineIn = (marketType: string, line: number | null) =>
  line === 0 && isWithoutLine(marketType) ? null : line

/** Returns whether a listed market has no lines, so that a line would make it another question. */
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
 * If the market has only one pair of sides, returns it with their rung as the line of a draw
 * without a line. The sign of a line is never reversed: a later price of only the draw could then
 * belong to the opposite handicap.
 */
function withDrawOnRung(market: FeedMarket): FeedMarket {
  if (!isHandicap(market.marketType) || !market.selections.some(isDraw)) return market
  const rung = rungOfSides(market) ?? rungOfPair(market, () => true)
  return rung === null ? market : withUnlinedDrawOn(market, rung)
}

/** Returns the market with a rung as the line of a draw that has none. */
export function withUnlinedDrawOn(market: FeedMarket, rung: number): FeedMarket {
  if (rung === 0 || !hasUnlinedDraw(market)) return market
  return {
    ...market,
    selections: market.selections.map((stated) =>
      isUnlinedDraw(market, stated) ? { ...stated, line: rung } : stated,
    ),
  }
}

/** Returns whether a handicap states a draw without a line, or with 0, which some feeds send instead. */
export const hasUnlinedDraw = (market: FeedMarket): boolean =>
  isHandicap(market.marketType) && market.selections.some((stated) => isUnlinedDraw(market, stated))

/** Returns the rung of the offered sides of a handicap; null unless both are offered and all have one rung. */
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
  // A draw that is removed or suspended without a line is so at all lines.
  const isOver = stated.removed || stated.suspended || market.suspended
  return line === 0 || (line === null && !isOver)
}
