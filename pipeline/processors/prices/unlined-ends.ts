/**
 * Statements that end offers without naming a line or an outcome. In play, sportsbooks suspend "the
 * total" without repeating its line. Such a statement applies to all the sportsbook's rows in the
 * market for that player and outcome. Rows that the same record names with a line are excepted. If
 * it ends a whole market without naming a player, it applies to all players.
 */

import type { FeedMarket, FeedSelection } from '../../../schemas/feed-record.ts'
import { addTo } from '../../../schemas/grouping.ts'
import { findMarket } from '../../../schemas/reference/markets.ts'
import { textHash } from '../../../schemas/text-hash.ts'
import { homeLine } from '../../rules/odds/questions.ts'
import { questionsBeside } from '../../rules/odds/three-ways.ts'
import { noRow, type Offer } from '../events/offer.ts'
import type { PriceTable } from './price-table.ts'

/** An outcome that is suspended or removed at all its lines. */
export interface UnlinedEnd {
  readonly market: FeedMarket
  /** Null: all outcomes of the market are removed. */
  readonly selection: FeedSelection | null
}

export const isRemoval = ({ selection }: UnlinedEnd) => selection === null || selection.removed

/**
 * Returns whether a row is on the rung of a stated market's line; a market without a line means all
 * rungs. In an unlisted market the line may be a handicap, so both signs match.
 * @param stated the market's line, in the event's frame
 * @param row a row of the type `marketType`
 */
export function isOnLine(
  stated: number | null,
  marketType: string,
  row: { readonly isAway: boolean; readonly line: number | null },
): boolean {
  if (stated === null) return true
  if (homeLine(marketType, row.isAway ? 'away' : 'home', row.line) === stated) return true
  return findMarket(marketType) === undefined && row.line === 0 - stated
}

/** Returns the same number for all rows of one market and player (`PriceTable.market`). */
export const marketHash = (marketType: string, playerName: string | null) =>
  textHash(playerName === null ? marketType : `${marketType}|${playerName}`)

/** The rows of an offer by market and player, collected once for all ends of a record. */
export type RowsByMarket = ReadonlyMap<number, readonly number[]>

export function rowsByMarket(prices: PriceTable, { head }: Offer): RowsByMarket {
  const byMarket = new Map<number, number[]>()
  for (let row = head; row !== noRow; row = prices.next(row)) {
    addTo(byMarket, prices.market(row), row)
  }
  return byMarket
}

interface RowOfMarket {
  readonly row: number
  readonly marketType: string
  readonly playerName: string | null
}

/**
 * Returns the rows of a market and some players, with the types they are filed under: an additional
 * outcome gives another type.
 */
export function rowsOfMarket(
  prices: PriceTable,
  byMarket: RowsByMarket,
  { event, filedByDraw }: Offer,
  { marketType: statedType }: Pick<FeedMarket, 'marketType'>,
  playerNames: Iterable<string | null>,
): readonly RowOfMarket[] {
  const { sport } = event.row
  const rows: RowOfMarket[] = []
  for (const playerName of playerNames) {
    const add = (marketType: string, isOf: (row: number) => boolean) => {
      for (const row of byMarket.get(marketHash(marketType, playerName)) ?? []) {
        if (isOf(row)) rows.push({ row, marketType, playerName })
      }
    }
    add(statedType, () => true)
    if (filedByDraw === 0) continue
    for (const { marketType } of questionsBeside({ marketType: statedType, playerName }, sport)) {
      add(marketType, prices.isFiledByDraw)
    }
  }
  return rows
}
