/** Queries of archived usage: requests by account, day and family of routes. */

import type { Parameters } from './archive.ts'

export interface UsageQuestion {
  /** Undefined for all. */
  readonly accountId: string | undefined
  /** `YYYY-MM-DD`, both inclusive. */
  readonly from: string
  readonly to: string
}

/** By day, account and family. Requests that a row counts for no family are `other`. */
const statement = `SELECT account_id, toString(day) AS on_day, family,
    toFloat64(sum(counted)) AS requests
  FROM (
    SELECT account_id, day,
      mapFilter((name, amount) -> amount > 0,
        mapAdd(by_family, map('other', toUInt64(requests - arraySum(mapValues(by_family)))))) AS counts
    FROM usage_by_day FINAL
    WHERE day >= {from:Date} AND day <= {to:Date}
      AND ({all:Bool} OR account_id = {account_id:String})
  )
  ARRAY JOIN mapKeys(counts) AS family, mapValues(counts) AS counted
  GROUP BY account_id, day, family
  ORDER BY day, account_id, family`

export function usageQuery({ accountId, from, to }: UsageQuestion): {
  readonly statement: string
  readonly parameters: Parameters
} {
  const all = accountId === undefined
  return {
    statement,
    parameters: { from, to, all, account_id: accountId ?? '' },
  }
}

/** A row of the result. */
export interface ArchivedUsage {
  readonly account_id: string
  readonly on_day: string
  readonly family: string
  readonly requests: number
}
