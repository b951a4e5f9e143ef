/**
 * How much to stake: on each leg so that all return alike, or on one by Kelly's rule. The API and
 * the pages use the same rule. Prices are after the sportsbook's fee; amounts are in the currency
 * of the stakes. Profits are rounded down: to the cent if stakes are in whole cents, else to eight
 * decimals.
 *
 * No stake is above its sportsbook's limit. If one leg is limited, all are reduced in the same
 * proportion, because otherwise the profit would not be certain any more. A limit is rounded down
 * to whole units, like stakes.
 *
 * If prices are a sure profit, less than the wanted total may be staked: the rounded stakes with
 * the largest profit in the worst case count. If all stakes in whole units lose, these lose least.
 * They are not 0, so that the loss is visible in `worst`.
 */

import { impliedTotal, stakeShares } from './arbitrage.ts'
import { returned, type Settled } from './two-lines.ts'
import { expectedValue, kellyFraction } from './value.ts'
import { isInCents } from './whole-cents.ts'

/** Stakes are multiples of this if no unit is stated. */
export const usualUnit = 0.01

export interface StakeLeg {
  /** Decimal odds after the fee, > 1. */
  readonly net: number
  /** The highest stake that its sportsbook takes; null where unknown. */
  readonly maxBet: number | null
}

export interface StakePlan {
  /** Multiples of the unit, in the order of the legs. */
  readonly stakes: readonly number[]
  readonly total: number
  /** By leg, the profit if only this leg wins. */
  readonly profits: readonly number[]
  /** The least of these profits and of those in other outcomes, such as a refund. */
  readonly worst: number
  /** The profit if all legs win, which is possible in a middle. */
  readonly all: number
  /** The leg whose limit makes the total smaller than requested; null for none. */
  readonly limitedBy: number | null
}

/**
 * Returns stakes that return alike whichever leg wins, as far as whole units allow. Of all ways to
 * round each down or up, within limits and total, it takes the one with the highest return per
 * stake in the worst case; or less, as described at the top of this file. All are 0 if a leg would
 * get no unit.
 * @param legs two to ten, because all ways to round their stakes are tried
 * @param total the most to stake in all
 * @param unit stakes are multiples of it, > 0
 * @param others the other ways in which legs can be settled, besides exactly one winning; they
 * change `worst`, not the stakes
 */
export function equalStakes(
  legs: readonly StakeLeg[],
  total: number,
  unit: number,
  others: readonly (readonly Settled[])[] = [],
): StakePlan {
  const mostTotal = unitsIn(total, unit)
  const mostUnits = legs.map(({ maxBet }) => unitsIn(maxBet ?? total, unit))
  const shares = stakeShares(legs.map(({ net }) => net))
  let possible = total
  let limitedBy: number | null = null
  for (const [i, { maxBet }] of legs.entries()) {
    const most = maxBet === null ? possible : (mostUnits[i]! * unit) / shares[i]!
    if (most < possible) {
      possible = most
      limitedBy = i
    }
  }
  const down = shares.map((share) => unitsIn(share * possible, unit))
  let best = bestRounding(legs, down, mostUnits, mostTotal)
  const isSure = impliedTotal(legs.map(({ net }) => net)) < 1
  if (isSure) {
    const isGain = best !== null && worstUnits(best, legs) >= -dust
    const fewer = safestUnits(legs, down, mostUnits, isGain ? sumOf(best!) : mostTotal)
    const least = best === null ? -2 * dust : worstUnits(best, legs)
    if (fewer && worstUnits(fewer, legs) > least + dust) best = fewer
  }
  return planOf(
    (best ?? legs.map(() => 0)).map((units) => tidy(units * unit)),
    legs,
    limitedBy,
    downBy(unit),
    others,
  )
}

/**
 * Returns the rounding with the highest return per stake in the worst case; null if all roundings
 * leave a leg out.
 */
function bestRounding(
  legs: readonly StakeLeg[],
  down: readonly number[],
  mostUnits: readonly number[],
  mostTotal: number,
): readonly number[] | null {
  let best: readonly number[] | null = null
  let bestReturn = 0
  for (let ups = 0; ups < 2 ** legs.length; ups++) {
    const units = down.map((each, i) => each + ((ups >> i) & 1))
    if (sumOf(units) > mostTotal || units.some((each, i) => each > mostUnits[i]!)) continue
    const least = worstReturn(units, legs)
    if (least === 0 || least < bestReturn) continue
    if (best !== null && least === bestReturn && sumOf(units) <= sumOf(best)) continue
    best = units
    bestReturn = least
  }
  return best
}

/** How many stakes are tried in all, equally many per leg, from the wanted one down. */
const mostTries = 2_000

/**
 * Yields units of all legs that may be the best in the worst case. The return in the worst case is
 * that of one leg. For a given stake on that leg, the others need the fewest units that return at
 * least as much; other units are no better. Each leg gets its part of `mostTries`, from the highest
 * stake down. If a leg has more units than that, the best may be missed.
 * @param most the highest units of each leg
 */
function* candidates(
  legs: readonly StakeLeg[],
  most: readonly number[],
): Generator<readonly number[]> {
  const tries = Math.ceil(mostTries / legs.length)
  for (const [i, { net }] of legs.entries()) {
    // A counter, because above 2 ** 53 units, one less is the same number.
    for (let less = 0; less < Math.min(tries, most[i]!); less++) {
      const own = most[i]! - less
      yield legs.map((leg, j) => (j === i ? own : Math.ceil((own * net) / leg.net - dust)))
    }
  }
}

/**
 * Returns the candidate with the largest profit in the worst case; among equals, the one with the
 * most units.
 */
function safestUnits(
  legs: readonly StakeLeg[],
  down: readonly number[],
  mostUnits: readonly number[],
  mostTotal: number,
): readonly number[] | null {
  let best: readonly number[] | null = null
  let bestWorst = Number.NEGATIVE_INFINITY
  const most = down.map((each, i) => Math.min(each, mostUnits[i]!))
  for (const units of candidates(legs, most)) {
    if (sumOf(units) > mostTotal || units.some((each, i) => each > mostUnits[i]!)) continue
    const worst = worstUnits(units, legs)
    const isMore = best !== null && worst > bestWorst - dust && sumOf(units) > sumOf(best)
    if (worst <= bestWorst + dust && !isMore) continue
    best = units
    bestWorst = worst
  }
  return best
}

/**
 * Returns stakes beside those that are already made, so that all legs return as much as the least
 * of these does, as far as whole units allow. Of all ways to round each down or up, and of lower
 * stakes, it takes the one with the greatest profit in the worst case. If a limit keeps one leg
 * from returning as much, the others need not return more than that leg. If covering the other legs
 * costs more than they return, they get 0.
 * @param legs two to ten
 * @param made the stakes that are made, by the index of their leg; one or more
 * @param others as of `equalStakes`
 */
export function stakesBeside(
  legs: readonly StakeLeg[],
  made: ReadonlyMap<number, number>,
  unit: number,
  others: readonly (readonly Settled[])[] = [],
): StakePlan {
  const otherLegs = legs.filter((_, i) => !made.has(i))
  const leastMade = Math.min(...[...made].map(([i, stake]) => stake * legs[i]!.net))
  let back = impliedTotal(otherLegs.map(({ net }) => net)) < 1 ? leastMade : 0
  let limitedBy: number | null = null
  for (const [i, { net, maxBet }] of legs.entries()) {
    if (made.has(i) || maxBet === null) continue
    const most = unitsIn(maxBet, unit) * unit * net
    if (most >= back) continue
    back = most
    limitedBy = i
  }
  const wanted = legs.map(({ net }) => unitsIn(back / net, unit))
  const mostUnits = legs.map(({ maxBet }) => unitsIn(maxBet ?? Number.POSITIVE_INFINITY, unit))
  const down = downBy([...made.values()].find((stake) => !isInCents(stake)) ?? unit)
  const stakeOf = (units: readonly number[], i: number) => made.get(i) ?? tidy(unit * units[i]!)
  let best: readonly number[] = legs.map(() => 0)
  let bestWorst = Number.NEGATIVE_INFINITY
  /**
   * Keeps the units if their worst profit is the greatest so far. A plan is only made of the best
   * units.
   */
  function consider(units: readonly number[]) {
    let total = 0
    let least = Number.POSITIVE_INFINITY
    for (let i = 0; i < legs.length; i++) {
      const own = stakeOf(units, i)
      total += own
      least = Math.min(least, own * legs[i]!.net)
    }
    const worst = down(least - tidy(total))
    if (worst <= bestWorst) return
    best = units
    bestWorst = worst
  }
  consider(best)
  for (let ups = 0; ups < 2 ** legs.length; ups++) {
    if ([...made.keys()].some((i) => (ups >> i) & 1)) continue
    consider(wanted.map((each, i) => Math.min(each + ((ups >> i) & 1), mostUnits[i]!)))
  }
  const othersMost = wanted.filter((_, i) => !made.has(i))
  for (const own of candidates(otherLegs, othersMost)) {
    let next = 0
    const units = legs.map((_, i) => (made.has(i) ? 0 : own[next++]!))
    if (!units.some((each, i) => !made.has(i) && each > mostUnits[i]!)) consider(units)
  }
  return planOf(
    best.map((_, i) => stakeOf(best, i)),
    legs,
    limitedBy,
    down,
    others,
  )
}

function planOf(
  stakes: readonly number[],
  legs: readonly StakeLeg[],
  limitedBy: number | null,
  down: (amount: number) => number,
  others: readonly (readonly Settled[])[] = [],
): StakePlan {
  const total = tidy(sumOf(stakes))
  const returns = stakes.map((stake, i) => stake * legs[i]!.net)
  const profits = returns.map((each) => down(each - total))
  const profitsOfOthers = others.map((outcome) =>
    down(sumOf(stakes.map((stake, i) => stake * returned(legs[i]!.net, outcome[i]!))) - total),
  )
  return {
    stakes,
    total,
    profits,
    worst: Math.min(...profits, ...profitsOfOthers),
    all: down(sumOf(returns) - total),
    limitedBy,
  }
}

export interface KellyStake {
  /** A multiple of the unit. */
  readonly stake: number
  /** Its profit if it wins; the loss is the stake. */
  readonly profit: number
  /** Its average profit if it is not refunded; a whole or quarter line may refund it. */
  readonly expected: number
  /** Whether the sportsbook accepts less than the rule's stake. */
  readonly isLimited: boolean
}

/**
 * Returns the part of the bankroll that Kelly's rule stakes, in whole units, rounded down; 0 without an edge.
 * @param fair no-vig probability of the bet
 * @param part of the full Kelly stake, such as 0.25
 */
export function kellyStake(
  { net, maxBet }: StakeLeg,
  fair: number,
  bankroll: number,
  part: number,
  unit: number,
): KellyStake {
  const { stake, isLimited } = partOfBankroll(
    kellyFraction(fair, net),
    maxBet,
    bankroll,
    part,
    unit,
  )
  const down = downBy(unit)
  return {
    stake,
    profit: down(stake * (net - 1)),
    expected: down(stake * expectedValue(fair, net)),
    isLimited,
  }
}

/**
 * Returns a part of the full Kelly stake, as `kellyStake` does.
 * @param kelly the full stake as a fraction of the bankroll
 */
export function partOfBankroll(
  kelly: number,
  maxBet: number | null,
  bankroll: number,
  part: number,
  unit: number,
): Pick<KellyStake, 'stake' | 'isLimited'> {
  const wanted = kelly * bankroll * part
  const isLimited = maxBet !== null && maxBet < wanted
  return { stake: tidy(unitsIn(isLimited ? maxBet : wanted, unit) * unit), isLimited }
}

/**
 * Returns the least return per unit staked; 0 if a leg is left out, which is no better than no
 * stake at all.
 */
const worstReturn = (units: readonly number[], legs: readonly StakeLeg[]): number =>
  units.includes(0) ? 0 : Math.min(...units.map((each, i) => each * legs[i]!.net)) / sumOf(units)

/** Returns the profit in the worst case, in units. */
function worstUnits(units: readonly number[], legs: readonly StakeLeg[]): number {
  let total = 0
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < legs.length; i++) {
    total += units[i]!
    least = Math.min(least, units[i]! * legs[i]!.net)
  }
  return least - total
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

/** The tolerance for errors of binary fractions. */
const dust = 1e-9

/** Counts units: 0.3 has three units of 0.1, despite binary fractions. */
const unitsIn = (value: number, unit: number) => Math.floor(value / unit + dust)

/** Rounds away the dust of binary fractions. */
const tidy = (value: number) => Math.round(value * 1e6) / 1e6

/**
 * Returns how amounts are rounded down, within that tolerance: to the cent if the unit is in whole
 * cents, else to eight decimals.
 */
function downBy(unit: number): (amount: number) => number {
  const [places, ignored] = isInCents(unit) ? [1e2, 1e-6] : [1e8, 1e-2]
  return (amount) => Math.floor(amount * places + ignored) / places
}
