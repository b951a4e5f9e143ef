/** Queries of archived splits: the snapshots of one event in order of time. */

import type { Splits } from '../../schemas/splits.ts'
import { nonEmptySplits } from '../rules/odds/splits.ts'
import type { Parameters } from './archive.ts'

export interface SplitHistoryQuestion {
  readonly eventId: string
  /** Undefined for all. */
  readonly sportsbooks: readonly string[] | undefined
  /** The first and last time, both inclusive (epoch ms). */
  readonly from: number
  readonly to: number
  /** Of snapshots; with those of the last time there may be more. */
  readonly limit: number
  /** Which snapshots are returned if there are more than `limit`. */
  readonly end: 'oldest' | 'newest'
}

/**
 * The snapshots at one end, oldest first; each row has the total count. Those of one time stay together, so that the
 * next page may start after the last.
 */
const statementOf = (direction: 'ASC' | 'DESC') => `SELECT * FROM (SELECT sportsbook, flipped,
    toFloat64(toUnixTimestamp64Milli(at)) AS at_ms,
    moneyline_away_price, moneyline_home_price, moneyline_handle, moneyline_bets,
    spread_away_line, spread_home_line, spread_handle, spread_bets,
    total_line, total_handle, total_bets,
    toUInt32(count() OVER ()) AS total_count,
    arraySort(groupUniqArray(sportsbook) OVER ()) AS sportsbooks,
    toFloat64(toUnixTimestamp64Milli(min(at) OVER ())) AS oldest_ms,
    toFloat64(toUnixTimestamp64Milli(max(at) OVER ())) AS newest_ms,
    argMax(flipped, at) OVER () AS last_flipped
  FROM splits
  WHERE event_id = {event_id:String}
    AND at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
    AND at <= fromUnixTimestamp64Milli({to:Int64}, 'UTC')
    AND ({all:Bool} OR sportsbook IN {requested:Array(String)})
  ORDER BY at ${direction}
  LIMIT {limit:UInt16} WITH TIES) ORDER BY at_ms, sportsbook`

const statements = { oldest: statementOf('ASC'), newest: statementOf('DESC') } as const

export function splitHistoryQuery(of: SplitHistoryQuestion): {
  readonly statement: string
  readonly parameters: Parameters
} {
  const { eventId, sportsbooks, from, to, limit, end } = of
  const all = sportsbooks === undefined
  return {
    statement: statements[end],
    parameters: { event_id: eventId, from, to, all, requested: sportsbooks ?? [], limit },
  }
}

type Pair = readonly number[]

/** A row of the result. */
export interface ArchivedSplits {
  readonly sportsbook: string
  readonly at_ms: number
  readonly moneyline_away_price: number | null
  readonly moneyline_home_price: number | null
  readonly moneyline_handle: Pair
  readonly moneyline_bets: Pair
  readonly spread_away_line: number | null
  readonly spread_home_line: number | null
  readonly spread_handle: Pair
  readonly spread_bets: Pair
  readonly total_line: number | null
  readonly total_handle: Pair
  readonly total_bets: Pair
  readonly total_count: number
  readonly sportsbooks: readonly string[]
  readonly oldest_ms: number
  readonly newest_ms: number
  /** Whether the event was shown with swapped sides at the newest snapshot. */
  readonly last_flipped: boolean
}

/** Returns the splits in the event's own frame; null where there are none. */
export function splitsOfArchived(row: ArchivedSplits): Splits | null {
  return nonEmptySplits({
    moneyline: {
      handle: sharesOf(row.moneyline_handle),
      bets: sharesOf(row.moneyline_bets),
      awayPrice: row.moneyline_away_price,
      homePrice: row.moneyline_home_price,
    },
    spread: {
      handle: sharesOf(row.spread_handle),
      bets: sharesOf(row.spread_bets),
      awayLine: row.spread_away_line,
      homeLine: row.spread_home_line,
    },
    total: {
      handle: sharesOf(row.total_handle),
      bets: sharesOf(row.total_bets),
      line: row.total_line,
    },
  })
}

function sharesOf([first, second]: Pair): readonly [number, number] | null {
  return first === undefined || second === undefined ? null : [first, second]
}
