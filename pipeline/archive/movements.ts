/**
 * Movements (the trade says steam): several sportsbooks move the same selection the same way within
 * a short time.
 *
 * A **move** is one change of a listed price by at least `leastMove` in implied probability.
 * (`moves.ts` of the rules finds steam as it comes.) No moves are: the change from pregame to in
 * play, or back; and changes of pregame prices of a game that is in play, postponed or over
 * (`behind-play.ts`). A **hot window** is `seconds` long, begins with a move, and has moves of the
 * same selection in the same direction at `leastSportsbooks` different sportsbooks or more. A
 * movement is the union of overlapping hot windows; so it may last longer than one window, it does
 * not depend on where counting begins, and no move is in two movements. A selection includes its
 * line: if the line moves, it is another selection. In play it is another one than before the game.
 */

import { eventStatuses } from '../../schemas/feed-record.ts'
import { priceChange } from '../../schemas/price-change.ts'
import { isOpen } from '../rules/games/event-end.ts'
import { moveSlack } from '../rules/odds/moves.ts'
import { archiveTime } from './archived-tables.ts'
import type { Period } from './price-history.ts'
import { cell, sheetParameters } from './sheet-cells.ts'
import {
  oddsColumns,
  place,
  priceBefore,
  type SeenSportsbooks,
  type Statement,
  seenCondition,
  seenParameters,
  shownDecimal,
  shownParameters,
  shownPrices,
  withEpochs,
} from './shown-prices.ts'

export interface MovementsQuery {
  /** The period in which the movements begin; their moves count up to `seconds` after it. */
  readonly period: Period
  readonly leastSportsbooks: number
  readonly seconds: number
  /** Implied probability, a fraction. */
  readonly leastMove: number
  readonly sportsbooks: SeenSportsbooks
  /** In our ids; undefined for all. */
  readonly eventIds: readonly string[] | undefined
  readonly leagues: readonly string[] | undefined
  readonly sports: readonly string[] | undefined
  readonly marketTypes: readonly string[] | undefined
  readonly isLive: boolean | undefined
}

/** One move of a movement; the moves of one movement are adjacent, in order of time. */
export interface MovementMove {
  readonly event_id: string
  readonly sport: string
  readonly league: string
  readonly home_team: string
  readonly away_team: string
  readonly event_start_time: string
  readonly market_type: string
  readonly selection: string
  readonly selection_type: string
  readonly line: number | null
  readonly player_name: string | null
  readonly direction: 'shortened' | 'drifted'
  /** The start and end of the movement: its first and its last move. */
  readonly began_at: string
  readonly ended_at: string
  /** The number of different sportsbooks. */
  readonly book_count: number
  readonly move_count: number
  readonly id: string
  readonly sportsbook: string
  readonly at: string
  readonly from_decimal: number
  readonly odds_american: number
  readonly odds_decimal: number
  readonly odds_probability: number
  /** The change of the implied probability, in percentage points; negative where the price drifted. */
  readonly points: number
  readonly is_live: boolean
  /** The number of movements in the whole result, and this one's place among them, from 1. */
  readonly total: number
  readonly rank: number
}

/** The statuses of a game without open bets. */
const closedStatuses = eventStatuses
  .filter((status) => !isOpen(status))
  .map((status) => `'${status}'`)
  .join(', ')

const selectionKey =
  'event_id, market_type, shown_type, shown_selection, shown_line, player_name, is_up, is_live'

/**
 * Whether a price was in play when it was last open or listed before a change; see `createTurns` of
 * the rules.
 */
const wasLive = `anyLastIf(is_live, is_active OR bitAnd(what, ${priceChange.listed}) != 0) OVER (
  PARTITION BY event_id, odds_id ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
)`

/**
 * @param isSheet whether the result is for a spreadsheet
 * @param page of movements; absent for all of them
 * @returns the moves; the newest movement first
 */
export function movements(
  query: MovementsQuery,
  isSheet: boolean,
  page?: { readonly limit: number; readonly offset: number },
): Statement {
  const { eventIds, leagues, sports, isLive, period } = query
  const windowMs = 1_000 * query.seconds
  const seen = seenParameters(query.sportsbooks)
  const conditions = [
    ...(eventIds ? ['event_id IN {events:Array(String)}'] : []),
    ...(leagues ? ['league IN {leagues:Array(String)}'] : []),
    ...(sports ? ['sport IN {sports:Array(String)}'] : []),
  ]
  const events = conditions.length === 0 ? '1' : conditions.join(' AND ')
  const ofEvents = `event_id IN (SELECT event_id FROM event_changes WHERE ${events})`
  // Moves before the period show which movements began earlier; moves after it complete the last
  // ones.
  const inReach = "at >= {reach_from:DateTime64(3, 'UTC')} AND at < {reach_to:DateTime64(3, 'UTC')}"
  const eventsMoved = `event_id IN (
    SELECT event_id FROM price_changes WHERE ${inReach} AND ${ofEvents}
  )`
  // The price before a move may be older than the period.
  const moves = `
    SELECT c.event_id AS event_id, odds_id, at, place, price, before, is_live,
      1 / price - 1 / before AS size
    FROM (
      SELECT event_id, odds_id, at, ${place} AS place, price, is_live, what,
        ${priceBefore} AS before, ${wasLive} AS was_live
      FROM price_changes WHERE at < {reach_to:DateTime64(3, 'UTC')} AND ${eventsMoved}
    ) AS c
    ASOF LEFT JOIN (
      SELECT event_id, updated_at, argMax(is_live, ${place}) AS is_in_play,
        argMax(status IN (${closedStatuses}), ${place}) AS is_closed
      FROM event_changes WHERE ${eventsMoved} GROUP BY event_id, updated_at
    ) AS e ON c.event_id = e.event_id AND c.at >= e.updated_at
    WHERE ${inReach} AND bitAnd(what, ${priceChange.price}) != 0 AND before > 0
      AND is_live = was_live AND NOT is_closed AND (is_live OR NOT is_in_play) AND abs(size) >= {least_move:Float64}
      ${isLive === undefined ? '' : 'AND is_live = {is_live:Bool}'}`
  return {
    statement: `${withEpochs},
    of_selections AS (
      SELECT *, size > 0 AS is_up, toUnixTimestamp64Milli(at) AS ms
      FROM (${moves}) AS c
      INNER JOIN ${shownPrices(
        `${seenCondition} AND (empty({markets:Array(String)}) OR market_type IN {markets:Array(String)}) AND ${eventsMoved}`,
        eventsMoved,
      )} AS p USING (event_id, odds_id)
    ),
    windows AS (
      SELECT *, uniqExact(sportsbook) OVER (
        PARTITION BY ${selectionKey} ORDER BY ms RANGE BETWEEN CURRENT ROW AND {window:UInt32} FOLLOWING
      ) >= {books:UInt32} AS is_hot
      FROM of_selections
    ),
    covered AS (
      SELECT *, max(if(is_hot, ms, 0)) OVER (
        PARTITION BY ${selectionKey} ORDER BY ms RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
      ) AS hot_from, max(if(is_hot, ms, 0)) OVER (
        PARTITION BY ${selectionKey} ORDER BY ms, place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      ) AS hot_before
      FROM windows
    ),
    numbered AS (
      SELECT *, sum(if(is_hot AND hot_before + {window:UInt32} < ms, 1, 0)) OVER (
        PARTITION BY ${selectionKey} ORDER BY ms RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
      ) AS number
      FROM covered WHERE hot_from > 0 AND ms <= hot_from + {window:UInt32}
    ),
    of_movements AS (
      SELECT *, min(at) OVER movement AS began_at, max(at) OVER movement AS ended_at,
        toUInt32(uniqExact(sportsbook) OVER movement) AS book_count,
        toUInt32(count() OVER movement) AS move_count
      FROM numbered
      WINDOW movement AS (PARTITION BY ${selectionKey}, number)
    ),
    placed AS (
      SELECT *, toUInt32(dense_rank() OVER (
        ORDER BY began_at DESC, ${selectionKey}, number
      )) AS rank
      FROM of_movements
      WHERE began_at >= {from:DateTime64(3, 'UTC')} AND began_at < {to:DateTime64(3, 'UTC')}
    ),
    counted AS (SELECT *, max(rank) OVER () AS total FROM placed)
    SELECT ${cell('event_id')}, sport, league, ${cell('home_team')}, ${cell('away_team')},
      starts_at AS event_start_time, ${cell('market_type')}, ${cell('shown_selection', 'selection')},
      shown_type AS selection_type, shown_line AS line, ${cell('player_name')},
      if(is_up, 'shortened', 'drifted') AS direction, began_at, ended_at, book_count, move_count,
      toString(odds_id) AS id, sportsbook, at, ${shownDecimal('before')} AS from_decimal,
      ${oddsColumns('price')}, round(100 * size, 2) AS points, is_live,
      total, rank
    FROM counted
    ${page ? 'WHERE rank > {offset:UInt32} AND rank <= {offset:UInt32} + {limit:UInt32}' : ''}
    ORDER BY rank, ms, place`,
    parameters: {
      ...shownParameters,
      ...sheetParameters(isSheet),
      ...seen,
      from: archiveTime(period.from),
      to: archiveTime(period.to),
      reach_from: archiveTime(period.from - windowMs),
      reach_to: archiveTime(period.to + windowMs),
      window: windowMs,
      books: query.leastSportsbooks,
      least_move: query.leastMove - moveSlack,
      markets: query.marketTypes ?? [],
      ...(eventIds && { events: eventIds }),
      ...(leagues && { leagues }),
      ...(sports && { sports }),
      ...(isLive !== undefined && { is_live: isLive ? 1 : 0 }),
      ...page,
    },
  }
}
