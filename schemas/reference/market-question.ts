/** The question of a market type, in the words of the columns of `markets.json`. */

/**
 * The outcomes of a market, as selection types.
 *
 * | value | outcomes |
 * |---|---|
 * | `winner` | `home`, `away`; and `draw` in soccer. Elsewhere one with a draw is `three_ways` |
 * | `handicap` | `home`, `away`, of the margin after the line; with a draw it is `three_ways` |
 * | `two_ways` | `home`, `away`, never a draw |
 * | `three_ways` | `home`, `away`, `draw` |
 * | `over_under`, `yes_no`, `odd_even` | these two |
 * | `team_over_under`, `team_yes_no` | the two for each side: `home_over`, `home_under`, `away_over`, … |
 * | `game_or_team_yes_no` | `yes` and `no` of the game, and for each side |
 * | `first_to_score` | `home`, `away`; and `no` for nobody where a game may end without a score |
 * | `half` | `1st_half`, `2nd_half`, `draw` |
 * | `score` | scores such as `2_1`, home's first |
 * | `double_chance` | two results each, home before away before draw: `home_draw` |
 * | `open` | any others: many, overlapping or unknown |
 * | `various` | the type gathers different questions |
 */
export const answersOfMarkets = [
  'winner',
  'handicap',
  'two_ways',
  'three_ways',
  'over_under',
  'yes_no',
  'odd_even',
  'team_over_under',
  'team_yes_no',
  'game_or_team_yes_no',
  'first_to_score',
  'half',
  'score',
  'double_chance',
  'open',
  'various',
] as const
export type Answers = (typeof answersOfMarkets)[number]

/**
 * The unit that a line counts, for the chance that a result falls between two lines: the sport's own score; something
 * rarer (corners, aces); a player's statistic; games of tennis.
 */
export const countedByMarkets = ['score', 'occurrences', 'statistic', 'games'] as const
export type Counted = (typeof countedByMarkets)[number]

export const filterAliases = ['main', 'spread', 'total', 'props'] as const
export type MarketAlias = (typeof filterAliases)[number]

/** The facts of every market type, listed or not. */
export interface MarketQuestion {
  readonly answers: Answers
  readonly isPlayerProp: boolean
  /** Filter values that include it (interface 2.10). */
  readonly aliases: readonly MarketAlias[]
}
