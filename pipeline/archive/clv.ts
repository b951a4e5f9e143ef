/**
 * Closing-line value: sportsbooks' closes compared with the close of a sharp book.
 *
 * A close is compared with the reference's close of the same event, market, selection, line and
 * player. The reference is the first sportsbook of the game's chain that has a no-vig close there;
 * its own close is no sample. The value is (reference no-vig - own no-vig) / own no-vig, a
 * fraction.
 *
 * The values of one event are computed when its closes arrive, and kept as one row of `closing_values`: a query sums
 * some thousand rows, not millions of closes. A row is replaced whole whenever a close of its event arrives or is
 * corrected, and records its chain.
 */

import type { ClvGrouping } from '../../schemas/http/historical.ts'
import type { Chains } from '../rules/odds/chains.ts'
import { type Archive, longestQuerySeconds } from './archive.ts'
import type { ArchiveQuestion, ArchiveReads } from './archive-reads.ts'
import { archiveTime } from './archived-tables.ts'
import { chainSql } from './chain-sql.ts'
import { isCaptured } from './shown-prices.ts'

/** The querying account, the limits of one query, and how its rows are decoded. */
export type Asking = Omit<ArchiveQuestion, 'statement' | 'parameters'>

export interface ClvQuestion {
  /** The range of starts, inclusive and exclusive (epoch ms). */
  readonly from: number
  readonly to: number
  readonly groupBy: ClvGrouping
  /** Ids; absent for all. */
  readonly sports?: readonly string[] | undefined
  readonly leagues?: readonly string[] | undefined
  /** The sportsbooks of the compared closes, not of the references. */
  readonly sportsbooks?: readonly string[] | undefined
  /** Sportsbooks to treat as unknown. */
  readonly hidden: readonly string[]
  /** Chains without the hidden sportsbooks. */
  readonly chain: Chains
}

/** Samples as sums over their events, for `clusteredMean`. */
export interface ClvGroup {
  readonly key: string
  readonly events: number
  readonly samples: number
  readonly total: number
  readonly squares: number
  readonly products: number
  readonly sizes: number
  /** The same sums for the absolute values. */
  readonly total_abs: number
  readonly squares_abs: number
  readonly products_abs: number
  readonly distinct_books: number
  readonly distinct_sports: number
}

export interface ClvReference {
  readonly sportsbook: string
  readonly samples: number
  readonly events: number
  /** The first and the last start of its events (epoch ms). */
  readonly first: number
  readonly last: number
}

export interface ClvSummary {
  /** Events with a close, or the reason of a missing one, at the queried sportsbooks. */
  readonly events: number
  readonly comparable: number
  /**
   * Events without a value, each counted once: no close of all outcomes; no such close of a sharp
   * book; no such closes at the same line.
   */
  readonly no_close: number
  readonly no_reference: number
  readonly no_equal_line: number
  /** When the newest close was captured (epoch ms); 0 for none. */
  readonly captured: number
  /** Events whose values were computed with another chain. */
  readonly outdated: number
}

export interface ClvAnswer {
  /** Groups, most samples first. */
  readonly groups: readonly ClvGroup[]
  readonly summary: ClvSummary
  readonly references: readonly ClvReference[]
  /**
   * Prices without a close to compare by reason; `withheld`: the guard withheld it; `incomplete`: its market lacks an
   * outcome.
   */
  readonly missing: readonly { readonly reason: string; readonly count: number }[]
}

/**
 * @returns null while events are recomputed because their values have another chain
 * @throws ArchiveError, ArchiveBusyError
 */
export async function askClv(
  reads: ArchiveReads,
  asking: Asking,
  question: ClvQuestion,
): Promise<ClvAnswer | null> {
  const { statements, parameters } = clvStatements(question)
  const ask = <Row>(statement: string) => reads.rows<Row>({ ...asking, statement, parameters })
  const [summary] = await ask<ClvSummary>(statements.summary)
  if (summary!.outdated > 0) return null
  return {
    summary: summary!,
    groups: await ask<ClvGroup>(statements.groups),
    references: await ask<ClvReference>(statements.references),
    missing: await ask<ClvAnswer['missing'][number]>(statements.missing),
  }
}

/** Returns the statements of `askClv`, for benchmarks too. */
export function clvStatements({ groupBy, hidden, chain, ...question }: ClvQuestion) {
  const { sports = [], leagues = [], sportsbooks = [] } = question
  const ofGame = chainSql(chain)
  const source = hidden.length === 0 ? kept : valuedNow(ofGame.sql)
  const keptBy = hidden.length === 0 ? ofGame.sql : 'chain'
  const samples =
    groupBy === 'market' ? samplesByMarket(source) : samplesBy(groupKeys[groupBy], source)
  return {
    parameters: {
      from: archiveTime(question.from),
      to: archiveTime(question.to),
      sports,
      leagues,
      sportsbooks,
      hidden,
      ...ofGame.parameters,
    },
    statements: {
      groups: `
SELECT key, toFloat64(count()) AS events, toFloat64(sum(n)) AS samples,
  sum(s) AS total, sum(s * s) AS squares, sum(s * n) AS products, toFloat64(sum(n * n)) AS sizes,
  sum(a) AS total_abs, sum(a * a) AS squares_abs, sum(a * n) AS products_abs,
  toFloat64(uniqExactArray(books)) AS distinct_books, toFloat64(uniqExact(of_sport)) AS distinct_sports
FROM (${samples})
GROUP BY key
ORDER BY samples DESC, key`,
      references: `
SELECT compared.reference AS sportsbook, toFloat64(sum(compared.samples)) AS samples,
  toFloat64(uniqExact(event_id)) AS events,
  toFloat64(toUnixTimestamp64Milli(min(starts_at))) AS first,
  toFloat64(toUnixTimestamp64Milli(max(starts_at))) AS last
FROM ${source} ARRAY JOIN compared
WHERE ${isShown('compared.sportsbook')}
GROUP BY sportsbook
ORDER BY samples DESC, sportsbook`,
      summary: `
SELECT toFloat64(count()) AS events, toFloat64(countIf(is_comparable)) AS comparable,
  toFloat64(countIf(NOT is_comparable AND NOT has_close)) AS no_close,
  toFloat64(countIf(NOT is_comparable AND has_close AND NOT has_reference)) AS no_reference,
  toFloat64(countIf(NOT is_comparable AND has_close AND has_reference)) AS no_equal_line,
  toFloat64(toUnixTimestamp64Milli(max(captured_at))) AS captured,
  toFloat64(countIf(chain != ${keptBy})) AS outdated
FROM (
  SELECT chain, league, sport, captured_at,
    arrayExists(book -> ${isShown('book')}, compared.sportsbook) AS is_comparable,
    arrayExists(book -> ${isShown('book')}, captured.sportsbook) AS is_requested,
    arrayExists((book, why) -> why = '' AND ${isShown('book')},
      captured.sportsbook, captured.why) AS has_close,
    arrayExists((book, why) -> why = '' AND has(${ofGame.sql}, book),
      captured.sportsbook, captured.why) AS has_reference
  FROM ${source}
)
WHERE is_requested`,
      missing: `
SELECT captured.why AS reason, toFloat64(sum(captured.number)) AS count
FROM ${source} ARRAY JOIN captured
WHERE captured.why != '' AND ${isShown('captured.sportsbook')}
GROUP BY reason
ORDER BY reason`,
    },
  }
}

const groupKeys: Readonly<Record<Exclude<ClvGrouping, 'market'>, string>> = {
  sportsbook: 'compared.sportsbook',
  sport: 'sport',
  league: 'league',
  day: `formatDateTime(starts_at, '%F', 'UTC')`,
}

const isAmong = (name: string, column: string) =>
  `(empty({${name}:Array(String)}) OR has({${name}:Array(String)}, ${column}))`
const isShown = (column: string) => isAmong('sportsbooks', column)

/** Returns SQL for each group and event: samples, their sums, and their sportsbooks. */
const samplesBy = (key: string, source: string) => `
  SELECT ${key} AS key, event, any(sport) AS of_sport, sum(compared.samples) AS n,
    sum(compared.total) AS s, sum(compared.total_abs) AS a, groupUniqArray(compared.sportsbook) AS books
  FROM (
    SELECT sport, league, starts_at, sipHash64(event_id) AS event, compared.sportsbook,
      compared.samples, compared.total, compared.total_abs
    FROM ${source}
  )
  ARRAY JOIN compared.sportsbook, compared.samples, compared.total, compared.total_abs
  WHERE ${isShown('compared.sportsbook')}
  GROUP BY key, event`

/** Returns the same by market. A game has many: the sportsbooks of each stay in lists. */
const samplesByMarket = (source: string) => {
  const ofShown = (column: string) =>
    `arraySum((x, book) -> if(${isShown('book')}, x, 0), by_market.${column}, by_market.sportsbooks)`
  return `
  SELECT by_market.market_type AS key, sport AS of_sport, ${ofShown('samples')} AS n,
    ${ofShown('totals')} AS s, ${ofShown('totals_abs')} AS a,
    arrayFilter(book -> ${isShown('book')}, by_market.sportsbooks) AS books
  FROM ${source}
  ARRAY JOIN by_market.market_type, by_market.sportsbooks, by_market.samples, by_market.totals,
    by_market.totals_abs
  WHERE notEmpty(books)`
}

/** Rows of the queried events, for all sportsbooks. */
const inQuestion = `starts_at >= {from:DateTime64(3, 'UTC')} AND starts_at < {to:DateTime64(3, 'UTC')}
    AND ${isAmong('sports', 'sport')} AND ${isAmong('leagues', 'league')}`

const kept = `(SELECT * FROM closing_values FINAL WHERE ${inQuestion}) AS valued`

// ---- the values of events

/**
 * Returns SQL for a row of `closing_values` for each event, from its closes. If all closes of an
 * event were taken back, its row is empty, and replaces the former one.
 * @param where the condition that selects closes
 * @param chain SQL for the chain of a game
 */
const valuesOf = (where: string, chain: string) => `
WITH
  closes AS (SELECT * FROM closing_lines FINAL WHERE ${where}),
  measures AS (
    SELECT event_id, selection_key,
      argMin(sportsbook, indexOf(${chain}, sportsbook)) AS reference,
      argMin(no_vig, indexOf(${chain}, sportsbook)) AS reference_no_vig
    FROM closes
    WHERE no_vig IS NOT NULL AND has(${chain}, sportsbook)
    GROUP BY event_id, selection_key
  ),
  samples AS (
    SELECT event_id, market_type, sportsbook, reference, toUInt32(count()) AS samples,
      sum(value) AS total, sum(abs(value)) AS total_abs
    FROM (
      SELECT event_id, market_type, sportsbook, reference,
        assumeNotNull(reference_no_vig / no_vig - 1) AS value
      FROM closes INNER JOIN measures USING (event_id, selection_key)
      WHERE no_vig IS NOT NULL AND sportsbook != reference
    )
    GROUP BY event_id, market_type, sportsbook, reference
  ),
  compared AS (
    SELECT event_id, groupArray(sportsbook) AS sportsbooks, groupArray(reference) AS references,
      groupArray(number) AS numbers, groupArray(sum_total) AS totals, groupArray(sum_abs) AS totals_abs
    FROM (
      SELECT event_id, sportsbook, reference, toUInt32(sum(samples)) AS number,
        sum(total) AS sum_total, sum(total_abs) AS sum_abs
      FROM samples
      GROUP BY event_id, sportsbook, reference
    )
    GROUP BY event_id
  ),
  by_market AS (
    SELECT event_id, groupArray(market_type) AS market_types, groupArray(books) AS sportsbooks,
      groupArray(numbers) AS samples, groupArray(sums) AS totals, groupArray(sums_abs) AS totals_abs
    FROM (
      SELECT event_id, market_type, groupArray(sportsbook) AS books, groupArray(number) AS numbers,
        groupArray(sum_total) AS sums, groupArray(sum_abs) AS sums_abs
      FROM (
        SELECT event_id, market_type, sportsbook, toUInt32(sum(samples)) AS number,
          sum(total) AS sum_total, sum(total_abs) AS sum_abs
        FROM samples
        GROUP BY event_id, market_type, sportsbook
      )
      GROUP BY event_id, market_type
    )
    GROUP BY event_id
  ),
  captures AS (
    SELECT event_id, groupArray(sportsbook) AS sportsbooks, groupArray(why) AS whys,
      groupArray(number) AS numbers
    FROM (
      SELECT event_id, sportsbook,
        multiIf(missing IS NOT NULL, assumeNotNull(missing), withheld IS NOT NULL, 'withheld',
          no_vig IS NULL, 'incomplete', '') AS why,
        toUInt32(count()) AS number
      FROM closes
      WHERE ${isCaptured}
      GROUP BY event_id, sportsbook, why
    )
    GROUP BY event_id
  ),
  starts AS (
    SELECT event_id, any(sport) AS sport, any(league) AS league,
      argMax(starts_at, captured_at) AS start, max(captured_at) AS captured
    FROM closes
    GROUP BY event_id
  )
SELECT event_id, sport, league, start AS starts_at, captured AS captured_at,
  ${chain} AS chain,
  compared.sportsbooks AS \`compared.sportsbook\`, compared.references AS \`compared.reference\`,
  compared.numbers AS \`compared.samples\`, compared.totals AS \`compared.total\`,
  compared.totals_abs AS \`compared.total_abs\`,
  by_market.market_types AS \`by_market.market_type\`, by_market.sportsbooks AS \`by_market.sportsbooks\`,
  by_market.samples AS \`by_market.samples\`, by_market.totals AS \`by_market.totals\`,
  by_market.totals_abs AS \`by_market.totals_abs\`,
  captures.sportsbooks AS \`captured.sportsbook\`, captures.whys AS \`captured.why\`,
  captures.numbers AS \`captured.number\`
FROM starts
LEFT JOIN captures USING (event_id)
LEFT JOIN compared USING (event_id)
LEFT JOIN by_market USING (event_id)`

/**
 * If some sportsbooks are hidden, another one may be the reference in their place. The stored
 * values include the hidden ones, so the values are computed again without them.
 */
const valuedNow = (chain: string) => `(SELECT * FROM (${valuesOf(
  `
    event_id IN (SELECT event_id FROM closing_values FINAL WHERE ${inQuestion})
    AND ${isAmong('leagues', 'league')} AND NOT has({hidden:Array(String)}, sportsbook)`,
  chain,
)})
  WHERE ${inQuestion}) AS valued`

/** An event whose closes have arrived. */
export interface ClosedEvent {
  readonly eventId: string
  readonly league: string
}

/** The most events of one statement, because their ids are in its address. */
const eventsAtOnce = 200

/** Recomputes the values of events from all their closes. Doing it again changes nothing. */
export async function valueEvents(
  archive: Pick<Archive, 'command'>,
  chain: Chains,
  events: readonly ClosedEvent[],
): Promise<void> {
  const ofGame = chainSql(chain)
  for (let at = 0; at < events.length; at += eventsAtOnce) {
    const some = events.slice(at, at + eventsAtOnce)
    await archive.command(
      `INSERT INTO closing_values (event_id, sport, league, starts_at, captured_at, chain,
        compared.sportsbook, compared.reference, compared.samples, compared.total, compared.total_abs,
        by_market.market_type, by_market.sportsbooks, by_market.samples, by_market.totals,
        by_market.totals_abs, captured.sportsbook, captured.why, captured.number, version)
      SELECT *, (SELECT max(version) + 1 FROM closing_values) FROM (${valuesOf(
        'league IN {leagues:Array(String)} AND event_id IN {eventIds:Array(String)}',
        ofGame.sql,
      )})`,
      {
        ...ofGame.parameters,
        leagues: [...new Set(some.map(({ league }) => league))],
        eventIds: some.map(({ eventId }) => eventId),
      },
    )
  }
}

/** Recomputes the events whose values have another chain than the settings. */
export async function revalueEvents(
  archive: Pick<Archive, 'command' | 'query'>,
  chain: Chains,
): Promise<void> {
  const ofGame = chainSql(chain)
  const events = await archive.query<ClosedEvent>(
    `SELECT event_id AS eventId, league FROM closing_values FINAL
    WHERE chain != ${ofGame.sql} ORDER BY starts_at DESC`,
    ofGame.parameters,
    { seconds: longestQuerySeconds, resultRows: 1e7, readRows: 1e9, memoryBytes: 4e9 },
  )
  await valueEvents(archive, chain, events)
}
