/**
 * The rule for two-way handicaps of soccer in play, which two sportsbooks may settle differently at
 * the same line. Most count only the goals after the bet, as if the score were 0-0; others count the
 * whole game. So at 1-0, home -0.5 is a bet on the rest of the game at the first, and is ahead
 * already at the others. No row says which it is.
 *
 * Therefore these prices are not compared across sportsbooks: none is the best, measures others,
 * judges others or is in an opportunity, and an alert tells only of what one sportsbook's price does.
 * A sportsbook's own prices have its own hold. They still choose which line is called main, of which
 * no figure follows.
 *
 * - While the game is level they are the same bet, and are not compared then either. The score comes
 *   by another way than the prices, so a goal may be in one before it is in the other.
 * - It holds for every period and line, and for handicaps in corners and cards too.
 * - A handicap with a draw (`three_ways`) and totals count the whole game, and so do handicaps in
 *   our other sports by the rules that we have read. Futsal follows soccer, but is none of our
 *   sports.
 *
 * Sources, all of them rules of sportsbooks:
 * - only goals after the bet: sb.fun88.co.uk/information/betting_rules/handicap_betting (in halves
 *   too), fb385.com/en-US/Information/Rules_SportsFutsal (which counts totals from 0-0)
 * - the final score: learning.betfair.com/en/videos/asian-handicaps.html,
 *   betphoenix.ag/vn/rules/sports/live-betting (in every sport)
 *
 * This file imports no table of market types, so that the pages can use it.
 */

import type { Answers } from '../../../schemas/reference/market-question.ts'

/** Returns whether some sportsbooks count only the score after a bet in play, and others all of it. */
export const countsFromBet = (answers: Answers, sport: string): boolean =>
  sport === 'soccer' && answers === 'handicap'

/**
 * Returns whether different sportsbooks' prices for one outcome at one line are of the same bet.
 * @param isLive whether they are prices in play
 */
export const isComparable = (answers: Answers, sport: string, isLive: boolean): boolean =>
  !(isLive && countsFromBet(answers, sport))
