/** The prices of lines in the form of the ladder guard. */

import type { LadderQuestion, Rung } from '../../rules/odds/ladder-guard.ts'
import type { Ladder, Line } from './lines.ts'

/** Returns one sportsbook's rung on a line that has a number. */
export const rungAt = (line: Line, slot: number): Rung => ({
  line: line.line!,
  fair: fairAt(line, slot),
})

export const questionOf = ({
  event,
  marketType,
  playerName,
  isLive,
  shape,
}: Ladder): LadderQuestion => ({
  marketType,
  sport: event.row!.sport,
  kind: shape.middles!,
  isPlayers: playerName !== null,
  isLive,
})

/**
 * Returns a sportsbook's probability of the first of two outcomes; with vig if it prices only one.
 */
export function fairAt({ prices, ladder }: Line, slot: number): number {
  const at = slot * ladder.shape.columns
  const [first, second] = [prices[at]!, prices[at + 1]!]
  if (second === 0) return 1 / first
  return first === 0 ? 1 - 1 / second : second / (first + second)
}
