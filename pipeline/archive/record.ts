/**
 * The service's own record: how many opportunities it listed, how long they lasted, their worth
 * when listed, and their value at the close. The caller settles results (`api/routes/record.ts`),
 * so lives come grouped by their selections. Prices are after the current fees, like the worth of
 * opportunities.
 *
 * The value at the close is for pregame +EV: the first listed price (after its fee) times the sharp
 * book's no-vig close of the same selection and line, minus 1. The sharp book is the first of the
 * chain with such a close. A close for another start than the one stated at detection does not
 * count (`isSameStart`).
 */

import type { OpportunityKind } from '../../schemas/opportunity.ts'
import { markets } from '../../schemas/reference/markets.ts'
import { isSettledByScore, movedMs } from '../rules/bets/settle-bet.ts'
import type { Chains } from '../rules/odds/chains.ts'
import type { SampleSums } from '../rules/odds/closing-line-value.ts'
import type { Fees } from '../rules/odds/fees.ts'
import { countsFromBet } from '../rules/odds/in-play-handicaps.ts'
import { archiveTime } from './archived-tables.ts'
import { chainSql } from './chain-sql.ts'
import { feeSql } from './fee-sql.ts'
import type { Period } from './price-history.ts'
import {
  place,
  type SeenSportsbooks,
  type Statement,
  seenParameters,
  withEpochs,
} from './shown-prices.ts'

export interface RecordQuery {
  /** The period of the lives' detection. */
  readonly period: Period
  readonly kinds: readonly OpportunityKind[]
  /** `scopeBit`s, one of which must have seen a life. */
  readonly scopes: number
  /** The filter of sportsbooks: at least one leg is at one of `only`; no leg, and no sharp book, is at a hidden one. */
  readonly sportsbooks: SeenSportsbooks
  /** Sportsbooks that all legs must be at; undefined for any. */
  readonly within: readonly string[] | undefined
  /** Lives that ended after this time, and closes captured after it, do not count (epoch ms). */
  readonly until: number
  /** In our ids; undefined for all. */
  readonly leagues: readonly string[] | undefined
  readonly sports: readonly string[] | undefined
  /** Chains without hidden sportsbooks. */
  readonly chain: Chains
  /** The fees that are subtracted from the prices of lives. */
  readonly fees: Fees
}

/** Lives of one kind on one day of UTC, or on all of them (`day` empty). */
export interface RecordFigures {
  readonly day: string
  readonly kind: OpportunityKind
  readonly lives: number
  /** The median (ms); for an even number, the higher of the middle two. */
  readonly median_stood: number
  /** Mean worth when detected, a fraction. */
  readonly mean_worth: number
  /** Lives that ended within `atOnceMs` because a price was withdrawn or suspended. */
  readonly gone_at_once: number
  readonly events: number
  /**
   * Lives with a value at the close, their events, and sums over events: of values (`clv_`), and of
   * values above 0 (`beat_`).
   */
  readonly samples: number
  readonly sample_events: number
  readonly sizes: number
  readonly clv_total: number
  readonly clv_squares: number
  readonly clv_products: number
  readonly beat_total: number
  readonly beat_squares: number
  readonly beat_products: number
}

/** The time needed for two bets. */
export const atOnceMs = 60_000

/** Returns the sums for `clusteredMean`. */
export function sampleSums(of: RecordFigures, what: 'clv' | 'beat'): SampleSums {
  return {
    events: of.sample_events,
    samples: of.samples,
    sizes: of.sizes,
    total: of[`${what}_total`],
    squares: of[`${what}_squares`],
    products: of[`${what}_products`],
  }
}

/** Returns the figures of all days, then of each day (the newest first), by name of kind. */
export function recordFigures(query: RecordQuery): Statement {
  const chain = chainSql(query.chain)
  return {
    statement: `${withEpochs},
    lives AS (
      SELECT kind, l.event_id AS event_id, league, market_type, why, detected_worth AS worth,
        leg_selection_types[1] AS selection_type, ifNull(leg_lines[1], 0) AS of_line,
        ifNull(player_name, '') AS player, net_prices[1] AS price,
        kind = 'ev' AND NOT is_live AS is_valued,
        formatDateTime(detected_at, '%F', 'UTC') AS of_day,
        toFloat64(toUnixTimestamp64Milli(gone_at) - toUnixTimestamp64Milli(detected_at)) AS stood,
        ${statedStart} AS stated
      FROM ${livesOf(query)} AS l ${withStatedStart(livesOf(query))}
    ),
    measures AS (
      SELECT event_id, market_type, selection_type, ifNull(line, 0) AS of_line,
        ifNull(player_name, '') AS player,
        argMin((assumeNotNull(no_vig), toFloat64(toUnixTimestamp64Milli(starts_at))),
          indexOf(${chain.sql}, sportsbook)) AS of_sharp,
        of_sharp.1 AS close, of_sharp.2 AS closes_for
      FROM closing_lines FINAL
      WHERE (league, event_id) IN (SELECT league, event_id FROM lives WHERE is_valued)
        AND no_vig IS NOT NULL AND has(${chain.sql}, sportsbook)
        AND captured_at <= {until:DateTime64(3, 'UTC')}
      GROUP BY event_id, market_type, selection_type, of_line, player
    ),
    valued AS (
      SELECT of_day, kind, event_id, stood, worth,
        why IN ('withdrawn', 'suspended') AND stood < {at_once:UInt32} AS is_at_once,
        stated > 0 AND abs(closes_for - stated) > {moved_ms:UInt32} AS is_moved,
        if(is_valued AND close > 0 AND NOT is_moved, close * price - 1, NULL) AS clv
      FROM lives LEFT JOIN measures USING (event_id, market_type, selection_type, of_line, player)
    ),
    by_event AS (
      SELECT day, kind, event_id, toFloat64(count()) AS event_lives, sum(worth) AS worths,
        quantileExactState(0.5)(stood) AS stoods, toFloat64(countIf(is_at_once)) AS at_once,
        toFloat64(count(clv)) AS n, ifNull(sum(clv), 0) AS s, toFloat64(countIf(round(clv, 8) > 0)) AS b
      FROM valued ARRAY JOIN ['', of_day] AS day
      GROUP BY day, kind, event_id
    )
    SELECT day, kind, sum(event_lives) AS lives, quantileExactMerge(0.5)(stoods) AS median_stood,
      sum(worths) / sum(event_lives) AS mean_worth, sum(at_once) AS gone_at_once,
      toFloat64(count()) AS events, sum(n) AS samples, toFloat64(countIf(n > 0)) AS sample_events,
      sum(n * n) AS sizes, sum(s) AS clv_total, sum(s * s) AS clv_squares,
      sum(s * n) AS clv_products, sum(b) AS beat_total, sum(b * b) AS beat_squares,
      sum(b * n) AS beat_products
    FROM by_event
    GROUP BY day, kind
    ORDER BY day = '' DESC, day DESC, kind`,
    parameters: {
      ...parametersOf(query),
      ...chain.parameters,
      at_once: atOnceMs,
      moved_ms: movedMs,
    },
  }
}

/**
 * Lives on the same selections of one game, to be settled by its score; legs in the order of sides.
 */
export interface LivesToSettle {
  readonly day: string
  readonly kind: OpportunityKind
  readonly event_id: string
  readonly market_type: string
  readonly selection_types: readonly string[]
  readonly lines: readonly (number | null)[]
  /** The start of the game as stated at detection (epoch ms); 0 if the archive does not have it. */
  readonly starts_at: number
  readonly lives: number
  /**
   * For a stake of 1 on each life, shared so that each leg returns the same: sums over the lives of
   * the stake on each leg, and of the return of a leg that wins alone.
   */
  readonly shares: readonly number[]
  readonly wins: number
}

/** How their games ended; `reports` is a text of JSON (`ReportedResult[]`). */
export interface ResultToSettleBy {
  readonly event_id: string
  readonly sport: string
  readonly starts: string
  readonly status: string
  readonly reports: string
}

/** @returns the statements of `LivesToSettle` and of `ResultToSettleBy` */
export function livesToSettle(query: RecordQuery): readonly [lives: Statement, results: Statement] {
  const settled = `${livesOf(query)} WHERE market_type IN {settled:Array(String)}`
  const parameters = { ...parametersOf(query), settled: settledTypes }
  return [
    {
      statement: `${withEpochs}
      SELECT formatDateTime(detected_at, '%F', 'UTC') AS day, kind, l.event_id AS event_id, market_type,
        leg_selection_types AS selection_types, leg_lines AS lines,
        ${statedStart} AS starts_at, toFloat64(count()) AS lives,
        sumForEach(arrayMap(price -> 1 / price / booksum, net_prices)) AS shares,
        sum(1 / booksum) AS wins
      FROM (
        SELECT *, arraySum(price -> 1 / price, net_prices) AS booksum FROM (SELECT * FROM ${settled}) AS of_game
        INNER JOIN (
          SELECT event_id, starts_at AS played_at FROM game_results FINAL
          WHERE (league, event_id) IN (SELECT league, event_id FROM ${settled})
        ) AS r USING (event_id)
        WHERE NOT (sport = 'soccer' AND market_type IN {from_bet:Array(String)}
          AND (is_live OR detected_at > played_at))
      ) AS l ${withStatedStart(settled)}
      GROUP BY day, kind, event_id, market_type, selection_types, lines, starts_at`,
      parameters: { ...parameters, from_bet: fromBetTypes },
    },
    {
      statement: `SELECT event_id, sport, toString(starts_at) AS starts, status, reports
      FROM game_results FINAL
      WHERE (league, event_id) IN (SELECT league, event_id FROM ${settled})`,
      parameters,
    },
  ]
}

/** Returns a join to lives `l`: the start that the archive has of each game when a life was detected. */
const withStatedStart = (lives: string) => `ASOF LEFT JOIN (
  SELECT event_id, updated_at, argMax(starts_at, ${place}) AS stated_start FROM event_changes
  WHERE (league, event_id) IN (SELECT league, event_id FROM ${lives}) GROUP BY event_id, updated_at
) AS e ON l.event_id = e.event_id AND l.detected_at >= e.updated_at`

/** Epoch ms; 0 where the archive does not have it. */
const statedStart = 'toFloat64(toUnixTimestamp64Milli(e.stated_start))'

const settledByScore = markets.filter(({ id }) => isSettledByScore(id))
const settledTypes = settledByScore.map(({ id }) => id)
/**
 * Soccer types for which most sportsbooks, in play, count only the score since the bet: lives in
 * play are left out.
 */
const fromBetTypes = settledByScore
  .filter(({ answers }) => countsFromBet(answers, 'soccer'))
  .map(({ id }) => id)

/** Returns a subquery: the lives, with `net_prices` at detection, after fees. */
const livesOf = (query: RecordQuery) => `(
  SELECT *, arrayMap(
    (price, sportsbook) -> ${feeSql(query.fees).net('price', 'sportsbook')},
    detected_prices, leg_sportsbooks) AS net_prices
  FROM opportunity_lives WHERE ${conditionsOf(query)}
)`

const conditionsOf = ({ within, leagues, sports }: RecordQuery) =>
  [
    "detected_at >= {from:DateTime64(3, 'UTC')} AND detected_at < {to:DateTime64(3, 'UTC')}",
    "gone_at <= {until:DateTime64(3, 'UTC')}",
    'bitAnd(scopes, {scopes:UInt8}) != 0',
    'kind IN {kinds:Array(String)}',
    '(empty({only:Array(String)}) OR hasAny(leg_sportsbooks, {only:Array(String)}))',
    'NOT hasAny(arrayConcat(leg_sportsbooks, sharp_books), {hidden:Array(String)})',
    ...(within ? ['hasAll({within:Array(String)}, leg_sportsbooks)'] : []),
    ...(leagues ? ['league IN {leagues:Array(String)}'] : []),
    ...(sports ? ['sport IN {sports:Array(String)}'] : []),
  ].join(' AND ')

const parametersOf = ({ period, until, within, leagues, sports, ...query }: RecordQuery) => ({
  ...seenParameters(query.sportsbooks),
  ...feeSql(query.fees).parameters,
  from: archiveTime(period.from),
  to: archiveTime(period.to),
  until: archiveTime(until),
  scopes: query.scopes,
  kinds: query.kinds,
  ...(within && { within }),
  ...(leagues && { leagues }),
  ...(sports && { sports }),
})
