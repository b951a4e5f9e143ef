/**
 * The question that the slow board files a price under: another one where a draw stands beside the sides of a winner
 * or handicap, or where three ways are stated without their draw.
 */

import type { FeedMarket, FeedSelection, OddsRecord } from '../../schemas/feed-record.ts'
import { type ExpectedRow, identityOf, nothingStated, type Table } from './slow-rows.ts'

/** A game, by the orientation of its sportsbooks. */
interface Sided {
  readonly isFrameReversed: boolean
  readonly books: ReadonlyMap<string, { readonly isReversed: boolean }>
}

// ---- markets where a draw makes another question

/** Returns the type of a winner or handicap market with a draw; null where the draw changes nothing. */
export function drawnType(marketType: string, sport: string): string | null {
  const [, part = '', asked] =
    /^(.*_)?(moneyline|point_spread|run_line|puck_line)$/.exec(marketType) ?? []
  if (asked === undefined) return null
  if (asked !== 'moneyline') return `${part}handicap_3-way`
  return sport === 'soccer' ? null : `${part}moneyline_3-way`
}

const isSide = ({ selectionType }: FeedSelection) => /^(home|away)$/.test(selectionType)

/** Returns home's line of a stated selection. */
function homesLine(stated: FeedSelection, { line }: FeedMarket): number | null {
  const own = stated.line ?? line
  return own !== null && stated.selectionType === 'away' ? 0 - own : own
}

/** Returns home's line of a row, in its sportsbook's orientation. */
function homesLineOf({ line, selectionType }: ExpectedRow, isSwapped: boolean): number | null {
  if (line === null) return null
  // With reversed sides, the line of the side called home is that of the other.
  const ofFrame = selectionType === 'away' ? 0 - line : line
  return isSwapped ? 0 - ofFrame : ofFrame
}

const isOneLine = (one: number | null, other: number | null) =>
  one === other || (one !== null && other !== null && one - other === 0)

/** Returns whether a stated selection is an outcome of the question with a draw. */
export function isOfDraw(
  stated: FeedSelection,
  market: FeedMarket,
  markets: readonly FeedMarket[],
  record: OddsRecord,
  before: Table,
  game: Sided,
): boolean {
  const type = drawnType(market.marketType, record.event.sport)
  if (type === null || market.playerName !== null) return false
  const line = homesLine(stated, market)
  const isGiven = market.selections.some((of) => isSide(of) && !of.removed)
  const sides = market.selections.filter(isSide)
  const hasLine = (drawLine: number | null) =>
    sides.length === 0 || sides.some((side) => isOneLine(homesLine(side, market), drawLine))
  // A draw in a market of its own says nothing about other lines.
  const draws = markets
    .filter((other) => other.marketType === market.marketType && other.playerName === null)
    .filter((other) => other === market || !other.selections.some(isSide))
    .flatMap((other) => other.selections.map((of) => ({ of, other, line: homesLine(of, other) })))
    .filter(({ of }) => of.selectionType === 'draw' && (!of.removed || isGiven))
    .filter(({ of, other, line: on }) => {
      const isOver = of.removed || of.suspended || other.suspended
      return other === market || (on === null && !isOver) || hasLine(on)
    })
  const named = draws.filter((draw) => isOneLine(draw.line, line) || !hasLine(draw.line))
  const there = rowsOnLine(before, line, record, game)
  const asked = there.some((row) => row.marketType === type && row.isFiledByDraw)
  // A delta brings a draw to a line with its price only.
  const isBrought = record.mode === 'snapshot' || named.some(({ of }) => of.price !== null)
  if (named.length > 0 && (asked || isBrought)) return true
  // Without a named draw, the question is the one that the sportsbook had on that line before.
  const both = there.some((row) => row.marketType === market.marketType)
  if (!asked || both) return false
  if (record.mode === 'delta') return true
  const offered = sides.filter((side) => isOneLine(homesLine(side, market), line))
  return offered.reduce((sum, { price }) => sum + (price === null ? 0 : 1 / price), 0) < 1
}

function rowsOnLine(table: Table, line: number | null, record: OddsRecord, game: Sided) {
  const isSwapped = game.books.get(record.sportsbook)!.isReversed !== game.isFrameReversed
  return [...table.values()].filter(
    (row) => row.playerName === null && isOneLine(homesLineOf(row, isSwapped), line),
  )
}

/** Moves the rows of a line to the question with a draw, when the record first names a draw on it. */
export function withSidesMoved(
  before: Table,
  drawn: readonly FeedSelection[],
  markets: readonly FeedMarket[],
  record: OddsRecord,
  game: Sided,
): Table {
  const table = new Map(before)
  for (const market of markets) {
    const type = drawnType(market.marketType, record.event.sport)
    if (type === null) continue
    for (const stated of market.selections) {
      if (!drawn.includes(stated)) continue
      const there = rowsOnLine(before, homesLine(stated, market), record, game)
      if (there.some((row) => row.marketType === type && row.isFiledByDraw)) continue
      for (const row of there) {
        if (row.marketType !== market.marketType) continue
        table.delete(identityOf(row))
        const moved: ExpectedRow = {
          ...row,
          ...nothingStated,
          marketType: type,
          statCategory: null,
          observedAt: record.observedAt,
          isFiledByDraw: true,
        }
        table.set(identityOf(moved), moved)
      }
    }
  }
  return table
}

// ---- markets of three ways without their draw

/** Returns the type of a market of three ways without its draw; null for any other market. */
export function drawlessType(marketType: string, sport: string): string | null {
  const isThreeWays =
    /_3-way$|^(most_corners|highest_scoring_half)$/.test(marketType) ||
    (sport === 'soccer' && /^(.*_)?moneyline$/.test(marketType))
  return isThreeWays ? `${marketType}_without_draw` : null
}

const impliedSum = (stated: readonly FeedSelection[]) =>
  stated.reduce((sum, { price }) => sum + (price === null ? 0 : 1 / price), 0)

/** Returns the priced outcomes of a market on a line. */
const pricedOn = (market: FeedMarket, line: number | null) =>
  market.selections.filter((of) => of.price !== null && isOneLine(homesLine(of, market), line))

/**
 * Returns whether a record tells that there is a draw on a line, because it states one or leaves room for it between
 * the sides, or that there is none. Null if it tells neither.
 */
function tellsDraw(
  market: FeedMarket,
  line: number | null,
  markets: readonly FeedMarket[],
): boolean | null {
  const isStated = markets.some(
    (other) =>
      other.marketType === market.marketType &&
      other.playerName === market.playerName &&
      other.selections.some((of) => {
        const on = homesLine(of, other)
        return of.selectionType === 'draw' && (on === null || isOneLine(on, line))
      }),
  )
  if (isStated) return true
  const priced = pricedOn(market, line)
  if (new Set(priced.map(({ selectionType }) => selectionType)).size < 2) return null
  return impliedSum(priced) < 1
}

/** Returns whether a stated selection is an outcome of the question without a draw. */
export function isOfNoDraw(
  stated: FeedSelection,
  market: FeedMarket,
  markets: readonly FeedMarket[],
  record: OddsRecord,
  before: Table,
  game: Sided,
): boolean {
  const type = drawlessType(market.marketType, record.event.sport)
  if (type === null) return false
  const line = homesLine(stated, market)
  const there = rowsOnLine(before, line, record, game)
  const asked = there.some((row) => row.marketType === type && row.isFiledByDraw)
  const told = tellsDraw(market, line, markets)
  if (told === true) return false
  const isBalanced = market.selections.every(({ price }) => price === null || price < 8)
  if (told === false && record.mode === 'snapshot' && (asked || isBalanced)) return true
  const both = there.some((row) => row.marketType === market.marketType)
  if (!asked || both) return false
  return record.mode === 'delta' || impliedSum(pricedOn(market, line)) < 1
}

/** Moves the rows of a line back to the question with the draw, when the record tells that there is one. */
export function withSidesReturned(
  before: Table,
  markets: readonly FeedMarket[],
  record: OddsRecord,
  game: Sided,
): Table {
  const table = new Map(before)
  for (const market of markets) {
    const type = drawlessType(market.marketType, record.event.sport)
    if (type === null) continue
    for (const stated of market.selections) {
      const line = homesLine(stated, market)
      if (tellsDraw(market, line, markets) !== true) continue
      for (const row of rowsOnLine(table, line, record, game)) {
        if (row.marketType !== type || !row.isFiledByDraw) continue
        table.delete(identityOf(row))
        const moved: ExpectedRow = {
          ...row,
          ...nothingStated,
          marketType: market.marketType,
          statCategory: null,
          observedAt: record.observedAt,
          isFiledByDraw: null,
        }
        table.set(identityOf(moved), moved)
      }
    }
  }
  return table
}
