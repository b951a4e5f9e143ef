/** Pairs of lines of one ladder: bets on both cover every result. */

import { bisect } from '../../memory/bisect.ts'
import type { MiddleOutlook } from '../../rules/odds/results.ts'
import type { JudgedLine } from './best-prices.ts'
import type { Ladder } from './lines.ts'
import { pairBetween } from './pair-detector.ts'

export interface LinePair<L> {
  readonly lower: L
  readonly higher: L
  /** The results between them; null if they make no middle. */
  readonly outlook: MiddleOutlook | null
}

export interface PairedLine<Pair> extends JudgedLine {
  /** Its pairs with other lines of its ladder; null until `enter`. */
  pairs: Pair[] | null
}

/**
 * A line is paired with this many neighbours on either side. No sportsbook has so many lines;
 * without a limit, the pairs would grow with the square.
 */
export const mostNeighbours = 100

/** The pairs of lines. They depend only on the lines that have entered, not on their order. */
export interface LinePairs<L, Pair> {
  /** Pairs a new line with its neighbours. Other pairs end if they are too far apart now. */
  enter(line: L): void
  /**
   * Ends the pairs of a line that has no prices any more. Its neighbours may form pairs in its
   * place, except those without prices, which leave next.
   */
  leave(line: L): void
  /** Returns the pairs that have ended since the last call. */
  takeEnded(): readonly Pair[]
  /** Returns the pairs that were made, since the last call, because lines between them left. */
  takeClosedUp(): readonly Pair[]
}

/** @param create makes the caller's object of a pair */
export function createLinePairs<L extends PairedLine<Pair>, Pair extends LinePair<L>>(
  create: (pair: LinePair<L>) => Pair,
): LinePairs<L, Pair> {
  /** The lines of each set of outcomes of a ladder, ascending. */
  const groups = new WeakMap<Ladder, L[][]>()
  let ended: Pair[] = []
  let closedUp: Pair[] = []

  function groupOf({ ladder, group }: L): L[] {
    let ofLadder = groups.get(ladder)
    if (!ofLadder) {
      ofLadder = ladder.shape.types.map(() => [])
      groups.set(ladder, ofLadder)
    }
    return ofLadder[group]!
  }

  const placeIn = (lines: readonly L[], { line }: L) =>
    bisect(0, lines.length, (i) => lines[i]!.line! < line!)

  /** Pairs two lines, if they may be paired. */
  function pairUp(lower: L, higher: L): Pair | null {
    const between = pairBetween(lower, higher)
    if (!between) return null
    const pair = create({ lower, higher, outlook: between.outlook })
    lower.pairs!.push(pair)
    higher.pairs!.push(pair)
    return pair
  }

  function end(pair: Pair) {
    for (const { pairs } of [pair.lower, pair.higher]) pairs!.splice(pairs!.indexOf(pair), 1)
    ended.push(pair)
  }

  return {
    enter(line) {
      line.pairs = []
      if (!canPair(line)) return
      const lines = groupOf(line)
      const at = placeIn(lines, line)
      lines.splice(at, 0, line)
      for (let below = Math.max(0, at - mostNeighbours); below < at; below++) {
        const lower = lines[below]!
        const tooFar = lines[below + mostNeighbours + 1]
        const apart = tooFar && lower.pairs!.find(({ higher }) => higher === tooFar)
        if (apart) end(apart)
        pairUp(lower, line)
      }
      const above = lines.slice(at + 1, at + 1 + mostNeighbours)
      for (const higher of above) pairUp(line, higher)
    },
    leave(line) {
      for (const pair of [...(line.pairs ?? [])]) end(pair)
      if (line.pairs === null || !canPair(line)) return
      line.pairs = null
      const lines = groupOf(line)
      const at = placeIn(lines, line)
      lines.splice(at, 1)
      for (let below = Math.max(0, at - mostNeighbours); below < at; below++) {
        const lower = lines[below]!
        const higher = lines[below + mostNeighbours]
        if (!higher || lower.quoted === 0 || higher.quoted === 0) continue
        const pair = pairUp(lower, higher)
        if (pair) closedUp.push(pair)
      }
    },
    takeEnded() {
      const taken = ended
      ended = []
      return taken
    },
    takeClosedUp() {
      const taken = closedUp.filter((pair) => pair.lower.pairs?.includes(pair))
      closedUp = []
      return taken
    },
  }
}

/** Returns whether a line has a number, of a question whose lines can make a middle. */
const canPair = ({ line, ladder }: JudgedLine) => line !== null && ladder.shape.middles !== null
