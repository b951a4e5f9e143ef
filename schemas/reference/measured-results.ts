/**
 * The measured results of games by closing line: parameters of the curves of `pipeline/rules/odds/result-curves.ts`,
 * fitted to public seasons. `docs/middles.md` lists the seasons, and how well the curves predict seasons that they
 * were not fitted to; `test/pipeline/rules/odds/measured-results.nightly.test.ts` fits them anew.
 */

import { figure, listOf, oneOf, readDataFile, row, type TypeOf, text, whole } from '../data-file.ts'
import rows from './measured-results.json' with { type: 'json' }

const results = row({
  sport: text,
  counts: oneOf(['margin', 'total']),
  /** The seasons it is fitted to. */
  from: text,
  curve: oneOf(['normal', 'skellam', 'poisson']),
  /** The deviation of a normal curve; of a Skellam one, the sum of both means in an even game. */
  size: figure,
  /** Its increase per point of the expected line. */
  growth: figure,
  /** The results that are possible. */
  least: whole,
  most: whole,
  /** The result of the first weight; of a margin, without its sign. */
  firstWeight: whole,
  /** The weights from there on; other results weigh 1. */
  weights: listOf(figure),
})

export type MeasuredResults = TypeOf<typeof results>

export const measuredResults: readonly MeasuredResults[] = readDataFile(
  'schemas/reference/measured-results.json',
  listOf(results),
  rows,
)
