/**
 * The ladder guard: whether two prices on different lines of one question can be of one game. The phantom
 * guard (`phantom-guard.ts`) judges one line; a handicap with its sign turned, a wrong rung or a swapped
 * team is often alone on its line, and seems a middle with all the others.
 *
 * - A price and its line say where the sportsbook sees the result on average. Both are taken together, in
 *   standard deviations of the result, so that a long alternate line says the same as the main one.
 * - Two that see it further apart than honest sportsbooks do are **apart**: 15 points in the NBA are 1.2,
 *   a line that moves on news 0.1 to 0.3. Nobody can tell which of two alone is wrong: they are suspected.
 * - A third that agrees with the one and contradicts the other says that the other is of another question:
 *   no middle is made of the two. Two that say so are believed at once, one beyond a little more.
 */

import { middleOutlook } from './results.ts'

/** What a sportsbook offers on one line, without its vig. */
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
  // What the prices leave between the lines is about what the model says: this ends nearly every call.
  if (chance - (first.fair - second.fair) < leastExcess) return false
  return distance(ladder, first, second) > furthestOf(ladder)
}

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
  const isTold = telling > 1 || (telling === 1 && between > limit * furthest.oneWitnessFactor)
  return isTold ? ladderVerdict.withheld : ladderVerdict.apart
}

/** How far apart the results are that two rungs expect, in standard deviations. */
function distance(ladder: LadderQuestion, one: Rung, other: Rung): number {
  const steps = stepsBetween(ladder, one.line, other.line)
  const byPrice = deviate(one.fair) - deviate(other.fair)
  // A higher line is harder for over, and easier for home.
  return Math.abs(ladder.kind === 'total' ? byPrice + steps : byPrice - steps)
}

/** The lines' distance, signed. A result on one of them counts half. */
function stepsBetween(ladder: LadderQuestion, one: number, other: number): number {
  if (one === other) return 0
  const [lower, higher] = one < other ? [one, other] : [other, one]
  const [low, high] = ladder.kind === 'total' ? [lower, higher] : [0 - higher, 0 - lower]
  const inside = chanceBetween(ladder, low, high)
  const upTo = chanceBetween(ladder, low - 0.5, high + 0.5)
  const chance = Math.min((inside + upTo) / 2, likeliest)
  const steps = 2 * deviate((1 + chance) / 2)
  return one < other ? -steps : steps
}

const chanceBetween = ({ marketType, sport }: LadderQuestion, low: number, high: number) =>
  middleOutlook({ marketType, sport, low, high })?.probability ?? 0

/** Beyond it lines are far apart, whatever the chance. */
const likeliest = 0.98

/** Standard deviations from the average at which a chance lies; by the logistic curve, which is near enough. */
const deviate = (chance: number) => Math.log(chance / (1 - chance)) / 1.6
