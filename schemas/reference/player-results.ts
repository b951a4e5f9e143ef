/**
 * How far the statistics of players vary about the line, if they do not vary as small counts do.
 * `docs/middles.md` says where each number comes from, and how well it predicts.
 */

import {
  figure,
  listOf,
  oneOf,
  optional,
  readDataFile,
  row,
  type TypeOf,
  text,
  texts,
} from '../data-file.ts'
import rows from './player-results.json' with { type: 'json' }

const results = row({
  /** As in `Market.statistic`. */
  statistics: texts,
  /** Left out if it applies to every other sport. */
  sport: optional(text),
  /** `unknown` if no figure was found: such a statistic has no model. */
  curve: oneOf(['normal', 'geometric', 'unknown']),
  /** For a normal curve: its variance per point of the line. */
  variance: optional(figure),
})

export type PlayerResults = TypeOf<typeof results>

const playerResults: readonly PlayerResults[] = readDataFile(
  'schemas/reference/player-results.json',
  listOf(results),
  rows,
)

/** Returns how a statistic varies; undefined if it varies as a small count does. */
export const findPlayerResults = (statistic: string, sport: string): PlayerResults | undefined =>
  playerResults.find(
    (row) => row.statistics.includes(statistic) && (row.sport === undefined || row.sport === sport),
  )
