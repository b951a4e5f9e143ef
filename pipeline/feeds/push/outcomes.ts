/** The outcomes of a pushed market: by their words or the names of sides, without a draw that is only a place holder. */

import type { FeedMarket, FeedSelection } from '../../../schemas/feed-record.ts'
import { isBareSideName } from '../../rules/names/bare-side-name.ts'
import type { NamedGame, SideOptions } from '../../rules/names/game-sides.ts'
import { outcomeIn, outcomesListed } from '../../rules/odds/outcome-words.ts'
import { sideNamed } from '../../rules/odds/team-totals.ts'
import { isWhole, questionsBeside, rungOf, typeWithDraw } from '../../rules/odds/three-ways.ts'

/**
 * Returns our type of an outcome, stated by a word or by the name of a side. Other words stay as they are, and so does
 * a name with a word more: `arsenal_or_draw`, `arsenal_women`.
 */
export function outcomeNamedIn(
  { marketType, playerName }: Pick<FeedMarket, 'marketType' | 'playerName'>,
  stated: string,
  game: NamedGame,
  options: SideOptions,
): string {
  const { sport } = options
  const type = outcomeIn(marketType, stated, sport)
  if (type === 'draw' || !outcomesListed(marketType, sport)?.has('home')) return type
  const besides = questionsBeside({ marketType, playerName }, sport)
  if (!besides.some(({ has }) => has(type))) return type
  const text = type.replaceAll('_', ' ')
  const side = sideNamed(text, game, options)
  return side !== null && isBareSideName(text, game[side], options) ? side : type
}

/**
 * Returns a snapshot's market without a draw at a price of 0 beside sides that are complete without it: some feeds
 * list a draw in every sport. One that its sender calls suspended is a draw all the same.
 * @param isSuspended whether the sender suspends each selection
 */
export function withoutZeroDraw(
  market: FeedMarket,
  isSuspended: readonly boolean[],
  sport: string,
): FeedMarket {
  if (typeWithDraw(market.marketType, sport) === null) return market
  const isZeroDraw = ({ selectionType, price, removed }: FeedSelection, at: number) =>
    selectionType === 'draw' && price === null && !removed && isSuspended[at] === false
  if (!market.selections.some(isZeroDraw)) return market
  const isKept = (of: FeedSelection, at: number) =>
    !isZeroDraw(of, at) || !isWhole(market, rungOf(market, of), sport)
  return { ...market, selections: market.selections.filter(isKept) }
}
