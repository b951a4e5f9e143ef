/** The history of opportunities that have ended: each one's worth when detected, at its peak and last. */

import type { OpportunityKind } from '../../schemas/opportunity.ts'
import type { LifeEnd } from '../../schemas/opportunity-life.ts'
import { archiveTime } from './archived-tables.ts'
import type { Period } from './price-history.ts'
import { cell, sheetParameters } from './sheet-cells.ts'
import {
  place,
  type SeenSportsbooks,
  type Statement,
  seenParameters,
  shownDecimal,
  shownLine,
  shownParameters,
  shownType,
  withEpochs,
} from './shown-prices.ts'

export interface LivesQuery {
  /** The period of detection. */
  readonly period: Period
  readonly kinds: readonly OpportunityKind[]
  /** `scopeBit`s, one of which must have seen it. */
  readonly scopes: number
  /**
   * The filter of sportsbooks: at least one leg is at one of the queried ones; no leg, and no sharp book, is at a
   * hidden one.
   */
  readonly sportsbooks: SeenSportsbooks
  /** In our ids; undefined for all. */
  readonly eventIds: readonly string[] | undefined
  readonly leagues: readonly string[] | undefined
  readonly sports: readonly string[] | undefined
  readonly marketTypes: readonly string[] | undefined
  readonly isLive: boolean | undefined
  /** The least worth at the peak, as shown (percent with two decimals); undefined for any. */
  readonly leastPercent: number | undefined
}

/** One leg of a life; the legs of one life are adjacent, in the order of the sides. */
export interface ArchivedLifeLeg {
  readonly id: string
  readonly kind: OpportunityKind
  readonly event_id: string
  readonly sport: string
  readonly league: string
  readonly home_team: string
  readonly away_team: string
  readonly event_start_time: string
  readonly market_type: string
  readonly player_name: string | null
  readonly is_live: boolean
  readonly is_mismatch_suspected: boolean
  readonly sharp_books: readonly string[]
  readonly why: LifeEnd
  readonly detected_at: string
  readonly detected_percent: number
  readonly peak_at: string
  readonly peak_percent: number
  readonly gone_at: string
  readonly gone_percent: number
  /** Its place among the legs, from 1. */
  readonly leg: number
  readonly odds_id: string
  readonly sportsbook: string
  readonly selection_type: string
  readonly line: number | null
  /** Decimal odds; in a file as they are shown. */
  readonly detected_odds: number
  readonly peak_odds: number
  readonly gone_odds: number
  /** The number of lives in the whole result, and this one's place on the page, from 1. */
  readonly total: number
  readonly rank: number
}

const percent = (worth: string) => `floor(${worth} * 1e4 + 0.5) / 1e2`

/** A total order: no two rows are equal in it. */
const order = 'detected_at DESC, id, indexOf(epochs, log_epoch), log_partition, log_offset'

/**
 * @param isSheet whether the result is a file for a spreadsheet
 * @param page of lives; absent for all of them, as a file
 * @returns the legs; the newest life first
 */
export function opportunityLives(
  query: LivesQuery,
  isSheet: boolean,
  page?: { readonly limit: number; readonly offset: number },
): Statement {
  const { eventIds, leagues, sports, marketTypes, isLive, leastPercent, sportsbooks } = query
  const conditions = [
    "detected_at >= {from:DateTime64(3, 'UTC')} AND detected_at < {to:DateTime64(3, 'UTC')}",
    'bitAnd(scopes, {scopes:UInt8}) != 0',
    'kind IN {kinds:Array(String)}',
    '(empty({only:Array(String)}) OR hasAny(leg_sportsbooks, {only:Array(String)}))',
    'NOT hasAny(arrayConcat(leg_sportsbooks, sharp_books), {hidden:Array(String)})',
    ...(eventIds ? ['event_id IN {events:Array(String)}'] : []),
    ...(leagues ? ['league IN {leagues:Array(String)}'] : []),
    ...(sports ? ['sport IN {sports:Array(String)}'] : []),
    ...(marketTypes ? ['market_type IN {markets:Array(String)}'] : []),
    ...(isLive === undefined ? [] : ['is_live = {is_live:Bool}']),
    ...(leastPercent === undefined ? [] : [`${percent('peak_worth')} >= {least:Float64}`]),
  ]
  const odds = (price: string) => (page ? price : shownDecimal(price))
  return {
    statement: `${withEpochs},
    lives AS (SELECT * FROM opportunity_lives WHERE ${conditions.join(' AND ')}),
    selected AS (
      SELECT * FROM lives ORDER BY ${order}
      ${page ? 'LIMIT {limit:UInt32} OFFSET {offset:UInt32}' : ''}
    ),
    ranked AS (SELECT *, toUInt32(row_number() OVER (ORDER BY ${order})) AS rank FROM selected),
    legs AS (
      SELECT *, leg, price_id, sportsbook, selection_type, line,
        detected_price, peak_price, gone_price
      FROM ranked
      ARRAY JOIN arrayEnumerate(leg_odds_ids) AS leg, leg_odds_ids AS price_id,
        leg_sportsbooks AS sportsbook, leg_selection_types AS selection_type, leg_lines AS line,
        detected_prices AS detected_price, peak_prices AS peak_price, gone_prices AS gone_price
    ),
    shown AS (
      SELECT *, ${shownType} AS shown_type, ${shownLine} AS shown_line
      FROM legs
      INNER JOIN (
        SELECT event_id, home_team, away_team, starts_at, flipped
        FROM event_changes WHERE event_id IN (SELECT event_id FROM selected)
        ORDER BY ${place} DESC LIMIT 1 BY event_id
      ) AS e USING (event_id)
    )
    SELECT id, kind, ${cell('event_id')}, sport, league, ${cell('home_team')}, ${cell('away_team')},
      starts_at AS event_start_time, ${cell('market_type')}, ${cell('player_name')}, is_live,
      is_suspected AS is_mismatch_suspected, sharp_books, why,
      detected_at, ${percent('detected_worth')} AS detected_percent,
      peak_at, ${percent('peak_worth')} AS peak_percent,
      gone_at, ${percent('gone_worth')} AS gone_percent,
      leg, toString(price_id) AS odds_id, sportsbook, shown_type AS selection_type,
      shown_line AS line, ${odds('detected_price')} AS detected_odds,
      ${odds('peak_price')} AS peak_odds, ${odds('gone_price')} AS gone_odds,
      (SELECT toUInt32(count()) FROM lives) AS total, rank
    FROM shown
    ORDER BY rank, leg`,
    parameters: {
      ...shownParameters,
      ...sheetParameters(isSheet),
      ...seenParameters(sportsbooks),
      from: archiveTime(query.period.from),
      to: archiveTime(query.period.to),
      scopes: query.scopes,
      kinds: query.kinds,
      ...(eventIds && { events: eventIds }),
      ...(leagues && { leagues }),
      ...(sports && { sports }),
      ...(marketTypes && { markets: marketTypes }),
      ...(isLive !== undefined && { is_live: isLive ? 1 : 0 }),
      ...(leastPercent !== undefined && { least: leastPercent }),
      ...page,
    },
  }
}
