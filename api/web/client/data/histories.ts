/** Which of the prices that the archive has of a market are of one question. */

import type { Question } from './price-store.ts'

/** The members of a price in the history of an event that say what it is of. */
export interface PastSelection {
  readonly selection_type: string
  readonly line: number | null
  readonly player_name: string | null
  readonly stat_category: string | null
}

/** Returns the prices of one answer at one line. A market may have several statistics of a player. */
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
