/**
 * Detects opportunities on two lines of one question: middles, and arbitrages of two lines. The ladder guard decides
 * whether two prices that are far apart can be of one game.
 */

import { ownerVisibility } from '../../../schemas/opportunity.ts'
import { highestArbitrageProfit, highestHold, isSureProfit } from '../../rules/odds/arbitrage.ts'
import {
  areApart,
  isAsLikely,
  judgeApart,
  ladderVerdict,
  type Rung,
} from '../../rules/odds/ladder-guard.ts'
import { anyResult, possibleResults } from '../../rules/odds/possible-results.ts'
import { type MiddleOutlook, middleOutlook } from '../../rules/odds/results.ts'
import { jointOutcomes, safestStakes, widestGap } from '../../rules/odds/two-lines.ts'
import {
  bestAt,
  chooseOnTwo,
  firstChosenVisibility,
  isWithheld,
  type JudgedLine,
  noSlot,
  priceAt,
  visibilitiesOfAll,
  type Workspace,
} from './best-prices.ts'
import {
  addFinding,
  addLeg,
  type Finding,
  type Findings,
  firstVisibility,
  scopesOf,
  takes,
} from './findings.ts'
import type { Line, PricedOffer } from './lines.ts'
import { fairAt, questionOf, rungAt } from './rungs.ts'

/** Lines closer than this make no middle, because both bets can be partly refunded at once. */
const smallestMiddle = 0.5

/**
 * Returns the pair of two lines of one question, where bets on both cover every result and may win
 * for certain. Null if the lines are so far apart that one must be a feed error. Its outlook is
 * that of `middleBetween`.
 */
export function pairBetween(
  lower: Line,
  higher: Line,
): { readonly outlook: MiddleOutlook | null } | null {
  if (lower.ladder.shape.middles === null || lower.group !== higher.group) return null
  if (lower.line === null || higher.line === null) return null
  const gap = higher.line - lower.line
  if (!(gap > 0 && gap <= widestGap)) return null
  const outlook = outlookBetween(lower, higher)
  if ((outlook?.probability ?? 0) > likeliestMiddle) return null
  return { outlook: gap >= smallestMiddle ? outlook : null }
}

/** Returns the results between two lines of a pair; null if they make no middle, or are unknown. */
export function middleBetween(lower: Line, higher: Line): MiddleOutlook | null {
  if (!(higher.line! - lower.line! >= smallestMiddle)) return null
  return outlookBetween(lower, higher)
}

function outlookBetween({ ladder, line }: Line, higher: Line): MiddleOutlook | null {
  const { event, marketType, shape } = ladder
  if (!event.row) return null
  const { sport, league } = event.row
  const { low, high } = resultRange(shape.middles!, line!, higher.line!)
  return middleOutlook({ marketType, sport, league, low, high })
}

/**
 * The highest believable chance of a middle. Two bets that cost about 1 together do not both win
 * more often than not: then one line is wrong, or of another question.
 */
const likeliestMiddle = 0.5

/** The kinds of opportunity on two lines. */
const kindsOfPairs = ['arbitrage', 'middle'] as const
type KindOfPair = (typeof kindsOfPairs)[number]
const firstLevelOfPairs = Math.min(...kindsOfPairs.map((kind) => firstVisibility[kind]))

/** Returns the range of results, as home margins or totals, between two lines of one ladder. */
const resultRange = (kind: 'margin' | 'total', lower: number, higher: number) =>
  kind === 'total' ? { low: lower, high: higher } : { low: 0 - higher, high: 0 - lower }

/**
 * Detects the middle and the arbitrage of a pair of lines: over at the lower line, or home at the
 * higher. A middle needs a possible result between the lines: no NBA game ends level, so -0.5 and
 * +0.5 make none.
 * @param outlook the result of `middleBetween`
 * @returns the worst of `ladderVerdict` on its prices; if they are apart, it depends on the whole
 * ladder
 */
export function detectOnPair(
  lower: JudgedLine,
  higher: JudgedLine,
  outlook: MiddleOutlook | null,
  room: Workspace,
  found: Findings,
): number {
  const { chosen } = room
  found.length = 0
  const { shape } = lower.ladder
  // If the draw is an outcome, a result on the line loses both bets.
  if (shape.columns !== 2) return ladderVerdict.fine
  const [first, second] = shape.middles === 'total' ? [lower, higher] : [higher, lower]
  const canGain = outlook !== null && outlook.probability + outlook.pushProbability > 0
  let worst: number = ladderVerdict.fine
  // Sets that choose the same prices share the verdict on them.
  let verdict: number = ladderVerdict.fine
  let [judged0, judged1] = [noSlot, noSlot]
  let middle: Finding | undefined
  let arbitrage: Finding | undefined
  for (
    let visibility = Math.max(firstLevelOfPairs, room.first);
    visibility < room.visibilities;
    visibility++
  ) {
    if (!chooseOnTwo(first, second, visibility, room)) continue
    const price0 = priceAt(first, chosen[0]!, 0)
    const price1 = priceAt(second, chosen[1]!, 1)
    const total = 1 / price0 + 1 / price1
    if (total > 1 + highestHold) continue
    const profit = total < 1 ? certainProfit(lower, higher, price0, price1) : -1
    if (profit > highestArbitrageProfit) continue
    const isSure = isSureProfit(profit) && visibility >= firstVisibility.arbitrage
    const isMiddle = canGain && visibility >= firstVisibility.middle
    if (!isSure && !isMiddle) continue
    if (outlook !== null && (chosen[0] !== judged0 || chosen[1] !== judged1)) {
      verdict = judgeOnTwo(first, second, outlook, room)
      judged0 = chosen[0]!
      judged1 = chosen[1]!
      if (verdict > worst) worst = verdict
    }
    if (verdict === ladderVerdict.withheld) continue
    if (isSure) {
      arbitrage = addPair(first, second, 'arbitrage', visibility, arbitrage, room, found)
      arbitrage.worth = profit
      if (verdict === ladderVerdict.apart) arbitrage.isSuspected = true
    }
    if (isMiddle) {
      middle = addPair(first, second, 'middle', visibility, middle, room, found)
      middle.outlook = outlook
      if (verdict === ladderVerdict.apart) middle.isSuspected = true
    }
  }
  return worst
}

/** Returns the ladder guard's verdict on the chosen prices of two lines. */
function judgeOnTwo(
  first: JudgedLine,
  second: JudgedLine,
  { probability }: MiddleOutlook,
  { chosen }: Workspace,
): number {
  const slot0 = chosen[0]!
  const slot1 = chosen[1]!
  // Objects are made only for the few pairs that get here.
  if (isAsLikely(probability, fairAt(first, slot0), fairAt(second, slot1)))
    return ladderVerdict.fine
  const ladder = questionOf(first.ladder)
  const one = rungAt(first, slot0)
  const other = rungAt(second, slot1)
  if (!areApart(ladder, probability, one, other)) return ladderVerdict.fine
  const legs = [first.offers[slot0]!, second.offers[slot1]!]
  return judgeApart(ladder, one, other, witnessesOn(first, legs))
}

/**
 * Returns each sportsbook's most even rung with both outcomes, except for the legs' sportsbooks.
 */
function witnessesOn({ ladder, group }: Line, legs: readonly PricedOffer[]): Rung[] {
  const rungs = new Map<PricedOffer, Rung>()
  for (const line of ladder.lines as readonly Line[] as readonly JudgedLine[]) {
    if (line.line === null || line.group !== group) continue
    for (let slot = 0; slot < line.offers.length; slot++) {
      const offer = line.offers[slot]!
      const at = slot * ladder.shape.columns
      if (!offer.isUsable || offer.isReference || offer.visibility === ownerVisibility) continue
      if (legs.includes(offer)) continue
      if (isWithheld(line.verdicts[slot]!) || !(line.prices[at]! > 0 && line.prices[at + 1]! > 0)) {
        continue
      }
      const rung = rungAt(line, slot)
      const known = rungs.get(offer)
      if (!known || Math.abs(rung.fair - 0.5) < Math.abs(known.fair - 0.5)) rungs.set(offer, rung)
    }
  }
  return [...rungs.values()]
}

/** Returns the profit of two bets on a pair of lines in the worst case. */
function certainProfit(lower: Line, higher: Line, price0: number, price1: number): number {
  const { event, marketType, shape } = lower.ladder
  const { low, high } = resultRange(shape.middles!, lower.line!, higher.line!)
  const canBe = event.row ? possibleResults(marketType, event.row) : anyResult
  return safestStakes(jointOutcomes(low, high, canBe), price0, price1).worst
}

function addPair(
  first: JudgedLine,
  second: JudgedLine,
  kind: KindOfPair,
  visibility: number,
  last: Finding | undefined,
  room: Workspace,
  found: Findings,
): Finding {
  const { chosen } = room
  if (last && takes(last, chosen)) {
    last.scopes |= scopesOf(visibility)
    return last
  }
  const finding = addFinding(found, kind, 2, scopesOf(visibility))
  addLeg(finding, first, chosen[0]!, 0)
  addLeg(finding, second, chosen[1]!, 1)
  if (isAlone(first, visibility, room) || isAlone(second, visibility, room))
    finding.isSuspected = true
  return finding
}

/**
 * Returns whether the best prices of the last set are too low for a middle and an arbitrage: then
 * no set has one.
 */
export function isTooDear(
  lower: JudgedLine,
  higher: JudgedLine,
  outlook: MiddleOutlook | null,
  { visibilities }: Workspace,
): boolean {
  const { columns, middles } = lower.ladder.shape
  const [first, second] = middles === 'total' ? [lower, higher] : [higher, lower]
  const slot0 = first.best[bestAt(visibilities - 1, 0, columns)]!
  const slot1 = second.best[bestAt(visibilities - 1, 1, columns)]!
  if (slot0 === noSlot || slot1 === noSlot) return true
  const most = outlook === null ? 1 : 1 + highestHold
  return 1 / priceAt(first, slot0, 0) + 1 / priceAt(second, slot1, 1) > most
}

/**
 * Returns whether only one sportsbook has this line: without another, a wrong sign would go
 * unnoticed. Sportsbooks that only the owner sees count for the owner only.
 */
function isAlone({ best, ladder }: JudgedLine, visibility: number, room: Workspace): boolean {
  const { columns } = ladder.shape
  const widest =
    visibility < firstChosenVisibility ? Math.max(visibility, visibilitiesOfAll - 1) : room.widest
  let only = noSlot
  for (let column = 0; column < 2; column++) {
    const at = bestAt(widest, column, columns)
    for (let place = at; place < at + 2; place++) {
      const slot = best[place]!
      if (slot === noSlot || slot === only) continue
      if (only !== noSlot) return false
      only = slot
    }
  }
  return true
}
