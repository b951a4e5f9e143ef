/**
 * Finds names of sportsbooks in the settings that may be misspelt. Custom names are allowed there,
 * so such a name only causes a warning. Without it, the setting would silently have no effect.
 */

import { booksOf } from '../../pipeline/rules/odds/chains.ts'
import type { Config } from '../../pipeline/settings/config.ts'
import { findSportsbook } from '../../schemas/reference/sportsbooks.ts'
import { suggest } from './suggestions.ts'

export interface MisspeltBook {
  readonly setting: 'OVERROUND_SHARP_BOOK' | 'OVERROUND_ANCHORS' | 'OVERROUND_REFERENCES'
  /** The name, in the form of an id. */
  readonly name: string
  /** The id of the known sportsbook that it is close to. */
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
  return named.flatMap(({ setting, name }) => {
    const meant = findSportsbook(name) ? undefined : suggest('sportsbook', name)?.try.sportsbook
    return meant === undefined ? [] : [{ setting, name, meant }]
  })
}
