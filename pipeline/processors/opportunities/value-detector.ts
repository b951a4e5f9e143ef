/**
 * +EV on one line: prices above the fair ones of the reference without its margin. The reference is the first anchor
 * of the event's chain that quotes the line, see `measures.ts`, or the consensus of the other sportsbooks.
 */

import { type FairMeasure, methodOf } from '../../../schemas/fair-measure.ts'
import { ownerLevel } from '../../../schemas/opportunity.ts'
import {
  consensusOf,
  type FairMarket,
  isConsensusValue,
  leastConsensusValue,
} from '../../rules/odds/fair-market.ts'
import { leastOthers } from '../../rules/odds/median-market.ts'
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
import { blendOn, isComplete, type Measure, marketAt, measureOf, sharpestSlot } from './measures.ts'

/**
 * Detects +EV. An edge over a sportsbook that only the owner sees is the owner's, and one over a blend is of those who
 * see all of it; others get another reference. Where nothing else measures, the consensus does.
 */
export function detectValue(line: JudgedLine, room: Workspace, found: Findings) {
  for (let levels = room.levels; levels > firstLevel.ev; ) {
    // A sharp book that everybody may see measures for all sets.
    const sharp = sharpestSlot(line, Math.max(levels, ownerLevel) - 1)
    const blend = blendOn(line, sharp, levels - 1, room.measure)
    if (blend) {
      findValues(line, blend, levels, found)
      levels = blend.level
    } else if (sharp !== noSlot) {
      const measure = measureOf(line, sharp, room)
      if (measure) findValues(line, measure, levels, found)
      if (line.offers[sharp]!.level !== ownerLevel) return
      levels = ownerLevel
    } else {
      if (!line.ladder.event.chain.hasConsensus) return
      return measureByConsensus(line, firstLevel.ev, levels, room, found)
    }
  }
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
  const { blends, hasConsensus } = line.ladder.event.chain
  const sharp = sharpestSlot(line, highest)
  const level = blends.length > 0 || sharp === noSlot ? levelOf(line, sportsbooks, highest) : 0
  const blend = blendOn(line, sharp, level, room.measure)
  const measure = blend ?? (sharp === noSlot ? null : measureOf(line, sharp, room))
  if (measure) return findValues(line, measure, room.levels, found, sportsbooks)
  if (sharp !== noSlot || !hasConsensus) return
  measureByConsensus(line, level, level + 1, room, found, sportsbooks)
}

/** Returns the set of the sportsbooks that the account with a chosen set certainly sees. */
function levelOf({ offers }: JudgedLine, sportsbooks: ReadonlySet<string>, highest: number) {
  let level: number = highest === ownerLevel ? ownerLevel : firstLevel.ev
  for (const { sportsbook, level: own } of offers) {
    if (sportsbooks.has(sportsbook)) level = Math.max(level, Math.min(own, highest))
  }
  return level
}

/**
 * Finds +EV by a measure, for those of the first `levels` sets that may see it. Its own sportsbooks have none.
 * @param chosen the sportsbooks of a chosen set; null for the sets of the tiers
 */
function findValues(
  line: JudgedLine,
  { slots, market, by, level }: Measure,
  levels: number,
  found: Findings,
  chosen: ReadonlySet<string> | null = null,
) {
  const { ladder, offers, verdicts } = line
  const { columns: outcomes } = ladder.shape
  const isSuspected = slots.some((slot) => verdicts[slot] === verdict.suspected)
  for (let slot = 0; slot < offers.length; slot++) {
    if (slots.includes(slot) || !offers[slot]!.isUsable || isWithheld(verdicts[slot]!)) continue
    if (offers[slot]!.isReference || offers[slot]!.level >= levels) continue
    if (chosen && !chosen.has(offers[slot]!.sportsbook)) continue
    for (let column = 0; column < outcomes; column++) {
      const ev = expectedValue(market.probabilities[column]!, priceAt(line, slot, column))
      if (!isValue(ev)) continue
      const least = Math.max(firstLevel.ev, offers[slot]!.level, level)
      const scopes = chosen ? everyScope : scopesFrom(least, levels)
      const finding = addFinding(found, 'ev', outcomes, scopes)
      addLeg(finding, line, slot, column)
      finding.measuredBy = slots.length
      for (let at = 0; at < slots.length; at++) finding.sharps[at] = slots[at]!
      finding.measure = by
      finding.worth = ev
      if (isSuspected) finding.isSuspected = true
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
  line: JudgedLine,
  highest: number,
  measure: FairMeasure | null,
): Member[] {
  const { offers, verdicts } = line
  const slots: number[] = []
  for (let slot = 0; slot < offers.length; slot++) {
    const { isUsable, isReference, level } = offers[slot]!
    if (!isUsable || isReference || level > highest || isWithheld(verdicts[slot]!)) continue
    if (isComplete(line, slot)) slots.push(slot)
  }
  if (slots.length < leastOthers) return []
  // Slots are in the order of arrival, which a restart loses.
  slots.sort((a, b) => (offers[a]!.sportsbook < offers[b]!.sportsbook ? -1 : 1))
  return slots.flatMap((slot) => {
    const market = marketAt(line, slot, methodOf(measure))
    return market ? [{ slot, market }] : []
  })
}
