/**
 * The question of a market (`questions.ts`), computed once per market type and sport in the form of
 * the price tables: a column for each outcome, a group for each complete set.
 */

import { memoise } from '../../../schemas/memoise.ts'
import type { OddsRow } from '../../../schemas/odds.ts'
import { questionOf } from '../../../schemas/reference/markets.ts'
import { normaliseName } from '../../../schemas/reference/normalise-name.ts'
import {
  isHandicap,
  isOfUnknownPlayer,
  type MiddleKind,
  middleKind,
  outcomesOf,
} from './questions.ts'

/** One complete set of outcomes. A market on each side of a game has two. */
export interface OutcomeColumns {
  readonly group: number
  readonly column: number
}

export interface MarketShape {
  /** The number of columns of every group: 2 or 3, or 1 for the outcomes of an open market. */
  readonly columns: number
  /** Selection types by group and column. */
  readonly types: readonly (readonly string[])[]
  readonly columnOf: ReadonlyMap<string, OutcomeColumns>
  /** Whether away's line is home's with the opposite sign. */
  readonly hasOppositeLines: boolean
  /** The unit of its lines, if two lines can make a middle; else null. */
  readonly middles: MiddleKind | null
}

/** @returns null for a market without a closed set of outcomes */
export function marketShape(marketType: string, sport: string): MarketShape | null {
  return shapes(`${sport}|${marketType}`)
}

/** Returns the shape for a price on the board; also null for a price of an unnamed player. */
export const shapeOfPrice = (
  { marketType, playerName }: { readonly marketType: string; readonly playerName: string | null },
  sport: string,
): MarketShape | null =>
  isOfUnknownPlayer(marketType, playerName) ? null : marketShape(marketType, sport)

const shapes = memoise((key: string): MarketShape | null => {
  const separator = key.indexOf('|')
  const sport = key.slice(0, separator)
  const marketType = key.slice(separator + 1)
  const sets = outcomesOf(marketType, sport)
  if (!sets) return null
  const columnOf = new Map<string, OutcomeColumns>()
  sets.forEach((types, group) => {
    types.forEach((type, column) => {
      columnOf.set(type, { group, column })
    })
  })
  return {
    columns: sets[0]!.length,
    types: sets,
    columnOf,
    hasOppositeLines: isHandicap(marketType),
    middles: middleKind(marketType),
  }
})

/**
 * Returns `homeLine` for a market with a known shape: the line that the outcomes of one rung share.
 */
export const sharedLine = (shape: MarketShape, selectionType: string, line: number | null) =>
  line !== null && shape.hasOppositeLines && selectionType === 'away' ? 0 - line : line

/** Returns the line of an outcome's own row, from the shared one. */
export const ownLine = (shape: MarketShape, column: number, line: number | null) =>
  sharedLine(shape, shape.types[0]![column]!, line)

// ---- markets without a closed set

/** The shape of a market without a closed set of outcomes: each outcome is a group by itself. */
export const openShape: MarketShape = {
  columns: 1,
  types: [],
  columnOf: new Map(),
  hasOppositeLines: false,
  middles: null,
}

/**
 * Returns a text that is the same for equal outcomes of a market without a closed set: the
 * selection type if that suffices, else also the label.
 * @returns null if equality is unknown, because the type collects different questions or the player
 * is not named
 */
export function openOutcome({
  marketType,
  selectionType,
  selection,
  playerName,
}: Pick<OddsRow, 'marketType' | 'selectionType' | 'selection' | 'playerName'>): string | null {
  const { answers } = questionOf(marketType)
  if (answers === 'various' || isOfUnknownPlayer(marketType, playerName)) return null
  if (answers === 'score' || answers === 'double_chance') return selectionType
  return halvesWon.test(selectionType)
    ? selectionType
    : `${selectionType}|${normaliseName(selection)}`
}

/** Half-time/full-time. */
const halvesWon = /^(home|away|draw)_(home|away|draw)$/
