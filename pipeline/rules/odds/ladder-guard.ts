/**
 * The ladder guard: whether two prices on different lines of one question can be of one game. The phantom
 * guard (`phantom-guard.ts`) judges one line; a handicap with its sign turned, a wrong rung or a swapped
 * team is often alone on its line, and seems a middle with all the others.
 *
 * - A price and its line say where the sportsbook sees the result on average. Both are taken together, in
 *   standard deviations of the result, so that a long alternate line says the same as the main one.
 * - Two that see it further apart than honest sportsbooks do are **apart**: 15 points in the NBA are 1.2,
 *   a line that moves on news 0.1 to 0.3. Of two alone it is unknown which is wrong: both are suspected.
 * - A third that agrees with the one and contradicts the other says that the other is of another question:
 *   no middle is made of the two. Two that say so are believed at once, one beyond a little more.
 */

import { middleOutlook } from './results.ts'

/** A sportsbook's no-vig prices on one line. */
export interface Rung {
  /** Home's, for handicaps. */
  readonly line: number
  /** That the first answer wins, over or home: between 0 and 1. */
  readonly fair: number
}

/** A ladder, as far as it matters here. */
export interface LadderQuestion {
  readonly marketType: string
  readonly sport: string
  readonly kind: 'margin' | 'total'
  readonly isPlayers: boolean
  readonly isLive: boolean
}

export const ladderVerdict = { fine: 0, apart: 1, withheld: 2 } as const

/**
 * How far apart, in standard deviations, two honest sportsbooks may see a result. A player's statistic is small,
 * and a step of it large: assists of 4.5 and 5.5 are 0.4. In play a score moves one before the other.
 */
const furthest = { game: 0.36, player: 0.8, inPlayFactor: 1.5, oneWitnessFactor: 1.2 } as const

const furthestOf = ({ isPlayers, isLive }: LadderQuestion) =>
  (isPlayers ? furthest.player : furthest.game) * (isLive ? furthest.inPlayFactor : 1)

/**
 * Whether the two rungs of a middle are seen further apart than is honest, whoever is wrong.
 * @param chance that both bets win, by the model of results
 * @param first whose first answer is bet on
 * @param second whose second answer is
 */
export function areApart(
  ladder: LadderQuestion,
  chance: number,
  first: Rung,
  second: Rung,
): boolean {
  if (isAsLikely(chance, first.fair, second.fair)) return false
  return distance(ladder, first, second) > furthestOf(ladder)
}

/**
 * Whether the prices leave about as much between the lines as the model says, so that they are not apart. It is cheap,
 * and so of nearly all pairs.
 */
export const isAsLikely = (chance: number, firstFair: number, secondFair: number) =>
  chance - (firstFair - secondFair) < leastExcess

/** How much likelier than the prices say a middle is by the model, at least, if its prices are apart. */
const leastExcess = 0.03

/**
 * Of two rungs that are apart: whether the others tell that one of them is of another question.
 * @param witnesses one rung of each other sportsbook
 */
export function judgeApart(
  ladder: LadderQuestion,
  one: Rung,
  other: Rung,
  witnesses: readonly Rung[],
): number {
  const limit = furthestOf(ladder)
  const between = distance(ladder, one, other)
  let telling = 0
  for (const witness of witnesses) {
    const [toOne, toOther] = [distance(ladder, witness, one), distance(ladder, witness, other)]
    if (Math.min(toOne, toOther) <= limit && Math.max(toOne, toOther) > limit) telling++
  }
  const isProven = telling > 1 || (telling === 1 && between > limit * furthest.oneWitnessFactor)
  return isProven ? ladderVerdict.withheld : ladderVerdict.apart
}

/** How far apart the results are that two rungs expect, in standard deviations. */
function distance(ladder: LadderQuestion, one: Rung, other: Rung): number {
  const steps = stepsBetween(ladder, one.line, other.line)
  const byPrice = deviate(one.fair) - deviate(other.fair)
  // A higher line is harder for over, and easier for home.
  return Math.abs(ladder.kind === 'total' ? byPrice + steps : byPrice - steps)
}

/** The lines' distance, signed. */
function stepsBetween(ladder: LadderQuestion, one: number, other: number): number {
  if (one === other) return 0
  const middle = (one + other) / 2
  const width = Math.abs(one - other)
  const wide = Math.max(width, widthMin)
  const chance = chanceAbout(ladder, ladder.kind === 'total' ? middle : 0 - middle, wide)
  return ((one - other) / wide) * 2 * deviate((1 + chance) / 2)
}

/** Narrower, a key number would count for more than it is of the game. */
const widthMin = 8

/** That the result falls within so many points about an expected one; half of it where it is on the edge. */
function chanceAbout({ marketType, sport }: LadderQuestion, middle: number, width: number): number {
  let sum = 0
  for (const reach of [width / 2, width / 2 + 0.5]) {
    const question = { marketType, sport, low: middle - reach, high: middle + reach }
    sum += middleOutlook(question)?.probability ?? 0
  }
  return Math.min(sum / 2, likeliest)
}

/** Beyond it lines are far apart, whatever the chance. */
const likeliest = 0.98

/** Standard deviations from the average at which a chance lies; by the logistic curve, which is near enough. */
const deviate = (chance: number) => Math.log(chance / (1 - chance)) / 1.6
