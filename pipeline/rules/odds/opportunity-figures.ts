/**
 * What the prices of an opportunity come to, by kind, and which of the figures is its worth. Prices
 * alone: whether they are one still, and whose they are, is decided elsewhere. Used where
 * opportunities are shown, and where their lives are told.
 *
 * Fractions throughout (0.02 is 2 %).
 */

import type { FairMeasure } from '../../../schemas/fair-measure.ts'
import type { OpportunityKind } from '../../../schemas/opportunity.ts'
import { arbitrageProfit, impliedTotal, isSureProfit, stakeShares } from './arbitrage.ts'
import { devig } from './devig.ts'
import { fairMarket } from './fair-market.ts'
import { type MiddleFigures, middleFigures, qualityScore, trustInModel } from './middles.ts'
import { middleKind } from './questions.ts'
import { type MiddleOutlook, middleOutlook } from './results.ts'
import { jointOutcomes, safestStakes } from './two-lines.ts'
import { expectedValue, highestValue, isValue, kellyFraction } from './value.ts'

/** The prices of an opportunity and what they are prices of. */
export interface PricesTaken {
  readonly marketType: string
  readonly sport: string
  /** The line of each leg, as its own side has it. */
  readonly lines: readonly (number | null)[]
  /** By leg, the decimal odds of a bet after its fee, where fees are counted. */
  readonly prices: readonly number[]
  /** A middle: the same as offered, beside the other side at its sportsbook. */
  readonly offered: readonly number[]
  /**
   * What they are measured against. +EV: the price of every answer at the sharp book, or at those of the consensus.
   * A middle: what the
   * sportsbook of each leg gives for the other side of its line; 0 where it gives nothing.
   */
  readonly against: readonly number[]
  /** +EV: how many sportsbooks `against` is of, see `fairMarket`. */
  readonly sources: number
  /** +EV: how the fair price is made of `against`. */
  readonly measure: FairMeasure | null
  /** +EV: which of `against` is the answer that is bet on. */
  readonly answer: number
}

// ---- +EV

export interface EvFigures {
  readonly fair: number
  readonly ev: number
  readonly kelly: number
  /** Overround of the sharp market. */
  readonly width: number
}

/** @returns null where the sharp book's prices are no market */
export function evFigures({
  prices,
  against,
  sources,
  measure,
  answer,
}: Omit<PricesTaken, 'offered'>): EvFigures | null {
  const market = fairMarket(against, sources, measure)
  const fair = market?.probabilities[answer]
  const price = prices[0]
  if (!market || fair === undefined || price === undefined) return null
  const ev = expectedValue(fair, price)
  return { fair, ev, kelly: kellyFraction(fair, price), width: market.overround }
}

/** The sharp book's probability and overround, rounded for accounts that do not see its prices. */
export const veil = { fair: 0.005, width: 0.01 } as const

/** Keeps a figure that is a whole number of steps, but for the last bits, where it is. */
const slack = 1e-9

/**
 * What +EV comes to for those who do not see the sharp book's prices. The probability is rounded down
 * and the overround up, so that no figure promises more than the exact ones. All others follow from
 * these two and the price, and whether there is a value at all does too: whatever is put together of
 * them, over however many prices, tells no more than the two steps.
 * @returns null where the rounded figures make no value, or the exact ones might be a wrong price
 */
export function veiledFigures({ fair, width }: EvFigures, price: number): EvFigures | null {
  const least = rounded(Math.floor(fair / veil.fair + slack) * veil.fair)
  const widest = rounded(Math.ceil(width / veil.width - slack) * veil.width)
  const ev = expectedValue(least, price)
  if (!isValue(ev) || expectedValue(least + veil.fair, price) > highestValue) return null
  return { fair: least, ev, kelly: kellyFraction(least, price), width: widest }
}

/** Steps have three places. */
const rounded = (value: number) => Math.round(1_000 * value) / 1_000

// ---- arbitrage and low hold

export interface ArbitrageFigures {
  /** Sum of the implied probabilities. */
  readonly total: number
  /** On two lines, at the worst result. */
  readonly profit: number
  /** The part of the stake on each leg. */
  readonly shares: readonly number[]
  /** The lines, where two bets stand on two of them; null on one line. */
  readonly range: LineRange | null
}

export function arbitrageFigures(
  of: Pick<PricesTaken, 'prices' | 'marketType' | 'lines'>,
): ArbitrageFigures {
  const { prices } = of
  const total = impliedTotal(prices)
  const range = rangeOf(of)
  if (!range || range.low === range.high) {
    return { total, profit: arbitrageProfit(total), shares: stakeShares(prices), range: null }
  }
  const outcomes = jointOutcomes(range.low, range.high)
  const { shares, worst } = safestStakes(outcomes, prices[0]!, prices[1]!)
  return { total, profit: worst, shares, range }
}

/** Two lines of one question, see two-lines.ts: the bet on more is above `low`, the other below `high`. */
export interface LineRange {
  readonly low: number
  readonly high: number
}

/** @returns null but for two bets on a margin or a total */
function rangeOf({ marketType, lines }: Pick<PricesTaken, 'marketType' | 'lines'>) {
  const kind = lines.length === 2 ? middleKind(marketType) : null
  const [line1, line2] = lines
  if (!kind || line1 == null || line2 == null) return null
  // Totals: over the first, under the second. Margins: home wins above -line1, away below line2.
  return kind === 'total' ? { low: line1, high: line2 } : { low: 0 - line1, high: line2 }
}

export interface LowHoldFigures {
  /** Sum of the implied probabilities less one. */
  readonly hold: number
}

export const lowHoldFigures = ({ prices }: Pick<PricesTaken, 'prices'>): LowHoldFigures => ({
  hold: impliedTotal(prices) - 1,
})

// ---- middles

export interface MiddleWorth extends MiddleFigures {
  readonly outlook: MiddleOutlook
  /** The part of the outlook's chances that is believed, see `trustInModel`. */
  readonly trust: number
  /** That both bets win, as far as it is believed. */
  readonly probability: number
  /** No-vig probability of each side at its own sportsbook. */
  readonly fair: readonly [number, number]
  /** Its quality score, were its prices seen just now. */
  readonly highestQuality: number
  /** Points from line to line. */
  readonly size: number
}

/** @returns null where no result is known to fall between the lines */
export function middleWorth(
  of: Omit<PricesTaken, 'answer' | 'sources' | 'measure'>,
): MiddleWorth | null {
  const { marketType, sport, prices } = of
  const range = rangeOf(of)
  const [price1, price2] = prices
  if (!range || !price1 || !price2) return null
  const outlook = middleOutlook({ marketType, sport, ...range })
  if (!outlook) return null
  const fair = fairSides(of)
  const trust = trustInModel(outlook.between, ...fair)
  const probability = trust * outlook.probability
  const figures = middleFigures(price1, price2, outlook.between, trust)
  const { shares, worst, best, expectedValue, breakEven, impliedTotal } = figures
  const size = range.high - range.low
  const highestQuality = qualityScore({ probability, expectedValue, size, oldestAgeMs: 0 })
  // By name: worked out for each price that moves, and to copy members that are not named takes as long again.
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

/** The worth of a middle of which the outlook is known. */
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

/** Without the vig of its own market at its line; as it is where the other side is not offered. */
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
  /** Whether its figures rest on what the sportsbook of each leg gives for the other side of its line. */
  readonly needsOtherSides: boolean
  /** The figures of its prices; null where they make no opportunity. */
  of(prices: PricesTaken): Figures | null
  /** Whether they still make one. */
  isOne(figures: Figures): boolean
  /** Its worth: the gain of a stake of 1, for sure or on average. */
  worth(figures: Figures): number
  /** Its list is sorted by this, the greatest first. Time alone must not raise it. */
  rank(figures: Figures): number
  /**
   * What those are told who do not see the prices it is measured against; null for nothing. Every figure of a
   * hidden price that they get goes through here.
   */
  veiled?(figures: Figures, price: number): Figures | null
}

export const kindRules = {
  ev: {
    needsOtherSides: false,
    of: evFigures,
    isOne: ({ ev }) => isValue(ev),
    worth: ({ ev }) => ev,
    rank: ({ ev }) => ev,
    veiled: veiledFigures,
  },
  arbitrage: {
    needsOtherSides: false,
    of: arbitrageFigures,
    isOne: ({ profit }) => isSureProfit(profit),
    worth: ({ profit }) => profit,
    rank: ({ profit }) => profit,
  },
  middle: {
    needsOtherSides: true,
    of: middleWorth,
    isOne: () => true,
    worth: ({ expectedValue }) => expectedValue,
    rank: ({ highestQuality }) => highestQuality,
  },
  low_hold: {
    needsOtherSides: false,
    of: lowHoldFigures,
    isOne: () => true,
    worth: ({ hold }) => 0 - hold,
    rank: ({ hold }) => 0 - hold,
  },
} as const satisfies { readonly [Kind in OpportunityKind]: KindRule<FiguresOf[Kind]> }

/** The rule of a kind that is known by name alone. */
export const ruleOf = (kind: OpportunityKind) => kindRules[kind] as KindRule<object>

/** The worth of these prices. @returns null where they come to nothing */
export function worthNow(kind: OpportunityKind, prices: PricesTaken): number | null {
  const { of, worth } = ruleOf(kind)
  const figures = of(prices)
  return figures && worth(figures)
}
