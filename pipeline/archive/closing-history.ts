/** The archived closes of one day in one league, event by event. */

import type { WithheldCloseReason } from '../../schemas/withheld-price.ts'
import type { ArchiveReads } from './archive-reads.ts'
import { archiveTime } from './archived-tables.ts'
import type { Asking } from './clv.ts'
import { epochMs, shownWithheld } from './shown-prices.ts'

export interface ClosingDayQuestion {
  readonly sport: string
  readonly league: string
  /** The range of starts, inclusive and exclusive (epoch ms). */
  readonly from: number
  readonly to: number
  /** Sportsbooks to treat as unknown. */
  readonly hidden: readonly string[]
  /** Full ids; undefined for all. */
  readonly eventIds: readonly string[] | undefined
  readonly marketTypes: readonly string[] | undefined
  readonly sportsbooks: readonly string[] | undefined
}

/** One close, with its event; in the frame of its rows (`EventRow.flipped`). */
export interface ArchivedClose {
  readonly event_id: string
  readonly home_team: string
  readonly away_team: string
  readonly flipped: boolean
  readonly listed_home: string | null
  readonly listed_away: string | null
  /** Epoch ms. */
  readonly starts_at: number
  readonly captured_at: number
  readonly priced_at: number
  readonly sportsbook: string
  readonly market_type: string
  readonly selection: string
  readonly selection_type: string
  readonly line: number | null
  readonly player_name: string | null
  readonly stat_category: string | null
  readonly price: number
  readonly no_vig: number | null
  readonly withheld: WithheldCloseReason | null
}

/**
 * Queries the closes, ordered by start, event, sportsbook, market, player, line and outcome.
 * @throws ArchiveError, ArchiveBusyError
 */
export function askClosingDay(
  reads: ArchiveReads,
  asking: Asking,
  { sport, league, from, to, hidden, eventIds, marketTypes, sportsbooks }: ClosingDayQuestion,
): Promise<ArchivedClose[]> {
  // Events are selected by their current start: if a start moves, its closes are replaced at the
  // new one.
  const statement = `
WITH
  started AS (
    SELECT event_id, starts_at FROM closing_values FINAL
    WHERE league = {league:String} AND sport = {sport:String}
      AND starts_at >= {from:DateTime64(3, 'UTC')} AND starts_at < {to:DateTime64(3, 'UTC')}
      ${eventIds ? 'AND event_id IN {events:Array(String)}' : ''}
  )
SELECT event_id, home_team, away_team, flipped, listed_home, listed_away,
  ${epochMs('started.starts_at')} AS starts_at, ${epochMs('captured_at')} AS captured_at,
  ${epochMs('assumeNotNull(priced_at)')} AS priced_at,
  sportsbook, market_type, selection, selection_type, line, player_name, stat_category,
  assumeNotNull(price) AS price, no_vig, ${shownWithheld} AS withheld
FROM (
  SELECT * EXCEPT (starts_at) FROM closing_lines FINAL
  WHERE league = {league:String} AND event_id IN (SELECT event_id FROM started)
    AND price IS NOT NULL
) AS closes
INNER JOIN started USING (event_id)
INNER JOIN (
  SELECT event_id, home_team, away_team, flipped, listed_home, listed_away FROM events FINAL
  WHERE league = {league:String} AND event_id IN (SELECT event_id FROM started)
) AS named USING (event_id)
WHERE NOT has({hidden:Array(String)}, sportsbook)
  ${marketTypes ? 'AND market_type IN {markets:Array(String)}' : ''}
  ${sportsbooks ? 'AND sportsbook IN {sportsbooks:Array(String)}' : ''}
ORDER BY started.starts_at, event_id, sportsbook, market_type, player_name, line, selection_type`
  const parameters = {
    sport,
    league,
    from: archiveTime(from),
    to: archiveTime(to),
    hidden,
    ...(eventIds && { events: eventIds }),
    ...(marketTypes && { markets: marketTypes }),
    ...(sportsbooks && { sportsbooks }),
  }
  return reads.rows({ ...asking, statement, parameters })
}
