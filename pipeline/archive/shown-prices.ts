/**
 * The selection of an archived price, and its displayed values, as SQL: sides and lines as the event is shown now,
 * odds in the three forms. Equal to `rules/odds/questions.ts`, `rules/odds/selections.ts` and `rules/odds/odds.ts`; a
 * test compares the two.
 */

import { markets } from '../../schemas/reference/markets.ts'
import { guardReasons } from '../../schemas/withheld-price.ts'
import { isHandicap } from '../rules/odds/questions.ts'
import type { Parameters } from './archive.ts'

/** A query in SQL. Values are bound as parameters; the text is only ours. */
export interface Statement {
  readonly statement: string
  readonly parameters: Parameters
}

/**
 * Orders the changes of a row by their place on the log, because statements of two sportsbooks and
 * ticks may be taken in another order than observed. Of two logs, the one that filled the archive
 * first is the older. `withEpochs` goes in front of a statement with `place` in it.
 */
export const place = 'indexOf(epochs, log_epoch) * 281474976710656 + log_offset'
export const withEpochs = `WITH (
  SELECT groupArray(log_epoch)
  FROM (SELECT log_epoch FROM logs GROUP BY log_epoch ORDER BY min(began_at))
) AS epochs`

const idsWhere = (is: (market: (typeof markets)[number]) => boolean) =>
  markets.filter(is).map(({ id }) => id)

/** The markets of `shownPrices`; the general rule applies to market types that are not listed. */
export const shownParameters: Parameters = {
  handicaps: idsWhere(({ id }) => isHandicap(id)),
  scores: idsWhere(({ answers }) => answers === 'score'),
  double_chances: idsWhere(({ answers }) => answers === 'double_chance'),
}

/** Returns a time of the archive as epoch ms. @param time an expression */
export const epochMs = (time: string) => `toFloat64(toUnixTimestamp64Milli(${time}))`

/** Whether a row of `closing_lines` is a close, or the reason for none: one that was taken back is neither. */
export const isCaptured = '(priced_at IS NOT NULL OR missing IS NOT NULL)'

/** Why a close is withheld, as `shownReason` of `schemas/withheld-price.ts` shows it. */
export const shownWithheld = `if(
  withheld IS NULL OR withheld IN (${guardReasons.map((reason) => `'${reason}'`).join(', ')}), withheld, 'unknown'
)`

/**
 * Returns decimal odds as responses show them; NULL for NULL, over which `greatest` would pass.
 * @param price an expression
 */
export const shownDecimal = (price: string) =>
  `multiIf(isNull(${price}), NULL, ${price} >= 1.01, floor(${price} * 1e3 + 0.5) / 1e3,
    greatest(1.000001, (floor(${price} * 1e6 + 0.5) -
      (floor(${price} * 1e6 + 0.5) / 1e6 > ${price})) / 1e6))`

/** Returns the three forms of decimal odds, as responses show them. @param price an expression */
export const oddsColumns = (price: string) => `
  toInt32(if(${price} >= 2 OR round(100 / (${price} - 1)) = 100,
    floor((${price} - 1) * 100 + 0.5), -floor(100 / (${price} - 1) + 0.5))) AS odds_american,
  ${shownDecimal(price)} AS odds_decimal,
  if(floor(1e4 / ${price} + 0.5) IN (0, 1e4), least(0.999999, floor(1e6 / ${price} + 0.5) / 1e6),
    floor(1e4 / ${price} + 0.5) / 1e4) AS odds_probability`

/** The price of the change before, for rows with a `place`; 0 for the first change of a price. */
export const priceBefore = `lagInFrame(price, 1, 0) OVER (
  PARTITION BY event_id, odds_id ORDER BY place ROWS BETWEEN 1 PRECEDING AND CURRENT ROW
)`

/**
 * Whether a change with `priceBefore` as `before` is a move of the price. The price may have been
 * away meanwhile; steam (`movements.ts`) needs prices that stay listed.
 */
export const isMove = '(before > 0 AND price != before)'

const flippedType = `multiIf(
  selection_type IN ('home_away', 'away_home') AND market_type IN {double_chances:Array(String)},
    selection_type,
  match(selection_type, '^[0-9]+_[0-9]+$') AND market_type IN {scores:Array(String)},
    concat(splitByChar('_', selection_type)[2], '_', splitByChar('_', selection_type)[1]),
  arrayStringConcat(
    arrayMap(word -> transform(word, ['home', 'away'], ['away', 'home'], word),
      splitByChar('_', selection_type)), '_'))`

const flippedLine = `if(selection_type = 'draw' AND market_type IN {handicaps:Array(String)},
  0 - line, line)`

/** The side and the line of a price in the frame in which its event is shown. */
export const shownType = `if(flipped, ${flippedType}, selection_type)`
export const shownLine = `if(flipped, ${flippedLine}, line)`

const frameHome = 'if(flipped, away_team, home_team)'
const frameAway = 'if(flipped, home_team, away_team)'
const withName = (text: string, listed: string, shown: string) =>
  `if(isNull(${listed}), ${text}, replaceOne(${text}, ifNull(${listed}, ''), ${shown}))`

/** The label names the sides in the frame of the event's first listing. */
const shownLabel = `multiIf(
  isNull(listed_home) AND isNull(listed_away), selection,
  selection_type = 'home', ${frameHome},
  selection_type = 'away', ${frameAway},
  match(selection_type, '(^|_)(home|away)(_|$)'),
    ${withName(withName('selection', 'listed_home', frameHome), 'listed_away', frameAway)},
  selection)`

/**
 * Returns a subquery: the selection of each price, one row per price, with `place`.
 * @param ofPrices a condition on `prices`
 * @param ofEvents a condition on `event_changes` that holds for their events
 */
export const shownPrices = (ofPrices: string, ofEvents: string) => `(
  SELECT p.odds_id AS odds_id, event_id, sport, e.league AS league, home_team, away_team, starts_at,
    sportsbook, market_type,
    ${shownLabel} AS shown_selection,
    ${shownType} AS shown_type,
    ${shownLine} AS shown_line,
    player_name, stat_category
  FROM (
    SELECT * FROM prices WHERE ${ofPrices} ORDER BY listed_at DESC LIMIT 1 BY odds_id
  ) AS p
  INNER JOIN (
    SELECT * FROM event_changes WHERE ${ofEvents} ORDER BY ${place} DESC LIMIT 1 BY event_id
  ) AS e USING (event_id)
)`

/** The sportsbooks that a result may show. */
export interface SeenSportsbooks {
  /** The sportsbooks of the query or of the scope; undefined for all. */
  readonly only: readonly string[] | undefined
  readonly hidden: readonly string[]
}

export const seenCondition = `(empty({only:Array(String)}) OR sportsbook IN {only:Array(String)})
  AND sportsbook NOT IN {hidden:Array(String)}`

/**
 * Returns the parameters. A scope without sportsbooks gets a name that no sportsbook has, so the
 * result is empty.
 */
export const seenParameters = ({ only, hidden }: SeenSportsbooks): Parameters => ({
  only: only?.length === 0 ? [''] : (only ?? []),
  hidden,
})

/** Kinds of changes, by name. */
export const changedNames = `arrayStringConcat(arrayMap(one -> one.2, arrayFilter(
  one -> bitAnd(what, one.1) != 0,
  [(1, 'listed'), (2, 'price'), (4, 'live'), (8, 'active'), (16, 'details'), (32, 'withdrawn')])), ' ')`
