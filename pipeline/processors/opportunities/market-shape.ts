/**
 * How the answers of a market stand beside each other: which column an answer has, and which row of
 * which side stands on one line with it.
 */

import { isHandicapOfResults } from '../../../schemas/event.ts'
import { memoise } from '../../../schemas/memoise.ts'
import { outcomesOf } from '../../rules/outcomes.ts'
import { type MiddleKind, middleKind } from '../../rules/results.ts'

/** One complete set of answers. A market on each side of a game has two. */
export interface OutcomeColumns {
  readonly group: number
  readonly column: number
}

export interface MarketShape {
  /** Columns of every group: 2 or 3. */
  readonly columns: number
  /** Selection types by group and column. */
  readonly types: readonly (readonly string[])[]
  readonly columnOf: ReadonlyMap<string, OutcomeColumns>
  /** Whether the sportsbooks decide if the third column, the draw, is an answer. */
  readonly mayHaveDraw: boolean
  /** Away has the line of home with its sign turned. */
  readonly hasOppositeLines: boolean
  /** What its lines count, where two of them can make a middle. */
  readonly middles: MiddleKind | null
}

/** @returns null for a market without a closed set of answers */
export function marketShape(marketType: string, sport: string): MarketShape | null {
  return shapes(`${sport}|${marketType}`)
}

const shapes = memoise((key: string): MarketShape | null => {
  const separator = key.indexOf('|')
  const sport = key.slice(0, separator)
  const marketType = key.slice(separator + 1)
  const withDraw = outcomesOf(marketType, sport, { withDraw: 1, withoutDraw: 0 })
  if (!withDraw) return null
  const columnOf = new Map<string, OutcomeColumns>()
  withDraw.forEach((types, group) => {
    types.forEach((type, column) => {
      columnOf.set(type, { group, column })
    })
  })
  return {
    columns: withDraw[0]!.length,
    types: withDraw,
    columnOf,
    mayHaveDraw: outcomesOf(marketType, sport) !== withDraw,
    hasOppositeLines: isHandicapOfResults(marketType),
    middles: middleKind(marketType),
  }
})

/** The line that the answers beside each other share: home's. */
export const sharedLine = (shape: MarketShape, selectionType: string, line: number | null) =>
  line !== null && shape.hasOppositeLines && selectionType === 'away' ? 0 - line : line

/** The same, of a market type alone. */
export const sharedLineOf = (marketType: string, selectionType: string, line: number | null) =>
  line !== null && selectionType === 'away' && isHandicapOfResults(marketType) ? 0 - line : line

/** The line that an answer's own row has. */
export function ownLine(
  { types, hasOppositeLines }: MarketShape,
  column: number,
  line: number | null,
) {
  return line !== null && hasOppositeLines && types[0]![column] === 'away' ? 0 - line : line
}
