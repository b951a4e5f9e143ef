/**
 * What the prices on a line, or on two, come to: arbitrage, low hold and +EV on one, middles between
 * two. Each answer says which prices it takes and who sees it; figures are computed where they are
 * shown, by the same rules.
 *
 * All sets of sportsbooks are served in one pass: each set holds the one before, so the best price
 * of a set is that of the set before or of a sportsbook it adds, and where both sets come to the same
 * prices it is one opportunity. The phantom guard and the question how many ways a market has look at
 * every sportsbook, whoever asks: like the sharp reference they are ours, and no row of theirs shows.
 */

import { type OpportunityKind, scopeBit } from '../../../schemas/opportunity.ts'
import { highestArbitrageProfit } from '../../rules/arbitrage.ts'
import { devig } from '../../rules/devig.ts'
import {
  createPhantomGuard,
  type PricedLine,
  verdict,
  type WithheldReason,
  withheldReason,
} from '../../rules/phantom-guard.ts'
import { outcomesOf } from '../../rules/questions.ts'
import { middleOutlook } from '../../rules/results.ts'
import { expectedValue, isValue } from '../../rules/value.ts'
import { isTrading, type Ladder, type Line } from './price-lines.ts'

/**
 * What prices taken together may cost: a low hold or a middle that costs more is not listed, nor is
 * +EV against a reference market that does. Far apart on one ladder any two lines would make a middle,
 * at the price of both.
 */
export const highestHold = 0.1

/** Lines closer than this make no middle: bets on both can be refunded at once. */
const smallestMiddle = 0.5

const levels = 3
const allScopes = [scopeBit.hobby, scopeBit.pro, scopeBit.all] as const
/** The least tier with arbitrage, and with everything else. */
const firstLevel: Readonly<Record<OpportunityKind, number>> = {
  arbitrage: 0,
  ev: 1,
  low_hold: 1,
  middle: 1,
}

/**
 * What detectors answer, used again for the next: nearly always it says what was found before, and
 * a million prices a minute leave nothing behind for the garbage collector.
 */
export interface Findings {
  /** Those before it count. */
  length: number
  readonly of: Finding[]
}

export interface Finding {
  kind: OpportunityKind
  /** How many of the members by leg count. */
  legs: number
  readonly ids: number[]
  readonly lines: JudgedLine[]
  readonly slots: number[]
  readonly columns: number[]
  /** The slot of the sharp book, for +EV; else -1. */
  sharp: number
  scopes: number
  isSuspected: boolean
}

export const createFindings = (): Findings => ({ length: 0, of: [] })

function addFinding(to: Findings, kind: OpportunityKind, scopes: number): Finding {
  const known = to.of[to.length]
  const finding = known ?? {
    kind,
    legs: 0,
    ids: [],
    lines: [],
    slots: [],
    columns: [],
    sharp: noSlot,
    scopes,
    isSuspected: false,
  }
  if (!known) to.of.push(finding)
  to.length++
  finding.kind = kind
  finding.legs = 0
  finding.sharp = noSlot
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

/** A line with what was last found out about its prices. */
export interface JudgedLine extends Line {
  /** By slot, of `verdict`. */
  verdicts: Uint8Array
  /** Slots of the best and the second-best price, by level and column; -1 for none. */
  readonly best: Int16Array
}

/** The spread comes last, so that all lines are of one shape to the engine (see `board-view.ts`). */
export const createJudgedLine = (line: Line): JudgedLine => ({
  verdicts: new Uint8Array(0),
  best: new Int16Array(levels * 2 * line.ladder.shape.columns).fill(noSlot),
  ...line,
})

const noSlot = -1

// Scratch of the one line that is judged.
const judgeLine = createPhantomGuard()
let scratchPrices = new Float64Array(64 * 3)
let scratchVerdicts = new Uint8Array(64)
let scratchSlots = new Int32Array(64)
/** The slots of one set of best prices. */
const chosen = new Int32Array(3)

/**
 * Brings `verdicts` and `best` of the line up to date with its prices.
 * @param withheld called once for each sportsbook that is now withheld and was not before
 */
export function judge(line: JudgedLine, withheld: (reason: WithheldReason) => void) {
  const { ladder, offers, prices } = line
  const { outcomes } = ladder
  const { columns } = ladder.shape
  line.best.fill(noSlot)
  if (offers.length > scratchSlots.length) {
    scratchPrices = new Float64Array(2 * 3 * offers.length)
    scratchVerdicts = new Uint8Array(2 * offers.length)
    scratchSlots = new Int32Array(2 * offers.length)
  }
  let books = 0
  if (isTrading(ladder)) {
    for (let slot = 0; slot < offers.length; slot++) {
      if (!offers[slot]!.isUsable) continue
      let isQuoted = false
      for (let column = 0; column < outcomes; column++) {
        const price = prices[slot * columns + column]!
        scratchPrices[books * outcomes + column] = price
        if (price > 0) isQuoted = true
      }
      if (isQuoted) scratchSlots[books++] = slot
    }
  }
  if (books > 0) {
    const priced: PricedLine = { outcomes, books, prices: scratchPrices, isLive: ladder.isLive }
    judgeLine(priced, scratchVerdicts)
  }
  if (line.verdicts.length < offers.length) {
    const longer = new Uint8Array(2 * offers.length)
    longer.set(line.verdicts)
    line.verdicts = longer
  }
  const { verdicts } = line
  let book = 0
  for (let slot = 0; slot < offers.length; slot++) {
    const isJudged = book < books && scratchSlots[book] === slot
    const code = isJudged ? scratchVerdicts[book++]! : verdict.fine
    const known = verdicts[slot]!
    if (code !== known) {
      if (isWithheld(code) && !isWithheld(known)) withheld(withheldReason(code)!)
      verdicts[slot] = code
    }
    if (isJudged && !isWithheld(code)) rank(line, slot, outcomes, columns)
  }
  // Each set of sportsbooks has those of the set before.
  for (let level = 1; level < levels; level++) {
    for (let column = 0; column < outcomes; column++) inherit(line, level, column, columns)
  }
}

const isWithheld = (code: number) => code >= verdict.farFromConsensus

const bestAt = (level: number, column: number, columns: number) => 2 * (level * columns + column)

/** Takes the prices of one sportsbook into the best of its own level. */
function rank(line: JudgedLine, slot: number, outcomes: number, columns: number) {
  const { level } = line.offers[slot]!
  for (let column = 0; column < outcomes; column++) {
    if (line.prices[slot * columns + column]! > 0) offer(line, level, column, columns, slot)
  }
}

function inherit(line: JudgedLine, level: number, column: number, columns: number) {
  const from = bestAt(level - 1, column, columns)
  for (let place = from; place < from + 2; place++) {
    const slot = line.best[place]!
    if (slot !== noSlot) offer(line, level, column, columns, slot)
  }
}

/** Puts a slot where it belongs among the best two. */
function offer(line: JudgedLine, level: number, column: number, columns: number, slot: number) {
  const { best } = line
  const at = bestAt(level, column, columns)
  if (best[at] === noSlot || isBetter(line, column, columns, slot, best[at]!)) {
    best[at + 1] = best[at]!
    best[at] = slot
  } else if (best[at + 1] === noSlot || isBetter(line, column, columns, slot, best[at + 1]!)) {
    best[at + 1] = slot
  }
}

/** Of equal prices the sportsbook that comes first by name. */
function isBetter(line: JudgedLine, column: number, columns: number, slot: number, other: number) {
  const price = line.prices[slot * columns + column]!
  const otherPrice = line.prices[other * columns + column]!
  if (price !== otherPrice) return price > otherPrice
  return line.offers[slot]!.sportsbook < line.offers[other]!.sportsbook
}

/**
 * Settles whether the draw is an answer, by the sportsbooks with both sides on the market.
 * @returns true when that has changed
 */
export function countWays(ladder: Ladder): boolean {
  const { event, marketType, lines } = ladder
  if (ladder.draws === 0 && ladder.outcomes === 2) return false
  for (const quoted of event.offers.values()) quoted.columns = 0
  for (const { offers, prices } of lines) {
    for (let slot = 0; slot < offers.length; slot++) {
      for (let column = 0; column < 3; column++) {
        if (prices[3 * slot + column]! > 0) offers[slot]!.columns |= 1 << column
      }
    }
  }
  let withDraw = 0
  let withoutDraw = 0
  for (const { isUsable, columns } of event.offers.values()) {
    if (!isUsable) continue
    if (columns === bothSides + draw) withDraw++
    else if (columns === bothSides) withoutDraw++
  }
  const sets = outcomesOf(marketType, event.row?.sport ?? '', { withDraw, withoutDraw })
  const outcomes = sets?.[0]?.length ?? ladder.outcomes
  if (outcomes === ladder.outcomes) return false
  ladder.outcomes = outcomes
  return true
}

const bothSides = 0b011
const draw = 0b100

// ---- one line

/** Everything on one line, into `found`. */
export function detectOnLine(line: JudgedLine, found: Findings) {
  found.length = 0
  detectSums(line, found)
  detectValue(line, found)
}

/** An arbitrage is a hold below 0 that is not too good to be true; a low hold may be one. */
function detectSums(line: JudgedLine, found: Findings) {
  const { outcomes } = line.ladder
  let arbitrage: Finding | undefined
  let lowHold: Finding | undefined
  for (let level = 0; level < levels; level++) {
    if (!chooseOnLine(line, level)) continue
    let total = 0
    for (let column = 0; column < outcomes; column++) {
      total += 1 / priceAt(line, chosen[column]!, column)
    }
    if (1 / total - 1 > highestArbitrageProfit || total > 1 + highestHold) continue
    if (total < 1) arbitrage = addSum(line, 'arbitrage', level, arbitrage, found)
    lowHold = addSum(line, 'low_hold', level, lowHold, found)
  }
}

function addSum(
  line: JudgedLine,
  kind: 'arbitrage' | 'low_hold',
  level: number,
  last: Finding | undefined,
  found: Findings,
): Finding | undefined {
  if (level < firstLevel[kind]) return last
  if (last && isChosen(last)) {
    last.scopes |= allScopes[level]!
    return last
  }
  const finding = addFinding(found, kind, allScopes[level]!)
  const { outcomes } = line.ladder
  for (let column = 0; column < outcomes; column++) addLeg(finding, line, chosen[column]!, column)
  return finding
}

/** Whether a finding takes the chosen slots; its lines and columns are the same. */
function isChosen({ slots, legs }: Finding): boolean {
  for (let leg = 0; leg < legs; leg++) if (slots[leg] !== chosen[leg]) return false
  return true
}

/**
 * Chooses the best price of each answer at a level, at two sportsbooks or more: where one has the
 * best of all, one answer makes do with its second-best, that which costs least.
 */
function chooseOnLine(line: JudgedLine, level: number): boolean {
  const { best, ladder } = line
  const { outcomes } = ladder
  const { columns } = ladder.shape
  let isOne = true
  for (let column = 0; column < outcomes; column++) {
    const slot = best[bestAt(level, column, columns)]!
    if (slot === noSlot) return false
    chosen[column] = slot
    if (slot !== chosen[0]) isOne = false
  }
  if (!isOne) return true
  let least = Number.POSITIVE_INFINITY
  let instead = -1
  for (let column = 0; column < outcomes; column++) {
    const more = costOfSecond(line, level, column)
    if (more < least) {
      least = more
      instead = column
    }
  }
  if (instead < 0) return false
  chosen[instead] = best[bestAt(level, instead, columns) + 1]!
  return true
}

/** How much more the second-best price of an answer costs; infinitely much where there is none. */
function costOfSecond(line: JudgedLine, level: number, column: number): number {
  const at = bestAt(level, column, line.ladder.shape.columns)
  const second = line.best[at + 1]!
  if (second === noSlot) return Number.POSITIVE_INFINITY
  return 1 / priceAt(line, second, column) - 1 / priceAt(line, line.best[at]!, column)
}

const priceAt = ({ prices, ladder }: Line, slot: number, column: number) =>
  prices[slot * ladder.shape.columns + column]!

const sharpPrices: number[] = []

function detectValue(line: JudgedLine, found: Findings) {
  const { ladder, offers, verdicts } = line
  const { outcomes } = ladder
  const sharp = sharpestSlot(line)
  if (sharp === noSlot) return
  sharpPrices.length = outcomes
  for (let column = 0; column < outcomes; column++) {
    sharpPrices[column] = priceAt(line, sharp, column)
  }
  const fair = devig(sharpPrices)
  if (!fair || fair.overround > highestHold) return
  for (let slot = 0; slot < offers.length; slot++) {
    if (slot === sharp || !offers[slot]!.isUsable || isWithheld(verdicts[slot]!)) continue
    for (let column = 0; column < outcomes; column++) {
      const ev = expectedValue(fair.probabilities[column]!, priceAt(line, slot, column))
      if (!isValue(ev)) continue
      const least = Math.max(firstLevel.ev, offers[slot]!.level)
      const finding = addFinding(found, 'ev', scopesFrom[least]!)
      addLeg(finding, line, slot, column)
      finding.sharp = sharp
      if (verdicts[sharp] === verdict.suspected) finding.isSuspected = true
    }
  }
}

/** The bits of a level and those above it. */
const scopesFrom = [7, 6, 4] as const

/** The first of the sharp chain with every answer; none when the ladder does not trade. */
function sharpestSlot({ ladder, offers, prices, verdicts }: JudgedLine): number {
  if (!isTrading(ladder)) return noSlot
  const { columns } = ladder.shape
  let sharpest = noSlot
  for (let slot = 0; slot < offers.length; slot++) {
    const { sharpness, isUsable } = offers[slot]!
    if (sharpness < 0 || !isUsable || isWithheld(verdicts[slot]!)) continue
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

/** Whether bets on these two lines of one market can both win. */
export function makeMiddle(lower: Line, higher: Line): boolean {
  const { event, marketType, shape } = lower.ladder
  if (shape.middles === null || lower.line === null || higher.line === null) return false
  if (lower.group !== higher.group || higher.line - lower.line < smallestMiddle) return false
  const { low, high } = middleRange(shape.middles, lower.line, higher.line)
  const sport = event.row?.sport
  if (sport === undefined) return false
  const outlook = middleOutlook({ marketType, sport, low, high })
  return outlook !== null && outlook.numbers.length > 0 && outlook.probability <= likeliestMiddle
}

/**
 * Two bets that together cost about one do not both win more often than not: one of the lines is
 * wrong, or of another question.
 */
const likeliestMiddle = 0.5

/** The open range of results, as home margins or totals, between two lines of one ladder. */
const middleRange = (kind: 'margin' | 'total', lower: number, higher: number) =>
  kind === 'total' ? { low: lower, high: higher } : { low: 0 - higher, high: 0 - lower }

/** The middle between two lines that can make one: over the lower, or home at the higher. */
export function detectMiddle(lower: JudgedLine, higher: JudgedLine, found: Findings) {
  found.length = 0
  const { outcomes, shape } = lower.ladder
  // With a draw for an answer, a result on the line loses both bets.
  if (outcomes !== 2) return
  const [first, second] = shape.middles === 'total' ? [lower, higher] : [higher, lower]
  let last: Finding | undefined
  for (let level = firstLevel.middle; level < levels; level++) {
    if (!chooseOnTwo(first, second, level)) continue
    const total = 1 / priceAt(first, chosen[0]!, 0) + 1 / priceAt(second, chosen[1]!, 1)
    if (total > 1 + highestHold) continue
    if (last && isChosen(last)) {
      last.scopes |= allScopes[level]!
      continue
    }
    last = addFinding(found, 'middle', allScopes[level]!)
    addLeg(last, first, chosen[0]!, 0)
    addLeg(last, second, chosen[1]!, 1)
    if (isAlone(lower) || isAlone(higher)) last.isSuspected = true
  }
}

/** As `chooseOnLine`: the first answer of the first line, the second of the second. */
function chooseOnTwo(first: JudgedLine, second: JudgedLine, level: number): boolean {
  const { columns } = first.ladder.shape
  const at0 = bestAt(level, 0, columns)
  const at1 = bestAt(level, 1, columns)
  const slot0 = first.best[at0]!
  const slot1 = second.best[at1]!
  if (slot0 === noSlot || slot1 === noSlot) return false
  chosen[0] = slot0
  chosen[1] = slot1
  if (first.offers[slot0] !== second.offers[slot1]) return true
  const more0 = costOfSecond(first, level, 0)
  const more1 = costOfSecond(second, level, 1)
  if (more0 === Number.POSITIVE_INFINITY && more1 === more0) return false
  if (more0 <= more1) chosen[0] = first.best[at0 + 1]!
  else chosen[1] = second.best[at1 + 1]!
  return true
}

/** Whether the best prices of all sportsbooks cost too much for a middle: then it is nobody's. */
export function isTooDear(lower: JudgedLine, higher: JudgedLine): boolean {
  const { columns, middles } = lower.ladder.shape
  const [first, second] = middles === 'total' ? [lower, higher] : [higher, lower]
  const slot0 = first.best[bestAt(levels - 1, 0, columns)]!
  const slot1 = second.best[bestAt(levels - 1, 1, columns)]!
  if (slot0 === noSlot || slot1 === noSlot) return true
  return 1 / priceAt(first, slot0, 0) + 1 / priceAt(second, slot1, 1) > 1 + highestHold
}

/** Whether one sportsbook alone has this line: a sign turned the wrong way would not be seen. */
function isAlone({ best, ladder }: JudgedLine): boolean {
  const { columns } = ladder.shape
  let only = noSlot
  for (let column = 0; column < 2; column++) {
    const at = bestAt(levels - 1, column, columns)
    for (let place = at; place < at + 2; place++) {
      const slot = best[place]!
      if (slot === noSlot || slot === only) continue
      if (only !== noSlot) return false
      only = slot
    }
  }
  return true
}
