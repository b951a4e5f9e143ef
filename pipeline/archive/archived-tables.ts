/**
 * The tables that go from the log to the archive: one entry per table, with its topic and how a
 * record becomes a row. Each row has its record's place on the log (`log_epoch`, `log_partition`,
 * `log_offset`), so that the archiver knows after a crash which rows exist.
 */

import type { ClosingLine } from '../../schemas/closing-line.ts'
import type { EventRow } from '../../schemas/event.ts'
import type { GameResultRow } from '../../schemas/game-result.ts'
import { hashIdentity, selectionText } from '../../schemas/ids.ts'
import type { LifeFigures, OpportunityLife } from '../../schemas/opportunity-life.ts'
import { type PriceChange, priceChange } from '../../schemas/price-change.ts'
import { rowType } from '../../schemas/reference/markets.ts'
import type { SplitSnapshot } from '../../schemas/splits.ts'
import { type Topic, topics } from '../../schemas/topics.ts'
import type { UsageRow } from '../../schemas/usage.ts'
import type { ArchiveRow } from './archive.ts'

/** The place of a record on the log, which orders two records of one partition. */
interface LogPlace {
  readonly log_epoch: string
  readonly log_offset: number
}

export interface ArchivedTable<Row = never> {
  readonly topic: Topic<Row>
  readonly table: string
  /** The column, of value `at` (epoch ms), by whose month the table is partitioned; null for none. */
  readonly timeColumn: string | null
  at(row: Row): number
  /** Returns the columns of a row, without its place on the log. */
  columns(row: Row): ArchiveRow
  /** Rows of other tables that follow from the record; inserting them again changes nothing. */
  readonly beside?: {
    readonly table: string
    columns(row: Row, place: LogPlace): ArchiveRow | null
  }
}

const priceChanges: ArchivedTable<PriceChange> = {
  topic: topics.priceChanges,
  table: 'price_changes',
  timeColumn: 'at',
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
        market_type: rowType(of.marketType),
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

/** Events: the row inserted last counts. A second table has every row of each event. */
const events: ArchivedTable<EventRow> = {
  topic: topics.events,
  table: 'events',
  timeColumn: null,
  at: ({ updatedAt }) => updatedAt,
  columns: (event) => ({
    event_id: event.id,
    sport: event.sport,
    league: event.league,
    home_team: event.homeTeam,
    away_team: event.awayTeam,
    flipped: event.flipped,
    listed_home: event.listedHome ?? null,
    listed_away: event.listedAway ?? null,
    starts_at: archiveTime(event.startsAt),
    status: event.status,
    updated_at: archiveTime(event.updatedAt),
  }),
  beside: {
    table: 'event_changes',
    columns: (row, place) => ({
      event_id: row.id,
      sport: row.sport,
      league: row.league,
      league_mapped: row.leagueMapped,
      home_team: row.homeTeam,
      away_team: row.awayTeam,
      listed_home: row.listedHome ?? null,
      listed_away: row.listedAway ?? null,
      flipped: row.flipped,
      starts_at: archiveTime(row.startsAt),
      status: row.status,
      is_live: row.isLive,
      updated_at: archiveTime(row.updatedAt),
      ...place,
    }),
  },
}

/**
 * Closes. A corrected close has two rows; the one captured last counts, even if it takes the close
 * back (`isCaptured`).
 */
const closingLines: ArchivedTable<ClosingLine> = {
  topic: topics.closingLines,
  table: 'closing_lines',
  timeColumn: 'starts_at',
  at: ({ startsAt }) => startsAt,
  columns: (line) => ({
    event_id: line.eventId,
    odds_id: line.oddsId,
    sport: line.sport,
    league: line.league,
    sportsbook: line.sportsbook,
    market_type: rowType(line.marketType),
    selection: line.selection,
    selection_type: line.selectionType,
    line: line.line,
    player_name: line.playerName,
    stat_category: line.statCategory,
    starts_at: archiveTime(line.startsAt),
    captured_at: archiveTime(line.capturedAt),
    priced_at: line.pricedAt === null ? null : archiveTime(line.pricedAt),
    price: line.price,
    no_vig: line.noVig,
    withheld: line.withheld,
    missing: line.missing,
    missing_since: line.missingSince === null ? null : archiveTime(line.missingSince),
    selection_key: selectionKey(line),
  }),
}

/** Returns a key of a selection within an event, the same at every sportsbook. */
function selectionKey(line: ClosingLine): string {
  const { marketType, playerName, selectionType, selection } = line
  const { a, b, c, d } = hashIdentity(
    selectionText(rowType(marketType), line.line, playerName, selectionType, selection),
  )
  const [low, high] = [0x1_0000 * b + a, 0x1_0000 * d + c]
  return String((BigInt(high) << 32n) | BigInt(low))
}

/** Splits of a game by source book, every five minutes; a market without figures is empty. */
const splits: ArchivedTable<SplitSnapshot> = {
  topic: topics.splitSnapshots,
  table: 'splits',
  timeColumn: 'at',
  at: ({ at }) => at,
  columns: ({ eventId, league, sportsbook, at, flipped, moneyline, spread, total }) => ({
    event_id: eventId,
    league,
    sportsbook,
    at: archiveTime(at),
    flipped,
    moneyline_away_price: moneyline?.awayPrice ?? null,
    moneyline_home_price: moneyline?.homePrice ?? null,
    moneyline_handle: moneyline?.handle ?? [],
    moneyline_bets: moneyline?.bets ?? [],
    spread_away_line: spread?.awayLine ?? null,
    spread_home_line: spread?.homeLine ?? null,
    spread_handle: spread?.handle ?? [],
    spread_bets: spread?.bets ?? [],
    total_line: total?.line ?? null,
    total_handle: total?.handle ?? [],
    total_bets: total?.bets ?? [],
  }),
}

/** How games ended: the row inserted last counts. Reports are one text of JSON, read back whole. */
const gameResults: ArchivedTable<GameResultRow> = {
  topic: topics.gameResults,
  table: 'game_results',
  timeColumn: null,
  at: ({ startsAt }) => startsAt,
  columns: ({ eventId, sport, league, startsAt, status, reports }) => ({
    event_id: eventId,
    sport,
    league,
    starts_at: archiveTime(startsAt),
    status,
    reports: JSON.stringify(reports),
  }),
}

/** Lives of opportunities. Legs and their prices are lists of one length. */
const opportunityLives: ArchivedTable<OpportunityLife> = {
  topic: topics.opportunityLives,
  table: 'opportunity_lives',
  timeColumn: 'detected_at',
  at: ({ detected }) => detected.at,
  columns: ({ legs, detected, peak, gone, ...life }) => ({
    id: life.id,
    kind: life.kind,
    event_id: life.eventId,
    sport: life.sport,
    league: life.league,
    market_type: rowType(life.marketType),
    player_name: life.playerName,
    is_live: life.isLive,
    is_suspected: life.isSuspected,
    scopes: life.scopes,
    sharp_books: life.references,
    why: life.why,
    leg_odds_ids: legs.map(({ oddsId }) => oddsId),
    leg_sportsbooks: legs.map(({ sportsbook }) => sportsbook),
    leg_selection_types: legs.map(({ selectionType }) => selectionType),
    leg_lines: legs.map(({ line }) => line),
    ...figureColumns('detected', detected),
    ...figureColumns('peak', peak),
    ...figureColumns('gone', gone),
  }),
}

const figureColumns = (when: string, { at, worth, prices }: LifeFigures) => ({
  [`${when}_at`]: archiveTime(at),
  [`${when}_worth`]: worth,
  [`${when}_prices`]: prices,
})

/**
 * Requests of a key on a day, by family of routes. A row is written again when its count grows; the
 * highest applies.
 */
const usageByDay: ArchivedTable<UsageRow> = {
  topic: topics.usage,
  table: 'usage_by_day',
  timeColumn: 'day',
  at: ({ day }) => day * dayMs,
  columns: ({ accountId, keyId, day, writer, requests, byFamily }) => ({
    account_id: accountId,
    key_id: keyId,
    day: archiveTime(day * dayMs).slice(0, 10),
    writer,
    requests,
    by_family: byFamily,
  }),
}

const dayMs = 86_400_000

/** The tables, in the order in which the rows of one commit are inserted. */
export const archivedTables: readonly ArchivedTable[] = [
  events as ArchivedTable,
  priceChanges as ArchivedTable,
  closingLines as ArchivedTable,
  splits as ArchivedTable,
  opportunityLives as ArchivedTable,
  gameResults as ArchivedTable,
  usageByDay as ArchivedTable,
]

/** The tables that are filled beside others: their rows are inserted first. */
export const besideTables: readonly string[] = archivedTables.flatMap(
  ({ beside }) => beside?.table ?? [],
)

/** Returns the text that ClickHouse reads as DateTime64 from JSON, in UTC. */
export function archiveTime(at: number): string {
  return new Date(at).toISOString().replace('T', ' ').slice(0, -1)
}
