/**
 * Finds names of sportsbooks in the settings that may be misspelt. A name of one's own is allowed there, so such a name
 * is a warning: it would take no effect without a sign.
 */

import { distance } from 'fastest-levenshtein'
import { findSportsbook, sportsbooks } from '../../schemas/reference/sportsbooks.ts'
import type { Config } from './config.ts'

export interface MisspeltBook {
  readonly setting: 'OVERROUND_SHARP_BOOK' | 'OVERROUND_REFERENCES'
  /** The name, as ids are written. */
  readonly name: string
  /** The id of the known sportsbook that it is close to. */
  readonly meant: string
}

/** Shorter names are not compared, because many are close to each other. */
const shortestName = 5
/** From this length on, two letters may be wrong. */
const longName = 8

export function misspeltBooks({
  sharpBook,
  references,
}: Pick<Config, 'sharpBook' | 'references'>): readonly MisspeltBook[] {
  const named = [
    { setting: 'OVERROUND_SHARP_BOOK', name: sharpBook } as const,
    ...[...references].map((name) => ({ setting: 'OVERROUND_REFERENCES', name }) as const),
  ]
  return named.flatMap(({ setting, name }) => {
    const meant = closeTo(name)
    return meant === null ? [] : [{ setting, name, meant }]
  })
}

/** Returns null for a known sportsbook, and for a name that is close to none. */
function closeTo(name: string): string | null {
  if (name.length < shortestName || findSportsbook(name)) return null
  let closest: string | null = null
  let least = name.length < longName ? 2 : 3
  for (const { id } of sportsbooks) {
    const errors = id.length < shortestName ? Number.POSITIVE_INFINITY : distance(name, id)
    if (errors >= least) continue
    least = errors
    closest = id
  }
  return closest
}
