/** Display names of outcomes, and markets, and marks of prices that do not count. */

import { teamOf } from '../../../../pipeline/rules/odds/outcome-sets.ts'
import type { Price } from '../data/price-store.ts'

export function answerText(answer: string, homeTeam: string, awayTeam: string): string {
  if (answer === 'home') return homeTeam
  if (answer === 'away') return awayTeam
  const team = teamOf(answer)
  if (team) return `${answerText(team, homeTeam, awayTeam)} ${answer.slice(team.length + 1)}`
  return answer.charAt(0).toUpperCase() + answer.slice(1)
}

/** Returns a text such as `Player passing yards` for `player_passing_yards`. */
export function marketText(market: string): string {
  const text = market.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const withheldWords: Readonly<Record<string, string>> = {
  far_from_consensus: 'too far from the other sportsbooks',
  market_mismatch: 'its prices seem to be for another market',
  books_disagree: 'the sportsbooks disagree with each other',
  swapped: 'its two sides or the sign of its line seem to be swapped',
  unknown: 'for a reason that this version does not know',
  reference: 'a reference that measures others, not a bet',
}

/** Returns why a price is withheld, as people read it. */
export const withheldText = (reason: string) => `Withheld: ${withheldWords[reason] ?? reason}`

export interface Mark {
  readonly className: '' | 'suspended' | 'withheld'
  /** Explanation for the reader. */
  readonly why: string
}

/** Returns the mark of a price that cannot be bet on; both texts are empty for one that can. */
export function markOf({ isActive, withheld }: Pick<Price, 'isActive' | 'withheld'>): Mark {
  if (!isActive) return { className: 'suspended', why: 'Suspended' }
  if (withheld === null) return { className: '', why: '' }
  return { className: 'withheld', why: withheldText(withheld) }
}

/**
 * Returns what screen readers say in place of a price and its line, so that they tell why it does not count.
 * @param why empty for a price that counts
 * @returns null if the shown texts say all
 */
export const spokenPrice = (line: string, price: string, why: string): string | null =>
  why === '' ? null : `${[line, price].filter(Boolean).join(' ')}, ${why}`

/** Says what the consensus of so many sportsbooks is. */
export const consensusText = (count: number) =>
  `Median of ${count} sportsbooks without their margins: no sharp book offers it`
