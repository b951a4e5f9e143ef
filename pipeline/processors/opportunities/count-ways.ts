/** How many answers complete a market: whether the draw is one, by the sportsbooks that quote it. */

import { outcomesOf } from '../../rules/questions.ts'
import type { Ladder } from './price-lines.ts'

/**
 * Settles whether the draw is an answer, by the sportsbooks with both sides on the market.
 * @returns true when that has changed
 */
export function countWays(ladder: Ladder): boolean {
  const { event, marketType, lines } = ladder
  if (ladder.draws === 0 && ladder.outcomes === 2) return false
  for (const quoted of event.offers.values()) quoted.columns = 0
  for (const { offers, prices } of lines) {
    for (let slot = 0; slot < offers.length; slot++) {
      for (let column = 0; column < 3; column++) {
        if (prices[3 * slot + column]! > 0) offers[slot]!.columns |= 1 << column
      }
    }
  }
  let withDraw = 0
  let withoutDraw = 0
  for (const { isUsable, columns } of event.offers.values()) {
    if (!isUsable) continue
    if (columns === bothSides + draw) withDraw++
    else if (columns === bothSides) withoutDraw++
  }
  const sets = outcomesOf(marketType, event.row?.sport ?? '', { withDraw, withoutDraw })
  const outcomes = sets?.[0]?.length ?? ladder.outcomes
  if (outcomes === ladder.outcomes) return false
  ladder.outcomes = outcomes
  return true
}

const bothSides = 0b011
const draw = 0b100
