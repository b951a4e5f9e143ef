/**
 * Which answers make a market complete, so that betting each of them once cannot lose to an answer
 * that was left out. Arbitrages, low holds and no-vig prices exist over such a set only.
 *
 * It is decided by what the market type asks in the sport, never by what one sportsbook lists: a
 * sportsbook that leaves the draw out has not made two answers of three.
 *
 * - *Three ways*: soccer's `moneyline`, of the game or a part of it, always; any market registered
 *   with a draw (`moneyline_3-way`, `most_corners`). Where it has a line it is a handicap of results.
 * - *Either*: `moneyline` elsewhere. The game is played until somebody wins, or a tie returns the
 *   stakes, and then it has two ways; a source may also file regulation time, which has three, under
 *   the same type. The sportsbooks on the market decide together: whichever form more of them give,
 *   three where they are as many. The others then do not take part: those with a draw among two ways
 *   sum below 1, which the phantom guard sees; those without among three lack an answer.
 * - *Two ways*: handicaps, `draw_no_bet`, `to_qualify`, over and under, yes and no, odd and even. A
 *   push returns stakes and loses nothing. A handicap on which a draw is quoted is another question
 *   (a handicap of results), decided as above.
 * - A question about each side (a team's total, a clean sheet) has one set per side; a plain over
 *   or yes does not say whose and belongs to none.
 * - *None*: scores, ranges, outrights and winners of a season; "which side" questions that may be
 *   true of both or of neither (a clean sheet by home and by away); double chance, whose answers
 *   overlap; types that only gather questions (`game_prop`, `binary`); whatever we do not list.
 *   Six or nine answers (result and goals, half and full time) are closed, but no opportunity that
 *   we serve has more than three legs.
 */

import { findMarket, marketSides } from '../../schemas/reference/markets.ts'

/** The selection types of one complete market, in the order of legs. */
export type OutcomeSet = readonly string[]

/** How many of the sportsbooks on a market quote a draw, and how many do not. */
export interface DrawCount {
  readonly withDraw: number
  readonly withoutDraw: number
}

/**
 * The sets of selection types that each make a market complete, at one line and for one player.
 * @param draws counted over the whole market of one event, all its lines; matters only where the
 * type does not say by itself how many ways there are
 * @returns null for a market without a closed set; the arrays are shared, so compared by identity
 */
export function outcomesOf(
  marketType: string,
  sport: string,
  draws: DrawCount = noDraws,
): readonly OutcomeSet[] | null {
  const market = findMarket(marketType)
  if (!market || market.category === 'future') return null
  const { period } = market
  const question = period === 'game' ? marketType : marketType.slice(period.length + 1)
  const special = specialSets(question, sport)
  if (special !== undefined) return special
  switch (marketSides(marketType, sport)) {
    case 'home_away_draw':
      return threeWays
    case 'home_away':
      return mayHaveDraw(question, market.hasLine) && isThreeWay(draws) ? threeWays : twoWays
    case 'over_under':
      return question.startsWith('team_') ? teamTotals : overUnder
    case 'yes_no':
      return yesNo
    default:
      return null
  }
}

const noDraws: DrawCount = { withDraw: 0, withoutDraw: 0 }

const isThreeWay = ({ withDraw, withoutDraw }: DrawCount) => withDraw > 0 && withDraw >= withoutDraw

/** Draw no bet, who qualifies and the toss have no draw whatever a row says. */
const mayHaveDraw = (question: string, hasLine: boolean) => question === 'moneyline' || hasLine

const threeWays: readonly OutcomeSet[] = [['home', 'away', 'draw']]
const twoWays: readonly OutcomeSet[] = [['home', 'away']]
const overUnder: readonly OutcomeSet[] = [['over', 'under']]
const yesNo: readonly OutcomeSet[] = [['yes', 'no']]
const oddEven: readonly OutcomeSet[] = [['odd', 'even']]
const firstToScore: readonly OutcomeSet[] = [['home', 'away', 'no']]
const halves: readonly OutcomeSet[] = [['1st_half', '2nd_half', 'draw']]
const teamTotals: readonly OutcomeSet[] = [
  ['home_over', 'home_under'],
  ['away_over', 'away_under'],
]
const ofEachSide: readonly OutcomeSet[] = [
  ['home_yes', 'home_no'],
  ['away_yes', 'away_no'],
]
const ofGameOrSide: readonly OutcomeSet[] = [...yesNo, ...ofEachSide]

/** Yes or no about one side; "home" and "away" alone may both be true, or neither. */
const aboutOneSide = new Set([
  'team_to_score',
  'team_to_win_to_nil',
  'team_clean_sheet',
  'clean_sheet',
  'to_win_to_nil',
  'to_win_either_half',
  'team_to_win_both_halves',
  'first_to_score_and_win',
])

/** Yes or no about the player of the row. */
const aboutPlayer = /^(anytime|first|last)_(goal|touchdown|try)_scorer(_|$)/

/** Where a game may end without a score, so that "nobody" is an answer; elsewhere books differ. */
const mayEndScoreless = new Set(['soccer', 'hockey'])

/** Sets of questions whose registered sides do not say them; undefined for all others. */
function specialSets(question: string, sport: string): readonly OutcomeSet[] | null | undefined {
  if (aboutOneSide.has(question)) return ofEachSide
  if (/(^|_)odd_even$/.test(question)) return oddEven
  if (aboutPlayer.test(question)) return yesNo
  switch (question) {
    case 'binary':
      return null
    case 'both_halves_goal_scored':
      return ofGameOrSide
    case 'highest_scoring_half':
      return halves
    case 'first_team_to_score':
      return mayEndScoreless.has(sport) ? firstToScore : null
    default:
      return undefined
  }
}
