/**
 * The ladder guard: whether two prices on different lines of one question can be of one game. The
 * phantom guard (`phantom-guard.ts`) judges only one line. But a wrong sign, a wrong rung or a
 * swapped team is often alone on its line, and seems to make a middle with all others.
 *
 * - A price and its line together show the result that the sportsbook expects on average. It is
 *   measured in standard deviations of the result, so that a far alternate line gives the same as
 *   the main line.
 * - Two prices that differ by more than honest sportsbooks do are **apart**: 15 points in the NBA
 *   are 1.2, a line that moves on news 0.1 to 0.3. If there are only two, either may be wrong: both
 *   are suspected.
 * - A third price that agrees with one and contradicts the other shows that the other is of another
 *   question: then the two make no middle. Two such witnesses suffice; a single one needs a larger
 *   distance.
 * - If one handicap is the other with the opposite sign, that is a witness too: one of the two has
 *   the sign wrong. Lines that really move through zero stay within the larger distance: 3 and -3
 *   in the NBA, 2 and -2 in the NFL.
 * - If no other agrees with a sportsbook on its line, and two others have its price on the line
 *   with the opposite sign, it has the sign wrong: its price is withheld.
 */

import { middleOutlook } from './results.ts'

/** A sportsbook's no-vig prices on one line. */
export interface Rung {
  /** Home's line, for handicaps. */
  readonly line: number
  /** The probability of the first outcome, over or home: between 0 and 1. */
  readonly fair: number
}

/** The parts of a ladder that are needed here. */
export interface LadderQuestion {
  readonly marketType: string
  readonly sport: string
  readonly kind: 'margin' | 'total'
  readonly isPlayers: boolean
  readonly isLive: boolean
}

export const ladderVerdict = { fine: 0, apart: 1, withheld: 2 } as const

/**
 * The largest honest difference of two expected results, in standard deviations. A player's
 * statistic is small, so a step of it is large: assists of 4.5 and 5.5 are 0.4 apart. In play, one
 * sportsbook has a new score before the other.
 */
const furthest = { game: 0.36, player: 0.8, inPlayFactor: 1.5, oneWitnessFactor: 1.2 } as const

const furthestOf = ({ isPlayers, isLive }: Pick<LadderQuestion, 'isPlayers' | 'isLive'>) =>
  (isPlayers ? furthest.player : furthest.game) * (isLive ? furthest.inPlayFactor : 1)

/**
 * Returns whether the two rungs of a middle are further apart than honest ones, regardless of which
 * is wrong.
 * @param chance that both bets win, by the model of results
 * @param first the rung whose first outcome is bet on
 * @param second the rung whose second outcome is bet on
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
 * Returns whether the prices leave at least about as much chance between the lines as the model.
 * Then the rungs are not apart. A cheap test, which is true for nearly all pairs.
 */
export const isAsLikely = (chance: number, firstFair: number, secondFair: number) =>
  chance - (firstFair - secondFair) < leastExcess

/** Prices of a middle can only be apart if the model's chance exceeds theirs by at least this. */
const leastExcess = 0.03

/**
 * Judges two rungs that are apart: whether the others show that one of them is of another question.
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
  let telling = isTurned(ladder, one, other) ? 1 : 0
  for (const witness of witnesses) {
    const [toOne, toOther] = [distance(ladder, witness, one), distance(ladder, witness, other)]
    if (Math.min(toOne, toOther) <= limit && Math.max(toOne, toOther) > limit) telling++
  }
  const isProven = telling > 1 || (telling === 1 && between > limit * furthest.oneWitnessFactor)
  return isProven ? ladderVerdict.withheld : ladderVerdict.apart
}

/**
 * Returns whether a sportsbook has the sign of its line wrong. On the line with the opposite sign,
 * at least two others and more than half must have its price. That price must be far from what they
 * expect of its line. All others on its own line must be apart from it: they offer an alternate
 * line at its proper price, 1.25 beside 1.90.
 * @param own the prices of the sportsbook
 * @param mirrored prices of the others, with both outcomes, on the line with the opposite sign
 * @param beside prices of the others on its own line
 */
export function hasTurnedSign(
  ladder: LadderQuestion,
  own: Rung,
  mirrored: readonly Rung[],
  beside: readonly Rung[] = [],
): boolean {
  if (Math.max(own.fair, 1 - own.fair) > turned.fairMax) return false
  if (beside.some((other) => !areContrary(ladder, own.fair, other.fair))) return false
  const least =
    furthestOf(ladder) * (ladder.isLive ? turned.inPlayFactor : furthest.oneWitnessFactor)
  let telling = 0
  for (const other of mirrored) {
    const isSamePrice = Math.abs(deviate(own.fair) - deviate(other.fair)) <= turned.price
    if (isSamePrice && distance(ladder, own, other) > least) telling++
  }
  return telling >= 2 && 2 * telling > mirrored.length
}

/**
 * Returns whether two probabilities on one line are apart: they differ by more than honest ones.
 */
export const areContrary = (
  ladder: Pick<LadderQuestion, 'isPlayers' | 'isLive'>,
  oneFair: number,
  otherFair: number,
): boolean => Math.abs(deviate(oneFair) - deviate(otherFair)) > furthestOf(ladder)

/**
 * Limits measured on recorded boards, for sportsbooks that are alone on a line while two or more
 * are on the line with the opposite sign. The 41 errors of six NFL seasons differ in price by at
 * most 0.2, and in the result by 0.4 to 2.2. Honest lines of 1 and 2 points differ in the result by
 * at most 0.37; honest ones of 1.5 goals in the NHL differ in price, by 0.98 and more.
 */
const turned = {
  /** The largest distance between equal prices, in standard deviations. */
  price: 0.2,
  /**
   * The highest probability of an outcome. In play a nearly certain outcome has the same price on
   * many lines.
   */
  fairMax: 0.8,
  /**
   * Multiplies the limit in play: after a touchdown, one sportsbook moves from 3.5 to -3.5 before
   * another.
   */
  inPlayFactor: 2,
} as const

/** Returns whether one rung has the opposite line of the other, at a price that agrees. */
const isTurned = (ladder: LadderQuestion, one: Rung, { line, fair }: Rung) =>
  ladder.kind === 'margin' &&
  one.line === 0 - line &&
  distance(ladder, one, { line: one.line, fair }) <= furthestOf(ladder)

/** Returns the distance between the results that two rungs expect, in standard deviations. */
export function distance(ladder: LadderQuestion, one: Rung, other: Rung): number {
  const steps = stepsBetween(ladder, one.line, other.line)
  const byPrice = deviate(one.fair) - deviate(other.fair)
  // A higher line is harder for over, and easier for home.
  return Math.abs(ladder.kind === 'total' ? byPrice + steps : byPrice - steps)
}

/** Returns the lines' distance, signed. */
function stepsBetween(ladder: LadderQuestion, one: number, other: number): number {
  if (one === other) return 0
  const middle = (one + other) / 2
  const width = Math.abs(one - other)
  const wide = Math.max(width, widthMin)
  const chance = chanceAbout(ladder, ladder.kind === 'total' ? middle : 0 - middle, wide)
  return ((one - other) / wide) * 2 * deviate((1 + chance) / 2)
}

/** The least width: in a narrower one, a key number would count too much. */
const widthMin = 8

/**
 * Returns the chance of a result within a width around an expected one; a result on the edge counts
 * half.
 */
function chanceAbout({ marketType, sport }: LadderQuestion, middle: number, width: number): number {
  let sum = 0
  for (const reach of [width / 2, width / 2 + 0.5]) {
    const range = { low: middle - reach, high: middle + reach }
    // The distance of two lines depends on the sport, not on the league.
    sum += middleOutlook({ marketType, sport, league: '', ...range })?.probability ?? 0
  }
  return Math.min(sum / 2, likeliest)
}

/** The highest chance used; above it lines are far apart anyway. */
const likeliest = 0.98

/**
 * Returns a chance as standard deviations from the average, by the logistic curve, which is close
 * enough.
 */
const deviate = (chance: number) => Math.log(chance / (1 - chance)) / 1.6
