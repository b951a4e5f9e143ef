/**
 * Queries of the history of prices: every change of one price; the prices of events with open,
 * moves and close; the changes of many events as a file.
 */

import { priceChange } from '../../schemas/price-change.ts'
import type { WithheldCloseReason } from '../../schemas/withheld-price.ts'
import type { Parameters } from './archive.ts'
import { archiveTime } from './archived-tables.ts'
import { cell, sheetParameters } from './sheet-cells.ts'
import {
  changedNames,
  isCaptured,
  isMove,
  oddsColumns,
  place,
  priceBefore,
  type SeenSportsbooks,
  type Statement,
  seenCondition,
  seenParameters,
  shownParameters,
  shownPrices,
  shownWithheld,
  withEpochs,
} from './shown-prices.ts'

/** From, inclusive, to, exclusive (epoch ms). */
export interface Period {
  readonly from: number
  readonly to: number
}

/** A period that includes everything in the archive. */
export const always: Period = { from: 0, to: Date.parse('2200-01-01T00:00:00Z') }

const during = (column: string) =>
  `${column} >= {from:DateTime64(3, 'UTC')} AND ${column} < {to:DateTime64(3, 'UTC')}`
const periodParameters = ({ from, to }: Period): Parameters => ({
  from: archiveTime(from),
  to: archiveTime(to),
})

/** Parses a time of the archive: in rows its own format, in files RFC 3339. @returns epoch ms */
export const instantOf = (text: string): number =>
  Date.parse(text.endsWith('Z') ? text : `${text.replace(' ', 'T')}Z`)

// ---- one price

export interface ArchivedPrice {
  readonly event_id: string
  readonly league: string
  readonly sport: string
  readonly home_team: string
  readonly away_team: string
  readonly starts_at: string
  readonly sportsbook: string
  readonly market_type: string
  readonly shown_selection: string
  readonly shown_type: string
  readonly shown_line: number | null
  readonly player_name: string | null
  readonly stat_category: string | null
}

/** Returns the selection of a price; one row or none. */
export const archivedPrice = (oddsId: string): Statement => ({
  statement: `${withEpochs} SELECT * EXCEPT (odds_id) FROM ${shownPrices(
    'odds_id = {id:UInt64}',
    'event_id IN (SELECT event_id FROM prices WHERE odds_id = {id:UInt64})',
  )}`,
  parameters: { ...shownParameters, id: oddsId },
})

export interface ArchivedChange {
  readonly at: string
  readonly odds_american: number
  readonly odds_decimal: number
  readonly odds_probability: number
  readonly is_live: boolean
  readonly is_active: boolean
  /** Names of changes, with blanks between them. */
  readonly changed: string
}

const changeColumns = `at, ${oddsColumns('price')}, is_live, is_active, ${changedNames} AS changed`

/** Returns every change of one price, the oldest first. */
export const changesOfPrice = (eventId: string, oddsId: string, period: Period): Statement => ({
  statement: `${withEpochs} SELECT ${changeColumns} FROM price_changes
    WHERE event_id = {event:String} AND odds_id = {id:UInt64} AND ${during('at')}
    ORDER BY ${place}`,
  parameters: { event: eventId, id: oddsId, ...periodParameters(period) },
})

/** Counts the rows of `changesOfPrice`. */
export const countOfPrice = (eventId: string, oddsId: string, period: Period): Statement => ({
  statement: `SELECT toUInt32(count()) AS total FROM price_changes
    WHERE event_id = {event:String} AND odds_id = {id:UInt64} AND ${during('at')}`,
  parameters: { event: eventId, id: oddsId, ...periodParameters(period) },
})

/** Returns a part of the rows of an ordered statement. */
export const pageOf = (
  { statement, parameters }: Statement,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Statement => ({
  statement: `${statement}\nLIMIT {limit:UInt32} OFFSET {offset:UInt64}`,
  parameters: { ...parameters, limit, offset },
})

// ---- events

/** A query for the prices of events. */
export interface EventPrices {
  readonly eventIds: readonly string[]
  readonly sportsbooks: SeenSportsbooks
  /** Undefined for all. */
  readonly marketTypes: readonly string[] | undefined
  /** The most points of a course; undefined: the newest moves instead. */
  readonly points?: number | undefined
}

/** The time, decimal odds, and whether it was in play. */
export type Point = readonly [at: string, price: number, isLive: boolean]

export interface EventPrice extends ArchivedPrice {
  readonly id: string
  readonly total: number
  readonly open_at: string
  readonly open_price: number
  readonly last_at: string
  readonly last_price: number
  readonly is_withdrawn: boolean
  readonly move_count: number
  /** The newest moves, in order; empty if the query asks for courses. */
  readonly moves: readonly Point[]
  /**
   * Its course from the first change to the last, if the query has `points`. A price of 0 means
   * that no bet was taken.
   */
  readonly course?: readonly Point[]
  readonly close_at: string | null
  readonly close_price: number | null
  readonly close_no_vig: number | null
  readonly close_withheld: WithheldCloseReason | null
  readonly close_missing: string | null
  readonly is_captured: boolean
}

/** The most moves of one price in the result about an event; the history of one price has all. */
const mostMoves = 100

/** A corrected close may have the same capture time: then the later one on the log counts. */
const newestClose = `captured_at DESC, ${place} DESC`

const ofMarkets = '(empty({markets:Array(String)}) OR market_type IN {markets:Array(String)})'

/** The most points of a course per part: if any two may have a gap between them, and if none do. */
const mostOfPart = { withGaps: 7, withoutGaps: 4 }

/**
 * Returns the course of each price of an event in few points: its time is cut in equal parts, and
 * each has the first and the last change, the lowest price and the highest. No line may be drawn
 * over a time without bets. If few points are enough, the course has the start and the end of each
 * such time; otherwise, between two of its points, the start of the first one. If a price has no
 * more changes than that, it has all.
 */
const priceCourses = (condition: string) => `
  SELECT odds_id, arrayMap(one -> (one.2, one.3, one.4),
    arraySort(arrayDistinct(arrayFlatten(groupArray(arrayConcat(kept, between)))))) AS course
  FROM (
    SELECT odds_id, part, arraySort(arrayDistinct(arrayFilter(one -> one.5 = 1, [
      min(change), max(change),
      argMinIf(change, (change.3, change.1), change.3 > 0),
      argMaxIf(change, (change.3, change.1), change.3 > 0)
    ]))) AS kept,
    arraySort(groupArrayIf(change, change.3 = 0)) AS gaps,
    if(any(has_edges), groupArrayIf(change, is_edge), arrayFilter(one -> one.5 = 1, arrayMap(
      (before, after) -> arrayFirst(gap -> gap.1 > before.1 AND gap.1 < after.1, gaps),
      arrayPopBack(kept), arrayPopFront(kept)
    ))) AS between
    FROM (
      SELECT odds_id, change, is_edge,
        count() OVER all <= {points:UInt32} AS fits,
        countIf(is_edge) OVER all AS edges,
        2 * edges <= {points:UInt32} AS has_edges,
        intDiv(if(has_edges, {points:UInt32} - edges, {points:UInt32}),
          if(has_edges, ${mostOfPart.withoutGaps}, ${mostOfPart.withGaps})) AS parts,
        if(fits, toInt64(change.1), intDiv(ms - min(ms) OVER all,
          intDiv(max(ms) OVER all - min(ms) OVER all, parts) + 1)) AS part
      FROM (
        SELECT odds_id, ms, change, (change.3 = 0) != (lagInFrame(change.3, 1, change.3) OVER (
          PARTITION BY odds_id ORDER BY change.1 ROWS BETWEEN 1 PRECEDING AND CURRENT ROW
        ) = 0) AS is_edge
        FROM (
          SELECT odds_id, toUnixTimestamp64Milli(at) AS ms, (
            ${place}, at,
            if(is_active AND bitAnd(what, ${priceChange.withdrawn}) = 0, price, 0), is_live, toUInt8(1)
          ) AS change
          FROM price_changes WHERE ${condition}
        )
      )
      WINDOW all AS (PARTITION BY odds_id)
    )
    GROUP BY odds_id, part
  )
  GROUP BY odds_id`

const ofEvents = 'event_id IN {events:Array(String)}'

/** Returns the prices of events, by event, market, selection and sportsbook, each with its open, moves and close. */
export function pricesOfEvents(query: EventPrices): Statement {
  const { eventIds, sportsbooks, marketTypes, points } = query
  const seen = seenParameters(sportsbooks)
  const { listed, withdrawn } = priceChange
  // A price may still exist when the change that listed it is deleted.
  const openFirst = `(bitAnd(what, ${listed}) = 0, place)`
  const newestMoves = `arrayMap(one -> (one.2, one.3, one.4), arraySlice(
          arraySort(groupArrayIf((place, at, price, is_live), ${isMove})), -${mostMoves}
        ))`
  return {
    statement: `${withEpochs} SELECT toString(odds_id) AS id, p.* EXCEPT (odds_id), c.* EXCEPT (odds_id),
      priced_at AS close_at, l.price AS close_price, no_vig AS close_no_vig,
      ${shownWithheld} AS close_withheld, missing AS close_missing, toBool(l.odds_id != 0) AS is_captured,
      toUInt32(count() OVER ()) AS total${points === undefined ? '' : ', course'}
    FROM (
      SELECT odds_id,
        argMin(at, ${openFirst}) AS open_at,
        argMin(price, ${openFirst}) AS open_price,
        argMax(at, place) AS last_at,
        argMax(price, place) AS last_price,
        toBool(bitAnd(argMax(what, place), ${withdrawn}) != 0) AS is_withdrawn,
        toUInt32(countIf(${isMove})) AS move_count,
        ${points === undefined ? newestMoves : '[]'} AS moves
      FROM (
        SELECT odds_id, at, ${place} AS place, price, is_live, what, ${priceBefore} AS before
        FROM price_changes WHERE ${ofEvents}
      )
      GROUP BY odds_id
    ) AS c
    INNER JOIN ${shownPrices(
      `${ofEvents} AND ${seenCondition} AND ${ofMarkets}`,
      ofEvents,
    )} AS p USING (odds_id)
    ${
      points === undefined
        ? ''
        : `INNER JOIN (${priceCourses(`${ofEvents} AND odds_id IN (
      SELECT odds_id FROM prices WHERE ${ofEvents} AND ${ofMarkets}
    )`)}) AS k USING (odds_id)`
    }
    LEFT JOIN (
      SELECT * FROM (
        SELECT odds_id, priced_at, price, no_vig, withheld, missing FROM closing_lines
        WHERE ${ofEvents} ORDER BY ${newestClose} LIMIT 1 BY odds_id
      ) WHERE ${isCaptured}
    ) AS l USING (odds_id)
    ORDER BY event_id, market_type, ifNull(player_name, ''), ifNull(abs(shown_line), 0), shown_type,
      shown_selection, sportsbook, shown_line, odds_id`,
    parameters: {
      ...shownParameters,
      ...seen,
      events: eventIds,
      markets: marketTypes ?? [],
      ...(points !== undefined && { points }),
    },
  }
}

export interface ArchivedEvent {
  readonly event_id: string
  readonly sport: string
  readonly league: string
  readonly home_team: string
  readonly away_team: string
  readonly starts_at: string
  readonly status: string
}

/**
 * Returns the last row of the event; one row or none.
 * @param hidden sportsbooks to treat as unknown: another must have had a price
 */
export const archivedEvent = (eventId: string, hidden: readonly string[]): Statement => ({
  statement: `${withEpochs} SELECT event_id, sport, league, home_team, away_team, starts_at, status
    FROM event_changes WHERE event_id = {event:String} AND (empty({hidden:Array(String)})
      OR event_id IN (SELECT event_id FROM prices
        WHERE event_id = {event:String} AND sportsbook NOT IN {hidden:Array(String)}))
    ORDER BY ${place} DESC LIMIT 1`,
  parameters: { event: eventId, hidden },
})

// ---- many changes, as a file

/** A query for the changes of a file. */
export interface ChangesQuery {
  readonly period: Period
  readonly sportsbooks: SeenSportsbooks
  /** In our ids; undefined for all. */
  readonly eventIds: readonly string[] | undefined
  readonly leagues: readonly string[] | undefined
  readonly sports: readonly string[] | undefined
  readonly marketTypes: readonly string[] | undefined
}

const eventConditionOf = ({ eventIds, leagues, sports }: ChangesQuery) => {
  const conditions = [
    ...(eventIds ? [ofEvents] : []),
    ...(leagues ? ['league IN {leagues:Array(String)}'] : []),
    ...(sports ? ['sport IN {sports:Array(String)}'] : []),
  ]
  return conditions.length === 0 ? '1' : conditions.join(' AND ')
}

const parametersOf = (query: ChangesQuery, isSheet: boolean): Parameters => ({
  ...shownParameters,
  ...periodParameters(query.period),
  ...(query.eventIds && { events: query.eventIds }),
  ...(query.leagues && { leagues: query.leagues }),
  ...(query.sports && { sports: query.sports }),
  markets: query.marketTypes ?? [],
  ...sheetParameters(isSheet),
})

/** The selection's columns in a file. */
const lineHead = `${cell('event_id')}, sport, league, ${cell('home_team')},
      ${cell('away_team')}, starts_at AS event_start_time, toString(odds_id) AS id, sportsbook,
      ${cell('market_type')}, ${cell('shown_selection', 'selection')},
      shown_type AS selection_type, shown_line AS line, ${cell('player_name')}`

/**
 * Returns every change of the queried prices by event and price, in the order of the log.
 * @param isSheet whether the file is for a spreadsheet
 */
export function changesOf(query: ChangesQuery, isSheet: boolean): Statement {
  const seen = seenParameters(query.sportsbooks)
  const ofEvents = `event_id IN (SELECT event_id FROM event_changes WHERE ${eventConditionOf(query)})`
  const inPeriod = `event_id IN (SELECT event_id FROM price_changes WHERE ${during('at')} AND ${ofEvents})`
  return {
    statement: `${withEpochs} SELECT ${lineHead},
      ${changeColumns}
    FROM (
      SELECT event_id, odds_id, at, ${place} AS place, price, is_live, is_active, what
      FROM price_changes WHERE ${during('at')} AND ${ofEvents}
    ) AS c
    INNER JOIN ${shownPrices(`${seenCondition} AND ${ofMarkets} AND ${inPeriod}`, inPeriod)}
      AS p USING (event_id, odds_id)
    ORDER BY c.event_id, c.odds_id, place`,
    parameters: { ...parametersOf(query, isSheet), ...seen },
  }
}

/**
 * Returns the closes of the queried prices, or the reason of a missing one, for events that start within the period.
 * @param isSheet whether the file is for a spreadsheet
 */
export function closesOf(query: ChangesQuery, isSheet: boolean): Statement {
  const seen = seenParameters(query.sportsbooks)
  const starting = `event_id IN (
    SELECT event_id FROM closing_lines WHERE ${during('starts_at')}
  ) AND event_id IN (SELECT event_id FROM event_changes WHERE ${eventConditionOf(query)})`
  return {
    statement: `${withEpochs} SELECT ${lineHead}, captured_at, priced_at,
      ${oddsColumns('price')}, no_vig AS no_vig_probability, ${shownWithheld} AS withheld, missing, missing_since
    FROM (
      SELECT odds_id, event_id, starts_at AS closes_for, captured_at, priced_at, price, no_vig, withheld,
        missing, missing_since
      FROM closing_lines WHERE ${starting} ORDER BY ${newestClose} LIMIT 1 BY odds_id
    ) AS l
    INNER JOIN ${shownPrices(`${seenCondition} AND ${ofMarkets} AND ${starting}`, starting)}
      AS p USING (event_id, odds_id)
    WHERE ${during('closes_for')} AND ${isCaptured}
    ORDER BY l.event_id, l.odds_id`,
    parameters: { ...parametersOf(query, isSheet), ...seen },
  }
}
