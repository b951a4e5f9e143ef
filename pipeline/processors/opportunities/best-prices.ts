/**
 * The best prices of a line, for each set of sportsbooks, and the prices chosen together.
 *
 * All sets of sportsbooks are handled in one pass: each set includes the one before, so its best
 * price is that of the set before or of a sportsbook it adds. In every tier, the phantom guard uses
 * all sportsbooks, like the sharp reference; but no tier is shown prices of a sportsbook it does
 * not see. Sportsbooks that only the owner sees do not affect the others: they are judged by the
 * others, and the others without them. A reference is not judged and never has a best price.
 *
 * A line that does not trade has no best prices, but its prices are judged, because they stay on
 * the board. The same goes for prices that were not seen for a while, or whose sources are down.
 * They are judged beside all prices, but do not affect prices that may be bet on.
 */

import type { FairMeasure } from '../../../schemas/fair-measure.ts'
import { ownerVisibility } from '../../../schemas/opportunity.ts'
import type { GuardReason } from '../../../schemas/withheld-price.ts'
import type { PricedLine } from '../../rules/odds/line-consensus.ts'
import { createOutcomeGuard } from '../../rules/odds/outcome-guard.ts'
import { createPhantomGuard, verdict, withheldReason } from '../../rules/odds/phantom-guard.ts'
import { isCompared, isJudged, type Judged, type Line, type PricedOffer } from './lines.ts'
import { noBooks, turnedBooks } from './turned-lines.ts'

/**
 * The most sets of sportsbooks (`visibilityBit`), and their number while no sportsbook is for the
 * owner alone.
 */
export const mostVisibilities = 4
export const visibilitiesOfAll = 3
export const noSlot = -1

/** The sets that accounts choose (`book-sets.ts`) come after those of the tiers; this is the first. */
export const firstChosenVisibility = mostVisibilities

/** A line with the last verdicts and best prices. */
export interface JudgedLine extends Line {
  /** Codes of `verdict`, by slot. */
  verdicts: Uint8Array
  /** The number of verdicts that withhold. */
  withheld: number
  /** Slots of the best and the second-best price, by visibility and column; -1 for none. */
  readonly best: Int16Array
}

/**
 * The spread comes last, so that all lines have one shape in the engine (see `board-view.ts`).
 * @param visibilities how many sets it has room for
 */
export const createJudgedLine = <L extends Line>(
  line: L,
  visibilities = mostVisibilities,
): JudgedLine & L => ({
  verdicts: new Uint8Array(0),
  withheld: 0,
  best: new Int16Array(visibilities * 2 * line.ladder.shape.columns).fill(noSlot),
  ...line,
})

/** Working memory for one line at a time; the owner of the lines has it. */
export interface Workspace {
  /** The first of the sets that are examined. */
  first: number
  /** The end of those sets, exclusive. `levelsOfAll` sets of the tiers differ, or `mostLevels`. */
  visibilities: number
  /** For a chosen set: the tiers' set whose sportsbooks decide whether one is alone on a line. */
  widest: number
  readonly judgeLine: ReturnType<typeof createPhantomGuard>
  readonly judgeOutcome: ReturnType<typeof createOutcomeGuard>
  /** Prices by judged sportsbook, then outcome. */
  prices: Float64Array
  verdicts: Uint8Array
  slots: Int32Array
  /** The slots of one set of best prices, by outcome. */
  readonly chosen: Int32Array
  /** The sharp book's prices, by outcome. */
  readonly sharp: number[]
  /** The method of making a fair price from these; null for the power method. */
  readonly measure: FairMeasure | null
}

const roomFor = (books: number) => ({
  prices: new Float64Array(3 * books),
  verdicts: new Uint8Array(books),
  slots: new Int32Array(books),
})

export const createWorkspace = (measure: FairMeasure | null = null): Workspace => ({
  first: 0,
  visibilities: visibilitiesOfAll,
  widest: visibilitiesOfAll - 1,
  judgeLine: createPhantomGuard(),
  judgeOutcome: createOutcomeGuard(),
  ...roomFor(64),
  chosen: new Int32Array(3),
  sharp: [],
  measure,
})

/**
 * Updates `verdicts` and `best` of the line from its prices.
 * @param withheld called once for each sportsbook that is withheld now and was not before
 */
export function judge(line: JudgedLine, room: Workspace, withheld: (reason: GuardReason) => void) {
  const { offers } = line
  const { columns } = line.ladder.shape
  if (line.verdicts.length < offers.length) {
    const longer = new Uint8Array(2 * offers.length)
    longer.set(line.verdicts)
    line.verdicts = longer
  }
  line.best.fill(noSlot)
  line.withheld = 0
  judgeOffers(line, room, ownerVisibility - 1, 'usable', withheld)
  const isAnyUnusable = hasUnusable(offers)
  if (isAnyUnusable) judgeOffers(line, room, ownerVisibility - 1, 'all', withheld)
  if (room.visibilities === mostVisibilities && hasOwners(offers)) {
    judgeOffers(line, room, ownerVisibility, 'usable', withheld)
    if (isAnyUnusable) judgeOffers(line, room, ownerVisibility, 'all', withheld)
  }
  // Each set of sportsbooks includes the set before.
  for (let visibility = 1; visibility < room.visibilities; visibility++) {
    for (let column = 0; column < columns; column++) inherit(line, visibility, column, columns)
  }
}

/**
 * Updates the verdicts and best prices of some of the line's sportsbooks, judged beside all up to a
 * visibility. If that is the owner's visibility, they are those that only the owner sees; else the
 * others. If all prices are judged, they are those that may not be bet on now; else the others.
 */
function judgeOffers(
  line: JudgedLine,
  room: Workspace,
  highest: number,
  judged: Judged,
  withheld: (reason: GuardReason) => void,
) {
  const { ladder, offers, verdicts } = line
  const isRanked = isCompared(ladder)
  const books = judgeBooks(line, room, highest, judged)
  let book = 0
  for (let slot = 0; slot < offers.length; slot++) {
    const isQuoted = book < books && room.slots[book] === slot
    const code = isQuoted ? room.verdicts[book++]! : verdict.fine
    const { visibility, isUsable } = offers[slot]!
    if ((visibility === ownerVisibility) !== (highest === ownerVisibility)) continue
    if (isUsable !== (judged === 'usable')) continue
    const known = verdicts[slot]!
    if (code !== known) {
      if (isWithheld(code) && !isWithheld(known)) withheld(withheldReason(code)!)
      verdicts[slot] = code
    }
    if (isWithheld(code)) line.withheld++
    else if (isQuoted && isUsable && isRanked) rank(line, slot, ladder.shape.columns)
  }
}

function hasUnusable(offers: readonly PricedOffer[]): boolean {
  for (let slot = 0; slot < offers.length; slot++) if (!offers[slot]!.isUsable) return true
  return false
}

function hasOwners(offers: readonly PricedOffer[]): boolean {
  for (let slot = 0; slot < offers.length; slot++) {
    if (offers[slot]!.visibility === ownerVisibility) return true
  }
  return false
}

/**
 * Returns the slots that the guard withholds, with the reasons, if all prices count, however long
 * ago they were seen. Does not change the line.
 */
export function withheldSlots(line: JudgedLine, room: Workspace): ReadonlyMap<number, GuardReason> {
  const withheld = new Map<number, GuardReason>()
  for (const highest of [ownerVisibility - 1, ownerVisibility]) {
    const isOwners = highest === ownerVisibility
    if (isOwners && !hasOwners(line.offers)) continue
    const books = judgeBooks(line, room, highest, 'all')
    for (let book = 0; book < books; book++) {
      const slot = room.slots[book]!
      const isOfThese = (line.offers[slot]!.visibility === ownerVisibility) === isOwners
      const reason = isOfThese ? withheldReason(room.verdicts[book]!) : null
      if (reason !== null) withheld.set(slot, reason)
    }
  }
  return withheld
}

/** Judges the prices of the sportsbooks up to a visibility. @returns how many there are */
function judgeBooks(line: JudgedLine, room: Workspace, highest: number, judged: Judged): number {
  const { length } = line.offers
  if (length > room.slots.length) Object.assign(room, roomFor(2 * length))
  const books = gather(line, room, highest, judged)
  if (books > 0) {
    const { shape, isLive, isComparable } = line.ladder
    if (shape.columns === 1) {
      if (isComparable) judgeOutcome(room, books, isLive)
      else room.verdicts.fill(verdict.fine, 0, books)
      return books
    }
    const turned = isComparable ? turnedBooks(line, room.slots, books, highest, judged) : noBooks
    const kept = turned.length === 0 ? books : leaveOut(turned, books, shape.columns, room.prices)
    const priced: PricedLine = {
      outcomes: shape.columns,
      books: kept,
      prices: room.prices,
      isLive,
      isComparable,
    }
    if (kept > 0) room.judgeLine(priced, room.verdicts)
    if (kept < books) markTurned(turned, books, room.verdicts)
  }
  return books
}

/** Removes the prices of some sportsbooks. @returns how many are left */
function leaveOut(
  left: readonly number[],
  books: number,
  columns: number,
  prices: Float64Array,
): number {
  let kept = 0
  for (let book = 0; book < books; book++) {
    if (left.includes(book)) continue
    prices.copyWithin(kept * columns, book * columns, (book + 1) * columns)
    kept++
  }
  return kept
}

/**
 * Inserts the verdicts on sportsbooks with a wrong sign, and moves those on the others to their
 * places.
 */
function markTurned(turned: readonly number[], books: number, verdicts: Uint8Array) {
  let kept = books - turned.length
  for (let book = books - 1; book >= 0; book--) {
    verdicts[book] = turned.includes(book) ? verdict.swapped : verdicts[--kept]!
  }
}

/** Judges the only outcome of a line, which has no complete set. */
function judgeOutcome(
  { judgeOutcome, prices, verdicts }: Workspace,
  books: number,
  isLive: boolean,
) {
  if (!judgeOutcome(prices, books, isLive, verdicts)) return
  for (let book = 0; book < books; book++) verdicts[book]! *= verdict.farFromConsensus
}

/** Copies the judged prices of the line into the workspace. @returns the number of sportsbooks */
function gather(
  { ladder, offers, prices }: JudgedLine,
  room: Workspace,
  highest: number,
  judged: Judged,
): number {
  const { columns } = ladder.shape
  let books = 0
  if (ladder.event.row === null) return books
  for (let slot = 0; slot < offers.length; slot++) {
    const offer = offers[slot]!
    if (!isJudged(offer, judged) || offer.visibility > highest) continue
    let isQuoted = false
    for (let column = 0; column < columns; column++) {
      const price = prices[slot * columns + column]!
      room.prices[books * columns + column] = price
      if (price > 0) isQuoted = true
    }
    if (isQuoted) room.slots[books++] = slot
  }
  return books
}

export const isWithheld = (code: number) => code >= verdict.farFromConsensus

/** Returns the index in `best` of an outcome's best price; the second-best follows it. */
export const bestAt = (visibility: number, column: number, columns: number) =>
  2 * (visibility * columns + column)

/** Adds the prices of one sportsbook to the best of its own visibility. */
function rank(line: JudgedLine, slot: number, columns: number) {
  const { visibility } = line.offers[slot]!
  for (let column = 0; column < columns; column++) {
    if (line.prices[slot * columns + column]! > 0) offer(line, visibility, column, columns, slot)
  }
}

function inherit(line: JudgedLine, visibility: number, column: number, columns: number) {
  const from = bestAt(visibility - 1, column, columns)
  for (let place = from; place < from + 2; place++) {
    const slot = line.best[place]!
    if (slot !== noSlot) offer(line, visibility, column, columns, slot)
  }
}

/**
 * Finds the best prices of a chosen set of sportsbooks, on a line that has been judged.
 * @param visibility of the set, from `firstChosenVisibility` on
 */
export function rankChosen(line: JudgedLine, visibility: number, sportsbooks: ReadonlySet<string>) {
  const { ladder, offers, prices, verdicts, best } = line
  const { columns } = ladder.shape
  best.fill(noSlot, bestAt(visibility, 0, columns), bestAt(visibility + 1, 0, columns))
  if (!isCompared(ladder)) return
  for (let slot = 0; slot < offers.length; slot++) {
    const { isUsable, isReference, sportsbook } = offers[slot]!
    if (!isUsable || isReference || isWithheld(verdicts[slot]!)) continue
    if (!sportsbooks.has(sportsbook)) continue
    for (let column = 0; column < columns; column++) {
      if (prices[slot * columns + column]! > 0) offer(line, visibility, column, columns, slot)
    }
  }
}

/** Inserts a slot among the best two, if it belongs there. */
function offer(
  line: JudgedLine,
  visibility: number,
  column: number,
  columns: number,
  slot: number,
) {
  const { best } = line
  const at = bestAt(visibility, column, columns)
  if (best[at] === noSlot || isBetter(line, column, columns, slot, best[at]!)) {
    best[at + 1] = best[at]!
    best[at] = slot
  } else if (best[at + 1] === noSlot || isBetter(line, column, columns, slot, best[at + 1]!)) {
    best[at + 1] = slot
  }
}

/** Returns whether a slot is better than another; equal prices are ordered by the sportsbook's name. */
function isBetter(line: JudgedLine, column: number, columns: number, slot: number, other: number) {
  const price = line.nets[slot * columns + column]!
  const otherPrice = line.nets[other * columns + column]!
  if (price !== otherPrice) return price > otherPrice
  return line.offers[slot]!.sportsbook < line.offers[other]!.sportsbook
}

// ---- prices taken together

/**
 * Chooses the best price of each outcome at a visibility, from at least two sportsbooks. If one
 * sportsbook has all best prices, the outcome that loses least takes its second-best price.
 */
export function chooseOnLine(line: JudgedLine, visibility: number, { chosen }: Workspace): boolean {
  const { best, ladder } = line
  const { columns } = ladder.shape
  let isOne = true
  for (let column = 0; column < columns; column++) {
    const slot = best[bestAt(visibility, column, columns)]!
    if (slot === noSlot) return false
    chosen[column] = slot
    if (slot !== chosen[0]) isOne = false
  }
  if (!isOne) return true
  let least = Number.POSITIVE_INFINITY
  let instead = -1
  for (let column = 0; column < columns; column++) {
    const more = costOfSecond(line, visibility, column)
    if (more < least) {
      least = more
      instead = column
    }
  }
  if (instead < 0) return false
  chosen[instead] = best[bestAt(visibility, instead, columns) + 1]!
  return true
}

/** Returns the extra cost of an outcome's second-best price; infinite if there is none. */
function costOfSecond(line: JudgedLine, visibility: number, column: number): number {
  const at = bestAt(visibility, column, line.ladder.shape.columns)
  const second = line.best[at + 1]!
  if (second === noSlot) return Number.POSITIVE_INFINITY
  return 1 / priceAt(line, second, column) - 1 / priceAt(line, line.best[at]!, column)
}

/** Returns the decimal odds of a bet, after its fee if fees are subtracted. */
export const priceAt = ({ nets, ladder }: Line, slot: number, column: number) =>
  nets[slot * ladder.shape.columns + column]!

/** Chooses as `chooseOnLine`: the first outcome of the first line, the second of the second. */
export function chooseOnTwo(
  first: JudgedLine,
  second: JudgedLine,
  visibility: number,
  { chosen }: Workspace,
): boolean {
  const { columns } = first.ladder.shape
  const at0 = bestAt(visibility, 0, columns)
  const at1 = bestAt(visibility, 1, columns)
  const slot0 = first.best[at0]!
  const slot1 = second.best[at1]!
  if (slot0 === noSlot || slot1 === noSlot) return false
  chosen[0] = slot0
  chosen[1] = slot1
  if (first.offers[slot0] !== second.offers[slot1]) return true
  const more0 = costOfSecond(first, visibility, 0)
  const more1 = costOfSecond(second, visibility, 1)
  if (more0 === Number.POSITIVE_INFINITY && more1 === more0) return false
  if (more0 <= more1) chosen[0] = first.best[at0 + 1]!
  else chosen[1] = second.best[at1 + 1]!
  return true
}
