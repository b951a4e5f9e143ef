/**
 * The measured results of games whose sportsbooks close at a line: parameters of the curves of
 * `pipeline/rules/odds/result-curves.ts`, fitted to public seasons. `docs/middles.md` says which, and how
 * well they foretell seasons that they were not fitted to; `test/pipeline/rules/odds/measured-results.nightly.test.ts`
 * fits them anew.
 */

import { figure, listOf, oneOf, readDataFile, row, type TypeOf, text, whole } from '../data-file.ts'
import rows from './measured-results.json' with { type: 'json' }

const results = row({
  sport: text,
  counts: oneOf(['margin', 'total']),
  /** The seasons it is fitted to. */
  from: text,
  curve: oneOf(['normal', 'skellam', 'poisson']),
  /** Deviation of a normal curve; of a Skellam one, the sum of both means in an even game. */
  size: figure,
  /** The increase of it by a point of the expected line. */
  growth: figure,
  /** The results that are possible. */
  least: whole,
  most: whole,
  /** The result that the first weight is of; of a margin, without its sign. */
  firstWeight: whole,
  /** Others weigh 1. */
  weights: listOf(figure),
})

export type MeasuredResults = TypeOf<typeof results>

export const measuredResults: readonly MeasuredResults[] = readDataFile(
  'schemas/reference/measured-results.json',
  listOf(results),
  rows,
)
