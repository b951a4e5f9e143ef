/**
 * The table of main lines, decided in the commit that moves a price. The main line of a question,
 * for a set of sportsbooks, is chosen among its rungs. It is the rung closest to even at the set's
 * first sharp book that takes bets on both sides of a rung. Without such a book, it is the rung on
 * which most sportsbooks of the set take bets, then the one whose best prices are closest to even.
 * A sportsbook takes no bets here if it is down, was not seen for too long, or the guard withholds
 * its prices. Nobody can bet at a reference: as a sharp book it decides only among the rungs on
 * which others take bets, and otherwise it does not count. A sportsbook's own main line is the rung
 * whose sides are closest to even there. Among equal rungs, the lowest is chosen.
 */

import { type MainLineRow, mainLineKey, mainLineSets } from '../../../schemas/main-line.ts'
import { topics } from '../../../schemas/topics.ts'
import type { Append } from '../../log/log.ts'
import { teamOf } from '../../rules/odds/outcome-sets.ts'
import { isWithheld, type JudgedLine } from './best-prices.ts'
import type { Ladder, Line, PricedOffer } from './lines.ts'

/** A line with the figures that its choice depends on. */
export interface Rung extends Line {
  /** By slot: the sportsbook's distance from even; `oneSided`, `closed` or `unpriced`. */
  gaps: Float64Array
  /** By set: the best prices' distance from even, or `oneSided`. */
  readonly bestGaps: Float64Array
  /** By set: the number of sportsbooks that take bets; -1 if none has a price. */
  readonly takers: Int16Array
  /** By set: the place in the chain of the sharpest book that prices both sides; `noChain` for none. */
  readonly sharpness: Int16Array
  /** By set: that book's distance from even. */
  readonly sharpGaps: Float64Array
}

/** With the guard's verdicts. */
type JudgedRung = Rung & Pick<JudgedLine, 'verdicts'>

/** A value above any distance between implied probabilities, which is below 1. */
const oneSided = 1
const closed = 2
const unpriced = 3
const noChain = 0x7fff
const sets = mainLineSets.length

/** The spread comes last, so that all lines have one shape in the engine (see `board-view.ts`). */
export const createRung = (line: Line): Rung => ({
  gaps: new Float64Array(0),
  bestGaps: new Float64Array(sets).fill(oneSided),
  takers: new Int16Array(sets).fill(-1),
  sharpness: new Int16Array(sets).fill(noChain),
  sharpGaps: new Float64Array(sets),
  ...line,
})

/** The decision for one group of a ladder, that is, for one question. */
interface Decided {
  row: MainLineRow | null
  readonly own: Map<PricedOffer, number>
}

export interface MainLines {
  /** Restores a row from the log, at a start. */
  restore(key: string, row: MainLineRow | null): void
  /** Re-examines a judged line whose prices, or whose sportsbooks' state, may have changed. */
  examine(rung: JudgedRung): void
  /** Decides the main lines of the ladders that were examined. Lines without prices have left their ladders. */
  flush(): void
}

/** @param emit called with each change of the table */
export function createMainLines(emit: (change: Append) => void): MainLines {
  /** Decisions by ladder, then group. */
  const decided = new Map<Ladder, Decided[]>()
  /** Rows from before the restart that have not been decided again. */
  const restored = new Map<string, MainLineRow>()
  /** Ladders to decide again: by group, the sportsbooks whose own main line may have moved. */
  const touched = new Map<Ladder, Set<PricedOffer>[]>()
  // Scratch space for one line at a time.
  const best = new Float64Array(sets * 3)

  function examine(rung: JudgedRung) {
    const { ladder, offers, group } = rung
    if (rung.line === null) return
    const movers = moversOf(ladder)[group]!
    if (rung.gaps.length < offers.length) {
      const longer = new Float64Array(2 * offers.length).fill(unpriced)
      longer.set(rung.gaps)
      rung.gaps = longer
    }
    for (let slot = 0; slot < offers.length; slot++) {
      const gap = gapAt(rung, slot)
      if (gap === rung.gaps[slot]) continue
      rung.gaps[slot] = gap
      movers.add(offers[slot]!)
    }
    summarise(rung)
  }

  function moversOf(ladder: Ladder): Set<PricedOffer>[] {
    const known = touched.get(ladder)
    if (known) return known
    const groups = ladder.shape.types.map(() => new Set<PricedOffer>())
    touched.set(ladder, groups)
    return groups
  }

  /** Computes the figures of the rung for each set. */
  function summarise({
    ladder,
    offers,
    prices,
    verdicts,
    gaps,
    bestGaps,
    takers,
    sharpness,
    sharpGaps,
  }: JudgedRung) {
    const { columns } = ladder.shape
    takers.fill(-1)
    sharpness.fill(noChain)
    best.fill(0)
    for (let slot = 0; slot < offers.length; slot++) {
      const gap = gaps[slot]!
      if (gap === unpriced) continue
      const { firstSet: set, sharpness: place, isUsable, isReference } = offers[slot]!
      const isStanding = gap < closed && isUsable && !isWithheld(verdicts[slot]!)
      const isTaking = isStanding && !isReference
      takers[set] = Math.max(0, takers[set]!) + (isTaking ? 1 : 0)
      if (!isStanding) continue
      if (place >= 0 && place < sharpness[set]! && gap < oneSided) {
        sharpness[set] = place
        sharpGaps[set] = gap
      }
      if (isReference) continue
      for (let column = 0; column < columns; column++) {
        const price = prices[slot * columns + column]!
        if (price > best[set * columns + column]!) best[set * columns + column] = price
      }
    }
    bestGaps[0] = gapOf(best, 0, columns)
    // Each set includes those before it.
    for (let set = 1; set < sets; set++) {
      if (takers[set - 1]! >= 0) takers[set] = Math.max(0, takers[set]!) + takers[set - 1]!
      if (sharpness[set - 1]! < sharpness[set]!) {
        sharpness[set] = sharpness[set - 1]!
        sharpGaps[set] = sharpGaps[set - 1]!
      }
      for (let at = set * columns; at < (set + 1) * columns; at++) {
        if (best[at - columns]! > best[at]!) best[at] = best[at - columns]!
      }
      bestGaps[set] = gapOf(best, set * columns, columns)
    }
  }

  /** Returns the main line of a set; null if none of its sportsbooks has a price. */
  function chosen(ladder: Ladder, group: number, set: number): number | null {
    let main: Rung | null = null
    for (const line of ladder.lines) {
      const rung = line as Rung
      if (rung.group !== group || rung.takers[set]! < 0) continue
      if (main === null || isBetter(rung, main, set)) main = rung
    }
    return main?.line ?? null
  }

  /** @returns whether the sportsbook's own line changed */
  function chooseOwn({ own }: Decided, ladder: Ladder, group: number, offer: PricedOffer): boolean {
    let line = 0
    let gap = unpriced
    let count = 0
    for (const one of ladder.lines) {
      const rung = one as Rung
      if (rung.group !== group || rung.line === null) continue
      const slot = rung.offers.indexOf(offer)
      if (slot < 0 || rung.gaps[slot]! === unpriced) continue
      count++
      if (rung.gaps[slot]! >= gap) continue
      gap = rung.gaps[slot]!
      line = rung.line
    }
    if (count <= 1) return own.delete(offer)
    if (own.get(offer) === line) return false
    own.set(offer, line)
    return true
  }

  function decide(ladder: Ladder, group: number, movers: ReadonlySet<PricedOffer>) {
    let ofLadder = decided.get(ladder)
    if (!ofLadder) {
      ofLadder = ladder.shape.types.map(() => ({ row: null, own: new Map() }))
      decided.set(ladder, ofLadder)
    }
    const one = ofLadder[group]!
    let isOwnMoved = false
    for (const offer of movers) if (chooseOwn(one, ladder, group, offer)) isOwnMoved = true
    const needsMainLine = ladder.event.row !== null && hasSeveralRungs(ladder, group)
    if (needsMainLine && !isOwnMoved && one.row && isChosenStill(one.row, ladder, group)) return
    const row = needsMainLine ? rowOf(one, ladder, group) : null
    const before = one.row ?? (row && takeRestored(row))
    one.row = row
    if (row ? !before || !isSame(before, row) : before) {
      const { league } = (row ?? before)!
      const key = mainLineKey((row ?? before)!)
      emit({ topic: topics.mainLines, partitionKey: league, key, value: row })
    }
  }

  function isChosenStill({ lines }: MainLineRow, ladder: Ladder, group: number): boolean {
    for (let set = 0; set < sets; set++) {
      if (chosen(ladder, group, set) !== lines[set]) return false
    }
    return true
  }

  function takeRestored(row: MainLineRow): MainLineRow | null {
    const key = mainLineKey(row)
    const before = restored.get(key)
    restored.delete(key)
    return before ?? null
  }

  function rowOf({ own }: Decided, ladder: Ladder, group: number): MainLineRow {
    const { event, marketType, playerName, isLive, shape } = ladder
    const lines: (number | null)[] = []
    for (let set = 0; set < sets; set++) lines.push(chosen(ladder, group, set))
    return {
      eventId: event.id,
      league: event.row!.league,
      marketType,
      team: teamOf(shape.types[group]![0]!),
      playerName,
      isLive,
      lines,
      own: Array.from(own, ([{ sportsbook }, line]) => ({ sportsbook, line })).sort(bySportsbook),
    }
  }

  return {
    restore(key, row) {
      if (row) restored.set(key, row)
      else restored.delete(key)
    },
    examine,
    flush() {
      for (const [ladder, groups] of touched) {
        groups.forEach((movers, group) => {
          decide(ladder, group, movers)
        })
        if (ladder.lines.length === 0) decided.delete(ladder)
      }
      touched.clear()
      for (const row of restored.values()) {
        emit({
          topic: topics.mainLines,
          partitionKey: row.league,
          key: mainLineKey(row),
          value: null,
        })
      }
      restored.clear()
    },
  }
}

/** Returns whether a question has prices on more than one rung. */
function hasSeveralRungs({ lines }: Ladder, group: number): boolean {
  let rungs = 0
  for (const line of lines) {
    if (line.group !== group || line.line === null) continue
    if ((line as Rung).takers[sets - 1]! >= 0) rungs++
  }
  return rungs > 1
}

const bySportsbook = (a: { sportsbook: string }, b: { sportsbook: string }) =>
  a.sportsbook < b.sportsbook ? -1 : 1

function isSame(a: MainLineRow, b: MainLineRow): boolean {
  for (let set = 0; set < sets; set++) if (a.lines[set] !== b.lines[set]) return false
  if (a.own.length !== b.own.length) return false
  return a.own.every(
    ({ sportsbook, line }, at) => b.own[at]!.sportsbook === sportsbook && b.own[at]!.line === line,
  )
}

/** Returns whether a rung is preferred to another one with a lower line. */
function isBetter(a: Rung, b: Rung, set: number): boolean {
  const isTaken = a.takers[set]! > 0
  if (isTaken !== b.takers[set]! > 0) return isTaken
  if (a.sharpness[set] !== b.sharpness[set]) return a.sharpness[set]! < b.sharpness[set]!
  if (a.sharpness[set] !== noChain) return a.sharpGaps[set]! < b.sharpGaps[set]!
  if (a.takers[set] !== b.takers[set]) return a.takers[set]! > b.takers[set]!
  return a.bestGaps[set]! < b.bestGaps[set]!
}

function gapAt({ ladder, prices, ids }: Rung, slot: number): number {
  const { columns } = ladder.shape
  let isPriced = false
  for (let at = slot * columns; at < (slot + 1) * columns; at++) if (ids[at] !== 0) isPriced = true
  if (!isPriced) return unpriced
  return gapOf(prices, slot * columns, columns)
}

/** Returns the distance between the implied probabilities of the sides that take bets. */
function gapOf(prices: Float64Array, from: number, columns: number): number {
  let least = Number.POSITIVE_INFINITY
  let greatest = 0
  let sides = 0
  for (let at = from; at < from + columns; at++) {
    if (prices[at] === 0) continue
    const implied = 1 / prices[at]!
    if (implied < least) least = implied
    if (implied > greatest) greatest = implied
    sides++
  }
  if (sides === 0) return closed
  return sides === 1 ? oneSided : greatest - least
}
