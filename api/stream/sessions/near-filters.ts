/** Writes the error for unknown fields of a frame or of its `filters`, with suggestions. */

import { distance } from 'fastest-levenshtein'
import { filterSpellings } from '../../../schemas/stream/filters.ts'

/** Most unknown names shown, and most characters of each. */
const mostShown = 5
const longestShown = 60

/** Lists the unknown names with the filters that were probably meant. */
export function noSuchFilters(unknown: readonly string[]): string {
  const hint = (name: string) => {
    const near = nearestFilter(name)
    return near === undefined ? '' : ` (did you mean ${near}?)`
  }
  return `Unknown filter ${shownNames(unknown, hint)}`
}

/** Returns the first few of many names, shortened. */
export function shownNames(
  names: readonly string[],
  hint: (name: string) => string = () => '',
): string {
  const shown = names.slice(0, mostShown).map((name) => {
    const short = name.length > longestShown ? `${name.slice(0, longestShown)}…` : name
    return `${short}${hint(name)}`
  })
  const more = names.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** Returns the filter at most one typo away, ignoring case and separators. */
function nearestFilter(name: string): string | undefined {
  if (name.length > longestShown) return undefined
  const bare = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')
  const letters = bare(name)
  for (const [spelling, meant] of filterSpellings) {
    // Almost any short text is one typo away from one or two letters.
    if (spelling.length > 2 && distance(letters, bare(spelling)) <= 1) return meant
  }
  return undefined
}
