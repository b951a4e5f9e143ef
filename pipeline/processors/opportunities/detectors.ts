/**
 * What the prices on a line, or on two, come to: arbitrage, low hold and +EV on one, middles between
 * two. Each answer says which prices it takes and who sees it; figures are computed where they are
 * shown, by the same rules. Where two sets of sportsbooks come to the same prices it is one
 * opportunity.
 */

import { type FairMeasure, methodOf } from '../../../schemas/fair-measure.ts'
import {
  byKind,
  firstScopeLevel,
  type OpportunityKind,
  opportunityKinds,
  ownerLevel,
  scopeBit,
} from '../../../schemas/opportunity.ts'
import {
  arbitrageProfit,
  highestArbitrageProfit,
  isSureProfit,
} from '../../rules/odds/arbitrage.ts'
import { devig } from '../../rules/odds/devig.ts'
import {
  consensusOf,
  type FairMarket,
  isConsensusValue,
  leastConsensusValue,
  leastOthers,
} from '../../rules/odds/fair-market.ts'
import {
  areApart,
  isAsLikely,
  judgeApart,
  type LadderQuestion,
  ladderVerdict,
  type Rung,
} from '../../rules/odds/ladder-guard.ts'
import { verdict } from '../../rules/odds/phantom-guard.ts'
import { type MiddleOutlook, middleOutlook } from '../../rules/odds/results.ts'
import { jointOutcomes, safestStakes, widestGap } from '../../rules/odds/two-lines.ts'
import { expectedValue, isValue } from '../../rules/odds/value.ts'
import {
  bestAt,
  chooseOnLine,
  chooseOnTwo,
  firstChosenLevel,
  isWithheld,
  type JudgedLine,
  levelsOfAll,
  noSlot,
  priceAt,
  type Workspace,
} from './best-prices.ts'
import { isTrading, type Ladder, type Line, type PricedOffer } from './price-lines.ts'

/**
 * What prices taken together may cost: a low hold or a middle that costs more is not listed, nor is
 * +EV against a reference market that does. Far apart on one ladder any two lines would make a middle,
 * at the price of both.
 */
export const highestHold = 0.1

/** Lines closer than this make no middle: bets on both can be refunded at once, in part. */
const smallestMiddle = 0.5

const allScopes = [scopeBit.hobby, scopeBit.pro, scopeBit.all, scopeBit.owner] as const

/** Who chose a set has what is found for it, in whatever tier. */
const everyScope = allScopes.reduce<number>((scopes, bit) => scopes | bit, 0)

const scopesOf = (level: number): number => allScopes[level] ?? everyScope

/** The bits of a level and those above it, of so many. */
const scopesFrom = (level: number, levels: number) => (1 << levels) - (1 << level)

const firstLevel = byKind(firstScopeLevel)

type OnLine = typeof detectSums
type OnPair = typeof detectOnPair

/** The detector of each kind: on one line, on a pair of lines of one question, or on both. */
const detectors: Readonly<
  Record<
    OpportunityKind,
    | { readonly onLine: OnLine; readonly onPair?: OnPair }
    | { readonly onLine?: never; readonly onPair: OnPair }
  >
> = {
  arbitrage: { onLine: detectSums, onPair: detectOnPair },
  low_hold: { onLine: detectSums },
  ev: { onLine: detectValue },
  middle: { onPair: detectOnPair },
}

const detectorsOnLine = [...new Set(Object.values(detectors).flatMap(({ onLine }) => onLine ?? []))]

const firstLevelOfPairs = Math.min(
  ...opportunityKinds.filter((kind) => detectors[kind].onPair).map((kind) => firstLevel[kind]),
)

/**
 * What detectors find. The objects are used again for the next line, so that a million prices a minute
 * leave nothing behind for the garbage collector.
 */
export interface Findings {
  /** Those before it count. */
  length: number
  readonly of: Finding[]
}

export interface Finding {
  kind: OpportunityKind
  /** How many entries of the lists below count. */
  legs: number
  readonly ids: number[]
  readonly lines: JudgedLine[]
  readonly slots: number[]
  readonly columns: number[]
  /** How many answers the line has. */
  outcomes: number
  /** The slots of what +EV is measured against: how many count, of the sharp book or of those of the consensus. */
  measuredBy: number
  readonly sharps: number[]
  /** How the fair price is made of its prices, for +EV; else null. */
  measure: FairMeasure | null
  /** Its worth, see `worthOf` in `opportunity-figures.ts`; of a middle, which costs more to work out, 0. */
  worth: number
  /** Of a middle, the results between its lines; else null. */
  outlook: MiddleOutlook | null
  scopes: number
  isSuspected: boolean
}

export const createFindings = (): Findings => ({ length: 0, of: [] })

function addFinding(
  to: Findings,
  kind: OpportunityKind,
  outcomes: number,
  scopes: number,
): Finding {
  const known = to.of[to.length]
  const finding = known ?? {
    kind,
    legs: 0,
    ids: [],
    lines: [],
    slots: [],
    columns: [],
    outcomes,
    measuredBy: 0,
    sharps: [],
    measure: null,
    worth: 0,
    outlook: null,
    scopes,
    isSuspected: false,
  }
  if (!known) to.of.push(finding)
  to.length++
  finding.kind = kind
  finding.legs = 0
  finding.outcomes = outcomes
  finding.measuredBy = 0
  finding.measure = null
  finding.worth = 0
  finding.outlook = null
  finding.scopes = scopes
  finding.isSuspected = false
  return finding
}

function addLeg(to: Finding, line: JudgedLine, slot: number, column: number) {
  const leg = to.legs++
  to.ids[leg] = line.ids[slot * line.ladder.shape.columns + column]!
  to.lines[leg] = line
  to.slots[leg] = slot
  to.columns[leg] = column
  if (line.verdicts[slot] === verdict.suspected) to.isSuspected = true
}

// ---- one line

/** Everything on one line, into `found`. */
export function detectOnLine(line: JudgedLine, room: Workspace, found: Findings) {
  found.length = 0
  for (let at = 0; at < detectorsOnLine.length; at++) detectorsOnLine[at]!(line, room, found)
}

/** An arbitrage is a hold below 0 that is not too good to be true; a low hold may be one, or next to it. */
function detectSums(line: JudgedLine, room: Workspace, found: Findings) {
  const { columns: outcomes } = line.ladder.shape
  const { chosen } = room
  let arbitrage: Finding | undefined
  let lowHold: Finding | undefined
  for (let level = room.first; level < room.levels; level++) {
    if (!chooseOnLine(line, level, room)) continue
    let total = 0
    for (let column = 0; column < outcomes; column++) {
      total += 1 / priceAt(line, chosen[column]!, column)
    }
    const profit = arbitrageProfit(total)
    if (profit > highestArbitrageProfit || total > 1 + highestHold) continue
    if (isSureProfit(profit)) {
      arbitrage = addSum(line, 'arbitrage', profit, level, arbitrage, room, found)
    }
    lowHold = addSum(line, 'low_hold', 1 - total, level, lowHold, room, found)
  }
}

function addSum(
  line: JudgedLine,
  kind: 'arbitrage' | 'low_hold',
  worth: number,
  level: number,
  last: Finding | undefined,
  { chosen }: Workspace,
  found: Findings,
): Finding | undefined {
  if (level < firstLevel[kind]) return last
  if (last && takes(last, chosen)) {
    last.scopes |= scopesOf(level)
    return last
  }
  const { columns: outcomes } = line.ladder.shape
  const finding = addFinding(found, kind, outcomes, scopesOf(level))
  for (let column = 0; column < outcomes; column++) addLeg(finding, line, chosen[column]!, column)
  finding.worth = worth
  return finding
}

/** Whether a finding takes the chosen slots; its lines and columns are the same. */
function takes({ slots, legs }: Finding, chosen: Int32Array): boolean {
  for (let leg = 0; leg < legs; leg++) if (slots[leg] !== chosen[leg]) return false
  return true
}

/**
 * Everything on one line for a chosen set, into `found`.
 * @param highest the last of the tiers' sets that has what +EV may be measured against
 */
export function detectOnLineChosen(
  line: JudgedLine,
  sportsbooks: ReadonlySet<string>,
  highest: number,
  room: Workspace,
  found: Findings,
) {
  found.length = 0
  detectSums(line, room, found)
  const sharp = sharpestSlot(line, highest)
  if (sharp !== noSlot) return measure(line, sharp, room.levels, room, found, sportsbooks)
  if (!room.hasConsensus) return
  // Who chose these sees them; of others no more is counted than they see for sure.
  let level: number = highest === ownerLevel ? ownerLevel : firstLevel.ev
  for (const { sportsbook, level: own } of line.offers) {
    if (sportsbooks.has(sportsbook)) level = Math.max(level, Math.min(own, highest))
  }
  measureByConsensus(line, level, level + 1, room, found, sportsbooks)
}

/**
 * An edge over a sportsbook that only the owner sees is the owner's; others get another reference. Where no sharp
 * book measures, the consensus does.
 */
function detectValue(line: JudgedLine, room: Workspace, found: Findings) {
  let { levels } = room
  let sharp = sharpestSlot(line, levels - 1)
  if (sharp !== noSlot && line.offers[sharp]!.level === ownerLevel) {
    measure(line, sharp, levels, room, found)
    levels = ownerLevel
    sharp = sharpestSlot(line, levels - 1)
  }
  if (sharp !== noSlot) measure(line, sharp, levels, room, found)
  else if (room.hasConsensus) measureByConsensus(line, firstLevel.ev, levels, room, found)
}

/**
 * +EV against one sharp book, for those of the first so many sets that may see it.
 * @param chosen the sportsbooks of a chosen set; null for the sets of the tiers
 */
function measure(
  line: JudgedLine,
  sharp: number,
  levels: number,
  room: Workspace,
  found: Findings,
  chosen: ReadonlySet<string> | null = null,
) {
  const { ladder, offers, verdicts } = line
  const { columns: outcomes } = ladder.shape
  const sharpLevel = offers[sharp]!.level === ownerLevel ? ownerLevel : 0
  const { sharp: sharpPrices } = room
  sharpPrices.length = outcomes
  for (let column = 0; column < outcomes; column++) {
    sharpPrices[column] = line.prices[sharp * ladder.shape.columns + column]!
  }
  const fair = devig(sharpPrices, methodOf(room.measure))
  if (!fair || fair.overround > highestHold) return
  for (let slot = 0; slot < offers.length; slot++) {
    if (slot === sharp || !offers[slot]!.isUsable || isWithheld(verdicts[slot]!)) continue
    if (offers[slot]!.isReference || offers[slot]!.level >= levels) continue
    if (chosen && !chosen.has(offers[slot]!.sportsbook)) continue
    for (let column = 0; column < outcomes; column++) {
      const ev = expectedValue(fair.probabilities[column]!, priceAt(line, slot, column))
      if (!isValue(ev)) continue
      const least = Math.max(firstLevel.ev, offers[slot]!.level, sharpLevel)
      const scopes = chosen ? everyScope : scopesFrom(least, levels)
      const finding = addFinding(found, 'ev', outcomes, scopes)
      addLeg(finding, line, slot, column)
      finding.measuredBy = 1
      finding.sharps[0] = sharp
      finding.measure = room.measure
      finding.worth = ev
      if (verdicts[sharp] === verdict.suspected) finding.isSuspected = true
    }
  }
}

/**
 * +EV against the consensus of the other sportsbooks that each set sees, at least three: nobody is told by a figure
 * what sportsbooks they do not see offer.
 * @param first the first set, of those before `levels`
 * @param chosen the sportsbooks of a chosen set; null for the sets of the tiers
 */
function measureByConsensus(
  line: JudgedLine,
  first: number,
  levels: number,
  room: Workspace,
  found: Findings,
  chosen: ReadonlySet<string> | null = null,
) {
  if (!isTrading(line.ladder)) return
  const { ladder, offers, verdicts } = line
  const { columns } = ladder.shape
  const members = consensusMembers(line, levels - 1, room.measure)
  if (members.length < leastOthers) return
  const likeliest = likeliestOf(members)
  for (let slot = 0; slot < offers.length; slot++) {
    const { sportsbook, level: own, isUsable, isReference } = offers[slot]!
    if (!isUsable || isReference || own >= levels || isWithheld(verdicts[slot]!)) continue
    if (chosen && !chosen.has(sportsbook)) continue
    let isHopeless = true
    for (let column = 0; column < columns; column++) {
      const most = expectedValue(likeliest[column]!, priceAt(line, slot, column))
      if (most >= leastConsensusValue) isHopeless = false
    }
    if (isHopeless) continue
    const others = members.filter((member) => member.slot !== slot)
    for (let level = first, next = level; level < levels; level = next) {
      const seen = others.filter((member) => offers[member.slot]!.level <= level)
      // Sets that see the same sportsbooks share what is found.
      do next++
      while (next < levels && !others.some((member) => offers[member.slot]!.level === next))
      const least = Math.max(level, own)
      if (seen.length < leastOthers || least >= next) continue
      const { probabilities } = consensusOf(seen.map(({ market }) => market))
      for (let column = 0; column < columns; column++) {
        const ev = expectedValue(probabilities[column]!, priceAt(line, slot, column))
        if (!isConsensusValue(ev)) continue
        const scopes = chosen ? everyScope : scopesFrom(least, next)
        const finding = addFinding(found, 'ev', columns, scopes)
        addLeg(finding, line, slot, column)
        finding.measuredBy = seen.length
        for (let at = 0; at < seen.length; at++) finding.sharps[at] = seen[at]!.slot
        finding.measure = room.measure
        finding.worth = ev
      }
    }
  }
}

interface Member {
  readonly slot: number
  readonly market: FairMarket
}

/** More than this no consensus of some of them gives an answer: the highest of each, over the sum of the lowest. */
function likeliestOf(members: readonly Member[]): number[] {
  const likeliest: number[] = []
  let sum = 0
  for (let column = 0; column < members[0]!.market.probabilities.length; column++) {
    let [lowest, highest] = [1, 0]
    for (const { market } of members) {
      const probability = market.probabilities[column]!
      if (probability < lowest) lowest = probability
      if (probability > highest) highest = probability
    }
    likeliest.push(highest)
    sum += lowest
  }
  for (let column = 0; column < likeliest.length; column++) likeliest[column]! /= sum
  return likeliest
}

/** Sportsbooks up to a level with a market of all answers, by name. */
function consensusMembers(
  { ladder, offers, prices, verdicts }: JudgedLine,
  highest: number,
  measure: FairMeasure | null,
): Member[] {
  const { columns } = ladder.shape
  const slots: number[] = []
  for (let slot = 0; slot < offers.length; slot++) {
    const { isUsable, isReference, level } = offers[slot]!
    if (!isUsable || isReference || level > highest || isWithheld(verdicts[slot]!)) continue
    let isComplete = true
    for (let column = 0; column < columns; column++) {
      if (!(prices[slot * columns + column]! > 0)) isComplete = false
    }
    if (isComplete) slots.push(slot)
  }
  if (slots.length < leastOthers) return []
  // Slots are in the order of arrival, which a restart forgets.
  slots.sort((a, b) => (offers[a]!.sportsbook < offers[b]!.sportsbook ? -1 : 1))
  return slots.flatMap((slot) => {
    const from = slot * columns
    const market = devig(prices.subarray(from, from + columns), methodOf(measure))
    return market && market.overround <= highestHold ? [{ slot, market }] : []
  })
}

/**
 * The first of the sharp chain with every answer, among the sportsbooks up to a level; none when the
 * ladder does not trade.
 */
export function sharpestSlot(
  { ladder, offers, prices, verdicts }: JudgedLine,
  highest: number,
): number {
  if (!isTrading(ladder)) return noSlot
  const { columns } = ladder.shape
  let sharpest = noSlot
  for (let slot = 0; slot < offers.length; slot++) {
    const { sharpness, isUsable, level } = offers[slot]!
    if (sharpness < 0 || !isUsable || level > highest || isWithheld(verdicts[slot]!)) continue
    if (sharpest !== noSlot && offers[sharpest]!.sharpness < sharpness) continue
    let isComplete = true
    for (let column = 0; column < columns; column++) {
      if (!(prices[slot * columns + column]! > 0)) isComplete = false
    }
    if (isComplete) sharpest = slot
  }
  return sharpest
}

// ---- two lines

/**
 * Whether bets on these two lines of one question cover every result, so that they may gain for sure; and
 * are no slip of a feed.
 */
export function arePair(lower: Line, higher: Line): boolean {
  if (lower.ladder.shape.middles === null || lower.group !== higher.group) return false
  if (lower.line === null || higher.line === null) return false
  const gap = higher.line - lower.line
  if (!(gap > 0 && gap <= widestGap)) return false
  return (outlookBetween(lower, higher)?.probability ?? 0) <= likeliestMiddle
}

/** The results between two lines of a pair; null where they make no middle, or it is unknown. */
export function middleBetween(lower: Line, higher: Line): MiddleOutlook | null {
  if (!(higher.line! - lower.line! >= smallestMiddle)) return null
  return outlookBetween(lower, higher)
}

function outlookBetween({ ladder, line }: Line, higher: Line): MiddleOutlook | null {
  const { event, marketType, shape } = ladder
  const sport = event.row?.sport
  if (sport === undefined) return null
  const { low, high } = resultRange(shape.middles!, line!, higher.line!)
  return middleOutlook({ marketType, sport, low, high })
}

/**
 * Two bets that together cost about one do not both win more often than not: one of the lines is
 * wrong, or of another question.
 */
const likeliestMiddle = 0.5

/** The range of results, as home margins or totals, between two lines of one ladder. */
const resultRange = (kind: 'margin' | 'total', lower: number, higher: number) =>
  kind === 'total' ? { low: lower, high: higher } : { low: 0 - higher, high: 0 - lower }

/**
 * The middle between two lines of a pair, and the arbitrage: over the lower, or home at the higher.
 * @param outlook as `middleBetween` gives it
 * @returns the worst verdict of `ladderVerdict` on its prices: of those that are apart, what comes of them follows
 * from all of the ladder
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
  // With a draw for an answer, a result on the line loses both bets.
  if (shape.columns !== 2) return ladderVerdict.fine
  const [first, second] = shape.middles === 'total' ? [lower, higher] : [higher, lower]
  let worst: number = ladderVerdict.fine
  // Sets that choose the same prices share the verdict on them.
  let verdict: number = ladderVerdict.fine
  let [judged0, judged1] = [noSlot, noSlot]
  let middle: Finding | undefined
  let arbitrage: Finding | undefined
  for (let level = Math.max(firstLevelOfPairs, room.first); level < room.levels; level++) {
    if (!chooseOnTwo(first, second, level, room)) continue
    const price0 = priceAt(first, chosen[0]!, 0)
    const price1 = priceAt(second, chosen[1]!, 1)
    const total = 1 / price0 + 1 / price1
    if (total > 1 + highestHold) continue
    const profit = total < 1 ? certainProfit(lower, higher, price0, price1) : -1
    if (profit > highestArbitrageProfit) continue
    const isSure = isSureProfit(profit) && level >= firstLevel.arbitrage
    const isMiddle = outlook !== null && level >= firstLevel.middle
    if (!isSure && !isMiddle) continue
    if (outlook !== null && (chosen[0] !== judged0 || chosen[1] !== judged1)) {
      verdict = judgeOnTwo(first, second, outlook, room)
      judged0 = chosen[0]!
      judged1 = chosen[1]!
      if (verdict > worst) worst = verdict
    }
    if (verdict === ladderVerdict.withheld) continue
    if (isSure) {
      arbitrage = addPair(first, second, 'arbitrage', level, arbitrage, room, found)
      arbitrage.worth = profit
      if (verdict === ladderVerdict.apart) arbitrage.isSuspected = true
    }
    if (isMiddle) {
      middle = addPair(first, second, 'middle', level, middle, room, found)
      middle.outlook = outlook
      if (verdict === ladderVerdict.apart) middle.isSuspected = true
    }
  }
  return worst
}

/** The ladder guard's verdict on the chosen prices of two lines. */
function judgeOnTwo(
  first: JudgedLine,
  second: JudgedLine,
  { probability }: MiddleOutlook,
  { chosen }: Workspace,
): number {
  const slot0 = chosen[0]!
  const slot1 = chosen[1]!
  // Objects are made for the few that are left.
  if (isAsLikely(probability, fairAt(first, slot0), fairAt(second, slot1)))
    return ladderVerdict.fine
  const ladder = questionOf(first.ladder)
  const one = rungAt(first, slot0)
  const other = rungAt(second, slot1)
  if (!areApart(ladder, probability, one, other)) return ladderVerdict.fine
  const legs = [first.offers[slot0]!, second.offers[slot1]!]
  return judgeApart(ladder, one, other, witnessesOn(first, legs))
}

const rungAt = (line: Line, slot: number): Rung => ({ line: line.line!, fair: fairAt(line, slot) })

const questionOf = ({ event, marketType, playerName, isLive, shape }: Ladder): LadderQuestion => ({
  marketType,
  sport: event.row!.sport,
  kind: shape.middles!,
  isPlayers: playerName !== null,
  isLive,
})

/** That the first of two answers wins, by one sportsbook; with its vig where it gives one alone. */
function fairAt({ prices, ladder }: Line, slot: number): number {
  const at = slot * ladder.shape.columns
  const [first, second] = [prices[at]!, prices[at + 1]!]
  if (second === 0) return 1 / first
  return first === 0 ? 1 - 1 / second : second / (first + second)
}

/** Of each sportsbook but the legs' that stands with both answers, the rung nearest to even. */
function witnessesOn({ ladder, group }: Line, legs: readonly PricedOffer[]): Rung[] {
  const rungs = new Map<PricedOffer, Rung>()
  for (const line of ladder.lines as readonly Line[] as readonly JudgedLine[]) {
    if (line.line === null || line.group !== group) continue
    for (let slot = 0; slot < line.offers.length; slot++) {
      const offer = line.offers[slot]!
      const at = slot * ladder.shape.columns
      if (!offer.isUsable || offer.isReference || offer.level === ownerLevel) continue
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

/** The gain of two bets on a pair of lines at the worst result. */
function certainProfit(lower: Line, higher: Line, price0: number, price1: number): number {
  const { low, high } = resultRange(lower.ladder.shape.middles!, lower.line!, higher.line!)
  return safestStakes(jointOutcomes(low, high), price0, price1).worst
}

function addPair(
  first: JudgedLine,
  second: JudgedLine,
  kind: 'arbitrage' | 'middle',
  level: number,
  last: Finding | undefined,
  room: Workspace,
  found: Findings,
): Finding {
  const { chosen } = room
  if (last && takes(last, chosen)) {
    last.scopes |= scopesOf(level)
    return last
  }
  const finding = addFinding(found, kind, 2, scopesOf(level))
  addLeg(finding, first, chosen[0]!, 0)
  addLeg(finding, second, chosen[1]!, 1)
  if (isAlone(first, level, room) || isAlone(second, level, room)) finding.isSuspected = true
  return finding
}

/** Whether the best prices of the last set cost too much, for a middle or for certain: then none has one. */
export function isTooDear(
  lower: JudgedLine,
  higher: JudgedLine,
  outlook: MiddleOutlook | null,
  { levels }: Workspace,
): boolean {
  const { columns, middles } = lower.ladder.shape
  const [first, second] = middles === 'total' ? [lower, higher] : [higher, lower]
  const slot0 = first.best[bestAt(levels - 1, 0, columns)]!
  const slot1 = second.best[bestAt(levels - 1, 1, columns)]!
  if (slot0 === noSlot || slot1 === noSlot) return true
  const most = outlook === null ? 1 : 1 + highestHold
  return 1 / priceAt(first, slot0, 0) + 1 / priceAt(second, slot1, 1) > most
}

/**
 * Whether one sportsbook alone has this line: with no other to compare, a turned sign would not be
 * seen. The owner's own count for the owner alone.
 */
function isAlone({ best, ladder }: JudgedLine, level: number, room: Workspace): boolean {
  const { columns } = ladder.shape
  const widest = level < firstChosenLevel ? Math.max(level, levelsOfAll - 1) : room.widest
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
