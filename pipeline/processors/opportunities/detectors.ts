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

import type { OpportunityKind } from '../../../schemas/opportunity.ts'
import { highestArbitrageProfit } from '../../rules/arbitrage.ts'
import { devig } from '../../rules/devig.ts'
import { outcomesOf } from '../../rules/outcomes.ts'
import {
  judgeLine,
  type PricedLine,
  verdict,
  type WithheldReason,
  withheldReason,
} from '../../rules/phantom-guard.ts'
import { middleOutlook } from '../../rules/results.ts'
import { isTrading, type Ladder, type Line, type PricedOffer } from './price-lines.ts'

/** Low holds above this are not listed; nor is +EV against a reference market wider than this. */
export const highestHold = 0.1

/** Lines closer than this make no middle: bets on both can be refunded at once. */
export const smallestMiddle = 0.5

export const levels = 3
const allScopes = [1, 2, 4] as const
/** The least tier with arbitrage, and with everything else. */
const firstLevel: Readonly<Record<OpportunityKind, number>> = {
  arbitrage: 0,
  ev: 1,
  low_hold: 1,
  middle: 1,
}

/** What a detector answers. */
export interface Found {
  readonly kind: OpportunityKind
  /** Places of the prices: the line and the index in its `ids`. */
  readonly legs: readonly Leg[]
  /** Odds ids of the sharp book's market, for +EV. */
  readonly reference: readonly number[]
  scopes: number
  readonly isSuspected: boolean
}

export interface Leg {
  readonly line: JudgedLine
  readonly slot: number
  readonly column: number
}

/** A line with what was last found out about its prices. */
export interface JudgedLine extends Line {
  /** By slot, of `verdict`. */
  verdicts: Uint8Array
  /** Slots of the best and the second-best price, by level and column; -1 for none. */
  readonly best: Int16Array
}

export const createJudgedLine = (line: Line): JudgedLine => ({
  ...line,
  verdicts: new Uint8Array(0),
  best: new Int16Array(levels * 2 * line.ladder.shape.columns).fill(noSlot),
})

const noSlot = -1

// Scratch of the one line that is judged.
let scratchPrices = new Float64Array(64 * 3)
let scratchVerdicts = new Uint8Array(64)
let scratchSlots = new Int32Array(64)

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
    const reason = withheldReason(code)
    if (reason && withheldReason(verdicts[slot]!) === null) withheld(reason)
    verdicts[slot] = code
    if (isJudged && !reason) rank(line, slot, outcomes, columns)
  }
  // Each set of sportsbooks has those of the set before.
  for (let level = 1; level < levels; level++) {
    for (let column = 0; column < outcomes; column++) inherit(line, level, column, columns)
  }
}

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
  const quotedBy = new Map<PricedOffer, number>()
  for (const { offers, prices } of lines) {
    for (let slot = 0; slot < offers.length; slot++) {
      const quoted = offers[slot]!
      if (!quoted.isUsable) continue
      let columns = quotedBy.get(quoted) ?? 0
      for (let column = 0; column < 3; column++) {
        if (prices[3 * slot + column]! > 0) columns |= 1 << column
      }
      quotedBy.set(quoted, columns)
    }
  }
  let withDraw = 0
  let withoutDraw = 0
  for (const columns of quotedBy.values()) {
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
export function detectOnLine(line: JudgedLine, found: Found[]) {
  detectSum(line, 'arbitrage', found)
  detectSum(line, 'low_hold', found)
  detectValue(line, found)
}

/** An arbitrage is a hold below 0 that is not too good to be true; a low hold may be one. */
function detectSum(line: JudgedLine, kind: 'arbitrage' | 'low_hold', found: Found[]) {
  const { outcomes } = line.ladder
  let last: Found | undefined
  for (let level = firstLevel[kind]; level < levels; level++) {
    const slots = bestSlots(
      level,
      Array.from({ length: outcomes }, (_, column) => ({ line, column })),
    )
    if (!slots) continue
    let total = 0
    for (let column = 0; column < outcomes; column++) {
      total += 1 / priceAt(line, slots[column]!, column)
    }
    const isTooGood = 1 / total - 1 > highestArbitrageProfit
    const isListed = kind === 'arbitrage' ? total < 1 : total <= 1 + highestHold
    if (!isListed || isTooGood) continue
    if (last?.legs.every((leg, i) => leg.slot === slots[i])) {
      last.scopes |= allScopes[level]!
      continue
    }
    last = {
      kind,
      legs: slots.map((slot, column) => ({ line, slot, column })),
      reference: [],
      scopes: allScopes[level]!,
      isSuspected: slots.some((slot) => line.verdicts[slot] === verdict.suspected),
    }
    found.push(last)
  }
}

interface Side {
  readonly line: JudgedLine
  readonly column: number
}

/**
 * The best price of each side at a level, at two sportsbooks or more: where one sportsbook has the
 * best of all, one side makes do with its second-best, that which costs least.
 */
function bestSlots(level: number, sides: readonly Side[]): number[] | null {
  const slots: number[] = []
  for (const { line, column } of sides) {
    const slot = line.best[bestAt(level, column, line.ladder.shape.columns)]!
    if (slot === noSlot) return null
    slots.push(slot)
  }
  const first = sides[0]!.line.offers[slots[0]!]!
  if (sides.some(({ line }, i) => line.offers[slots[i]!] !== first)) return slots
  let least = Number.POSITIVE_INFINITY
  let instead = -1
  for (let i = 0; i < sides.length; i++) {
    const { line, column } = sides[i]!
    const second = line.best[bestAt(level, column, line.ladder.shape.columns) + 1]!
    if (second === noSlot) continue
    const more = 1 / priceAt(line, second, column) - 1 / priceAt(line, slots[i]!, column)
    if (more < least) {
      least = more
      instead = i
    }
  }
  if (instead < 0) return null
  const { line, column } = sides[instead]!
  slots[instead] = line.best[bestAt(level, column, line.ladder.shape.columns) + 1]!
  return slots
}

export const priceAt = ({ prices, ladder }: Line, slot: number, column: number) =>
  prices[slot * ladder.shape.columns + column]!

const noReference: readonly number[] = []

function detectValue(line: JudgedLine, found: Found[]) {
  const { ladder, offers, verdicts } = line
  const { outcomes } = ladder
  const sharp = sharpestSlot(line)
  if (sharp === noSlot) return
  const sharpPrices = Array.from({ length: outcomes }, (_, column) => priceAt(line, sharp, column))
  const fair = devig(sharpPrices)
  if (!fair || fair.overround > highestHold) return
  let reference = noReference
  for (let slot = 0; slot < offers.length; slot++) {
    if (slot === sharp || !offers[slot]!.isUsable || withheldReason(verdicts[slot]!)) continue
    for (let column = 0; column < outcomes; column++) {
      const price = priceAt(line, slot, column)
      if (!(price * fair.probabilities[column]! > 1)) continue
      if (reference === noReference) {
        const { columns } = ladder.shape
        reference = sharpPrices.map((_, at) => line.ids[sharp * columns + at]!)
      }
      const least = Math.max(firstLevel.ev, offers[slot]!.level)
      found.push({
        kind: 'ev',
        legs: [{ line, slot, column }],
        reference,
        scopes: allScopes.slice(least).reduce((all, bit) => all | bit, 0),
        isSuspected: verdicts[slot] === verdict.suspected || verdicts[sharp] === verdict.suspected,
      })
    }
  }
}

/** The first of the sharp chain with every answer; none when the ladder does not trade. */
function sharpestSlot({ ladder, offers, prices, verdicts }: JudgedLine): number {
  if (!isTrading(ladder)) return noSlot
  const { columns } = ladder.shape
  let sharpest = noSlot
  for (let slot = 0; slot < offers.length; slot++) {
    const { sharpness, isUsable } = offers[slot]!
    if (sharpness < 0 || !isUsable || withheldReason(verdicts[slot]!)) continue
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
  return outlook !== null && outlook.numbers.length > 0
}

/** The open range of results, as home margins or totals, between two lines of one ladder. */
export const middleRange = (kind: 'margin' | 'total', lower: number, higher: number) =>
  kind === 'total' ? { low: lower, high: higher } : { low: 0 - higher, high: 0 - lower }

/** The middle between two lines that can make one: over the lower, or home at the higher. */
export function detectMiddle(lower: JudgedLine, higher: JudgedLine, found: Found[]) {
  // With a draw for an answer, a result on the line loses both bets.
  if (lower.ladder.outcomes !== 2) return
  const isTotal = lower.ladder.shape.middles === 'total'
  const sides: readonly Side[] = isTotal
    ? [
        { line: lower, column: 0 },
        { line: higher, column: 1 },
      ]
    : [
        { line: higher, column: 0 },
        { line: lower, column: 1 },
      ]
  let last: Found | undefined
  for (let level = firstLevel.middle; level < levels; level++) {
    const slots = bestSlots(level, sides)
    if (!slots) continue
    if (last?.legs.every((leg, i) => leg.slot === slots[i])) {
      last.scopes |= allScopes[level]!
      continue
    }
    last = {
      kind: 'middle',
      legs: sides.map(({ line, column }, i) => ({ line, slot: slots[i]!, column })),
      reference: [],
      scopes: allScopes[level]!,
      isSuspected: sides.some(
        ({ line }, i) => line.verdicts[slots[i]!] === verdict.suspected || isAlone(line),
      ),
    }
    found.push(last)
  }
}

/** Whether one sportsbook alone has this line: a sign turned the wrong way would not be seen. */
function isAlone({ best, ladder }: JudgedLine): boolean {
  const { columns } = ladder.shape
  const home = bestAt(levels - 1, 0, columns)
  const away = bestAt(levels - 1, 1, columns)
  const slots = [best[home]!, best[home + 1]!, best[away]!, best[away + 1]!]
  return new Set(slots.filter((slot) => slot !== noSlot)).size < 2
}
