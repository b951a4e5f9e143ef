/** The error for members of a frame, or of its `filters`, that do not exist. */

import { distance } from 'fastest-levenshtein'
import { filterSpellings } from '../../../schemas/stream/filters.ts'

/** How many of the unknown names are shown, and how many characters of each. */
const mostShown = 5
const longestShown = 60

/** Names the members that do not exist, with the filters they may stand for. */
export function noSuchFilters(unknown: readonly string[]): string {
  const hint = (name: string) => {
    const near = nearestFilter(name)
    return near === undefined ? '' : ` (did you mean ${near}?)`
  }
  return `There is no filter ${shownNames(unknown, hint)}`
}

/** The first few of many names, none of them long. */
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

/** The filter one slip of the finger away, whatever the case and the marks between words. */
function nearestFilter(name: string): string | undefined {
  if (name.length > longestShown) return undefined
  const bare = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')
  const letters = bare(name)
  for (const [spelling, meant] of filterSpellings) {
    // Of a letter or two, everything short is a slip away.
    if (spelling.length > 2 && distance(letters, bare(spelling)) <= 1) return meant
  }
  return undefined
}
