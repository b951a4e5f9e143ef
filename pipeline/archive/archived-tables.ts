/**
 * What goes from the log to the archive: one entry a table, the topic it follows and the row that a
 * record becomes. Each row keeps the place of its record on the log (`log_epoch`, `log_partition`,
 * `log_offset`), by which the archiver knows after a crash what is there.
 */

import { type PriceChange, priceChange } from '../../schemas/price-change.ts'
import { type Topic, topics } from '../../schemas/topics.ts'
import type { ArchiveRow } from './archive.ts'

export interface ArchivedTable<Row = never> {
  readonly topic: Topic<Row>
  readonly table: string
  /** Milliseconds; which month's part the row goes into. */
  at(row: Row): number
  /** The columns of a row, without its place on the log. */
  columns(row: Row): ArchiveRow
  /** Rows of other tables that the record is good for; taken again they change nothing. */
  readonly beside?: {
    readonly table: string
    columns(row: Row): ArchiveRow | null
  }
}

const priceChanges: ArchivedTable<PriceChange> = {
  topic: topics.priceChanges,
  table: 'price_changes',
  at: ({ at }) => at,
  columns: ({ eventId, oddsId, at, price, what, isLive, isActive }) => ({
    event_id: eventId,
    odds_id: oddsId,
    at: archiveTime(at),
    price,
    what,
    is_live: isLive,
    is_active: isActive,
  }),
  beside: {
    table: 'prices',
    columns({ of, oddsId, eventId, league, at, what }) {
      if (!of || (what & priceChange.listed) === 0) return null
      return {
        odds_id: oddsId,
        event_id: eventId,
        league,
        sportsbook: of.sportsbook,
        market_type: of.marketType,
        selection: of.selection,
        selection_type: of.selectionType,
        line: of.line,
        player_name: of.playerName,
        stat_category: of.statCategory,
        listed_at: archiveTime(at),
      }
    },
  },
}

/** In the order in which a batch is inserted. */
export const archivedTables: readonly ArchivedTable[] = [priceChanges as ArchivedTable]

/** As DateTime64 is read from JSON, in UTC. */
export const archiveTime = (at: number) => new Date(at).toISOString().replace('T', ' ').slice(0, -1)
