/** Our sports by the sources' own names of them: a word, a number, or a league. */

import { oneOf, readDataFile, recordOf } from '../../../schemas/data-file.ts'
import { sports } from '../../../schemas/reference/sports.ts'
import rows from './sport-names.json' with { type: 'json' }

const named = readDataFile(
  'pipeline/feeds/kit/sport-names.json',
  recordOf(recordOf(oneOf(sports.map(({ id }) => id)))),
  rows,
)

/** Returns the sports of a source by its own names. */
export const sportNames = (source: keyof typeof rows): ReadonlyMap<string, string> =>
  new Map(Object.entries(named[source] ?? {}))
