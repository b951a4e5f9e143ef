/** Two lines of one ladder, where a bet on each covers every result. */

import type { MiddleOutlook } from '../../rules/odds/results.ts'
import type { JudgedLine } from './best-prices.ts'
import type { Ladder, Line } from './lines.ts'
import { arePair, middleBetween } from './pair-detector.ts'

export interface LinePair<L> {
  readonly lower: L
  readonly higher: L
  /** The results between them; null where they make no middle. */
  readonly outlook: MiddleOutlook | null
}

export interface PairedLine<Pair> extends JudgedLine {
  /** Its pairs with other lines of its ladder; null until they are needed. */
  pairs: Pair[] | null
}

/** The most lines of a ladder that are paired: no sportsbook quotes so many, and pairs grow with their square. */
const mostPairedLines = 100

/** Returned instead of pairs when the ladder has too many lines. */
export const ladderTooLong = Symbol('ladder too long')

/**
 * Pairs a new line with all others, and adds the pairs to them.
 * @param create makes the caller's object of a pair
 */
export function pairUp<L extends PairedLine<Pair>, Pair extends LinePair<L>>(
  line: L,
  create: (pair: LinePair<L>) => Pair,
): Pair[] | typeof ladderTooLong {
  if (line.ladder.lines.length > mostPairedLines) return ladderTooLong
  const pairs: Pair[] = []
  for (const other of linesOf<L>(line.ladder)) {
    if (other === line || !other.pairs) continue
    const isHigher = (line.line ?? 0) > (other.line ?? 0)
    const [lower, higher] = isHigher ? [other, line] : [line, other]
    if (!arePair(lower, higher)) continue
    const pair = create({ lower, higher, outlook: middleBetween(lower, higher) })
    pairs.push(pair)
    other.pairs.push(pair)
  }
  return pairs
}

/** Removes the pairs of a line from the other lines. */
export function unpair<L extends PairedLine<Pair>, Pair extends LinePair<L>>(line: L) {
  for (const pair of line.pairs ?? []) {
    const other = pair.lower === line ? pair.higher : pair.lower
    other.pairs!.splice(other.pairs!.indexOf(pair), 1)
  }
}

const linesOf = <L>(ladder: Ladder) => ladder.lines as readonly Line[] as readonly L[]
