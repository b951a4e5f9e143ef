/**
 * +EV on one line: prices above the fair prices, which are the reference's without its margin. The
 * reference is the first anchor of the event's chain that quotes the line (`measures.ts`), or the
 * consensus of the other sportsbooks.
 */

import { type FairMeasure, methodOf } from '../../../schemas/fair-measure.ts'
import { ownerVisibility } from '../../../schemas/opportunity.ts'
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
  firstVisibility,
  scopesFrom,
} from './findings.ts'
import { isCompared } from './lines.ts'
import { blendOn, isComplete, type Measure, marketAt, measureOf, sharpestSlot } from './measures.ts'

/**
 * Detects +EV. An edge over a sportsbook that only the owner sees is shown only to the owner. An
 * edge over a blend is shown to those who see all of the blend. Others get another reference;
 * without any, the consensus.
 */
export function detectValue(line: JudgedLine, room: Workspace, found: Findings) {
  for (let visibilities = room.visibilities; visibilities > firstVisibility.ev; ) {
    // A sharp book that everybody may see is the reference of all sets.
    const sharp = sharpestSlot(line, Math.max(visibilities, ownerVisibility) - 1)
    const blend = blendOn(line, sharp, visibilities - 1, room.measure)
    if (blend) {
      findValues(line, blend, visibilities, found)
      visibilities = blend.visibility
    } else if (sharp !== noSlot) {
      const measure = measureOf(line, sharp, room)
      if (measure) findValues(line, measure, visibilities, found)
      if (line.offers[sharp]!.visibility !== ownerVisibility) return
      visibilities = ownerVisibility
    } else {
      if (!line.ladder.event.chain.hasConsensus) return
      return measureByConsensus(line, firstVisibility.ev, visibilities, room, found)
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
  const visibility =
    blends.length > 0 || sharp === noSlot ? visibilityOfBooks(line, sportsbooks, highest) : 0
  const blend = blendOn(line, sharp, visibility, room.measure)
  const measure = blend ?? (sharp === noSlot ? null : measureOf(line, sharp, room))
  if (measure) return findValues(line, measure, room.visibilities, found, sportsbooks)
  if (sharp !== noSlot || !hasConsensus) return
  measureByConsensus(line, visibility, visibility + 1, room, found, sportsbooks)
}

/** Returns the tiers' set whose sportsbooks an account with this chosen set sees for certain. */
function visibilityOfBooks(
  { offers }: JudgedLine,
  sportsbooks: ReadonlySet<string>,
  highest: number,
) {
  let visibility: number = highest === ownerVisibility ? ownerVisibility : firstVisibility.ev
  for (const { sportsbook, visibility: own } of offers) {
    if (sportsbooks.has(sportsbook)) visibility = Math.max(visibility, Math.min(own, highest))
  }
  return visibility
}

/**
 * Finds +EV by a measure, for those of the first `visibilities` sets that may see it. The measure's
 * own sportsbooks have no +EV.
 * @param chosen the sportsbooks of a chosen set; null for the sets of the tiers
 */
function findValues(
  line: JudgedLine,
  { slots, market, by, visibility }: Measure,
  visibilities: number,
  found: Findings,
  chosen: ReadonlySet<string> | null = null,
) {
  const { ladder, offers, verdicts } = line
  const { columns: outcomes } = ladder.shape
  const isSuspected = slots.some((slot) => verdicts[slot] === verdict.suspected)
  for (let slot = 0; slot < offers.length; slot++) {
    if (slots.includes(slot) || !offers[slot]!.isUsable || isWithheld(verdicts[slot]!)) continue
    if (offers[slot]!.isReference || offers[slot]!.visibility >= visibilities) continue
    if (chosen && !chosen.has(offers[slot]!.sportsbook)) continue
    for (let column = 0; column < outcomes; column++) {
      const ev = expectedValue(market.probabilities[column]!, priceAt(line, slot, column))
      if (!isValue(ev)) continue
      const least = Math.max(firstVisibility.ev, offers[slot]!.visibility, visibility)
      const scopes = chosen ? everyScope : scopesFrom(least, visibilities)
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
 * Finds +EV against the consensus of the other sportsbooks (at least three) that each set sees: no
 * figure may reveal the offers of sportsbooks that its reader does not see.
 * @param first the first set; the last one is before `visibilities`
 * @param chosen the sportsbooks of a chosen set; null for the sets of the tiers
 */
function measureByConsensus(
  line: JudgedLine,
  first: number,
  visibilities: number,
  room: Workspace,
  found: Findings,
  chosen: ReadonlySet<string> | null = null,
) {
  if (!isCompared(line.ladder)) return
  const { ladder, offers, verdicts } = line
  const { columns } = ladder.shape
  const members = consensusMembers(line, visibilities - 1, room.measure)
  if (members.length < leastOthers) return
  const likeliest = likeliestOf(members)
  for (let slot = 0; slot < offers.length; slot++) {
    const { sportsbook, visibility: own, isUsable, isReference } = offers[slot]!
    if (!isUsable || isReference || own >= visibilities || isWithheld(verdicts[slot]!)) continue
    if (chosen && !chosen.has(sportsbook)) continue
    let isHopeless = true
    for (let column = 0; column < columns; column++) {
      const most = expectedValue(likeliest[column]!, priceAt(line, slot, column))
      if (most >= leastConsensusValue) isHopeless = false
    }
    if (isHopeless) continue
    const others = members.filter((member) => member.slot !== slot)
    for (let visibility = first, next = visibility; visibility < visibilities; visibility = next) {
      const seen = others.filter((member) => offers[member.slot]!.visibility <= visibility)
      // Sets that see the same sportsbooks share the findings.
      do next++
      while (
        next < visibilities &&
        !others.some((member) => offers[member.slot]!.visibility === next)
      )
      const least = Math.max(visibility, own)
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
 * Returns an upper bound of each outcome's probability in any consensus of the members: its highest
 * probability, divided by the sum of the lowest of all outcomes.
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

/** Returns the sportsbooks up to a visibility with a market of all outcomes, by name. */
function consensusMembers(
  line: JudgedLine,
  highest: number,
  measure: FairMeasure | null,
): Member[] {
  const { offers, verdicts } = line
  const slots: number[] = []
  for (let slot = 0; slot < offers.length; slot++) {
    const { isUsable, isReference, visibility } = offers[slot]!
    if (!isUsable || isReference || visibility > highest || isWithheld(verdicts[slot]!)) continue
    if (isComplete(line, slot)) slots.push(slot)
  }
  if (slots.length < leastOthers) return []
  // Sorted by name, because slots are in the order of arrival, which a restart loses.
  slots.sort((a, b) => (offers[a]!.sportsbook < offers[b]!.sportsbook ? -1 : 1))
  return slots.flatMap((slot) => {
    const market = marketAt(line, slot, methodOf(measure))
    return market ? [{ slot, market }] : []
  })
}
