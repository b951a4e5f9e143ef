/**
 * +EV on one line: prices above the fair ones of the reference without its margin. The reference is the first of the
 * sharp chain that quotes the line, or the consensus of the other sportsbooks where none does.
 */

import { type FairMeasure, methodOf } from '../../../schemas/fair-measure.ts'
import { ownerLevel } from '../../../schemas/opportunity.ts'
import { highestHold } from '../../rules/odds/arbitrage.ts'
import { devig } from '../../rules/odds/devig.ts'
import {
  consensusOf,
  type FairMarket,
  isConsensusValue,
  leastConsensusValue,
  leastOthers,
} from '../../rules/odds/fair-market.ts'
import { verdict } from '../../rules/odds/phantom-guard.ts'
import { expectedValue, isValue } from '../../rules/odds/value.ts'
import { isWithheld, type JudgedLine, noSlot, priceAt, type Workspace } from './best-prices.ts'
import {
  addFinding,
  addLeg,
  everyScope,
  type Findings,
  firstLevel,
  scopesFrom,
} from './findings.ts'
import { isTrading } from './lines.ts'

/**
 * Detects +EV. An edge over a sportsbook that only the owner sees is the owner's; others get another reference. Where
 * no sharp book measures, the consensus does.
 */
export function detectValue(line: JudgedLine, room: Workspace, found: Findings) {
  let { levels } = room
  let sharp = sharpestSlot(line, levels - 1)
  if (sharp !== noSlot && line.offers[sharp]!.level === ownerLevel) {
    measure(line, sharp, levels, room, found)
    levels = ownerLevel
    sharp = sharpestSlot(line, levels - 1)
  }
  if (sharp !== noSlot) measure(line, sharp, levels, room, found)
  else if (line.ladder.event.chain.hasConsensus)
    measureByConsensus(line, firstLevel.ev, levels, room, found)
}

/**
 * Detects the +EV of a chosen set.
 * @param highest the last of the tiers' sets that has the sportsbooks +EV may be measured against
 */
export function detectValueChosen(
  line: JudgedLine,
  sportsbooks: ReadonlySet<string>,
  highest: number,
  room: Workspace,
  found: Findings,
) {
  const sharp = sharpestSlot(line, highest)
  if (sharp !== noSlot) return measure(line, sharp, room.levels, room, found, sportsbooks)
  if (!line.ladder.event.chain.hasConsensus) return
  // The account that chose these sportsbooks sees them; of the others, only those it certainly sees are counted.
  let level: number = highest === ownerLevel ? ownerLevel : firstLevel.ev
  for (const { sportsbook, level: own } of line.offers) {
    if (sportsbooks.has(sportsbook)) level = Math.max(level, Math.min(own, highest))
  }
  measureByConsensus(line, level, level + 1, room, found, sportsbooks)
}

/**
 * Measures +EV against one sharp book, for those of the first `levels` sets that may see it.
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
 * Measures +EV against the consensus of the other sportsbooks that each set sees, at least three: no figure may
 * reveal the offers of sportsbooks that its reader does not see.
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
      // Sets that see the same sportsbooks share the findings.
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

/**
 * Returns an upper bound of an outcome's probability by any consensus among them: the highest of each, over the sum
 * of the lowest.
 */
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

/** Returns the sportsbooks up to a level with a market of all outcomes, by name. */
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
  // Slots are in the order of arrival, which a restart loses.
  slots.sort((a, b) => (offers[a]!.sportsbook < offers[b]!.sportsbook ? -1 : 1))
  return slots.flatMap((slot) => {
    const from = slot * columns
    const market = devig(prices.subarray(from, from + columns), methodOf(measure))
    return market && market.overround <= highestHold ? [{ slot, market }] : []
  })
}

/**
 * Returns the first of the sharp chain with every outcome, among the sportsbooks up to a level; none when the ladder
 * does not trade.
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
