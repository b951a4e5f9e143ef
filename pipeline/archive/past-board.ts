/**
 * The board at a past time: the queried events, and their prices then. The archive has neither the
 * times when prices were last seen nor their attributes; see `PastPrice`. A price's changes show
 * whether it dates from before the start, as in `latest-odds.ts`. For a price that is first listed
 * in play they do not: the archive lacks the sportsbook's own time of the price.
 */

import { priceChange } from '../../schemas/price-change.ts'
import { archiveTime } from './archived-tables.ts'
import { place, type Statement, withEpochs } from './shown-prices.ts'

/** A query for events, in our ids; at least one field is set. */
export interface PastEventsQuery {
  /** Epoch ms. */
  readonly at: number
  readonly eventIds: readonly string[] | undefined
  readonly leagues: readonly string[] | undefined
  readonly sports: readonly string[] | undefined
}

export interface PastEvent {
  readonly event_id: string
  readonly sport: string
  readonly league: string
  readonly league_mapped: boolean
  readonly home_team: string
  readonly away_team: string
  readonly listed_home: string | null
  readonly listed_away: string | null
  readonly flipped: boolean
  /** Times in the archive's format. */
  readonly starts_at: string
  readonly status: string
  readonly is_live: boolean
  readonly updated_at: string
}

export interface PastPrice {
  readonly id: string
  readonly event_id: string
  readonly league: string
  readonly sportsbook: string
  readonly market_type: string
  readonly selection: string
  readonly selection_type: string
  readonly line: number | null
  readonly player_name: string | null
  readonly stat_category: string | null
  readonly price: number
  readonly is_live: boolean
  readonly is_active: boolean
  /** Whether it is in play but has not moved since play began. */
  readonly is_stale_pregame: boolean
  /** When it last changed in any way. */
  readonly observed_at: string
  /** When the price or `is_live` last changed; null if not since it was listed. */
  readonly changed_at: string | null
}

/** An event has prices for at most this many days after its start. */
const mostDays = 14

const conditionsOf = ({ eventIds, leagues, sports }: PastEventsQuery) =>
  [
    ...(eventIds ? ['event_id IN {events:Array(String)}'] : []),
    ...(leagues ? ['league IN {leagues:Array(String)}'] : []),
    ...(sports ? ['sport IN {sports:Array(String)}'] : []),
    "updated_at <= {at:DateTime64(3, 'UTC')}",
  ].join(' AND ')

const parametersOf = ({ at, eventIds, leagues, sports }: PastEventsQuery) => ({
  at: archiveTime(at),
  ...(eventIds && { events: eventIds }),
  ...(leagues && { leagues }),
  ...(sports && { sports }),
})

const thenNewest = (query: PastEventsQuery) => `(
  SELECT * FROM event_changes WHERE ${conditionsOf(query)}
  ORDER BY ${place} DESC LIMIT 1 BY event_id
)`
const mayHavePrices = `starts_at > {at:DateTime64(3, 'UTC')} - INTERVAL ${mostDays} DAY`

/** Returns the past rows of the events that may have had prices. */
export const pastEvents = (query: PastEventsQuery): Statement => ({
  statement: `${withEpochs} SELECT * FROM ${thenNewest(query)} WHERE ${mayHavePrices}`,
  parameters: parametersOf(query),
})

/** Returns the prices at that time, by event and sportsbook. @param most rows of the result */
export function pastPrices(query: PastEventsQuery, most: number): Statement {
  const { listed, price, live, withdrawn } = priceChange
  const ofEvents = `event_id IN (SELECT event_id FROM ${thenNewest(query)} WHERE ${mayHavePrices})`
  return {
    statement: `${withEpochs} SELECT toString(odds_id) AS id, p.* EXCEPT (odds_id),
      tupleElement(newest, 1) AS price, tupleElement(newest, 2) AS is_live,
      tupleElement(newest, 3) AS is_active,
      toBool(is_live AND went_live > was_listed AND went_live > moved) AS is_stale_pregame, observed_at,
      if(moved_at >= listed_at AND toUnixTimestamp64Milli(moved_at) > 0, moved_at, NULL) AS changed_at
    FROM (
      SELECT odds_id, max(at) AS observed_at,
        argMax((price, is_live, is_active, what), ${place}) AS newest,
        maxIf(at, bitAnd(what, ${price | live}) != 0) AS moved_at,
        maxIf(at, bitAnd(what, ${listed}) != 0) AS listed_at,
        maxIf(${place}, bitAnd(what, ${live}) != 0) AS went_live,
        maxIf(${place}, bitAnd(what, ${listed}) != 0) AS was_listed,
        maxIf(${place}, bitAnd(what, ${price}) != 0) AS moved
      FROM price_changes WHERE at <= {at:DateTime64(3, 'UTC')} AND ${ofEvents}
      GROUP BY event_id, odds_id
      HAVING bitAnd(tupleElement(newest, 4), ${withdrawn}) = 0
    ) AS c
    INNER JOIN (
      SELECT odds_id, event_id, league, sportsbook, market_type, selection, selection_type, line,
        player_name, stat_category
      FROM prices WHERE ${ofEvents} ORDER BY listed_at DESC LIMIT 1 BY odds_id
    ) AS p USING (odds_id)
    ORDER BY event_id, sportsbook
    LIMIT {most:UInt32}`,
    parameters: { ...parametersOf(query), most },
  }
}

export interface NewestChange {
  /** The time 0 for an empty archive. */
  readonly at: string
}

/** The time of the newest change, without reading rows. */
export const newestChange: Statement = {
  statement: 'SELECT max(at) AS at FROM price_changes',
  parameters: {},
}
