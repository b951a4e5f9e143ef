/**
 * Kelly's rule for several bets that are open at once: the stakes with the highest expected logarithm of
 * the bankroll. Bets on different events are independent; of bets on one event at most one wins.
 *
 * Source: Kelly (1956), "A new interpretation of information rate"; Thorp (2006), "The Kelly criterion in
 * blackjack, sports betting, and the stock market", section 7.
 */

export interface KellyBet {
  /** Decimal odds after the fee, > 1. */
  readonly net: number
  /** Probability that it wins, in (0, 1). */
  readonly probability: number
  /** Bets with the same text exclude each other; the probabilities of one event sum to 1 at most. */
  readonly event: string
}

/** Outcomes of all events together are counted one by one. */
export const mostOutcomes = 4_096

/** How many outcomes these bets have together. */
export const outcomeCount = (bets: readonly KellyBet[]) =>
  [...byEvent(bets).values()].reduce((product, { length }) => product * (length + 1), 1)

interface Outcome {
  readonly probability: number
  /** Places of the bets that win. */
  readonly won: readonly number[]
}

/**
 * @param bets with at most `mostOutcomes` outcomes
 * @returns fractions of the bankroll, in the order of the bets: 0 for a bet that does not help
 * @throws RangeError where the outcomes are too many, or probabilities of one event sum to more than 1
 */
export function simultaneousKelly(bets: readonly KellyBet[]): number[] {
  const outcomes = outcomesOf(bets)
  // Concave, so that each step along one stake leads towards the one optimum.
  const stakes = bets.map(() => 0)
  const wealth = outcomes.map(() => 1)
  const winsIn = bets.map((_, i) => outcomes.map(({ won }) => won.includes(i)))
  for (let round = 0; round < mostRounds; round++) {
    let moved = 0
    for (const [i, { net }] of bets.entries()) {
      const best = bestStake(i, net)
      moved = Math.max(moved, Math.abs(best - stakes[i]!))
      for (let o = 0; o < outcomes.length; o++) {
        wealth[o] = wealth[o]! + (best - stakes[i]!) * (winsIn[i]![o] ? net - 1 : -1)
      }
      stakes[i] = best
    }
    if (moved < precision) break
  }
  return stakes.map((stake) => (stake < smallest ? 0 : stake))

  /** The stake on one bet that is best beside the others, by bisection of the slope. */
  function bestStake(i: number, net: number): number {
    const wins = winsIn[i]!
    const gainAt = (o: number) => (wins[o] ? net - 1 : -1)
    const slopeAt = (stake: number) => {
      let slope = 0
      for (let o = 0; o < outcomes.length; o++) {
        const gain = gainAt(o)
        slope += (outcomes[o]!.probability * gain) / (wealth[o]! + (stake - stakes[i]!) * gain)
      }
      return slope
    }
    if (slopeAt(0) <= 0) return 0
    // Where it loses, at least nothing is left.
    let low = 0
    let high = stakes[i]! + Math.min(...wealth.filter((_, o) => !wins[o]))
    for (let step = 0; step < 100 && high - low > precision / 10; step++) {
      const middle = (low + high) / 2
      if (slopeAt(middle) > 0) low = middle
      else high = middle
    }
    return low
  }
}

const precision = 1e-10
const smallest = 1e-8
const mostRounds = 20_000

function byEvent(bets: readonly KellyBet[]): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (const [i, { event }] of bets.entries()) {
    const of = places.get(event)
    if (of) of.push(i)
    else places.set(event, [i])
  }
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
      { probability: Math.max(0, 1 - sum), won: [] as number[] },
      ...places.map((i) => ({ probability: bets[i]!.probability, won: [i] })),
    ]
    outcomes = outcomes.flatMap((outcome) =>
      ways.map((way) => ({
        probability: outcome.probability * way.probability,
        won: [...outcome.won, ...way.won],
      })),
    )
  }
  return outcomes
}
