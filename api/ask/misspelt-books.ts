/**
 * Finds names of sportsbooks in the settings that may be misspelt. Custom names are allowed there,
 * so such a name only causes a warning. Without it, the setting would silently have no effect.
 */

import { distance } from 'fastest-levenshtein'
import { booksOf } from '../../pipeline/rules/odds/chains.ts'
import type { Config } from '../../pipeline/settings/config.ts'
import { findSportsbook } from '../../schemas/reference/sportsbooks.ts'
import { suggest } from './suggestions.ts'

export interface MisspeltBook {
  readonly setting: 'OVERROUND_SHARP_BOOK' | 'OVERROUND_ANCHORS' | 'OVERROUND_REFERENCES'
  /** The name, in the form of an id. */
  readonly name: string
  /** The id of the known sportsbook, or the reference, that it is close to. */
  readonly meant: string
}

export function misspeltBooks({
  sharpBook,
  anchors,
  references,
}: Pick<Config, 'sharpBook' | 'anchors' | 'references'>): readonly MisspeltBook[] {
  const named = [
    { setting: 'OVERROUND_SHARP_BOOK', name: sharpBook } as const,
    ...[...new Set([...anchors.values()].flatMap(booksOf))].map(
      (name) => ({ setting: 'OVERROUND_ANCHORS', name }) as const,
    ),
    ...[...references].map((name) => ({ setting: 'OVERROUND_REFERENCES', name }) as const),
  ]
  const meantBy = (setting: MisspeltBook['setting'], name: string) => {
    if (findSportsbook(name)) return undefined
    const listed = suggest('sportsbook', name)?.try.sportsbook
    if (setting === 'OVERROUND_REFERENCES') return listed
    if (references.has(name)) return undefined
    return [...references].find((reference) => isClose(reference, name)) ?? listed
  }
  return named.flatMap(({ setting, name }) => {
    const meant = meantBy(setting, name)
    return meant === undefined ? [] : [{ setting, name, meant }]
  })
}

const mostSlips = 2
const isClose = (name: string, other: string) =>
  other.length > 2 * mostSlips && distance(name, other) <= mostSlips
