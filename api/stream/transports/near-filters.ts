/** What is said of members of a frame's `filters` that are none. */

import { distance } from 'fastest-levenshtein'
import { filterSpellings } from '../../../schemas/stream/frames.ts'

/** Names shown of filters that there are not, and characters of each. */
const mostShown = 5
const longestShown = 60

/** Which members are none, with the filters they may stand for. */
export function noSuchFilters(unknown: readonly string[]): string {
  const shown = unknown.slice(0, mostShown).map((name) => {
    const near = nearestFilter(name)
    const hint = near === undefined ? '' : ` (did you mean ${near}?)`
    return `${name.length > longestShown ? `${name.slice(0, longestShown)}…` : name}${hint}`
  })
  const more = unknown.length - shown.length
  return `There is no filter ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** The filter one slip of the finger away, whatever the case and the marks between words. */
function nearestFilter(name: string): string | undefined {
  if (name.length > longestShown) return undefined
  const bare = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')
  const letters = bare(name)
  for (const [spelling, meant] of filterSpellings) {
    if (distance(letters, bare(spelling)) <= 1) return meant
  }
  return undefined
}
