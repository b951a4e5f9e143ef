/**
 * What the prices on a line, or on two, come to: arbitrage, low hold and +EV on one, middles between
 * two. Each answer says which prices it takes and who sees it; figures are computed where they are
 * shown, by the same rules. Where two sets of sportsbooks come to the same prices it is one
 * opportunity.
 */

import {
  firstScopeLevel,
  type OpportunityKind,
  opportunityKinds,
  ownerLevel,
  scopeBit,
} from '../../../schemas/opportunity.ts'
import { arbitrageProfit, highestArbitrageProfit, isArbitrage } from '../../rules/arbitrage.ts'
import { devig } from '../../rules/devig.ts'
import {
  areApart,
  judgeApart,
  type LadderQuestion,
  ladderVerdict,
  type Rung,
} from '../../rules/ladder-guard.ts'
import { verdict } from '../../rules/phantom-guard.ts'
import { type MiddleOutlook, middleOutlook } from '../../rules/results.ts'
import { expectedValue, isValue } from '../../rules/value.ts'
import {
  bestAt,
  chooseOnLine,
  chooseOnTwo,
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

/** Lines closer than this make no middle: bets on both can be refunded at once. */
const smallestMiddle = 0.5

const allScopes = [scopeBit.hobby, scopeBit.pro, scopeBit.all, scopeBit.owner] as const

/** The bits of a level and those above it, of so many. */
const scopesFrom = (level: number, levels: number) => (1 << levels) - (1 << level)

const firstLevel = Object.fromEntries(
  opportunityKinds.map((kind) => [kind, firstScopeLevel(kind)]),
) as Readonly<Record<OpportunityKind, 0 | 1 | 2>>

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
  /** The slot of the sharp book, for +EV; else -1. */
  sharp: number
  /** Its worth, see `worthOf` in `opportunity-figures.ts`; of a middle, which costs more to work out, 0. */
  worth: number
  /** A middle: that both bets win, by the model of results; else 0. */
  chance: number
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
    sharp: noSlot,
    worth: 0,
    chance: 0,
    scopes,
    isSuspected: false,
  }
  if (!known) to.of.push(finding)
  to.length++
  finding.kind = kind
  finding.legs = 0
  finding.outcomes = outcomes
  finding.sharp = noSlot
  finding.worth = 0
  finding.chance = 0
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
  detectSums(line, room, found)
  detectValue(line, room, found)
}

/** An arbitrage is a hold below 0 that is not too good to be true; a low hold may be one, or next to it. */
function detectSums(line: JudgedLine, room: Workspace, found: Findings) {
  const { outcomes } = line.ladder
  const { chosen } = room
  let arbitrage: Finding | undefined
  let lowHold: Finding | undefined
  for (let level = 0; level < room.levels; level++) {
    if (!chooseOnLine(line, level, room)) continue
    let total = 0
    for (let column = 0; column < outcomes; column++) {
      total += 1 / priceAt(line, chosen[column]!, column)
    }
    const profit = arbitrageProfit(total)
    if (profit > highestArbitrageProfit || total > 1 + highestHold) continue
    if (isArbitrage(total)) {
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
    last.scopes |= allScopes[level]!
    return last
  }
  const { outcomes } = line.ladder
  const finding = addFinding(found, kind, outcomes, allScopes[level]!)
  for (let column = 0; column < outcomes; column++) addLeg(finding, line, chosen[column]!, column)
  finding.worth = worth
  return finding
}

/** Whether a finding takes the chosen slots; its lines and columns are the same. */
function takes({ slots, legs }: Finding, chosen: Int32Array): boolean {
  for (let leg = 0; leg < legs; leg++) if (slots[leg] !== chosen[leg]) return false
  return true
}

/** What is measured against a sportsbook of the owner's alone is the owner's; others get another measure. */
function detectValue(line: JudgedLine, room: Workspace, found: Findings) {
  const { levels } = room
  const sharp = sharpestSlot(line, levels - 1)
  if (sharp === noSlot) return
  if (line.offers[sharp]!.level < ownerLevel) return measure(line, sharp, levels, room, found)
  measure(line, sharp, levels, room, found)
  const shared = sharpestSlot(line, ownerLevel - 1)
  if (shared !== noSlot) measure(line, shared, ownerLevel, room, found)
}

/** +EV against one sharp book, for those of the first so many sets that may see it. */
function measure(
  line: JudgedLine,
  sharp: number,
  levels: number,
  room: Workspace,
  found: Findings,
) {
  const { ladder, offers, verdicts } = line
  const { outcomes } = ladder
  const sharpLevel = offers[sharp]!.level === ownerLevel ? ownerLevel : 0
  const { sharp: sharpPrices } = room
  sharpPrices.length = outcomes
  for (let column = 0; column < outcomes; column++) {
    sharpPrices[column] = line.prices[sharp * ladder.shape.columns + column]!
  }
  const fair = devig(sharpPrices)
  if (!fair || fair.overround > highestHold) return
  for (let slot = 0; slot < offers.length; slot++) {
    if (slot === sharp || !offers[slot]!.isUsable || isWithheld(verdicts[slot]!)) continue
    if (offers[slot]!.level >= levels) continue
    for (let column = 0; column < outcomes; column++) {
      const ev = expectedValue(fair.probabilities[column]!, priceAt(line, slot, column))
      if (!isValue(ev)) continue
      const least = Math.max(firstLevel.ev, offers[slot]!.level, sharpLevel)
      const finding = addFinding(found, 'ev', outcomes, scopesFrom(least, levels))
      addLeg(finding, line, slot, column)
      finding.sharp = sharp
      finding.worth = ev
      if (verdicts[sharp] === verdict.suspected) finding.isSuspected = true
    }
  }
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
    for (let column = 0; column < ladder.outcomes; column++) {
      if (!(prices[slot * columns + column]! > 0)) isComplete = false
    }
    if (isComplete) sharpest = slot
  }
  return sharpest
}

// ---- two lines

/** That bets on these two lines of one market both win, by the model of results; null where they make no middle. */
export function chanceOfMiddle(lower: Line, higher: Line): number | null {
  if (lower.ladder.shape.middles === null || lower.line === null || higher.line === null) {
    return null
  }
  if (lower.group !== higher.group || higher.line - lower.line < smallestMiddle) return null
  const outlook = outlookBetween(lower, higher)
  if (outlook === null || outlook.numbers.length === 0) return null
  return outlook.probability <= likeliestMiddle ? outlook.probability : null
}

/** How likely results between two lines of one market are; null where nobody knows. */
function outlookBetween(lower: Line, higher: Line): MiddleOutlook | null {
  const { event, marketType, shape } = lower.ladder
  const sport = event.row?.sport
  if (shape.middles === null || lower.line === null || higher.line === null) return null
  if (sport === undefined) return null
  const { low, high } = middleRange(shape.middles, lower.line, higher.line)
  return middleOutlook({ marketType, sport, low, high })
}

/**
 * Two bets that together cost about one do not both win more often than not: one of the lines is
 * wrong, or of another question.
 */
const likeliestMiddle = 0.5

/** The open range of results, as home margins or totals, between two lines of one ladder. */
const middleRange = (kind: 'margin' | 'total', lower: number, higher: number) =>
  kind === 'total' ? { low: lower, high: higher } : { low: 0 - higher, high: 0 - lower }

/**
 * The middle between two lines that can make one: over the lower, or home at the higher.
 * @param chance as `chanceOfMiddle` gives it
 * @returns whether two prices were further apart than is honest: what comes of them follows from all of the ladder
 */
export function detectMiddle(
  lower: JudgedLine,
  higher: JudgedLine,
  chance: number,
  room: Workspace,
  found: Findings,
): boolean {
  const { chosen } = room
  found.length = 0
  const { outcomes, shape } = lower.ladder
  // With a draw for an answer, a result on the line loses both bets.
  if (outcomes !== 2) return false
  const [first, second] = shape.middles === 'total' ? [lower, higher] : [higher, lower]
  let last: Finding | undefined
  let isAnyApart = false
  for (let level = firstLevel.middle; level < room.levels; level++) {
    if (!chooseOnTwo(first, second, level, room)) continue
    const total = 1 / priceAt(first, chosen[0]!, 0) + 1 / priceAt(second, chosen[1]!, 1)
    if (total > 1 + highestHold) continue
    if (last && takes(last, chosen)) {
      last.scopes |= allScopes[level]!
      continue
    }
    const verdictOnTwo = judgeOnTwo(first, second, chance, room)
    if (verdictOnTwo !== ladderVerdict.fine) isAnyApart = true
    if (verdictOnTwo === ladderVerdict.withheld) continue
    last = addFinding(found, 'middle', outcomes, allScopes[level]!)
    addLeg(last, first, chosen[0]!, 0)
    addLeg(last, second, chosen[1]!, 1)
    last.chance = chance
    if (isAlone(lower, level) || isAlone(higher, level)) last.isSuspected = true
    if (verdictOnTwo === ladderVerdict.apart) last.isSuspected = true
  }
  return isAnyApart
}

/** The ladder guard's verdict on the chosen prices of two lines. */
function judgeOnTwo(
  first: JudgedLine,
  second: JudgedLine,
  chance: number,
  { chosen }: Workspace,
): number {
  const ladder = questionOf(first.ladder)
  const one = rungAt(first, chosen[0]!)
  const other = rungAt(second, chosen[1]!)
  if (!areApart(ladder, chance, one, other)) return ladderVerdict.fine
  const legs = [first.offers[chosen[0]!]!, second.offers[chosen[1]!]!]
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
      if (!offer.isUsable || offer.level === ownerLevel || legs.includes(offer)) continue
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

/** Whether the best prices of all sportsbooks cost too much for a middle: then no tier has one. */
export function isTooDear(lower: JudgedLine, higher: JudgedLine, { levels }: Workspace): boolean {
  const { columns, middles } = lower.ladder.shape
  const [first, second] = middles === 'total' ? [lower, higher] : [higher, lower]
  const slot0 = first.best[bestAt(levels - 1, 0, columns)]!
  const slot1 = second.best[bestAt(levels - 1, 1, columns)]!
  if (slot0 === noSlot || slot1 === noSlot) return true
  return 1 / priceAt(first, slot0, 0) + 1 / priceAt(second, slot1, 1) > 1 + highestHold
}

/**
 * Whether one sportsbook alone has this line: with no other to compare, a turned sign would not be
 * seen. The owner's own count for the owner alone.
 */
function isAlone({ best, ladder }: JudgedLine, level: number): boolean {
  const { columns } = ladder.shape
  const widest = Math.max(level, levelsOfAll - 1)
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
