/**
 * The outcomes that make a market complete, by the column `answers` of its type, and the team that an outcome is
 * about. The rules are described in `questions.ts`, which works by market type. This file imports
 * no table of types, so that the pages can use it.
 */

import { memoise } from '../../../schemas/memoise.ts'
import type { Answers } from '../../../schemas/reference/market-question.ts'

/** The selection types of one complete market, in the order of legs. */
export type OutcomeSet = readonly string[]

/**
 * Returns the sets of selection types that each make a market complete, at one line and for one player.
 * @returns null for a form without a closed set; the arrays are shared and may be compared by
 * identity
 */
export function outcomeSets(answers: Answers, sport: string): readonly OutcomeSet[] | null {
  switch (answers) {
    case 'winner':
      return sport === 'soccer' ? threeWays : twoWays
    case 'handicap':
      return twoWays
    case 'first_to_score':
      return mayEndScoreless.has(sport) ? closed.first_to_score : null
    default:
      return closed[answers]
  }
}

/**
 * Sports whose games may end without a score, so that "nobody" is an outcome; in other sports,
 * sportsbooks differ.
 */
const mayEndScoreless = new Set(['soccer', 'hockey'])

const twoWays: readonly OutcomeSet[] = [['home', 'away']]
const threeWays: readonly OutcomeSet[] = [['home', 'away', 'draw']]
const yesNo: readonly OutcomeSet[] = [['yes', 'no']]
const teamYesNo: readonly OutcomeSet[] = [
  ['home_yes', 'home_no'],
  ['away_yes', 'away_no'],
]

/** The sets that do not depend on the sport. */
const closed: Readonly<
  Record<Exclude<Answers, 'winner' | 'handicap'>, readonly OutcomeSet[] | null>
> = {
  two_ways: twoWays,
  three_ways: threeWays,
  over_under: [['over', 'under']],
  yes_no: yesNo,
  odd_even: [['odd', 'even']],
  team_over_under: [
    ['home_over', 'home_under'],
    ['away_over', 'away_under'],
  ],
  team_yes_no: teamYesNo,
  game_or_team_yes_no: [...yesNo, ...teamYesNo],
  first_to_score: [['home', 'away', 'no']],
  half: [['1st_half', '2nd_half', 'draw']],
  score: null,
  double_chance: null,
  open: null,
  various: null,
}

/** Forms of "who is ahead": a line gives points to one side and takes them from the other. */
export const isAhead: ReadonlySet<Answers> = new Set([
  'winner',
  'handicap',
  'two_ways',
  'three_ways',
])

/** Returns the team whose total, or whose yes and no, an outcome is about; null for the game or a player. */
export const teamOf: (selectionType: string) => 'home' | 'away' | null = memoise(
  (selectionType) => {
    const [, team = null] = /^(home|away)_(?:over|under|yes|no|odd|even)$/.exec(selectionType) ?? []
    return team as 'home' | 'away' | null
  },
)
