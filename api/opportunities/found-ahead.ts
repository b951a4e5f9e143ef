/**
 * Keeps results of the steps that run before an answer until it is written. Several accounts may
 * send the same request at the same time, so the first answer does not remove the result.
 */

import type { Valued } from '../../pipeline/views/opportunities/priced.ts'

export interface Found {
  /** The opportunities of the table that match. Their prices may have moved since. */
  readonly matching?: readonly Valued[]
  /** Those that were computed for this request alone. Their prices may have moved, too. */
  readonly anew?: ValuedAnew
}

/** Opportunities that are not in the table, as they were at one time. */
export interface ValuedAnew {
  readonly some: readonly Valued[]
  /** The board's watermark, and the version of the statuses of sportsbooks, before any was valued. */
  readonly since: number
  readonly statuses: number
}

/** An answer is written soon after its last step, so this is more than are waiting at a time. */
const mostKept = 8

/** @returns the results for the newest requests, by the object that prepares their answers */
export function createFoundAhead() {
  const byRequest = new Map<object, Found>()
  return {
    of: (request: object): Found => byRequest.get(request) ?? {},
    drop: (request: object) => byRequest.delete(request),
    keep(request: object, found: Found) {
      byRequest.delete(request)
      byRequest.set(request, found)
      if (byRequest.size > mostKept) byRequest.delete(byRequest.keys().next().value!)
    },
  }
}
