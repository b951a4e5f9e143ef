/**
 * Outcomes that cannot come true without another one: over 2.5 needs over 1.5, the first scorer
 * needs a goal, a win needs draw no bet. The likelier outcome cannot have a longer price. If a
 * sportsbook's own prices contradict this, one of them means something else.
 *
 * An outcome that comes true whenever another does is **implied** by it; the other is **stricter**.
 * A bet whose stake is partly returned counts as come true.
 */

import { findMarket, mainMarketType, typeInPeriod } from '../../../schemas/reference/markets.ts'
import { teamOf } from './outcome-sets.ts'
import { isHandicap } from './questions.ts'

/** An outcome: on a line, without a line (null), or on the nearest line at or below a given one. */
export interface StricterOutcome {
  readonly marketType: string
  readonly selectionType: string
  readonly line: number | null
  readonly isNearestBelow: boolean
}

/**
 * Returns which lines of the same outcome are stricter, with lines signed from its own side: higher
 * for over and the like, lower for under and handicaps.
 * @returns 1 for higher, -1 for lower, 0 if lines have no order
 */
export function stricterLines(marketType: string, selectionType: string): -1 | 0 | 1 {
  const answers = findMarket(marketType)?.answers
  if (answers === 'over_under' || answers === 'team_over_under') {
    const outcome = teamOf(selectionType) === null ? selectionType : selectionType.slice(5)
    return outcome === 'over' ? 1 : outcome === 'under' ? -1 : 0
  }
  const isSide = selectionType === 'home' || selectionType === 'away'
  return isSide && isHandicap(marketType) ? -1 : 0
}

/**
 * Returns stricter outcomes of other market types of the same game, period and player.
 * @param line signed from the outcome's own side
 */
export function stricterElsewhere(
  marketType: string,
  sport: string,
  selectionType: string,
  line: number | null,
): readonly StricterOutcome[] {
  const market = findMarket(marketType)
  if (!market) return []
  const { base, period } = market
  const exactly = (type: string, outcome: string): StricterOutcome[] =>
    findMarket(type)
      ? [{ marketType: type, selectionType: outcome, line: null, isNearestBelow: false }]
      : []

  const scorer = /^anytime_(.+)_scorer$/.exec(base)?.[1]
  if (scorer && selectionType === 'yes') {
    return ['first', 'last'].flatMap((which) => exactly(`${which}_${scorer}_scorer`, 'yes'))
  }
  if (base === 'player_goals' && selectionType === 'over' && line === 0.5) {
    return ['anytime', 'first', 'last'].flatMap((which) => exactly(`${which}_goal_scorer`, 'yes'))
  }
  if (selectionType !== 'home' && selectionType !== 'away') return []

  // With a draw as an outcome, a win needs half a point; without, a tie returns the stake.
  const isSoccer = sport === 'soccer'
  const win = typeInPeriod('moneyline', period)
  if (base === 'draw_no_bet') {
    return exactly(isSoccer ? win : typeInPeriod('moneyline_3-way', period), selectionType)
  }
  const toWin = isSoccer ? -0.5 : 0
  const spread = mainMarketType(sport, 'spread', period)
  if (marketType === spread && line !== null && line > toWin) return exactly(win, selectionType)
  if (marketType === win && spread) {
    return [{ marketType: spread, selectionType, line: toWin, isNearestBelow: true }]
  }
  return []
}

/** Tolerance for rounding and for the odd cent of an exchange. */
const tolerance = 0.02

/** Returns whether a price contradicts that of a stricter outcome at the same sportsbook. */
export const contradicts = (price: number, stricter: number) => price > stricter * (1 + tolerance)
