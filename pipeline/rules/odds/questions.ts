/**
 * The question of a market: which outcomes make it complete, which prices share one rung of its ladder of lines,
 * which team an outcome is about, what its lines count, and how an outcome changes when home and away are exchanged.
 * All of it follows from the columns of `schemas/reference/markets.json`; rules that need only the
 * column `answers` are in `outcome-sets.ts`.
 *
 * A **question** is a market type of an event, for one player (or none) and one team (or none). A **rung** is one
 * line of a question, named by home's line.
 *
 * A set of outcomes is **complete** if exactly one comes true, or stakes are returned: bets on all
 * of them cannot lose to a missing outcome. Arbitrages, low holds and no-vig prices need such a
 * set. The market type and the sport decide it, never one sportsbook's list: a market with three
 * outcomes still has three if a sportsbook omits the draw.
 *
 * - *Three ways*: soccer's `moneyline`, of the game or a part of it, always; any market registered with a draw
 *   (`moneyline_3-way`, `most_corners`).
 * - *Two ways*: `moneyline` in other sports, and handicaps. The game is played until somebody wins,
 *   or a tie returns the stakes; prices with a draw are filed under a three-way type
 *   (`three-ways.ts`). Also `draw_no_bet`, `to_qualify`, over and under, yes and no, odd and even.
 *   A push returns the stakes.
 * - A question about each side (a team's total, a clean sheet) has one set per side; a plain over or yes names no
 *   side and belongs to none.
 * - *None*: a player's market without a named player; scores, ranges, outrights and winners of a
 *   season; double chance, whose outcomes overlap; types that only collect different questions
 *   (`game_prop`, `binary`); and any type we do not list. Six or nine outcomes (result and goals,
 *   half and full time) are closed, but no opportunity that we serve has more than three legs.
 */

import { findMarket, questionOf } from '../../../schemas/reference/markets.ts'
import { isAhead, type OutcomeSet, outcomeSets, teamOf } from './outcome-sets.ts'

/**
 * Returns the sets of selection types that each make a market complete, at one line and for one player.
 * @returns null for a market without a closed set; the arrays are shared and may be compared by
 * identity
 */
export function outcomesOf(marketType: string, sport: string): readonly OutcomeSet[] | null {
  const market = findMarket(marketType)
  if (!market || market.category === 'future') return null
  return outcomeSets(market.answers, sport)
}

/** Returns whether a price is of an unnamed player: another such price may be of another player. */
export const isOfUnknownPlayer = (marketType: string, playerName: string | null) =>
  playerName === null && questionOf(marketType).isPlayerProp

/** Returns whether a price is of a player, named or not. */
export const isOfPlayer = (marketType: string, playerName: string | null) =>
  playerName !== null || questionOf(marketType).isPlayerProp

// ---- rungs and teams

/**
 * Returns whether a line gives one side points and takes them from the other, so that the two have opposite lines:
 * home -1.5 beside away +1.5. If home and away are outcomes of "who is ahead", a line is such a
 * handicap, even in a market that rarely has a line (`moneyline_3-way`). Any other line, such as
 * that of a race to 20 points, is the same for all outcomes.
 */
export const isHandicap = (marketType: string) => isAhead.has(questionOf(marketType).answers)

/**
 * Returns an outcome's line signed from the home side, which names the rung. In a handicap, away's
 * line changes its sign; a draw's already has home's sign. The same function converts a rung to the
 * line of the outcome's own row.
 */
export const homeLine = (marketType: string, selectionType: string, line: number | null) =>
  line !== null && selectionType === 'away' && isHandicap(marketType) ? 0 - line : line

/**
 * Returns a text that is the same for all outcomes on one rung of one question, and no others of
 * the market.
 */
export function rungKey(
  marketType: string,
  {
    playerName,
    selectionType,
    line,
  }: {
    readonly playerName: string | null
    readonly selectionType: string
    readonly line: number | null
  },
): string {
  const rung = homeLine(marketType, selectionType, line)
  return `${teamOf(selectionType) ?? ''}|${rung ?? ''}|${playerName ?? ''}`
}

// ---- middles

export type MiddleKind = 'margin' | 'total'

/**
 * Returns what a market's lines count, if bets at two lines can both win: the home side's margin,
 * or a number of something.
 * @returns null for a market without such lines, or an unlisted one, because the meaning of its
 * line is unknown
 */
export function middleKind(marketType: string): MiddleKind | null {
  const market = findMarket(marketType)
  if (!market || market.category === 'future') return null
  if (market.answers === 'handicap') return 'margin'
  return market.answers === 'over_under' || market.answers === 'team_over_under' ? 'total' : null
}

// ---- home and away exchanged

/**
 * Returns the selection type of the same outcome with home and away exchanged: `home` to `away`, `away_over` to
 * `home_over`, the score `2_1` to `1_2`, half-time/full-time `home_away` to `away_home`; types
 * without sides, such as the range `2_3` of goals, do not change.
 */
export function flipSelectionType(selectionType: string, marketType: string): string {
  const { answers } = questionOf(marketType)
  const isPair = selectionType === 'home_away' || selectionType === 'away_home'
  if (isPair && answers === 'double_chance') return selectionType
  const score = answers === 'score' && /^(\d+)_(\d+)$/.exec(selectionType)
  if (score) return `${score[2]}_${score[1]}`
  return selectionType.split('_').map(opposite).join('_')
}

const opposite = (word: string) => (word === 'home' ? 'away' : word === 'away' ? 'home' : word)

/**
 * Returns the line of the same outcome with home and away exchanged. A draw's handicap has home's
 * sign, so its sign changes. A side keeps its own line, and any other line has no side.
 */
export const flipLine = (
  selectionType: string,
  line: number | null,
  marketType: string,
): number | null =>
  selectionType === 'draw' && line !== null && isHandicap(marketType) ? 0 - line : line
