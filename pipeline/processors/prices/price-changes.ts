/** The rows of the topic `price-changes`: one for each change of a row of odds. */

import type { EventRow } from '../../../schemas/event.ts'
import type { OddsRow } from '../../../schemas/odds.ts'
import { type PriceChange, priceChange } from '../../../schemas/price-change.ts'
import type { PriceTable } from './price-table.ts'

/** @param row the withdrawn row, as it still is in the table */
export const withdrawalOf = (
  prices: PriceTable,
  row: number,
  { id: eventId, league }: EventRow,
  at: number,
): PriceChange => ({
  oddsId: prices.id(row),
  eventId,
  league,
  at,
  what: priceChange.withdrawn,
  price: prices.price(row),
  isLive: prices.isLive(row),
  isActive: prices.isActive(row),
  of: null,
})

/** @param what the bits of `priceChange` */
export const changeTo = (row: OddsRow, what: number): PriceChange => ({
  oddsId: row.id,
  eventId: row.eventId,
  league: row.league,
  at: row.observedAt,
  what,
  price: row.price,
  isLive: row.isLive,
  isActive: row.isActive,
  of: what === priceChange.listed ? describe(row) : null,
})

const describe = (row: OddsRow): PriceChange['of'] => ({
  sportsbook: row.sportsbook,
  marketType: row.marketType,
  selection: row.selection,
  selectionType: row.selectionType,
  line: row.line,
  playerName: row.playerName,
  statCategory: row.statCategory,
})
