/** The price histories of a market from the archive: those of one outcome, their order, and how they were at a time. */

import type { PriceHistory } from '../../wire.ts'
import type { Question } from './price-store.ts'

/** The fields that say which outcome a price history is of. */
type PastSelection = Pick<PriceHistory, 'selection_type' | 'line' | 'player_name' | 'stat_category'>

/** Returns the prices of one outcome at one line. A market may have several statistics of a player. */
export const pricesOn = <Price extends PastSelection>(
  prices: readonly Price[],
  { player, statistic }: Pick<Question, 'player' | 'statistic'>,
  side: { readonly answer: string; readonly line: number | null },
): readonly Price[] =>
  prices.filter(
    (price) =>
      price.selection_type === side.answer &&
      price.line === side.line &&
      price.player_name === player &&
      price.stat_category === statistic,
  )

/** Sorts the prices of a line: the sharp sportsbooks first, in their order, then those that have moved most. */
export function byInterest<Price extends Pick<PriceHistory, 'sportsbook' | 'move_count'>>(
  prices: readonly Price[],
  sharp: readonly string[],
): readonly Price[] {
  const rankOf = ({ sportsbook }: Price) => {
    const at = sharp.indexOf(sportsbook)
    return at < 0 ? sharp.length : at
  }
  return [...prices].sort((a, b) => rankOf(a) - rankOf(b) || b.move_count - a.move_count)
}

/**
 * Returns the histories as they were at a time: without what came later.
 * @param at epoch ms
 */
export const historiesAt = (histories: readonly PriceHistory[], at: number) =>
  histories.flatMap((history): PriceHistory | readonly [] => {
    const course = history.course.filter((point) => Date.parse(point.at) <= at)
    const last = course.filter(({ odds_decimal }) => odds_decimal !== null).at(-1)
    if (!last) return []
    const { odds_decimal, odds_american } = last
    const { close } = history
    return {
      ...history,
      course,
      last: {
        ...history.last,
        at: last.at,
        odds_decimal: odds_decimal!,
        odds_american: odds_american!,
      },
      close: close && Date.parse(close.at) <= at ? close : null,
    }
  })
