/**
 * An opportunity from when it is detected until it is gone: what it is worth by the prices it takes,
 * what it was worth at its best, and the record that remains of it.
 */

import {
  type LegPrices,
  type LifeLeg,
  type OpportunityKind,
  type OpportunityLife,
  type OpportunityRow,
  opportunityId,
  type Peak,
} from '../../../schemas/opportunity.ts'
import { impliedTotal } from '../../rules/arbitrage.ts'
import { worthAt } from '../../rules/opportunity-figures.ts'
import { type JudgedLine, noSlot, priceAt } from './best-prices.ts'
import { type Finding, outlookBetween } from './detectors.ts'
import { ownLine } from './market-shape.ts'
import type { Ladder } from './price-lines.ts'

/**
 * A row moves when an opportunity is worth more than at its best by this much. Smaller steps write
 * many more rows; what is lost of a peak is less than this.
 */
export const peakStep = 0.002

/** Two ways to work out one figure may differ by less than this. */
const rounding = 1e-9

/** An opportunity that has a row. */
export interface Listed {
  readonly id: string
  readonly kind: OpportunityKind
  row: OpportunityRow
  readonly ladder: Ladder
  readonly legs: readonly LifeLeg[]
  sharpBook: string | null
  /** Of +EV, which of the sharp book's answers is bet on; else -1. */
  readonly answer: number
  readonly sport: string
  /** Its worth is at most this over the implied total of its prices, less one. */
  readonly most: number
  /** What the peak in its row is worth; NaN until it is needed. */
  bestWorth: number
  /** As it was looked at last; see `LegPrices`. */
  readonly prices: number[]
  readonly against: number[]
}

/**
 * @param at when it is detected (epoch ms)
 * @param beforeOf the row of before a restart, by id, while it has not been found again
 */
export function createListed(
  of: Finding,
  at: number,
  beforeOf: (id: string) => OpportunityRow | undefined,
): Listed {
  const { kind, scopes, isSuspected } = of
  const { ladder } = of.lines[0]!
  const { event, marketType, playerName, isLive } = ladder
  const { id: eventId } = event
  const legs = Array.from({ length: of.legs }, (_, leg) => legOf(of, leg))
  const [first, second] = legs
  const id = opportunityId({
    kind,
    eventId,
    marketType,
    playerName,
    isLive,
    line: isOnTwoLines(of) ? `${first!.line}/${second!.line}` : first!.line,
    legs: legs.map(({ sportsbook, selectionType }) => [sportsbook, selectionType] as const),
  })
  const before = beforeOf(id)
  const listed: Listed = {
    id,
    kind,
    row: noRow,
    ladder,
    legs,
    sharpBook: sharpBookOf(of),
    answer: of.sharp === noSlot ? -1 : of.columns[0]!,
    sport: event.row!.sport,
    most: mostOf(of),
    bestWorth: Number.NaN,
    prices: zeros[of.legs]!.slice(),
    against: zeros[againstCount(of)]!.slice(),
  }
  reprice(listed, of)
  // A row written before prices were kept has none: they count from here on.
  const told = before && before.detected.prices.length > 0 ? before : null
  listed.row = createRow({
    id,
    kind,
    eventId,
    league: event.row!.league,
    legs: of.ids.slice(0, of.legs),
    reference: referenceOf(of),
    scopes,
    isSuspected,
    detectedAt: before?.detectedAt ?? at,
    detected: told ? told.detected : pricesNow(listed),
    peak: told ? told.peak : null,
  })
  return listed
}

/** Every row is made here, so that all are of one shape to the engine. */
export const createRow = (of: OpportunityRow): OpportunityRow => ({
  id: of.id,
  kind: of.kind,
  eventId: of.eventId,
  league: of.league,
  legs: of.legs,
  reference: of.reference,
  scopes: of.scopes,
  isSuspected: of.isSuspected,
  detectedAt: of.detectedAt,
  detected: of.detected,
  peak: of.peak,
})

/** Stands in until the row is made. */
const noRow = createRow({
  id: '',
  kind: 'ev',
  eventId: '',
  league: '',
  legs: [],
  reference: [],
  scopes: 0,
  isSuspected: false,
  detectedAt: 0,
  detected: { prices: [], against: [] },
  peak: null,
})

/** Lists of so many prices; a copy takes no more room than it needs. */
const zeros = [[], [0.5], [0.5, 0.5], [0.5, 0.5, 0.5]] as const

/** When it was looked at last. */
const pricesNow = ({ prices, against }: Listed): LegPrices => ({
  prices: prices.slice(),
  against: against.slice(),
})

/** A fraction, see `worthOf`. */
function worthBy({ kind, ladder, sport, legs, answer }: Listed, { prices, against }: LegPrices) {
  const { marketType } = ladder
  const lines = legs.map(({ line }) => line)
  // Null for prices of before a restart that make nothing any more.
  return worthAt(kind, { marketType, sport, lines, prices, against, answer }) ?? 0
}

/**
 * How many of the bets win on average, at most: exactly one where there is a price for every answer; of
 * a middle both as often as the model says; of a single bet one.
 */
function mostOf(of: Finding): number {
  if (!isOnTwoLines(of)) return 1
  const first = of.lines[0]!
  const second = of.lines[1]!
  const isUpwards = (first.line ?? 0) < (second.line ?? 0)
  const outlook = isUpwards ? outlookBetween(first, second) : outlookBetween(second, first)
  return 1 + (outlook?.probability ?? 1)
}

/** Brings its prices up to date. @returns whether one of them has moved */
export function reprice(listed: Listed, of: Finding): boolean {
  const { prices, against } = listed
  const { lines, slots, columns, legs, sharp } = of
  let hasMoved = false
  for (let leg = 0; leg < legs; leg++) {
    const price = priceAt(lines[leg]!, slots[leg]!, columns[leg]!)
    if (prices[leg] === price) continue
    prices[leg] = price
    hasMoved = true
  }
  const count = againstCount(of)
  if (against.length !== count) {
    // Whether the draw is an answer has changed.
    against.length = count
    hasMoved = true
  }
  for (let at = 0; at < count; at++) {
    const price =
      sharp === noSlot
        ? otherSide(lines[at]!, slots[at]!, columns[at]!)
        : priceAt(lines[0]!, sharp, at)
    if (against[at] === price) continue
    against[at] = price
    hasMoved = true
  }
  return hasMoved
}

/** What the same sportsbook gives for the opposite answer; 0 for none. */
const otherSide = (line: JudgedLine, slot: number, column: number) =>
  line.ladder.shape.columns === 2 ? priceAt(line, slot, 1 - column) : 0

/** See `PricesTaken`. */
function againstCount(of: Finding): number {
  if (of.sharp !== noSlot) return of.outcomes
  return isOnTwoLines(of) ? of.legs : 0
}

/** Whether it bets between two lines. */
export const isOnTwoLines = ({ legs, lines }: Finding) => legs === 2 && lines[0] !== lines[1]

/** Takes note where it is worth more than at its best, by a step that counts. @returns whether it is */
export function notePeak(listed: Listed, at: number): boolean {
  const { row, most, prices } = listed
  const best = row.peak ?? row.detected
  if (Number.isNaN(listed.bestWorth)) listed.bestWorth = worthBy(listed, best)
  const least = listed.bestWorth + peakStep
  // Nearly every move of a price ends here, before its worth is worked out.
  if (most / impliedTotal(prices) - 1 < least - rounding) return false
  const worth = worthBy(listed, listed)
  if (worth < least) return false
  const peak: Peak = { at, ...pricesNow(listed) }
  listed.bestWorth = worth
  listed.row = createRow({ ...row, peak })
  return true
}

/** The same bet by other odds ids: a sportsbook words an answer in another way. */
export function continueLife(listed: Listed, { row: before }: Listed, at: number) {
  const { detectedAt, detected, peak } = before
  listed.row = createRow({ ...listed.row, detectedAt, detected, peak })
  listed.bestWorth = Number.NaN
  notePeak(listed, at)
}

/** The names of a leg. */
function legOf({ lines, slots, columns, ids }: Finding, leg: number): LifeLeg {
  const { ladder, group, line, offers } = lines[leg]!
  const column = columns[leg]!
  return {
    oddsId: ids[leg]!,
    sportsbook: offers[slots[leg]!]!.sportsbook,
    selectionType: ladder.shape.types[group]![column]!,
    line: ownLine(ladder.shape, column, line),
  }
}

export const sharpBookOf = ({ sharp, lines }: Finding) =>
  sharp === noSlot ? null : lines[0]!.offers[sharp]!.sportsbook

/** What remains of it. @param at when it is gone (epoch ms); after a restart clocks may go back */
export function lifeOf(listed: Listed, at: number): OpportunityLife {
  const { row, ladder, legs, sharpBook } = listed
  const { id, kind, eventId, league, scopes, isSuspected, detectedAt, detected, peak } = row
  const { marketType, playerName, isLive } = ladder
  return {
    id,
    kind,
    eventId,
    league,
    marketType,
    playerName,
    isLive,
    legs,
    sharpBook,
    scopes,
    isSuspected,
    detectedAt,
    detected,
    peak,
    goneAt: Math.max(at, peak?.at ?? detectedAt),
    last: pricesNow(listed),
  }
}

/** Odds ids of the sharp book's answers that a price is measured against. */
export function referenceOf({ sharp, lines, outcomes }: Finding): number[] {
  if (sharp < 0) return []
  const { ids, ladder } = lines[0]!
  const from = sharp * ladder.shape.columns
  return Array.from(ids.subarray(from, from + outcomes))
}
