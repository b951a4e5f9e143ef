/**
 * The figures of an opportunity's prices by kind, and which of them is its worth. It sees only
 * prices: other files choose the sportsbooks and check that there still is an opportunity. Used to
 * show opportunities, and to record their lives.
 *
 * Fractions throughout (0.02 is 2 %).
 */

import type { FairMeasure } from '../../../schemas/fair-measure.ts'
import type { OpportunityKind } from '../../../schemas/opportunity.ts'
import {
  arbitrageProfit,
  highestArbitrageProfit,
  impliedTotal,
  isSureProfit,
  stakeShares,
} from './arbitrage.ts'
import { devig } from './devig.ts'
import { fairMarket } from './fair-market.ts'
import { type MiddleFigures, middleFigures, qualityScore, trustInModel } from './middles.ts'
import { type GameOf, possibleResults } from './possible-results.ts'
import { middleKind } from './questions.ts'
import { type MiddleOutlook, middleOutlook } from './results.ts'
import { jointOutcomes, safestStakes } from './two-lines.ts'
import { expectedValue, highestValue, isValue, kellyFraction } from './value.ts'

/** The prices of an opportunity, with their market. */
export interface PricesTaken extends GameOf {
  readonly marketType: string
  /** The line of each leg, signed from its own side. */
  readonly lines: readonly (number | null)[]
  /** The decimal odds of each leg, after the fee if fees are subtracted. */
  readonly prices: readonly number[]
  /**
   * For a middle: the decimal odds of each leg as offered, for a comparison with the other side at
   * its sportsbook.
   */
  readonly offered: readonly number[]
  /**
   * The prices that they are measured against. +EV: the price of every outcome at the sharp book,
   * or at each sportsbook of the blend or consensus. A middle: the price of the other side of each
   * leg's line at its sportsbook; 0 for none.
   */
  readonly against: readonly number[]
  /** +EV: the number of sportsbooks in `against`, see `fairMarket`. */
  readonly sources: number
  /** +EV: the method that makes the fair price from `against`. */
  readonly measure: FairMeasure | null
  /** +EV: the index in `against` of the outcome that is bet on. */
  readonly outcome: number
}

// ---- +EV

export interface EvFigures {
  readonly fair: number
  readonly ev: number
  readonly kelly: number
  /** Overround of the sharp market. */
  readonly width: number
}

/** @returns null if the sharp book's prices make no market */
export function evFigures({
  prices,
  against,
  sources,
  measure,
  outcome,
}: Omit<PricesTaken, 'offered' | 'league'>): EvFigures | null {
  const market = fairMarket(against, sources, measure)
  const fair = market?.probabilities[outcome]
  const price = prices[0]
  if (!market || fair === undefined || price === undefined) return null
  const ev = expectedValue(fair, price)
  return { fair, ev, kelly: kellyFraction(fair, price), width: market.overround }
}

/**
 * The steps to which the sharp book's probability and overround are rounded for accounts that do not see its prices.
 */
export const veil = { fair: 0.005, width: 0.01 } as const

/**
 * A tolerance: a figure that is a whole number of steps, except for its last bits, does not change.
 */
const slack = 1e-9

/**
 * Returns the +EV figures for accounts that do not see the sharp book's prices. The probability is rounded down and
 * the overround up, so that no figure promises more than the exact ones. All other figures, and
 * whether there is value at all, follow from these two and the price. So no combination of figures,
 * over any number of prices, reveals more than the two rounded ones.
 * @returns null if the rounded figures have no value, or the exact ones may be a wrong price
 */
export function veiledFigures({ fair, width }: EvFigures, price: number): EvFigures | null {
  const least = rounded(Math.floor(fair / veil.fair + slack) * veil.fair)
  const widest = rounded(Math.ceil(width / veil.width - slack) * veil.width)
  const ev = expectedValue(least, price)
  if (!isValue(ev) || expectedValue(least + veil.fair, price) > highestValue) return null
  return { fair: least, ev, kelly: kellyFraction(least, price), width: widest }
}

/** Rounds to three decimals, like the steps. */
const rounded = (value: number) => Math.round(1_000 * value) / 1_000

// ---- arbitrage and low hold

export interface ArbitrageFigures {
  /** Sum of the implied probabilities. */
  readonly total: number
  /** The profit; on two lines, in the worst case. */
  readonly profit: number
  /** The part of the stake on each leg. */
  readonly shares: readonly number[]
  /** The lines, if the two bets are on two lines; null on one line. */
  readonly range: LineRange | null
}

export function arbitrageFigures(
  of: Pick<PricesTaken, 'prices' | 'marketType' | 'lines' | keyof GameOf>,
): ArbitrageFigures {
  const { prices } = of
  const total = impliedTotal(prices)
  const range = rangeOf(of)
  if (!range || range.low === range.high) {
    return { total, profit: arbitrageProfit(total), shares: stakeShares(prices), range: null }
  }
  const outcomes = jointOutcomes(range.low, range.high, possibleResults(of.marketType, of))
  const { shares, worst } = safestStakes(outcomes, prices[0]!, prices[1]!)
  return { total, profit: worst, shares, range }
}

/** Two lines of one question, see two-lines.ts: the bet on more is above `low`, the other below `high`. */
export interface LineRange {
  readonly low: number
  readonly high: number
}

/** @returns null unless there are two bets on a margin or a total */
export function rangeOf({ marketType, lines }: Pick<PricesTaken, 'marketType' | 'lines'>) {
  const kind = lines.length === 2 ? middleKind(marketType) : null
  const [line1, line2] = lines
  if (!kind || line1 == null || line2 == null) return null
  // Totals: over the first, under the second. Margins: home wins above -line1, away below line2.
  return kind === 'total' ? { low: line1, high: line2 } : { low: 0 - line1, high: line2 }
}

export interface LowHoldFigures {
  /** Sum of the implied probabilities, minus 1. */
  readonly hold: number
}

export const lowHoldFigures = ({ prices }: Pick<PricesTaken, 'prices'>): LowHoldFigures => ({
  hold: impliedTotal(prices) - 1,
})

// ---- middles

export interface MiddleWorth extends MiddleFigures {
  readonly outlook: MiddleOutlook
  /** The factor for the outlook's chances, see `trustInModel`. */
  readonly trust: number
  /** The probability that both bets win, times `trust`. */
  readonly probability: number
  /** No-vig probability of each side at its own sportsbook. */
  readonly fair: readonly [number, number]
  /** The quality score that it would have with fresh prices. */
  readonly highestQuality: number
  /** Points from one line to the other. */
  readonly size: number
}

/** @returns null if no result can be between the lines, or the results are unknown */
export function middleWorth(
  of: Omit<PricesTaken, 'outcome' | 'sources' | 'measure'>,
): MiddleWorth | null {
  const { marketType, sport, league, prices } = of
  const range = rangeOf(of)
  const [price1, price2] = prices
  if (!range || !price1 || !price2) return null
  const outlook = middleOutlook({ marketType, sport, league, ...range })
  if (!outlook || outlook.between.length === 0) return null
  const fair = fairSides(of)
  const trust = trustInModel(outlook.between, ...fair)
  const probability = trust * outlook.probability
  const figures = middleFigures(price1, price2, outlook.between, trust)
  const { shares, worst, best, expectedValue, breakEven, impliedTotal } = figures
  const size = range.high - range.low
  const highestQuality = qualityScore({ probability, expectedValue, size, oldestAgeMs: 0 })
  // Fields are listed by name: this runs for each price that moves, and a spread takes twice as
  // long.
  return {
    shares,
    worst,
    best,
    expectedValue,
    breakEven,
    impliedTotal,
    outlook,
    trust,
    probability,
    fair,
    size,
    highestQuality,
  }
}

/** Returns the worth of a middle whose outlook is known. */
export function middleValue(
  { between }: MiddleOutlook,
  of: Pick<PricesTaken, 'prices' | 'offered' | 'against'>,
): number {
  const [price1 = 0, price2 = 0] = of.prices
  const trust = trustInModel(between, ...fairSides(of))
  return middleFigures(price1, price2, between, trust).expectedValue
}

const fairSides = ({
  prices,
  offered,
  against,
}: Pick<PricesTaken, 'prices' | 'offered' | 'against'>) =>
  [
    fairAtItsBook(offered[0] ?? prices[0]!, against[0]),
    fairAtItsBook(offered[1] ?? prices[1]!, against[1]),
  ] as const

/**
 * Returns the no-vig probability in its own market at its line; with the vig if the other side is
 * not offered.
 */
function fairAtItsBook(price: number, other: number | undefined): number {
  const raw = 1 / price
  return other ? (devig([price, other])?.probabilities[0] ?? raw) : raw
}

// ---- by kind

/** The figures of each kind. */
export interface FiguresOf {
  readonly ev: EvFigures
  readonly arbitrage: ArbitrageFigures
  readonly middle: MiddleWorth
  readonly low_hold: LowHoldFigures
}

interface KindRule<Figures> {
  /** Whether its figures use the price of the other side of each leg's line at the leg's sportsbook. */
  readonly needsOtherSides: boolean
  /** Returns the figures of its prices; null where they make no opportunity. */
  of(prices: PricesTaken): Figures | null
  /** Returns whether they still make one. */
  isOne(figures: Figures): boolean
  /** Returns whether these prices are worth too much to be real. */
  isTooGood(prices: PricesTaken): boolean
  /** Returns its worth: the certain or average profit of a stake of 1. */
  worth(figures: Figures): number
  /** Returns the sort value of its list, the greatest first. Time alone must not raise it. */
  rank(figures: Figures): number
  /**
   * Returns the figures for accounts that do not see the prices it is measured against; null for
   * none. All that they learn about a hidden price comes from here.
   */
  veiled?(figures: Figures, price: number): Figures | null
}

const hasTooMuchProfit = (prices: PricesTaken) =>
  arbitrageFigures(prices).profit > highestArbitrageProfit

const kindRules = {
  ev: {
    needsOtherSides: false,
    of: evFigures,
    isOne: ({ ev }) => isValue(ev),
    isTooGood: (prices) => (evFigures(prices)?.ev ?? 0) > highestValue,
    worth: ({ ev }) => ev,
    rank: ({ ev }) => ev,
    veiled: veiledFigures,
  },
  arbitrage: {
    needsOtherSides: false,
    of: arbitrageFigures,
    isOne: ({ profit }) => isSureProfit(profit),
    isTooGood: hasTooMuchProfit,
    worth: ({ profit }) => profit,
    rank: ({ profit }) => profit,
  },
  middle: {
    needsOtherSides: true,
    of: middleWorth,
    isOne: () => true,
    isTooGood: hasTooMuchProfit,
    worth: ({ expectedValue }) => expectedValue,
    rank: ({ highestQuality }) => highestQuality,
  },
  low_hold: {
    needsOtherSides: false,
    of: lowHoldFigures,
    isOne: () => true,
    isTooGood: hasTooMuchProfit,
    worth: ({ hold }) => 0 - hold,
    rank: ({ hold }) => 0 - hold,
  },
} as const satisfies { readonly [Kind in OpportunityKind]: KindRule<FiguresOf[Kind]> }

/** Returns the rule of a kind known only by name. */
export const ruleOf = (kind: OpportunityKind) => kindRules[kind] as KindRule<object>

/** Returns the worth of these prices. @returns null if they make no opportunity */
export function worthNow(kind: OpportunityKind, prices: PricesTaken): number | null {
  const { of, worth } = ruleOf(kind)
  const figures = of(prices)
  return figures && worth(figures)
}
