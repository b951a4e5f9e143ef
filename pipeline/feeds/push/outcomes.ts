/**
 * The outcomes of a pushed market, read by their words or names of sides; placeholders are removed.
 */

import type { FeedMarket, FeedSelection } from '../../../schemas/feed-record.ts'
import type { IngestSelection } from '../../../schemas/http/ingest.ts'
import { isBareSideName } from '../../rules/names/bare-side-name.ts'
import type { NamedGame, SideOptions } from '../../rules/names/game-sides.ts'
import { outcomeIn, outcomesListed } from '../../rules/odds/outcome-words.ts'
import { outcomesOf } from '../../rules/odds/questions.ts'
import { sideNamed } from '../../rules/odds/team-totals.ts'
import { isWhole, questionsBeside, rungOf, typeWithDraw } from '../../rules/odds/three-ways.ts'

/**
 * Returns our type of an outcome, stated by a word or by the name of a side. Other words are not
 * changed, nor is a name with an extra word: `arsenal_or_draw`, `arsenal_women`.
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
 * Returns a snapshot's market without an additional outcome that is only a placeholder, if the
 * sides are complete without it: some feeds list a draw in every sport. An outcome that is stated
 * as suspended, or has an unreadable price, is no placeholder.
 * @param stated the selections as they are stated
 */
export function withoutPlaceholders(
  market: FeedMarket,
  stated: readonly IngestSelection[],
  sport: string,
): FeedMarket {
  if (typeWithDraw(market.marketType, sport) === null || !stated.some(isPlaceholder)) return market
  const besides = questionsBeside(market, sport)
  const isKept = (of: FeedSelection, at: number) =>
    !isPlaceholder(stated[at] as IngestSelection) ||
    !besides.some(({ has }) => has(of.selectionType)) ||
    !isWhole(market, rungOf(market, of), sport)
  return { ...market, selections: market.selections.filter(isKept) }
}

/** Returns whether a selection states only a placeholder as its price: 0, 1 or American 0. */
function isPlaceholder({
  odds_decimal: decimal,
  odds_american: american,
  probability,
  removed,
  suspended,
}: IngestSelection): boolean {
  const stated = [decimal, american, probability].filter((odds) => odds != null)
  if (stated.length === 0 || removed || suspended) return false
  return stated.every((odds) => odds === 0 || (odds === 1 && odds === decimal))
}

/** The type of an outcome that cannot be read. */
export const unreadOutcome = 'unread'

/**
 * Returns the market with at most one unread outcome per rung, and only if all outcomes of the
 * question are stated there: then it is an additional one. Otherwise it may be one of those, and is
 * left out.
 */
export function withUnreadBesideAll(market: FeedMarket, sport: string): FeedMarket {
  const isUnread = ({ selectionType }: FeedSelection) => selectionType === unreadOutcome
  if (!market.selections.some(isUnread)) return market
  const sets = outcomesOf(market.marketType, sport) ?? []
  const done = new Set<number | null>()
  const selections = market.selections.filter((stated) => {
    if (!isUnread(stated)) return true
    const rung = rungOf(market, stated)
    const on = market.selections.filter((of) => !of.removed && rungOf(market, of) === rung)
    const types = new Set(on.map(({ selectionType }) => selectionType))
    const isMore = !done.has(rung) && sets.some((set) => set.every((type) => types.has(type)))
    if (isMore) done.add(rung)
    return isMore
  })
  return { ...market, selections }
}
