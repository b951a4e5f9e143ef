/**
 * Kelly's rule for several bets that are open at once: the stakes with the highest expected logarithm of
 * the bankroll. Bets on different events are independent; at most one bet on an event wins. A bet
 * may hedge another, so a limit on one bet, or rounding to whole units, changes all stakes.
 *
 * Source: Kelly (1956), "A new interpretation of information rate"; Thorp (2006), "The Kelly criterion in
 * blackjack, sports betting, and the stock market", section 7.
 */

import { addTo } from '../../../schemas/grouping.ts'

export interface KellyBet {
  /** Decimal odds after the fee, > 1. */
  readonly net: number
  /** Probability that it wins, in (0, 1). */
  readonly probability: number
  /** Bets with the same one exclude each other; the probabilities of one event sum to 1 at most. 1 is not `'1'`. */
  readonly event: string | number
  /** The highest possible stake, as a part of the bankroll; no limit if absent. */
  readonly most?: number
}

/** The most outcomes of all events together; each is computed. */
export const mostOutcomes = 4_096

/** Returns how many outcomes these bets have together. */
export const outcomeCount = (bets: readonly KellyBet[]) =>
  [...byEvent(bets).values()].reduce((product, { length }) => product * (length + 1), 1)

interface Outcome {
  readonly probability: number
  /** Indices of the bets that win. */
  readonly won: readonly number[]
}

/**
 * @param bets with at most `mostOutcomes` outcomes
 * @returns fractions of the bankroll within the limits, in the order of the bets: 0 for a bet that does not help, or
 * by less than `smallest`
 * @throws RangeError if there are too many outcomes, or the probabilities of one event sum to more
 * than 1
 */
export function simultaneousKelly(bets: readonly KellyBet[]): number[] {
  const outcomes = outcomesOf(bets)
  const nets = bets.map(({ net }) => net)
  const most = bets.map((bet) => bet.most ?? Number.POSITIVE_INFINITY)
  const none = bets.map(() => 0)
  const isTooSmall = (stake: number) => stake > 0 && stake < smallest
  let stakes = climb(outcomes, nets, most, none)
  // If a bet that is too small hedges another, that one's stake changes without it.
  while (stakes.some(isTooSmall)) {
    for (const [i, stake] of stakes.entries()) if (isTooSmall(stake)) most[i] = 0
    const left = stakes.map((stake, i) => Math.min(stake, most[i]!))
    stakes = climb(outcomes, nets, most, left)
  }
  return stakes
}

/**
 * Returns the stakes with the highest growth. Growth is concave, so Newton's steps lead to the only
 * optimum. A step ends where a stake reaches its bound: 0 or its maximum.
 */
function climb(
  outcomes: readonly Outcome[],
  nets: readonly number[],
  most: readonly number[],
  from: readonly number[],
): number[] {
  let stakes = [...from]
  let wealth = wealthAfter(outcomes, nets, stakes)
  for (let round = 0; round < mostRounds; round++) {
    const { slope, curve } = slopesAt(outcomes, nets, wealth)
    const step = stepFrom(stakes, most, slope, curve)
    if (!(step.reduce((gain, by, i) => gain + by * slope[i]!, 0) > leastGain)) break
    const bounds = step.map((by, i) => (by < 0 ? 0 : most[i]!))
    const rooms = step.map((by, i) =>
      by === 0 ? Number.POSITIVE_INFINITY : (bounds[i]! - stakes[i]!) / by,
    )
    const reach = Math.min(1, ...rooms)
    const before = growthOf(outcomes, wealth)
    let isMoved = false
    for (let size = reach; size > smallestStep * reach && !isMoved; size /= 2) {
      const next = stakes.map((stake, i) =>
        rooms[i]! <= size ? bounds[i]! : stake + size * step[i]!,
      )
      const after = wealthAfter(outcomes, nets, next)
      // The way to a bound may be too short to change the growth.
      const least = size === reach && reach < 1 ? before - rounding : before
      if (!(growthOf(outcomes, after) > least)) continue
      stakes = next
      wealth = after
      isMoved = true
    }
    if (!isMoved) break
  }
  return stakes
}

/** Returns Newton's step for the stakes; 0 for a stake that is at a bound and would cross it. */
function stepFrom(
  stakes: readonly number[],
  most: readonly number[],
  slope: readonly number[],
  curve: readonly (readonly number[])[],
): number[] {
  const isFree = (i: number, by: number) =>
    (stakes[i]! > 0 || by > 0) && (stakes[i]! < most[i]! || by < 0)
  const step = slope.map(() => 0)
  let free = [...slope.keys()].filter((i) => isFree(i, slope[i]!))
  for (let isWithin = false; !isWithin; ) {
    const solved = solve(
      free.map((i) => free.map((k) => curve[i]![k]! + (i === k ? ridge : 0))),
      free.map((i) => slope[i]!),
    )
    const kept = free.filter((i, k) => isFree(i, solved[k]!))
    isWithin = kept.length === free.length
    if (isWithin) for (const [k, i] of free.entries()) step[i] = solved[k]!
    free = kept
  }
  return step
}

/**
 * Rounds stakes down to whole units. After rounding, a bet and its hedge may not fit together any
 * more, so stakes are lowered as long as that raises the growth. In the end no stake would be
 * better lower or 0.
 * @param stakes the best ones without rounding, as parts of the bankroll
 * @param unit as a part of the bankroll
 * @returns how many units of each
 */
export function kellyUnits(
  bets: readonly KellyBet[],
  stakes: readonly number[],
  unit: number,
): number[] {
  const outcomes = outcomesOf(bets)
  const nets = bets.map(({ net }) => net)
  const growthWith = (units: readonly number[]) =>
    growthOf(
      outcomes,
      wealthAfter(
        outcomes,
        nets,
        units.map((count) => count * unit),
      ),
    )
  const events = [...byEvent(bets).values()]
  /** The growth is concave, so a single stake is lowered only if its slope is negative. */
  const isTooHigh = (units: readonly number[]) => {
    const stakes = units.map((count) => count * unit)
    const slope = slopesOf(outcomes, nets, wealthAfter(outcomes, nets, stakes))
    return (i: number) => growth === Number.NEGATIVE_INFINITY || slope[i]! < 0
  }
  const lowered = (units: readonly number[]) => [
    ...units
      .map((_, i) => i)
      .filter(isTooHigh(units))
      .flatMap((i) => stepsUpTo(units[i]!).map((step) => units.with(i, units[i]! - step))),
    ...events.map((places) => units.map((count, i) => (places.includes(i) ? 0 : count))),
    units.map(() => 0),
  ]
  let best = stakes.map((stake) => Math.floor(stake / unit + 1e-9))
  let growth = growthWith(best)
  let isLowered = true
  for (let pass = 0; isLowered && pass < mostPasses; pass++) {
    isLowered = false
    for (const units of lowered(best)) {
      const other = growthWith(units)
      if (other <= growth + precision) continue
      best = units
      growth = other
      isLowered = true
    }
  }
  return best
}

/** Returns the expected logarithm of the bankroll with these stakes, as parts of it. */
export function growthAt(bets: readonly KellyBet[], stakes: readonly number[]): number {
  const outcomes = outcomesOf(bets)
  const nets = bets.map(({ net }) => net)
  return growthOf(outcomes, wealthAfter(outcomes, nets, stakes))
}

const precision = 1e-12
/** The rounding error of a growth, and the least growth that a step must promise. */
const rounding = 1e-15
const leastGain = 1e-20
const smallest = 1e-8
const smallestStep = 1e-9
const mostRounds = 200
/** How often stakes in units are lowered. */
const mostPasses = 200

/** Returns by how many units a stake is lowered: large steps give the same result sooner. */
function stepsUpTo(count: number): number[] {
  const steps = []
  for (let step = 1; step <= count; step *= 8) steps.push(step)
  return steps
}

/**
 * Added to the matrix: bets on all outcomes of an event have a direction in which the growth is
 * constant.
 */
const ridge = 1e-10

/**
 * The least chance that no bet of an event wins. It keeps stakes below the bankroll if the bets
 * cover all outcomes.
 */
const leastChance = 1e-9

/** Returns the bankroll after each outcome, as parts of the one before. */
function wealthAfter(
  outcomes: readonly Outcome[],
  nets: readonly number[],
  stakes: readonly number[],
): Float64Array {
  const left = stakes.reduce((rest, stake) => rest - stake, 1)
  const wealth = new Float64Array(outcomes.length)
  for (let o = 0; o < outcomes.length; o++) {
    let after = left
    for (const i of outcomes[o]!.won) after += nets[i]! * stakes[i]!
    wealth[o] = after
  }
  return wealth
}

/** Returns the expected logarithm; -Infinity if an outcome takes all of the bankroll. */
function growthOf(outcomes: readonly Outcome[], wealth: Float64Array): number {
  let growth = 0
  for (let o = 0; o < outcomes.length; o++) {
    const { probability } = outcomes[o]!
    if (!(wealth[o]! > 0)) return Number.NEGATIVE_INFINITY
    growth += probability * Math.log(wealth[o]!)
  }
  return growth
}

/** Returns the first derivatives of the growth by the stakes. */
function slopesOf(outcomes: readonly Outcome[], nets: readonly number[], wealth: Float64Array) {
  const slope = nets.map(() => 0)
  for (let o = 0; o < outcomes.length; o++) {
    const { probability, won } = outcomes[o]!
    const each = probability / wealth[o]!
    for (let i = 0; i < slope.length; i++) slope[i] = slope[i]! - each
    for (const i of won) slope[i] = slope[i]! + nets[i]! * each
  }
  return slope
}

/** Returns the first derivatives and the negative second derivatives. */
function slopesAt(outcomes: readonly Outcome[], nets: readonly number[], wealth: Float64Array) {
  const count = nets.length
  const curve = nets.map(() => new Array<number>(count).fill(0))
  const gains = new Float64Array(count)
  for (let o = 0; o < outcomes.length; o++) {
    const { probability, won } = outcomes[o]!
    gains.fill(-1)
    for (const i of won) gains[i] = nets[i]! - 1
    const each = probability / wealth[o]!
    for (let i = 0; i < count; i++) {
      const row = curve[i]!
      const by = (each / wealth[o]!) * gains[i]!
      for (let k = 0; k < count; k++) row[k] = row[k]! + by * gains[k]!
    }
  }
  return { slope: slopesOf(outcomes, nets, wealth), curve }
}

/** Solves a system of equations by elimination, the greatest pivot first. */
function solve(matrix: readonly number[][], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]!])
  const count = rows.length
  for (let at = 0; at < count; at++) {
    let pivot = at
    for (let i = at + 1; i < count; i++) {
      if (Math.abs(rows[i]![at]!) > Math.abs(rows[pivot]![at]!)) pivot = i
    }
    const row = rows[pivot]!
    rows[pivot] = rows[at]!
    rows[at] = row
    for (let i = 0; i < count; i++) {
      if (i === at) continue
      const part = rows[i]![at]! / row[at]!
      for (let k = at; k <= count; k++) rows[i]![k] = rows[i]![k]! - part * row[k]!
    }
  }
  return rows.map((row, i) => row[count]! / row[i]!)
}

function byEvent(bets: readonly KellyBet[]): Map<KellyBet['event'], number[]> {
  const places = new Map<KellyBet['event'], number[]>()
  for (const [i, { event }] of bets.entries()) addTo(places, event, i)
  return places
}

function outcomesOf(bets: readonly KellyBet[]): readonly Outcome[] {
  if (outcomeCount(bets) > mostOutcomes) {
    throw new RangeError(`these bets have more than ${mostOutcomes} outcomes together`)
  }
  let outcomes: Outcome[] = [{ probability: 1, won: [] }]
  for (const places of byEvent(bets).values()) {
    const sum = places.reduce((total, i) => total + bets[i]!.probability, 0)
    if (sum > 1 + 1e-9) throw new RangeError('probabilities of one event sum to more than 1')
    const ways = [
      { probability: Math.max(leastChance, 1 - sum), won: [] as number[] },
      ...places.map((i) => ({ probability: bets[i]!.probability, won: [i] })),
    ]
    outcomes = outcomes.flatMap((outcome) =>
      ways.map((way) => {
        const product = outcome.probability * way.probability
        // A much smaller chance would be lost in rounding.
        const probability = way.probability > leastChance ? product : Math.max(leastChance, product)
        return { probability, won: [...outcome.won, ...way.won] }
      }),
    )
  }
  return outcomes
}
