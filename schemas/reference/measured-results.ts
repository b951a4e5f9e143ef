/**
 * How games end when the sportsbooks close at a line, measured: parameters of the curves of
 * `pipeline/rules/result-curves.ts`, fitted to public seasons. `docs/middles.md` says which, and how
 * well they foretell seasons that they were not fitted to; `test/pipeline/rules/measured-results.long.test.ts`
 * fits them anew.
 */

import rows from './measured-results.json' with { type: 'json' }

export interface MeasuredResults {
  readonly sport: string
  readonly counts: 'margin' | 'total'
  /** The seasons it is fitted to. */
  readonly from: string
  readonly curve: 'normal' | 'skellam' | 'poisson'
  /** Deviation of a normal curve; of a Skellam one, the sum of both means in an even game. */
  readonly size: number
  /** What a point of the expected line adds to it. */
  readonly growth: number
  /** The results that are possible. */
  readonly least: number
  readonly most: number
  /** The result that the first weight is of; of a margin, without its sign. */
  readonly firstWeight: number
  /** Others weigh 1. */
  readonly weights: readonly number[]
}

export const measuredResults = rows as readonly MeasuredResults[]
