/** JSON of archived rows: times, events, odds. */

import { type ArchivedEvent, instantOf } from '../../pipeline/archive/price-history.ts'
import { decimalToAmerican, shownPrice, shownProbability } from '../../pipeline/rules/odds/odds.ts'
import { isoTime } from '../../pipeline/text/iso-time.ts'
import { groupBy } from '../../schemas/grouping.ts'

export const timeOf = (text: string) => isoTime(instantOf(text))

/** Returns the newest time among the rows (epoch ms), or 0 if there are none. */
export const newestOf = (rows: readonly { readonly at: string }[]) =>
  rows.reduce((newest, { at }) => Math.max(newest, instantOf(at)), 0)

/** Groups rows by rank: one group for each requested item. */
export function byRank<Row extends { readonly rank: number }>(
  rows: readonly Row[],
): readonly (readonly Row[])[] {
  return [...groupBy(rows, ({ rank }) => rank).values()]
}

/** @param price decimal */
export const oddsJson = (price: number) => ({
  odds_american: decimalToAmerican(price),
  odds_decimal: shownPrice(price),
  odds_probability: shownProbability(price),
})

export const eventJson = (
  event: Pick<
    ArchivedEvent,
    'event_id' | 'sport' | 'league' | 'home_team' | 'away_team' | 'starts_at'
  >,
) => ({
  event_id: event.event_id,
  sport: event.sport,
  league: event.league,
  home_team: event.home_team,
  away_team: event.away_team,
  event_start_time: timeOf(event.starts_at),
})
